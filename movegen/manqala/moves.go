package manqala

import (
	"encoding/binary"
	"slices"

	"qirkat/movegen"
)

// Moves appends the legal moves to dst: every own house with seeds. If the
// opponent's row is empty it must be fed; a side without seeds passes.
func (p *Position) Moves(dst []movegen.Move) []movegen.Move {
	switch {
	case p.decided():
		return dst
	case p.other == 0:
		return p.feeding(dst)
	case p.own == 0:
		return append(dst, pass)
	}
	begin, n := len(dst), 0
	dst = slices.Grow(dst, rowHouses)
	list := dst[begin : begin+rowHouses]
	var v view
	v.show(p.own, p.other)
	for house := range rowHouses {
		seeds := v[house]
		var taken movegen.Set
		if v.captures(&p.rules.land[house][seeds&127]) {
			taken = p.rules.taken(p.own, p.other, house, int(seeds))
		}
		list[n] = movegen.Move{From: 1 << house, Taken: taken}
		n += int((seeds + 0x7f) >> 7) // an empty house is written over
	}
	return dst[:begin+n]
}

// Noisy appends the capturing sowings. They are never forced.
func (p *Position) Noisy(dst []movegen.Move) (moves []movegen.Move, forced bool) {
	switch {
	case p.decided():
		return dst, false
	case p.other == 0:
		return withCapture(p.feeding(dst), len(dst)), false
	}
	var v view
	v.show(p.own, p.other)
	for house := range rowHouses {
		if seeds := v[house]; v.captures(&p.rules.land[house][seeds&127]) {
			dst = append(dst, movegen.Move{From: 1 << house, Taken: p.rules.taken(p.own, p.other, house, int(seeds))})
		}
	}
	return dst, false
}

// NeverForced says whether Noisy gives no forced moves in this game.
func (p *Position) NeverForced() bool { return true }

// MayRefuse says whether a forced move may be left undone.
func (p *Position) MayRefuse() bool { return false }

// decided reports whether a side has more than half of the seeds.
func (p *Position) decided() bool { return p.ownStore >= majority || p.otherStore >= majority }

// withCapture keeps of the moves from begin on those that capture.
func withCapture(dst []movegen.Move, begin int) []movegen.Move {
	end := begin
	for _, m := range dst[begin:] {
		if m.Taken != 0 {
			dst[end] = m
			end++
		}
	}
	return dst[:end]
}

// view is the 14 houses as the mover counts them, and two places without seeds.
type view [16]uint8

// nowhere is a place of a view where nothing stands.
const nowhere = 15

func (v *view) show(own, other row) {
	binary.LittleEndian.PutUint64(v[:8], uint64(own|other<<56))
	binary.LittleEndian.PutUint64(v[8:], uint64(other>>8))
}

// captures reports whether the house of the last seed comes to two or four. An
// empty house lands nowhere.
func (v *view) captures(l *landing) bool {
	n := l.seeds + v[l.slot&15]
	return n == 2 || n == 4
}

// taken is the set of houses captured by a sowing: the house of the last seed,
// and backwards from there without a gap every one that holds two or four.
func (r *rules) taken(own, other row, house, seeds int) movegen.Set {
	s := &r.sow[house&7][seeds&127]
	var v view
	v.show(own.without(house)+s.own, other+s.other)
	var set movegen.Set
	for at := r.land[house&7][seeds&127].last & 15; v[at] == 2 || v[at] == 4; {
		set |= 1 << at
		v[at] = 0
		if at == 0 {
			at = houses
		}
		at--
	}
	return set
}

// feeding appends the moves after which the opponent's row is not empty,
// captures included.
func (p *Position) feeding(dst []movegen.Move) []movegen.Move {
	for house := range rowHouses {
		seeds := p.own.seeds(house)
		if seeds == 0 {
			continue
		}
		taken := p.rules.taken(p.own, p.other, house, seeds)
		other := p.other + p.rules.sow[house][seeds&127].other
		if other != other.keep(taken>>rowHouses) {
			dst = append(dst, movegen.Move{From: 1 << house, Taken: taken})
		}
	}
	return dst
}

// canFeed reports whether some move leaves the opponent a seed.
func (p *Position) canFeed() bool {
	var buffer [rowHouses]movegen.Move
	return len(p.feeding(buffer[:0])) > 0
}
