package fanorona

import "qirkat/movegen"

// beyond is the next point along an axis from each of a set, where the line
// goes on.
func (r *rules) beyond(s movegen.Set, axis uint8, up bool) movegen.Set {
	a := &r.axes[axis&3]
	if up {
		return (s & a.Step.Up).Up(a.Delta)
	}
	return (s & a.Step.Down).Down(a.Delta)
}

// run is the enemy pieces in a row that begin at a point, or none, and go on
// along an axis without a gap. Withdrawal is approach with the way reversed:
// the one begins beyond the point reached, the other behind the point left.
func (r *rules) run(first movegen.Set, axis uint8, up bool, enemy movegen.Set) movegen.Set {
	var taken movegen.Set
	for s := first & enemy; s != 0; s = r.beyond(s, axis, up) & enemy {
		taken |= s
	}
	return taken
}

// opening is a first capturing step of a turn.
type opening struct {
	from, to, taken movegen.Set
	axis            uint8
	up              bool
}

// attacks are the points from which a capturing step along an axis could go,
// whoever stands there: with an enemy piece ahead, or behind.
type attacks struct{ upAhead, upBehind, downAhead, downBehind movegen.Set }

func (r *rules) attacks(axis int, enemy, empty movegen.Set) attacks {
	a := &r.axes[axis&3]
	k := a.Delta
	up := a.Step.Up & empty.Down(k)
	down := a.Step.Down & empty.Up(k)
	return attacks{
		upAhead:    up & a.Jump.Up & enemy.Down(2*k),
		upBehind:   up & a.Step.Down & enemy.Up(k),
		downAhead:  down & a.Jump.Down & enemy.Up(2*k),
		downBehind: down & a.Step.Up & enemy.Down(k),
	}
}

func (a attacks) all() movegen.Set { return a.upAhead | a.upBehind | a.downAhead | a.downBehind }

// captures appends every capturing turn: the first steps, then the chains that
// go on from them. A first step changes only the line that it runs along, so
// whether its piece can go on is read off the other lines as they stand.
func (p *Position) captures(dst []movegen.Move) []movegen.Move {
	r := p.rules
	own, enemy, empty := p.own, p.enemy, p.empty()
	var attack [4]attacks
	var on [4]movegen.Set // by axis
	for i := range attack {
		attack[i] = r.attacks(i, enemy, empty)
		on[i] = attack[i].all()
	}
	if (on[0]|on[1]|on[2]|on[3])&own == 0 {
		return dst
	}
	single := p.firstCaptureIsSingle(enemy)
	p.openings = p.openings[:0]
	for i := range attack {
		onward := on[(i+1)&3] | on[(i+2)&3] | on[(i+3)&3]
		if single {
			onward = 0
		}
		k, axis := r.axes[i].Delta, uint8(i)
		for s := attack[i].upAhead & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			taken := r.run(from.Up(2*k), axis, true, enemy)
			dst = p.open(dst, opening{from, from.Up(k), taken, axis, true}, onward)
		}
		for s := attack[i].upBehind & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			taken := r.run(from.Down(k), axis, false, enemy)
			dst = p.open(dst, opening{from, from.Up(k), taken, axis, true}, onward)
		}
		for s := attack[i].downAhead & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			taken := r.run(from.Down(2*k), axis, false, enemy)
			dst = p.open(dst, opening{from, from.Down(k), taken, axis, false}, onward)
		}
		for s := attack[i].downBehind & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			taken := r.run(from.Up(k), axis, true, enemy)
			dst = p.open(dst, opening{from, from.Down(k), taken, axis, false}, onward)
		}
	}
	return p.longer(dst, enemy, empty)
}

// open appends the turn of one capturing step, and keeps the step if its piece
// can go on.
func (p *Position) open(dst []movegen.Move, o opening, onward movegen.Set) []movegen.Move {
	if o.to&onward != 0 {
		p.openings = append(p.openings, o)
	}
	return append(dst, movegen.Move{From: o.from, To: o.to, Taken: o.taken})
}

// longer appends the chains of more than one step, each once. Chains of
// different pieces differ, so the list is searched origin by origin.
func (p *Position) longer(dst []movegen.Move, enemy, empty movegen.Set) []movegen.Move {
	var done movegen.Set
	for i, s := range p.openings {
		if s.from&done != 0 {
			continue
		}
		done |= s.from
		p.unique.Begin(dst)
		for _, o := range p.openings[i:] {
			if o.from == s.from {
				c := chain{rules: p.rules, unique: &p.unique, from: o.from}
				dst = c.goOn(dst, o.to, o.axis, o.up, enemy&^o.taken, empty|o.taken, o.taken)
			}
		}
	}
	return dst
}

// chain walks the turns of one piece.
type chain struct {
	rules  *rules
	unique *movegen.Unique
	from   movegen.Set
}

// goOn plays every further capturing step from a point that the piece has come
// to: in another direction than the step before, never onto a point it stood
// on this turn. Points that it stood on are never in empty.
func (c *chain) goOn(dst []movegen.Move, at movegen.Set, axis uint8, up bool, enemy, empty, taken movegen.Set) []movegen.Move {
	from := at.First()
	empty &^= at
	for t := c.rules.board.Near[from] & empty; t != 0; t = t.Rest() {
		s := c.rules.stepTo(from, t.First())
		if (s.ahead|s.behind)&enemy == 0 || s.axis == axis && s.up == up {
			continue
		}
		if s.ahead&enemy != 0 {
			dst = c.take(dst, s, c.rules.run(s.ahead, s.axis, s.up, enemy), enemy, empty, taken)
		}
		if s.behind&enemy != 0 {
			dst = c.take(dst, s, c.rules.run(s.behind, s.axis, !s.up, enemy), enemy, empty, taken)
		}
	}
	return dst
}

// take adds the turn that ends with a capturing step, and those that go on.
func (c *chain) take(dst []movegen.Move, s *step, gone, enemy, empty, taken movegen.Set) []movegen.Move {
	dst = c.unique.Add(dst, movegen.Move{From: c.from, To: s.to, Taken: taken | gone})
	return c.goOn(dst, s.to, s.axis, s.up, enemy&^gone, empty|gone, taken|gone)
}

// firstCaptureIsSingle reports whether the capture to be made is its side's
// first of the game and must be one step only: the enemy still has all its
// pieces of the start.
func (p *Position) firstCaptureIsSingle(enemy movegen.Set) bool {
	return p.rules.SingleFirst && enemy.Len() == p.rules.most[p.turn&1^1]
}
