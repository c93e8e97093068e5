// Package engine owns the search: iterative deepening, the tree, its limits
// and its clock. It knows no game: [Position] and [Evaluator] below are all
// that it asks of one. It never prints; results leave through callbacks.
//
// The way of a search: Start (engine.go) → iterate and aspiration window
// (iterate.go) → search (search.go) → quiescence (quiesce.go), with the order
// of moves in order.go and the clock in clock.go.
package engine

import (
	"sync"
	"sync/atomic"
	"time"

	"qirkat/movegen"
	"qirkat/tt"
)

// Position is one game as the search sees it. It is not safe for concurrent
// use: every worker has its own.
type Position interface {
	// Moves appends the legal moves to dst. The order depends on the position
	// alone, so a place in the list can stand for a move.
	Moves(dst []movegen.Move) []movegen.Move
	// Noisy appends the moves that quiescence follows; none when all is quiet.
	// Forced says that standing still is no choice there, and its evaluation
	// no bound for what the side to move can reach.
	Noisy(dst []movegen.Move) (moves []movegen.Move, forced bool)
	// NeverForced says that Noisy gives no forced moves in this game.
	NeverForced() bool
	// MayRefuse says that in this game a move that Noisy gives as forced may be
	// left undone, at a price.
	MayRefuse() bool
	// Make plays a move that Moves or Noisy gave; Unmake takes back the last.
	Make(m movegen.Move)
	Unmake()
	// Key hashes all that decides the future: points, side, no-return, huff.
	Key() uint64
	// Turn is the side to move. Ask after Make: no law says that sides alternate.
	Turn() movegen.Side
	// Outcome says whether and how the game has ended.
	Outcome() movegen.Outcome
	// Stalled reports whether the game ends here by a rule against going on for
	// ever, where to have occurred among the last n plies counts as well. A
	// game is over exactly when it has no moves or is Stalled(0).
	Stalled(n int) bool
	// CanRepeat reports whether the side to move can lead back to a position
	// among the last n plies. It may overlook that it can.
	CanRepeat(n int) bool
	// QuietLeft is the number of quiet plies that are left until the game ends
	// by their count; very large where it never does.
	QuietLeft() int
	// Cycle is what an endless cycle through the position gives.
	Cycle() movegen.Outcome
}

// Evaluator scores the position that it was built on, in centipieces for the
// side to move, well inside (-MaxEval, MaxEval).
type Evaluator interface{ Eval() int }

// Tables know the end of games with few pieces. They look at the position that
// they were made for.
type Tables interface {
	// Probe gives the worth of the position for the side to move, 1 a win, 0 a
	// draw and -1 a loss, and the plies to the end by best play; exact says no
	// where they are only the most that it can take. It is not ok where the
	// tables do not have the position, or rules that they do not know could
	// change it.
	Probe() (result, plies int, exact, ok bool)
	// Root begins a search from the position and gives the best of its moves, as
	// far as the tables can tell: all when they know nothing.
	Root(moves []movegen.Move) []movegen.Move
	// Line is a best line from the position, of so many plies at most, as far as
	// the tables can tell.
	Line(most int) []movegen.Move
}

// Game is a position with its evaluator: what one worker needs.
type Game struct {
	Position
	Evaluator
	Tables // nil: there are none
}

// Limits say when a search ends. Zero values limit nothing, except that a
// clock, where there is one, may stand at zero.
type Limits struct {
	Depth       int           // plies
	Nodes       uint64        // moves made
	Mate        int           // plies in which a win is to be found
	MoveTime    time.Duration // for this move, when HasMoveTime
	HasMoveTime bool
	Clock       *Clock // of the side to move
	Infinite    bool   // until Stop, even when nothing is left to search
	SearchMoves []movegen.Move
	Analysis    bool          // not only the move is wanted: a single one is thought about as well
	Ponder      bool          // the opponent's time runs: until PonderHit or Stop no limit of time counts
	ProbeDepth  int           // plies that must be left to search for tables to be asked
	Overhead    time.Duration // kept back of the clock for the way of the answer
	SlowMover   int           // percent of the planned time that is taken; 0: 100
	Contempt    int           // centipieces that a draw by repetition or quiet play is worth less to the side to move at the root
}

// Clock is the time of the side to move.
type Clock struct {
	Left, Increment time.Duration
	MovesToGo       int // until the next time control; 0: the rest of the game
}

// Bound says how a score stands to the true one.
type Bound = tt.Bound

// Info is a report of a search.
type Info struct {
	Line            int // 1 for the best line, 2 for the next
	Depth, SelDepth int // plies
	Score           Score
	Bound           Bound
	Nodes           uint64
	Time            time.Duration
	HashFull        int            // permille of the table in use
	TableHits       uint64         // positions that endgame tables knew
	PV              []movegen.Move // principal variation, owned by the receiver
}

