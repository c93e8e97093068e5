package tablebase

import (
	"bytes"
	"context"
	"math/bits"
	"sync/atomic"

	"qirkat/movegen"
)

// stateHalf is one half of a material in memory: so many pieces of the side to
// move, and of the side that waits.
type stateHalf struct {
	*stateIndex
	// words holds, by place, the code of the best turn in the lowest byte, that of
	// the turns without the step above it, and the step in the third.
	words []uint32
	// forced has a bit for each position, by class and rank, whose side to move must
	// capture: what it is worth follows from smaller tables.
	forced bitset
}

// stateTable is one material in memory.
type stateTable struct {
	Material
	halves []*stateHalf
}

func word(best, second code, step uint8) uint32 {
	return uint32(best) | uint32(second)<<8 | uint32(step)<<16
}

func wordBest(w uint32) code   { return code(w) }
func wordSecond(w uint32) code { return code(w >> 8) }
func wordStep(w uint32) uint8  { return uint8(w >> 16) }

// stateTables are the materials with states that are in memory.
type stateTables struct {
	*rules
	*indexes
	list   map[Material]*stateTable
	halves [MaxPieces][MaxPieces]*stateHalf // by pieces of the side to move and of the other
}

func (t *stateTables) newTable(m Material) *stateTable {
	s := &stateTable{Material: m}
	for half := range m.halves() {
		h := &stateHalf{stateIndex: t.stateIndex(t.indexes, m.moving(half), m.waiting(half))}
		h.words, h.forced = make([]uint32, h.size()), newBitset(h.positions())
		s.halves = append(s.halves, h)
	}
	return s
}

// moving and waiting are the pieces of the two sides in a half.
func (m Material) moving(half int) int  { return [2]int{m.Larger, m.Smaller}[half] }
func (m Material) waiting(half int) int { return [2]int{m.Smaller, m.Larger}[half] }

func (t *stateTables) add(s *stateTable) {
	t.list[s.Material] = s
	for half, h := range s.halves {
		t.halves[s.moving(half)][s.waiting(half)] = h
	}
}

func (t *stateTables) drop(m Material) {
	delete(t.list, m)
	for half := range m.halves() {
		t.halves[m.moving(half)][m.waiting(half)] = nil
	}
}

// entry is the entry of a state, captures too.
func (t *stateTables) entry(s *state) stateEntry {
	mover, waiter, back := t.seen(s)
	h := t.halves[mover.Len()][waiter.Len()]
	class, symmetry, r := h.locate(mover, waiter)
	w := h.words[h.place(class, r, t.last.images[symmetry][back])]
	return stateEntry{
		best:   t.coding.values[wordBest(w)],
		second: t.coding.values[wordSecond(w)],
		step:   t.unseen(s, symmetry, wordStep(w)),
	}
}

// stateRetrograde fills a table with states by retrograde analysis. For 0, 1, 2, …
// plies it collects the positions from which a step leads to an entry with just
// that distance, and looks at all their turns again, with all last steps at once.
// What takes more plies is not known yet, whatever is written down; turns to
// smaller tables are known from the start.
type stateRetrograde struct {
	*stateTables
	table   *stateTable
	work    []stateWork // by half
	workers []*stateWorker
	ctx     context.Context
	known   int // plies of what is known of the table itself; −1: nothing
	done    func(places int)
}

// stateWork is what the build of a half needs besides the table.
type stateWork struct {
	present []codeSet // by class: the codes that were written
	dirty   bitset    // by class and rank: to be looked at again
	next    bitset    // the same of the next ply
	settled bitset    // no value can change any more
}

type stateWorker struct {
	*stateRetrograde
	generator generator
	moves     []movegen.Move
	turns     []stateTurn
	answers   []answer
	most      int // plies
}

// stateTurn is a turn of a position that is looked at: the number of its step, if
// it can be forbidden, and the answers to it.
type stateTurn struct {
	step    uint8
	answers []answer
}

