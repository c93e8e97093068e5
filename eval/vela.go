package eval

import (
	"slices"

	"qirkat/movegen"
	"qirkat/movegen/fanorona"
)

// The features of the vela. Its two sides play different games: Black gives
// away all but five pieces and cannot capture, so its number of pieces says
// only how long the vela will last, and what counts is how the pieces will
// stand when the normal rules return. So material counts Black's pieces as the
// five that it will keep, every feature of the normal rules but tempo is 0 as
// long as the vela lasts, and its own features count White and Black apart:
// for the side to move if that is the one named, else against it.
const (
	velaLeft = fanoronaFeatures + iota
	whiteMobility
	blackMobility
	whiteStrong
	blackStrong
	whiteSafe
	whiteLines
	blackLines
	blackTargets
	velaFeatures
)

var velaTable = slices.Concat(fanoronaTable, []Feature{
	velaLeft - fanoronaFeatures:      {"vela-left", "in the vela: pieces that Black must still give up, counted for White"},
	whiteMobility - fanoronaFeatures: {"vela-white-mobility", "in the vela: White's steps to empty points"},
	blackMobility - fanoronaFeatures: {"vela-black-mobility", "in the vela: Black's steps to empty points"},
	whiteStrong - fanoronaFeatures:   {"vela-white-strong", "in the vela: White's pieces on strong points"},
	blackStrong - fanoronaFeatures:   {"vela-black-strong", "in the vela: Black's pieces on strong points"},
	whiteSafe - fanoronaFeatures:     {"vela-white-safe", "in the vela: White's pieces without an empty point beside them"},
	whiteLines - fanoronaFeatures:    {"vela-white-lines", "in the vela: Black's pieces that White can take, counted along each axis"},
	blackLines - fanoronaFeatures:    {"vela-black-lines", "in the vela: White's pieces that Black could take first in a line if it might capture, counted along each axis"},
	blackTargets - fanoronaFeatures:  {"vela-black-targets", "in the vela: White's pieces that Black could take first if it might capture"},
})

// velaEval is the evaluation of a round that begins with the vela.
type velaEval struct{ fanoronaEval }

func newVela(p *fanorona.Position, w *Weights) *velaEval {
	return &velaEval{*newFanorona(p, w)}
}

// Eval is the score in centipieces for the side to move.
func (e *velaEval) Eval() int {
	var c counts
	return held(e.count(&c))
}

// Features appends the counts for the side to move.
func (e *velaEval) Features(dst []int32) []int32 {
	var c counts
	e.count(&c)
	return append(dst, c[:velaFeatures]...)
}

// Terms are the features one by one.
func (e *velaEval) Terms() []Term {
	var c counts
	e.count(&c)
	return terms(velaTable, &c, &e.weights)
}

func (e *velaEval) count(c *counts) int32 {
	if !e.position.InVela() {
		return e.fanoronaEval.count(c)
	}
	white, black := e.position.Pieces(movegen.White), e.position.Pieces(movegen.Black)
	ours, theirs := e.look(white, black)
	plus, minus := int32(1), int32(-1) // counts of White and of Black
	if e.position.Turn() == movegen.Black {
		plus, minus = -1, 1
	}
	w := &e.weights
	return c.put(w, material, plus*(size(white)-fanorona.AfterVela)) +
		c.put(w, tempo, 1) +
		c.put(w, velaLeft, plus*(size(black)-fanorona.AfterVela)) +
		c.put(w, whiteMobility, plus*ours.steps) +
		c.put(w, blackMobility, minus*theirs.steps) +
		c.put(w, whiteStrong, plus*size(white&e.strong)) +
		c.put(w, blackStrong, minus*size(black&e.strong)) +
		c.put(w, whiteSafe, plus*ours.safe) +
		c.put(w, whiteLines, plus*ours.lines) +
		c.put(w, blackLines, minus*theirs.lines) +
		c.put(w, blackTargets, minus*theirs.targets)
}
