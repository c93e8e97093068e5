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

	// symmetries are permutations of the points that map the steps and jumps of
	// each side onto themselves, the identity first; inverse[t] is the place of
	// the one that undoes symmetries[t].
	symmetries [][64]movegen.Point
	inverse    []int
}

// ways are the steps and jumps of the two sides: by side and point, the points
// that one leads to.
type ways struct{ steps, jumps [2][64]movegen.Set }

func newGeometry(z movegen.Size, w *ways) *geometry {
	g := &geometry{size: z, points: z.W * z.H, steps: w.steps}
	g.all = 1<<g.points - 1
	for _, t := range boardSymmetries(z) {
		if w.invariant(&t, g.points) {
			g.symmetries = append(g.symmetries, t)
		}
	}
	for t := range g.symmetries {
		g.inverse = append(g.inverse, slices.IndexFunc(g.symmetries, func(u [64]movegen.Point) bool {
			return undoes(&u, &g.symmetries[t], g.points)
		}))
	}
	return g
}

// undoes reports whether u leads every point back that t has moved.
func undoes(u, t *[64]movegen.Point, points int) bool {
	for p := range movegen.Point(points) {
		if u[t[p]&63] != p {
			return false
		}
	}
	return true
}

// boardSymmetries are the four maps of a rectangle onto itself, eight of a
// square, the identity first.
func boardSymmetries(z movegen.Size) [][64]movegen.Point {
	var list [][64]movegen.Point
	for i := range 8 {
		if i&4 != 0 && z.W != z.H {
			break
		}
		var t [64]movegen.Point
		for r := range z.H {
			for c := range z.W {
				x, y := c, r
				if i&1 != 0 {
					x = z.W - 1 - x
				}
				if i&2 != 0 {
					y = z.H - 1 - y
				}
				if i&4 != 0 {
					x, y = y, x
				}
				t[z.At(c, r)] = z.At(x, y)
			}
		}
		list = append(list, t)
	}
	return list
}

// invariant reports whether a permutation of the points leaves all ways as
// they are.
func (w *ways) invariant(t *[64]movegen.Point, points int) bool {
	for p := range points {
		for side := range w.steps {
			if permute(t, w.steps[side][p]) != w.steps[side][t[p]] || permute(t, w.jumps[side][p]) != w.jumps[side][t[p]] {
				return false
			}
		}
	}
	return true
}

// permute maps every point of a set.
func permute(t *[64]movegen.Point, s movegen.Set) movegen.Set {
	var m movegen.Set
	for ; s != 0; s = s.Rest() {
		m |= movegen.Bit(t[s.First()])
	}
	return m
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
