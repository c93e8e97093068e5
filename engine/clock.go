package engine

import (
	"math"
	"time"
)

// watch turns the limits into times and a number of nodes.
type watch struct {
	start time.Time
	soft  time.Duration // after it no new iteration is begun
	hard  time.Duration // at it the search ends
	nodes uint64
}

const forever = time.Duration(math.MaxInt64)

// newWatch shares out the time. Of a clock with no time control in sight it
// plans to need movesAhead moves more (chosen).
func newWatch(l Limits, now time.Time) watch {
	const movesAhead = 30
	w := watch{start: now, soft: forever, hard: forever, nodes: math.MaxUint64}
	if l.Nodes > 0 {
		w.nodes = l.Nodes
	}
	if l.HasMoveTime {
		w.hard = max(0, l.MoveTime)
		w.soft = w.hard
	}
	if c := l.Clock; c != nil {
		left := max(0, c.Left-l.Overhead)
		ahead := time.Duration(movesAhead)
		if c.MovesToGo > 0 {
			ahead = time.Duration(min(c.MovesToGo, movesAhead))
		}
		share := left/ahead + max(0, c.Increment)*3/4
		most := min(left*8/10, 4*share)
		if ahead == 1 {
			most = min(left*9/10, 2*most)
		}
		w.hard = min(w.hard, most)
		w.soft = min(w.soft, share*6/10, w.hard)
	}
	return w
}

func (w *watch) elapsed() time.Duration { return time.Since(w.start) }

// limited reports whether the time is limited.
func (w *watch) limited() bool { return w.hard < forever }

// another reports whether there is time to begin another iteration.
func (w *watch) another() bool { return w.soft == forever || w.elapsed() < w.soft }
