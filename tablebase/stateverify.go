package tablebase

import (
	"context"
	"strings"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// stateVerifier verifies tables with states: each entry with every last step of
// the side to move, and every set of pieces that may be huffed.
type stateVerifier struct {
	*stateBuilder
	game *slow.Game
	*VerifyConfig
}

func (b *stateVerifier) verify(ctx context.Context, m Material) (checked int, err error) {
	t, err := b.bring(ctx, m, true)
	if err != nil {
		return 0, err
	}
	checked, err = b.each(ctx, t.size(), func(place int) error { return b.checkPlace(t, place) })
	if err != nil {
		return checked, err
	}
	return checked, verifyResults(b.builder, m, t.size(), func(h *Header) func([]byte, int) []byte { return b.states.blocks(t, h) })
}

// checkPlace checks the states of a place.
func (b *stateVerifier) checkPlace(t *stateTable, place int) error {
	c := newStateCursor(t, place)
	h := t.halves[c.half]
	s := state{pieces: h.pieces(c.class, c.rank), turn: movegen.White}
	s.back[movegen.Black] = h.backsOf(c.class)[c.slot]
	if !h.sense(s.back[movegen.Black], s.pieces[movegen.White]) {
		return nil
	}
	source := &tablesInMemory{b.states.generator(), b.states}
	for s.liable = range b.liableSets(s.pieces[movegen.Black]) {
		for s.back[movegen.White] = range b.lastSteps(&s) {
			if err := b.checkState(source, &s); err != nil {
				return err
			}
		}
	}
	return nil
}

// liableSets are the sets of pieces that the rules may leave open to a huff, none
// first.
func (b *stateVerifier) liableSets(pieces movegen.Set) func(yield func(movegen.Set) bool) {
	return func(yield func(movegen.Set) bool) {
		for n := range movegen.Set(1) << pieces.Len() {
			switch {
			case n > 0 && !b.variant.Huffing:
				return
			case n.Len() > 1 && b.variant.HuffMoved && !b.variant.MultiPiece:
				continue
			}
			if !yield(spread(n, pieces)) {
				return
			}
		}
	}
}

// lastSteps are the numbers of steps that White may have made last, none first.
// The point that a step began on may have been taken by Black since.
func (b *stateVerifier) lastSteps(s *state) func(yield func(uint8) bool) {
	return func(yield func(uint8) bool) {
		if !yield(0) {
			return
		}
		mover := s.pieces[movegen.White]
		for to := mover; to != 0; to = to.Rest() {
			for from := b.last.returns[movegen.White][to.First()] &^ mover; from != 0; from = from.Rest() {
				if !yield(b.last.number[from.First()][to.First()]) {
					return
				}
			}
		}
	}
}

// checkState compares the value of a state with what its turns lead to.
func (b *stateVerifier) checkState(source stateSource, s *state) error {
	position := b.stateText(s)
	has, err := b.valueOf(source, *s)
	if err != nil {
		return err
	}
	want := Value{}
	list := b.game.Next(position)
	for i, text := range list {
		next, err := b.parseState(text)
		if err != nil {
			return err
		}
		v, err := b.valueOf(source, next)
		if err != nil {
			return err
		}
		if v = v.before(); i == 0 || v.better(want) {
			want = v
		}
	}
	if list == nil {
		want = slowEnd(position, b.game, b.variant.First())
	}
	if has != want {
		return &WrongError{position, has.String(), want.String()}
	}
	return nil
}

// parseState reads a position text.
func (r *rules) parseState(text string) (s state, err error) {
	f, err := movegen.ParseFields(text, "STATE")
	if err != nil {
		return s, err
	}
	s.turn = f.Turn
	if s.pieces, err = r.size.ParsePieces(f.Rows, r.variant.StartPieces()); err != nil {
		return s, err
	}
	for token := range strings.SplitSeq(f.State, ",") {
		name, points, _ := strings.Cut(token, ":")
		var list []movegen.Point
		for ; len(points) >= 2; points = points[2:] {
			p, _ := r.size.ParsePoint(points[:2])
			list = append(list, p)
		}
		switch name {
		case "rw", "rb":
			side := movegen.White
			if name == "rb" {
				side = movegen.Black
			}
			s.back[side] = r.last.returning(side, list[0], list[1])
		case "h":
			for _, p := range list {
				s.liable |= movegen.Bit(p)
			}
		}
	}
	return s, nil
}
