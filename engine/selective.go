package engine

import "math"

// Numbers of the selective search, in centipieces and plies (chosen, by matches
// recorded in bench/README.md).
const (
	shallowDepth   = 3   // up to it a node may be judged by how it stands
	reverseMargin  = 140 // that a node must stand above the window, for each ply of depth
	futilityMargin = 140 // that a quiet move may be hoped to gain, for each ply of depth
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
