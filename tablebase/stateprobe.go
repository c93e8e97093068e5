package tablebase

import (
	"fmt"

	"qirkat/movegen"
)

// openedHalf is a half of a material with states that was asked for.
type openedHalf struct {
	*file
	index *stateIndex
	first int // place in the file
}

// sharedHalf is the index of a half. The caller holds the lock.
func (t *Tables) sharedHalf(mover, waiter int) *stateIndex {
	x := t.states[[2]int{mover, waiter}]
	if x == nil {
		x = t.stateIndex(t.shared, mover, waiter)
		t.states[[2]int{mover, waiter}] = x
	}
	return x
}

// half opens a half when it is asked for first; its file is nil where there is
// none.
func (p *Prober) half(mover, waiter int) *openedHalf {
	if mover >= MaxPieces || waiter >= MaxPieces {
		return &openedHalf{}
	}
	o := &p.halves[mover][waiter]
	if o.index != nil {
		return o
	}
	o.file = p.preferred(materialOf(mover, waiter))
	if o.file != nil {
		p.mu.Lock()
		o.index = p.sharedHalf(mover, waiter)
		if mover < waiter {
			o.first = p.sharedHalf(waiter, mover).size()
		}
		p.mu.Unlock()
	}
	return o
}

// CanCapture reports whether a side on turn could capture.
func (p *Prober) CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool {
	return p.generator.CanCapture(pieces, turn)
}

// entry gives the entry of a state. Captures that are compulsory are played out,
// so the tables that they lead to are asked.
func (p *Prober) entry(s state) (stateEntry, error) {
	if p.variant.Huffing || !p.CanCapture(s.pieces, s.turn) {
		return p.storedEntry(&s)
	}
	p.generator.Place(s.pieces, s.turn)
	begin := len(p.moves)
	p.moves = p.generator.Moves(p.moves)
	defer func() { p.moves = p.moves[:begin] }()
	var best Value
	for i := begin; i < len(p.moves); i++ {
		v, err := p.valueOf(p, p.play(&s, &p.moves[i]))
		if err != nil {
			return stateEntry{}, err
		}
		if v = v.before(); i == begin || v.better(best) {
			best = v
		}
	}
	return stateEntry{best: best, second: best}, nil
}

// storedEntry reads the entry of a state from a file.
func (p *Prober) storedEntry(s *state) (stateEntry, error) {
	mover, waiter, back := p.seen(s)
	o := p.half(mover.Len(), waiter.Len())
	f := o.file
	if f == nil {
		return stateEntry{}, fmt.Errorf("%w: there is none of the material %s", ErrNoTable, materialOf(mover.Len(), waiter.Len()))
	}
	class, symmetry, r := o.index.locate(mover, waiter)
	place := o.first + o.index.place(class, r, p.last.images[symmetry][back])
	data, places, n, err := p.columns(f, place)
	if err != nil {
		return stateEntry{}, err
	}
	var e stateEntry
	if f.Kind == Distances {
		best, second, step := f.entry(data, places, n)
		e = stateEntry{best: p.coding.values[best], second: p.coding.values[second], step: step}
	} else {
		best, second, step := f.results(data, places, n)
		e = stateEntry{best: withoutPlies(best), second: withoutPlies(second), step: step}
	}
	e.step = p.unseen(s, symmetry, e.step)
	return e, nil
}

// columns gives the unpacked block of a place, the places that it holds, and which
// of them it is.
func (p *Prober) columns(f *file, place int) (data []byte, places, n int, err error) {
	if f.resident != nil {
		i := place / f.BlockPlaces
		return f.resident[i*f.blockBytes(f.BlockPlaces):], f.in(i), place % f.BlockPlaces, nil
	}
	data, n, err = p.find(f, place)
	return data, f.in(place / f.BlockPlaces), n, err
}
