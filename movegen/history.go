package movegen

// History is the stack of positions from the one that was set up to the
// current one: for each its state, S, which the game defines, its key and its
// quiet count. A game embeds it.
//
// A key follows from the one before it by what the turn changed, but is only
// worked out when it is asked for: many positions are made and taken back
// without it.
type History[S any] struct {
	states []S
	marks  []mark
	now    int  // the place of the current position
	keyed  int  // the last place whose key is known, as are those before it
	start  Side // that was to move in the position that was set up
	number int  // of its move pair
}

type mark struct {
	key   uint64
	quiet int // plies in a row without a capture, up to this position
}

// Start forgets all and begins with a position that is set up. It gives the
// current state.
func (h *History[S]) Start(state S, key uint64, f Fields) *S {
	if h.states == nil {
		h.grow()
	}
	h.now, h.keyed, h.start, h.number = 0, 0, f.Turn, f.Number
	h.states[0], h.marks[0] = state, mark{key, f.Quiet}
	return &h.states[0]
}

// Next gives the current state and the one above it, for a turn to fill in.
func (h *History[S]) Next() (old, next *S) {
	if h.now+1 >= len(h.states) {
		h.grow()
	}
	return &h.states[h.now], &h.states[h.now+1]
}

func (h *History[S]) grow() {
	more := 64 + len(h.states)
	h.states = append(h.states, make([]S, more)...)
	h.marks = append(h.marks, make([]mark, more)...)
}

// Push makes the state above the current one current, its key not known yet.
func (h *History[S]) Push(quiet int) {
	h.keyed = min(h.keyed, h.now)
	h.now++
	h.marks[h.now].quiet = quiet
}

// Pop takes the last position off and gives the state that is current then.
func (h *History[S]) Pop() *S {
	h.now--
	return &h.states[h.now]
}

// Unkeyed gives, when the current position or one before it has no key yet, the
// key of the last that has, and the states before and after the next turn.
func (h *History[S]) Unkeyed() (key uint64, old, next *S, ok bool) {
	at := min(h.keyed, h.now)
	if at == h.now {
		return 0, nil, nil, false
	}
	return h.marks[at].key, &h.states[at], &h.states[at+1], true
}

// SetKey gives the key of the position after the last keyed one.
func (h *History[S]) SetKey(key uint64) {
	h.keyed = min(h.keyed, h.now) + 1
	h.marks[h.keyed].key = key
}

// LastKey is the key of the current position, which must have one.
func (h *History[S]) LastKey() uint64 { return h.marks[h.now].key }

// QuietCount is the number of plies in a row without a capture.
func (h *History[S]) QuietCount() int { return h.marks[h.now].quiet }

// Number is the number of the move pair, which goes up after each turn of the
// second player.
func (h *History[S]) Number(first Side) int {
	plies := h.now
	if h.start != first {
		plies++
	}
	return h.number + plies/2
}

// CloneTo makes c an independent copy and gives its current state.
func (h *History[S]) CloneTo(c *History[S]) *S {
	*c = *h
	c.states = append([]S(nil), h.states...)
	c.marks = append([]mark(nil), h.marks...)
	return &c.states[c.now]
}

// Occurrences counts how often the current position, of which the key is
// given, has occurred, itself included. A capture cannot be taken back, so
// positions before it do not count.
func (h *History[S]) Occurrences(key uint64) int {
	n := 1
	for i := h.now - 2; i >= max(0, h.now-h.marks[h.now].quiet); i -= 2 {
		if h.marks[i].key == key {
			n++
		}
	}
	return n
}

// Repeats reports whether the current position, of which the key is given,
// occurred among the last n plies. Both sides must go and come back: four plies.
func (h *History[S]) Repeats(key uint64, n int) bool {
	for i := h.now - 4; i >= max(0, h.now-min(n, h.marks[h.now].quiet)); i -= 2 {
		if h.marks[i].key == key {
			return true
		}
	}
	return false
}
