package tablebase

import (
	"fmt"
	"strings"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// tablesInMemory are tables in memory as a source, for one goroutine.
type tablesInMemory struct {
	generator
	*stateTables
}

func (t *tablesInMemory) entry(s state) (stateEntry, error) { return t.stateTables.entry(&s), nil }

// Each entry is checked with every last step of the side to move, and every set of
// pieces that may be huffed.
func (t *stateTables) check(m Material, place int, game *slow.Game) error {
	c := newStateCursor(t.list[m], place)
	h := c.halves[c.half]
	s := state{pieces: h.pieces(c.class, c.rank), turn: movegen.White}
	s.back[movegen.Black] = h.backsOf(c.class)[c.slot]
	if !h.sense(s.back[movegen.Black], s.pieces[movegen.White]) {
		return nil
	}
	source := &tablesInMemory{t.generator(), t}
	slowValue := func(position string) (Value, error) {
		next, err := t.parseState(position)
		if err != nil {
			return Value{}, err
		}
		return t.valueOf(source, next)
	}
	for s.liable = range t.liableSets(s.pieces[movegen.Black]) {
		for s.back[movegen.White] = range t.lastSteps(&s) {
			has, err := t.valueOf(source, s)
			if err != nil {
				return err
			}
			if err := t.compare(t.stateText(&s), has, game, slowValue); err != nil {
				return err
			}
		}
	}
	return nil
}

// liableSets are the sets of pieces that the rules may leave open to a huff, none
// first.
func (r *rules) liableSets(pieces movegen.Set) func(yield func(movegen.Set) bool) {
	return func(yield func(movegen.Set) bool) {
		for n := range movegen.Set(1) << pieces.Len() {
			switch {
			case n > 0 && !r.variant.Huffing:
				return
			case n.Len() > 1 && r.variant.HuffMoved && !r.variant.MultiPiece:
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
func (r *rules) lastSteps(s *state) func(yield func(uint8) bool) {
	return func(yield func(uint8) bool) {
		if !yield(0) {
			return
		}
		mover := s.pieces[movegen.White]
		for to := mover; to != 0; to = to.Rest() {
			for from := r.last.returns[movegen.White][to.First()] &^ mover; from != 0; from = from.Rest() {
				if !yield(r.last.number[from.First()][to.First()]) {
					return
				}
			}
		}
	}
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
		list, ok := r.size.ParsePoints(points)
		switch {
		case token == "-":
		case !ok:
			return s, fmt.Errorf("state %q: no points in %q", f.State, token)
		case name == "rw" && len(list) == 2:
			s.back[movegen.White] = r.last.returning(movegen.White, list[0], list[1])
		case name == "rb" && len(list) == 2:
			s.back[movegen.Black] = r.last.returning(movegen.Black, list[0], list[1])
		case name == "h":
			for _, p := range list {
				s.liable |= movegen.Bit(p)
			}
		default:
			return s, fmt.Errorf("state %q: unknown token %q", f.State, token)
		}
	}
	return s, nil
}
