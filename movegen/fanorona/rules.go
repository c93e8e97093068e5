// Package fanorona plays Fanorona on every odd board of at most 63 points, and
// the vela (rule book, section 3).
//
// A newcomer reads it in this order: rules.go, position.go (state, make and
// unmake), capture.go (approach, withdrawal, chains), vela.go, end.go, text.go.
package fanorona

import "qirkat/movegen"

// rules are a variant made ready for moving.
type rules struct {
	*movegen.Variant
	board *movegen.Board
	axes  [4]movegen.Axis
	most  [2]int // pieces of each side at the start of the game
	steps [63][]step
	place [63][63]uint8 // of the step from one point to another in steps
}

// step is a step from a point, in the order of move text.
type step struct {
	to   movegen.Set
	at   movegen.Point // the point of to
	axis uint8         // the place of its axis
	up   bool          // the way along the axis

	ahead, behind movegen.Set // the next point of the line beyond to, and behind from
}

func newRules(v *movegen.Variant) *rules {
	r := &rules{Variant: v, board: movegen.NewBoard(v.Size), most: v.StartPieces()}
	copy(r.axes[:], r.board.Axes)
	for from := range movegen.Point(len(r.board.Near)) {
		for c := range r.Size.W { // columns first: the byte order of point names
			for row := range r.Size.H {
				if to := r.Size.At(c, row); r.board.Near[from].Has(to) {
					r.place[from][to] = uint8(len(r.steps[from]))
					r.steps[from] = append(r.steps[from], r.step(from, to))
				}
			}
		}
	}
	return r
}

func (r *rules) step(from, to movegen.Point) step {
	for i, a := range r.board.Axes {
		if a.Step.Up.Has(from) && from+movegen.Point(a.Delta) == to {
			return r.newStep(from, to, uint8(i), true)
		}
		if a.Step.Down.Has(from) && from == to+movegen.Point(a.Delta) {
			return r.newStep(from, to, uint8(i), false)
		}
	}
	panic("fanorona: neighbours without a step between them")
}

func (r *rules) newStep(from, to movegen.Point, axis uint8, up bool) step {
	return step{
		to: movegen.Bit(to), at: to, axis: axis, up: up,
		ahead: r.beyond(movegen.Bit(to), axis, up), behind: r.beyond(movegen.Bit(from), axis, !up),
	}
}

// stepTo is the step between two neighbours.
func (r *rules) stepTo(from, to movegen.Point) *step {
	return &r.steps[from][r.place[from][to]]
}
