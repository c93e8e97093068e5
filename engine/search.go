package engine

import (
	"qirkat/movegen"
	"qirkat/tt"
)

// search gives the score of the position for the side to move, turn, searched
// to a depth in plies, in the negamax form of principal variation search
// (T. A. Marsland and M. Campbell, "Parallel Search of Strongly Ordered Game
// Trees", 1982). Scores up to alpha and from beta on are bounds only.
func (w *worker) search(alpha, beta Score, depth, ply int, turn movegen.Side) Score {
	if w.stopped() {
		return 0
	}
	f := &w.frames[ply]
	f.length = 0
	without := f.without - 1

	// 1. The end of the game by quiet or repeated play. Inside the tree one
	// repetition is enough: who could go round once could do so for ever.
	if depth <= 0 || ply >= MaxPly {
		if w.Stalled(0) {
			return w.stalled(turn, ply)
		}
		return w.quiesce(alpha, beta, ply, turn)
	}
	if w.Stalled(ply) {
		return w.stalled(turn, ply)
	}
	w.seldepth = max(w.seldepth, ply)
	best := -infinite
	if alpha < MaxEval && w.uses(UpcomingRepetition) && w.CanRepeat(ply) {
		if s := w.endless(turn, ply); s > alpha {
			if s >= beta {
				return s
			}
			best, alpha = s, s
		}
	}

	// 2. No line from here can be better than a win at once, nor worse than a
	// loss at once.
	alpha, beta = max(alpha, Score(ply)-Win), min(beta, Win-Score(ply)-1)
	if alpha >= beta {
		return alpha
	}

	// 3. The transposition table, but not one ply above quiescence: to wait for
	// memory costs more there than it saves. A line of the principal variation
	// is always searched, so that it is whole.
	pv := beta-alpha > 1
	var key uint64
	var known tt.Entry
	hit, remember := false, depth >= tableDepth && (without < 0 || w.shared != nil)
	if remember {
		left := w.QuietLeft()
		key = withoutKey(quietKey(w.Key(), left, depth), without)
		known, hit = w.table.Probe(key)
		if hit && !pv && known.Depth >= depth && sure(Score(known.Score), left) {
			if s := fromTable(known.Score, ply); known.Bound == tt.Exact ||
				known.Bound == tt.Lower && s >= beta || known.Bound == tt.Upper && s <= alpha {
				return s
			}
		}
	}

	// 4. Endgame tables: what they know needs no search.
	if w.Tables != nil && depth >= w.probe {
		if result, plies, exact, ok := w.Probe(); ok {
			w.hits++
			return tableScore(result, plies, ply, exact)
		}
	}

	// 5. The moves; without any the game is over. A place of the table that the
	// list does not have belongs to another position of the same key.
	start := len(w.moves)
	w.moves = w.Moves(w.moves)
	n := len(w.moves) - start
	if n == 0 {
		return final(w.Outcome(), turn, ply)
	}
	w.grow()
	first := tt.NoPlace
	if hit && known.Place < n {
		first = known.Place
	}

	// 6. How the position stands, where that can be said: not where a capture
	// must be answered first.
	calm := w.neverForced || w.moves[start].Gain() == 0
	shallow := !pv && calm && without < 0 && depth <= shallowDepth && beta > -decided && alpha < decided
	var stands Score
	if shallow {
		stands = Score(w.Eval())
		if w.uses(ReverseFutility) && stands-reverseMargin*Score(depth) >= beta {
			w.moves = w.moves[:start]
			return stands
		}
	}

	// 7. What shallower searches say of the node, and of the table's move.
	extra := 0
	if w.neverForced && without < 0 && depth >= probDepth {
		s, cut := Score(0), false
		if extra, s, cut = w.foresee(&node{known, hit, start, first, beta, depth, ply, turn, pv}); cut || w.stopped() {
			w.moves = w.moves[:start]
			return s
		}
	}

	// 8. The first move with the full window, the others with an empty one
	// that only asks whether they are better, and again if they are.
	bestPlace := tt.NoPlace
	bound := tt.Upper
	share := w.shared != nil && remember && depth >= shareDepth
	seen, later := 0, 0
	for i := 0; i < n; i++ {
		var place, nth int
		if seen < n {
			place, nth = w.choose(start, seen, first, ply, turn), seen
			seen++
			if share && i > 0 && w.shared.busy(taskOf(key, &w.moves[start+place])) {
				w.later[start+later] = putOff{place, nth}
				later++
				i--
				continue
			}
		} else {
			later--
			place, nth = w.later[start+later].place, w.later[start+later].nth
		}
		w.tried[start+i] = int32(place)
		if place == without {
			continue
		}
		m := w.moves[start+place]
		quiet := m.Gain() == 0
		if shallow && i > 0 && quiet && best > -decided {
			if w.neverForced && w.uses(LateMovePruning) && i >= lateMoves(depth) {
				break
			}
			if hope := stands + futilityMargin*Score(depth); w.uses(Futility) && hope <= alpha {
				best = max(best, hope)
				continue
			}
		}
		var task uint64
		if share && i > 0 {
			task = taskOf(key, &m)
			w.shared.begin(task)
		}
		deeper := 0
		if place == first {
			deeper = extra
		}
		s := w.child(m, alpha, beta, depth-1+deeper, w.reduction(depth, nth, quiet, pv), ply, turn, i == 0)
		w.shared.end(task)
		if w.stopped() {
			break
		}
		if s <= best {
			continue
		}
		best, bestPlace = s, place
		if s <= alpha {
			continue
		}
		alpha, bound = s, tt.Exact
		if pv {
			w.setLine(ply, m)
		}
		if s >= beta {
			bound = tt.Lower
			w.cutoff(start, i, depth, ply, turn)
			break
		}
	}
	w.moves = w.moves[:start]
	if w.stopped() {
		return 0
	}
	if remember {
		w.table.Store(key, tt.Entry{Place: min(bestPlace, tt.NoPlace), Score: int(toTable(best, ply)), Depth: depth, Bound: bound})
	}
	return best
}

