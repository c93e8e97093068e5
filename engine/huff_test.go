package engine_test

import (
	"math/rand/v2"
	"testing"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// TestHuffIsAChoice: where a piece may be huffed the engine decides by the
// search whether to, like about any move: its score is that of the better of
// both, and over many positions it does both.
func TestHuffIsAChoice(t *testing.T) {
	const depth = 4
	e := newEngine(t, 1)
	for _, name := range []string{"quirkat", "alquerque-bell", "alquerque-pritchard"} {
		t.Run(name, func(t *testing.T) {
			v, err := movegen.FindVariant(name)
			if err != nil {
				t.Fatal(err)
			}
			search := func(g movegen.Game, moves []movegen.Move) engine.Result {
				e.Clear()
				root := g.Clone()
				s := engine.Search{Game: engine.Game{Position: root, Evaluator: eval.New(root, eval.Default(v))}}
				s.Depth, s.SearchMoves = depth, moves
				for _, k := range engine.Techniques {
					s.Without |= k.Technique
				}
				return e.Run(s)
			}
			var huffed, declined int
			random := rand.New(rand.NewPCG(3, 4))
			for huffed+declined < 100 {
				for g := games.New(v); !g.Outcome().Over(); {
					var huffs, others []movegen.Move
					for _, m := range g.Moves(nil) {
						if m.Huff.Huffed() != 0 {
							huffs = append(huffs, m)
						} else {
							others = append(others, m)
						}
					}
					if len(huffs) > 0 && len(others) > 0 {
						r, huff, other := search(g, nil), search(g, huffs), search(g, others)
						if r.Score != max(huff.Score, other.Score) {
							t.Errorf("score %d, want the better of %d with a huff and %d without\n%s", r.Score, huff.Score, other.Score, g.Draw())
						}
						switch {
						case huff.Score == other.Score:
						case (r.Best.Huff.Huffed() != 0) != (huff.Score > other.Score):
							t.Errorf("plays %s, a huff scores %d and the others %d\n%s", g.Text(r.Best), huff.Score, other.Score, g.Draw())
						case r.Best.Huff.Huffed() != 0:
							huffed++
						default:
							declined++
						}
					}
					list := g.Moves(nil)
					g.Make(list[random.IntN(len(list))])
				}
			}
			if huffed == 0 || declined == 0 {
				t.Errorf("huffed in %d positions and did not in %d, want both", huffed, declined)
			}
			t.Logf("huffed in %d positions and did not in %d", huffed, declined)
		})
	}
}
