package slow

import (
	"fmt"
	"slices"
)

// alquerque is the table of parameters of section 2.
type alquerque struct {
	*grid
	first         byte // the side that moves first
	stepsBackward bool // step directions "all", else "forward, sideways"
	jumpsBackward bool // jump directions
	farRowSteps   bool // a piece on the far row may step
	huffing       bool
	maximum       bool
	huffMover     bool // huffed is the one that moved, else one that could capture
	noReturn      bool
	multiPiece    bool
	repetitionAt  int  // occurrences that make a draw; 0 is off
	quietAt       int  // quiet plies that make a draw
	blockCounts   bool // a double block is decided by piece count
}

func newAlquerque(variant string) (*alquerque, error) {
	a := &alquerque{
		first:         white,
		stepsBackward: true, jumpsBackward: true, farRowSteps: true,
		repetitionAt: 3, quietAt: 100,
	}
	switch variant {
	case "alquerque":
	case "alquerque-bell":
		// That its pieces on the far row jump sideways only needs no word:
		// forward ends there.
		a.stepsBackward, a.jumpsBackward, a.farRowSteps = false, false, false
		a.huffing, a.noReturn, a.blockCounts = true, true, true
	case "alquerque-pritchard":
		a.stepsBackward, a.farRowSteps = false, false
		a.huffing, a.noReturn, a.blockCounts = true, true, true
	case "alquerque-modern":
		a.blockCounts = true
	case "quirkat":
		a.first = black
		a.huffing, a.maximum, a.huffMover, a.noReturn = true, true, true, true
		a.repetitionAt, a.quietAt = 0, 50
	default:
		return nil, fmt.Errorf("unknown variant %q", variant)
	}
	a.grid = newGrid(5, 5)
	return a, nil
}

// set changes a switch. NoBackward=off and MultiPiece=off open nothing that
// the variant closes.
func (a *alquerque) set(name, value string) error {
	on, err := onOff(name, value)
	if err != nil {
		return err
	}
	switch name {
	case "NoReturn":
		a.noReturn = on
	case "NoBackward":
		if on {
			// What the variant says of the far row stays: a switch that closes
			// directions opens no step.
			a.stepsBackward, a.jumpsBackward = false, false
		}
	case "MultiPiece":
		a.multiPiece = on
	case "Huffing":
		a.huffing = on
	default:
		return fmt.Errorf("unknown switch %q", name)
	}
	return nil
}

func (a *alquerque) start() string {
	return fmt.Sprintf("bbbbb/bbbbb/bb1ww/wwwww/wwwww %c - 0 1", a.first)
}

// A play is a turn, or the part of one played so far, without its huff. It is
// what can be done on the board; which plays are legal is decided afterwards.
type play struct {
	points [maxPoints]byte
	path   string // the points visited, joined; chains joined by +
	// origin[p] is the point where the piece that stands on p began the turn.
	origin  [5 * 5]int8
	moved   set // the origins of the pieces that have moved
	removed set // the points of the pieces captured
	taken   int // their number
	stepped step
	// complete says that every chain is played to its end and no jump of
	// multi-piece is left out.
	complete bool
}

func beginPlay(p *position) play {
	b := play{points: p.points}
	for at := range b.origin {
		b.origin[at] = int8(at)
	}
	return b
}

// moveTo puts the piece on from to the point to.
func (b *play) moveTo(from, to int) {
	b.points[from], b.points[to] = empty, b.points[from]
	b.moved[b.origin[from]] = true
	b.origin[to] = b.origin[from]
}

// outcome tells turns apart (section 1, "One move or two?"): start points, end
// points and removed pieces. A piece that moves in two chains starts at its
// first point and ends at its last.
type outcome struct{ starts, ends, removed set }

func (a *alquerque) outcome(b *play, side byte) outcome {
	o := outcome{starts: b.moved, removed: b.removed}
	for at := range a.size() {
		o.ends[at] = b.points[at] == side && b.moved[b.origin[at]]
	}
	return o
}

