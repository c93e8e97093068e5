package engine

import (
	"math"
	"slices"
	"sync"
	"time"

	"qirkat/movegen"
	"qirkat/tt"
)

// rootMove is a move of the root with the size of its tree.
type rootMove struct {
	move  movegen.Move
	nodes uint64 // in the last iteration
	score Score  // of the last iteration in which it led a line
	line  []movegen.Move
}

// run is a whole search.
func (e *Engine) run(s Search, stop *stop) Result {
	threads := e.threads
	if s.Another == nil {
		threads = 1
	}
	for len(e.workers) < threads {
		e.workers = append(e.workers, newWorker())
	}
	team := e.workers[:threads]
	w := team[0]
	e.table.NextAge()
	w.begin(s, e.table, stop)
	w.team = team
	if threads > 1 {
		w.shared = &e.tasks
	}
	e.lead.Store(&reached{})
	if threads > 1 && s.Lines <= 1 {
		w.lead = &e.lead
	}
	w.current = current{tell: s.OnCurrent}
	root := w.rootMoves(s)
	if len(root) == 0 || w.Outcome().Over() {
		if s.Infinite {
			<-stop.wake
		}
		return Result{}
	}
	if s.Proven != nil {
		return w.answerProven(s)
	}
	if w.watch.hard < forever {
		defer w.watch.ring(stop)()
	}
	wait := w.gather(s)

	// Until an iteration is through, the first move is as good as any.
	result := Result{Best: root[0].move, Found: true}
	result.Info = Info{Line: 1, Depth: 1, Bound: tt.Exact, Score: Score(w.Eval()), PV: []movegen.Move{root[0].move}}
	w.deepen(root, s, func(i Info) {
		if i.Line == 1 {
			if i.Bound != tt.Upper {
				result.Best = i.PV[0]
			}
			result.Info = i
		}
		if s.OnInfo != nil && !stop.pondering.Load() {
			s.OnInfo(i)
		}
	})
	stop.await(s.Infinite)
	stop.asked.Store(true)
	wait()
	if r := e.lead.Load(); r.depth > result.Depth {
		result.Best = r.line[0]
		result.Info = Info{Line: 1, Depth: r.depth, Bound: tt.Exact, Score: r.score, PV: r.line}
	}
	w.complete(&result.Info)
	result.PV[0] = result.Best
	if n, proven := result.Score.Plies(); proven && w.Tables != nil {
		result.PV = w.lengthen(result.PV, max(n, -n))
	}
	if s.OnInfo != nil {
		s.OnInfo(result.Info)
	}
	return result
}

// answerProven is a search that need not look.
func (w *worker) answerProven(s Search) Result {
	w.stop.await(s.Infinite)
	r := Result{Best: s.Proven.Move, Found: true}
	r.Info = Info{
		Line: 1, Depth: 1, Score: max(Win-Score(s.Proven.Plies), MaxEval+1), Bound: tt.Lower,
		PV: []movegen.Move{s.Proven.Move},
	}
	w.complete(&r.Info)
	if s.OnInfo != nil {
		s.OnInfo(r.Info)
	}
	return r
}

// gather starts the other workers of the team on copies of the game (lazy SMP:
// what they find they share by the table). The function that it gives waits for
// their end.
func (w *worker) gather(s Search) (wait func()) {
	var running sync.WaitGroup
	for _, other := range w.team[1:] {
		own := s
		own.Game = s.Another()
		other.begin(own, w.table, w.stop)
		other.watch.nodes = math.MaxUint64
		other.shared, other.lead = w.shared, w.lead
		moves := other.rootMoves(s)
		running.Add(1)
		go func() {
			defer running.Done()
			defer recovered(s.OnPanic)
			other.help(moves, s.deepest())
		}()
	}
	return running.Wait
}

// deepest is the last iteration of a search.
func (l *Limits) deepest() int {
	if l.Depth > 0 {
		return min(MaxPly-1, l.Depth)
	}
	return MaxPly - 1
}

// help deepens without a word until it is stopped.
func (w *worker) help(root []rootMove, deepest int) {
	for r := new(reached); r.depth < deepest && !w.over(); {
		score := w.aspire(root, r.depth+1, r.score, func(Info) {})
		if !w.over() {
			r = w.finish(root, r.depth+1, score)
		}
	}
	w.counted.Store(w.nodes)
}

// rootMoves lists the legal moves, or those of them that are asked for; where
// tables know the position and one line is wanted, the best of them.
func (w *worker) rootMoves(s Search) []rootMove {
	wanted := make(map[movegen.Move]bool, len(s.SearchMoves))
	for _, m := range s.SearchMoves {
		wanted[m] = true
	}
	var moves []movegen.Move
	for _, m := range w.Moves(nil) {
		if s.SearchMoves == nil || wanted[m] {
			moves = append(moves, m)
		}
	}
	if w.Tables != nil {
		if best := w.Root(moves); s.Lines <= 1 {
			moves = best
		}
	}
	var root []rootMove
	for _, m := range moves {
		root = append(root, rootMove{move: m})
	}
	return root
}

