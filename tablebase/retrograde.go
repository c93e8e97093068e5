package tablebase

import (
	"context"
	"encoding/binary"
	"math/bits"

	"qirkat/movegen"
)

// retrograde fills a table by retrograde analysis (T. Ströhlein, 1970;
// K. Thompson, "Retrograde Analysis of Certain Endgames", 1986).
//
//  1. Captures: a position whose side to move can capture must, so its value
//     follows from smaller tables. It is forced: nothing changes it any more.
//  2. Steps: every other position counts its steps to positions that may still
//     be won for the opponent, and takes what those to forced ones give.
//  3. For 0, 1, 2, … plies: every position that is not forced and has just that
//     distance is carried back over the steps that lead to it. A step to a lost
//     position wins. When the last step is known to lose, the position is lost.
//
// What takes longer than the plies at hand may be written down already: a win
// can still become shorter, but not once its own plies have come.
//
// A step of the larger side leads from block to block. The work is shared by
// blocks, and a worker writes to its own block only: it looks through the blocks
// that its steps lead to for what is new there. So no write needs a lock, and
// the result does not depend on the number of threads.
type retrograde struct {
	*table
	tables  *tables
	open    [2][]uint8   // steps not known to lose; or forced, or safe
	present [2][]codeSet // by block: the codes that were written
	news    []news       // by block of the half in which the smaller side moves
	fresh   []bool       // by block: there are news
	targets []uint32     // of the steps of the larger side, block by block, as in classes.entries
	firsts  []uint32     // by block: where its steps begin in targets
	workers []*worker
	done    func(places int) // may be nil; called from all workers after a pass over so many
	ctx     context.Context
	most    int // plies of the longest value written
}

const (
	forced = 255 // the side to move captures, or its value is known otherwise
	safe   = 254 // one step at least does not lose
)

// worker is what one goroutine needs.
type worker struct {
	*retrograde
	generator generator
	moves     []movegen.Move
	quiet     []uint32 // ranks, in the block, of the positions that are not forced
	worst     []code   // by rank: the longest loss by steps to forced positions
	stepped   []bool   // by rank: there is a step
	carry     [64]movegen.Set
	most      int
	ranks     []uint32 // room for the lists of news
	spreader
}

// news are the ranks, in a block, of the places that have just so many plies as
// are carried back, and are not forced.
type news struct{ lost, won []uint32 }

func (ts *tables) fill(ctx context.Context, material Material, threads int, done func(places int)) error {
	m := &table{index: ts.index(material), Material: material}
	var pass func(places int) // of a half
	if done != nil {
		pass = func(places int) { done(places * m.halves() / fillPasses) }
	}
	r := ts.newRetrograde(ctx, m, threads, pass)
	ts.add(m) // in the vela Black's moves are looked up in the table itself
	for half := range 2 {
		r.present[half] = make([]codeSet, len(m.sets))
		m.values[half] = make([]code, m.size())
	}
	r.forceCaptures()
	if m.Vela {
		r.each((*worker).offers)
	}
	if m.equal() {
		r.each(func(w *worker, class int) { w.reflect(class, true) })
	}
	r.findTargets()
	r.each((*worker).largerSteps)
	if m.equal() {
		r.each(func(w *worker, class int) { w.reflect(class, false) })
	} else {
		r.each((*worker).smallerSteps)
	}
	r.report(m.size())
	r.news, r.fresh = make([]news, len(m.sets)), make([]bool, len(m.sets))
	for plies := 0; plies <= r.most; plies++ {
		for _, w := range r.workers {
			w.ranks = w.ranks[:0]
		}
		r.each(func(w *worker, class int) { w.collect(class, plies) })
		r.each(func(w *worker, class int) { w.carryLarger(class, plies) })
		r.each(func(w *worker, class int) { w.carrySmaller(class, plies) })
	}
	if m.equal() {
		m.values[smallerMoves] = nil
	}
	r.report(m.size())
	if r.most >= ts.coding.most {
		return refuse("table %s: a win takes %d plies or more, which a byte does not hold", m.Material, r.most)
	}
	return context.Cause(ctx)
}

// fillPasses is how often fill reports every place of a half.
const fillPasses = 4

