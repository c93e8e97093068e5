package match

import (
	"context"
	"errors"
	"fmt"

	"qirkat/match/stats"
)

// Runner plays a tournament: it takes jobs from the schedule, hands them to
// workers, and writes down what comes back. It knows nothing of how or where a
// worker plays.
type Runner struct {
	Config   *Config
	Schedule *Schedule
	Workers  []Worker
	Journal  *Journal    // nil: no record is kept
	Games    *PGNWriter  // nil: no games are kept
	OnEvent  func(Event) // called on the caller's goroutine; may be nil
}

// Event is something that happened, as --json tells it. The fields that belong
// to it are set.
type Event struct {
	Event    string     `json:"event"` // start, game, fault, claim, decided, stopping, end
	ID       string     `json:"id,omitempty"`
	Players  []string   `json:"players,omitempty"`
	Variant  string     `json:"variant,omitempty"`
	Record   *Record    `json:"record,omitempty"`
	Note     *Note      `json:"note,omitempty"`
	Decision string     `json:"decision,omitempty"`
	Played   int        `json:"played"`
	Known    int        `json:"known"` // games that are planned by now, those played included
	Summary  *Summary   `json:"summary,omitempty"`
	Standing *Standings `json:"-"`
}

// The events.
const (
	EventStart    = "start"    // a game begins
	EventGame     = "game"     // a game is over
	EventFault    = "fault"    // … lost by a fault
	EventClaim    = "claim"    // … and an engine disagrees with the judge
	EventDecided  = "decided"  // … after which the sequential test has ended
	EventStopping = "stopping" // no more games begin
	EventEnd      = "end"      // nothing runs any more
)

// outcome is a game that came back from a worker.
type outcome struct {
	worker Worker
	job    Job
	record Record
	err    error
}

// Run plays until all games are played, the test is decided, drain is closed
// (running games are then finished) or the context is cancelled (running games
// are given up). It gives true when there is nothing left to play. Errors of a
// worker end it, after the games that run.
func (r *Runner) Run(ctx context.Context, drain <-chan struct{}) (finished bool, err error) {
	idle := append([]Worker{}, r.Workers...)
	results := make(chan outcome, len(idle))
	running, stopping := 0, r.decided()
	stop := func() {
		drain, stopping = nil, true
		r.tell(Event{Event: EventStopping})
	}
	for {
		select {
		case <-drain: // before results that are there as well: no game may begin
			stop()
		default:
		}
		for !stopping && len(idle) > 0 {
			job, ok := r.Schedule.Next()
			if !ok {
				break
			}
			w := idle[len(idle)-1]
			idle = idle[:len(idle)-1]
			running++
			r.tell(Event{Event: EventStart, ID: job.ID, Players: []string{job.Players[0].Name, job.Players[1].Name}, Variant: job.Variant})
			go func() {
				record, err := w.Play(ctx, job)
				results <- outcome{w, job, record, err}
			}()
		}
		if running == 0 {
			break
		}
		select {
		case o := <-results:
			running--
			idle = append(idle, o.worker)
			ended, failure := r.take(o)
			if failure != nil && err == nil && !errors.Is(failure, context.Canceled) {
				err = failure
			}
			if (ended || failure != nil) && !stopping {
				stopping = true
				r.tell(Event{Event: EventStopping})
			}
		case <-drain:
			stop()
		}
	}
	finished = err == nil && (r.Schedule.Done() || r.decided())
	summary := r.Schedule.Standings().Summary(r.Config)
	r.tell(Event{Event: EventEnd, Summary: &summary})
	return finished, err
}

// take writes a game down and tells of it. It gives true when the tournament is
// decided.
func (r *Runner) take(o outcome) (decided bool, err error) {
	var stopped *StoppedError
	if o.err != nil && !errors.As(o.err, &stopped) {
		if !errors.Is(o.err, context.Canceled) {
			o.err = fmt.Errorf("game %s: %w", o.job.ID, o.err)
		}
		return false, o.err
	}
	// Written first, counted after: what is told has been kept.
	if r.Journal != nil {
		if err := r.Journal.Add(o.record); err != nil {
			return false, err
		}
	}
	if r.Games != nil {
		if err := r.Games.Add(o.record); err != nil {
			return false, err
		}
	}
	if _, err := r.Schedule.Add(o.record); err != nil {
		return false, err
	}
	summary := r.Schedule.Standings().Summary(r.Config)
	r.tell(Event{Event: EventGame, ID: o.record.ID, Record: &o.record, Summary: &summary})
	if o.record.Fault != nil {
		r.tell(Event{Event: EventFault, ID: o.record.ID, Record: &o.record})
	}
	for _, n := range o.record.Claims {
		r.tell(Event{Event: EventClaim, ID: o.record.ID, Note: &n, Record: &o.record})
	}
	if t := summary.SPRT; t != nil && t.Decision != string(stats.GoOn) {
		r.tell(Event{Event: EventDecided, Decision: t.Decision})
		return true, o.err
	}
	return false, o.err
}

