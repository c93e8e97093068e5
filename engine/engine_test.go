package engine_test

import (
	"testing"
	"time"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// game is a position of a variant, with its evaluator, as one worker needs it.
func game(t testing.TB, variant, position string) (movegen.Game, engine.Game) {
	t.Helper()
	v, err := movegen.FindVariant(variant)
	if err != nil {
		t.Fatal(err)
	}
	g := games.New(v)
	if position != "" {
		if err := g.Set(position); err != nil {
			t.Fatal(err)
		}
	}
	return g, engine.Game{Position: g, Evaluator: eval.New(g, eval.Default(v))}
}

func newEngine(t testing.TB, mebibytes int) *engine.Engine {
	t.Helper()
	e, err := engine.New(mebibytes)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestWins gives positions with a win of known length: the search must find it
// at the depth that it takes, and no shorter one.
func TestWins(t *testing.T) {
	tests := []struct {
		name, variant, position string
		plies                   int
	}{
		{"take the last piece", "alquerque", "5/5/2b2/2w2/5 w - 0 1", 1},
		{"take two in a chain", "alquerque", "5/3b1/5/1b3/w4 w - 0 1", 1},
		{"approach the last", "fanorona-dimy", "5/5/2b2/5/2w2 w - 0 1", 1},
		{"the majority", "al-manqala", "0,0,0,0,0,0,1/0,0,0,0,0,8,1 w 49,39 0 1", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, pair := game(t, tt.variant, tt.position)
			r := newEngine(t, 1).Run(engine.Search{Game: pair, Limits: engine.Limits{Depth: tt.plies + 2}})
			if n, ok := r.Score.Plies(); !ok || n != tt.plies {
				t.Errorf("win in %d plies (proven %t), want %d\n%s", n, ok, tt.plies, g.Draw())
			}
		})
	}
}

// TestShortestWin compares the length of a win with what an exhaustive search
// finds: a perft-like minimax without any pruning.
func TestShortestWin(t *testing.T) {
	const depth = 5
	for _, tt := range []struct{ variant, position string }{
		{"alquerque", "5/5/1bb2/5/1www1 w - 0 1"},
		{"alquerque-bell", "5/2b2/5/w1w2/1w3 w - 0 1"},
		{"quirkat", "b4/5/2w2/1ww2/5 b - 0 1"},
		{"fanorona-telo", "bb1/1w1/1ww w - 0 1"},
		{"fanorona-dimy", "b4/4b/5/1www1/2w2 w - 0 1"},
	} {
		t.Run(tt.variant, func(t *testing.T) {
			g, pair := game(t, tt.variant, tt.position)
			want := minimax(g, depth, 0)
			r := newEngine(t, 1).Run(engine.Search{Game: pair, Limits: engine.Limits{Depth: depth}})
			n, proven := r.Score.Plies()
			if want == 0 && proven && max(n, -n) <= depth || want != 0 && n != want {
				t.Errorf("score %d (%d plies, proven %t), exhaustive search says %d plies\n%s", r.Score, n, proven, want, g.Draw())
			}
		})
	}
}

// TestNoFalseWin: captures that may be refused, where huffing is the price, do
// not make a win shorter than it is. The plies are those of exhaustive search.
func TestNoFalseWin(t *testing.T) {
	for _, tt := range []struct {
		position string
		plies    int
	}{
		{"4w/3bb/3b1/w2w1/w1w1w w rw:e2d2,rb:e3d3 9 16", 7},
		{"w4/b2b1/w4/w3w/ww2w w - 0 13", 7},
		{"b1w1w/2b2/5/2w2/2ww1 w rw:b1c1,rb:b4c4 3 26", 9},
	} {
		e := newEngine(t, 1)
		for depth := 1; depth <= 10; depth++ {
			_, pair := game(t, "alquerque-bell", tt.position)
			r := e.Run(engine.Search{Game: pair, Limits: engine.Limits{Depth: depth}})
			if n, proven := r.Score.Plies(); proven && n < tt.plies {
				t.Errorf("%s at depth %d: a win in %d plies, want %d at least", tt.position, depth, n, tt.plies)
			}
		}
	}
}

// minimax gives the plies to a forced win (positive) or loss (negative) within
// a depth, 0 when there is neither.
func minimax(g movegen.Game, depth, ply int) int {
	if o := g.Outcome(); o.Over() {
		switch o.Winner {
		case movegen.None:
			return 0
		case g.Turn():
			return ply + 1000
		}
		return -ply - 1000
	}
	if depth == 0 {
		return 0
	}
	better := func(a, b int) bool { return rank(a) > rank(b) }
	best := -1 << 30
	for _, m := range g.Moves(nil) {
		g.Make(m)
		s := -minimax(g, depth-1, ply+1)
		g.Unmake()
		if best == -1<<30 || better(s, best) {
			best = s
		}
	}
	if ply == 0 && best != 0 {
		if best > 0 {
			return best - 1000
		}
		return best + 1000
	}
	return best
}

// rank orders results: short wins, long wins, nothing, long losses, short losses.
func rank(s int) int {
	switch {
	case s > 0:
		return 1_000_000 - s
	case s < 0:
		return -1_000_000 - s
	}
	return 0
}

func TestSameNodesEveryRun(t *testing.T) {
	for _, v := range movegen.Variants {
		t.Run(v.Name, func(t *testing.T) {
			var nodes uint64
			var score engine.Score
			var best movegen.Move
			for i := range 2 {
				_, pair := game(t, v.Name, "")
				r := newEngine(t, 2).Run(engine.Search{Game: pair, Limits: engine.Limits{Nodes: 8000}})
				if i > 0 && (r.Nodes != nodes || r.Best != best || r.Score != score) {
					t.Errorf("run %d: %d nodes, score %d; the first had %d and %d", i, r.Nodes, r.Score, nodes, score)
				}
				nodes, score, best = r.Nodes, r.Score, r.Best
			}
		})
	}
}

// TestNodeLimit: a search of N nodes makes N moves.
func TestNodeLimit(t *testing.T) {
	for _, v := range movegen.Variants {
		_, pair := game(t, v.Name, "")
		const limit = 5000
		r := newEngine(t, 1).Run(engine.Search{Game: pair, Limits: engine.Limits{Nodes: limit}})
		_, proven := r.Score.Plies()
		if r.Nodes > limit || r.Nodes < limit && !proven && len(r.PV) < engine.MaxPly-1 && r.Depth < engine.MaxPly-1 {
			t.Errorf("%s: %d nodes, want %d", v.Name, r.Nodes, limit)
		}
	}
}

// TestSearchAllocatesNothing compares a search with one of twice as many nodes:
// what begins and ends a search may allocate, a node may not.
func TestSearchAllocatesNothing(t *testing.T) {
	for _, v := range movegen.Variants {
		t.Run(v.Name, func(t *testing.T) {
			_, pair := game(t, v.Name, "")
			e := newEngine(t, 1)
			run := func(nodes uint64) float64 {
				return testing.AllocsPerRun(1, func() {
					e.Clear()
					e.Run(engine.Search{Game: pair, Limits: engine.Limits{Nodes: nodes, Depth: 8}})
				})
			}
			run(20_000) // grows the buffers
			few, many := run(5_000), run(20_000)
			if more := many - few; more > 30 { // the reports of deeper iterations
				t.Errorf("15,000 nodes more allocate %.0f times more (%.0f, %.0f)", more, few, many)
			}
		})
	}
}

func TestStopsInTime(t *testing.T) {
	const allowed, budget, tries = 5 * time.Millisecond, 20 * time.Millisecond, 25
	for _, v := range movegen.Variants {
		t.Run(v.Name, func(t *testing.T) {
			_, pair := game(t, v.Name, "")
			e := newEngine(t, 1)
			best := make(chan engine.Result, 1)
			atStop, atDeadline := time.Hour, time.Hour
			for range tries { // the machine may be busy: the best of a few counts
				e.Start(engine.Search{Game: pair, Limits: engine.Limits{Infinite: true}, OnBest: func(r engine.Result) { best <- r }})
				time.Sleep(budget)
				begin := time.Now()
				e.Stop()
				<-best
				atStop = min(atStop, time.Since(begin))

				begin = time.Now()
				e.Run(engine.Search{Game: pair, Limits: engine.Limits{MoveTime: budget, HasMoveTime: true}})
				atDeadline = min(atDeadline, time.Since(begin)-budget)
				if atStop < allowed && atDeadline < allowed {
					return
				}
			}
			t.Errorf("ended %v after Stop and %v after the deadline, want less than %v", atStop, atDeadline, allowed)
		})
	}
}

// TestInfiniteWaits: an infinite search that has nothing left to find still
// answers only after Stop.
func TestInfiniteWaits(t *testing.T) {
	_, pair := game(t, "alquerque", "5/5/2b2/2w2/5 w - 0 1")
	e := newEngine(t, 1)
	best := make(chan engine.Result, 1)
	e.Start(engine.Search{Game: pair, Limits: engine.Limits{Infinite: true, Depth: 3}, OnBest: func(r engine.Result) { best <- r }})
	select {
	case <-best:
		t.Fatal("answered before Stop")
	case <-time.After(50 * time.Millisecond):
	}
	e.Stop()
	select {
	case <-best:
	case <-time.After(time.Second):
		t.Fatal("no answer after Stop")
	}
}

func TestFinishedGameHasNoMove(t *testing.T) {
	_, pair := game(t, "alquerque", "5/5/5/2w2/5 b - 0 1")
	if r := newEngine(t, 1).Run(engine.Search{Game: pair}); r.Found {
		t.Errorf("found %v, want no move", r.Best)
	}
}

func TestSearchMoves(t *testing.T) {
	g, pair := game(t, "fanorona", "")
	for _, m := range g.Moves(nil) {
		r := newEngine(t, 1).Run(engine.Search{Game: pair, Limits: engine.Limits{Depth: 3, SearchMoves: []movegen.Move{m}}})
		if r.Best != m {
			t.Errorf("searched %s, got %s", g.Text(m), g.Text(r.Best))
		}
	}
}

// TestClock: the time planned never exceeds what the clock has, and a clock at
// zero moves at once.
func TestClock(t *testing.T) {
	for _, c := range []engine.Clock{
		{Left: 0}, {Left: -time.Second}, {Left: 10 * time.Millisecond}, {Left: 100 * time.Millisecond, MovesToGo: 1},
		{Left: 50 * time.Millisecond, Increment: time.Hour}, {Left: 60 * time.Millisecond, MovesToGo: 1000},
	} {
		_, pair := game(t, "alquerque", "")
		e := newEngine(t, 1)
		spent, most := time.Hour, max(c.Left, 0)+10*time.Millisecond
		for range 5 { // the machine may be busy: the best of a few counts
			begin := time.Now()
			if r := e.Run(engine.Search{Game: pair, Limits: engine.Limits{Clock: &c}}); !r.Found {
				t.Fatalf("%+v: no move", c)
			}
			spent = min(spent, time.Since(begin))
		}
		if spent > most {
			t.Errorf("%+v: took %v, want at most %v", c, spent, most)
		}
	}
}
