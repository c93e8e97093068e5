package engine_test

import (
	"testing"

	"qirkat/engine"
)

// TestQuietCountAndTable: what the table learnt at one quiet count is not
// believed at another where it is wrong. A win that takes so many plies without
// a capture is none when the game is drawn before; and the draw that was found
// there is none when there is time again.
func TestQuietCountAndTable(t *testing.T) {
	const (
		fresh = " 0 1"
		late  = " 96 50" // drawn in four plies
		deep  = 12
	)
	for _, tt := range []struct {
		variant, rows string
		plies         int
	}{
		{"alquerque", "3b1/5/1w3/1w3/3w1 w -", 9},
		{"alquerque", "1b3/w4/5/w3w/5 w -", 11},
		{"fanorona-dimy", "w4/5/3b1/ww3/5 w -", 7},
	} {
		t.Run(tt.variant, func(t *testing.T) {
			search := func(e *engine.Engine, counts string, depth int) engine.Score {
				_, pair := game(t, tt.variant, tt.rows+counts)
				return e.Run(engine.Search{Game: pair, Limits: engine.Limits{Depth: depth}}).Score
			}
			win := engine.Win - engine.Score(tt.plies)
			for _, depth := range []int{3, deep} {
				e := newEngine(t, 2)
				if s := search(e, fresh, deep); s != win {
					t.Fatalf("score %d, want a win in %d plies", s, tt.plies)
				}
				if s := search(e, late, depth); s >= win {
					t.Errorf("depth %d: score %d four plies before the draw, after a win was found", depth, s)
				}
			}
			e := newEngine(t, 2)
			if s := search(e, late, deep); s >= win {
				t.Errorf("score %d four plies before the draw", s)
			}
			if s := search(e, fresh, deep); s != win {
				t.Errorf("score %d after a draw was found, want a win in %d plies", s, tt.plies)
			}
		})
	}
}
