package bench

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

var (
	without    = flag.String("without", "", "play the engine against itself without these techniques, such as futility,late-move-pruning or all, or without the patterns of its evaluation: patterns")
	beside     = flag.String("beside", "", "techniques that neither side uses")
	pairs      = flag.Int("pairs", 500, "openings of each variant in such a match, two games each")
	perMove    = flag.Uint64("nodes", 2000, "nodes a move in such a match")
	ofVariants = flag.String("variants", "alquerque,alquerque-bell,alquerque-pritchard,alquerque-modern,quirkat,quirkat Huffing=off,fanorona,fanorona-dimy,fanorona-vela,al-manqala", "variants of such a match, with switches")
)

// TestGain measures what techniques of the search gain: without them the engine
// plays against itself with them. It prints a line a variant.
func TestGain(t *testing.T) {
	if *without == "" {
		t.Skip("no -without")
	}
	off, never := engine.Technique(0), techniques(t, *beside)
	noPatterns := *without == "patterns"
	if !noPatterns {
		off = techniques(t, *without)
	}
	for name := range strings.SplitSeq(*ofVariants, ",") {
		words := strings.Fields(name)
		v := variantOf(t, words)
		var with, plain *engine.Engine
		for _, e := range []**engine.Engine{&with, &plain} {
			var err error
			if *e, err = engine.New(4); err != nil {
				t.Fatal(err)
			}
		}
		var score tally
		for n := range *pairs {
			opening := balancedOpening(v, plain, rand.New(rand.NewPCG(uint64(n), 5)))
			for _, side := range []movegen.Side{movegen.White, movegen.Black} {
				with.Clear()
				plain.Clear()
				g := opening.Clone()
				for !g.Outcome().Over() {
					s := searchOf(g, engine.Limits{Nodes: *perMove})
					s.Without = never
					e := with
					if g.Turn() != side {
						s.Without |= off
						e = plain
						if noPatterns {
							s.Evaluator = eval.New(s.Position.(movegen.Game), eval.Default(v).Plain())
						}
					}
					g.Make(e.Run(s).Best)
				}
				score.add(g.Outcome().Winner, side)
			}
		}
		fmt.Printf("%-24s %s\n", name, &score)
	}
}

// tally counts games, and pairs of games by their points.
type tally struct {
	games [3]int // lost, drawn, won
	pairs [5]int // by half points of a pair
	last  int
}

func (s *tally) add(winner, side movegen.Side) {
	result := 1
	switch winner {
	case side:
		result = 2
	case side.Other():
		result = 0
	}
	s.games[result]++
	if n := s.games[0] + s.games[1] + s.games[2]; n%2 == 0 {
		s.pairs[s.last+result]++
	}
	s.last = result
}

// String gives the points with the 95 % interval of the pairs.
func (s *tally) String() string {
	n, sum, squares := 0.0, 0.0, 0.0
	for half, count := range s.pairs {
		x, c := float64(half)/4, float64(count)
		n, sum, squares = n+c, sum+c*x, squares+c*x*x
	}
	mean := sum / n
	margin := 1.96 * math.Sqrt(max(0, squares/n-mean*mean)/n)
	return fmt.Sprintf("+%d =%d -%d  %.1f ± %.1f %%  %+.0f Elo", s.games[2], s.games[1], s.games[0], 100*mean, 100*margin, elo(mean))
}

// elo is the difference in Elo that a share of the points stands for.
func elo(share float64) float64 { return -400 * math.Log10(1/share-1) }

// balancedOpening is a position after 4 to 9 random plies in which a short
// search sees no side ahead by much.
func balancedOpening(v *movegen.Variant, e *engine.Engine, random *rand.Rand) movegen.Game {
	for {
		if g, ok := evenAfter(v, 4+random.IntN(6), 2000, 50, e, random); ok {
			return g
		}
	}
}

// evenAfter plays random plies from the start, and reports whether a search of
// so many nodes sees no side ahead by more than the window, in centipieces.
func evenAfter(v *movegen.Variant, plies int, nodes uint64, window engine.Score, e *engine.Engine, random *rand.Rand) (g movegen.Game, ok bool) {
	g = games.New(v)
	for range plies {
		if !g.Outcome().Over() {
			g.Make(randomMove(g, random))
		}
	}
	if g.Outcome().Over() {
		return g, false
	}
	e.Clear()
	s := e.Run(searchOf(g, engine.Limits{Nodes: nodes})).Score
	return g, -window <= s && s <= window
}

// variantOf is a variant by its name and switches.
func variantOf(t *testing.T, words []string) *movegen.Variant {
	t.Helper()
	v, err := movegen.FindVariant(words[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range words[1:] {
		name, value, _ := strings.Cut(w, "=")
		s, ok := movegen.FindSwitch(name)
		if !ok {
			t.Fatalf("no switch %q", name)
		}
		v = v.With(s, value)
	}
	return v
}

// techniques reads names joined by commas.
func techniques(t *testing.T, text string) (set engine.Technique) {
	t.Helper()
	for name := range strings.SplitSeq(text, ",") {
		found := name == ""
		for _, k := range engine.Techniques {
			if name == k.Name || name == "all" {
				set |= k.Technique
				found = true
			}
		}
		if !found {
			t.Fatalf("no technique %q", name)
		}
	}
	return set
}
