package solve

import (
	"math/bits"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// A searcher looks, for one goroutine, for a proof that the attacker wins, or a
// disproof, by depth-first proof-number search (A. Nagai, "Df-pn Algorithm for
// Searching AND/OR Trees and Its Applications", 2002): with a threshold for the
// best child of a quarter more than the second best (J. Pawlewicz and Ł. Lew,
// "Improving Depth-First PN-Search: 1 + ε Trick", 2007). Where numbers add, the
// largest is taken and one for each other child (T. Ueda, T. Hashimoto,
// J. Hashimoto and H. Iida, "Weak Proof-Number Search", 2008): the children share
// most of what is below them, and sums grow without end where positions come
// again. A claim that the attacker does not win takes the sums of the disproof
// numbers all the same: it mostly needs fewer nodes with them, and a win more
// (docs/tables.md).
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
	prober *tablebase.Prober // nil: none
	hints  *tablebase.Prober // of nearly the same rules; nil: none

	turns    []movegen.Move // a stack
	children []child        // a stack
	path     []key          // from the root
	passed   passed         // the positions of path
	touched  uint64         // without meaning; keeps touch from being left out
	until    uint64         // the number of nodes of the team at which to halt
	err      error          // of the prober
}

// passed counts the positions of a path by a hash, so that most others need no look
// through the path, which can have thousands of positions.
type passed [1 << 16]uint16

func (t *passed) slot(k key) *uint16 {
	return &t[(k.a^bits.RotateLeft64(k.b, 29))*0x9e3779b97f4a7c15>>48]
}

// child is a position after a move, and what is known of it.
type child struct {
	position
	key
	numbers
	quiet bool // nothing was taken or huffed
	fixed bool // a table or the end of the game decides it
}

// reach says which numbers of pieces tables cover: by the pieces of White, a bit
// for each number of pieces of Black.
type reach struct {
	all      [64]uint64
	captures [64]uint64 // if the side to move captures
}

// reachOf is that of tables; nil are none.
func reachOf(t *tablebase.Tables) *reach {
	r := new(reach)
	for white := 1; t != nil && white <= tablebase.MaxPieces; white++ {
		for black := 1; black <= tablebase.MaxPieces; black++ {
			all, captures := t.Covers(white, black)
			if all {
				r.all[white] |= 1 << black
			}
			if captures {
				r.captures[white] |= 1 << black
			}
		}
	}
	return r
}

// has reports whether a position can be looked up whatever its moves are.
func (r *reach) has(p *position) bool { return has(&r.all, p) }

// hasCaptures reports whether it can be looked up if its side to move captures.
func (r *reach) hasCaptures(p *position) bool { return has(&r.captures, p) }

