package alquerque

import (
	"slices"

	"qirkat/movegen"
)

// pair packs the points from which something leads the two ways along an axis:
// up in the low half, down in the high half. 25 points leave room.
type pair movegen.Set

const lowHalf = 1<<32 - 1

func newPair(up, down movegen.Set) pair { return pair(up | down<<32) }

func (p pair) ways() movegen.Ways { return movegen.Ways{Up: p.up(), Down: p.down()} }

func twice(s movegen.Set) pair { return newPair(s, s) }

// toward packs the points that are k before those of a set, on the way up and
// on the way down; where no line leads, the caller masks them off.
func toward(s movegen.Set, k uint8) pair { return newPair(s.Down(k), s.Up(k)) }

func (p pair) up() movegen.Set   { return movegen.Set(p & lowHalf) }
func (p pair) down() movegen.Set { return movegen.Set(p >> 32) }
func (p pair) both() movegen.Set { return p.up() | p.down() }

// mostSteps is a bound on the steps of a side: 12 pieces, each to 8 points.
const mostSteps = 12 * 8

// steps appends every step: along a line to an adjacent empty point. After a
// huff the turn goes on from the board without the piece.
func (p *Position) steps(dst []movegen.Move, own, empty movegen.Set, huff movegen.Huff) []movegen.Move {
	w, pieces, turns := &p.rules.side[p.turn&1], twice(own), &p.rules.steps
	begin := len(dst)
	dst = slices.Grow(dst, mostSteps)
	list := dst[begin : begin+mostSteps]
	n := put(list, 0, w.axes[0].steps(empty, alongRow)&pieces, &turns[0])
	n = put(list, n, w.axes[1].steps(empty, upLeft)&pieces, &turns[1])
	n = put(list, n, w.axes[2].steps(empty, upColumn)&pieces, &turns[2])
	n = put(list, n, w.axes[3].steps(empty, upRight)&pieces, &turns[3])
	dst = dst[:begin+n]
	if huff != 0 {
		for i := range list[:n] {
			list[i].Huff = huff
		}
	}
	if back := p.ownBack; !back.none() {
		dst = withoutReturn(dst, begin, back)
	}
	return dst
}

// put writes the turns from some points into a list that has n, and gives the
// number it has then.
func put(list []movegen.Move, n int, from pair, turns *[64]movegen.Move) int {
	for ; from != 0; from &= from - 1 {
		list[n] = turns[movegen.Set(from).First()&63]
		n++
	}
	return n
}

// steps are the points from which a step along the axis goes, whoever stands
// there. It is inlined, and the shifts by k are constant then.
func (a *axis) steps(empty movegen.Set, k uint8) pair { return a.step & toward(empty, k) }

// withoutReturn takes the step that would go back at once out of the list; the
// last one comes into its place.
func withoutReturn(dst []movegen.Move, begin int, back step) []movegen.Move {
	last := len(dst) - 1
	for i := begin; i <= last; i++ {
		if dst[i].From == back.to && dst[i].To == back.from {
			dst[i] = dst[last]
			return dst[:last]
		}
	}
	return dst
}

// canStep reports whether the side, whose last step was back, has a step.
func (w *ways) canStep(back step, own, empty movegen.Set) bool {
	if back.none() {
		return w.steppers(own, empty) != 0
	}
	// Where the last step began is open to other pieces only.
	return w.steppers(own, empty&^back.from)|w.steppers(own&^back.to, empty) != 0
}

// steppers are the pieces of own that can step, by the ways that lead on.
func (w *ways) steppers(own, empty movegen.Set) pair {
	return (w.axes[0].steps(empty, alongRow) | w.axes[1].steps(empty, upLeft) |
		w.axes[2].steps(empty, upColumn) | w.axes[3].steps(empty, upRight)) & twice(own)
}
