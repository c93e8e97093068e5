package solve

import (
	"qirkat/movegen"
	"qirkat/tablebase"
)

// A searcher looks, for one goroutine, for a proof that the attacker wins, or a
// disproof, by depth-first proof-number search (A. Nagai, "Df-pn Algorithm for
// Searching AND/OR Trees and Its Applications", 2002): with a threshold for the
// best child of a quarter more than the second best (J. Pawlewicz and Ł. Lew,
// "Improving Depth-First PN-Search: 1 + ε Trick", 2007), and sums, where numbers
// add, over all children.
//
// A position that comes again on its own path is disproven there. So a proof
// does not depend on the path: it rests on proofs that were there before it, and
// in the end on tables and on positions without a move. A disproof does, and is
// only believed when closed.go has made a closed set of it (A. Kishimoto and
// M. Müller, "A General Solution to the Graph History Interaction Problem",
// 2004, tells of the problem).
type searcher struct {
	*mover
	*team
	prober *tablebase.Prober

	turns    []movegen.Move // a stack
	children []child        // a stack
	path     []key          // from the root
	err      error          // of the prober
}

// child is a position after a move, and what is known of it.
type child struct {
	position
	key
	numbers
	quiet bool // nothing was taken
	fixed bool // a table or the end of the game decides it
}

// limits are thresholds: the search of a position ends when one is reached.
type limits struct{ proof, disproof uint32 }

// decide searches a position, without the path that led to it, until it is
// decided or the team is halted.
func (s *searcher) decide(p *position) numbers {
	s.path, s.children, s.turns = s.path[:0], s.children[:0], s.turns[:0]
	c := s.newChild(*p, false)
	for !c.decided() && !s.halted() {
		c.numbers = s.search(&c, limits{infinite, infinite}, 0)
	}
	return c.numbers
}

// halted reports whether the search is to end now.
func (s *searcher) halted() bool { return s.halt.Load() || s.table.crowded() || s.err != nil }

// newChild is a position with what is known of it without a search. Positions
// on the path are not looked for.
func (s *searcher) newChild(p position, quiet bool) child {
	c := child{position: p, quiet: quiet}
	if result, plies, ok := s.settled(&p); ok {
		c.fixed = true
		c.numbers = disprovenNumbers
		if result {
			c.numbers = provenNumbers
			c.plies = uint16(plies)
		}
		return c
	}
	c.key = s.canonical(&p)
	if n, ok := s.table.find(c.key); ok {
		c.numbers = n
		return c
	}
	c.numbers = s.guess(&p)
	return c
}

// settled says whether the attacker wins where a table knows it or a side has no
// pieces, and in how many plies; 0 if the table does not know that.
func (s *searcher) settled(p *position) (wins bool, plies int, ok bool) {
	white, black := p.pieces[movegen.White], p.pieces[movegen.Black]
	if white == 0 || black == 0 {
		return p.pieces[s.attacker.Other()] == 0, 0, true
	}
	if (white|black).Len() > s.known || p.back != [2]uint8{} {
		return false, 0, false
	}
	v, err := s.prober.Look(p.pieces, p.turn)
	if err != nil {
		s.err = err
		return false, 0, false
	}
	return attackerWins(v.Result, p.turn == s.attacker), max(0, v.Plies), true
}

// attackerWins reads a result for the side to move.
func attackerWins(r tablebase.Result, moves bool) bool {
	if moves {
		return r == tablebase.Win
	}
	return r == tablebase.Loss
}

// guess is a first guess of the numbers of a position: the more pieces the
// attacker is behind, the more work a proof is, and the other way round. A
// capture that the side to move can make is counted as made.
func (s *searcher) guess(p *position) numbers {
	lead := p.pieces[s.attacker].Len() - p.pieces[s.attacker.Other()].Len()
	if s.game.CanCapture(p.pieces, p.turn) {
		if p.turn == s.attacker {
			lead++
		} else {
			lead--
		}
	}
	n := numbers{proof: 4, disproof: 4}
	if lead > 0 {
		n.disproof += uint32(4 * lead)
		n.proof = uint32(max(1, 4-lead))
	} else {
		n.proof += uint32(-4 * lead)
		n.disproof = uint32(max(1, 4+lead))
	}
	return n
}

// onPath reports whether a position occurred on the path since the last capture,
// which was made at the place from.
func (s *searcher) onPath(k key, from int) bool {
	for i := len(s.path) - 2; i >= from; i -= 2 {
		if s.path[i] == k {
			return true
		}
	}
	return false
}

