package match

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"qirkat/match/internal/fake"
	"qirkat/match/stats"
)

// imagined is a worker that plays in its head.
type imagined struct {
	play  func(Job) (Record, error)
	delay time.Duration
}

func (w *imagined) Play(ctx context.Context, j Job) (Record, error) {
	select {
	case <-time.After(w.delay):
		return w.play(j)
	case <-ctx.Done():
		return Record{}, ctx.Err()
	}
}

func (*imagined) Close() {}

// TestRunner: jobs go out and come back as JSON, as over a queue, and the
// result is the same.
func TestRunner(t *testing.T) {
	c := config(t, func(c *Config) { c.Kind, c.Rounds = Swiss, 4 }, crew(6)...)
	want := NewSchedule(c)
	playAll(t, want, 1, stronger)

	overQueue := func(j Job) (Record, error) {
		var there Job
		text, err := json.Marshal(j)
		if err == nil {
			err = json.Unmarshal(text, &there)
		}
		if err != nil {
			return Record{}, err
		}
		var back Record
		text, err = json.Marshal(stronger(there))
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		return back, err
	}
	var mu sync.Mutex
	running, most := 0, 0
	counted := func(j Job) (Record, error) {
		mu.Lock()
		running++
		most = max(most, running)
		mu.Unlock()
		time.Sleep(time.Millisecond)
		mu.Lock()
		running--
		mu.Unlock()
		return overQueue(j)
	}
	s := NewSchedule(c)
	r := &Runner{Config: c, Schedule: s}
	for range 3 {
		r.Workers = append(r.Workers, &imagined{play: counted})
	}
	games := 0
	r.OnEvent = func(e Event) {
		if e.Event == EventGame {
			games++
			if e.Played != games {
				t.Errorf("event of game %d says %d", games, e.Played)
			}
		}
	}
	if finished, err := r.Run(t.Context(), nil); !finished || err != nil {
		t.Fatal(finished, err)
	}
	if got := s.Standings().Report(c); got != want.Standings().Report(c) {
		t.Errorf("got\n%s\nwant\n%s", got, want.Standings().Report(c))
	}
	if most != 3 {
		t.Errorf("%d games at a time, want 3", most)
	}
}

// TestRunnerSPRT: a decided test ends the tournament, and going on does nothing.
func TestRunnerSPRT(t *testing.T) {
	c := config(t, func(c *Config) {
		c.Rounds, c.SPRT = 100000, &stats.SPRT{Elo1: 20}
	}, crew(2)...)
	s := NewSchedule(c)
	n := 0
	r := &Runner{Config: c, Schedule: s, Workers: []Worker{&imagined{play: func(j Job) (Record, error) {
		if n++; n%4 == 0 { // a pair is won or shared
			return resultOf(j, j.Players[0].Name == "B"), nil
		}
		return stronger(j), nil
	}}}}
	decided := ""
	r.OnEvent = func(e Event) {
		if e.Event == EventDecided {
			decided = e.Decision
		}
	}
	finished, err := r.Run(t.Context(), nil)
	if !finished || err != nil || decided != string(stats.AcceptH1) {
		t.Fatal(finished, err, decided)
	}
	if played := s.Standings().Games(); played < 10 || played > 2000 {
		t.Errorf("%d games", played)
	}
	before := n
	if finished, err := r.Run(t.Context(), nil); !finished || err != nil || n != before {
		t.Errorf("run again: %v, %v, %d games more", finished, err, n-before)
	}
}

// TestRunnerError: what no engine is to blame for ends the tournament, after
// the games that run.
func TestRunnerError(t *testing.T) {
	c := config(t, func(c *Config) { c.Rounds = 50 }, crew(2)...)
	bad := errors.New("the machine is on fire")
	s := NewSchedule(c)
	good := func(j Job) (Record, error) { return stronger(j), nil }
	r := &Runner{Config: c, Schedule: s, Workers: []Worker{
		&imagined{play: good, delay: 20 * time.Millisecond},
		&imagined{play: func(Job) (Record, error) { return Record{}, bad }, delay: 30 * time.Millisecond},
	}}
	finished, err := r.Run(t.Context(), nil)
	if finished || !errors.Is(err, bad) {
		t.Error(finished, err)
	}
	if n := s.Standings().Games(); n < 1 || n > 3 {
		t.Errorf("%d games", n)
	}
}

