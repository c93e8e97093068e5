package eval

import (
	"slices"

	"qirkat/movegen"
	"qirkat/movegen/fanorona"
)

// The features of Fanorona. There is no advancement: no step is closed to any
// piece, so nothing is lost for good by going forward.
const (
	lines = boardFeatures + iota
	enemyLines
	fanoronaFeatures
)

var fanoronaTable = slices.Concat(boardTable, []Feature{
	lines - boardFeatures:      {"lines", "attackable lines: enemy pieces that the side to move can take first in a line, counted along each axis"},
	enemyLines - boardFeatures: {"enemy-lines", "own pieces that the enemy could take first in a line, counted along each axis"},
})

// fanoronaEval is the evaluation of a position of Fanorona.
type fanoronaEval struct {
	fanoronaBoard
	weights  counts
	patterns *patterns // nil: there are none
}

// fanoronaBoard is a position with what is to be looked at on its board.
type fanoronaBoard struct {
	position *fanorona.Position
	areas
	axes [4]movegen.Axis
}

func newFanoronaBoard(p *fanorona.Position) fanoronaBoard {
	b := fanoronaBoard{position: p, areas: areasOf(p.Board())}
	copy(b.axes[:], p.Board().Axes)
	return b
}

func newFanorona(p *fanorona.Position, w *Weights) *fanoronaEval {
	return &fanoronaEval{newFanoronaBoard(p), w.values, w.patterns}
}

// Eval is the score in centipieces for the side to move.
func (e *fanoronaEval) Eval() int {
	var c counts
	return held(e.count(&c))
}

// Features appends the counts for the side to move.
func (e *fanoronaEval) Features(dst []int32) []int32 {
	var c counts
	e.count(&c)
	return append(dst, c[:fanoronaFeatures]...)
}

// Terms are the features one by one.
func (e *fanoronaEval) Terms() []Term {
	var c counts
	e.count(&c)
	return terms(fanoronaTable, &c, &e.weights)
}

func (e *fanoronaEval) count(c *counts) int32 {
	us := e.position.Turn() & 1
	own, enemy := e.position.Pieces(us), e.position.Pieces(us^1)
	ours, theirs := e.look(own, enemy)
	w := &e.weights
	return c.put(w, material, lead(own, enemy)) +
		c.put(w, mobility, ours.steps-theirs.steps) +
		c.put(w, safe, ours.safe-theirs.safe) +
		c.put(w, capturable, theirs.targets) +
		c.put(w, targets, ours.targets) +
		c.put(w, strong, lead(own&e.strong, enemy&e.strong)) +
		c.put(w, edge, lead(own&e.edge, enemy&e.edge)) +
		c.put(w, centre, lead(own&e.centre, enemy&e.centre)) +
		c.put(w, tempo, 1) +
		c.put(w, patternSum, e.patterns.value(own, enemy, us)) +
		c.put(w, lines, ours.lines) +
		c.put(w, enemyLines, theirs.lines)
}

// lead is how many more points one set has than another.
func lead(own, enemy movegen.Set) int32 { return size(own) - size(enemy) }

func size(s movegen.Set) int32 { return int32(s.Len()) }

// outlook is what one side has on a board of Fanorona.
type outlook struct {
	steps   int32 // to empty points, capturing or not
	safe    int32 // pieces without an empty point beside them
	targets int32 // enemy pieces that a step takes first
	lines   int32 // of enemy pieces that a step takes, by axis
}

// look gives the outlooks of two sides.
func (b *fanoronaBoard) look(own, enemy movegen.Set) (ours, theirs outlook) {
	empty := b.all &^ (own | enemy)
	var free, targeted, inReach movegen.Set
	for i := range b.axes {
		a := &b.axes[i]
		k := a.Delta
		canUp, canDown := a.Step.Up&empty.Down(k), a.Step.Down&empty.Up(k)
		free |= canUp | canDown
		up, down := own&canUp, own&canDown
		ours.steps += size(up) + size(down)
		first := firsts(a, up, down) & enemy
		targeted |= first
		ours.lines += size(first)
		up, down = enemy&canUp, enemy&canDown
		theirs.steps += size(up) + size(down)
		first = firsts(a, up, down) & own
		inReach |= first
		theirs.lines += size(first)
	}
	ours.safe, theirs.safe = size(own&^free), size(enemy&^free)
	ours.targets, theirs.targets = size(targeted), size(inReach)
	return ours, theirs
}

// firsts are the points whose pieces would be taken first by steps along an
// axis, up and down from the given points: those approached, two points on,
// and those withdrawn from, one point back.
func firsts(a *movegen.Axis, up, down movegen.Set) movegen.Set {
	k := a.Delta
	return ((up & a.Jump.Up).Up(k) | down&a.Step.Up).Up(k) | ((down & a.Jump.Down).Down(k) | up&a.Step.Down).Down(k)
}
