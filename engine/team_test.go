package engine_test

import (
	"flag"
	"maps"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"qirkat/engine"
)

var long = flag.Bool("long", false, "storm the engine for a minute")

// search is a search of the start of a variant.
func search(t *testing.T, variant string, l engine.Limits) engine.Search {
	t.Helper()
	_, g := game(t, variant, "")
	return engine.Search{Game: g, Limits: l}
}

// team is a search that several threads can share.
func team(t *testing.T, variant string, l engine.Limits) engine.Search {
	t.Helper()
	s := search(t, variant, l)
	s.Another = func() engine.Game { return search(t, variant, l).Game }
	return s
}

// TestTeam: several threads search together, their nodes add up, and they stop.
func TestTeam(t *testing.T) {
	e := newEngine(t, 8)
	e.SetThreads(4)
	r := e.Run(team(t, "fanorona", engine.Limits{MoveTime: 200 * time.Millisecond, HasMoveTime: true}))
	if !r.Found || r.Nodes == 0 || r.Depth < 2 {
		t.Errorf("found %t, %d nodes, depth %d", r.Found, r.Nodes, r.Depth)
	}
	if r := e.Run(team(t, "fanorona", engine.Limits{Depth: 3})); r.Depth != 3 {
		t.Errorf("depth %d, want 3, the limit of all threads", r.Depth)
	}
	several := team(t, "fanorona", engine.Limits{Depth: 5})
	several.Lines = 3
	depths := map[int]int{}
	several.OnInfo = func(i engine.Info) { depths[i.Line] = i.Depth }
	if e.Run(several); !maps.Equal(depths, map[int]int{1: 5, 2: 5, 3: 5}) {
		t.Errorf("three lines end at depths %v, want 5 each", depths)
	}
	e.SetThreads(1)
	if r := e.Run(team(t, "fanorona", engine.Limits{Nodes: 5000})); r.Nodes > 5000 {
		t.Errorf("%d nodes with one thread, want 5000 at most", r.Nodes)
	}
}

// TestLines: every line has another first move, the best comes first, and a
// search for one line agrees with it.
func TestLines(t *testing.T) {
	e := newEngine(t, 8)
	s := search(t, "alquerque-bell", engine.Limits{Depth: 7})
	s.Lines = 3
	latest := map[int]engine.Info{}
	s.OnInfo = func(i engine.Info) { latest[i.Line] = i }
	r := e.Run(s)
	if len(latest) != 3 || r.Best != latest[1].PV[0] {
		t.Fatalf("%d lines, best move %v", len(latest), r.Best)
	}
	for line := 2; line <= 3; line++ {
		if latest[line].Score > latest[line-1].Score || latest[line].PV[0] == latest[line-1].PV[0] {
			t.Errorf("line %d: %+v behind %+v", line, latest[line], latest[line-1])
		}
	}
}

// TestPonder: on the opponent's time nothing is said; from the hit on the
// limits count.
func TestPonder(t *testing.T) {
	const left = 300 * time.Millisecond
	e := newEngine(t, 8)
	s := search(t, "fanorona", engine.Limits{Ponder: true, Clock: &engine.Clock{Left: left, MovesToGo: 1}})
	var said atomic.Int64
	s.OnInfo = func(engine.Info) { said.Add(1) }
	best := make(chan engine.Result, 1)
	s.OnBest = func(r engine.Result) { best <- r }
	e.Start(s)
	select {
	case <-best:
		t.Fatal("a move without a hit")
	case <-time.After(2 * left):
	}
	if n := said.Load(); n != 0 {
		t.Errorf("%d reports while pondering", n)
	}
	hit := time.Now()
	e.PonderHit()
	e.PonderHit()
	select {
	case r := <-best:
		if d := time.Since(hit); !r.Found || d > 3*left { // much more than planned, for a busy machine
			t.Errorf("found %t, %v after the hit", r.Found, d)
		}
	case <-time.After(10 * left):
		t.Fatal("no move after the hit")
	}
}

// TestPonderHitAtOnce: a hit that comes before the search has begun counts.
func TestPonderHitAtOnce(t *testing.T) {
	e := newEngine(t, 1)
	for range 50 {
		s := search(t, "alquerque", engine.Limits{Ponder: true, MoveTime: time.Millisecond, HasMoveTime: true})
		best := make(chan engine.Result, 1)
		s.OnBest = func(r engine.Result) { best <- r }
		e.Start(s)
		e.PonderHit()
		select {
		case <-best:
		case <-time.After(10 * time.Second):
			t.Fatal("the hit was lost")
		}
	}
}

// TestStorm starts, hits and stops searches of eight threads at random moments.
func TestStorm(t *testing.T) {
	begin, enough := time.Now(), 5*time.Second
	if *long {
		enough = time.Minute
	}
	random := rand.New(rand.NewPCG(1, 2))
	e := newEngine(t, 8)
	e.SetThreads(8)
	for time.Since(begin) < enough {
		s := team(t, "quirkat", engine.Limits{Ponder: random.IntN(2) == 0, Infinite: random.IntN(3) == 0, Depth: random.IntN(9)})
		best := make(chan engine.Result, 2)
		s.OnBest = func(r engine.Result) { best <- r }
		e.Start(s)
		for range random.IntN(3) {
			time.Sleep(time.Duration(random.IntN(2000)) * time.Microsecond)
			e.PonderHit()
		}
		e.Stop()
		select {
		case r := <-best:
			if !r.Found {
				t.Fatal("no move")
			}
		case <-time.After(10 * time.Second):
			t.Fatal("no answer")
		}
		e.Wait()
		if len(best) > 0 {
			t.Fatal("two answers")
		}
	}
}
