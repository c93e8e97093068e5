package engine

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
	"qirkat/tt"
)

// results and distances are what a folder of tables may have.
const (
	results   = "*.wdl"
	distances = "*.distance"
)

// tables builds the tables of a variant and keeps one kind.
func tables(t *testing.T, v *movegen.Variant, count int, kind string) *tablebase.Tables {
	t.Helper()
	dir := t.TempDir()
	if err := tablebase.Build(t.Context(), tablebase.Config{Variant: v, Count: count, Dir: dir, Threads: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{results, distances} {
		files, err := filepath.Glob(filepath.Join(dir, "*", other))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", other, len(files), err)
		}
		for _, name := range files {
			if other != kind {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	open, refused, err := tablebase.Open(dir, v)
	if err != nil || refused != nil {
		t.Fatal(err, refused)
	}
	t.Cleanup(func() { _ = open.Close() })
	return open
}

// variantOf is a variant without huffing and no return; quiet plies end its games,
// 0: as many as the rules say.
func variantOf(t *testing.T, name string, quiet int) *movegen.Variant {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Huffing", "NoReturn"} {
		if s, ok := movegen.FindSwitch(name); ok && s.Family == v.Family {
			v = v.With(s, "off")
		}
	}
	if quiet > 0 {
		short := *v
		short.Quiet = quiet
		v = &short
	}
	return v
}

// randomGame is a game on 5×5 points that goes on, with so many pieces of both
// sides and so many quiet plies.
func randomGame(t *testing.T, v *movegen.Variant, pieces, quiet int, random *rand.Rand) movegen.Game {
	t.Helper()
	g := games.New(v)
	for {
		points := []byte(strings.Repeat("1", 25))
		for i, p := range random.Perm(25)[:pieces] {
			side := i
			if i > 1 {
				side = random.IntN(2)
			}
			points[p] = "wb"[side]
		}
		rows := fmt.Sprintf("%s/%s/%s/%s/%s", points[:5], points[5:10], points[10:15], points[15:20], points[20:])
		text := fmt.Sprintf("%s %c - %d 60", runs.Replace(rows), "wb"[random.IntN(2)], quiet)
		if err := g.Set(text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if !g.Outcome().Over() {
			return g
		}
	}
}

// runs writes empty points of a row as their number.
var runs = strings.NewReplacer("11111", "5", "1111", "4", "111", "3", "11", "2")

// probed is the most pieces of the tables that a search asks.
const probed = 3

// searched is the end of a search that asks tables.
func searched(e *Engine, g movegen.Game, p *tablebase.Prober, depth int) Result {
	return e.Run(Search{
		Game:   Game{Position: g, Evaluator: eval.New(g, eval.Default(g.Variant())), Tables: p.Player(g, probed)},
		Limits: Limits{Depth: depth, ProbeDepth: 1},
	})
}

// TestTablesTell searches positions outside the tables: where the score says
// that the game is won or lost it is, and not later than the score says.
func TestTablesTell(t *testing.T) {
	for _, name := range []string{"alquerque-bell", "fanorona-dimy"} {
		v := variantOf(t, name, 0)
		truth := tables(t, v, probed+2, distances).NewProber()
		for _, kind := range []string{results, distances} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				p := tables(t, v, probed, kind).NewProber()
				random := rand.New(rand.NewPCG(1, 2))
				e, err := New(1)
				if err != nil {
					t.Fatal(err)
				}
				told := map[bool]int{}
				for range 200 {
					g := randomGame(t, v, probed+1+random.IntN(2), 0, random)
					a, err := truth.Probe(g)
					if err != nil {
						t.Fatal(err)
					}
					for depth := 1; depth <= 8; depth++ {
						r := searched(e, g, p, depth)
						plies, over := r.Score.latest()
						if !over {
							continue
						}
						_, proven := r.Score.Plies()
						told[proven]++
						if sign := sign(r.Score); a.Result != tablebase.Result(sign) || plies < a.Plies {
							t.Fatalf("%s depth %d: score %d, the tables know a %s", g, depth, r.Score, a)
						}
					}
				}
				if told[true] == 0 || (told[false] == 0) != (kind == distances) {
					t.Errorf("%d scores of proven ends, and %d of others that are decided", told[true], told[false])
				}
			})
		}
	}
}

func sign(s Score) int {
	switch {
	case s > 0:
		return 1
	case s < 0:
		return -1
	}
	return 0
}

// TestTablesQuiet plays by rules in which few quiet plies end the game, fewer than
// many wins of the tables take: what the score says is won must be won before,
// by a search of all lines.
func TestTablesQuiet(t *testing.T) {
	const quiet = 6
	v := variantOf(t, "alquerque-bell", quiet)
	known := make(map[[2]uint64]int8)
	for _, kind := range []string{results, distances} {
		t.Run(kind, func(t *testing.T) {
			p := tables(t, v, probed, kind).NewProber()
			random := rand.New(rand.NewPCG(3, 4))
			e, err := New(1)
			if err != nil {
				t.Fatal(err)
			}
			told := 0
			for range 100 {
				g := randomGame(t, v, probed+1, random.IntN(quiet-2), random)
				for depth := 1; depth <= 5; depth++ {
					r := searched(e, g, p, depth)
					if _, over := r.Score.latest(); !over {
						continue
					}
					told++
					if want := worth(g, known); int(want) != sign(r.Score) {
						t.Fatalf("%s depth %d: score %d, all lines say %d", g, depth, r.Score, want)
					}
				}
			}
			if told == 0 {
				t.Error("no position was decided")
			}
		})
	}
}

// worth is what the position is worth to the side to move when all lines are
// searched: 1 a win, 0 a draw, −1 a loss. It looks away from repetition, which no
// winner needs.
func worth(g movegen.Game, known map[[2]uint64]int8) int8 {
	moves := g.Moves(nil)
	switch {
	case len(moves) == 0:
		if g.Outcome().Winner == g.Turn() {
			return 1
		}
		return -1
	case g.QuietLeft() <= 0:
		return 0
	}
	key := [2]uint64{g.Key(), uint64(g.QuietLeft())}
	if value, ok := known[key]; ok {
		return value
	}
	best := int8(-1)
	for _, m := range moves {
		g.Make(m)
		best = max(best, -worth(g, known))
		g.Unmake()
		if best > 0 {
			break
		}
	}
	known[key] = best
	return best
}

// TestTablesKept plays positions on that the search finds won, against the
// longest resistance: the game stays won, and with distances it ends in time.
func TestTablesKept(t *testing.T) {
	for _, name := range []string{"alquerque-bell", "fanorona-dimy"} {
		v := variantOf(t, name, 0)
		truth := tables(t, v, probed+1, distances).NewProber()
		for _, kind := range []string{results, distances} {
			t.Run(name+"/"+kind, func(t *testing.T) {
				p := tables(t, v, probed, kind).NewProber()
				random := rand.New(rand.NewPCG(5, 6))
				e, err := New(1)
				if err != nil {
					t.Fatal(err)
				}
				for won := 0; won < 30; {
					g := randomGame(t, v, probed+1, 0, random)
					start := g.String()
					r := searched(e, g, p, 6)
					plies, over := r.Score.latest()
					if !over || r.Score < 0 {
						continue
					}
					won++
					winner := g.Turn()
					for range plies {
						if g.Outcome().Over() {
							break
						}
						if g.Turn() != winner {
							g.Make(stubborn(t, truth, g))
							continue
						}
						g.Make(searched(e, g, p, 6).Best)
						if a, err := truth.Probe(g); err != nil || a.Result != tablebase.Loss {
							t.Fatalf("%s: won at first, at %s a %s, %v", start, g, a, err)
						}
					}
					if o := g.Outcome(); kind == distances && (!o.Over() || o.Winner != winner) {
						t.Fatalf("%s: score %d, at %s after %d plies", start, r.Score, g, plies)
					}
				}
			})
		}
	}
}

// stubborn is a move that puts the loss off for longest.
func stubborn(t *testing.T, p *tablebase.Prober, g movegen.Game) movegen.Move {
	t.Helper()
	list, err := p.Choices(g)
	if err != nil {
		t.Fatal(err)
	}
	best := list[0]
	for _, c := range list[1:] {
		if c.Plies > best.Plies {
			best = c
		}
	}
	return best.Move
}

// TestTableScores takes scores from one ply to another by the transposition table:
// the plies to the end stay, and no evaluation changes.
func TestTableScores(t *testing.T) {
	for _, c := range []struct {
		name  string
		score Score // at ply 9
		least int   // quiet plies that must be left; -1: none
		later Score // at ply 4
	}{
		{"an evaluation", 250, -1, 250},
		{"a win", tableScore(1, 31, 9, true), 40, tableScore(1, 31, 4, true)},
		{"a loss", tableScore(-1, 30, 9, true), 39, tableScore(-1, 30, 4, true)},
		{"a win, in no more than", tableScore(1, 31, 9, false), 40, tableScore(1, 31, 4, false)},
		{"a loss, in no more than", tableScore(-1, 30, 9, false), 39, tableScore(-1, 30, 4, false)},
		{"the latest", tableScore(1, 255, MaxPly, false) - 9 + MaxPly, 264, tableScore(1, 255, 4, false)},
	} {
		if got := fromTable(int(toTable(c.score, 9)), 4); got != c.later {
			t.Errorf("%s: %d at ply 9 is %d at ply 4, want %d", c.name, c.score, got, c.later)
		}
		if c.least >= 0 && (!sure(c.score, c.least) || sure(c.score, c.least-1)) || c.least < 0 && !sure(c.score, 0) {
			t.Errorf("%s: sure with %d quiet plies left %t, with %d %t", c.name, c.least, sure(c.score, c.least), c.least-1, sure(c.score, c.least-1))
		}
	}
}

// oracle says that the side to move has won where a game is, except in one position.
type oracle struct {
	movegen.Game
	start, except uint64
}

func (o *oracle) Probe() (result, plies int, exact, ok bool) {
	if k := o.Key(); k == o.start || k == o.except {
		return 0, 0, false, false
	}
	return 1, 20, false, true
}
func (*oracle) Root(moves []movegen.Move) []movegen.Move { return moves }
func (*oracle) Line(int) []movegen.Move                  { return nil }

// TestTablesOneWayOut searches a position in which tables know all moves but one
// to lose: it is not lost, whichever it is, and is not worth an extension.
func TestTablesOneWayOut(t *testing.T) {
	v := variantOf(t, "fanorona", 0)
	g := games.New(v)
	if err := g.Set("b1b1b1b1b/9/9/9/w1w1w1w1w w - 0 20"); err != nil {
		t.Fatal(err)
	}
	o := &oracle{Game: g, start: g.Key()}
	table, err := tt.New(1)
	if err != nil {
		t.Fatal(err)
	}
	w := newWorker()
	w.begin(Search{Game: Game{Position: g, Evaluator: eval.New(g, eval.Default(v)), Tables: o}, Limits: Limits{ProbeDepth: 1}}, table, newStop())
	w.iteration = 10
	moves := g.Moves(nil)
	for _, m := range moves {
		g.Make(m)
		o.except = g.Key()
		g.Unmake()
		table.NextAge()
		table.Clear()
		alpha := Score(w.Eval())
		if s := w.search(alpha, alpha+1, 2, 1, g.Turn()); s <= -decided {
			t.Errorf("only %s does not lose: score %d", g.Text(m), s)
		}
	}

	w.moves = append(w.moves[:0], moves...)
	w.grow()
	n := &node{known: tt.Entry{Score: int(tableWin) - 30, Depth: singularDepth, Bound: tt.Lower}, hit: true, beta: tableWin - 40, depth: singularDepth, ply: 1, turn: g.Turn(), pv: true}
	if extra, _, _ := w.foresee(n); extra != 0 {
		t.Errorf("a move that is known to win is searched %d deeper", extra)
	}
}
