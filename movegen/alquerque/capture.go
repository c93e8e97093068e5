package alquerque

import "qirkat/movegen"

// canJump are the pieces of own that can jump now.
func (w *ways) canJump(own, enemy, empty movegen.Set) movegen.Set {
	return (w.axes[0].jumps(enemy, empty, alongRow) | w.axes[1].jumps(enemy, empty, upLeft) |
		w.axes[2].jumps(enemy, empty, upColumn) | w.axes[3].jumps(enemy, empty, upRight)).both() & own
}

// jumps are the points from which a jump along the axis goes, whoever stands
// there. It is inlined, and the shifts by k are constant then.
func (a *axis) jumps(enemy, empty movegen.Set, k uint8) pair {
	return a.jump & toward(enemy, k) & toward(empty, 2*k)
}

// captures appends the captures of one piece each, every chain played to its
// end; with the rule maximum only those that remove the most pieces. The board
// has the huffed piece off already.
func (p *Position) captures(dst []movegen.Move, own, enemy movegen.Set, huff movegen.Huff) []movegen.Move {
	w := &p.rules.side[p.turn&1]
	empty := p.rules.board.All &^ (own | enemy)

	// landing: the points from which a jump would go, whoever stands there. A
	// first jump changes nothing on the other lines of the point that it
	// reaches, so the chain goes on exactly if that point is one of them.
	row, left := w.axes[0].jumps(enemy, empty, alongRow), w.axes[1].jumps(enemy, empty, upLeft)
	column, right := w.axes[2].jumps(enemy, empty, upColumn), w.axes[3].jumps(enemy, empty, upRight)
	landing := (row | left | column | right).both()
	if landing&own == 0 {
		return dst
	}
	pieces := twice(own)
	p.unique.Begin(dst)
	c := chains{
		position: p, ways: w, huff: huff, begin: len(dst),
		enemy: enemy, empty: empty, landing: landing,
	}
	dst = c.open(dst, row&pieces, &p.rules.captures[0])
	dst = c.open(dst, left&pieces, &p.rules.captures[1])
	dst = c.open(dst, column&pieces, &p.rules.captures[2])
	return c.open(dst, right&pieces, &p.rules.captures[3])
}

// chains is what stays the same while the chains of a position are walked.
type chains struct {
	position *Position
	ways     *ways
	huff     movegen.Huff
	begin    int // where the list begins in dst

	enemy, empty, landing movegen.Set // at the start of the turn

	most int // pieces removed by the moves in the list, with the rule maximum
}

// open plays the first jumps from some points.
func (c *chains) open(dst []movegen.Move, from pair, turns *[64]movegen.Move) []movegen.Move {
	for ; from != 0; from &= from - 1 {
		m := &turns[movegen.Set(from).First()&63]
		if m.To&c.landing != 0 {
			dst = c.goOn(dst, m.From, m.To.First(), c.enemy^m.Taken, c.empty|m.From|m.Taken, m.Taken)
		} else {
			dst = c.end(dst, m.From, m.To, m.Taken)
		}
	}
	return dst
}

// goOn plays every further jump of the piece that has come to a point.
func (c *chains) goOn(dst []movegen.Move, from movegen.Set, at movegen.Point, enemy, empty, taken movegen.Set) []movegen.Move {
	goesOn := false
	for s := c.ways.jumps[at].over & enemy; s != 0; s = s.Rest() {
		if to := beyond(at, s.First()); empty.Has(to) {
			goesOn = true
			over := s.Lowest()
			dst = c.goOn(dst, from, to, enemy^over, empty|over, taken|over)
		}
	}
	if goesOn {
		return dst
	}
	return c.end(dst, from, movegen.Bit(at), taken)
}

// end adds a complete chain to the list. Two orders of the same jumps are
// possible from three jumps on.
func (c *chains) end(dst []movegen.Move, from, to, taken movegen.Set) []movegen.Move {
	m := movegen.Move{From: from, To: to, Taken: taken, Huff: c.huff}
	n := 1
	if taken.Rest() != 0 {
		n = taken.Len()
	}
	if c.position.rules.Maximum {
		if n < c.most {
			return dst
		}
		if n > c.most {
			c.most = n
			dst = dst[:c.begin]
			c.position.unique.Begin(dst)
		}
	}
	if n < 3 {
		return append(dst, m)
	}
	return c.position.unique.Add(dst, m)
}

// beyond is the point where a jump ends.
func beyond(from, over movegen.Point) movegen.Point { return 2*over - from }
