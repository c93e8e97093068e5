package tablebase

import (
	"sync/atomic"

	"qirkat/movegen"
)

// table is one material in memory, every place filled: captures too, which a
// file leaves out.
type table struct {
	*index
	Material
	values [2][]code // by half; one half only where both sides have as many
	// captures has a bit for each place, by half, whose side to move captures.
	captures [2]bitset
}

// bitset is a bit for each of many numbers.
type bitset []uint64

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 != 0 }

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

// set sets a bit while others do the same.
func (b bitset) set(i int) { atomic.OrUint64(&b[i>>6], 1<<(i&63)) }

// codeSet has a bit for each code but 0.
type codeSet [4]uint64

func (s *codeSet) add(c code)      { s[c>>6] |= 1 << (c & 63) }
func (s *codeSet) has(c code) bool { return s[c>>6]>>(c&63)&1 != 0 }

// indexes keeps the parts of indexes that materials share.
type indexes struct {
	board        *geometry
	classes      map[int]*classes
	combinations map[[2]int]*combinations
}

func newIndexes(g *geometry) *indexes {
	return &indexes{g, make(map[int]*classes), make(map[[2]int]*combinations)}
}

// classesOf are the classes of the sets of so many points.
func (x *indexes) classesOf(k int) *classes {
	if x.classes[k] == nil {
		x.classes[k] = x.board.newClasses(k)
	}
	return x.classes[k]
}

func (x *indexes) index(m Material) *index {
	free := [2]int{x.board.points - m.Larger, m.Smaller}
	if x.combinations[free] == nil {
		x.combinations[free] = newCombinations(free[0], free[1])
	}
	return &index{
		geometry: x.board, classes: x.classesOf(m.Larger), larger: m.Larger, smaller: m.Smaller,
		block: choose[m.Smaller][free[0]], combinations: x.combinations[free],
	}
}

// tables are the materials that are in memory.
type tables struct {
	*rules
	*indexes
	list map[Material]*table
	// byPieces has the same tables by larger, smaller and vela.
	byPieces [MaxPieces][MaxPieces/2 + 1][2]*table
}

func (t *tables) add(m *table) {
	t.list[m.Material] = m
	*t.slot(m.Material) = m
}

func (t *tables) drop(m Material) {
	delete(t.list, m)
	*t.slot(m) = nil
}

func (t *tables) slot(m Material) **table {
	vela := 0
	if m.Vela {
		vela = 1
	}
	return &t.byPieces[m.Larger][m.Smaller][vela]
}

// code is the code of a position in which each side has a piece.
func (t *tables) code(pieces [2]movegen.Set, turn movegen.Side) code {
	l := t.locate(pieces, turn)
	m := *t.slot(l.Material)
	return m.values[l.half][m.place(l.larger, l.smaller)]
}