func (ts *tables) newRetrograde(ctx context.Context, m *table, threads int, done func(places int)) *retrograde {
	r := &retrograde{table: m, tables: ts, done: done, ctx: ctx}
	for half := range r.open {
		r.open[half] = make([]uint8, m.size())
	}
	for range threads {
		r.workers = append(r.workers, &worker{
			retrograde: r, generator: ts.generator(),
			worst: make([]code, m.block), stepped: make([]bool, m.block),
		})
	}
	return r
}

// each calls f for every block, with all workers.
func (r *retrograde) each(f func(w *worker, class int)) {
	parallelEach(r.ctx, len(r.workers), len(r.sets), func(i, class int) { f(r.workers[i], class) })
	for _, w := range r.workers {
		r.most = max(r.most, w.most)
	}
}

func (r *retrograde) report(places int) {
	if r.done != nil {
		r.done(places)
	}
}

// forceCaptures fills in the places whose side to move captures.
func (r *retrograde) forceCaptures() {
	r.each(func(w *worker, class int) {
		for half := range r.halves() {
			w.force(half, class)
		}
		w.report(w.block)
	})
	for half := range r.halves() {
		set := newBitset(r.size())
		parallel(r.ctx, len(r.workers), len(set), 1<<12, func(_, from, to int) {
			for i, open := range r.open[half][from*64 : min(to*64, r.size())] {
				if open == forced {
					set[from+i>>6] |= 1 << (i & 63)
				}
			}
		})
		r.table.captures[half] = set
	}
}

// pieces puts the sets of a place up for their sides.
func (m *table) pieces(larger, smaller movegen.Set) (p [2]movegen.Set) {
	p[m.holder()&1], p[m.holder()&1^1] = larger, smaller
	return p
}

func (w *worker) force(half, class int) {
	larger := w.sets[class]
	w.spreader.begin(w.all&^larger, w.smaller)
	mover := w.mover(half)
	for r, packed := range w.combinations.points[:w.block] {
		pieces := w.pieces(larger, w.spread(packed))
		if w.generator.CanCapture(pieces, mover) {
			w.play(half, class*w.block+r, pieces, mover)
		}
	}
}

// play writes the value that the best move gives.
func (w *worker) play(half, place int, pieces [2]movegen.Set, mover movegen.Side) {
	w.generator.Place(pieces, mover)
	w.moves = w.generator.Moves(w.moves[:0])
	best := code(0)
	for i := range w.moves {
		m := &w.moves[i]
		next := pieces
		next[mover&1] = next[mover&1]&^m.From | m.To
		next[mover&1^1] &^= m.Taken
		c := w.tables.win[1]
		if next[mover&1^1] != 0 {
			c = w.tables.before[w.tables.code(next, mover.Other())]
		}
		if i == 0 || w.tables.order[c] > w.tables.order[best] {
			best = c
		}
	}
	w.values[half][place] = best
	w.open[half][place] = forced
}

// offers fills in the places of the vela in which Black, the larger side, can
// step so that White must capture: then it must.
func (w *worker) offers(class int) {
	larger := w.sets[class]
	w.spreader.begin(w.all&^larger, w.smaller)
	for r, packed := range w.combinations.points[:w.block] {
		pieces := w.pieces(larger, w.spread(packed))
		w.generator.Place(pieces, movegen.Black)
		w.moves = w.generator.Moves(w.moves[:0])
		if len(w.moves) == 0 {
			continue
		}
		next := pieces
		next[movegen.Black] = next[movegen.Black]&^w.moves[0].From | w.moves[0].To
		if w.generator.CanCapture(next, movegen.White) {
			w.play(largerMoves, class*w.block+r, pieces, movegen.Black)
		}
	}
}

// edge is a step of the larger side from the set of a class.
type edge struct {
	from, to movegen.Set
	class    int // of the set after it
	symmetry int // that leads to the set that stands for the class
}