// expand puts the children of a position on the stack.
func (s *searcher) expand(p *position, from int) {
	begin := len(s.turns)
	s.turns = s.moves(s.turns, p)
	for i := begin; i < len(s.turns); i++ {
		m := &s.turns[i]
		c := s.newChild(s.play(p, m), m.Taken == 0)
		if c.quiet && !c.fixed && s.onPath(c.key, from) {
			c.numbers, c.fixed = disprovenNumbers, true
		}
		s.children = append(s.children, c)
	}
	s.turns = s.turns[:begin]
}

// gather gives the numbers that follow from those of the children: for the side
// that has the choice the least, for the other the sum. best is the child to
// search, second the least number but the best's.
func (s *searcher) gather(first int, chooses bool) (n numbers, best int, second uint32) {
	least, lowest, sum := uint32(infinite), uint32(infinite), uint64(0)
	second = infinite
	best = first
	var plies uint16
	for i := first; i < len(s.children); i++ {
		c := &s.children[i]
		choice, sums := c.disproof, c.proof
		if chooses {
			choice, sums = c.proof, c.disproof
		}
		least, sum = min(least, choice), sum+uint64(sums)
		switch seen := s.seen(c, choice); {
		case seen < lowest || i == first:
			second, lowest, best = lowest, seen, i
		case seen < second:
			second = seen
		}
		if c.proven() {
			if plies == 0 || chooses == (c.plies+1 < plies) {
				plies = c.plies + 1
			}
		}
	}
	add := uint32(min(sum, infinite-1))
	if least == 0 {
		add = infinite
	}
	n = numbers{proof: add, disproof: least}
	if chooses {
		n = numbers{proof: least, disproof: add}
	}
	if n.proven() {
		n.plies = plies
	}
	return n, best, second
}

// search expands positions below c until one of its numbers reaches its limit,
// and gives the numbers. from is the place on the path from which positions can
// come again.
func (s *searcher) search(c *child, limit limits, from int) numbers {
	p := c.position
	s.nodes.Add(1)
	first, chooses := len(s.children), p.turn == s.attacker
	s.path = append(s.path, c.key)
	s.expand(&p, from)
	n := numbers{}
	work := uint64(c.work) + 1
	if len(s.children) == first {
		n = disprovenNumbers
		if attackerWins(s.end(&p), chooses) {
			n = provenNumbers
		}
	} else {
		for {
			var best int
			var second uint32
			n, best, second = s.gather(first, chooses)
			if len(s.path) == 1 {
				s.root.Store(uint64(n.proof) | uint64(n.disproof)<<32)
			}
			if n.decided() || n.proof >= limit.proof || n.disproof >= limit.disproof || s.halted() {
				break
			}
			b := &s.children[best]
			if now, ok := s.table.find(b.key); ok && (now.proof != b.proof || now.disproof != b.disproof) {
				b.numbers = now
				continue
			}
			next := s.limitsOf(b, &n, limit, second, chooses)
			reach := from
			if !b.quiet {
				reach = len(s.path)
			}
			old := b.work
			mark := s.enter(b.key)
			found := s.search(b, next, reach)
			mark.Add(-1)
			s.children[best].numbers = found // the stack may have moved
			work += uint64(found.work - min(found.work, old))
		}
	}
	s.children = s.children[:first]
	s.path = s.path[:len(s.path)-1]
	n.work = uint32(min(work, 1<<32-1))
	s.table.put(c.key, n)
	return n
}

// limitsOf are the limits for the best child.
func (s *searcher) limitsOf(b *child, n *numbers, limit limits, second uint32, chooses bool) limits {
	wide := func(limit, sum, part uint32) uint32 {
		if limit >= infinite-1 || sum >= infinite-1 {
			return infinite
		}
		return limit - (sum - part)
	}
	narrow := func(limit, own uint32) uint32 {
		if second >= infinite/2 {
			return limit
		}
		return max(min(limit, second+second/4+1), own+1)
	}
	if chooses {
		return limits{narrow(limit.proof, b.proof), wide(limit.disproof, n.disproof, b.disproof)}
	}
	return limits{wide(limit.proof, n.proof, b.proof), narrow(limit.disproof, b.disproof)}
}

// childrenOf lists what the moves of a position lead to, and what is known of
// it, without a path. The list holds until the next call.
func (s *searcher) childrenOf(p *position) []child {
	s.path, s.children, s.turns = s.path[:0], s.children[:0], s.turns[:0]
	s.expand(p, 0)
	return s.children
}