// answer is one way for the other side to begin its turn: without a huff, or with
// one.
type answer struct {
	best, second code
	slot         int // the last step, among those of the class, after which it is worth second; −1: none
	illegal      bool
	illegalThen  bool // it is illegal after that last step
}

func (a *answer) at(slot int) code {
	if slot == a.slot {
		return a.second
	}
	return a.best
}

func (t *stateTables) newRetrograde(ctx context.Context, table *stateTable, threads int, done func(int)) *stateRetrograde {
	r := &stateRetrograde{stateTables: t, table: table, ctx: ctx, known: -1, done: done}
	for _, h := range table.halves {
		n := h.positions()
		r.work = append(r.work, stateWork{make([]codeSet, len(h.sets)), newBitset(n), newBitset(n), newBitset(n)})
	}
	for range threads {
		r.workers = append(r.workers, &stateWorker{stateRetrograde: r, generator: t.generator()})
	}
	return r
}

// each calls f for every class of a half, with all workers.
func (r *stateRetrograde) each(half int, f func(w *stateWorker, class int)) {
	parallelEach(r.ctx, len(r.workers), len(r.table.halves[half].sets), func(i, class int) { f(r.workers[i], class) })
}

func (t *stateTables) fill(ctx context.Context, m Material, threads int, done func(places int)) error {
	table := t.newTable(m)
	r := t.newRetrograde(ctx, table, threads, done)
	t.add(table)
	r.force(true)
	for r.known = 0; r.known <= r.most() && ctx.Err() == nil; r.known++ {
		for half := range table.halves {
			r.each(half, func(w *stateWorker, class int) { w.collect(half, class) })
		}
		for half := range table.halves {
			work := &r.work[half]
			work.dirty, work.next = work.next, work.dirty
			clear(work.next)
			r.each(half, func(w *stateWorker, class int) { w.lookAgain(half, class) })
		}
	}
	if r.most() >= t.coding.most {
		return refuse("table %s: a win takes %d plies or more, which a byte does not hold", table.Material, r.most())
	}
	return context.Cause(ctx)
}

// most is the plies of the longest value written.
func (r *stateRetrograde) most() int {
	most := 0
	for _, w := range r.workers {
		most = max(most, w.most)
	}
	return most
}

// force fills in the positions whose side to move must capture, and all others
// too if it is told so, as far as turns to smaller tables go.
func (r *stateRetrograde) force(others bool) {
	for half, h := range r.table.halves {
		r.each(half, func(w *stateWorker, class int) {
			for rank := range h.block {
				forced := !r.variant.Huffing && w.generator.CanCapture(h.pieces(class, rank), movegen.White)
				if forced {
					h.forced.set(class*h.block + rank)
					r.work[half].settled.set(class*h.block + rank)
				}
				if forced || others {
					w.look(half, class, rank)
				}
			}
			if r.done != nil {
				r.done(h.block * len(h.backsOf(class)))
			}
		})
	}
}

// lookAgain looks at the positions of a class that are marked.
func (w *stateWorker) lookAgain(half, class int) {
	block := w.table.halves[half].block
	begin, end := class*block, (class+1)*block
	dirty := w.work[half].dirty
	for i := begin; i < end; i++ {
		rest := dirty[i>>6] >> (i & 63)
		if rest == 0 {
			i |= 63
			continue
		}
		if i += bits.TrailingZeros64(rest); i < end {
			w.look(half, class, i-begin)
		}
	}
}