// steps lists the steps: along a line to an adjacent empty point. What closes
// a step is its direction, the far row and the rule of no return.
func (a *alquerque) steps(p *position) []play {
	all := make([]play, 0, 16)
	for from := range a.size() {
		if p.points[from] != p.side || a.farRow(from, p.side) && !a.farRowSteps {
			continue
		}
		for d := range directions {
			to := a.next[from][d]
			if to == none || p.points[to] != empty {
				continue
			}
			if backward(d, p.side) && !a.stepsBackward {
				continue
			}
			if a.returns(p, from, to) {
				continue
			}
			b := beginPlay(p)
			b.moveTo(from, to)
			b.path = a.name(from) + a.name(to)
			b.stepped = step{from, to}
			all = append(all, b)
		}
	}
	return all
}

// returns is the rule of no return: a piece that stepped from A to B may not
// step from B to A on its side's very next turn.
func (a *alquerque) returns(p *position, from, to int) bool {
	return a.noReturn && *p.lastStep(p.side) == step{to, from}
}

// jump is a jump: from a point over an enemy piece to a point.
type jump struct{ from, over, to int }

// jumpsFrom lists the jumps of the piece on from: over an adjacent enemy piece
// to the empty point right behind it on the same line.
func (a *alquerque) jumpsFrom(points *[maxPoints]byte, from int) []jump {
	side := points[from]
	var all []jump
	for d := range directions {
		if backward(d, side) && !a.jumpsBackward {
			continue
		}
		over := a.next[from][d]
		if over == none || points[over] != opponent(side) {
			continue
		}
		to := a.next[over][d]
		if to == none || points[to] != empty {
			continue
		}
		all = append(all, jump{from, over, to})
	}
	return all
}

// jumps lists the jumps of all pieces of a side.
func (a *alquerque) jumps(points *[maxPoints]byte, side byte) []jump {
	var all []jump
	for from := range a.size() {
		if points[from] == side {
			all = append(all, a.jumpsFrom(points, from)...)
		}
	}
	return all
}

// captures lists the turns that capture, complete or not: every one that ends
// after any of its jumps.
func (a *alquerque) captures(p *position) []play {
	var all []play
	before := a.jumps(&p.points, p.side)
	for _, j := range before {
		b := beginPlay(p)
		b.path = a.name(j.from)
		all = a.chain(all, b, j, p.side, before)
	}
	return all
}

// chain appends the captures that go on from b with jump j. The jumped piece
// leaves the board at once. After a jump the same piece goes on while it can
// jump; when the chain is over, multi-piece may open another one. before has
// the jumps that could be made at the start of the turn.
func (a *alquerque) chain(all []play, b play, j jump, side byte, before []jump) []play {
	b.moveTo(j.from, j.to)
	b.points[j.over] = empty
	b.removed[j.over] = true
	b.taken++
	b.path += a.name(j.to)

	more := a.jumpsFrom(&b.points, j.to)
	var opened []jump
	if len(more) == 0 {
		opened = a.opened(&b, side, before)
	}
	end := b
	end.complete = len(more) == 0 && len(opened) == 0
	all = append(all, end)
	for _, k := range more {
		all = a.chain(all, b, k, side, before)
	}
	for _, k := range opened {
		next := b
		next.path += "+" + a.name(k.from)
		all = a.chain(all, next, k, side, before)
	}
	return all
}

// opened lists the jumps that start a new chain in the same turn (multi-piece):
// those that a piece of the mover can make now and could not make at the start
// of the turn.
func (a *alquerque) opened(b *play, side byte, before []jump) []jump {
	if !a.multiPiece {
		return nil
	}
	var all []jump
	for _, j := range a.jumps(&b.points, side) {
		if !slices.Contains(before, j) {
			all = append(all, j)
		}
	}
	return all
}

// enforced gives the moves that are legal with huffing off: the captures if
// there is one, else the steps. Chains must be played to their end. With
// maximum only the captures that remove the most pieces in the whole turn.
func (a *alquerque) enforced(steps, captures []play) []play {
	if len(captures) == 0 {
		return steps
	}
	var whole []play
	most := 0
	for _, b := range captures {
		if b.complete {
			whole = append(whole, b)
			most = max(most, b.taken)
		}
	}
	if a.maximum {
		whole = slices.DeleteFunc(whole, func(b play) bool { return b.taken < most })
	}
	return whole
}

