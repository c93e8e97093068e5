package manqala

import (
	"fmt"

	"qirkat/movegen"
)

// Position is a game of Al-manqala; it implements [movegen.Game]. In a move,
// From is the house sown and Taken the houses captured, as places of the track
// counted by South.
type Position struct {
	rules *rules
	movegen.History[state]
	*state // of the current position, in the history
}

// state is what a turn changes.
type state struct {
	rows   [2]row
	stores [2]int
	turn   movegen.Side
	change uint64 // of the sum in the key, by the turn that led here
}

// pass is the turn of a side that has no seed to sow.
var pass = movegen.Move{From: 1 << houses}

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
func (p *Position) Seeds(s movegen.Side, house int) int { return p.rows[s&1].seeds(house) }

// Row is the houses of a side, a byte each, from its own left.
func (p *Position) Row(s movegen.Side) uint64 { return uint64(p.rows[s&1]) }

// Store is the number of seeds that a side has taken.
func (p *Position) Store(s movegen.Side) int { return p.stores[s&1] }

// Make plays a move that Moves or Noisy gave.
func (p *Position) Make(m movegen.Move) {
	old, next := p.Next()
	us := old.turn & 1
	own, other, change := old.rows[us], old.rows[us^1], uint64(0)
	if m != pass {
		house := int(m.From.First()) - rowHouses*int(us)
		seeds := own.seeds(house)
		s := &p.rules.sow[house][seeds]
		own, other, change = own.with(house, 0)+s.own, other+s.other, p.rules.change[us][house][seeds]
	}
	next.rows[us], next.rows[us^1] = own, other
	next.stores[us], next.stores[us^1] = old.stores[us], old.stores[us^1]
	next.turn, next.change = us^1, change
	quiet := p.QuietCount() + 1
	if m.Taken != 0 {
		next.harvest(us, m.Taken)
		quiet = 0
	}
	p.Push(quiet)
	p.state = next
}

// harvest moves the seeds of the captured houses into the mover's store.
func (s *state) harvest(us movegen.Side, taken movegen.Set) {
	for t := taken; t != 0; t = t.Rest() {
		place := int(t.First())
		seeds := s.rows[place/rowHouses&1].seeds(place % rowHouses)
		s.stores[us] += seeds
		s.change -= uint64(seeds) * movegen.Keys.Piece[movegen.White][place&63]
		if us == movegen.White {
			s.change += uint64(seeds) * storeKey
		}
	}
	s.rows[movegen.White] -= s.rows[movegen.White].keep(taken)
	s.rows[movegen.Black] -= s.rows[movegen.Black].keep(taken >> rowHouses)
}

// Key hashes all that decides the game: seeds, stores and side.
func (p *Position) Key() uint64 {
	for key, old, next, ok := p.Unkeyed(); ok; key, old, next, ok = p.Unkeyed() {
		p.SetKey((key ^ sideKey(old.turn)) + next.change ^ sideKey(next.turn))
	}
	return p.LastKey()
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
	p.state = p.Pop()
}

// Clone is an independent copy, history included.
func (p *Position) Clone() movegen.Game {
	c := *p
	c.state = p.CloneTo(&c.History)
	return &c
}

// freshKey computes the key from the board.
func (s *state) freshKey() uint64 {
	key := uint64(s.stores[movegen.White]) * storeKey
	for side, r := range s.rows {
		for house := range rowHouses {
			key += uint64(r.seeds(house)) * houseKey(movegen.Side(side), house)
		}
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
	total := p.rows[0].total() + p.rows[1].total() + p.stores[0] + p.stores[1]
	note(total != allSeeds, "the seeds do not add up")
	if broken == nil {
		return nil
	}
	return fmt.Errorf("manqala: %q in\n%s%s", broken, p.Draw(), p)
}
