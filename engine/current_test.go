package engine_test

import (
	"testing"
	"time"

	"qirkat/engine"
	"qirkat/movegen"
)

// TestCurrent: a search of more than a second tells which move of the root is
// searched, a shorter one does not.
func TestCurrent(t *testing.T) {
	tests := []struct {
		name  string
		time  time.Duration
		lines int
		heard bool
	}{
		{"short", 200 * time.Millisecond, 1, false},
		{"long", 1500 * time.Millisecond, 1, true},
		{"long, two lines", 1500 * time.Millisecond, 2, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g, pair := game(t, "fanorona", "")
			legal := map[movegen.Move]bool{}
			for _, m := range g.Moves(nil) {
				legal[m] = true
			}
			begin := time.Now()
			var heard int
			newEngine(t, 8).Run(engine.Search{
				Game: pair, Lines: tt.lines,
				Limits: engine.Limits{MoveTime: tt.time, HasMoveTime: true},
				OnCurrent: func(c engine.Current) {
					heard++
					if after := time.Since(begin); after < time.Second {
						t.Errorf("told after %v, want a second or more", after)
					}
					if !legal[c.Move] || c.Depth < 1 || c.Number < 1 || c.Number > len(legal) {
						t.Errorf("told %+v, want a legal move, numbered from 1 to %d", c, len(legal))
					}
				},
			})
			if (heard > 0) != tt.heard {
				t.Errorf("told of %d moves, want some: %t", heard, tt.heard)
			}
			if most := 1 + int((tt.time-time.Second)/(100*time.Millisecond)); tt.heard && heard > most+5 {
				t.Errorf("told of %d moves, want about %d", heard, most)
			}
		})
	}
}

// TestAnalysisOfOneMove: on a clock a single legal move is played after a look,
// but in an analysis it is searched as deep as was asked.
func TestAnalysisOfOneMove(t *testing.T) {
	for _, analysis := range []bool{false, true} {
		_, pair := game(t, "alquerque", "bbbbb/1bbbb/bb1ww/wwwww/wwwww w - 0 1")
		moves := pair.Moves(nil)[:1]
		s := engine.Search{Game: pair}
		s.SearchMoves, s.Depth, s.Analysis = moves, 6, analysis
		s.Clock = &engine.Clock{Left: time.Hour}
		r := newEngine(t, 1).Run(s)
		if whole := r.Depth == 6; whole != analysis {
			t.Errorf("analysis %t: searched to depth %d of 6", analysis, r.Depth)
		}
	}
}
