package movegen

// History is the stack of positions from the one that was set up to the
// current one. A game embeds it; S is the state of a position, which the game
// defines.
//
// A turn fills in the place above the current one, and goes there:
//
//	above := p.Above()
//	above.State, above.Key = …, 0
//	p.Go(above)
type History[S any] struct {
	now    *Place[S]
	start  Side // that was to move in the position that was set up
	number int  // of its move pair
}

// Place is a position in a History.
type Place[S any] struct {
	State S
	// The key follows from the one before it by what the turn changed, but is
	// only worked out when it is asked for: many positions are made and taken
	// back without it. 0: not known yet.
	Key uint64

	below, above *Place[S] // to follow a link costs a turn less than to index a slice
	plies        int       // since the position that was set up
}

// Start forgets all and begins with a position that is set up.
func (h *History[S]) Start(state S, key uint64, f Fields) {
	if h.now == nil {
		h.now = new(Place[S])
	}
	for h.now.below != nil {
		h.now = h.now.below
	}
	h.start, h.number = f.Turn, f.Number
	h.now.State, h.now.Key = state, key
}

// Current is the place of the current position.
func (h *History[S]) Current() *Place[S] { return h.now }

// Above is the place for the position after the next turn.
func (h *History[S]) Above() *Place[S] {
	if next := h.now.above; next != nil {
		return next
	}
	return h.grow()
}

//go:noinline
func (h *History[S]) grow() *Place[S] {
	places, last := make([]Place[S], 64), h.now
	for i := range places {
		p := &places[i]
		p.below, p.plies = last, last.plies+1
		last.above, last = p, p
	}
	return h.now.above
}

// Go makes the place above the current one.
func (h *History[S]) Go(above *Place[S]) { h.now = above }

// Back makes the place before the last turn the current one, and gives it.
func (h *History[S]) Back() *Place[S] {
	h.now = h.now.below
	return h.now
}

// KeyBy is the key of the current position. Those that are not known yet are
// worked out one from the other by change.
func (h *History[S]) KeyBy(change func(key uint64, old, next *S) uint64) uint64 {
	at := h.now
	for at.Key == 0 && at.below != nil {
		at = at.below
	}
	for ; at != h.now; at = at.above {
		at.above.Key = change(at.Key, &at.State, &at.above.State)
	}
	return at.Key
}

// Number is the number of the move pair, which goes up after each turn of the
// second player.
func (h *History[S]) Number(first Side) int {
	plies := h.now.plies
	if h.start != first {
		plies++
	}
	return h.number + plies/2
}

// Copy is an independent copy.
func (h *History[S]) Copy() History[S] {
	c := *h
	c.now = h.now.copy(nil)
	for from, to := h.now, c.now; from.below != nil; from, to = from.below, to.below {
		to.below = from.below.copy(to)
	}
	return c
}

func (p *Place[S]) copy(above *Place[S]) *Place[S] {
	return &Place[S]{State: p.State, Key: p.Key, above: above, plies: p.plies}
}

// Recurs reports whether the current position, of which the key and the quiet
// count are given, occurred among the last n plies, or now occurs as often as
// said; often may be 0, for never. Both sides must go and come back, four plies,
// and a capture cannot be taken back.
func (h *History[S]) Recurs(key uint64, quiet, n, often int) bool {
	reach := min(quiet, h.now.plies)
	if reach < 4 {
		return false
	}
	seen, at := 1, h.now.below.below
	for back := 4; back <= reach; back += 2 {
		at = at.below.below
		if at.Key == key {
			seen++
			if back <= n || seen == often {
				return true
			}
		}
	}
	return false
}

// Earlier calls each with the states of the last n plies that are an odd number
// of plies back, three at least, until it says yes, and reports whether it did:
// one turn of the side to move may lead to them.
func (h *History[S]) Earlier(n int, each func(*S) bool) bool {
	at := h.now
	for back := 3; back <= min(n, h.now.plies); back += 2 {
		if back == 3 {
			at = at.below
		}
		at = at.below.below
		if each(&at.State) {
			return true
		}
	}
	return false
}
