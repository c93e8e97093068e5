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
	own, enemy movegen.Set // pieces of the side to move, and of the other
	liable     movegen.Set // pieces of the enemy that may be huffed
	turn       movegen.Side
	quiet      int32 // plies in a row without a capture

	// Each side's last turn, where no return forbids to take it back.
	ownBack, enemyBack step
}

// step is a step by its two points; none when they are empty.
type step struct{ from, to movegen.Set }

func (s step) none() bool { return s.from == 0 }

// key is the hash of the token rw: or rb:.
func (s step) key(side movegen.Side) uint64 {
	if s.none() {
		return 0
	}
	return movegen.Keys.StepFrom[side&1][s.from.First()&63] ^ movegen.Keys.StepTo[side&1][s.to.First()&63]
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
func (p *Position) Pieces(s movegen.Side) movegen.Set {
	if s == p.turn {
		return p.own
	}
	return p.enemy
}

// both are the pieces of White and of Black.
func (s *state) both() [2]movegen.Set {
	if s.turn == movegen.White {
		return [2]movegen.Set{s.own, s.enemy}
	}
	return [2]movegen.Set{s.enemy, s.own}
}

// backs are the last turns of White and of Black.
func (s *state) backs() [2]step {
	if s.turn == movegen.White {
		return [2]step{s.ownBack, s.enemyBack}
	}
	return [2]step{s.enemyBack, s.ownBack}
}

// Place sets up pieces with a side to move and no token, and forgets the turns
// that led to the old position. It is Set without the text, for who walks over
// all positions; whether the pieces fit the variant is not checked.
func (p *Position) Place(pieces [2]movegen.Set, turn movegen.Side) {
	s := state{own: pieces[turn], enemy: pieces[turn.Other()], turn: turn}
	p.Start(s, s.freshKey(), movegen.Fields{Turn: turn, Number: 1})
	p.state = &p.Current().State
}

// Turn is the side to move.
func (p *Position) Turn() movegen.Side { return p.turn }

// Make plays a move that Moves or Noisy gave.
func (p *Position) Make(m movegen.Move) {
	old, above := p.state, p.Above()
	next := &above.State
	above.Key = 0
	removed := m.Taken | m.Huff.Huffed()
	next.own = old.enemy &^ removed
	next.enemy = old.own&^m.From | m.To
	next.turn = old.turn ^ 1
	next.liable = m.Huff.Liable()
	if p.rules.NoReturn {
		next.enemyBack = stepOf(m)
		next.ownBack = old.enemyBack.while(next.own)
	}
	next.quiet = old.quiet + 1
	if removed != 0 {
		next.quiet = 0
	}
	p.Go(above)
	p.state = next
}

// stepOf is the step that a turn consists of, if it does.
func stepOf(m movegen.Move) step {
	if m.Taken != 0 {
		return step{}
	}
	return step{m.From, m.To}
}

// while is the step as long as its piece, one of those given, stands where it
// went.
func (s step) while(pieces movegen.Set) step {
	if pieces&s.to != 0 {
		return s
	}
	return step{}
}

// Key hashes all that decides the legal moves: pieces, side, and tokens.
func (p *Position) Key() uint64 {
	if key := p.Current().Key; key != 0 {
		return key
	}
	return p.KeyBy(nextKey)
}

// nextKey is the key after a turn.
func nextKey(key uint64, old, next *state) uint64 {
	key ^= movegen.Keys.Black ^
		movegen.Keys.Pieces(old.turn, old.own^next.enemy) ^
		movegen.Keys.Pieces(next.turn, old.enemy^next.own)
	if old.liable|next.liable != 0 || old.ownBack != next.enemyBack || old.enemyBack != next.ownBack {
		key ^= old.tokensKey() ^ next.tokensKey()
	}
	return key
}

// tokensKey is the part of the key that the state tokens make.
func (s *state) tokensKey() uint64 {
	key := s.ownBack.key(s.turn) ^ s.enemyBack.key(s.turn.Other())
	for l := s.liable; l != 0; l = l.Rest() {
		key ^= movegen.Keys.Liable[l.First()&63]
	}
	return key
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
	c.unique, c.walker, c.found = movegen.Unique{}, walker{}, nil
	return &c
}

// freshKey computes the key from the board.
func (s *state) freshKey() uint64 {
	key := movegen.Keys.Pieces(s.turn, s.own) ^ movegen.Keys.Pieces(s.turn.Other(), s.enemy) ^ s.tokensKey()
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
	note(p.own&p.enemy != 0, "a point holds two pieces")
	note((p.own|p.enemy)&^p.rules.board.All != 0, "a piece stands off the board")
	note(p.liable&^p.enemy != 0, "a point liable to a huff holds no enemy piece")
	note(!p.ownBack.none() && p.own&p.ownBack.to == 0 || !p.enemyBack.none() && p.enemy&p.enemyBack.to == 0,
		"a no-return token without its piece")
	if broken == nil {
		return nil
	}
	return fmt.Errorf("alquerque: %q in\n%s%s", broken, p.Draw(), p)
}
