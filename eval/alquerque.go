package eval

import (
	"math/bits"
	"slices"

	"qirkat/movegen"
	"qirkat/movegen/alquerque"
)

// The features of the Alquerque family. What a rule set never shows counts 0.
const (
	advancement = boardFeatures + iota
	farRow
	huff
	alquerqueFeatures
)

var alquerqueTable = slices.Concat(boardTable, []Feature{
	advancement - boardFeatures: {"advancement", "rows between the pieces and their own side, own less enemy's; 0 where steps backward are open"},
	farRow - boardFeatures:      {"far-row", "pieces on the far row, own less enemy's; 0 where steps backward are open"},
	huff - boardFeatures:        {"huff", "1 if the side to move may huff"},
})

// alquerqueEval is the evaluation of a position of the Alquerque family.
type alquerqueEval struct {
	position                  *alquerque.Position
	weights                   counts
	patterns                  *patterns // nil: there are none
	all, strong, edge, centre lanes
	view                      [2]view // by side to move
}

// The axes of a 5×5 board in point order, by what a step up adds to a point.
const (
	alongRow = 1
	upLeft   = 4
	upColumn = 5
	upRight  = 6
)

var axes = [4]uint8{alongRow, upLeft, upColumn, upRight}

// view is what the rules leave open to the side to move and to the enemy.
type view struct {
	axes    [4]viewAxis
	forward bool     // steps backward are closed
	rows    [3]lanes // points by binary digit of the rows gained: 1, 2 and 4
	far     lanes
}

// viewAxis is an axis as a side sees it, up and down in point order: where it
// may step from, over which points it may jump, and over which of its points
// the other side may jump.
type viewAxis struct {
	stepUp, stepDown lanes
	overUp, overDown lanes
	open             lanes
}

func newAlquerque(p *alquerque.Position, w *Weights) *alquerqueEval {
	a := areasOf(p.Board())
	return &alquerqueEval{
		position: p, weights: w.values, patterns: w.patterns, all: twice(a.all),
		strong: twice(a.strong), edge: twice(a.edge), centre: twice(a.centre),
		view: [2]view{newView(p, movegen.White), newView(p, movegen.Black)},
	}
}

func newView(p *alquerque.Position, us movegen.Side) view {
	v := view{forward: p.Variant().StepDirections()&movegen.Backward == 0}
	own, enemy := p.Ways(us), p.Ways(us.Other())
	for i := range v.axes {
		o, e := own[i], enemy[i]
		k := o.Delta
		if k != axes[i] {
			panic("eval: the Alquerque family is played on 5×5 points")
		}
		v.axes[i] = viewAxis{
			stepUp: pair(o.Step.Up, e.Step.Up), stepDown: pair(o.Step.Down, e.Step.Down),
			overUp: pair(o.Jump.Up.Up(k), e.Jump.Up.Up(k)), overDown: pair(o.Jump.Down.Down(k), e.Jump.Down.Down(k)),
			open: pair(e.Jump.Up.Up(k)|e.Jump.Down.Down(k), o.Jump.Up.Up(k)|o.Jump.Down.Down(k)),
		}
	}
	b := p.Board()
	v.far = pair(b.FarRow(us), b.FarRow(us.Other()))
	for digit := range v.rows {
		for r := range b.H {
			if r>>digit&1 != 0 {
				v.rows[digit] |= pair(gained(b, us, r), gained(b, us.Other(), r))
			}
		}
	}
	return v
}

// gained is the row that is r rows from the side's own.
func gained(b *movegen.Board, s movegen.Side, r int) movegen.Set {
	if s == movegen.Black {
		r = b.H - 1 - r
	}
	return b.Row(r)
}

// Eval is the score in centipieces for the side to move.
func (e *alquerqueEval) Eval() int {
	var c counts
	return held(e.count(&c))
}

// Features appends the counts for the side to move.
func (e *alquerqueEval) Features(dst []int32) []int32 {
	var c counts
	e.count(&c)
	return append(dst, c[:alquerqueFeatures]...)
}

