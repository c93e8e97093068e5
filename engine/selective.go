package engine

import (
	"math"

	"qirkat/movegen"
	"qirkat/tt"
)

// Numbers of the selective search, in centipieces and plies (chosen, by matches
// recorded in bench/README.md).
const (
	shallowDepth   = 3   // up to it a node may be judged by how it stands
	reverseMargin  = 140 // that a node must stand above the window, for each ply of depth
	futilityMargin = 140 // that a quiet move may be hoped to gain, for each ply of depth
	probDepth      = 5   // from it on a node may be cut by a shallow search
	probMargin     = 150 // that the shallow search must end above the window
	probReduction  = 4   // by which it is shallower
	probMoves      = 3   // captures that are tried
	singularDepth  = 6   // from it on the table's move is compared with the others
	singularAge    = 3   // plies that the table may have searched it less deep
	singularMargin = 2   // by which it must be better, for each ply of depth
)

// lateMoves is how many moves of a shallow node are tried at least.
func lateMoves(depth int) int { return 3 + depth*depth }

// reductions is by how many plies a move is reduced, by depth and by the number
// of moves tried before it.
var reductions = func() (table [MaxPly][64]int8) {
	for depth := 1; depth < len(table); depth++ {
		for tried := 1; tried < len(table[depth]); tried++ {
			table[depth][tried] = int8(0.2 + math.Log(float64(depth))*math.Log(float64(tried))/2.4)
		}
	}
	return table
}()

// reduction is by how many plies the i-th move tried is reduced at first. In
// games where a capture can be forced none is, and none is left out for coming
// late: it is often a sacrifice that leaves no choice (bench/README.md).
func (w *worker) reduction(depth, i int, quiet, pv bool) int {
	if depth < 3 || i == 0 || !w.neverForced || !w.uses(LateMoveReduction) {
		return 0
	}
	r := int(reductions[min(depth, MaxPly-1)][min(i, 63)])
	if pv {
		r--
	}
	if !quiet {
		r--
	}
	return max(0, min(r, depth-2))
}

// foresee asks shallower searches whether the node can be cut, with the score s,
// and whether its best move should be searched by extra plies. Not where captures
// can be forced: shallow searches most often end in the middle of exchanges there.
func (w *worker) foresee(known tt.Entry, hit bool, start, first int, beta Score, depth, ply int, turn movegen.Side, pv bool) (extra int, s Score, cut bool) {
	stored := fromTable(known.Score, ply)
	if w.uses(SingularExtension) && depth >= singularDepth && ply > 0 && ply < 2*w.iteration && len(w.moves)-start > 1 &&
		first != tt.NoPlace && known.Bound != tt.Upper && known.Depth >= depth-singularAge && stored < MaxEval && stored > -MaxEval {
		if extra, s, cut = w.singular(stored, first, beta, depth, ply, turn, pv); cut {
			return 0, s, true
		}
	}
	if w.uses(ProbCut) && !pv && beta > -MaxEval && beta < MaxEval && !w.stopped() &&
		!(hit && known.Depth > depth-probReduction && stored < beta+probMargin) {
		s, cut = w.probCut(start, first, beta+probMargin, depth-probReduction, ply, turn)
	}
	return extra, s, cut
}

// probCut looks for a capture that a search to a lesser depth sees far above the
// window, from high on: the whole search would most probably see it above the
// window too (M. Buro, "ProbCut: An Effective Selective Extension of the
// Alpha-Beta Algorithm", 1995).
func (w *worker) probCut(start, first int, high Score, depth, ply int, turn movegen.Side) (s Score, cut bool) {
	tried := 0
	for i := range len(w.moves) - start {
		m := w.moves[start+w.choose(start, i, first, ply, turn)]
		if m.Gain() == 0 {
			if i == 0 && first != tt.NoPlace {
				continue
			}
			break
		}
		if tried++; tried > probMoves {
			break
		}
		s = w.child(m, high-1, high, 0, 0, ply, turn, true)
		if s >= high && !w.stopped() {
			s = w.child(m, high-1, high, depth, 0, ply, turn, true)
		}
		switch {
		case w.stopped():
			return 0, false
		case s >= high:
			return s, true
		}
	}
	return 0, false
}

// singular compares the table's move with the others, by a search of half the
// depth without it. Where they are all worse by a margin the move is searched a
// ply deeper (T. Anantharaman, M. Campbell and F. Hsu, "Singular Extensions:
// Adding Selectivity to Brute-Force Searching", 1990); where another one is
// above the window as well, the node is cut.
func (w *worker) singular(stored Score, first int, beta Score, depth, ply int, turn movegen.Side, pv bool) (extra int, s Score, cut bool) {
	low := stored - singularMargin*Score(depth)
	w.frames[ply].without = first + 1
	s = w.search(low-1, low, (depth-1)/2, ply, turn)
	w.frames[ply].without = 0
	switch {
	case w.stopped():
		return 0, 0, false
	case s < low:
		return 1, 0, false
	}
	return 0, low, low >= beta && !pv
}
