package alquerque

import "qirkat/movegen"

// pair packs what the two ways along an axis give in one word: up in the low
// half, down in the high half. 25 points leave room, and one loop over both
// costs fewer wrong guesses of the processor than two.
type pair movegen.Set

func newPair(up, down movegen.Set) pair { return pair(up | down<<32) }

// split takes the first point off. It is in the one half or in the other, and
// the other half is empty.
func (p pair) split() (up, down movegen.Set, rest pair) {
	first := movegen.Set(p).Lowest()
	return first & (1<<32 - 1), first >> 32, p & (p - 1)
}

// both are the points of either way.
func (p pair) both() movegen.Set { return movegen.Set(p|p>>32) & (1<<32 - 1) }

// steps appends every step: along a line to an adjacent empty point. After a
// huff the turn goes on from the board without the piece.
func (p *Position) steps(dst []movegen.Move, own, empty movegen.Set, huff movegen.Huff) []movegen.Move {
	begin := len(dst)
	w := &p.rules.side[p.turn&1]
	dst = stepsTo(dst, w.axes[0].targets(own, empty, alongRow), alongRow, huff)
	dst = stepsTo(dst, w.axes[1].targets(own, empty, upLeft), upLeft, huff)
	dst = stepsTo(dst, w.axes[2].targets(own, empty, upColumn), upColumn, huff)
	dst = stepsTo(dst, w.axes[3].targets(own, empty, upRight), upRight, huff)
	if back := p.back[p.turn&1]; !back.none() {
		dst = withoutReturn(dst, begin, back)
	}
	return dst
}

// targets are the points that steps along the axis reach. It is inlined, and
// the shifts by k are constant then.
func (a *axis) targets(own, empty movegen.Set, k uint8) pair {
	return newPair((own&a.step.Up).Up(k)&empty, (own&a.step.Down).Down(k)&empty)
}

// stepsTo appends the steps along an axis to its targets.
func stepsTo(dst []movegen.Move, targets pair, k uint8, huff movegen.Huff) []movegen.Move {
	for targets != 0 {
		var up, down movegen.Set
		up, down, targets = targets.split()
		dst = append(dst, movegen.Move{From: up.Down(k) | down.Up(k), To: up | down, Huff: huff})
	}
	return dst
}

// withoutReturn takes the step that would go back at once out of the list.
func withoutReturn(dst []movegen.Move, begin int, back step) []movegen.Move {
	from, to := movegen.Bit(back.to), movegen.Bit(back.from)
	for i := begin; i < len(dst); i++ {
		if dst[i].From == from && dst[i].To == to {
			return append(dst[:i], dst[i+1:]...)
		}
	}
	return dst
}

// canStep reports whether a side has a step.
func (p *Position) canStep(side movegen.Side, own, empty movegen.Set) bool {
	w := &p.rules.side[side&1]
	back := p.back[side&1]
	other := empty
	if !back.none() {
		other &^= movegen.Bit(back.from)
	}
	if w.axes[0].targets(own, other, alongRow) != 0 || w.axes[1].targets(own, other, upLeft) != 0 ||
		w.axes[2].targets(own, other, upColumn) != 0 || w.axes[3].targets(own, other, upRight) != 0 {
		return true
	}
	if back.none() {
		return false
	}
	// Only the point that the last step left can be reached: perhaps by another piece.
	own &^= movegen.Bit(back.to)
	for i := range w.axes {
		if w.axes[i].targets(own, empty, w.axes[i].delta) != 0 {
			return true
		}
	}
	return false
}
