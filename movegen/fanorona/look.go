package fanorona

import "qirkat/movegen"

// AfterVela is how many pieces Black keeps for the normal rules to return.
const AfterVela = afterVela

// CanCapture reports whether a side on turn could capture. In the vela Black
// may not.
func (p *Position) CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool {
	if turn == movegen.Black && p.rules.Vela && pieces[movegen.Black].Len() > afterVela {
		return false
	}
	return p.rules.canCapture(pieces[turn&1], pieces[turn&1^1])
}

// QuietCount is the number of plies in a row without a capture.
func (p *Position) QuietCount() int { return int(p.quiet) }

// MostTaken is the most pieces that one turn of a side could capture, 0 if it
// can capture none. It finds that without a list of the turns, in half the time.
func (p *Position) MostTaken(pieces [2]movegen.Set, turn movegen.Side) int {
	r := p.rules
	own, enemy := pieces[turn&1], pieces[turn&1^1]
	if r.Vela && pieces[movegen.Black].Len() > afterVela {
		if p.CanCapture(pieces, turn) {
			return 1
		}
		return 0
	}
	empty := r.board.All &^ (own | enemy)
	m := mostTaken{rules: r, enemy: enemy, single: r.SingleFirst && enemy.Len() == r.most[turn&1^1]}
	var movers movegen.Set
	for i := range r.axes {
		movers |= r.attacks(i, enemy, empty).all()
	}
	for movers &= own; movers != 0; movers = movers.Rest() {
		m.goOn(movers.First(), nil, empty, 0)
	}
	return m.most
}

// mostTaken looks through the chains of one piece for the one that takes most.
type mostTaken struct {
	*rules
	enemy  movegen.Set // before the turn
	single bool        // the turn is one step
	most   int
}

// goOn plays every capturing step from a point, by the rules of chain.goOn.
func (m *mostTaken) goOn(from movegen.Point, last *step, empty, taken movegen.Set) {
	enemy := m.enemy &^ taken
	empty &^= movegen.Bit(from)
	steps := m.steps[from]
	for i := range steps {
		s := &steps[i]
		if s.to&empty == 0 || (s.ahead|s.behind)&enemy == 0 || last != nil && s.axis == last.axis && s.up == last.up {
			continue
		}
		if s.ahead&enemy != 0 {
			m.take(s, m.run(s.ahead, s.axis, s.up, enemy), empty, taken)
		}
		if s.behind&enemy != 0 {
			m.take(s, m.run(s.behind, s.axis, !s.up, enemy), empty, taken)
		}
	}
}

// take goes on from a capturing step that takes gone.
func (m *mostTaken) take(s *step, gone, empty, taken movegen.Set) {
	m.most = max(m.most, (taken | gone).Len())
	if !m.single {
		m.goOn(s.at, s, empty|gone, taken|gone)
	}
}
