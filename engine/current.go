package engine

import (
	"time"

	"qirkat/movegen"
)

// Current is the move of the root that is being searched.
type Current struct {
	Depth, Number int // plies; from 1, in the order of the search
	Move          movegen.Move
}

const (
	currentAfter = time.Second            // of a search, until which its moves are of no interest
	currentEvery = 100 * time.Millisecond // no more than one is told (chosen)
)

// current tells of the moves of the root in a long search.
type current struct {
	tell  func(Current) // nil: nobody listens
	last  time.Duration // when one was told
	lines int           // whose first moves are not searched again
}

// begins notes that the i-th move of the root is searched next.
func (w *worker) begins(depth, i int, m movegen.Move) {
	c := &w.current
	if c.tell == nil || w.stop.pondering.Load() {
		return
	}
	if now := w.watch.elapsed(); now >= max(currentAfter, c.last+currentEvery) {
		c.last = now
		c.tell(Current{depth, c.lines + i + 1, m})
	}
}