// deepen searches one ply deeper at a time (iterative deepening) until a limit
// is reached or nothing is left to find.
func (w *worker) deepen(root []rootMove, s Search, report func(Info)) {
	deepest := s.deepest()
	lines := min(max(s.Lines, 1), len(root))
	for depth := 1; depth <= deepest; depth++ {
		last := root[0]
		before := w.nodes
		for k := range lines {
			w.current.lines = k
			score := w.aspire(root[k:], depth, root[k].score, func(i Info) {
				i.Line = k + 1
				report(i)
			})
			if w.over() {
				return
			}
			r := w.finish(root[k:], depth, score)
			depth, root[k].score, root[k].line = r.depth, r.score, r.line
			report(w.info(k+1, r, tt.Exact))
		}
		if w.sortLines(root[:lines]) {
			for k := range lines {
				report(w.info(k+1, &reached{depth, root[k].score, slices.Clone(root[k].line)}, tt.Exact))
			}
		}
		plies, proven := root[0].score.Plies()
		w.watch.learn(last.move != root[0].move, int(last.score-root[0].score), float64(root[0].nodes)/float64(max(1, w.nodes-before)))
		switch {
		case s.Mate > 0 && proven && plies > 0 && plies <= s.Mate:
			return
		case !w.watch.another(w.stop):
			return
		case w.watch.limited() && proven && max(plies, -plies) <= depth:
			return // the shortest way is found: deeper there is nothing new
		case w.watch.clocked && !s.Analysis && len(root) == 1 && depth > 1 && !w.stop.pondering.Load():
			return // nothing to think about, and the answer to expect is known
		}
	}
}

// sortLines brings the lines in the order of their scores, and reports whether
// they were not.
func (w *worker) sortLines(lines []rootMove) bool {
	better := func(a, b rootMove) int { return int(b.score - a.score) }
	if slices.IsSortedFunc(lines, better) {
		return false
	}
	slices.SortStableFunc(lines, better)
	return true
}

// aspire searches the root with a window around the score of the iteration
// before, and widens it on the side where the true score lies outside.
func (w *worker) aspire(root []rootMove, depth int, guess Score, report func(Info)) Score {
	const (
		firstWidth = 40 // centipieces (chosen)
		fromDepth  = 4
	)
	w.iteration = depth
	width := Score(firstWidth)
	alpha, beta := -infinite, infinite
	if depth >= fromDepth && w.uses(AspirationWindow) {
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
			report(w.info(1, &reached{depth, score, w.line()}, bound))
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

// searchRoot is search for the root: it puts the best move in front of the others.
func (w *worker) searchRoot(root []rootMove, alpha, beta Score, depth int) Score {
	turn := w.Turn()
	best := -infinite
	key, later := w.Key(), 0
	for i := range root {
		task := w.take(root, i, key, depth, &later)
		w.begins(depth, i, root[i].move)
		before := w.nodes
		s := w.child(root[i].move, alpha, beta, depth-1, w.reduction(depth, i, root[i].move.Gain() == 0, true), 0, turn, i == 0)
		w.shared.end(task)
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
			toFront(root, i)
		}
		if s >= beta {
			break
		}
	}
	return best
}

// toFront brings a move in front of those before it.
func toFront(root []rootMove, i int) {
	first := root[i]
	copy(root[1:i+1], root[:i])
	root[0] = first
}

// info is a report on an iteration.
func (w *worker) info(line int, r *reached, bound Bound) Info {
	i := Info{Line: line, Depth: r.depth, Score: r.score, Bound: bound, PV: r.line}
	w.complete(&i)
	return i
}

// lengthen has the tables go on with a line that they have cut short. It takes
// as long as thousands of nodes, so only the last report has it.
func (w *worker) lengthen(line []movegen.Move, plies int) []movegen.Move {
	if len(line) >= plies {
		return line
	}
	for _, m := range line {
		w.Make(m)
	}
	rest := w.Line(plies - len(line))
	for range line {
		w.Unmake()
	}
	return append(line, rest...)
}

// complete brings the counts of a report up to now.
func (w *worker) complete(i *Info) {
	i.SelDepth = max(w.seldepth, i.Depth)
	i.Nodes = w.nodes
	for _, other := range w.team[1:] {
		i.Nodes += other.counted.Load()
	}
	i.TableHits = w.hits
	i.Time = w.watch.elapsed()
	i.HashFull = w.table.HashFull()
}
