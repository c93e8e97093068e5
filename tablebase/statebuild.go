package tablebase

import (
	"context"
	"maps"
	"slices"
	"sort"

	"qirkat/movegen"
)

// mostStatePieces bounds the tables with states; chosen: those of more pieces
// would take days and more memory than machines have.
const mostStatePieces = 8

// The tables with states as the store of a build.

func newStateTables(r *rules, x *indexes) *stateTables {
	return &stateTables{rules: r, indexes: x, list: make(map[Material]*stateTable)}
}

func (t *stateTables) need(m Material) int64 {
	const perPosition = 10 // bits: those of stateHalf and stateWork, and what the files are made of
	const perSet = 16      // bytes of the classes of a waiting set, rounded up
	n := t.room(m) + int64(t.positions(m))*perPosition/8
	for _, a := range t.leads(m) {
		n += t.room(a)
	}
	for waiter := 1; waiter <= m.Larger; waiter++ {
		n += int64(choose[waiter][t.points]) * perSet
	}
	return n + programMemory
}

// room is a word a place.
func (t *stateTables) room(m Material) int64 { return int64(t.statePlaces(t.indexes, m)) * 4 }

func (t *stateTables) loaded() []Material { return slices.Collect(maps.Keys(t.list)) }

// statePlaces is the number of places of a table with states.
func (r *rules) statePlaces(x *indexes, m Material) int {
	n := 0
	for half := range m.halves() {
		waiter, points := m.waiting(half), r.points
		steps := 0
		for _, set := range x.classesOf(waiter).sets {
			steps += 1 + r.last.count(set)
		}
		n += steps * choose[m.moving(half)][points-waiter]
	}
	return n
}

// count is the number of last steps that a waiting set may have made.
func (n *lastSteps) count(set movegen.Set) int {
	count := 0
	for to := set; to != 0; to = to.Rest() {
		count += (n.returns[movegen.Black][to.First()&63] &^ set).Len()
	}
	return count
}

// positions is the number of positions of a material that have places.
func (t *stateTables) positions(m Material) int {
	n := 0
	for half := range m.halves() {
		n += t.countClasses(m.waiting(half)) * choose[m.moving(half)][t.points-m.waiting(half)]
	}
	return n
}

func (t *stateTables) read(ctx context.Context, m Material, f *file, threads int) error {
	table := t.newTable(m)
	half, place := 0, 0
	var data []byte
	for i := range f.blocks() {
		var err error
		if data, err = f.block(data[:0], i); err != nil {
			return err
		}
		for n := range f.in(i) {
			if place == len(table.halves[half].words) {
				half, place = half+1, 0
			}
			best, second, step := f.entry(data, f.in(i), n)
			table.halves[half].words[place] = word(best, second, step)
			place++
		}
	}
	t.add(table)
	if !t.variant.Huffing {
		t.newRetrograde(ctx, table, threads, nil).force(false)
	}
	return nil
}

// entry reads a place of a block of distances, unpacked, that has so many places:
// the column of codes of the best turn, and where the header names a state, those
// of the codes without a step, and of the step.
func (h *Header) entry(data []byte, places, n int) (best, second code, step uint8) {
	if h.State == "" {
		return data[n], data[n], 0
	}
	return data[n], data[places+n], data[2*places+n]
}

// results reads a place of a block of results, in the same way.
func (h *Header) results(data []byte, places, n int) (best, second Result, step uint8) {
	at := func(column []byte) Result { return unpackResult(column[n/4] >> (n % 4 * 2)) }
	if best = at(data); h.State == "" {
		return best, best, 0
	}
	column := (places + 3) / 4
	return best, at(data[column:]), data[2*column+n]
}

// withLastSteps is the state in the header of tables that know last steps.
const withLastSteps = "last steps"

// stateName is what headers of the rules say of states; empty where tables know
// none.
func (r *rules) stateName() string {
	if r.last != nil && r.variant.NoReturn {
		return withLastSteps
	}
	return ""
}

// Positions are counted with each state, the last steps of both sides.
func (t *stateTables) count(m Material, h *Header) {
	for _, half := range t.list[m].halves {
		half.each(func(class, rank, place int, back uint8, pieces [2]movegen.Set) {
			w, orbit := half.words[place], int(half.orbits[class])
			forced := half.forced.has(class*half.block + rank)
			states := orbit
			if !forced {
				h.Stored++
				states += orbit * t.last.steps(movegen.White, pieces)
			}
			n := 0 // of them with another value
			if wordStep(w) != 0 && t.sensible(wordStep(w), pieces) {
				n = orbit
			}
			h.add(t.coding.values[wordBest(w)], states-n, func() string { return t.textAfter(pieces, back, 0) })
			h.add(t.coding.values[wordSecond(w)], n, func() string { return t.textAfter(pieces, back, wordStep(w)) })
		})
	}
}

// sensible reports whether White can have made the step that goes back to where
// a step begins.
func (t *stateTables) sensible(number uint8, pieces [2]movegen.Set) bool {
	step := t.last.list[number]
	return !(pieces[movegen.White] | pieces[movegen.Black]).Has(step.to)
}

