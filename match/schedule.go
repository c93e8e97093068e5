package match

import (
	"fmt"
	"slices"
)

// The kinds of tournament.
const (
	RoundRobin = "round-robin"
	Gauntlet   = "gauntlet" // the first engines against all others
	Swiss      = "swiss"
	Knockout   = "knockout"
)

// Schedule says which games are to be played. It depends on the configuration
// and the records alone: told the same records, it gives out the same jobs.
//
// A tournament is rounds of encounters, and an encounter is games of two
// engines on one variant. The rounds of a round robin or a gauntlet are all
// known beforehand, and made when they are needed. Those of the others follow
// from the results of the round before.
type Schedule struct {
	config   *Config
	queue    []Job
	records  map[string]bool
	waiting  map[string]*encounter // by the ID of a job without a record
	played   map[meeting]int       // games that were given out
	begun    map[meeting]int       // … or series, where games make series
	standing *Standings
	rounds   rounds
	round    int  // the last one begun
	last     bool // no round follows it
	open     int  // encounters that go on
	planned  int  // games of all rounds, where that is known
}

// rounds pairs the engines, round by round, from 0.
type rounds interface {
	// pair gives the encounters of the next round, as places in the list of
	// engines; none when the tournament is over.
	pair(round int, s *Standings) [][2]int
	// ended is told how an encounter ended: the engine that goes on.
	ended(e *encounter, s *Standings)
	// early reports whether rounds may begin before the one before is over; if
	// so, how many encounters they have in all.
	early() (encounters int, may bool)
}

// meeting is two engines and a variant, as places in the lists of the
// configuration; a comes first in it.
type meeting struct{ a, b, variant int }

// encounter is the games of two engines in one round.
type encounter struct {
	a, b    int
	round   int
	missing int        // jobs without a record
	points  [2]float64 // of a and b
	wins    [2]int     // of a and b as the second player
	batches int        // of games that were given out
	series  []*series  // with the vela
}

// NewSchedule is the schedule of a tournament in which nothing has been played.
// The configuration is one that was checked.
func NewSchedule(c *Config) *Schedule {
	s := &Schedule{
		config: c, records: map[string]bool{}, waiting: map[string]*encounter{},
		played: map[meeting]int{}, begun: map[meeting]int{}, standing: NewStandings(c.names()),
	}
	n := len(c.Engines)
	switch c.Kind {
	case Gauntlet:
		s.rounds = &fixed{rounds: c.Rounds, circle: gauntlet(n, c.Challengers)}
	case Swiss:
		s.rounds = newSwiss(n, c.Rounds)
	case Knockout:
		s.rounds = newKnockout(n)
	default:
		s.rounds = &fixed{rounds: c.Rounds, circle: roundRobin(n)}
	}
	if encounters, known := s.rounds.early(); known {
		s.planned = encounters * c.Games * len(c.Variants)
		if c.Vela {
			s.planned *= 2
		}
	}
	s.advance()
	return s
}

// Next takes the next job that can be played now.
func (s *Schedule) Next() (Job, bool) {
	for {
		for len(s.queue) > 0 {
			j := s.queue[0]
			s.queue[0] = Job{}
			s.queue = s.queue[1:]
			if !s.records[j.ID] {
				return j, true
			}
		}
		if !s.ahead() {
			return Job{}, false
		}
	}
}

// ahead begins another round before the last one is over, where that may be.
func (s *Schedule) ahead() bool {
	if _, may := s.rounds.early(); !may || s.last {
		return false
	}
	s.advance()
	return !s.last
}

// Add tells the schedule of a result. It gives false for a game that has a
// record already, and an error for one that is not part of the tournament.
func (s *Schedule) Add(r Record) (added bool, err error) {
	if s.records[r.ID] {
		return false, nil
	}
	e := s.waiting[r.ID]
	for e == nil && s.ahead() {
		e = s.waiting[r.ID]
	}
	if e == nil {
		return false, fmt.Errorf("game %q is not part of this tournament", r.ID)
	}
	delete(s.waiting, r.ID)
	s.records[r.ID] = true
	s.standing.Add(r)
	e.add(r, s.config.names())
	if e.missing--; e.missing == 0 && !s.goOn(e) {
		s.open--
		s.rounds.ended(e, s.standing)
		if s.open == 0 && !s.last {
			s.advance()
		}
	}
	return true, nil
}

// Standings are those of the records so far.
func (s *Schedule) Standings() *Standings { return s.standing }

