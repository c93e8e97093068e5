package engine

import (
	"slices"
	"sync/atomic"

	"qirkat/movegen"
)

// tasks are the moves that workers are searching now, each in the slot of its
// hash: where two meet at a position, the second puts off what the first is busy
// with, and finds it in the table later (T. Kerrigan, "Simplified ABDADA", 2014,
// after J.-C. Weill, 1996). A slot that two tasks share only costs time.
type tasks [1 << 12]atomic.Uint64

// putOff is a move to be searched later: its place in the list, and how many
// were before it in the order.
type putOff struct{ place, nth int }

// shareDepth is the least depth in plies of nodes that are shared out (chosen).
const shareDepth = 7

// reached is what an iteration found. A depth of 0 plies is none.
type reached struct {
	depth int
	score Score
	line  []movegen.Move
}

// lead is the deepest iteration that one of a team has finished. The others give
// theirs up then, and go on from there.
type lead struct{ atomic.Pointer[reached] }

// offer makes an iteration the lead if it is deeper.
func (l *lead) offer(r *reached) {
	for old := l.Load(); old.depth < r.depth; old = l.Load() {
		if l.CompareAndSwap(old, r) {
			return
		}
	}
}

// overtaken reports whether another one has finished the worker's iteration.
func (w *worker) overtaken() bool { return w.lead != nil && w.lead.Load().depth >= w.iteration }

// finish gives what an iteration found: the worker itself, which tells the team,
// or another one that was faster.
func (w *worker) finish(root []rootMove, depth int, score Score) *reached {
	if w.overtaken() {
		r := w.lead.Load()
		at := slices.IndexFunc(root, func(m rootMove) bool { return m.move == r.line[0] })
		toFront(root, at)
		return r
	}
	own := &reached{depth, score, w.line()}
	if w.lead != nil {
		w.lead.offer(own)
	}
	return own
}

// taskOf is a move in the position of a key, never 0.
func taskOf(key uint64, m *movegen.Move) uint64 {
	return key ^ (points(m) ^ uint64(m.Taken)*0x165667b19e3779f9) | 1
}

func (t *tasks) slot(task uint64) *atomic.Uint64 { return &t[task>>32%uint64(len(t))] }

func (t *tasks) busy(task uint64) bool { return t.slot(task).Load() == task }
func (t *tasks) begin(task uint64)     { t.slot(task).Store(task) }

// end frees the slot of a task; 0 is none.
func (t *tasks) end(task uint64) {
	if task != 0 {
		t.slot(task).CompareAndSwap(task, 0)
	}
}

// take begins the i-th move of the root. Those that others are busy with are put
// off, behind all that are left, each once.
func (w *worker) take(root []rootMove, i int, key uint64, depth int, later *int) (task uint64) {
	if w.shared == nil || depth < shareDepth || i == 0 {
		return 0
	}
	for task = taskOf(key, &root[i].move); *later < len(root)-i && w.shared.busy(task); task = taskOf(key, &root[i].move) {
		*later++
		put := root[i]
		copy(root[i:], root[i+1:])
		root[len(root)-1] = put
	}
	w.shared.begin(task)
	return task
}