// Result is the end of a search.
type Result struct {
	Best  movegen.Move
	Found bool // false when the game is over and there is no move
	Info       // the last report
}

// Search is one search: where it starts, its limits, and who hears of it.
type Search struct {
	Game
	Limits
	Proven  *Proven      // is played without a search; nil: there is none
	Without Technique    // switched off, to measure what they gain
	Lines   int          // best lines to be found, each with another first move; 0: 1
	Another func() Game  // an independent copy for a further thread; nil: one thread
	OnInfo  func(Info)   // may be nil
	OnBest  func(Result) // called once, at the end
	OnPanic func(any)    // called by Start's goroutine when it panics; nil lets it

	// OnCurrent hears now and then in a long search which move of the root is
	// searched; it may be nil.
	OnCurrent func(Current)
}

// Proven is a move of which it is proven that it wins, in so many plies at most.
type Proven struct {
	Move  movegen.Move
	Plies int
}

// Engine runs one search at a time over a transposition table that it keeps.
type Engine struct {
	table   *tt.Table
	stop    atomic.Pointer[stop]
	running sync.WaitGroup
	threads int
	workers []*worker // as many as were needed so far; the first reports
	tasks   tasks
	lead    lead
}

// stop asks one search to end. Each has its own, so that a timer that comes
// late cannot end the next one.
type stop struct {
	begun     time.Time
	asked     atomic.Bool   // looked at in every node
	wake      chan struct{} // holds a value from then on
	pondering atomic.Bool
	hit       chan struct{} // closed when the move pondered on was played
	hitAfter  atomic.Int64  // nanoseconds; set before pondering ends
}

func newStop() *stop {
	return &stop{begun: time.Now(), wake: make(chan struct{}, 1), hit: make(chan struct{})}
}

func (s *stop) ask() {
	s.asked.Store(true)
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// await returns when the search may answer: an infinite one once it is stopped,
// one on the opponent's time once the move pondered on was played, too.
func (s *stop) await(infinite bool) {
	switch {
	case infinite:
		<-s.wake
	case s.pondering.Load():
		select {
		case <-s.wake:
		case <-s.hit:
		}
	}
}

// New is an engine with a table of so many MiB.
func New(mebibytes int) (*Engine, error) {
	table, err := tt.New(mebibytes)
	if err != nil {
		return nil, err
	}
	return &Engine{table: table, threads: 1}, nil
}

// SetHash changes the size of the table and empties it. On an error the old
// table stays. It must not be called during a search.
func (e *Engine) SetHash(mebibytes int) error {
	table, err := tt.New(mebibytes)
	if err != nil {
		return err
	}
	e.table.Free()
	e.table = table
	return nil
}

// Clear empties the table and forgets what was learnt of move ordering.
func (e *Engine) Clear() {
	e.table.Clear()
	for _, w := range e.workers {
		w.order = order{}
	}
}

// SetThreads sets how many threads search. It must not be called during a search.
func (e *Engine) SetThreads(n int) {
	e.threads = n
	e.workers = e.workers[:min(n, len(e.workers))]
}

// Start begins a search and returns at once; the end comes by OnBest, on
// another goroutine. The game belongs to the search until then.
func (e *Engine) Start(s Search) {
	stop := e.begin(s.Ponder)
	e.running.Add(1)
	go func() {
		defer e.running.Done()
		defer recovered(s.OnPanic)
		s.OnBest(e.run(s, stop))
	}()
}

// recovered is deferred where a goroutine begins: it hands a panic on.
func recovered(onPanic func(any)) {
	if onPanic == nil {
		return
	}
	if p := recover(); p != nil {
		onPanic(p)
	}
}

// Run searches and returns the end.
func (e *Engine) Run(s Search) Result { return e.run(s, e.begin(s.Ponder)) }

// begin waits for the search before; a Stop or a PonderHit from here on is for
// the next.
func (e *Engine) begin(ponder bool) *stop {
	e.Wait()
	s := newStop()
	s.pondering.Store(ponder)
	e.stop.Store(s)
	return s
}

// Stop asks the running search to end; it answers by OnBest soon after.
func (e *Engine) Stop() {
	if s := e.stop.Load(); s != nil {
		s.ask()
	}
}

// PonderHit says that the move pondered on was played: the limits of time count
// from now on.
func (e *Engine) PonderHit() {
	s := e.stop.Load()
	if s == nil || !s.pondering.Load() {
		return
	}
	s.hitAfter.Store(int64(time.Since(s.begun)))
	if s.pondering.CompareAndSwap(true, false) {
		close(s.hit)
	}
}

// Wait returns when no search is running.
func (e *Engine) Wait() { e.running.Wait() }
