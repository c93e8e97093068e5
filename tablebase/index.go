package tablebase

import (
	"math/bits"

	"qirkat/movegen"
)

// An index numbers the positions of a material: so many pieces of the side that
// has more, the larger, and of the other, the smaller. The places of one set of
// the larger side are a block, so a step of the smaller side stays in its block.
//
//	place = class of the larger set · C(points − larger, smaller)
//	      + rank of the smaller set among the points left free
//
// A class is a larger set together with all that symmetries make of it; the set
// of lowest rank stands for it. Where a symmetry maps that set onto itself,
// positions that differ by it only have a place each, and the same value.
type index struct {
	*geometry
	*classes
	larger, smaller int
	block           int // places of a block
	combinations    *combinations
}

// classes are the sets of so many points up to symmetry.
type classes struct {
	// entries[rank of a set] is its class times 8, plus the symmetry that maps
	// it onto the set that stands for the class.
	entries []uint32
	sets    []movegen.Set // that stand for the classes, in the order of rank
	orbits  []uint8       // how many sets each class has
	ranks   rankTable
}

func (g *geometry) newClasses(k int) *classes {
	c := &classes{entries: make([]uint32, choose[k][g.points]), ranks: newRankTable(g.points, k)}
	const unknown = ^uint32(0)
	for i := range c.entries {
		c.entries[i] = unknown
	}
	eachSet(g.points, k, func(r int, s movegen.Set) {
		if c.entries[r] != unknown {
			return
		}
		class, orbit := uint32(len(c.sets)), uint8(0)
		for t := range g.symmetries {
			if e := &c.entries[rank(g.symmetries[t].Image(s))]; *e == unknown {
				*e = class<<3 | uint32(g.inverse[t])
				orbit++
			}
		}
		c.sets = append(c.sets, s)
		c.orbits = append(c.orbits, orbit)
	})
	return c
}

// countClasses is the number of classes of the sets of k points: the mean of the
// numbers of sets that each symmetry leaves as they are, which are those made of
// whole cycles of it (Cauchy and Frobenius; "Burnside's lemma").
func (g *geometry) countClasses(k int) int {
	sum := 0
	for i := range g.symmetries {
		ways := make([]int, k+1) // by number of points
		ways[0] = 1
		var seen movegen.Set
		for p := range movegen.Point(g.points) {
			length := 0
			for q := p; !seen.Has(q); q = g.symmetries[i][q&63] {
				seen |= movegen.Bit(q)
				length++
			}
			for n := k; length > 0 && n >= length; n-- {
				ways[n] += ways[n-length]
			}
		}
		sum += ways[k]
	}
	return sum / len(g.symmetries)
}

// combinations are the sets of k points in the order of rank: as bits, and as
// the points in a byte each, lowest first. Those of fewer points come first, so
// one list serves every number of points.
type combinations struct {
	bits   []movegen.Set
	points []uint64
}

func newCombinations(n, k int) *combinations {
	c := new(combinations)
	eachSet(n, k, func(_ int, s movegen.Set) {
		var packed uint64
		for rest, shift := s, 0; rest != 0; rest, shift = rest.Rest(), shift+8 {
			packed |= uint64(rest.First()) << shift
		}
		c.bits = append(c.bits, s)
		c.points = append(c.points, packed)
	})
	return c
}

// size is the number of places.
func (x *index) size() int { return len(x.sets) * x.block }

// class gives the class of a set of the larger side and the symmetry that leads
// to the set that stands for it.
func (x *index) class(larger movegen.Set) (class, symmetry int) {
	e := x.entries[x.ranks.rank(larger)]
	return int(e >> 3), int(e & 7)
}

// place is the number of a position.
func (x *index) place(larger, smaller movegen.Set) int {
	class, t := x.class(larger)
	free, symmetry := x.all&^x.sets[class], &x.symmetries[t]
	var squeezed movegen.Set
	for ; smaller != 0; smaller = smaller.Rest() {
		below := movegen.Bit(symmetry[smaller.First()&63]) - 1
		squeezed |= 1 << (bits.OnesCount64(uint64(free&below)) & 63)
	}
	return class*x.block + rank(squeezed)
}

// position is the position of a place, its larger set one that stands for a
// class.
func (x *index) position(place int) (larger, smaller movegen.Set) {
	larger = x.sets[place/x.block]
	return larger, spread(x.combinations.bits[place%x.block], x.all&^larger)
}

// squeeze numbers the points of s, which lie in free, by their places in free.
func squeeze(s, free movegen.Set) movegen.Set {
	var m movegen.Set
	for ; s != 0; s = s.Rest() {
		m |= 1 << bits.OnesCount64(uint64(free&(s.Lowest()-1)))
	}
	return m
}

// spread undoes squeeze.
func spread(s, free movegen.Set) movegen.Set {
	var m movegen.Set
	for ; s != 0; s, free = s>>1, free.Rest() {
		if s&1 != 0 {
			m |= free.Lowest()
		}
	}
	return m
}

// spreader does the same for the packed sets of one block, faster.
type spreader struct {
	points [64]movegen.Set // the free points, lowest first
	count  int             // points of a packed set
}

func (s *spreader) begin(free movegen.Set, count int) {
	s.count = count
	for i := 0; free != 0; i, free = i+1, free.Rest() {
		s.points[i] = free.Lowest()
	}
}

func (s *spreader) spread(packed uint64) movegen.Set {
	var m movegen.Set
	for range s.count {
		m |= s.points[packed&63]
		packed >>= 8
	}
	return m
}

// rankTable gives the rank of a set by a few points at once: by the points
// before, and the number of points in those.
type rankTable [][][]uint32

const rankBits = 9 // points at once; chosen so that the tables of 5×5 stay near

func newRankTable(points, k int) rankTable {
	t := make(rankTable, (points+rankBits-1)/rankBits)
	for chunk := range t {
		t[chunk] = make([][]uint32, k+1)
		for before := range t[chunk] {
			t[chunk][before] = make([]uint32, 1<<rankBits)
			for s := range movegen.Set(1 << rankBits) {
				r, n := 0, before+1
				for rest := s; rest != 0 && n <= k; n, rest = n+1, rest.Rest() {
					if p := int(rest.First()) + chunk*rankBits; p < 64 {
						r += choose[n][p]
					}
				}
				t[chunk][before][s] = uint32(r)
			}
		}
	}
	return t
}

func (t rankTable) rank(s movegen.Set) int {
	r, before := uint32(0), 0
	for _, chunk := range t {
		part := s & (1<<rankBits - 1)
		r += chunk[before][part]
		before += part.Len()
		s >>= rankBits
	}
	return int(r)
}