// findTargets notes where the steps of the larger side lead. To find that takes a
// look into a large table for each, and every ply would take it again.
func (r *retrograde) findTargets() {
	r.firsts = make([]uint32, len(r.sets)+1)
	for class, larger := range r.sets {
		n := 0
		for s := larger; s != 0; s = s.Rest() {
			n += (r.table.steps[r.holder()&1][s.First()] &^ larger).Len()
		}
		r.firsts[class+1] = r.firsts[class] + uint32(n)
	}
	r.targets = make([]uint32, r.firsts[len(r.sets)])
	r.each(func(w *worker, class int) {
		i, larger := w.firsts[class], w.sets[class]
		for s := larger; s != 0; s = s.Rest() {
			for t := w.table.steps[w.holder()&1][s.First()] &^ larger; t != 0; t = t.Rest() {
				w.targets[i] = w.entries[w.classes.ranks.rank(larger^s.Lowest()^t.Lowest())]
				i++
			}
		}
	})
}

// edges calls f with every step of the larger side from the set of a class.
func (w *worker) edges(class int, f func(e edge)) {
	larger := w.sets[class]
	targets := w.targets[w.firsts[class]:w.firsts[class+1]]
	for s := larger; s != 0; s = s.Rest() {
		for t := w.table.steps[w.holder()&1][s.First()] &^ larger; t != 0; t = t.Rest() {
			f(edge{s.Lowest(), t.Lowest(), int(targets[0] >> 3), int(targets[0] & 7)})
			targets = targets[1:]
		}
	}
}

// closed in a carry stands for a point that the smaller side must not hold.
const closed = movegen.Set(1) << 63

// forward sets the carry that leads a smaller set, squeezed into the points that
// a larger set leaves free, to what it is after a step.
func (w *worker) forward(larger movegen.Set, e edge) {
	target := w.all &^ w.sets[e.class]
	symmetry := &w.symmetries[e.symmetry]
	for i, s := 0, w.all&^larger; s != 0; i, s = i+1, s.Rest() {
		if s.Lowest() == e.to {
			w.carry[i] = closed
			continue
		}
		p := movegen.Bit(symmetry[s.First()])
		w.carry[i] = 1 << bits.OnesCount64(uint64(target&(p-1)))
	}
}

// backward sets the carry that undoes that of forward.
func (w *worker) backward(larger movegen.Set, e edge) {
	free := w.all &^ larger
	symmetry := &w.symmetries[w.inverse[e.symmetry]]
	for i, s := 0, w.all&^w.sets[e.class]; s != 0; i, s = i+1, s.Rest() {
		p := movegen.Bit(symmetry[s.First()])
		if p == e.from {
			w.carry[i] = closed
			continue
		}
		w.carry[i] = 1 << bits.OnesCount64(uint64(free&(p-1)))
	}
}

// carried is the rank of a packed smaller set after the carry, -1 if a point of
// it is closed.
func (w *worker) carried(points uint64) int {
	var s movegen.Set
	for range w.smaller {
		s |= w.carry[points&63]
		points >>= 8
	}
	if s >= closed {
		return -1
	}
	return rank(s)
}

// begin collects the places of a block that are not forced.
func (w *worker) begin(half, class int) {
	w.quiet = w.quiet[:0]
	for r, open := range w.open[half][class*w.block : (class+1)*w.block] {
		if open != forced {
			w.quiet = append(w.quiet, uint32(r))
			w.worst[r], w.stepped[r] = 0, false
		}
	}
}

// look takes one step of a place into account, to a place of the other half.
func (w *worker) look(half, base int, r uint32, to int) {
	w.stepped[r] = true
	place := base + int(r)
	open := &w.open[half][place]
	if w.open[half^1][to] != forced {
		if *open < safe {
			*open++
		}
		return
	}
	c := w.tables.before[w.values[half^1][to]]
	switch order := w.tables.order[c]; {
	case order == 0:
		*open = safe
	case order > 0:
		if v := &w.values[half][place]; order > w.tables.order[*v] {
			*v = c
		}
	case w.worst[r] == 0 || order > w.tables.order[w.worst[r]]:
		w.worst[r] = c
	}
}

// end settles the places whose every step leads to a forced win of the
// opponent, and those without a step.
func (w *worker) end(half, class int) {
	base := class * w.block
	for _, r := range w.quiet {
		place := base + int(r)
		v := w.values[half][place]
		if v == 0 && w.open[half][place] == 0 {
			if w.stepped[r] {
				v = w.worst[r]
			} else {
				v = w.blocked(half, place)
			}
		}
		w.write(half, class, place, v)
	}
}

