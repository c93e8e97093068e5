package engine

import (
	"sync/atomic"
	"time"

	"qirkat/movegen"
	"qirkat/tt"
)

// worker searches one tree. All its memory is taken before the search begins
// or grows in its first moments: a node allocates nothing.
type worker struct {
	Game
	table *tt.Table
	stop  *stop
	watch watch
	team  []*worker // of the first worker: all, itself included

	current current

	neverForced bool      // of the game
	mayRefuse   bool      // of the game
	draws       [2]Score  // of a draw by repetition or quiet play, by the side to move
	without     Technique // that are switched off

	nodes     uint64
	counted   atomic.Uint64 // nodes that others may read, a little behind
	hits      uint64        // in endgame tables
	probe     int           // the least depth at which tables are asked
	seldepth  int
	iteration int            // plies
	moves     []movegen.Move // one stack for the lists of all plies
	keys      []int64        // of move ordering, beside moves
	tried     []int32        // places in their list of the moves tried, beside moves
	later     []putOff       // beside moves
	shared    *tasks         // of the team; nil: the worker is alone
	lead      *lead          // of the team; nil: nobody waits for others, or several lines are wanted
	order     order
	frames    [MaxPly + 2]frame
	lines     [MaxPly + 2][MaxPly + 2]movegen.Move // principal variation of each ply
}

// frame is what a ply of the tree remembers.
type frame struct {
	context uint8 // of the move made last
	without int   // the place of a move that is left out, and 1; 0: none is
	length  int   // of the principal variation from this ply on
}

func newWorker() *worker {
	return &worker{
		moves: make([]movegen.Move, 0, 1<<14), keys: make([]int64, 1<<14), tried: make([]int32, 1<<14), later: make([]putOff, 1<<14),
	}
}

// begin readies the worker for a new search.
func (w *worker) begin(s Search, table *tt.Table, stop *stop) {
	w.Game, w.table, w.stop, w.team = s.Game, table, stop, []*worker{w}
	w.draws[s.Turn()&1], w.draws[s.Turn()&1^1] = Score(-s.Contempt), Score(s.Contempt)
	w.neverForced, w.mayRefuse, w.without = s.NeverForced(), s.MayRefuse(), s.Without
	w.shared, w.lead = nil, nil
	w.nodes, w.hits, w.seldepth = 0, 0, 0
	w.probe = s.ProbeDepth
	w.current = current{}
	w.counted.Store(0)
	w.moves = w.moves[:0]
	w.frames = [MaxPly + 2]frame{}
	w.order.age()
	w.watch = newWatch(s.Limits, time.Now())
}

// count counts a move made.
func (w *worker) count() {
	w.nodes++
	if w.nodes%1024 == 0 {
		w.counted.Store(w.nodes)
	}
}

// stopped reports whether the iteration is to end.
func (w *worker) stopped() bool { return w.over() || w.overtaken() }

// over reports whether the search is to end. The stop flag is set from outside
// and by a timer; the limit of nodes is looked at here.
func (w *worker) over() bool { return w.stop.asked.Load() || w.nodes >= w.watch.nodes }

// grow keeps as many keys and places as moves on the stack.
func (w *worker) grow() {
	if n := len(w.moves); n > len(w.keys) {
		w.keys = append(w.keys, make([]int64, n)...)
		w.tried = append(w.tried, make([]int32, n)...)
		w.later = append(w.later, make([]putOff, n)...)
	}
}

// setLine makes a move, followed by the line of the ply below, the line of a ply.
func (w *worker) setLine(ply int, m movegen.Move) {
	w.lines[ply][0] = m
	n := w.frames[ply+1].length
	copy(w.lines[ply][1:n+1], w.lines[ply+1][:n])
	w.frames[ply].length = n + 1
}

// line is the principal variation of the root, in new memory.
func (w *worker) line() []movegen.Move {
	return append([]movegen.Move(nil), w.lines[0][:w.frames[0].length]...)
}