// Done reports whether all games have a record.
func (s *Schedule) Done() bool { return len(s.waiting) == 0 && !s.ahead() }

// Known is the number of games that have been played or can be planned by now.
func (s *Schedule) Known() int { return max(s.planned, len(s.records)+len(s.waiting)) }

// advance begins the next round.
func (s *Schedule) advance() {
	pairs := s.rounds.pair(s.round, s.standing)
	s.last = len(pairs) == 0
	s.round++
	for _, p := range pairs {
		s.open++
		s.goOn(&encounter{a: p[0], b: p[1], round: s.round})
	}
}

// maxTieBreaks bounds the pairs of games that decide a knockout encounter which
// is even; then the engine wins that won more as the second player, and at last
// the one that was listed first (chosen).
const maxTieBreaks = 5

// goOn gives out more games of an encounter; false when it is over.
func (s *Schedule) goOn(e *encounter) bool {
	c := s.config
	switch {
	case c.Vela:
		return s.goOnSeries(e)
	case e.batches == 0:
		for v := range c.Variants {
			for range c.Games {
				s.give(e, meeting{e.a, e.b, v}, nil)
			}
		}
	case c.Kind == Knockout && e.points[0] == e.points[1] && e.batches <= maxTieBreaks:
		for range 2 {
			s.give(e, meeting{e.a, e.b, 0}, nil)
		}
	default:
		return false
	}
	e.batches++
	return true
}

// give puts the next game of a meeting in the queue. The colours are swapped
// from game to game, and two games have one opening. In a series the caller
// says what is played.
func (s *Schedule) give(e *encounter, m meeting, in *seriesRound) {
	if m.a > m.b { // a meeting is the same whoever is named first
		m.a, m.b = m.b, m.a
	}
	c := s.config
	n := s.played[m]
	s.played[m]++
	// Rounds of several series go on side by side, so there it is the series
	// that tells games apart, not their order.
	j := Job{
		ID:    fmt.Sprintf("%d-%d.%d.%d", m.a+1, m.b+1, m.variant+1, n+1),
		Event: c.Event, Round: e.round, Pair: n/2 + 1, Variant: c.Variants[m.variant],
		Players:      [2]Engine{c.Engines[m.a], c.Engines[m.b]},
		Adjudication: c.Adjudication,
	}
	swap := n%2 == 1
	if in != nil {
		j.ID = fmt.Sprintf("%d-%d.s%d.%d", m.a+1, m.b+1, in.series, in.round)
		j.Series, j.Pair, j.Variant, swap = in.series, in.pair, in.variant, in.first != m.a
	}
	if swap {
		j.Players[0], j.Players[1] = j.Players[1], j.Players[0]
	}
	if in == nil || !in.vela {
		j.Opening = c.openings(j.Variant).At(j.Pair)
	}
	s.waiting[j.ID] = e
	e.missing++
	s.queue = append(s.queue, j)
}

// add counts a result.
func (e *encounter) add(r Record, names []string) {
	for player := range 2 {
		who := 0
		if r.Players[player] == names[e.b] {
			who = 1
		}
		score := r.Result.Score(player)
		e.points[who] += score
		if player == 1 && score == 1 {
			e.wins[who]++
		}
	}
	for _, x := range e.series {
		x.add(r, names)
	}
}

// winner is the engine that goes on.
func (e *encounter) winner() int {
	switch {
	case e.points[0] != e.points[1]:
		if e.points[0] > e.points[1] {
			return e.a
		}
		return e.b
	case e.wins[0] != e.wins[1]:
		if e.wins[0] > e.wins[1] {
			return e.a
		}
		return e.b
	}
	return min(e.a, e.b)
}

// fixed are rounds that are known beforehand: the same one again and again.
type fixed struct {
	rounds int
	circle [][2]int
}

func (f *fixed) pair(round int, _ *Standings) [][2]int {
	if round >= f.rounds {
		return nil
	}
	return f.circle
}

func (*fixed) ended(*encounter, *Standings) {}
func (f *fixed) early() (int, bool)         { return f.rounds * len(f.circle), true }

// roundRobin pairs each with each, in the order of the circle method: one
// engine stays, the others move round, so that all play about as often at any
// time.
func roundRobin(n int) [][2]int {
	seats := make([]int, n+n%2) // with an odd number, one seat is empty
	for i := range seats {
		seats[i] = i
	}
	var pairs [][2]int
	for range len(seats) - 1 {
		for i := range len(seats) / 2 {
			a, b := seats[i], seats[len(seats)-1-i]
			if a < n && b < n {
				pairs = append(pairs, [2]int{min(a, b), max(a, b)})
			}
		}
		last := seats[len(seats)-1]
		copy(seats[2:], seats[1:])
		seats[1] = last
	}
	return pairs
}

