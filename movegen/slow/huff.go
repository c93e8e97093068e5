package slow

// huffable gives the pieces that the opponent may huff after play b, a fault,
// from position p (section 2, Huffing on). The position before the faulty move
// is the one after the mover's own huff, for a huff is not a move.
func (a *alquerque) huffable(p *position, b *play) set {
	if a.huffMover {
		return a.thatMoved(p, b)
	}
	if stopped := a.thatStopped(p, b); stopped != (set{}) {
		return stopped
	}
	return a.thatCouldCapture(p, b)
}

// thatStopped: "After a chain that stopped early only the piece that stopped,
// while it can still jump". Looked at when the turn is over: a piece that has
// captured and can still jump has stopped early. With multi-piece that can be
// more than one piece, and a piece whose chain was over when it ended, but that
// a later chain of the turn gave a new jump. The book does not say this in so
// many words; the table of move counts does (alquerque-pritchard,
// MultiPiece=true, startpos, depth 5).
func (a *alquerque) thatStopped(p *position, b *play) set {
	var s set
	if b.taken == 0 {
		return s
	}
	for at, moved := range a.outcome(b, p.side).ends {
		s[at] = moved && len(a.jumpsFrom(&b.points, at)) > 0
	}
	return s
}

// thatMoved: the piece that made the faulty move, where it now stands; with
// multi-piece, any piece that moved.
func (a *alquerque) thatMoved(p *position, b *play) set {
	return a.outcome(b, p.side).ends
}

// thatCouldCapture: any one piece that, in the position before the faulty move,
// could make a jump; a piece that itself moved is taken where it now stands.
func (a *alquerque) thatCouldCapture(p *position, b *play) set {
	var s set
	for at := range a.size() {
		if b.points[at] == p.side && len(a.jumpsFrom(&p.points, int(b.origin[at]))) > 0 {
			s[at] = true
		}
	}
	return s
}

// addHuff adds the turns that begin with the huff of the piece on at. The huff
// changes the board before the turn's own move is chosen. If it takes the last
// enemy piece, it is the whole turn. Otherwise a huff after which the huffing
// side has no legal move is not legal: then nothing is added.
func (a *alquerque) addHuff(m *moves, p position, at int) {
	p.points[at] = empty
	a.dropStep(&p, opponent(p.side))
	p.huffable = set{}
	if p.count(opponent(p.side)) > 0 {
		a.addNormal(m, p, at)
		return
	}
	nothing := beginPlay(&p)
	m.add(outcome{}, at, a.after(p, &nothing, at), "x"+a.name(at))
}
