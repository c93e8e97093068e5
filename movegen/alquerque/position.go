package alquerque

import (
	"fmt"

	"qirkat/movegen"
)

// Position is a game of the Alquerque family; it implements [movegen.Game].
type Position struct {
	rules *rules
	movegen.History[state]
	*state // of the current position, in the history

	unique movegen.Unique
	walker walker
	found  []movegen.Move // buffer of Find
}

// state is what a turn changes.
type state struct {
	pieces [2]movegen.Set
	liable movegen.Set // pieces of the side not to move that may be huffed
	back   [2]step     // each side's last turn, where no return forbids to take it back
	turn   movegen.Side
}

// step is a step by its two points; none when they are equal.
type step struct{ from, to movegen.Point }

func (s step) none() bool { return s.from == s.to }

// key is the hash of the token rw: or rb:.
func (s step) key(side movegen.Side) uint64 {
	if s.none() {
		return 0
	}
	return movegen.Keys.StepFrom[side&1][s.from&63] ^ movegen.Keys.StepTo[side&1][s.to&63]
}

// New is the start position of a variant.
func New(v *movegen.Variant) *Position {
	p := &Position{rules: newRules(v)}
	if err := p.Set(v.Start); err != nil {
		panic("alquerque: start of " + v.Name + ": " + err.Error())
	}
	return p
}

// Variant is the row and the rules in force.
func (p *Position) Variant() *movegen.Variant { return p.rules.variant }

// Board is the graph that the game is played on.
func (p *Position) Board() *movegen.Board { return p.rules.board }

// Pieces are the pieces of a side.
func (p *Position) Pieces(s movegen.Side) movegen.Set { return p.pieces[s&1] }

// Turn is the side to move.
func (p *Position) Turn() movegen.Side { return p.turn }

// Make plays a move that Moves or Noisy gave.
func (p *Position) Make(m movegen.Move) {
	old, next := p.Next()
	us := old.turn & 1
	quiet := p.QuietCount() + 1
	removed := m.Taken | m.Huff.Huffed()
	if removed != 0 {
		quiet = 0
	}
	next.pieces[us] = old.pieces[us]&^m.From | m.To
	next.pieces[us^1] = old.pieces[us^1] &^ removed
	next.turn = us ^ 1
	next.liable = m.Huff.Liable()
	if p.rules.NoReturn {
		next.remember(old, m)
	}
	p.Push(quiet)
	p.state = next
}

// remember keeps a turn's step for the rule no return, and the opponent's as
// long as its piece stands where it went.
func (s *state) remember(old *state, m movegen.Move) {
	us := old.turn & 1
	them := us ^ 1
	s.back = [2]step{}
	if m.Taken == 0 && m.From != 0 {
		s.back[us] = step{m.From.First(), m.To.First()}
	}
	if back := old.back[them]; s.pieces[them].Has(back.to) {
		s.back[them] = back
	}
}

// Key hashes all that decides the legal moves: pieces, side, and tokens.
func (p *Position) Key() uint64 {
	for key, old, next, ok := p.Unkeyed(); ok; key, old, next, ok = p.Unkeyed() {
		p.SetKey(key ^ old.change(next))
	}
	return p.LastKey()
}

// change is what a turn changes in the key.
func (s *state) change(next *state) uint64 {
	key := movegen.Keys.Black ^
		movegen.Keys.Pieces(movegen.White, s.pieces[movegen.White]^next.pieces[movegen.White]) ^
		movegen.Keys.Pieces(movegen.Black, s.pieces[movegen.Black]^next.pieces[movegen.Black])
	if s.liable|next.liable != 0 || s.back != next.back {
		key ^= s.tokensKey() ^ next.tokensKey()
	}
	return key
}

// tokensKey is the part of the key that the state tokens make.
func (s *state) tokensKey() uint64 {
	key := s.back[movegen.White].key(movegen.White) ^ s.back[movegen.Black].key(movegen.Black)
	for l := s.liable; l != 0; l = l.Rest() {
		key ^= movegen.Keys.Liable[l.First()&63]
	}
	return key
}

// Unmake takes back the last move.
func (p *Position) Unmake() {
	p.state = p.Pop()
}

// Clone is an independent copy, history included.
func (p *Position) Clone() movegen.Game {
	c := *p
	c.state = p.CloneTo(&c.History)
	c.unique, c.walker, c.found = movegen.Unique{}, walker{}, nil
	return &c
}

// freshKey computes the key from the board.
func (s *state) freshKey() uint64 {
	key := movegen.Keys.Pieces(movegen.White, s.pieces[movegen.White]) ^
		movegen.Keys.Pieces(movegen.Black, s.pieces[movegen.Black]) ^ s.tokensKey()
	if s.turn == movegen.Black {
		key ^= movegen.Keys.Black
	}
	return key
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
	note(p.pieces[0]&p.pieces[1] != 0, "a point holds two pieces")
	note((p.pieces[0]|p.pieces[1])&^p.rules.board.All != 0, "a piece stands off the board")
	note(p.liable&^p.pieces[p.turn^1] != 0, "a point liable to a huff holds no enemy piece")
	for s, b := range p.back {
		note(!b.none() && !p.pieces[s].Has(b.to), "a no-return token without its piece")
	}
	if broken == nil {
		return nil
	}
	return fmt.Errorf("alquerque: %q in\n%s%s", broken, p.Draw(), p)
}