func (r *Runner) tell(e Event) {
	if r.OnEvent == nil {
		return
	}
	e.Standing = r.Schedule.Standings()
	e.Played, e.Known = e.Standing.Games(), r.Schedule.Known()
	r.OnEvent(e)
}

// decided reports whether the sequential test has ended.
func (r *Runner) decided() bool {
	t := r.Config.SPRT
	if t == nil {
		return false
	}
	e := r.Schedule.Standings().Between(0, 1)
	return e.Pairs.Pairs() > 0 && t.Decide(t.LLR(e.Pairs.Sample())) != stats.GoOn
}

// Summary is how a tournament stands, for machines.
type Summary struct {
	Games   int             `json:"games"`
	Engines []EngineSummary `json:"engines"`
	Pair    *PairSummary    `json:"pair,omitempty"` // of two engines, for the first of them
	SPRT    *SPRTSummary    `json:"sprt,omitempty"`
	Reasons map[string]int  `json:"reasons"`
	Late    int             `json:"late,omitempty"`
}

// EngineSummary is one line of the table.
type EngineSummary struct {
	Name   string          `json:"name"`
	Games  stats.Trinomial `json:"games"`
	White  stats.Trinomial `json:"white"`
	Black  stats.Trinomial `json:"black"`
	Rating *stats.Estimate `json:"rating,omitempty"` // joint, where there are more than two
	Points int             `json:"points,omitempty"` // match points
}

// PairSummary compares two engines.
type PairSummary struct {
	Score         float64           `json:"score"`
	Pentanomial   stats.Pentanomial `json:"pentanomial"`
	Elo           stats.Estimate    `json:"elo"`
	NormalizedElo stats.Estimate    `json:"normalized_elo"`
	LOS           float64           `json:"los"`
	DrawRatio     float64           `json:"draw_ratio"`
	PairRatio     float64           `json:"pair_ratio"`
	Series        *stats.Trinomial  `json:"series,omitempty"`
}

// SPRTSummary is how the sequential test stands.
type SPRTSummary struct {
	stats.SPRT
	LLR      float64 `json:"llr"`
	Lower    float64 `json:"lower"`
	Upper    float64 `json:"upper"`
	Decision string  `json:"decision"`
}

// Summary says how the tournament stands. Joint ratings are left to
// [Standings.Ratings]: they cost too much for every game.
func (s *Standings) Summary(c *Config) Summary {
	sum := Summary{Games: s.games, Reasons: map[string]int{}, Late: s.late}
	for reason, n := range s.reasons {
		sum.Reasons[reason] = n
	}
	for i, name := range s.Names {
		e := EngineSummary{Name: name, Games: s.Total(i)}
		e.White, e.Black = s.byColour(i)
		if c.Points {
			e.Points = s.MatchPoints(i)
		}
		sum.Engines = append(sum.Engines, e)
	}
	if len(s.Names) != 2 {
		return sum
	}
	e := s.Between(0, 1)
	sample := e.Sample()
	sum.Pair = &PairSummary{
		Score: e.Games().Score(), Pentanomial: e.Pairs, Elo: sample.Elo(), NormalizedElo: sample.NormalizedElo(),
		LOS: sample.LOS(), DrawRatio: e.Games().DrawRatio(), PairRatio: e.Pairs.PairRatio(),
	}
	if c.Vela {
		series := e.SeriesScore()
		sum.Pair.Series = &series
	}
	if t := c.SPRT; t != nil {
		p := SPRTSummary{SPRT: *t, LLR: t.LLR(e.Pairs.Sample())}
		p.Lower, p.Upper = t.Bounds()
		p.Decision = string(t.Decide(p.LLR))
		sum.SPRT = &p
	}
	return sum
}

// byColour are the games of an engine as White and as Black.
func (s *Standings) byColour(engine int) (white, black stats.Trinomial) {
	for _, e := range s.encounters {
		switch engine {
		case e.A:
			white, black = white.Plus(e.Colours[0]), black.Plus(e.Colours[1])
		case e.B:
			white, black = white.Plus(e.Colours[1].Turned()), black.Plus(e.Colours[0].Turned())
		}
	}
	return white, black
}
