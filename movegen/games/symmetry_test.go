package games_test

import (
	"fmt"
	"slices"
	"testing"

	"qirkat/movegen"
)

// TestSymmetries: the rules do not notice the symmetries of a variant, and notice
// every other map of its board somewhere.
func TestSymmetries(t *testing.T) {
	const positions = 300
	for _, r := range oneSwitch(t) {
		if r.Family == movegen.Manqala {
			if n := len(r.Symmetries()); n != 1 {
				t.Errorf("%s: %d symmetries, want 1", r, n)
			}
			continue
		}
		there := r.game().(placer)
		all, kept := r.Size.Symmetries(), r.Symmetries()
		noticed := make([]bool, len(all))
		visited := 0
		r.play(t, positions, func(g *game) error {
			visited++
			pieces := [2]movegen.Set{g.Game.(placer).Pieces(movegen.White), g.Game.(placer).Pieces(movegen.Black)}
			for i := range all {
				s := &all[i]
				symmetric := slices.Contains(kept, *s)
				if !symmetric && noticed[i] {
					continue
				}
				there.Place(pieces, g.Turn())
				want := make(map[movegen.Move]bool)
				for _, m := range there.Moves(nil) {
					want[movegen.Move{
						From: s.Image(m.From), To: s.Image(m.To), Taken: s.Image(m.Taken),
						Huff: movegen.NewHuff(s.Image(m.Huff.Huffed()), s.Image(m.Huff.Liable())),
					}] = true
				}
				there.Place([2]movegen.Set{s.Image(pieces[0]), s.Image(pieces[1])}, g.Turn())
				list := there.Moves(nil)
				same := len(list) == len(want) && !slices.ContainsFunc(list, func(m movegen.Move) bool { return !want[m] })
				if symmetric && !same {
					return fmt.Errorf("symmetry %d makes other moves", i)
				}
				noticed[i] = !same
			}
			return nil
		})
		for i := range all {
			if !slices.Contains(kept, all[i]) && !noticed[i] {
				t.Errorf("%s: in %d positions the rules did not notice symmetry %d", r, visited, i)
			}
		}
	}
}

// placer is a board game that can be put up without text.
type placer interface {
	movegen.Game
	Pieces(s movegen.Side) movegen.Set
	Place(pieces [2]movegen.Set, turn movegen.Side)
}