// TestNeverRestart: an engine that may not be started again ends the
// tournament, with its game on record.
func TestNeverRestart(t *testing.T) {
	c := config(t, func(c *Config) { c.Rounds = 5 },
		testEngine(t, "crash", "a", "nodes=1,restart=never"), testEngine(t, fake.Honest, "b", "nodes=1"))
	s := NewSchedule(c)
	finished, err := (&Runner{Config: c, Schedule: s, Workers: []Worker{local(t)}}).Run(t.Context(), nil)
	var stopped *StoppedError
	if finished || !errors.As(err, &stopped) || s.Standings().Games() != 1 {
		t.Errorf("%v, %v, %d games", finished, err, s.Standings().Games())
	}
}

// TestRestartAlways: every game has a process of its own.
func TestRestartAlways(t *testing.T) {
	for restart, want := range map[string]bool{RestartAlways: false, RestartFault: true} {
		c := config(t, nil, testEngine(t, fake.Honest, "a", "nodes=1,restart="+restart), testEngine(t, fake.Honest, "b", "nodes=1"))
		l, s := local(t), NewSchedule(c)
		pids := map[int]bool{}
		for job, ok := s.Next(); ok; job, ok = s.Next() {
			if _, err := l.Play(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			for _, p := range l.players {
				if p.spec.Name == "a" {
					pids[p.process.Pid()] = true
				}
			}
		}
		if (len(pids) == 1) != want {
			t.Errorf("restart %s: %d processes for two games", restart, len(pids))
		}
	}
}

func TestAdjudicator(t *testing.T) {
	cp := func(n int) Ply { return Ply{CP: &n} }
	rules := Adjudication{Draw: ScoreRule{From: 6, Moves: 2, Score: 10}, Resign: ScoreRule{Moves: 2, Score: 500}, Length: 9}
	for _, c := range []struct {
		name   string
		plies  []Ply
		result Result
		reason string
		at     int
	}{
		{"even", []Ply{cp(0), cp(0), cp(5), cp(-5), cp(9), cp(9)}, Drawn, ReasonScore, 6},
		{"not even for one", []Ply{cp(0), cp(0), cp(5), cp(-50), cp(9), cp(9), cp(0), cp(0)}, Drawn, ReasonScore, 8},
		{"lost", []Ply{cp(-600), cp(600), {Mate: -3}, {Mate: 2}}, P2Win, ReasonScore, 4},
		{"lost for one only", []Ply{cp(-600), cp(0), cp(-600), cp(499), cp(-600), cp(600)}, Unfinished, "", 0},
		{"a recovery", []Ply{cp(-600), cp(600), cp(0), cp(600), cp(-600), cp(600)}, Unfinished, "", 0},
		{"without scores", []Ply{{}, {}, {}, {}, {}, {}, {}, {}, {}}, Drawn, ReasonLength, 9},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := adjudicator{rules: rules}
			for i, p := range c.plies {
				result, reason := a.played(i%2, p, i+1, nil)
				if result != Unfinished || i == len(c.plies)-1 {
					if result != c.result || reason != c.reason || result != Unfinished && i+1 != c.at {
						t.Errorf("ply %d: %s %s, want %s %s at %d", i+1, result, reason, c.result, c.reason, c.at)
					}
					return
				}
			}
		})
	}
}

// TestTables: endgame tables end a game as soon as they know the position, and
// say who wins; without them the same game goes on.
func TestTables(t *testing.T) {
	const won = "4b/5/5/5/w1w1w w - 0 30"
	c := config(t, nil, testEngine(t, fake.Honest, "a", "nodes=1"), testEngine(t, fake.Honest, "b", "nodes=1"))
	for _, tables := range []string{ProgramTables, ""} {
		job, _ := NewSchedule(c).Next()
		job.Opening = Opening{Position: won}
		job.Adjudication = Adjudication{Tables: tables}
		r, err := local(t).Play(t.Context(), job)
		decided := r.Reason == ReasonTable
		if err != nil || decided != (tables != "") || decided && r.Result != P1Win {
			t.Errorf("tables %q: %s %s after %d plies, %v", tables, r.Result, r.Reason, len(r.Plies), err)
		}
	}
	c.Tables = "nowhere"
	if err := c.check(); err == nil {
		t.Error("a folder that is not there is taken")
	}
}

// TestShare: processors are shared out to the games.
func TestShare(t *testing.T) {
	for _, c := range []struct {
		cpus []int
		n    int
		want [][]int
	}{
		{nil, 2, [][]int{nil, nil}},
		{[]int{0, 1, 2, 3}, 2, [][]int{{0, 1}, {2, 3}}},
		{[]int{4, 5}, 3, [][]int{{4}, {5}, {4}}},
	} {
		for i, want := range c.want {
			got := share(c.cpus, i, c.n)
			if len(got) != len(want) || len(want) > 0 && got[0] != want[0] {
				t.Errorf("%v for game %d of %d: %v, want %v", c.cpus, i, c.n, got, want)
			}
		}
	}
}