// write sets a value and notes that the block has it.
func (w *worker) write(half, class, place int, v code) {
	w.values[half][place] = v
	if v != 0 {
		w.present[half][class].add(v)
		w.most = max(w.most, w.tables.coding.values[v].Plies)
	}
}

// blocked is the value of a place whose side to move cannot move.
func (w *worker) blocked(half, place int) code {
	larger, smaller := w.position(place)
	mover := w.mover(half)
	w.generator.Place(w.pieces(larger, smaller), mover)
	switch o := w.generator.Outcome(); o.Winner {
	case mover:
		return w.tables.winIn(0)
	case mover.Other():
		return w.tables.lossIn(0)
	default:
		return 0
	}
}

// largerSteps looks at every step of the larger side from a block.
func (w *worker) largerSteps(class int) {
	w.begin(largerMoves, class)
	larger := w.sets[class]
	w.edges(class, func(e edge) {
		w.forward(larger, e)
		target := e.class * w.block
		for _, r := range w.quiet {
			if to := w.carried(w.combinations.points[r]); to >= 0 {
				w.look(largerMoves, class*w.block, r, target+to)
			}
		}
	})
	w.end(largerMoves, class)
	w.report(w.block)
}

// smallerSteps looks at every step of the smaller side in a block.
func (w *worker) smallerSteps(class int) {
	w.begin(smallerMoves, class)
	base := class * w.block
	steps, _ := w.squeezedSteps(class)
	for _, r := range w.quiet {
		smaller := w.combinations.bits[r]
		for s := smaller; s != 0; s = s.Rest() {
			for t := steps[s.First()] &^ smaller; t != 0; t = t.Rest() {
				w.look(smallerMoves, base, r, base+rank(smaller^s.Lowest()^t.Lowest()))
			}
		}
	}
	w.end(smallerMoves, class)
}

// squeezedSteps are the steps of the smaller side among the points that the set
// of a class leaves free, by where they begin and by where they end.
func (w *worker) squeezedSteps(class int) (from, to [64]movegen.Set) {
	free := w.all &^ w.sets[class]
	for i, s := movegen.Point(0), free; s != 0; i, s = i+1, s.Rest() {
		from[i] = squeeze(w.table.steps[w.holder()&1^1][s.First()]&free, free)
		for t := from[i]; t != 0; t = t.Rest() {
			to[t.First()] |= movegen.Bit(i)
		}
	}
	return from, to
}

// reflect fills a block of the half in which the smaller side moves where both
// have as many pieces: the other half has the same position, turned round. It
// is called for the places that are forced, and then for the others.
func (w *worker) reflect(class int, areForced bool) {
	larger := w.sets[class]
	w.spreader.begin(w.all&^larger, w.smaller)
	turned := w.turn(larger)
	mover := w.mover(smallerMoves)
	for r, packed := range w.combinations.points[:w.block] {
		smaller := w.spread(packed)
		place := class*w.block + r
		if areForced != w.generator.CanCapture(w.pieces(larger, smaller), mover) {
			continue
		}
		from := w.place(w.turn(smaller), turned)
		w.open[smallerMoves][place] = w.open[largerMoves][from]
		w.write(smallerMoves, class, place, w.values[largerMoves][from])
	}
}

// collect lists the news of a block with the smaller side to move.
func (w *worker) collect(class, plies int) {
	n := news{w.found(smallerMoves, class, w.tables.loss[plies]), w.found(smallerMoves, class, w.tables.win[plies])}
	w.news[class], w.fresh[class] = n, len(n.lost)+len(n.won) > 0
}

