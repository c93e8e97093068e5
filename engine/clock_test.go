package engine

import (
	"testing"
	"time"
)

// TestMoveTimeHoldsBesideAClock: of two limits the nearer one counts, also on
// the last move before the time control.
func TestMoveTimeHoldsBesideAClock(t *testing.T) {
	for _, movesToGo := range []int{0, 1, 40} {
		w := newWatch(Limits{
			HasMoveTime: true, MoveTime: 100 * time.Millisecond,
			Clock: &Clock{Left: time.Minute, MovesToGo: movesToGo},
		}, time.Now())
		if w.hard != 100*time.Millisecond || w.soft > w.hard {
			t.Errorf("%d moves to go: planned %v, at most %v, want at most 100ms", movesToGo, w.soft, w.hard)
		}
	}
}
