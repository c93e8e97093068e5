package manqala

import (
	"fmt"

	"qirkat/movegen"
)

// Position is a game of Al-manqala; it implements [movegen.Game]. In a move,
// From is the house sown and Taken the houses captured, bit 0 to 6 for the
// mover's row from its left and 7 to 13 for the opponent's.
type Position struct {
	rules *rules
	movegen.History[state]
	*state // of the current position, in the history
}

// state is what a turn changes.
type state struct {
	own, other           row // of the side to move, and of its opponent
	ownStore, otherStore uint8
	turn                 movegen.Side
	house                uint8  // that the turn which led here sowed; noHouse for a pass
	taken                uint16 // and captured
	quiet                int32  // plies in a row without a capture
}

// noHouse is the house of a pass, the turn of a side that has no seed to sow.
const noHouse = houses

var pass = movegen.Move{From: 1 << noHouse}

// New is the start position of a variant.
func New(v *movegen.Variant) *Position {
	p := &Position{rules: newRules(v)}
	if err := p.Set(v.Start); err != nil {
		panic("manqala: start of " + v.Name + ": " + err.Error())
	}
	return p
}

// Variant is the row and the rules in force.
func (p *Position) Variant() *movegen.Variant { return p.rules.Variant }

// Turn is the side to move.
func (p *Position) Turn() movegen.Side { return p.turn }

// Seeds is the content of a side's house, 0 to 6 from its own left.
func (p *Position) Seeds(s movegen.Side, house int) int { return p.row(s).seeds(house) }

// Row is the houses of a side, a byte each, from its own left.
func (p *Position) Row(s movegen.Side) uint64 { return uint64(p.row(s)) }

// Store is the number of seeds that a side has taken.
func (p *Position) Store(s movegen.Side) int {
	if s == p.turn {
		return int(p.ownStore)
	}
	return int(p.otherStore)
}

func (s *state) row(side movegen.Side) row {
	if side == s.turn {
		return s.own
	}
	return s.other
}

// Make plays a move that Moves or Noisy gave.
func (p *Position) Make(m movegen.Move) {
	old, above := p.state, p.Above()
	next := &above.State
	above.Key = 0
	house := m.From.First()
	own, other := old.own, old.other
	if house != noHouse {
		s := &p.rules.sow[house&7][own.seeds(int(house))&127]
		own, other = own.without(int(house))+s.own, other+s.other
	}
	store, quiet := old.ownStore, old.quiet+1
	if m.Taken != 0 {
		ownTaken, otherTaken := own.keep(m.Taken), other.keep(m.Taken>>rowHouses)
		own, other = own-ownTaken, other-otherTaken
		store += uint8((ownTaken + otherTaken).total())
		quiet = 0
	}
	next.own, next.other = other, own
	next.ownStore, next.otherStore = old.otherStore, store
	next.turn = old.turn ^ 1
	next.house, next.taken, next.quiet = uint8(house), uint16(m.Taken), quiet
	p.Go(above)
	p.state = next
}

// Key hashes all that decides the game: seeds, stores and side.
func (p *Position) Key() uint64 {
	if key := p.Current().Key; key != 0 {
		return key
	}
	return p.KeyBy(p.rules.nextKey)
}

// nextKey is the key after a turn.
func (r *rules) nextKey(key uint64, old, next *state) uint64 {
	key ^= sideKey(old.turn)
	if next.house != noHouse {
		seeds := old.own.seeds(int(next.house))
		key += r.change[old.turn&1][next.house][seeds]
		if next.taken != 0 {
			s := &r.sow[next.house&7][seeds&127]
			key += takenKey(old.turn, movegen.Set(next.taken), old.own.without(int(next.house))+s.own, old.other+s.other)
		}
	}
	return key ^ sideKey(next.turn)
}

// takenKey is the change of the key when the houses of a set are captured.
func takenKey(us movegen.Side, taken movegen.Set, own, other row) (change uint64) {
	for ; taken != 0; taken = taken.Rest() {
		house := int(taken.First())
		r := own
		if house >= rowHouses {
			r = other
		}
		seeds := uint64(r.seeds(house % rowHouses))
		change -= seeds * houseKey(us, house)
		if us == movegen.White {
			change += seeds * storeKey
		}
	}
	return change
}

// sideKey is laid over the sum of the seeds when Black is to move.
func sideKey(s movegen.Side) uint64 {
	if s == movegen.Black {
		return movegen.Keys.Black
	}
	return 0
}

// Unmake takes back the last move.
func (p *Position) Unmake() {
	p.state = &p.Back().State
}

// Clone is an independent copy, history included.
func (p *Position) Clone() movegen.Game {
	c := *p
	c.History = p.Copy()
	c.state = &c.Current().State
	return &c
}

// freshKey computes the key from the board.
func (s *state) freshKey() uint64 {
	store := s.ownStore
	if s.turn == movegen.Black {
		store = s.otherStore
	}
	key := uint64(store) * storeKey
	for house := range rowHouses {
		key += uint64(s.own.seeds(house))*houseKey(s.turn, house) +
			uint64(s.other.seeds(house))*houseKey(s.turn.Other(), house)
	}
	return key ^ sideKey(s.turn)
}

// Check reports every broken invariant of the position; nil when all hold.
func (p *Position) Check() error {
	var broken []string
	note := func(bad bool, what string) {
		if bad {
			broken = append(broken, what)
		}
	}
	note(p.Key() != p.state.freshKey(), "the incremental key is not the fresh one")
	total := p.own.total() + p.other.total() + int(p.ownStore) + int(p.otherStore)
	note(total != allSeeds, "the seeds do not add up")
	if broken == nil {
		return nil
	}
	return fmt.Errorf("manqala: %q in\n%s%s", broken, p.Draw(), p)
}