// gauntlet pairs the first engines, the challengers, with all others.
func gauntlet(n, challengers int) [][2]int {
	var pairs [][2]int
	for b := challengers; b < n; b++ {
		for a := range challengers {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}

// swiss pairs engines of about equal points that have not met.
type swiss struct {
	n, rounds int
	met       map[[2]int]bool
	byes      []int // by engine
}

func newSwiss(n, rounds int) *swiss {
	return &swiss{n: n, rounds: rounds, met: map[[2]int]bool{}, byes: make([]int, n)}
}

func (*swiss) ended(*encounter, *Standings) {}
func (*swiss) early() (int, bool)           { return 0, false }

func (w *swiss) pair(round int, s *Standings) [][2]int {
	if round >= w.rounds {
		return nil
	}
	order := make([]int, w.n)
	for i := range order {
		order[i] = i
	}
	// The share of the points that were to be had, a bye counting as a round
	// won in full; equal engines stand in the order in which they were listed.
	share := func(i int) float64 {
		if round == 0 {
			return 0
		}
		return s.Total(i).Score()*float64(round-w.byes[i]) + float64(w.byes[i])
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch x, y := share(a), share(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	if w.n%2 == 1 { // the last one with the fewest byes sits out
		sits := w.n - 1
		for i := w.n - 1; i >= 0; i-- {
			if w.byes[order[i]] < w.byes[order[sits]] {
				sits = i
			}
		}
		w.byes[order[sits]]++
		order = slices.Delete(order, sits, sits+1)
	}
	if round == 0 { // the upper half against the lower one
		half := len(order) / 2
		mixed := make([]int, 0, len(order))
		for i := range half {
			mixed = append(mixed, order[i], order[half+i])
		}
		order = mixed
	}
	pairs := w.match(order, new(int))
	if pairs == nil { // all have met all
		clear(w.met)
		pairs = w.match(order, new(int))
	}
	for _, p := range pairs {
		w.met[[2]int{min(p[0], p[1]), max(p[0], p[1])}] = true
	}
	return pairs
}

// maxSwissTries bounds the search for a pairing without repeats (chosen).
const maxSwissTries = 200_000

// match pairs the first engine with the next that it has not met, and so on,
// going back where that does not work out.
func (w *swiss) match(order []int, tries *int) [][2]int {
	if len(order) == 0 {
		return [][2]int{}
	}
	a := order[0]
	for i := 1; i < len(order); i++ {
		if *tries++; *tries > maxSwissTries {
			return nil
		}
		b := order[i]
		if w.met[[2]int{min(a, b), max(a, b)}] {
			continue
		}
		rest := slices.Concat(order[1:i], order[i+1:])
		if pairs := w.match(rest, tries); pairs != nil {
			return append([][2]int{{a, b}}, pairs...)
		}
	}
	return nil
}

// knockout is a bracket: who loses is out. The engine listed first meets the
// last, and the best meet as late as can be.
type knockout struct {
	alive []int        // in the order of the bracket; -1 is an empty place
	won   map[int]bool // engines that won in this round
}

func newKnockout(n int) *knockout {
	bracket := []int{0}
	for len(bracket) < n {
		size := 2 * len(bracket)
		var wider []int
		for _, seed := range bracket {
			wider = append(wider, seed, size-1-seed)
		}
		bracket = wider
	}
	for i, seed := range bracket {
		if seed >= n {
			bracket[i] = -1
		}
	}
	return &knockout{alive: bracket, won: map[int]bool{}}
}

func (*knockout) early() (int, bool) { return 0, false }

func (k *knockout) ended(e *encounter, _ *Standings) { k.won[e.winner()] = true }

func (k *knockout) pair(round int, _ *Standings) [][2]int {
	if round > 0 {
		var next []int
		for i := 0; i < len(k.alive); i += 2 {
			a, b := k.alive[i], k.alive[i+1]
			if b >= 0 && (a < 0 || k.won[b]) {
				a = b
			}
			next = append(next, a)
		}
		k.alive, k.won = next, map[int]bool{}
	}
	var pairs [][2]int
	for i := 0; i+1 < len(k.alive); i += 2 {
		if a, b := k.alive[i], k.alive[i+1]; a >= 0 && b >= 0 {
			pairs = append(pairs, [2]int{a, b})
		}
	}
	return pairs
}
