package engine

import (
	"math/bits"
	"slices"

	"qirkat/movegen"
	"qirkat/tt"
)

// order learns from the search which moves are good. Each table is by side and
// by the slot of a move; those of continuations also by the end of a move before.
type order struct {
	quiet    [2][slots]int16
	captures [2][slots]int16           // of moves that take the same number
	answers  [2][contexts][slots]int16 // quiet moves after the enemy's last move
	sequels  [2][contexts][slots]int16 // quiet moves after the side's own last move
}

const (
	slotBits   = 10
	slots      = 1 << slotBits
	contexts   = 64
	noContext  = contexts - 1 // a point that no board has
	historyMax = 1 << 13
)

// valueCapture is what a capture counts for each piece that it takes when moves
// are sorted, more than anything learnt. Captures of the same gain, and quiet
// moves, go by what was learnt.
const valueCapture = 1 << 20

// slot is where a move stands in the tables: a hash of the points left and
// reached.
func slot(m *movegen.Move) int {
	return int(points(m) >> (64 - slotBits))
}

// points hashes the points that a move leaves and reaches.
func points(m *movegen.Move) uint64 {
	return uint64(m.From)*0x9e3779b97f4a7c15 ^ uint64(m.To)*0xc2b2ae3d27d4eb4f
}

// context is what the next moves remember of a move: where it ended, or the
// house that was sown.
func context(m *movegen.Move) uint8 {
	end := m.To
	if end == 0 {
		end = m.From
	}
	return uint8(bits.TrailingZeros64(uint64(end))) & (contexts - 1)
}

// age halves what was learnt of moves alone, for a new search.
func (o *order) age() {
	for side := range o.quiet {
		for i := range slots {
			o.quiet[side][i] /= 2
			o.captures[side][i] /= 2
		}
	}
}

// toward moves what was learnt of a move towards a bound, the slower the nearer
// it is; bonus is positive for a cutoff and negative for a move tried before it.
func toward(h *int16, bonus int) {
	size := bonus
	if size < 0 {
		size = -size
	}
	*h += int16(bonus - int(*h)*size/historyMax)
}

// past is what was learnt of moves at a ply; nil: nothing is kept of it.
type past struct {
	quiet, captures, answers, sequels *[slots]int16
}

// past are the tables for the moves of a ply. Where captures can be forced the
// butterfly history alone is kept: more gained nothing (bench/README.md).
func (w *worker) past(ply int, turn movegen.Side) past {
	o, side := &w.order, turn&1
	var p past
	if w.uses(ButterflyHistory) {
		p.quiet = &o.quiet[side]
	}
	if !w.neverForced {
		return p
	}
	if w.uses(CaptureHistory) {
		p.captures = &o.captures[side]
	}
	if w.uses(ContinuationHistory) {
		last, own := uint8(noContext), uint8(noContext)
		if ply > 0 {
			last = w.frames[ply-1].context
		}
		if ply > 1 {
			own = w.frames[ply-2].context
		}
		p.answers, p.sequels = &o.answers[side][last], &o.sequels[side][own]
	}
	return p
}

// value is what was learnt of a move that takes nothing.
func (p *past) value(m *movegen.Move) int {
	value, at := 0, slot(m)
	if p.quiet != nil {
		value = int(p.quiet[at])
	}
	if p.answers != nil {
		value += int(p.answers[at]) + int(p.sequels[at])
	}
	return value
}

// learn notes a move that was good, or with a negative bonus one that was not.
func (p *past) learn(m *movegen.Move, bonus int) {
	at := slot(m)
	if m.Gain() > 0 {
		if p.captures != nil {
			toward(&p.captures[at], bonus)
		}
		return
	}
	if p.quiet != nil {
		toward(&p.quiet[at], bonus)
	}
	if p.answers != nil {
		toward(&p.answers[at], bonus)
		toward(&p.sequels[at], bonus)
	}
}

// choose gives the place in the list from start on of the move to be tried as
// the i-th. The table's move, first, comes before all; often it is enough, and
// the others need not be ranked.
func (w *worker) choose(start, i, first, ply int, turn movegen.Side) int {
	place := first
	switch ranked := first == tt.NoPlace; {
	case len(w.moves)-start == 1:
		place = 0
	case ranked && i == 0, !ranked && i == 1:
		w.rank(start, first, ply, turn)
		place = w.pick(start, i)
	case i > 0:
		place = w.pick(start, i)
	}
	return place
}

// rank fills the keys of the moves from start on. A key is the value, turned
// round so that the best is the least, above the place of the move in the list.
func (w *worker) rank(start, first, ply int, turn movegen.Side) {
	past := w.past(ply, turn)
	moves := w.moves[start:]
	keys := w.keys[start:len(w.moves)]
	for i := range moves {
		m := &moves[i]
		value := 0
		switch {
		case m.Taken != 0 || m.Huff != 0:
			value = valueCapture * m.Gain()
			if past.captures != nil {
				value += int(past.captures[slot(m)])
			}
		default:
			value = past.value(m)
		}
		keys[i] = key(value, i)
	}
	w.sort(start, first)
}

// longList is how many moves are sorted at once; of fewer, each next one is
// looked for when it is wanted, as often the first will do (chosen).
const longList = 40

func key(value, place int) int64 { return int64(-value)<<32 | int64(place) }

// sort makes the keys from start on ready for pick. The table's move, if there
// is one, has been tried and stays in front.
func (w *worker) sort(start, first int) {
	keys := w.keys[start:len(w.moves)]
	if first != tt.NoPlace {
		keys[0], keys[first] = keys[first], keys[0]
		keys = keys[1:]
	}
	if len(keys) > longList {
		slices.Sort(keys)
	}
}

// pick gives the place of the i-th move in the order of the keys.
func (w *worker) pick(start, i int) int {
	keys := w.keys[start+i : len(w.moves)]
	if len(w.moves)-start <= longList {
		best, at := keys[0], 0
		for j, k := range keys {
			if k < best {
				best, at = k, j
			}
		}
		keys[0], keys[at] = best, keys[0]
	}
	return int(uint32(keys[0]))
}
