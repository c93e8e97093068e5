package tablebase

import (
	"qirkat/movegen"
	"qirkat/movegen/alquerque"
)

// Two rules of the Alquerque family remember turns: no return remembers the last
// step of each side, and huffing the pieces that may be huffed. A table of such
// rules, a table with states, knows positions with that state exactly.
//
// Pieces that may be huffed need no place in the index: to huff one leads, with
// the same side to move, to a position with a piece less, and not to huff leads
// to the position without the right. So the best of these is the value.
//
// The last step of the side to move takes one step away. So an entry holds the
// value that the best turn gives, which step that is where no other turn is as
// good, and the value without that step. Only the last step of the other side is
// in the index.
type state struct {
	pieces [2]movegen.Set
	turn   movegen.Side
	// back is, by side, the number of its last step; 0 where there is none, or the
	// directions close the way back.
	back   [2]uint8
	liable movegen.Set // pieces of the side that waits that may be huffed
}

// stateEntry is what a table knows of pieces, the side to move and the last step
// of the other side.
type stateEntry struct {
	best   Value
	step   uint8 // number of the only step that is worth best; 0 where there is another turn
	second Value // of the turns without that step
}

// value is the value after a last step of the side to move.
func (e *stateEntry) value(r *rules, back uint8) Value {
	if e.step != 0 && e.step == r.last.reverse[back] {
		return e.second
	}
	return e.best
}

// A stateSource has the entries of tables with states.
type stateSource interface {
	// entry is the entry of a state in which both sides have pieces, whatever the
	// last step of the side to move and the pieces that may be huffed.
	entry(s state) (stateEntry, error)
	capturer
}

// capturer knows where a side can capture.
type capturer interface {
	CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool
}

// lastSteps numbers the steps of a board, from 1; 0 is none.
type lastSteps struct {
	list    []step
	number  [64][64]uint8
	reverse [256]uint8   // the step back
	turned  [256]uint8   // the step on the board turned round by half
	images  [][256]uint8 // by symmetry
	// returns are, by side and point, where the steps lead that must be remembered,
	// as the way back is open; none where the rule of no return is not in force.
	returns [2][64]movegen.Set
	// into are, by point, the points from which a step of Black leads there that need
	// not be remembered: the directions close the way back, or no rule does.
	into [64]movegen.Set
}

type step struct{ from, to movegen.Point }

func newLastSteps(g *geometry, noReturn bool) *lastSteps {
	n := &lastSteps{list: make([]step, 1), images: make([][256]uint8, len(g.symmetries))}
	both := func(p movegen.Point) movegen.Set { return g.steps[0][p] | g.steps[1][p] }
	for from := range movegen.Point(g.points) {
		for to := both(from); to != 0; to = to.Rest() {
			n.number[from][to.First()] = uint8(len(n.list))
			n.list = append(n.list, step{from, to.First()})
		}
	}
	last := movegen.Point(g.points - 1)
	for i, s := range n.list[1:] {
		n.reverse[i+1] = n.number[s.to][s.from]
		n.turned[i+1] = n.number[last-s.from][last-s.to]
		for t := range n.images {
			n.images[t][i+1] = n.number[g.symmetries[t][s.from&63]][g.symmetries[t][s.to&63]]
		}
	}
	for side := range n.returns {
		for p := range movegen.Point(g.points) {
			for q := g.steps[side][p]; noReturn && q != 0; q = q.Rest() {
				if g.steps[side][q.First()].Has(p) {
					n.returns[side][p] |= q.Lowest()
				}
			}
		}
	}
	for from := range movegen.Point(g.points) {
		for to := g.steps[movegen.Black][from] &^ n.returns[movegen.Black][from]; to != 0; to = to.Rest() {
			n.into[to.First()] |= movegen.Bit(from)
		}
	}
	return n
}

