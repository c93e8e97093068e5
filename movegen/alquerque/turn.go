package alquerque

import "qirkat/movegen"

// turn is a capturing turn while it is walked jump by jump. It serves where a
// turn is more than one whole chain: with the switch multi-piece, with chains
// that stop early (huffing), and for move text.
type turn struct {
	own, enemy, taken movegen.Set // as they stand now
	movers            [12]mover   // each piece that has moved, in order of its first chain
	moved             int         // how many of them
	last              int         // the one whose chain came last
}

// mover is a piece that moved: the point where it began, and where it is.
type mover struct{ from, now movegen.Point }

// hop is a jump of the piece on a point.
type hop struct {
	from movegen.Point
	*jump
}

// stop says how a turn stands where it could end.
type stop uint8

const (
	complete stop = iota // nothing is left to jump
	early                // the piece can go on jumping
	leftOut              // the piece is done, but a jump stands open to another
)

// walker holds the board before a turn, and what is common to all ways of
// playing it. The position keeps one, for its memory.
type walker struct {
	rules   *rules
	ways    *ways
	start   turn
	empty   movegen.Set
	huffed  movegen.Set // the piece huffed before the turn
	jumpers movegen.Set // pieces that could jump before the turn
	hops    []hop       // stack of continuations
}

// begin sets the walker to the board of a turn, the huffed piece off already.
func (p *Position) begin(own, enemy, huffed movegen.Set) *walker {
	w := &p.walker
	w.rules, w.ways = p.rules, &p.rules.side[p.turn&1]
	w.start = turn{own: own, enemy: enemy}
	w.huffed = huffed
	w.empty = p.rules.board.All &^ (own | enemy)
	w.jumpers = w.ways.canJump(own, enemy, w.empty)
	w.hops = w.hops[:0]
	return w
}

// can reports whether the jump is open: an enemy piece to jump, and the point
// behind it empty.
func (w *walker) can(t *turn, j *jump) bool {
	return j.over&t.enemy != 0 && j.to&w.rules.board.All&^(t.own|t.enemy) != 0
}

// existed reports whether the jump could be made before the turn: same point
// left, same piece jumped, same point reached.
func (w *walker) existed(from movegen.Point, j *jump) bool {
	return w.start.own.Has(from) && j.over&w.start.enemy != 0 && j.to&w.empty != 0
}

// next appends the jumps that may follow, in the order of move text: the
// piece's own while it has one; when its chain is over, with multi-piece, the
// jumps of any piece that the turn has opened; at the start of the turn all.
func (w *walker) next(dst []hop, t *turn) []hop {
	if t.moved > 0 {
		begin := len(dst)
		from := t.movers[t.last].now
		list := w.ways.jumps[from].list
		for i := range list {
			if w.can(t, &list[i]) {
				dst = append(dst, hop{from, &list[i]})
			}
		}
		if len(dst) > begin || !w.rules.MultiPiece {
			return dst
		}
	}
	for _, from := range w.rules.order {
		if !t.own.Has(from) || w.ways.jumps[from].over&t.enemy == 0 {
			continue
		}
		list := w.ways.jumps[from].list
		for i := range list {
			if w.can(t, &list[i]) && (t.moved == 0 || !w.existed(from, &list[i])) {
				dst = append(dst, hop{from, &list[i]})
			}
		}
	}
	return dst
}

// stop says how a turn that may be followed by the given jumps would end here.
func (t *turn) stop(next []hop) stop {
	switch {
	case len(next) == 0:
		return complete
	case next[0].from == t.movers[t.last].now:
		return early
	}
	return leftOut
}

// play is the turn after a jump. The jump of a piece that has not moved before
// makes it a mover.
func (t *turn) play(h hop) turn {
	n := *t
	n.last = n.moved
	for i, m := range n.movers[:n.moved] {
		if m.now == h.from {
			n.last = i
		}
	}
	if n.last == n.moved {
		n.movers[n.last].from = h.from
		n.moved++
	}
	n.movers[n.last].now = h.at
	n.own = n.own&^movegen.Bit(h.from) | h.to
	n.enemy &^= h.over
	n.taken |= h.over
	return n
}

// move is the turn as a move that leaves nothing open to a huff.
func (w *walker) move(t *turn) movegen.Move {
	m := movegen.Move{Taken: t.taken, Huff: movegen.NewHuff(w.huffed, 0)}
	for _, p := range t.movers[:t.moved] {
		m.From |= movegen.Bit(p.from)
		m.To |= movegen.Bit(p.now)
	}
	return m
}

// multiCaptures appends the turns of the switch multi-piece that are played to
// their end; with the rule maximum only those that remove the most pieces.
func (p *Position) multiCaptures(dst []movegen.Move, own, enemy, huffed movegen.Set) []movegen.Move {
	w := p.begin(own, enemy, huffed)
	if w.jumpers == 0 {
		return dst
	}
	p.unique.Begin(dst)
	c := completeTurns{walker: w, unique: &p.unique, begin: len(dst)}
	return c.walk(dst, &w.start)
}

// completeTurns collects turns that have nothing left to jump.
type completeTurns struct {
	*walker
	unique *movegen.Unique
	begin  int // where the list begins in dst
	most   int // pieces removed by the moves in the list, with the rule maximum
}

func (c *completeTurns) walk(dst []movegen.Move, t *turn) []movegen.Move {
	first := len(c.hops)
	c.hops = c.next(c.hops, t)
	if len(c.hops) == first {
		return c.end(dst, t)
	}
	var n turn // declared here, or each would be allocated
	for i := first; i < len(c.hops); i++ {
		n = t.play(c.hops[i])
		dst = c.walk(dst, &n)
	}
	c.hops = c.hops[:first]
	return dst
}

func (c *completeTurns) end(dst []movegen.Move, t *turn) []movegen.Move {
	if c.rules.Maximum {
		n := t.taken.Len()
		if n < c.most {
			return dst
		}
		if n > c.most {
			c.most = n
			dst = dst[:c.begin]
			c.unique.Begin(dst)
		}
	}
	return c.unique.Add(dst, c.move(t))
}
