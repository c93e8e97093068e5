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

// node is what the search knows of a position when it has listed its moves.
type node struct {
	known      tt.Entry // of the table,
	hit        bool     // if it had the position
	start      int      // of the list of moves
	first      int      // the place of the table's move, or tt.NoPlace
	beta       Score
	depth, ply int
	turn       movegen.Side
	pv         bool
}

// foresee asks shallower searches whether the node can be cut, with the score s,
// and whether its best move should be searched by extra plies. Not where captures
// can be forced: shallow searches most often end in the middle of exchanges there.
func (w *worker) foresee(n *node) (extra int, s Score, cut bool) {
	stored := fromTable(n.known.Score, n.ply)
	if w.uses(SingularExtension) && n.depth >= singularDepth && n.ply > 0 && n.ply < 2*w.iteration && len(w.moves)-n.start > 1 &&
		n.first != tt.NoPlace && n.known.Bound != tt.Upper && n.known.Depth >= n.depth-singularAge && stored < decided && stored > -decided {
		if extra, s, cut = w.singular(n, stored); cut {
			return 0, s, true
		}
	}
	if w.uses(ProbCut) && !n.pv && n.beta > -decided && n.beta < decided && !w.stopped() &&
		!(n.hit && n.known.Depth > n.depth-probReduction && stored < n.beta+probMargin) {
		s, cut = w.probCut(n)
	}
	return extra, s, cut
}

// probCut looks for a capture that a shallower search sees far above the window:
// the whole search would most probably see it above the window too (M. Buro,
// "ProbCut: An Effective Selective Extension of the Alpha-Beta Algorithm", 1995).
func (w *worker) probCut(n *node) (s Score, cut bool) {
	high := n.beta + probMargin
	tried := 0
	for i := range len(w.moves) - n.start {
		m := w.moves[n.start+w.choose(n.start, i, n.first, n.ply, n.turn)]
		if m.Gain() == 0 {
			if i == 0 && n.first != tt.NoPlace {
				continue
			}
			break
		}
		if tried++; tried > probMoves {
			break
		}
		s = w.child(m, high-1, high, 0, 0, n.ply, n.turn, true)
		if s >= high && !w.stopped() {
			s = w.child(m, high-1, high, n.depth-probReduction, 0, n.ply, n.turn, true)
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
func (w *worker) singular(n *node, stored Score) (extra int, s Score, cut bool) {
	low := stored - singularMargin*Score(n.depth)
	w.frames[n.ply].without = n.first + 1
	s = w.search(low-1, low, (n.depth-1)/2, n.ply, n.turn)
	w.frames[n.ply].without = 0
	switch {
	case w.stopped():
		return 0, 0, false
	case s < low:
		return 1, 0, false
	}
	return 0, low, low >= n.beta && !n.pv
}