func has(table *[64]uint64, p *position) bool {
	white, black := p.pieces[movegen.White].Len(), p.pieces[movegen.Black].Len()
	return table[white&63]>>(black&63)&1 != 0
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
func (s *searcher) halted() bool {
	return s.halt.Load() || s.table.crowded() || s.nodes.Load() >= s.until || s.err != nil
}

// newChild is a position with what is known of it without a search. Positions
// on the path are not looked for.
func (s *searcher) newChild(p position, quiet bool) child {
	c := child{position: p, quiet: quiet}
	if !s.settle(&c) {
		s.recall(&c)
	}
	return c
}

// settle gives a position its numbers if it is settled, and otherwise its key.
func (s *searcher) settle(c *child) bool {
	wins, plies, ok := s.settled(&c.position)
	if !ok {
		c.key = s.canonical(&c.position)
		return false
	}
	c.fixed, c.numbers = true, disprovenNumbers
	if wins {
		c.numbers = provenNumbers
		c.plies = uint16(plies)
	}
	return true
}

// recall gives a position the numbers that the table has of it, or a guess.
func (s *searcher) recall(c *child) {
	n, ok := s.table.find(c.key)
	if !ok {
		n = s.guess(&c.position)
	}
	c.numbers = n
}

// settled says whether the attacker wins where a table knows it or a side has no
// pieces, and in how many plies; 0 if the table does not know that.
func (s *searcher) settled(p *position) (wins bool, plies int, ok bool) {
	white, black := p.pieces[movegen.White], p.pieces[movegen.Black]
	if white == 0 || black == 0 {
		return p.pieces[s.attacker.Other()] == 0, 0, true
	}
	if !s.known.has(p) && !(s.known.hasCaptures(p) && s.game.CanCapture(p.pieces, p.turn)) {
		return false, 0, false
	}
	v, err := s.prober.Look(p.pieces, p.turn, s.lastSteps(p), p.liable)
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

// guessSlope is what a piece counts in a first guess; chosen. Slopes of 1 to 8
// took from 256,000 to 397,000 nodes for a disproof of black-wins of alquerque.
const guessSlope = 4

// guess is a first guess of the numbers of a position: the more pieces the
// attacker is behind after the best capture or huff, the more work a proof is,
// and the other way round.
func (s *searcher) guess(p *position) numbers {
	if s.hinted.has(p) {
		return s.hint(p)
	}
	lead := p.pieces[s.attacker].Len() - p.pieces[s.attacker.Other()].Len()
	gain := s.mostGained(p)
	if p.turn != s.attacker {
		gain = -gain
	}
	lead += gain
	return numbers{proof: 1 + guessSlope*uint32(max(0, -lead)), disproof: 1 + guessSlope*uint32(max(0, lead))}
}

// hint is a first guess by tables of rules that are nearly those of the game: a
// win should be proven, the sooner the shorter it is, and all else disproven. The
// tables may know nothing of huffing: to huff leads to another position of the
// side to move.
func (s *searcher) hint(p *position) numbers {
	const far = 64 // chosen
	v, err := s.hints.Look(p.pieces, p.turn, tablebase.LastSteps{}, 0)
	for h := p.liable; h != 0 && err == nil && v.Result != tablebase.Win; h = h.Rest() {
		var w tablebase.Value
		if w, err = s.hints.Look(p.without(h.Lowest()), p.turn, tablebase.LastSteps{}, 0); w.Result == tablebase.Win || v.Result == tablebase.Loss {
			v = w
		}
	}
	if err != nil {
		s.err = err
	}
	if attackerWins(v.Result, p.turn == s.attacker) {
		return numbers{proof: 1 + uint32(max(0, v.Plies))/4, disproof: far}
	}
	return numbers{proof: far, disproof: 1}
}

// onPath reports whether a position occurred on the path since the last capture
// or huff, which was made at the place from.
func (s *searcher) onPath(k key, from int) bool {
	if *s.passed.slot(k) == 0 {
		return false
	}
	for i := len(s.path) - 2; i >= from; i -= 2 {
		if s.path[i] == k {
			return true
		}
	}
	return false
}

// expand puts the children of a position on the stack. It touches their entries
// in the table one after the other, so that the memory brings them together, and
// reads them then.
func (s *searcher) expand(p *position, from int) {
	begin, first := len(s.turns), len(s.children)
	s.turns = s.moves(s.turns, p)
	for i := begin; i < len(s.turns); i++ {
		m := &s.turns[i]
		c := child{position: s.play(p, m), quiet: m.Gain() == 0}
		s.settle(&c)
		s.children = append(s.children, c)
	}
	s.turns = s.turns[:begin]
	children := s.children[first:]
	for i := range children {
		if !children[i].fixed {
			s.touched += s.table.touch(children[i].key)
		}
	}
	for i := range children {
		switch c := &children[i]; {
		case c.fixed:
		case c.quiet && s.onPath(c.key, from):
			c.numbers, c.fixed = disprovenNumbers, true
		default:
			s.recall(c)
		}
	}
}

// gather gives the numbers that follow from those of the children: for the side
// that has the choice the least, for the other the sum. best is the child to
// search, second the least number but the best's, and rest what the sum has
// besides the number of the child to search, or besides the largest.
func (s *searcher) gather(first int, chooses bool) (n numbers, best int, second, rest uint32) {
	least, lowest, most, open := uint32(infinite), uint32(infinite), uint32(0), uint32(0)
	second = infinite
	best = first
	total := uint64(0)
	var plies uint16
	for i := first; i < len(s.children); i++ {
		c := &s.children[i]
		choice, sums := c.disproof, c.proof
		if chooses {
			choice, sums = c.proof, c.disproof
		}
		least, most, total = min(least, choice), max(most, sums), total+uint64(sums)
		if sums > 0 {
			open++
		}
		switch seen := s.seen(c, choice); {
		case seen < lowest || i == first:
			second, lowest, best = lowest, seen, i
		case seen < second:
			second = seen
		}
		if c.proven() && (plies == 0 || chooses == (c.plies+1 < plies)) {
			plies = c.plies + 1
		}
	}
	rest = max(open, 1) - 1
	add := min(most+rest, infinite-1)
	if s.sums && chooses {
		add = uint32(min(total, infinite-1))
		rest = add - min(add, s.children[best].disproof)
	}
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
	return n, best, second, rest
}

// search expands positions below c until one of its numbers reaches its limit,
// and gives the numbers. from is the place on the path from which positions can
// come again.
func (s *searcher) search(c *child, limit limits, from int) numbers {
	p := c.position
	s.nodes.Add(1)
	first, chooses := len(s.children), p.turn == s.attacker
	s.path = append(s.path, c.key)
	*s.passed.slot(c.key)++
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
			var second, rest uint32
			n, best, second, rest = s.gather(first, chooses)
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
			next := limitsOf(b, limit, second, rest, chooses)
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
	*s.passed.slot(c.key)--
	n.work = uint32(min(work, 1<<32-1))
	s.table.put(c.key, n)
	return n
}

// limitsOf are the limits for the best child: where numbers add, what brings the
// weak sum to its limit; where it is the choice, a quarter more than the second.
func limitsOf(b *child, limit limits, second, rest uint32, chooses bool) limits {
	wide := func(limit uint32) uint32 {
		if limit >= infinite-1 {
			return infinite
		}
		return limit - min(rest, limit-1)
	}
	narrow := func(limit, own uint32) uint32 {
		if second >= infinite/2 {
			return limit
		}
		return max(min(limit, second+second/4+1), own+1)
	}
	if chooses {
		return limits{narrow(limit.proof, b.proof), wide(limit.disproof)}
	}
	return limits{wide(limit.proof), narrow(limit.disproof, b.disproof)}
}

// childrenOf lists what the moves of a position lead to, and what is known of
// it, without a path. The list holds until the next call.
func (s *searcher) childrenOf(p *position) []child {
	s.path, s.children, s.turns = s.path[:0], s.children[:0], s.turns[:0]
	s.expand(p, 0)
	return s.children
}
