package movegen

// History is the stack of positions from the one that was set up to the
// current one. A game embeds it; S is the state of a position, which the game
// defines.
//
// A turn fills in the place above the current one, which is always there, and
// then is pushed:
//
//	next := p.Above()
//	next.State, next.Key = …, 0
//	p.Push()
type History[S any] struct {
	places []Place[S]
	now    int  // the current one
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
}

// Start forgets all and begins with a position that is set up.
func (h *History[S]) Start(state S, key uint64, f Fields) {
	if h.places == nil {
		h.grow()
	}
	h.now, h.start, h.number = 0, f.Turn, f.Number
	h.places[0] = Place[S]{state, key}
}

// Current is the place of the current position.
func (h *History[S]) Current() *Place[S] { return &h.places[h.now] }

// Above is the place for the position after the next turn.
func (h *History[S]) Above() *Place[S] { return &h.places[h.now+1] }

// Push makes the place above the current one.
func (h *History[S]) Push() {
	h.now++
	if h.now+1 == len(h.places) {
		h.grow()
	}
}

//go:noinline
func (h *History[S]) grow() {
	h.places = append(h.places, make([]Place[S], 64+len(h.places))...)
}

// Pop goes back to the position before the last turn.
func (h *History[S]) Pop() { h.now-- }

// KeyBy is the key of the current position. Those that are not known yet are
// worked out one from the other by change.
func (h *History[S]) KeyBy(change func(key uint64, old, next *S) uint64) uint64 {
	at := h.now
	for at > 0 && h.places[at].Key == 0 {
		at--
	}
	for ; at < h.now; at++ {
		old, next := &h.places[at], &h.places[at+1]
		next.Key = change(old.Key, &old.State, &next.State)
	}
	return h.places[at].Key
}

// Number is the number of the move pair, which goes up after each turn of the
// second player.
func (h *History[S]) Number(first Side) int {
	plies := h.now
	if h.start != first {
		plies++
	}
	return h.number + plies/2
}

// Copy is an independent copy.
func (h *History[S]) Copy() History[S] {
	c := *h
	c.places = append([]Place[S](nil), h.places...)
	return c
}

// Recurs reports whether the current position, of which the key and the quiet
// count are given, occurred among the last n plies, or now occurs as often as
// said; often may be 0, for never. Both sides must go and come back, four plies,
// and a capture cannot be taken back.
func (h *History[S]) Recurs(key uint64, quiet, n, often int) bool {
	seen := 1
	for i := h.now - 4; i >= max(0, h.now-quiet); i -= 2 {
		if h.places[i].Key == key {
			seen++
			if h.now-i <= n || seen == often {
				return true
			}
		}
	}
	return false
}