// Terms are the features one by one.
func (e *alquerqueEval) Terms() []Term {
	var c counts
	e.count(&c)
	return terms(alquerqueTable, &c, &e.weights)
}

// lanes are two sets of points of a 5×5 board: the side to move's in the lower
// half, the enemy's in the upper. A shift along a line carries both; what it
// carries off the board never meets a mask of the points that a line leads to.
type lanes uint64

func pair(own, enemy movegen.Set) lanes { return lanes(own | enemy<<32) }
func twice(s movegen.Set) lanes         { return pair(s, s) }

// lead is how many more points the side to move has than the enemy.
func (l lanes) lead() int32 { return int32(bits.OnesCount64(uint64(l^0xffff_ffff<<32))) - 32 }

// own and enemy count the points of one side.
func (l lanes) own() int32   { return int32(bits.OnesCount32(uint32(l))) }
func (l lanes) enemy() int32 { return int32(bits.OnesCount32(uint32(l >> 32))) }

// count notes the features and gives the score. A step that no return forbids this turn counts as
// open: it is so again on the next.
func (e *alquerqueEval) count(c *counts) int32 {
	us := e.position.Turn() & 1
	v, w := &e.view[us], &e.weights
	own, enemy := e.position.Pieces(us), e.position.Pieces(us^1)
	pieces, others := pair(own, enemy), pair(enemy, own)
	empty := e.all &^ (pieces | others)
	sum := c.put(w, material, pieces.lead()) +
		c.put(w, strong, (pieces&e.strong).lead()) +
		c.put(w, edge, (pieces&e.edge).lead()) +
		c.put(w, centre, (pieces&e.centre).lead()) +
		c.put(w, tempo, 1) +
		c.put(w, patternSum, e.patterns.value(own, enemy, us))
	var s sight
	s.steps(&v.axes[0], pieces, empty, alongRow)
	s.steps(&v.axes[1], pieces, empty, upLeft)
	s.steps(&v.axes[2], pieces, empty, upColumn)
	s.steps(&v.axes[3], pieces, empty, upRight)
	s.jumps(&v.axes[0], pieces, empty, alongRow)
	s.jumps(&v.axes[1], pieces, empty, upLeft)
	s.jumps(&v.axes[2], pieces, empty, upColumn)
	s.jumps(&v.axes[3], pieces, empty, upRight)
	s.targeted &= others
	sum += c.put(w, mobility, s.mobility) +
		c.put(w, safe, (pieces&^s.open).lead()) +
		c.put(w, capturable, s.targeted.enemy()) +
		c.put(w, targets, s.targeted.own())
	if v.forward {
		gained := (pieces & v.rows[0]).lead() + 2*(pieces&v.rows[1]).lead() + 4*(pieces&v.rows[2]).lead()
		sum += c.put(w, advancement, gained) + c.put(w, farRow, (pieces&v.far).lead())
	}
	if e.position.Liable() != 0 {
		sum += c.put(w, huff, 1)
	}
	return sum
}

// sight gathers over the axes what both sides have in sight.
type sight struct {
	mobility int32 // open steps, the side to move's less the enemy's
	targeted lanes // points behind which a jump would end, whoever stands there
	open     lanes // points where no piece of the same side stands in the way of a jump
}

// steps looks for steps along an axis, of which a step up adds k to the point.
// Like jumps it is small enough to be inlined, and k is then a constant: a
// loop over the axes takes 1.3 times as long.
func (s *sight) steps(a *viewAxis, pieces, empty lanes, k uint8) {
	up, down := pieces&a.stepUp&(empty>>k), pieces&a.stepDown&(empty<<k)
	s.mobility += up.lead() + down.lead()
}

// jumps looks for jumps along an axis, by the points in their middle.
func (s *sight) jumps(a *viewAxis, pieces, empty lanes, k uint8) {
	s.targeted |= a.overUp&(pieces<<k)&(empty>>k) | a.overDown&(pieces>>k)&(empty<<k)
	s.open |= a.open &^ (pieces<<k | pieces>>k)
}