// turn is one move: its paths and the position it leads to.
type turn struct {
	paths []string
	next  position
}

// identity is what makes two turns one move (section 1): the same outcome, the
// same piece huffed (none: no huff), and the same STATE after it.
type identity struct {
	outcome
	huffed               int
	whiteStep, blackStep step
	huffable             set
}

// moves collects turns and puts the paths of one move together.
type moves struct {
	turns []turn
	place map[identity]int // where in turns
}

func (m *moves) add(o outcome, huffed int, next position, path string) {
	if m.place == nil {
		m.place = make(map[identity]int)
	}
	id := identity{o, huffed, next.whiteStep, next.blackStep, next.huffable}
	i, known := m.place[id]
	if !known {
		i = len(m.turns)
		m.place[id] = i
		m.turns = append(m.turns, turn{next: next})
	}
	m.turns[i].paths = append(m.turns[i].paths, path)
}

// legal lists the legal turns; none when a side has no pieces.
func (a *alquerque) legal(p position) []turn {
	var m moves
	if p.count(white) == 0 || p.count(black) == 0 {
		return nil
	}
	a.addNormal(&m, p, none)
	for at, yes := range p.huffable {
		if yes {
			a.addHuff(&m, p, at)
		}
	}
	return m.turns
}

// addNormal adds the normal turns of a position from which the piece on huffed,
// if any, is already gone: a step or a capture, by the rule of huffing off or
// on. With huffing on every step and every capture is legal, but may be a fault.
func (a *alquerque) addNormal(m *moves, p position, huffed int) {
	prefix := ""
	if huffed != none {
		prefix = "x" + a.name(huffed) + ":"
	}
	steps, captures := a.steps(&p), a.captures(&p)
	enforced := a.enforced(steps, captures)
	played := enforced
	if a.huffing {
		played = slices.Concat(steps, captures)
	}
	// S is the set of moves that would be legal with huffing off. A move
	// outside S is a fault.
	s := make(map[outcome]bool, len(enforced))
	for i := range enforced {
		s[a.outcome(&enforced[i], p.side)] = true
	}
	for i := range played {
		b := &played[i]
		o := a.outcome(b, p.side)
		next := a.after(p, b, huffed)
		if !s[o] {
			next.huffable = a.huffable(&p, b)
		}
		m.add(o, huffed, next, prefix+b.path)
	}
}

// after is the position after a play: the other side's turn, the tokens of no
// return renewed, the right to huff gone, the counts moved on (section 1).
func (a *alquerque) after(p position, b *play, huffed int) position {
	next := p
	next.points = b.points
	next.side = opponent(p.side)
	*next.lastStep(p.side) = step{}
	if a.noReturn {
		*next.lastStep(p.side) = b.stepped
	}
	a.dropStep(&next, next.side)
	next.huffable = set{}
	next.quiet++
	if b.taken > 0 || huffed != none {
		next.quiet = 0
	}
	if p.side != a.first {
		next.move++
	}
	return next
}

// dropStep drops the token of a side when its piece no longer stands there.
func (a *alquerque) dropStep(p *position, side byte) {
	if s := p.lastStep(side); p.points[s.to] != side {
		*s = step{}
	}
}

// turns lists the legal turns of a position text.
func (a *alquerque) turns(fen string) []Turn {
	var all []Turn
	for _, t := range a.legal(a.parse(fen)) {
		slices.Sort(t.paths)
		all = append(all, Turn{t.paths[0], t.paths, a.text(t.next)})
	}
	return all
}

func (a *alquerque) nexts(fen string) []string {
	var all []string
	for _, t := range a.legal(a.parse(fen)) {
		all = append(all, a.text(t.next))
	}
	return all
}

func (a *alquerque) perft(fen string, depth int) int {
	next := func(p position) []position {
		legal := a.legal(p)
		all := make([]position, 0, len(legal))
		for _, t := range legal {
			all = append(all, t.next)
		}
		return all
	}
	return perft(next, a.parse(fen), depth)
}
