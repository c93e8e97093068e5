package bench

import (
	"cmp"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

var update = flag.Bool("update", false, "play games anew and write positions.tsv")

// The variants of the benchmark, with the depth in plies to which each is
// searched: chosen so that each takes some two million nodes.
var variants = []struct {
	name  string
	depth int
}{
	{"alquerque", 11},
	{"alquerque-bell", 10},
	{"alquerque-pritchard", 10},
	{"alquerque-modern", 11},
	{"quirkat", 9},
	{"fanorona", 9},
	{"fanorona-dimy", 15},
	{"fanorona-telo", 20},
	{"fanorona-vela", 9},
	{"fanorona-7x5", 11},
	{"fanorona-9x7", 7},
	{"al-manqala", 12},
}

// perVariant is the number of positions of each variant.
const perVariant = 8

const header = `variant	depth	position
# Positions of self-play, from the opening to the ending; see positions_test.go.
`

// rewrite plays games for all variants and writes positions.tsv.
func rewrite(t *testing.T) {
	var text strings.Builder
	text.WriteString(header)
	for _, v := range variants {
		for i := range perVariant {
			fmt.Fprintf(&text, "%s\t%d\t%s\n", v.name, v.depth, position(t, v.name, i))
		}
	}
	if err := os.WriteFile("positions.tsv", []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// position plays a game and gives the position from its part i of perVariant,
// or the nearest one with a choice of moves.
func position(t *testing.T, variant string, i int) string {
	for seed := uint64(i); ; seed += perVariant {
		texts := play(t, variant, rand.New(rand.NewPCG(seed, uint64(len(variant)))))
		if len(texts) < perVariant && seed < 50*perVariant {
			continue // too short to have parts
		}
		return texts[len(texts)*(2*i+1)/(2*perVariant)]
	}
}

// play gives the positions of a game that have a choice of moves. Its first
// turns and every fourth one are random, the others searched.
func play(t *testing.T, variant string, random *rand.Rand) (texts []string) {
	v, err := movegen.FindVariant(variant)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(1)
	if err != nil {
		t.Fatal(err)
	}
	g := games.New(v)
	weights := eval.Default(v)
	for ply := 0; !g.Outcome().Over(); ply++ {
		moves := g.Moves(nil)
		if len(moves) > 1 {
			texts = append(texts, g.String())
		}
		if ply < 3 || random.IntN(4) == 0 {
			g.Make(moves[random.IntN(len(moves))])
			continue
		}
		c := g.Clone()
		found := e.Run(engine.Search{
			Game:   engine.Game{Position: c, Evaluator: eval.New(c, weights)},
			Limits: engine.Limits{Nodes: 300},
		})
		g.Make(found.Best)
	}
	return texts
}

// TestPositions reads every row as the benchmark does: the position is legal,
// in canonical form, not finished, and has more than one move.
func TestPositions(t *testing.T) {
	if *update {
		rewrite(t)
		return // the next build embeds the new rows
	}
	positions, err := Positions()
	if err != nil {
		t.Fatal(err)
	}
	count, seen := map[string]int{}, map[Position]bool{}
	for _, p := range positions {
		count[p.Variant]++
		if seen[p] {
			t.Errorf("%s: %q stands there twice", p.Variant, p.Text)
		}
		seen[p] = true
		g, err := p.Game()
		if err != nil {
			t.Errorf("%s: %v", p.Variant, err)
			continue
		}
		if g.String() != p.Text {
			t.Errorf("%s: %q reads as %q", p.Variant, p.Text, g)
		}
		if o := g.Outcome(); o.Over() {
			t.Errorf("%s: %q is over: %v", p.Variant, p.Text, o.Reason)
		}
		if n := len(g.Moves(nil)); n < 2 {
			t.Errorf("%s: %q has %d moves, want a choice", p.Variant, p.Text, n)
		}
	}
	for _, v := range variants {
		if count[v.name] < perVariant {
			t.Errorf("%s: %d positions, want %d", v.name, count[v.name], perVariant)
		}
	}
	if !slices.IsSortedFunc(positions, func(a, b Position) int { return cmp.Compare(order(a), order(b)) }) {
		t.Error("the rows are not in the order of the table of variants")
	}
}

// order is the place of a position's variant in the table above.
func order(p Position) int {
	for i, v := range variants {
		if v.name == p.Variant {
			return i
		}
	}
	return len(variants)
}
