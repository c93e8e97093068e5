package solve

import (
	"fmt"

	"qirkat/movegen"
	"qirkat/movegen/alquerque"
	"qirkat/movegen/fanorona"
	"qirkat/tablebase"
)

// position is all of a game that decides what can follow: no count, no history.
type position struct {
	pieces [2]movegen.Set
	turn   movegen.Side
	// back is, by side, the number of the step in rules.steps that this side made
	// last and may not take back on its next turn; 0 for none.
	back [2]uint8
	// liable are the pieces of the side that waits that may be huffed now.
	liable movegen.Set
}

// key is a position in 16 bytes, exactly: White's pieces in the lower 45 bits of
// the first word, then the last steps of White and Black in 7 bits each, and the
// side to move in the last bit; Black's pieces in the second word. Bit 59 of the
// first word says that there is a right to huff: then the lower half of the
// second word has Black's pieces, and the upper half those that may be huffed.
// Boards with huffing have 25 points.
type key struct{ a, b uint64 }

// mostPoints is the size of the largest board that a key can hold.
const mostPoints = 45

const (
	backBits  = 7
	pieceMask = 1<<mostPoints - 1
	backMask  = 1<<backBits - 1
	huffBit   = 1 << (mostPoints + 2*backBits)
	halfBits  = 32 // of a word
)

func (p *position) key() key {
	k := key{
		uint64(p.pieces[movegen.White]) | uint64(p.back[movegen.White])<<mostPoints |
			uint64(p.back[movegen.Black])<<(mostPoints+backBits) | uint64(p.turn)<<63,
		uint64(p.pieces[movegen.Black]),
	}
	if p.liable != 0 {
		k.a |= huffBit
		k.b |= uint64(p.liable) << halfBits
	}
	return k
}

func (k key) position() position {
	p := position{
		pieces: [2]movegen.Set{movegen.Set(k.a & pieceMask), movegen.Set(k.b)},
		turn:   movegen.Side(k.a >> 63),
		back:   [2]uint8{uint8(k.a >> mostPoints & backMask), uint8(k.a >> (mostPoints + backBits) & backMask)},
	}
	if k.a&huffBit != 0 {
		p.pieces[movegen.Black] &= 1<<halfBits - 1
		p.liable = movegen.Set(k.b >> halfBits)
	}
	return p
}

func (k key) less(l key) bool { return k.a < l.a || k.a == l.a && k.b < l.b }

// compare orders keys as bytes do.
func (k key) compare(l key) int {
	switch {
	case k == l:
		return 0
	case k.less(l):
		return -1
	}
	return 1
}

// step is a step from one point to another.
type step struct{ from, to movegen.Point }

// stepsOf lists the steps that the rule of no return can speak of, from place 1
// on: those after which the way back is open to the side, by its directions. It
// is empty where the rule is not in force.
func stepsOf(v *movegen.Variant) []step {
	list := []step{{}}
	if !v.NoReturn {
		return list
	}
	board := movegen.NewBoard(v.Size)
	for from, near := range board.Near {
		for ; near != 0; near = near.Rest() {
			list = append(list, step{movegen.Point(from), near.First()})
		}
	}
	return list
}

// lastSteps are the last steps of a position as tables want them.
func (r *rules) lastSteps(p *position) (last tablebase.LastSteps) {
	for side, n := range p.back {
		last[side].From, last[side].To = r.steps[n].from, r.steps[n].to
	}
	return last
}

// generator is a position of movegen that can be put up without text.
type generator interface {
	movegen.Game
	Place(pieces [2]movegen.Set, turn movegen.Side)
	CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool
}

// rules are a variant made ready for the search. It is safe for concurrent use.
type rules struct {
	variant *movegen.Variant // as given
	plain   *movegen.Variant // without the rule of no return, which turns carries out
	size    movegen.Size
	steps   []step
	number  [64][64]uint8 // of a step in steps
	// returns says, by side and number of a step, whether the way back is open.
	returns    [2][1 << backBits]bool
	symmetries []symmetry
}

