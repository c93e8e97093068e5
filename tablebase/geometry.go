package tablebase

import (
	"slices"

	"qirkat/movegen"
)

// geometry is a board as the index sees it: its points, the steps of each
// side, and the symmetries that the rules leave.
type geometry struct {
	size   movegen.Size
	points int
	all    movegen.Set
	steps  [2][64]movegen.Set // by side and point: where a step leads

	// symmetries are those of the rules; inverse[t] is the place of the one that
	// undoes symmetries[t].
	symmetries []movegen.Symmetry
	inverse    []int
}

func newGeometry(v *movegen.Variant, steps [2][64]movegen.Set) *geometry {
	z := v.Size
	g := &geometry{size: z, points: z.W * z.H, steps: steps, symmetries: v.Symmetries()}
	g.all = 1<<g.points - 1
	for t := range g.symmetries {
		g.inverse = append(g.inverse, slices.IndexFunc(g.symmetries, func(u movegen.Symmetry) bool {
			return undoes(&u, &g.symmetries[t], g.points)
		}))
	}
	return g
}

// undoes reports whether u leads every point back that t has moved.
func undoes(u, t *movegen.Symmetry, points int) bool {
	for p := range movegen.Point(points) {
		if u[t[p]&63] != p {
			return false
		}
	}
	return true
}

// turn turns the board round by half: what White sees becomes what Black saw.
func (g *geometry) turn(s movegen.Set) movegen.Set {
	return s.Turned(g.points)
}

// choose[k][n] is n over k: the number of sets of k out of n points.
var choose = func() (c [MaxPieces + 1][64]int) {
	for n := range 64 {
		c[0][n] = 1
		for k := 1; k <= min(n, MaxPieces); k++ {
			c[k][n] = c[k-1][n-1] + c[k][n-1]
		}
	}
	return c
}()

// rank is the place of a set among all sets of its size, in the order of the
// numbers that their bits make (the combinatorial number system; D. E. Knuth,
// The Art of Computer Programming 4A, 7.2.1.3).
func rank(s movegen.Set) int {
	r := 0
	for k := 1; s != 0; k++ {
		r += choose[k][s.First()]
		s = s.Rest()
	}
	return r
}

// eachSet calls f with every set of k out of n points, in the order of rank.
func eachSet(n, k int, f func(r int, s movegen.Set)) {
	s := movegen.Set(1)<<k - 1
	for r := range choose[k][n] {
		f(r, s)
		if low := s.Lowest(); low != 0 { // R. W. Gosper, HAKMEM item 175, 1972
			next := s + low
			s = next | (s^next)>>2/low
		}
	}
}
