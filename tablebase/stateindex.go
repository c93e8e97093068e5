package tablebase

import (
	"bytes"
	"math/bits"

	"qirkat/movegen"
)

// A stateIndex numbers the entries of tables with states: so many pieces of the
// side to move, put up as White, and of the side that waits, as Black. Both sides
// see the board alike, so it is turned round where Black is to move.
//
//	place = first place of the class of the waiting set
//	      + rank of the moving set among the points left free · last steps of the class
//	      + place of the last step among them
//
// The last steps of a class are those that a waiting set may have made: none, and
// each that ends on a piece of the set, began on a point outside it, and may be
// taken back. Where the moving set holds the point on which it began, the place
// stands for nothing.
type stateIndex struct {
	*geometry
	*classes
	last         *lastSteps
	block        int // moving sets of a class
	combinations *combinations
	backs        []uint8  // by class: numbers of last steps, 0 first
	starts       []uint32 // by class: where its steps begin; one more at the end
	firsts       []int    // by class: its first place; one more at the end
}

// stateIndex makes the index of so many pieces of the two sides.
func (r *rules) stateIndex(shared *indexes, mover, waiter int) *stateIndex {
	base := shared.index(Material{Larger: waiter, Smaller: mover})
	x := &stateIndex{
		geometry: r.geometry, classes: base.classes, last: r.last,
		block: base.block, combinations: base.combinations,
	}
	x.starts, x.firsts = make([]uint32, len(x.sets)+1), make([]int, len(x.sets)+1)
	for class, set := range x.sets {
		x.backs = append(x.backs, 0)
		for to := set; to != 0; to = to.Rest() {
			for from := r.last.returns[movegen.Black][to.First()] &^ set; from != 0; from = from.Rest() {
				x.backs = append(x.backs, r.last.number[from.First()][to.First()])
			}
		}
		x.starts[class+1] = uint32(len(x.backs))
		x.firsts[class+1] = len(x.backs) * x.block
	}
	return x
}

// size is the number of places.
func (x *stateIndex) size() int { return x.firsts[len(x.sets)] }

// positions is the number of places without last steps.
func (x *stateIndex) positions() int { return len(x.sets) * x.block }

// backsOf are the last steps of a class.
func (x *stateIndex) backsOf(class int) []uint8 { return x.backs[x.starts[class]:x.starts[class+1]] }

// locate gives the class of a waiting set, the symmetry that leads to the set that
// stands for it, and the rank of a moving set then.
func (x *stateIndex) locate(mover, waiter movegen.Set) (class, symmetry, r int) {
	e := x.entries[x.ranks.rank(waiter)]
	class, symmetry = int(e>>3), int(e&7)
	return class, symmetry, x.rankOf(class, symmetry, mover)
}

// rankOf is the rank of a moving set after a symmetry, in a class.
func (x *stateIndex) rankOf(class, symmetry int, mover movegen.Set) int {
	free, t := x.all&^x.sets[class], &x.symmetries[symmetry]
	var squeezed movegen.Set
	for ; mover != 0; mover = mover.Rest() {
		below := movegen.Bit(t[mover.First()&63]) - 1
		squeezed |= 1 << (bits.OnesCount64(uint64(free&below)) & 63)
	}
	return rank(squeezed)
}

// place is the place of a moving set of a class with a last step, as the set that
// stands for the class sees it. A last step that cannot be counts as none.
func (x *stateIndex) place(class, r int, back uint8) int {
	list := x.backsOf(class)
	return x.firsts[class] + r*len(list) + max(0, bytes.IndexByte(list, back))
}

// pieces are the sets of a class and a rank.
func (x *stateIndex) pieces(class, r int) [2]movegen.Set {
	waiter := x.sets[class]
	return [2]movegen.Set{spread(x.combinations.bits[r], x.all&^waiter), waiter}
}

// sense reports whether a last step of the waiting side can be: the point on which
// it began is empty.
func (x *stateIndex) sense(back uint8, mover movegen.Set) bool {
	return back == 0 || !mover.Has(x.last.list[back].from)
}

// seen is a state as the index sees it: White to move.
func (r *rules) seen(s *state) (mover, waiter movegen.Set, back uint8) {
	if s.turn == movegen.White {
		return s.pieces[movegen.White], s.pieces[movegen.Black], s.back[movegen.Black]
	}
	return r.turn(s.pieces[movegen.Black]), r.turn(s.pieces[movegen.White]), r.last.turned[s.back[movegen.White]]
}

// unseen is the number, on the board of a state, of a step that the index sees
// after a symmetry.
func (r *rules) unseen(s *state, symmetry int, number uint8) uint8 {
	number = r.last.images[r.inverse[symmetry]][number]
	if s.turn == movegen.Black {
		number = r.last.turned[number]
	}
	return number
}
