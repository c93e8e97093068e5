package eval

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

// variant gives a row of the table, with a switch set as in "Huffing=on".
func variant(t testing.TB, name, option string) *movegen.Variant {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	if name, value, ok := strings.Cut(option, "="); ok {
		s, ok := movegen.FindSwitch(name)
		if !ok {
			t.Fatalf("unknown switch %q", name)
		}
		v = v.With(s, value)
	}
	return v
}

func position(t testing.TB, v *movegen.Variant, text string) movegen.Game {
	t.Helper()
	g := games.New(v)
	if err := g.Set(text); err != nil {
		t.Fatal(err)
	}
	return g
}

// walk visits the positions of random games of a variant.
func walk(t *testing.T, v *movegen.Variant, plies int, visit func(g movegen.Game)) {
	seed := rand.Uint64()
	t.Logf("%s: seed %d", v.Name, seed)
	r := rand.New(rand.NewPCG(seed, 0))
	g := games.New(v)
	for range plies {
		visit(g)
		moves := g.Moves(nil)
		if len(moves) == 0 || g.Outcome().Over() {
			g = games.New(v)
			continue
		}
		g.Make(moves[r.IntN(len(moves))])
	}
}

// counted are the features that are not 0, by name.
type counted map[string]int

// TestCounts has each feature counted by hand, on the board drawn in mind.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		name, variant, position string
		want                    counted
	}{
		{
			// White c3 e1, Black d3 a5: c3 and d3 can jump each other.
			"alquerque, jumps both ways", "alquerque", "b4/5/2wb1/5/4w w - 0 1",
			counted{"mobility": 7 + 3 - 3 - 3, "capturable": 1, "targets": 1, "strong": 2 - 1, "centre": 1, "tempo": 1},
		}, {
			// White b3 c3 b2 c2 against a5. b3 and c2 are covered on both of
			// their lines, b2 and c3 are open along one diagonal.
			"alquerque, safe pieces", "alquerque", "b4/5/1ww2/1ww2/5 w - 0 1",
			counted{"material": 3, "mobility": 2 + 5 + 5 + 2 - 3, "safe": 2 - 1, "strong": 2 - 1, "edge": -1, "centre": 1, "tempo": 1},
		}, {
			// Black a3 c1, the latter on its far row, against e4 a2, nothing
			// backward. a3 and a2 can jump each other.
			"bell, closed directions", "alquerque-bell", "5/4w/b4/w4/2b2 b - 0 1",
			counted{
				"mobility": 2 + 0 - 2 - 1, "capturable": 1, "targets": 1, "strong": 2, "tempo": 1,
				"advancement": 2 + 4 - 3 - 1, "far-row": 1,
			},
		}, {
			"bell, a right to huff", "alquerque-bell", "5/4w/b4/w4/2b2 b h:a2 0 1",
			counted{
				"mobility": -1, "capturable": 1, "targets": 1, "strong": 2, "tempo": 1, "advancement": 2, "far-row": 1, "huff": 1,
			},
		}, {
			// As above, but Pritchard's jumps may go backward: e4 and a2 are
			// no safer by it, c1 neither.
			"pritchard", "alquerque-pritchard", "5/4w/b4/w4/2b2 b - 0 1",
			counted{"mobility": -1, "capturable": 1, "targets": 1, "strong": 2, "tempo": 1, "advancement": 2, "far-row": 1},
		}, {
			// White c3 against d3 e1: c3 withdraws from d3 to b3, approaches e1
			// by d2; d3 withdraws from c3 to e3, e1 approaches it by d2.
			"fanorona 5×5", "fanorona-dimy", "5/5/2wb1/5/4b w - 0 1",
			counted{
				"material": -1, "mobility": 7 - 3 - 3, "capturable": 1, "targets": 2, "edge": -1, "centre": 1, "tempo": 1,
				"lines": 2, "enemy-lines": 2,
			},
		}, {
			// The five captures of the first move, and Black's five.
			"fanorona start", "fanorona", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1",
			counted{"capturable": 5, "targets": 5, "tempo": 1, "lines": 5, "enemy-lines": 5},
		}, {
			// White a3 approaches a line of three, which is one line with one
			// first piece, and c3 approaches a3.
			"fanorona line", "fanorona", "9/9/w1bbb4/9/9 w - 0 1",
			counted{
				"material": -2, "mobility": 5 - 7 - 2 - 7, "capturable": 1, "targets": 1, "strong": 1 - 2, "edge": 1, "centre": -1, "tempo": 1,
				"lines": 1, "enemy-lines": 1,
			},
		}, {
			// 17 pieces to give, the lines of the start; of White's 22 pieces d2
			// d3 e2 f2 stand beside the one empty point.
			"vela start", "fanorona-vela", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1",
			counted{
				"material": 22 - 5, "tempo": 1, "vela-left": 17, "vela-white-mobility": 4, "vela-black-mobility": -4,
				"vela-white-strong": 11, "vela-black-strong": -11, "vela-white-safe": 22 - 4,
				"vela-white-lines": 5, "vela-black-lines": -5, "vela-black-targets": -5,
			},
		}, {
			"vela, Black to move", "fanorona-vela", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww b - 0 1",
			counted{
				"material": 5 - 22, "tempo": 1, "vela-left": -17, "vela-white-mobility": -4, "vela-black-mobility": 4,
				"vela-white-strong": -11, "vela-black-strong": 11, "vela-white-safe": 4 - 22,
				"vela-white-lines": -5, "vela-black-lines": 5, "vela-black-targets": 5,
			},
		}, {
			// Five black pieces left: the normal rules, the normal features.
			"after the vela", "fanorona-vela", "bbbbb4/9/9/9/w8 b - 0 1",
			counted{"material": 4, "mobility": 2 + 1 + 3 + 1 + 4 - 3, "strong": 3 - 1, "edge": 5 - 1, "tempo": 1},
		}, {
			// a1 (2 seeds) and e1 (12) end on c1 with its one seed, g1 (1) on
			// g2 with three. Black's g2 (3) ends on d2, d2 (1) on c2.
			"manqala", "al-manqala", "0,0,1,1,0,0,3/2,0,1,0,12,0,1 w 40,37 0 30",
			counted{
				"store": 3, "late-store": 3 * 77 / 98, "house-1": 2 - 3, "house-3": 1, "house-4": -1, "house-5": 12 - 1, "house-7": 1,
				"mobility": 4 - 3, "targets": 2, "open": 2, "stranded": 2 + 1 - 3 - 1 - 1, "heavy": 1,
			},
		}, {
			// White has one seed left; Black's five reach nobody.
			"manqala, starvation", "al-manqala", "0,0,0,0,0,2,3/0,0,0,1,0,0,0 b 45,47 0 40",
			counted{
				"store": 2, "late-store": 2 * 92 / 98, "house-1": 3, "house-2": 2, "house-4": -1,
				"mobility": 2 - 1, "stranded": 3 + 2 - 1, "starvation": -5,
			},
		}, {
			// Fifteen seeds go round and end on b1, its second of them.
			"manqala, round the board", "al-manqala", "0,0,0,0,0,0,7/15,0,0,0,0,0,0 w 38,38 0 40",
			counted{"house-1": 15 - 7, "targets": 1, "heavy": 1},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := variant(t, c.variant, "")
			g := position(t, v, c.position)
			got := counted{}
			for _, term := range New(g, Default(v).Plain()).Terms() {
				if term.Count != 0 {
					got[term.Name] = term.Count
				}
			}
			for _, f := range Features(v) {
				if got[f.Name] != c.want[f.Name] {
					t.Errorf("%s = %d, want %d", f.Name, got[f.Name], c.want[f.Name])
				}
				delete(c.want, f.Name)
			}
			for name := range c.want {
				t.Errorf("no feature %q", name)
			}
			if t.Failed() {
				t.Logf("in\n%s%s", g.Draw(), g)
			}
		})
	}
}

