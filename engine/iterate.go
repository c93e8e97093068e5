package engine

import (
	"slices"
	"time"

	"qirkat/movegen"
	"qirkat/tt"
)

// rootMove is a move of the root with the size of its tree.
type rootMove struct {
	move  movegen.Move
	nodes uint64 // in the last iteration
}

// run is a whole search.
func (e *Engine) run(s Search, stop *stop) Result {
	if e.worker == nil {
		e.worker = newWorker()
	}
	w := e.worker
	w.begin(s.Game, s.Limits, e.table, stop)
	root := w.rootMoves(s.SearchMoves)
	if len(root) == 0 || w.Outcome().Over() {
		if s.Infinite {
			<-stop.wake
		}
		return Result{}
	}
	if w.watch.hard < forever {
		timer := time.AfterFunc(w.watch.hard, stop.ask)
		defer timer.Stop()
	}

	// Until an iteration is through, the first move is as good as any.
	result := Result{Best: root[0].move, Found: true}
	result.Info = Info{Depth: 1, Bound: tt.Exact, Score: Score(w.Eval()), PV: []movegen.Move{root[0].move}}
	w.deepen(root, s.Limits, func(i Info) {
		if i.Bound != tt.Upper {
			result.Best = i.PV[0]
		}
		result.Info = i
		if s.OnInfo != nil {
			s.OnInfo(i)
		}
	})
	if s.Infinite {
		<-stop.wake
	}
	w.complete(&result.Info)
	result.PV[0] = result.Best
	if s.OnInfo != nil {
		s.OnInfo(result.Info)
	}
	return result
}

// rootMoves lists the legal moves, or those of them that are asked for.
func (w *worker) rootMoves(asked []movegen.Move) []rootMove {
	wanted := make(map[movegen.Move]bool, len(asked))
	for _, m := range asked {
		wanted[m] = true
	}
	var root []rootMove
	for _, m := range w.Moves(nil) {
		if asked == nil || wanted[m] {
			root = append(root, rootMove{move: m})
		}
	}
	return root
}

// deepen searches one ply deeper at a time (iterative deepening) until a limit
// is reached or nothing is left to find.
func (w *worker) deepen(root []rootMove, l Limits, report func(Info)) {
	deepest := MaxPly - 1
	if l.Depth > 0 {
		deepest = min(deepest, l.Depth)
	}
	var score Score
	for depth := 1; depth <= deepest; depth++ {
		score = w.aspire(root, depth, score, report)
		if w.stopped() {
			return
		}
		report(w.info(depth, score, tt.Exact))
		plies, proven := score.Plies()
		switch {
		case l.Mate > 0 && proven && plies > 0 && plies <= l.Mate:
			return
		case !w.watch.another():
			return
		case w.watch.limited() && proven && max(plies, -plies) <= depth:
			return // the shortest way is found: deeper there is nothing new
		}
	}
}

// aspire searches the root with a window around the score of the iteration
// before, and widens it on the side where the true score lies outside.
func (w *worker) aspire(root []rootMove, depth int, guess Score, report func(Info)) Score {
	const (
		firstWidth = 40 // centipieces (chosen)
		fromDepth  = 4
	)
	width := Score(firstWidth)
	alpha, beta := -infinite, infinite
	if depth >= fromDepth {
		alpha, beta = max(guess-width, -infinite), min(guess+width, infinite)
	}
	for {
		score := w.searchRoot(root, alpha, beta, depth)
		if w.stopped() {
			return score
		}
		var bound Bound
		switch {
		case score <= alpha:
			bound, alpha = tt.Upper, max(score-width, -infinite)
			w.setLine(0, root[0].move)
		case score >= beta:
			bound, beta = tt.Lower, min(score+width, infinite)
		default:
			return score
		}
		if w.watch.elapsed() >= boundsAfter {
			report(w.info(depth, score, bound))
		}
		width *= 3
		if width > Win {
			alpha, beta = -infinite, infinite
		}
	}
}

// boundsAfter is how long scores outside the window are kept quiet, so that a
// short search does not flood its reader.
const boundsAfter = 500 * time.Millisecond

// searchRoot is search for the root: it keeps the moves in order, the best
// first and the others by the size of their trees.
func (w *worker) searchRoot(root []rootMove, alpha, beta Score, depth int) Score {
	turn := w.Turn()
	best := -infinite
	for i := range root {
		before := w.nodes
		s := w.child(root[i].move, alpha, beta, depth-1, 0, turn, i == 0)
		root[i].nodes = w.nodes - before
		if w.stopped() {
			return best
		}
		if s <= best {
			continue
		}
		best = s
		if s > alpha {
			alpha = s
			w.setLine(0, root[i].move)
			first := root[i]
			copy(root[1:i+1], root[:i])
			root[0] = first
		}
		if s >= beta {
			break
		}
	}
	slices.SortStableFunc(root[1:], func(a, b rootMove) int {
		switch {
		case a.nodes > b.nodes:
			return -1
		case a.nodes < b.nodes:
			return 1
		}
		return 0
	})
	return best
}

// info is a report on an iteration.
func (w *worker) info(depth int, score Score, bound Bound) Info {
	i := Info{Depth: depth, Score: score, Bound: bound, PV: w.line()}
	w.complete(&i)
	return i
}

// complete brings the counts of a report up to now.
func (w *worker) complete(i *Info) {
	i.SelDepth = max(w.seldepth, i.Depth)
	i.Nodes = w.nodes
	i.Time = w.watch.elapsed()
	i.HashFull = w.table.HashFull()
}