// found lists the places of a block that have a value and are not forced.
func (w *worker) found(half, class int, v code) []uint32 {
	if !w.present[half][class].has(v) {
		return nil
	}
	if cap(w.ranks)-len(w.ranks) < w.block {
		w.ranks = make([]uint32, 0, max(1<<16, 2*w.block)) // the old lists stay where they are
	}
	begin := len(w.ranks)
	base := class * w.block
	values, open := w.values[half][base:base+w.block], w.open[half][base:base+w.block]
	const ones, highs = 0x0101_0101_0101_0101, 0x8080_8080_8080_8080
	r := 0
	for ; r+8 <= len(values); r += 8 {
		// A byte that is v becomes 0, and its high bit is set in zeros; those
		// above it may be set wrongly.
		x := binary.LittleEndian.Uint64(values[r:]) ^ ones*uint64(v)
		for zeros := (x - ones) &^ x & highs; zeros != 0; zeros &= zeros - 1 {
			if i := r + bits.TrailingZeros64(zeros)/8; values[i] == v && open[i] != forced {
				w.ranks = append(w.ranks, uint32(i))
			}
		}
	}
	for ; r < len(values); r++ {
		if values[r] == v && open[r] != forced {
			w.ranks = append(w.ranks, uint32(r))
		}
	}
	return w.ranks[begin:]
}

// carryLarger carries the news back over the steps of the larger side, into a
// block.
func (w *worker) carryLarger(class, plies int) {
	larger := w.sets[class]
	base := class * w.block
	w.edges(class, func(e edge) {
		if !w.fresh[e.class] {
			return
		}
		n := &w.news[e.class]
		w.backward(larger, e)
		for _, r := range n.lost {
			if to := w.carried(w.combinations.points[r]); to >= 0 {
				w.wins(largerMoves, class, base+to, plies+1)
			}
		}
		for _, r := range n.won {
			if to := w.carried(w.combinations.points[r]); to >= 0 {
				w.closes(largerMoves, class, base+to)
			}
		}
	})
}

// carrySmaller carries what takes so many plies with the larger side to move
// back over the steps of the smaller side, within a block.
func (w *worker) carrySmaller(class, plies int) {
	begin := len(w.ranks)
	lost, won := w.found(largerMoves, class, w.tables.loss[plies]), w.found(largerMoves, class, w.tables.win[plies])
	w.ranks = w.ranks[:min(begin, len(w.ranks))]
	if len(lost) == 0 && len(won) == 0 {
		return
	}
	base := class * w.block
	_, steps := w.squeezedSteps(class)
	for i, list := range [2][]uint32{lost, won} {
		for _, r := range list {
			smaller := w.combinations.bits[r]
			for s := smaller; s != 0; s = s.Rest() {
				for t := steps[s.First()] &^ smaller; t != 0; t = t.Rest() {
					place := base + rank(smaller^s.Lowest()^t.Lowest())
					if i == 0 {
						w.wins(smallerMoves, class, place, plies+1)
					} else {
						w.closes(smallerMoves, class, place)
					}
				}
			}
		}
	}
}

// wins notes a step that wins in so many plies.
func (w *worker) wins(half, class, place, plies int) {
	if w.open[half][place] == forced {
		return
	}
	v := w.tables.winIn(plies)
	if w.tables.order[v] > w.tables.order[w.values[half][place]] {
		w.write(half, class, place, v)
	}
}

// closes notes a step that loses. When it was the last, the position is lost.
func (w *worker) closes(half, class, place int) {
	open := &w.open[half][place]
	if *open >= safe {
		return
	}
	if *open--; *open == 0 && w.values[half][place] == 0 {
		w.write(half, class, place, w.longestLoss(half, place))
	}
}

// longestLoss is the value of a place whose every step loses.
func (w *worker) longestLoss(half, place int) code {
	larger, smaller := w.position(place)
	best := code(0)
	try := func(to int) {
		if c := w.tables.before[w.values[half^1][to]]; best == 0 || w.tables.order[c] > w.tables.order[best] {
			best = c
		}
	}
	if half == smallerMoves {
		for s := smaller; s != 0; s = s.Rest() {
			for t := w.table.steps[w.holder()&1^1][s.First()] &^ (larger | smaller); t != 0; t = t.Rest() {
				try(w.place(larger, smaller^s.Lowest()^t.Lowest()))
			}
		}
		return best
	}
	for s := larger; s != 0; s = s.Rest() {
		for t := w.table.steps[w.holder()&1][s.First()] &^ (larger | smaller); t != 0; t = t.Rest() {
			try(w.place(larger^s.Lowest()^t.Lowest(), smaller))
		}
	}
	return best
}
