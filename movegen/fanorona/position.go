package fanorona

import (
	"fmt"

	"qirkat/movegen"
)

// Position is a game of Fanorona; it implements [movegen.Game]. All that its
// rules remember is on the board: a side's first capture is still to come
// while the enemy has all its pieces, and the number of Black's pieces tells
// the vela from the rest.
type Position struct {
	rules *rules
	movegen.History[state]
	*state // of the current position, in the history

	unique   movegen.Unique
	openings []opening // buffer of the capture generator
}

// state is what a turn changes.
type state struct {
	own, enemy movegen.Set // pieces of the side to move, and of the other
	turn       movegen.Side
	quiet      int32 // plies in a row without a capture
}

// New is the start position of a variant.
func New(v *movegen.Variant) *Position {
	p := &Position{rules: newRules(v)}
	if err := p.Set(v.Start); err != nil {
		panic("fanorona: start of " + v.Name + ": " + err.Error())
	}
	return p
}

// Variant is the row and the rules in force.
func (p *Position) Variant() *movegen.Variant { return p.rules.Variant }

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
func (p *Position) both() [2]movegen.Set {
	return [2]movegen.Set{p.Pieces(movegen.White), p.Pieces(movegen.Black)}
}

// Place sets up pieces with a side to move, and forgets the turns that led to
// the old position. It is Set without the text, for who walks over all
// positions; whether the pieces fit the variant is not checked.
func (p *Position) Place(pieces [2]movegen.Set, turn movegen.Side) {
	s := state{own: pieces[turn], enemy: pieces[turn.Other()], turn: turn}
	p.Start(s, s.freshKey(), movegen.Fields{Turn: turn, Number: 1})
	p.state = &p.Current().State
}

// Turn is the side to move.
func (p *Position) Turn() movegen.Side { return p.turn }

// Moves appends the legal moves to dst: the captures if there is one, else
// every paika. The vela has its own.
func (p *Position) Moves(dst []movegen.Move) []movegen.Move {
	if p.own == 0 || p.enemy == 0 {
		return dst
	}
	if p.InVela() {
		return p.velaMoves(dst)
	}
	begin := len(dst)
	if dst = p.captures(dst); len(dst) > begin {
		return dst
	}
	return p.paikas(dst)
}

// Noisy appends the captures. They are compulsory, but mostly there is a choice
// of many, and one will be as good as standing still: to count them as forced
// cost 130 Elo (100 games at 4,000 nodes, 31.5 ± 9 %). In the vela Black's
// steps are all quiet.
func (p *Position) Noisy(dst []movegen.Move) (moves []movegen.Move, forced bool) {
	if p.own == 0 || p.enemy == 0 {
		return dst, false
	}
	switch {
	case !p.InVela():
		dst = p.captures(dst)
	case p.turn == movegen.White:
		dst = p.velaCaptures(dst)
	}
	return dst, false
}

// NeverForced says whether Noisy gives no forced moves in this game.
func (p *Position) NeverForced() bool { return true }

// MayRefuse says whether a forced move may be left undone.
func (p *Position) MayRefuse() bool { return false }

// paikas appends every step along a line to an adjacent empty point.
func (p *Position) paikas(dst []movegen.Move) []movegen.Move {
	own, empty := p.own, p.empty()
	for i := range p.rules.axes {
		a := &p.rules.axes[i]
		for to := (own & a.Step.Up).Up(a.Delta) & empty; to != 0; to = to.Rest() {
			t := to.Lowest()
			dst = append(dst, movegen.Move{From: t.Down(a.Delta), To: t})
		}
		for to := (own & a.Step.Down).Down(a.Delta) & empty; to != 0; to = to.Rest() {
			t := to.Lowest()
			dst = append(dst, movegen.Move{From: t.Up(a.Delta), To: t})
		}
	}
	return dst
}

func (p *Position) empty() movegen.Set {
	return p.rules.board.All &^ (p.own | p.enemy)
}

// Make plays a move that Moves or Noisy gave.
func (p *Position) Make(m movegen.Move) {
	old, above := p.state, p.Above()
	next := &above.State
	above.Key = 0
	next.own, next.enemy = old.enemy^m.Taken, old.own^m.From^m.To
	next.turn = old.turn ^ 1
	next.quiet = old.quiet + 1
	if m.Taken != 0 {
		next.quiet = 0
	}
	p.Go(above)
	p.state = next
}

// Key hashes all that decides the legal moves: pieces and side.
func (p *Position) Key() uint64 {
	if key := p.Current().Key; key != 0 {
		return key
	}
	return p.KeyBy(nextKey)
}

// nextKey is the key after a turn.
func nextKey(key uint64, old, next *state) uint64 {
	return key ^ movegen.Keys.Black ^
		movegen.Keys.Pieces(old.turn, old.own^next.enemy) ^ movegen.Keys.Pieces(next.turn, old.enemy^next.own)
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
	c.unique, c.openings = movegen.Unique{}, nil
	return &c
}

// freshKey computes the key from the board.
func (s *state) freshKey() uint64 {
	key := movegen.Keys.Pieces(s.turn, s.own) ^ movegen.Keys.Pieces(s.turn.Other(), s.enemy)
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
	if broken == nil {
		return nil
	}
	return fmt.Errorf("fanorona: %q in\n%s%s", broken, p.Draw(), p)
}