// returning is the number of a step of a side that may be forbidden to be taken
// back, or because it takes one back; else 0.
func (n *lastSteps) returning(side movegen.Side, from, to movegen.Point) uint8 {
	if !n.returns[side&1][from&63].Has(to) {
		return 0
	}
	return n.number[from&63][to&63]
}

// stateOf is the state of a game.
func (r *rules) stateOf(p *alquerque.Position) state {
	s := state{turn: p.Turn(), liable: p.Liable()}
	for side := range movegen.None {
		s.pieces[side] = p.Pieces(side)
		if from, to := p.LastStep(side); from != 0 {
			s.back[side] = r.last.returning(side, from.First(), to.First())
		}
	}
	return s
}

// play is the state after a turn.
func (r *rules) play(s *state, m *movegen.Move) state {
	us, them := s.turn&1, s.turn&1^1
	n := state{turn: them, liable: m.Huff.Liable()}
	n.pieces[us] = s.pieces[us]&^m.From | m.To
	n.pieces[them] = s.pieces[them] &^ (m.Taken | m.Huff.Huffed())
	if m.Taken == 0 && m.From != 0 {
		n.back[us] = r.last.returning(us, m.From.First(), m.To.First())
	}
	n.back[them] = s.back[them]
	r.forget(&n, them)
	return n
}

// forget drops the last step of a side whose piece is gone.
func (r *rules) forget(s *state, side movegen.Side) {
	if b := &s.back[side&1]; *b != 0 && !s.pieces[side&1].Has(r.last.list[*b].to) {
		*b = 0
	}
}

// huff takes a piece that may be huffed from a state; its turn is still to come.
func (r *rules) huff(s *state, piece movegen.Set) state {
	n, them := *s, s.turn&1^1
	n.pieces[them] &^= piece
	n.liable = 0
	r.forget(&n, them)
	return n
}

// canTurn reports whether a side of a state has a turn that begins without a huff.
func (r *rules) canTurn(g capturer, s *state, side movegen.Side) bool {
	us := side & 1
	if g.CanCapture(s.pieces, us) {
		return true
	}
	free := r.all &^ (s.pieces[0] | s.pieces[1])
	for p := s.pieces[us]; p != 0; p = p.Rest() {
		to := r.steps[us][p.First()&63] & free
		if b := s.back[us]; b != 0 && r.last.list[b].to == p.First() {
			to &^= movegen.Bit(r.last.list[b].from)
		}
		if to != 0 {
			return true
		}
	}
	return false
}

// blockedValue is the value of a state in which no turn is legal.
func (r *rules) blockedValue(g capturer, s *state) Value {
	us, them := s.turn&1, s.turn&1^1
	lead := s.pieces[us].Len() - s.pieces[them].Len()
	switch {
	case !r.variant.CountBlocked || lead < 0 || r.canTurn(g, s, them):
		return Value{Loss, 0}
	case lead > 0:
		return Value{Win, 0}
	}
	return Value{}
}

// valueOf is the value of a state by the entries of tables.
func (r *rules) valueOf(tables stateSource, s state) (Value, error) {
	us, them := s.turn&1, s.turn&1^1
	switch {
	case s.pieces[us] == 0:
		return Value{Loss, 0}, nil
	case s.pieces[them] == 0:
		return Value{Win, 0}, nil
	}
	e, err := tables.entry(s)
	if err != nil {
		return Value{}, err
	}
	v := e.value(r, s.back[us])
	if s.liable == 0 {
		return v, nil
	}
	moves := r.canTurn(tables, &s, us)
	for h := s.liable; h != 0; h = h.Rest() {
		n := r.huff(&s, h.Lowest())
		if n.pieces[them] == 0 {
			return Value{Win, 1}, nil
		}
		if !r.canTurn(tables, &n, us) {
			continue
		}
		e, err := tables.entry(n)
		if err != nil {
			return Value{}, err
		}
		if w := e.value(r, n.back[us]); !moves || w.better(v) {
			v, moves = w, true
		}
	}
	return v, nil
}