func TestEvalIsTheDotProduct(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		w := Default(v)
		for feature := range w.family.features {
			w.values[feature] += int32(feature + 1) // no weight stays 0
		}
		var e Evaluator
		var last movegen.Game
		walk(t, v, 300, func(g movegen.Game) {
			if g != last { // else the position has changed under the evaluator
				e, last = New(g, w), g
			}
			sum := 0
			for _, term := range e.Terms() {
				sum += term.Count * term.Weight
			}
			if got := e.Eval(); got != sum || got <= -MaxScore || got >= MaxScore {
				t.Fatalf("%s: Eval() = %d, want %d in\n%s%s", v.Name, got, sum, g.Draw(), g)
			}
			for i, n := range e.Features(nil) {
				if term := e.Terms()[i]; int(n) != term.Count || term.Name != Features(v)[i].Name {
					t.Fatalf("%s: feature %d is %d, its term %v", v.Name, i, n, term)
				}
			}
		})
	}
}

// TestMirror turns the board round and swaps the colours: the side to move is
// as well off as it was. The vela is not the same for both.
func TestMirror(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		if v.Vela {
			continue
		}
		w := Default(v)
		there := games.New(v)
		walk(t, v, 300, func(g movegen.Game) {
			turned := mirror(v, g.String())
			if err := there.Set(turned); err != nil {
				t.Fatal(err)
			}
			a, b := New(g, w), New(there, w)
			if !slices.Equal(a.Features(nil), b.Features(nil)) || a.Eval() != b.Eval() {
				t.Fatalf("%s: %s has %v, turned round, %s, it has %v", v.Name, g, a.Terms(), turned, b.Terms())
			}
		})
	}
}

