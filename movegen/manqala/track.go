// Package manqala plays Al-manqala, the 2×7 mancala of Galilee (rule book,
// section 4).
//
// A newcomer reads it in this order: track.go (houses and sowing), position.go
// (state, make and unmake), moves.go (feeding, passing), end.go, text.go.
package manqala

import "qirkat/movegen"

// The track runs counter-clockwise through the 14 houses. A player counts them
// from the house at the own left: 0 to 6 are the own row, 7 to 13 the other's.
//
//	        13 12 11 10  9  8  7
//	North   a2 b2 c2 d2 e2 f2 g2
//	South   a1 b1 c1 d1 e1 f1 g1
//	         0  1  2  3  4  5  6      as South counts
const (
	rowHouses = 7
	houses    = 2 * rowHouses
	allSeeds  = 98
	majority  = allSeeds/2 + 1
)

// row is seven houses, a byte each, from the owner's left.
type row uint64

// seeds is the content of house i.
func (r row) seeds(i int) int { return int(r >> (8 * uint(i) & 63) & 0xff) }

// with is the row with n seeds in house i.
func (r row) with(i, n int) row {
	return r.without(i) | row(n)<<(8*uint(i)&63)
}

// without is the row with house i empty.
func (r row) without(i int) row { return r &^ (0xff << (8 * uint(i) & 63)) }

// keep is the row with the houses of a set alone, bit i for house i.
func (r row) keep(set movegen.Set) row { return r & fullHouses[set&(1<<rowHouses-1)] }

// fullHouses spreads a set of houses over the bytes of a row.
var fullHouses = func() (rows [1 << rowHouses]row) {
	for set := range rows {
		for house := range rowHouses {
			if set>>house&1 != 0 {
				rows[set] |= 0xff << (8 * house)
			}
		}
	}
	return rows
}()

// total is the number of seeds in the row.
func (r row) total() int {
	const ones = 0x0001_0001_0001_0001
	pairs := r&0x00ff_00ff_00ff_00ff + r>>8&0x00ff_00ff_00ff_00ff
	return int(pairs * ones >> 48)
}

// sowing is what the seeds of a house add to both rows, by the mover's view.
type sowing struct{ own, other row }

// landing is where a sowing ends.
type landing struct {
	last  uint8 // the house of the last seed
	slot  uint8 // what it held before stands there in a view
	seeds uint8 // sown into it
}

// rules are a variant made ready for moving. The tables are by the house sown
// and its seeds; they are apart so that the small ones stay near.
type rules struct {
	*movegen.Variant
	sow    [8][128]sowing
	land   [8][128]landing
	change [2][rowHouses][allSeeds + 1]uint64 // of the key, by side
}

func newRules(v *movegen.Variant) *rules {
	r := &rules{Variant: v}
	for house := range rowHouses {
		for seeds := range allSeeds + 1 {
			r.prepare(house, seeds)
		}
	}
	return r
}

// prepare drops the seeds of a house one by one. With 14 or more the emptied
// house is sown too when its turn comes, unless the variant leaves it out.
func (r *rules) prepare(house, seeds int) {
	var sown [houses]int
	at := house
	for range seeds {
		at = (at + 1) % houses
		if r.SkipOrigin && at == house {
			at = (at + 1) % houses
		}
		sown[at]++
	}
	s := &r.sow[house][seeds]
	for i := range rowHouses {
		s.own = s.own.with(i, sown[i])
		s.other = s.other.with(i, sown[i+rowHouses])
	}
	l := &r.land[house][seeds]
	*l = landing{uint8(at), uint8(at), uint8(sown[at])}
	if at == house {
		l.slot = nowhere // what it held was taken out
	}
	for side := range r.change {
		change := -uint64(seeds) * houseKey(movegen.Side(side), house)
		for i, n := range sown {
			change += uint64(n) * houseKey(movegen.Side(side), i)
		}
		r.change[side][house][seeds] = change
	}
}

// houseKey is the random number of a house, as a side counts the track. The
// key of a position is a sum, not an exclusive or, over its seeds: so a number
// for each house is enough, and a sowing changes the key by one table entry.
func houseKey(side movegen.Side, house int) uint64 {
	return movegen.Keys.Piece[movegen.White][trackPlace(side, house)]
}

// storeKey is the random number of a seed in White's store. Black's store is
// what is left.
var storeKey = movegen.Keys.Piece[movegen.Black][0]

// trackPlace is the place of a house on the track as South counts.
func trackPlace(side movegen.Side, house int) int {
	return (house + rowHouses*int(side)) % houses
}
