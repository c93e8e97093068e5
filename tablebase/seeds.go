package tablebase

import (
	"encoding/binary"

	"qirkat/movegen"
	"qirkat/movegen/manqala"
)

// MaxSeeds is the most seeds on the board that a table of Al-manqala can be
// asked for; the index itself would go on.
const MaxSeeds = 24

const (
	rowHouses = 7
	houses    = 2 * rowHouses
)

// board is the houses as the side to move counts them, its own row first.
type board [houses]uint8

// rows are the two rows in the form of [manqala.Position.Row].
func (b *board) rows() (own, other uint64) {
	var bytes [16]byte
	copy(bytes[:], b[:])
	return binary.LittleEndian.Uint64(bytes[:]) & (1<<(8*rowHouses) - 1), binary.LittleEndian.Uint64(bytes[rowHouses:]) & (1<<(8*rowHouses) - 1)
}

func boardOf(own, other uint64) (b board) {
	var bytes [16]byte
	binary.LittleEndian.PutUint64(bytes[:], own)
	binary.LittleEndian.PutUint64(bytes[rowHouses:], other)
	copy(b[:], bytes[:])
	return b
}

// seeds is their number.
func (b *board) seeds() int {
	n := 0
	for _, seeds := range b {
		n += int(seeds)
	}
	return n
}

// turned is the board as the other side counts it.
func (b *board) turned() (t board) {
	copy(t[:rowHouses], b[rowHouses:])
	copy(t[rowHouses:], b[:rowHouses])
	return t
}

// seedChoose[k][n] is n over k.
var seedChoose = func() (c [houses][MaxSeeds + houses]int) {
	for n := range c[0] {
		c[0][n] = 1
		for k := 1; k <= min(n, houses-1); k++ {
			c[k][n] = c[k-1][n-1] + c[k][n-1]
		}
	}
	return c
}()

// distributions is the number of ways in which so many seeds lie in the houses.
func distributions(seeds int) int { return seedChoose[houses-1][seeds+houses-1] }

// place is the number of a board among those of as many seeds: the rank of the
// 13 walls between the houses, among all places of seeds and walls.
func (b *board) place() int {
	r, before := 0, 0
	for i, n := range b[:houses-1] {
		before += int(n)
		r += seedChoose[i+1][before+i]
	}
	return r
}

// boardAt is the board of a place.
func boardAt(place, seeds int) (b board) {
	after := seeds + houses - 1 // the wall above
	for i := houses - 2; i >= 0; i-- {
		wall := after - 1
		for seedChoose[i+1][wall] > place {
			wall--
		}
		place -= seedChoose[i+1][wall]
		b[i+1] = uint8(after - wall - 1)
		after = wall
	}
	b[0] = uint8(after)
	return b
}

// next makes the board the one of the next place. The last has none.
func (b *board) next() {
	i, sum := 0, int(b[0])
	for b[i+1] == 0 {
		i++
		sum += int(b[i])
		if i == houses-1 {
			return
		}
	}
	b[i+1]--
	b[0] = 0
	b[i] = uint8(sum + 1)
}

// sower knows the rules of Al-manqala as the tables have them: a board, no
// stores, no repetition. It is safe for concurrent use.
type sower struct {
	position *manqala.Position
	skip     bool
	added    [rowHouses][MaxSeeds + 1]board // by house and seeds: what sowing adds
}

func newSower(v *movegen.Variant) *sower {
	s := &sower{position: manqala.New(v), skip: v.SkipOrigin}
	for house := range rowHouses {
		for seeds := range MaxSeeds + 1 {
			s.added[house][seeds] = boardOf(s.position.SownRows(house, seeds))
		}
	}
	return s
}

// name is the folder of the tables.
func (s *sower) name() string {
	if s.skip {
		return "al-manqala-skip"
	}
	return "al-manqala"
}

// turn is a legal turn: the board after it as the opponent counts it, and the
// seeds taken.
type turn struct {
	board
	taken int
}

// turns appends the legal turns of a board that has seeds. There is none where
// the opponent's row is empty and cannot be fed: then all seeds are the
// opponent's.
func (s *sower) turns(dst []turn, b *board) []turn {
	own, other := b.rows()
	if own == 0 {
		return append(dst, turn{board: b.turned()}) // pass
	}
	for house := range rowHouses {
		if b[house] == 0 {
			continue
		}
		ownAfter, otherAfter, taken := s.position.Sow(own, other, house)
		if other == 0 && otherAfter == 0 {
			continue
		}
		dst = append(dst, turn{boardOf(otherAfter, ownAfter), taken})
	}
	return dst
}

// before appends the places from which a turn without a capture leads to a
// board.
func (s *sower) before(dst []uint32, b *board) []uint32 {
	after := b.turned() // as the side that moved counts it
	own, _ := after.rows()
	if own == 0 {
		dst = append(dst, uint32(after.place())) // it passed
	}
	fed := b.hasOwn()
	seeds := b.seeds()
	for house := range rowHouses {
		for n := 1; n <= seeds; n++ {
			last := house + n
			if s.skip {
				last += (n - 1) / (houses - 1)
			}
			last %= houses
			if after[last] == 0 {
				break // every larger sowing drops a seed here too
			}
			if after[last] == 2 || after[last] == 4 || after[house] != 0 && n < houses {
				continue
			}
			p, ok := after.without(&s.added[house][n], house)
			if !ok {
				continue
			}
			p[house] = uint8(n)
			if fed || p.hasOther() {
				dst = append(dst, uint32(p.place()))
			}
		}
	}
	return dst
}

// hasOwn and hasOther report whether there are seeds in a row.
func (b *board) hasOwn() bool { return [rowHouses]uint8(b[:rowHouses]) != [rowHouses]uint8{} }

func (b *board) hasOther() bool { return [rowHouses]uint8(b[rowHouses:]) != [rowHouses]uint8{} }

// without takes what a sowing added off the board; the house sown must be empty
// then.
func (b *board) without(added *board, house int) (p board, ok bool) {
	for i := range b {
		if b[i] < added[i] {
			return p, false
		}
		p[i] = b[i] - added[i]
	}
	return p, p[house] == 0
}
