package movegen

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// A list has each move once, in the order in which they came, whether it is
// searched from end to end or by the hash table, and behind what dst held.
func TestUnique(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	var u Unique // one for all lists: none may know another's moves
	for _, different := range []int{1, fewMoves - 1, fewMoves, fewMoves + 1, 40, 64, 1000, 3} {
		before := Move{From: 8}
		want := []Move{before}
		dst := []Move{before}
		u.Begin(dst)
		seen := make(map[Move]bool)
		for range 5 * different {
			n := random.IntN(different)
			m := Move{From: 7, To: Set(n), Taken: Set(n) << 40, Huff: Huff(n % 3)}
			dst = u.Add(dst, m)
			if !seen[m] {
				seen[m] = true
				want = append(want, m)
			}
		}
		// The list may hold what stands before it in dst.
		dst = u.Add(dst, before)
		want = append(want, before)
		if !slices.Equal(dst, want) {
			t.Errorf("%d different moves: a list of %d, want %d, or in another order", different, len(dst), len(want))
		}
	}
}
