package engine

import (
	"math"
	"time"
)

// watch turns the limits into times and a number of nodes.
type watch struct {
	start   time.Time
	soft    time.Duration // after it no new iteration is begun
	hard    time.Duration // at it the search ends
	nodes   uint64
	clocked bool    // the time comes from a clock, and what is left of it counts
	stable  int     // iterations since the best move changed
	need    float64 // how much of soft the position needs
}

const forever = time.Duration(math.MaxInt64)

// newWatch shares out the time. Of a clock with no time control in sight it
// plans to need movesAhead moves more (chosen).
func newWatch(l Limits, now time.Time) watch {
	const movesAhead = 30
	w := watch{start: now, soft: forever, hard: forever, nodes: math.MaxUint64, need: 1}
	if l.Nodes > 0 {
		w.nodes = l.Nodes
	}
	if l.HasMoveTime {
		w.hard = max(0, l.MoveTime)
		w.soft = w.hard
	}
	if c := l.Clock; c != nil {
		w.clocked = true
		left := max(0, c.Left-l.Overhead)
		ahead := time.Duration(movesAhead)
		if c.MovesToGo > 0 {
			ahead = time.Duration(min(c.MovesToGo, movesAhead))
		}
		share := left/ahead + max(0, c.Increment)*3/4
		if l.SlowMover > 0 {
			share = time.Duration(float64(share) * float64(l.SlowMover) / 100)
		}
		most := min(left*8/10, 4*share)
		if ahead == 1 {
			most = min(left*9/10, 2*most)
		}
		w.hard = min(w.hard, most)
		w.soft = min(w.soft, share*6/10, w.hard)
	}
	return w
}

// ring stops the search when its time is over, counted from the moment when the
// move pondered on was played. The function that it gives ends that.
func (w *watch) ring(stop *stop) (end func()) {
	if !stop.pondering.Load() {
		timer := time.AfterFunc(w.hard, stop.ask)
		return func() { timer.Stop() }
	}
	hard, done := w.hard, make(chan struct{})
	go func() {
		select {
		case <-done:
			return
		case <-stop.hit:
		}
		select {
		case <-done:
		case <-time.After(hard):
			stop.ask()
		}
	}()
	return func() { close(done) }
}

func (w *watch) elapsed() time.Duration { return time.Since(w.start) }

// limited reports whether the time is limited.
func (w *watch) limited() bool { return w.hard < forever }

// learn says after an iteration whether its best move is a new one, by how much
// the score went down, and what share of the nodes the best move took. A choice
// that is settled needs less time (numbers chosen).
func (w *watch) learn(changed bool, drop int, share float64) {
	w.stable++
	w.need = 1
	if changed {
		w.stable = 0
		w.need = 1.5
	}
	if w.stable > 4 {
		w.need = 0.75
	}
	if share > 0.9 {
		w.need *= 0.8
	}
	w.need *= 1 + min(1, float64(max(0, drop))/100)
}

// another reports whether there is time to begin another iteration.
func (w *watch) another(stop *stop) bool {
	if w.soft == forever || stop.pondering.Load() {
		return true
	}
	used := w.elapsed() - time.Duration(stop.hitAfter.Load())
	if !w.clocked {
		return used < w.soft
	}
	return float64(used) < min(float64(w.soft)*w.need, float64(w.hard))
}