// tableDepth is the least depth in plies of a node that uses the table (chosen:
// in time to depth 2 beats 1 by 5 % over the bench positions, 24 MiB of table).
const tableDepth = 2

// child makes a move and searches the position after it; full says that the
// whole window is wanted at once. Less by reduced plies first, and to the whole
// depth if the move is better than expected.
func (w *worker) child(m movegen.Move, alpha, beta Score, depth, reduced, ply int, turn movegen.Side, full bool) Score {
	w.frames[ply].context = context(&m)
	w.Make(m)
	w.count()
	if depth-reduced >= tableDepth {
		w.table.Touch(w.Key())
	}
	next := w.Turn()
	var s Score
	if !full {
		s = w.answer(alpha, alpha+1, depth-reduced, ply+1, turn, next)
		if s > alpha && reduced > 0 {
			s = w.answer(alpha, alpha+1, depth, ply+1, turn, next)
		}
	}
	if full || s > alpha && s < beta {
		s = w.answer(alpha, beta, depth, ply+1, turn, next)
	}
	w.Unmake()
	return s
}

// answer is the score of the position after a move, for the side that made it:
// the sign changes when the turn does, which no law says it must.
func (w *worker) answer(alpha, beta Score, depth, ply int, turn, next movegen.Side) Score {
	if next == turn {
		return w.search(alpha, beta, depth, ply, next)
	}
	return -w.search(-beta, -alpha, depth, ply, next)
}

// stalled is the score where going on for ever ends the game, or might.
func (w *worker) stalled(turn movegen.Side, ply int) Score {
	if o := w.Outcome(); o.Over() {
		return w.ended(o, turn, ply)
	}
	return w.endless(turn, ply)
}

// endless is the score of going on for ever.
func (w *worker) endless(turn movegen.Side, ply int) Score { return w.ended(w.Cycle(), turn, ply) }

// ended is the score of an end by quiet or repeated play.
func (w *worker) ended(o movegen.Outcome, turn movegen.Side, ply int) Score {
	if o.Winner == movegen.None {
		return w.draws[turn&1]
	}
	return final(o, turn, ply)
}

// quietKey is the key of a position in the table. Where the count of quiet
// plies can end the game within the depth, the score depends on the count.
func quietKey(key uint64, left, depth int) uint64 {
	if left > depth {
		return key
	}
	return key ^ uint64(left+1)*0x9e3779b97f4a7c15
}

// withoutKey is the key of a position where the move at a place is left out; -1:
// none is. Only a team wants it, to share out that search as well.
func withoutKey(key uint64, place int) uint64 { return key ^ uint64(place+1)*0x9fb21c651e98df25 }

// sure reports whether a score of the table holds with so many quiet plies left:
// a win or a loss that takes longer may not come about.
func sure(s Score, left int) bool {
	plies, over := s.latest()
	return !over || plies <= left
}

// cutoff learns from the move that was too good: the i-th tried of the list
// from start on. The moves tried before it were not as good.
func (w *worker) cutoff(start, i, depth, ply int, turn movegen.Side) {
	tried := w.tried[start : start+i+1]
	m := &w.moves[start+int(tried[i])]
	past := w.past(ply, turn)
	bonus := min(depth*depth*4, historyMax/8)
	past.learn(m, bonus)
	for _, place := range tried[:i] {
		past.learn(&w.moves[start+int(place)], -bonus)
	}
}

// toTable and fromTable count won and lost games from the position instead of from
// the root.
func toTable(s Score, ply int) Score {
	switch {
	case s > decided:
		return s + Score(ply)
	case s < -decided:
		return s - Score(ply)
	}
	return s
}

func fromTable(score, ply int) Score {
	switch s := Score(score); {
	case s > decided:
		return s - Score(ply)
	case s < -decided:
		return s + Score(ply)
	default:
		return s
	}
}
