package engine_test

import (
	"slices"
	"testing"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/tt"
)

// graph is a game drawn by hand: places with ways between them. It shows what
// the search makes of cycles, and of sides that do not alternate.
type graph struct {
	places map[string]place
	cycle  movegen.Outcome
	eval   int // of every place, for the side to move
	path   []string
}

// place says who is to move there, where to, and how the game ended if it did.
type place struct {
	turn    movegen.Side
	to      []string
	outcome movegen.Outcome
}

func (g *graph) now() string { return g.path[len(g.path)-1] }
func (g *graph) here() place { return g.places[g.now()] }
func (g *graph) Unmake()     { g.path = g.path[:len(g.path)-1] }
func (g *graph) Eval() int   { return g.eval }
func (g *graph) Key() (k uint64) {
	for _, b := range []byte(g.now()) {
		k = (k + uint64(b)) * 0x9e3779b97f4a7c15
	}
	return k
}
func (g *graph) Turn() movegen.Side                              { return g.here().turn }
func (g *graph) Outcome() movegen.Outcome                        { return g.here().outcome }
func (g *graph) Cycle() movegen.Outcome                          { return g.cycle }
func (g *graph) Make(m movegen.Move)                             { g.path = append(g.path, g.here().to[m.To.First()]) }
func (g *graph) Noisy(dst []movegen.Move) ([]movegen.Move, bool) { return dst, false }
func (g *graph) QuietLeft() int                                  { return 1000 }
func (g *graph) NeverForced() bool                               { return false }
func (g *graph) MayRefuse() bool                                 { return false }
func (g *graph) Moves(dst []movegen.Move) []movegen.Move {
	for i := range g.here().to {
		dst = append(dst, movegen.Move{To: movegen.Bit(movegen.Point(i))})
	}
	return dst
}

// CanRepeat overlooks nothing.
func (g *graph) CanRepeat(n int) bool {
	last := len(g.path) - 1
	for i := last - 1; i >= max(0, last-n); i-- {
		if slices.Contains(g.here().to, g.path[i]) {
			return true
		}
	}
	return false
}

func (g *graph) Stalled(n int) bool {
	last := len(g.path) - 1
	for i := last - 1; i >= max(0, last-n); i-- {
		if g.path[i] == g.path[last] {
			return true
		}
	}
	return false
}

func searchGraph(t *testing.T, g *graph, l engine.Limits) engine.Result {
	t.Helper()
	g.path = []string{"start"}
	return newEngine(t, 1).Run(engine.Search{Game: engine.Game{Position: g, Evaluator: g}, Limits: l})
}

// circle is a graph in which White can lose at once or walk round for ever.
var circle = map[string]place{
	"start": {turn: movegen.White, to: []string{"lost", "a"}},
	"a":     {turn: movegen.Black, to: []string{"b"}},
	"b":     {turn: movegen.White, to: []string{"c"}},
	"c":     {turn: movegen.Black, to: []string{"start"}},
	"lost":  {turn: movegen.Black, outcome: movegen.Win(movegen.Black, movegen.Captured)},
}

// TestCycle: White can lose at once or walk in a circle for ever, so the score
// is what a cycle gives: a draw, or the game to whom the rules give it.
func TestCycle(t *testing.T) {
	for _, tt := range []struct {
		name  string
		cycle movegen.Outcome
		wins  bool
	}{
		{"draw", movegen.Draw(movegen.Repetition), false},
		{"shared seeds, White ahead", movegen.Win(movegen.White, movegen.Cycle), true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := searchGraph(t, &graph{places: circle, cycle: tt.cycle}, engine.Limits{Depth: 6})
			plies, proven := r.Score.Plies()
			if proven != tt.wins || tt.wins && plies != 4 || !tt.wins && r.Score != 0 {
				t.Errorf("score %d (a win in %d, proven %t), want proven %t", r.Score, plies, proven, tt.wins)
			}
		})
	}
}

// TestUpcomingRepetition: a ply before a position comes again the search knows
// that it can, and that who stands worse need not fear.
func TestUpcomingRepetition(t *testing.T) {
	g := &graph{places: circle, cycle: movegen.Draw(movegen.Repetition), eval: 300}
	if r := searchGraph(t, g, engine.Limits{Depth: 4}); r.Score != 0 {
		t.Errorf("score %d, want 0", r.Score)
	}
}

// TestContempt: a draw is worth so much less to the side to move at the root.
func TestContempt(t *testing.T) {
	for _, contempt := range []int{-30, 0, 50} {
		g := &graph{places: circle, cycle: movegen.Draw(movegen.Repetition)}
		if r := searchGraph(t, g, engine.Limits{Depth: 6, Contempt: contempt}); r.Score != engine.Score(-contempt) {
			t.Errorf("contempt %d: score %d, want %d", contempt, r.Score, -contempt)
		}
	}
}

// TestProven: a proven move is answered without a search, with a bound.
func TestProven(t *testing.T) {
	g := &graph{places: circle, path: []string{"start"}}
	walk := g.Moves(nil)[1]
	r := newEngine(t, 1).Run(engine.Search{
		Game:   engine.Game{Position: g, Evaluator: g},
		Limits: engine.Limits{Depth: 4},
		Proven: &engine.Proven{Move: walk, Plies: 131},
	})
	if n, proven := r.Score.Plies(); r.Best != walk || !proven || n != 131 || r.Bound != tt.Lower || r.Nodes != 0 {
		t.Errorf("%+v, want the proven move, a win in 131 plies at most, and no nodes", r)
	}
}

// TestSidesNeedNotAlternate: White moves twice and wins; a search that changed
// the sign at every ply would take it for a loss.
func TestSidesNeedNotAlternate(t *testing.T) {
	r := searchGraph(t, &graph{places: map[string]place{
		"start": {turn: movegen.White, to: []string{"dull", "again"}},
		"dull":  {turn: movegen.Black, outcome: movegen.Draw(movegen.Quiet)},
		"again": {turn: movegen.White, to: []string{"won"}},
		"won":   {turn: movegen.Black, outcome: movegen.Win(movegen.White, movegen.Captured)},
	}}, engine.Limits{Depth: 4})
	if plies, proven := r.Score.Plies(); !proven || plies != 2 {
		t.Errorf("score %d, want a win in 2", r.Score)
	}
}
