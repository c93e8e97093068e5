package bench

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
)

var withTables = flag.Bool("tables", false, "let the searches of a fit or of a match ask the endgame tables of the program")

var long = flag.Bool("long", false, "run what takes minutes: 100 games of every variant at 10 ms a move against each opponent, the suites at their time, and all their proofs")

// TestStrength plays the engine against a mover that plays at random and one
// that looks one ply ahead at what it takes. Games begin with two random plies,
// each opening is played with both colours; a vela is counted for each side
// apart. On 3×3 boards too much hangs on the opening.
func TestStrength(t *testing.T) {
	count, limits := 4, engine.Limits{Nodes: 2000}
	if *long {
		count, limits = 100, engine.Limits{MoveTime: 10 * time.Millisecond, HasMoveTime: true}
	}
	opponents := []struct {
		name  string
		pick  func(movegen.Game, *rand.Rand) movegen.Move
		least float64 // share of the points that the engine must score
	}{
		{"random", randomMove, 0.98},
		{"greedy", greedyMove, 0.90},
	}
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		if v.Size == (movegen.Size{W: 3, H: 3}) {
			continue
		}
		sides := [][2]movegen.Side{{movegen.White, movegen.Black}}
		if v.Vela {
			sides = [][2]movegen.Side{{movegen.White, movegen.White}, {movegen.Black, movegen.Black}}
		}
		for _, opponent := range opponents {
			for _, side := range sides {
				name := fmt.Sprintf("%s against %s", v.Name, opponent.name)
				if v.Vela {
					name += " as " + side[0].String()
				}
				t.Run(name, func(t *testing.T) {
					e, err := engine.New(8)
					if err != nil {
						t.Fatal(err)
					}
					var wins, draws, hopeless int
					for n := range count {
						random := rand.New(rand.NewPCG(uint64(n/2), 11))
						opening := randomOpening(v, random)
						switch o := playAgainst(opening.Clone(), e, limits, side[n%2], opponent.pick, random); {
						case o.Winner == side[n%2]:
							wins++
						case o.Winner == movegen.None:
							draws++
						case isLost(opening, e, side[n%2]):
							hopeless++
						}
					}
					points := float64(wins) + float64(draws)/2
					t.Logf("+%d =%d -%d, of the losses %d from openings that are lost by force", wins, draws, count-wins-draws, hopeless)
					if fair := float64(count - hopeless); *long && points < opponent.least*fair || points < fair/2 {
						t.Errorf("%.1f points of %.0f, want at least %.0f", points, fair, opponent.least*fair)
					}
				})
			}
		}
	}
}

// randomOpening is the position after two random plies.
func randomOpening(v *movegen.Variant, random *rand.Rand) movegen.Game {
	g := games.New(v)
	for range 2 {
		if !g.Outcome().Over() {
			g.Make(randomMove(g, random))
		}
	}
	return g
}

// isLost reports whether a deep search proves that a side cannot save a
// position. The smallest boards are decided by their openings.
func isLost(g movegen.Game, e *engine.Engine, side movegen.Side) bool {
	r := e.Run(searchOf(g, engine.Limits{Depth: 60, Nodes: 3_000_000}))
	plies, proven := r.Score.Plies()
	return proven && (plies < 0) == (g.Turn() == side)
}

// searchOf is a search of a position, which stays as it is.
func searchOf(g movegen.Game, limits engine.Limits) engine.Search {
	root := g.Clone()
	s := engine.Search{
		Game:   engine.Game{Position: root, Evaluator: eval.New(root, eval.Default(g.Variant()))},
		Limits: limits,
	}
	if p := proberOf(g.Variant()); p != nil {
		s.Tables = p.Player(root, tablebase.MaxSeeds)
	}
	return s
}

// proberOf looks into the tables that the program has of a variant; nil without
// -tables, and where there are none.
func proberOf(v *movegen.Variant) *tablebase.Prober {
	if !*withTables {
		return nil
	}
	p, ok := probers[v]
	if !ok {
		if t, _, err := tablebase.Open("", v); err == nil && !t.Empty() {
			p = t.NewProber()
		}
		probers[v] = p
	}
	return p
}

var probers = map[*movegen.Variant]*tablebase.Prober{}

// playAgainst plays one game to its end with the engine on one side.
func playAgainst(g movegen.Game, e *engine.Engine, limits engine.Limits, side movegen.Side, pick func(movegen.Game, *rand.Rand) movegen.Move, random *rand.Rand) movegen.Outcome {
	e.Clear()
	for !g.Outcome().Over() {
		if g.Turn() != side {
			g.Make(pick(g, random))
			continue
		}
		g.Make(e.Run(searchOf(g, limits)).Best)
	}
	return g.Outcome()
}

func randomMove(g movegen.Game, random *rand.Rand) movegen.Move {
	list := g.Moves(nil)
	return list[random.IntN(len(list))]
}

// greedyMove takes the most, ties at random; in Al-manqala the most seeds.
func greedyMove(g movegen.Game, random *rand.Rand) movegen.Move {
	var best []movegen.Move
	most := -1
	for _, m := range g.Moves(nil) {
		n := m.Gain()
		if stores, ok := g.(interface{ Store(movegen.Side) int }); ok {
			us := g.Turn()
			before := stores.Store(us)
			g.Make(m)
			n = stores.Store(us) - before
			g.Unmake()
		}
		switch {
		case n > most:
			best, most = append(best[:0], m), n
		case n == most:
			best = append(best, m)
		}
	}
	return best[random.IntN(len(best))]
}
