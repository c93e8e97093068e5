package tablebase

import (
	"math/rand/v2"
	"testing"

	"qirkat/movegen"
)

// indexCases are rules with the number of symmetries that they leave.
var indexCases = []struct {
	variant    string
	options    map[string]string
	symmetries int
}{
	{"alquerque", nil, 8},
	{"alquerque", map[string]string{"NoBackward": "on"}, 2},
	{"alquerque-bell", map[string]string{"Huffing": "off", "NoReturn": "off"}, 2},
	{"alquerque-pritchard", map[string]string{"Huffing": "off", "NoReturn": "off"}, 2},
	{"quirkat", map[string]string{"Huffing": "off", "NoReturn": "off"}, 8},
	{"fanorona-telo", nil, 8},
	{"fanorona-5x3", nil, 4},
	{"fanorona-7x7", nil, 8},
	{"fanorona", nil, 4},
}

func rulesOf(t testing.TB, name string, options map[string]string) *rules {
	t.Helper()
	r, err := newRules(variant(t, name, options))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestIndexBijection walks over all places of small materials, and from each to
// its position and back.
func TestIndexBijection(t *testing.T) {
	for _, c := range indexCases {
		r := rulesOf(t, c.variant, c.options)
		if len(r.symmetries) != c.symmetries {
			t.Errorf("%s: %d symmetries, want %d", r.name, len(r.symmetries), c.symmetries)
		}
		shared := newIndexes(r.geometry)
		for _, m := range r.materials(min(4, r.mostPieces())) {
			x := shared.index(m)
			for place := range x.size() {
				larger, smaller := x.position(place)
				if larger.Len() != m.Larger || smaller.Len() != m.Smaller || larger&smaller != 0 || (larger|smaller)&^r.all != 0 {
					t.Fatalf("%s %s: place %d is larger %x, smaller %x", r.name, m, place, larger, smaller)
				}
				if back := x.place(larger, smaller); back != place {
					t.Fatalf("%s %s: place %d leads back to %d", r.name, m, place, back)
				}
			}
		}
	}
}

// TestIndexSymmetry maps positions by every symmetry: all must have places that
// stand for the same position.
func TestIndexSymmetry(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, c := range indexCases {
		r := rulesOf(t, c.variant, c.options)
		shared := newIndexes(r.geometry)
		for _, m := range r.materials(min(5, r.mostPieces())) {
			x := shared.index(m)
			for range 200 {
				var larger, smaller movegen.Set
				for i, p := range random.Perm(r.points)[:m.pieces()] {
					if i < m.Larger {
						larger |= movegen.Bit(movegen.Point(p))
					} else {
						smaller |= movegen.Bit(movegen.Point(p))
					}
				}
				want := smallest(r, larger, smaller)
				for i := range r.symmetries {
					s := &r.symmetries[i]
					place := x.place(s.Image(larger), s.Image(smaller))
					if place < 0 || place >= x.size() {
						t.Fatalf("%s %s: place %d of %d", r.name, m, place, x.size())
					}
					l, s2 := x.position(place)
					if got := smallest(r, l, s2); got != want {
						t.Fatalf("%s %s: place %d stands for %x, want %x", r.name, m, place, got, want)
					}
				}
			}
		}
	}
}

// smallest is the least of what the symmetries make of a position.
func smallest(r *rules, larger, smaller movegen.Set) (least [2]movegen.Set) {
	for i := range r.symmetries {
		image := [2]movegen.Set{r.symmetries[i].Image(larger), r.symmetries[i].Image(smaller)}
		if i == 0 || image[0] < least[0] || image[0] == least[0] && image[1] < least[1] {
			least = image
		}
	}
	return least
}

// TestIndexCounts compares sizes with formulas: the positions of a material are
// C(n, a)·C(n−a, b), and countClasses does not look at any set.
func TestIndexCounts(t *testing.T) {
	for _, c := range indexCases {
		r := rulesOf(t, c.variant, c.options)
		shared := newIndexes(r.geometry)
		for _, m := range r.materials(min(5, r.mostPieces())) {
			x := shared.index(m)
			if want := r.countClasses(m.Larger); len(x.sets) != want {
				t.Errorf("%s %s: %d classes, want %d", r.name, m, len(x.sets), want)
			}
			positions := 0
			for _, orbit := range x.orbits {
				positions += int(orbit) * x.block
			}
			if want := choose[m.Larger][r.points] * choose[m.Smaller][r.points-m.Larger]; positions != want {
				t.Errorf("%s %s: %d positions, want %d", r.name, m, positions, want)
			}
		}
	}
	total := 0
	for a := 1; a <= 6; a++ {
		for b := 1; a+b <= 7; b++ {
			total += choose[a][45] * choose[b][45-a]
		}
	}
	if total != 6_261_651_660 {
		t.Errorf("9x5 has %d positions of up to 7 pieces, want 6261651660", total)
	}
}

// TestRanks compares the fast ways through sets with the plain ones.
func TestRanks(t *testing.T) {
	for _, k := range []int{1, 3, 6} {
		table := newRankTable(25, k)
		c := newCombinations(25, k)
		var s spreader
		s.begin(1<<25-1, k)
		eachSet(25, k, func(r int, set movegen.Set) {
			if rank(set) != r || table.rank(set) != r || c.bits[r] != set || s.spread(c.points[r]) != set {
				t.Fatalf("set %x: rank %d and %d, want %d; combination %x", set, rank(set), table.rank(set), r, c.bits[r])
			}
		})
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		free := movegen.Set(random.Uint64()) & (1<<63 - 1)
		set := free & movegen.Set(random.Uint64())
		if back := spread(squeeze(set, free), free); back != set {
			t.Fatalf("squeeze and spread: %x becomes %x in %x", set, back, free)
		}
	}
}