// look writes what the turns of a position are worth, as far as it is known.
func (w *stateWorker) look(half, class, rank int) {
	h, work := w.table.halves[half], &w.work[half]
	s := state{pieces: h.pieces(class, rank), turn: movegen.White}
	backs := h.backsOf(class)
	w.generator.Place(s.pieces, s.turn)
	w.moves = w.generator.Moves(w.moves[:0])
	w.turns, w.answers = w.turns[:0], w.answers[:0]
	for i := range w.moves {
		m := &w.moves[i]
		t := stateTurn{}
		if m.Taken == 0 && m.From != 0 {
			t.step = w.last.returning(movegen.White, m.From.First(), m.To.First())
		}
		begin := len(w.answers)
		w.answer(&s, m, backs)
		t.answers = w.answers[begin:]
		w.turns = append(w.turns, t)
	}
	place := h.firsts[class] + rank*len(backs)
	settled := true
	for slot, back := range backs {
		if !h.sense(back, s.pieces[movegen.White]) {
			continue
		}
		v := w.summary(&s, slot, back)
		if v != h.words[place+slot] {
			atomic.StoreUint32(&h.words[place+slot], v)
		}
		best, second := wordBest(v), wordSecond(v)
		settled = settled && w.isKnown(best, w.known+1) && w.isKnown(second, w.known+1)
		for _, c := range [2]code{best, second} {
			if c != 0 {
				work.present[class].add(c)
				w.most = max(w.most, w.coding.values[c].Plies)
			}
		}
	}
	if settled {
		work.settled.set(class*h.block + rank)
	}
}

// isKnown reports whether a code is a win or loss of so many plies at most.
func (w *stateWorker) isKnown(c code, plies int) bool {
	return c != 0 && w.coding.values[c].Plies <= plies
}

// answer appends the answers to a turn.
func (w *stateWorker) answer(s *state, m *movegen.Move, backs []uint8) {
	next := w.play(s, m)
	if next.pieces[movegen.Black] == 0 {
		w.answers = append(w.answers, answer{best: w.coding.lossIn(0), slot: -1})
		return
	}
	first := len(w.answers)
	w.answers = append(w.answers, w.answerAt(&next, backs))
	if next.liable == 0 {
		return
	}
	w.noteIllegal(first, &next, backs)
	for p := next.liable; p != 0; p = p.Rest() {
		n := w.huff(&next, p.Lowest())
		if n.pieces[movegen.White] == 0 {
			w.answers = append(w.answers, answer{best: w.coding.winIn(1), slot: -1})
			continue
		}
		w.answers = append(w.answers, w.answerAt(&n, backs))
		w.noteIllegal(len(w.answers)-1, &n, backs)
	}
}

// answerAt is what a table knows of a state with Black to move.
func (w *stateWorker) answerAt(s *state, backs []uint8) answer {
	mover, waiter, back := w.seen(s)
	h := w.halves[mover.Len()][waiter.Len()]
	class, symmetry, r := h.locate(mover, waiter)
	v := atomic.LoadUint32(&h.words[h.place(class, r, w.last.images[symmetry][back])])
	a := answer{best: wordBest(v), second: wordSecond(v), slot: -1}
	if mover.Len()+waiter.Len() == w.table.pieces() {
		if !w.isKnown(a.best, w.known) {
			a.best = 0
		}
		if !w.isKnown(a.second, w.known) {
			a.second = 0
		}
	}
	if step := wordStep(v); step != 0 {
		a.slot = bytes.IndexByte(backs, w.last.reverse[w.unseen(s, symmetry, step)])
	}
	return a
}

// noteIllegal notes where the turn of an answer is illegal.
func (w *stateWorker) noteIllegal(i int, s *state, backs []uint8) {
	a := &w.answers[i]
	free := *s
	free.back[movegen.Black] = 0
	if a.illegal = !w.canTurn(w.generator, &free, movegen.Black); a.illegal || a.slot < 0 {
		return
	}
	free.back[movegen.Black] = backs[a.slot]
	a.illegalThen = !w.canTurn(w.generator, &free, movegen.Black)
}

