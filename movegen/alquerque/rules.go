// Package alquerque plays the Alquerque family (rule book, section 2): steps,
// jumps, chains, and huffing, on the 5×5 board.
//
// A newcomer reads it in this order: rules.go (which way each side may go),
// position.go (state, make and unmake), steps.go, capture.go (compulsory
// captures), turn.go (a turn walked jump by jump, where several pieces move or
// chains may stop), huff.go (faults and what they leave open), end.go, text.go.
package alquerque

import "qirkat/movegen"

// rules are a variant made ready for moving: what the directions, the far row
// and the lines of the board leave open to each side.
type rules struct {
	movegen.Rules
	first   movegen.Side
	size    movegen.Size
	variant *movegen.Variant
	board   *movegen.Board
	side    [2]ways
	plain   bool   // no huffing, and one piece a turn
	most    [2]int // pieces of each side in the start position
	// The turns of one step and of one jump, by axis and place in a pair.
	steps, captures [4][64]movegen.Move
	order           []movegen.Point // the points in the byte order of their names: a1, a2, …, b1
}

// ways are the steps and jumps open to one side.
type ways struct {
	axes  [4]axis
	jumps [25]jumps
}

// axis holds the points from which the side may step or jump along it, up and
// down in point order.
type axis struct {
	delta      uint8
	step, jump pair
}

// jumps are the jumps of one point.
type jumps struct {
	over movegen.Set // all points jumped; each jump ends as far beyond
	list []jump      // in the order of move text
}

type jump struct {
	over, to movegen.Set
	at       movegen.Point // the point of to
}

// The axes of a 5×5 board in point order, by what a step up adds to a point.
const (
	alongRow = 1
	upLeft   = 4
	upColumn = 5
	upRight  = 6
)

func newRules(v *movegen.Variant) *rules {
	r := &rules{
		Rules: v.Rules, first: v.First(), size: v.Size, variant: v,
		board: movegen.NewBoard(v.Size), order: textOrder(v.Size),
	}
	for side := range r.side {
		r.side[side] = r.waysOf(movegen.Side(side))
	}
	r.most = v.StartPieces()
	r.plain = !v.Rules.Huffing && !v.Rules.MultiPiece
	for i, a := range r.board.Axes {
		for from := range movegen.Point(25) {
			up, down, p := &r.steps[i][from], &r.steps[i][from+32], movegen.Bit(from)
			up.From, up.To = p, p.Up(a.Delta)
			down.From, down.To = p, p.Down(a.Delta)
			up, down = &r.captures[i][from], &r.captures[i][from+32]
			up.From, up.Taken, up.To = p, p.Up(a.Delta), p.Up(2*a.Delta)
			down.From, down.Taken, down.To = p, p.Down(a.Delta), p.Down(2*a.Delta)
		}
	}
	return r
}

// waysOf closes what the rules close: directions, and steps on the far row. A
// jump forward from the far row would leave the board, so that in Bell's rules
// only sideways jumps are left there.
func (r *rules) waysOf(side movegen.Side) ways {
	var w ways
	far := r.board.FarRow(side)
	for i, a := range r.board.Axes {
		if a.Delta != [4]uint8{alongRow, upLeft, upColumn, upRight}[i] {
			panic("alquerque: the family is played on 5×5 points")
		}
		w.axes[i].delta = a.Delta
		step, jump := a.Step, a.Jump
		up, down := directions(a, side)
		if r.StepDirections()&up == 0 {
			step.Up = 0
		}
		if r.StepDirections()&down == 0 {
			step.Down = 0
		}
		if r.FarStepsOff {
			step.Up &^= far
			step.Down &^= far
		}
		if r.JumpDirections()&up == 0 {
			jump.Up = 0
		}
		if r.JumpDirections()&down == 0 {
			jump.Down = 0
		}
		w.axes[i].step, w.axes[i].jump = newPair(step.Up, step.Down), newPair(jump.Up, jump.Down)
	}
	for _, from := range r.order {
		for _, to := range r.order {
			if over := movegen.Between(from, to); w.jumpsFrom(from, to) {
				j := &w.jumps[from]
				j.over |= movegen.Bit(over)
				j.list = append(j.list, jump{movegen.Bit(over), movegen.Bit(to), to})
			}
		}
	}
	return w
}

// directions names the two ways along an axis as the side sees them.
func directions(a movegen.Axis, side movegen.Side) (up, down movegen.Directions) {
	switch {
	case a.Rows == 0:
		return movegen.Sideways, movegen.Sideways
	case side == movegen.White:
		return movegen.Forward, movegen.Backward
	}
	return movegen.Backward, movegen.Forward
}

// jumpsFrom reports whether a jump leads from one point to another.
func (w *ways) jumpsFrom(from, to movegen.Point) bool {
	for _, a := range w.axes {
		if a.jump.ways().Lead(from, to, 2*a.delta) {
			return true
		}
	}
	return false
}

// stepsFrom reports whether a step leads from one point to another.
func (w *ways) stepsFrom(from, to movegen.Point) bool {
	for _, a := range w.axes {
		if a.step.ways().Lead(from, to, a.delta) {
			return true
		}
	}
	return false
}

// textOrder lists the points in the byte order of their names.
func textOrder(z movegen.Size) []movegen.Point {
	var points []movegen.Point
	for c := range z.W {
		for row := range z.H {
			points = append(points, z.At(c, row))
		}
	}
	return points
}