// mirror is the text of a position with the board turned by half and the
// colours swapped. It drops the no-return tokens, which no feature looks at.
func mirror(v *movegen.Variant, text string) string {
	f := strings.Fields(text)
	swap := strings.NewReplacer("w", "b", "b", "w")
	f[1] = swap.Replace(f[1])
	if v.Family == movegen.Manqala {
		houses := strings.FieldsFunc(f[0], func(r rune) bool { return r == ',' || r == '/' })
		slices.Reverse(houses)
		f[0] = strings.Join(houses[:7], ",") + "/" + strings.Join(houses[7:], ",")
		a, b, _ := strings.Cut(f[2], ",")
		f[2] = b + "," + a
		return strings.Join(f, " ")
	}
	rows := []byte(swap.Replace(f[0]))
	slices.Reverse(rows)
	f[0] = string(rows)
	state := "-"
	for token := range strings.SplitSeq(f[2], ",") {
		if points, ok := strings.CutPrefix(token, "h:"); ok {
			state = "h:"
			for i := len(points); i > 0; i -= 2 { // backwards, so in point order
				column, row := points[i-2]-'a', points[i-1]-'1'
				state += string([]byte{'a' + byte(v.Size.W) - 1 - column, '0' + byte(v.Size.H) - row})
			}
		}
	}
	f[2] = state
	return strings.Join(f, " ")
}

// TestRules compares features with what the rules say: targets are there
// exactly when the rules know a capture.
func TestRules(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		w := Default(v)
		walk(t, v, 500, func(g movegen.Game) {
			if g.Outcome().Over() || unlooked(v, g) {
				return
			}
			captures := slices.ContainsFunc(g.Moves(nil), func(m movegen.Move) bool { return m.Taken != 0 && m.Huff.Huffed() == 0 })
			for _, term := range New(g, w).Terms() {
				inVela := v.Vela && strings.Count(strings.Fields(g.String())[0], "b") > 5
				if term.Name == "targets" && !inVela && (term.Count > 0) != captures {
					t.Fatalf("%s: targets = %d, captures are legal: %t in\n%s%s", v.Name, term.Count, captures, g.Draw(), g)
				}
				if term.Name == "vela-white-lines" && inVela && g.Turn() == movegen.White && (term.Count > 0) != captures {
					t.Fatalf("%s: White's lines = %d, captures are legal: %t in\n%s%s", v.Name, term.Count, captures, g.Draw(), g)
				}
			}
		})
	}
}