// symmetry is a permutation of points, for sets nine points at a time, and of
// the numbers of steps.
type symmetry struct {
	sets  [5][1 << 9]movegen.Set
	steps [1 << backBits]uint8
}

func (t *symmetry) set(s movegen.Set) movegen.Set {
	m := t.sets[0][s&511] | t.sets[1][s>>9&511] | t.sets[2][s>>18&511]
	if s >>= 27; s != 0 {
		m |= t.sets[3][s&511] | t.sets[4][s>>9&511]
	}
	return m
}

func refuse(format string, args ...any) error {
	return &tablebase.RefusalError{Reason: fmt.Sprintf(format, args...)}
}

func newRules(v *movegen.Variant) (*rules, error) {
	switch {
	case v.Family == movegen.Manqala:
		return nil, refuse("%s is not a game of pieces on a board", v.Name)
	case v.Size.W*v.Size.H > mostPoints:
		return nil, refuse("%s has %d points, want a board of %d at most", v.Name, v.Size.W*v.Size.H, mostPoints)
	}
	r := &rules{variant: v, plain: plainVariant(v), size: v.Size, steps: stepsOf(v)}
	for i, s := range r.steps {
		if i > 0 {
			r.number[s.from][s.to] = uint8(i)
		}
	}
	if p, ok := r.generator().(*alquerque.Position); ok {
		for side := range r.returns {
			for i, s := range r.steps {
				for _, w := range p.Ways(movegen.Side(side)) {
					r.returns[side][i] = r.returns[side][i] || i > 0 && w.Step.Lead(s.to, s.from, w.Delta)
				}
			}
		}
	}
	for _, t := range v.Symmetries() {
		r.symmetries = append(r.symmetries, r.symmetry(&t))
	}
	return r, nil
}

// plainVariant is the variant without the rule of no return.
func plainVariant(v *movegen.Variant) *movegen.Variant {
	s, _ := movegen.FindSwitch("NoReturn")
	return v.With(s, "off")
}

// alike are rules that are nearly those of the game, with less to remember: first
// those without no return, then those without huffing too.
func (r *rules) alike() (list []*movegen.Variant) {
	if r.variant.NoReturn {
		list = append(list, r.plain)
	}
	if r.variant.Huffing {
		s, _ := movegen.FindSwitch("Huffing")
		list = append(list, r.plain.With(s, "off"))
	}
	return list
}

func (r *rules) symmetry(t *movegen.Symmetry) symmetry {
	var s symmetry
	for chunk := range s.sets {
		for part := range s.sets[chunk] {
			s.sets[chunk][part] = t.Image(movegen.Set(part) << (9 * chunk) & (1<<(r.size.W*r.size.H) - 1))
		}
	}
	for i, st := range r.steps {
		if i > 0 {
			s.steps[i] = r.number[t[st.from]][t[st.to]]
		}
	}
	return s
}

// generator is a position of its own for one goroutine.
func (r *rules) generator() generator {
	if r.plain.Family == movegen.Fanorona {
		return fanorona.New(r.plain)
	}
	return alquerque.New(r.plain)
}

// canonical is the least of the keys that symmetries make of a position.
func (r *rules) canonical(p *position) key {
	least := p.key()
	for i := 1; i < len(r.symmetries); i++ {
		t := &r.symmetries[i]
		k := key{a: uint64(t.set(p.pieces[movegen.White])) | uint64(p.turn)<<63}
		if p.back != [2]uint8{} {
			k.a |= uint64(t.steps[p.back[movegen.White]&backMask])<<mostPoints |
				uint64(t.steps[p.back[movegen.Black]&backMask])<<(mostPoints+backBits)
		}
		if p.liable != 0 {
			k.a |= huffBit
		}
		if k.a > least.a {
			continue
		}
		k.b = uint64(t.set(p.pieces[movegen.Black]))
		if p.liable != 0 {
			k.b |= uint64(t.set(p.liable)) << halfBits
		}
		if k.less(least) {
			least = k
		}
	}
	return least
}
