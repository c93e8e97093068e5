package engine

import (
	"slices"

	"qirkat/movegen"
	"qirkat/tt"
)

// order learns from the search which quiet moves are good.
type order struct {
	history [2][historySize]int16 // by side and a hash of the points left and reached
}

const (
	historySize = 1 << 12
	historyMax  = 1 << 13
)

// Values by which moves are sorted, from high to low: captures by gain, killers,
// and quiet moves by history.
const (
	valueCapture = 1 << 20 // and as much again for each piece
	valueKiller  = 1 << 18
)

// slot is where the history of a move stands.
func slot(m movegen.Move) int {
	return int((uint64(m.From)*0x9e3779b97f4a7c15 ^ uint64(m.To)*0xc2b2ae3d27d4eb4f) >> (64 - 12))
}

// age halves what was learnt, for a new search.
func (o *order) age() {
	for side := range o.history {
		for i := range o.history[side] {
			o.history[side][i] /= 2
		}
	}
}

// learn moves the history of a move towards a bound, the slower the nearer it
// is; bonus is positive for a cutoff and negative for a move tried before it.
func (o *order) learn(side movegen.Side, m movegen.Move, bonus int) {
	h := &o.history[side&1][slot(m)]
	size := bonus
	if size < 0 {
		size = -size
	}
	*h += int16(bonus - int(*h)*size/historyMax)
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
	w.tried[start+i] = int32(place)
	return place
}

// rank fills the keys of the moves from start on. A key is the value, turned
// round so that the best is the least, above the place of the move in the list.
func (w *worker) rank(start, first, ply int, turn movegen.Side) {
	f := &w.frames[ply]
	history := &w.order.history[turn&1]
	moves := w.moves[start:]
	keys := w.keys[start:len(w.moves)]
	for i := range moves {
		m := &moves[i]
		value := 0
		switch {
		case m.Taken != 0 || m.Huff != 0:
			value = valueCapture * m.Gain()
		case *m == f.killers[0]:
			value = valueKiller + 1
		case *m == f.killers[1]:
			value = valueKiller
		default:
			value = int(history[slot(*m)])
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
