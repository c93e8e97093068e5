package movegen

import (
	"slices"
	"testing"
)

// TestSizeSymmetries: the maps are a group of permutations, none twice, and keep
// neighbours together.
func TestSizeSymmetries(t *testing.T) {
	for z, want := range map[Size]int{{5, 5}: 8, {3, 3}: 8, {9, 5}: 4, {5, 9}: 4, {7, 9}: 4} {
		list := z.Symmetries()
		if len(list) != want {
			t.Errorf("%s has %d symmetries, want %d", z, len(list), want)
		}
		all := Set(1)<<(z.W*z.H) - 1
		board := NewBoard(z)
		for i := range list {
			if s := &list[i]; s.Image(all) != all {
				t.Errorf("%s: symmetry %d is no permutation", z, i)
			}
			if first := slices.Index(list, list[i]); first != i {
				t.Errorf("%s: symmetry %d is symmetry %d again", z, i, first)
			}
			for p := range Point(z.W * z.H) {
				if i == 0 && list[i][p] != p {
					t.Errorf("%s: the first symmetry moves point %d", z, p)
				}
				if list[i].Image(board.Near[p]) != board.Near[list[i][p]] {
					t.Errorf("%s: symmetry %d parts point %d from its neighbours", z, i, p)
				}
			}
			for j := range list {
				var both Symmetry
				for p := range Point(z.W * z.H) {
					both[p] = list[j][list[i][p]]
				}
				if !slices.Contains(list, both) {
					t.Errorf("%s: symmetry %d after %d is not in the list", z, j, i)
				}
			}
		}
	}
}