// steps is the number of steps that a side may have made last, among pieces.
func (n *lastSteps) steps(side movegen.Side, pieces [2]movegen.Set) int {
	count := 0
	for to := pieces[side&1]; to != 0; to = to.Rest() {
		count += (n.returns[side&1][to.First()&63] &^ (pieces[0] | pieces[1])).Len()
	}
	return count
}

// add counts positions of a value; longest is the text of one of them.
func (c *Counts) add(v Value, n int, longest func() string) {
	c.Positions += n
	switch v.Result {
	case Win:
		c.Wins += n
		if n > 0 && v.Plies > c.Longest {
			c.Longest, c.LongestAt = v.Plies, longest()
		}
	case Draw:
		c.Draws += n
	case Loss:
		c.Losses += n
	}
}

// each calls f with every place that stands for something.
func (h *stateHalf) each(f func(class, rank, place int, back uint8, pieces [2]movegen.Set)) {
	place := 0
	for class := range h.sets {
		for rank := range h.block {
			pieces := h.pieces(class, rank)
			for _, back := range h.backsOf(class) {
				if h.sense(back, pieces[movegen.White]) {
					f(class, rank, place, back, pieces)
				}
				place++
			}
		}
	}
}

// textAfter is the text of pieces with White to move, the last step of Black, and a step
// that White may not make.
func (t *stateTables) textAfter(pieces [2]movegen.Set, back, forbidden uint8) string {
	return t.stateText(&state{pieces: pieces, turn: movegen.White, back: [2]uint8{t.last.reverse[forbidden], back}})
}

// stateText is the text of a state.
func (r *rules) stateText(s *state) string {
	text := ""
	for side, name := range []string{",rw:", ",rb:"} {
		if b := s.back[side]; b != 0 {
			text += name + r.size.Name(r.last.list[b].from) + r.size.Name(r.last.list[b].to)
		}
	}
	if s.liable != 0 {
		text += ",h:" + r.size.Names(s.liable)
	}
	if text == "" {
		text = ",-"
	}
	return movegen.Fields{Rows: r.size.FormatPieces(s.pieces), Turn: s.turn, State: text[1:], Number: 1}.String()
}

// Places that stand for nothing, and those of captures that are compulsory, are
// filled up with the value before.
func (t *stateTables) blocks(m Material, h *Header) func(dst []byte, i int) []byte {
	table := t.list[m]
	return func(dst []byte, i int) []byte {
		places := h.in(i)
		c := newStateCursor(table, i*h.BlockPlaces)
		begin := len(dst)
		dst = append(dst, make([]byte, h.blockBytes(places))...)
		data, last := dst[begin:], uint32(0)
		column := (places + 3) / 4
		for n := range places {
			if w, ok := c.next(); ok {
				last = w
			}
			best, second, step := wordBest(last), wordSecond(last), wordStep(last)
			if h.Kind == Distances {
				data[n] = best
				if h.State != "" {
					data[places+n], data[2*places+n] = second, step
				}
				continue
			}
			first, other := t.coding.values[best].Result, t.coding.values[second].Result
			data[n/4] |= packResult(first) << (n % 4 * 2)
			if h.State != "" {
				data[column+n/4] |= packResult(other) << (n % 4 * 2)
				if first != other {
					data[2*column+n] = step
				}
			}
		}
		return dst
	}
}

// stateCursor walks over the places of a table.
type stateCursor struct {
	*stateTable
	half, class, rank, slot, place int
	moving                         movegen.Set
	forced                         bool
}

func newStateCursor(t *stateTable, place int) *stateCursor {
	c := &stateCursor{stateTable: t}
	for place >= t.halves[c.half].size() {
		place -= t.halves[c.half].size()
		c.half++
	}
	h := t.halves[c.half]
	c.place = place
	c.class = sort.Search(len(h.sets), func(class int) bool { return h.firsts[class+1] > place })
	n := len(h.backsOf(c.class))
	c.rank, c.slot = (place-h.firsts[c.class])/n, (place-h.firsts[c.class])%n
	c.enter()
	return c
}

// enter looks at the position that the cursor has come to.
func (c *stateCursor) enter() {
	h := c.halves[c.half]
	c.moving = h.pieces(c.class, c.rank)[movegen.White]
	c.forced = h.forced.has(c.class*h.block + c.rank)
}

// next gives the word of a place, goes on to the one after it, and says no for
// filler.
func (c *stateCursor) next() (uint32, bool) {
	h := c.halves[c.half]
	list := h.backsOf(c.class)
	w, ok := h.words[c.place], !c.forced && h.sense(list[c.slot], c.moving)
	c.place++
	if c.slot++; c.slot < len(list) {
		return w, ok
	}
	c.slot = 0
	if c.rank++; c.rank == h.block {
		c.rank = 0
		if c.class++; c.class == len(h.sets) {
			c.class, c.place = 0, 0
			if c.half++; c.half == len(c.halves) {
				return w, ok
			}
		}
	}
	c.enter()
	return w, ok
}