// unlooked are the positions of Al-manqala where features do not follow the
// rules to the end: a sowing of three laps, and moves closed by feeding.
func unlooked(v *movegen.Variant, g movegen.Game) bool {
	rows := strings.Fields(g.String())[0]
	houses := strings.FieldsFunc(rows, func(r rune) bool { return r == ',' || r == '/' })
	const emptyRow = "0,0,0,0,0,0,0"
	return v.Family == movegen.Manqala && (strings.HasPrefix(rows, emptyRow) || strings.HasSuffix(rows, emptyRow) ||
		slices.ContainsFunc(houses, func(n string) bool { return len(n) == 2 && n >= "28" }))
}

// TestSwitches sees that the features follow the rules in force.
func TestSwitches(t *testing.T) {
	const text = "5/4w/b4/w4/2b2 b - 0 1"
	for _, c := range []struct {
		option string
		want   int // rows gained
	}{{"", 0}, {"NoBackward=off", 0}, {"NoBackward=on", 2}} {
		v := variant(t, "alquerque", c.option)
		for _, term := range New(position(t, v, text), Default(v)).Terms() {
			if term.Name == "advancement" && term.Count != c.want {
				t.Errorf("%q: advancement = %d, want %d", c.option, term.Count, c.want)
			}
		}
	}
}

func TestScoreIsHeld(t *testing.T) {
	v := variant(t, "al-manqala", "")
	w := Default(v)
	w.values[house1] = maxWeight
	for _, c := range []struct {
		position string
		want     int
	}{
		{"0,0,0,0,0,0,7/15,0,0,0,0,0,0 w 38,38 0 40", MaxScore},
		{"0,0,0,0,0,0,7/15,0,0,0,0,0,0 b 38,38 0 40", -MaxScore},
	} {
		if got := New(position(t, v, c.position), w).Eval(); got != c.want {
			t.Errorf("Eval() of %s = %d, want %d", c.position, got, c.want)
		}
	}
}

func TestEvalAllocatesNothing(t *testing.T) {
	for _, name := range []string{"alquerque", "fanorona", "fanorona-vela", "al-manqala"} {
		v := variant(t, name, "")
		e := New(games.New(v), Default(v))
		buffer := make([]int32, 0, maxFeatures)
		if n := testing.AllocsPerRun(100, func() { e.Eval(); e.Features(buffer) }); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func TestTables(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		seen := map[string]bool{}
		list := Features(v)
		if len(list) > maxFeatures {
			t.Errorf("%s: %d features, room for %d", v.Name, len(list), maxFeatures)
		}
		for _, f := range list {
			if f.Name == "" || f.Help == "" || seen[f.Name] {
				t.Errorf("%s: feature %+v is not named and described once", v.Name, f)
			}
			seen[f.Name] = true
		}
	}
}

func TestNewRefusesWeightsOfAnotherFamily(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("New took weights of another family")
		}
	}()
	New(games.New(variant(t, "alquerque", "")), Default(variant(t, "fanorona", "")))
}

func BenchmarkEval(b *testing.B) {
	for _, c := range []struct{ variant, position string }{
		{"alquerque", "bb2b/b1b1b/bb3/www1w/1w2w b - 3 8"},
		{"alquerque-bell", "bb2b/b1b1b/bb3/www1w/1w2w b - 3 8"},
		{"fanorona-dimy", "bb2b/b1b1b/bb3/www1w/1w2w b - 3 8"},
		{"fanorona", "1bbb1bb1b/2b1b1bb1/b4w2w/w1ww2ww1/ww1www1w1 w - 0 8"},
		{"fanorona-vela", "1bbb1bb1b/2b1b1bb1/b4w2w/w1ww2ww1/ww1www1w1 w - 0 8"},
		{"al-manqala", "3,0,9,1,2,11,4/5,8,0,3,1,12,6 w 14,19 2 20"},
	} {
		b.Run(c.variant, func(b *testing.B) {
			v := variant(b, c.variant, "")
			e := New(position(b, v, c.position), Default(v))
			b.ReportAllocs()
			for b.Loop() {
				e.Eval()
			}
		})
	}
}
