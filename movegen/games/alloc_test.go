package games_test

import (
	"testing"

	"qirkat/movegen"
)

// Moving allocates nothing once the buffers have grown.
func TestNoAllocation(t *testing.T) {
	all := variants(t)
	for _, v := range movegen.Variants {
		if v.Family == movegen.Alquerque {
			all = append(all,
				rulesOf(t, v.Name, "Huffing=off"),
				rulesOf(t, v.Name, "MultiPiece=on", "Huffing=off"),
				rulesOf(t, v.Name, "MultiPiece=on", "Huffing=on"),
				rulesOf(t, v.Name, "MultiPiece=on", "Huffing=on", "NoReturn=on", "NoBackward=on"))
		}
	}
	all = append(all, rulesOf(t, "fanorona", "FirstMove=free"), rulesOf(t, "al-manqala", "SkipOrigin=on"))
	for _, r := range all {
		t.Run(r.String(), func(t *testing.T) {
			positions := samples(t, r)
			var list, noisy, replies []movegen.Move
			turn := func() {
				for _, g := range positions {
					list = g.Moves(list[:0])
					noisy, _ = g.Noisy(noisy[:0])
					for i := range list {
						g.Make(list[i])
						replies = g.Moves(replies[:0])
						g.Outcome()
						g.Stalled(8)
						g.Unmake()
						if i == 20 {
							break
						}
					}
				}
			}
			turn() // the buffers grow
			if n := testing.AllocsPerRun(2, turn); n != 0 {
				t.Errorf("%s: %v allocations in a run over %d positions, want 0", r, n, len(positions))
			}
		})
	}
}
