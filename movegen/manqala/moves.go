package manqala

import (
	"encoding/binary"

	"qirkat/movegen"
)

// Moves appends the legal moves to dst: every own house with seeds. If the
// opponent's row is empty it must be fed; a side without seeds passes.
func (p *Position) Moves(dst []movegen.Move) []movegen.Move {
	us := p.turn & 1
	own, other := p.rows[us], p.rows[us^1]
	switch {
	case p.stores[0] >= majority || p.stores[1] >= majority:
		return dst
	case other == 0:
		return p.feeding(dst)
	case own == 0:
		return append(dst, pass)
	}
	v := newView(own, other)
	from := movegen.Set(1) << (rowHouses * us)
	for house := range rowHouses {
		if seeds := v[house]; seeds > 0 {
			var taken movegen.Set
			if v.captures(p.rules.land[house][seeds]) {
				taken = p.taken(house, int(seeds))
			}
			dst = append(dst, movegen.Move{From: from, Taken: taken})
		}
		from <<= 1
	}
	return dst
}

// Noisy appends the capturing sowings. They are never forced.
func (p *Position) Noisy(dst []movegen.Move) (moves []movegen.Move, forced bool) {
	us := p.turn & 1
	own, other := p.rows[us], p.rows[us^1]
	switch {
	case p.stores[0] >= majority || p.stores[1] >= majority:
		return dst, false
	case other == 0:
		return withCapture(p.feeding(dst), len(dst)), false
	}
	v := newView(own, other)
	for house := range rowHouses {
		if seeds := v[house]; seeds > 0 {
			if v.captures(p.rules.land[house][seeds]) {
				dst = append(dst, movegen.Move{From: 1 << (house + rowHouses*int(us)), Taken: p.taken(house, int(seeds))})
			}
		}
	}
	return dst, false
}

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

// view is the 14 houses as the mover counts them, and two bytes unused.
type view [16]uint8

func newView(own, other row) (v view) {
	binary.LittleEndian.PutUint64(v[:], uint64(own))
	binary.LittleEndian.PutUint64(v[rowHouses:], uint64(other))
	return v
}

// captures reports whether the house of the last seed comes to two or four.
func (v *view) captures(l landing) bool {
	n := l.seeds
	if !l.origin {
		n += v[l.last&15]
	}
	return n == 2 || n == 4
}

// taken is the set of houses captured by a sowing, as places of the track: the
// house of the last seed, and backwards from there without a gap every one that
// holds two or four.
func (p *Position) taken(house, seeds int) movegen.Set {
	us := p.turn & 1
	s := &p.rules.sow[house][seeds]
	v := newView(p.rows[us].with(house, 0)+s.own, p.rows[us^1]+s.other)
	var set movegen.Set
	for at := p.rules.land[house][seeds].last & 15; v[at] == 2 || v[at] == 4; {
		set |= 1 << at
		v[at] = 0
		if at == 0 {
			at = houses
		}
		at--
	}
	if us == movegen.Black {
		set = (set>>rowHouses | set<<rowHouses) & (1<<houses - 1)
	}
	return set
}

// feeding appends the moves after which the opponent's row is not empty,
// captures included.
func (p *Position) feeding(dst []movegen.Move) []movegen.Move {
	us := p.turn & 1
	for house := range rowHouses {
		seeds := p.rows[us].seeds(house)
		if seeds == 0 {
			continue
		}
		taken := p.taken(house, seeds)
		other := p.rows[us^1] + p.rules.sow[house][seeds].other
		if other != other.keep(taken>>(rowHouses*int(us^1))) {
			dst = append(dst, movegen.Move{From: 1 << (house + rowHouses*int(us)), Taken: taken})
		}
	}
	return dst
}

// canFeed reports whether some move leaves the opponent a seed.
func (p *Position) canFeed() bool {
	var buffer [rowHouses]movegen.Move
	return len(p.feeding(buffer[:0])) > 0
}