// summary is the word of the position that is looked at after a last step.
func (w *stateWorker) summary(s *state, slot int, back uint8) uint32 {
	order := &w.coding.order
	var best, second code
	var step uint8
	turns := 0
	for i := range w.turns {
		t := &w.turns[i]
		c := w.coding.before[w.answered(t.answers, slot)]
		switch {
		case turns == 0 || order[c] > order[best]:
			best, second, step = c, best, t.step
		case turns == 1 || order[c] > order[second]:
			second = c
		}
		turns++
	}
	switch {
	case turns > 1 && best == second || turns > 0 && step == 0:
		return word(best, best, 0)
	case turns > 1:
		return word(best, second, step)
	}
	s.back[movegen.Black] = back
	v := w.blockedValue(w.generator, s)
	end := code(0)
	switch v.Result {
	case Win:
		end = w.coding.winIn(0)
	case Loss:
		end = w.coding.lossIn(0)
	case Draw:
	}
	if turns == 0 {
		return word(end, end, 0)
	}
	return word(best, end, step)
}

// answered is what the best answer is worth, after a last step of its side.
func (w *stateWorker) answered(list []answer, slot int) code {
	if len(list) == 1 {
		return list[0].at(slot)
	}
	best, legal := list[0].at(slot), false
	for i := range list {
		a := &list[i]
		if a.illegal || a.illegalThen && slot == a.slot {
			continue
		}
		if c := a.at(slot); !legal || w.coding.order[c] > w.coding.order[best] {
			best, legal = c, true
		}
	}
	return best
}

// collect marks the positions from which a step leads to an entry of a class with
// as many plies as are known.
func (w *stateWorker) collect(half, class int) {
	h, work := w.table.halves[half], &w.work[half]
	if present := &work.present[class]; !present.has(w.coding.win[w.known]) && !present.has(w.coding.loss[w.known]) {
		return
	}
	backs := h.backsOf(class)
	place := h.firsts[class]
	for rank := range h.block {
		for slot, back := range backs {
			v := h.words[place+slot]
			if w.due(wordBest(v)) || w.due(wordSecond(v)) {
				if pieces := h.pieces(class, rank); h.sense(back, pieces[movegen.White]) {
					w.mark(pieces, back)
				}
			}
		}
		place += len(backs)
	}
}

// due reports whether a code has as many plies as are known.
func (w *stateWorker) due(c code) bool { return c != 0 && w.coding.values[c].Plies == w.known }

// mark marks the positions from which a step of Black leads to pieces, with White
// to move and a last step of Black.
func (w *stateWorker) mark(pieces [2]movegen.Set, back uint8) {
	mover, waiter := pieces[movegen.White], pieces[movegen.Black]
	half := 0
	if waiter.Len() < mover.Len() {
		half = smallerMoves
	}
	h, work := w.table.halves[half], &w.work[half]
	turned := w.turn(mover)
	e := h.entries[h.ranks.rank(turned)]
	class, symmetry := int(e>>3), int(e&7)
	undo := func(from, to movegen.Point) {
		before := w.turn(waiter&^movegen.Bit(to) | movegen.Bit(from))
		w.markAll(h, work, class, symmetry, before)
	}
	if back != 0 {
		s := w.last.list[back]
		undo(s.from, s.to)
		return
	}
	for to := waiter; to != 0; to = to.Rest() {
		for from := w.last.into[to.First()&63] &^ (mover | waiter); from != 0; from = from.Rest() {
			undo(from.First(), to.First())
		}
	}
}

// markAll marks a position, and those that are the same by a symmetry that leaves
// the set of the class as it is.
func (w *stateWorker) markAll(h *stateHalf, work *stateWork, class, symmetry int, mover movegen.Set) {
	first := class * h.block
	if i := first + h.rankOf(class, symmetry, mover); !work.settled.has(i) {
		work.next.set(i)
	}
	if int(h.orbits[class]) == len(h.symmetries) {
		return
	}
	mover = h.symmetries[symmetry].Image(mover)
	for t := range h.symmetries {
		if t > 0 && h.symmetries[t].Image(h.sets[class]) == h.sets[class] {
			if i := first + h.rankOf(class, t, mover); !work.settled.has(i) {
				work.next.set(i)
			}
		}
	}
}
