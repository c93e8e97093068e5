package alquerque

import "qirkat/movegen"

// Outcome says whether and how the game has ended (rule book, section 5).
func (p *Position) Outcome() movegen.Outcome {
	us, them := p.turn&1, p.turn&1^1
	switch {
	case p.own == 0:
		return movegen.Win(them, movegen.Captured)
	case p.enemy == 0:
		return movegen.Win(us, movegen.Captured)
	case !p.canMove():
		return p.blocked()
	}
	if p.recurs(0) {
		return movegen.Draw(movegen.Repetition)
	}
	if p.rules.QuietEnds(int(p.quiet)) {
		return movegen.Draw(movegen.Quiet)
	}
	return movegen.Outcome{}
}

// Stalled reports whether the game ends here by the quiet count or by
// repetition, or the position occurred among the last n plies.
func (p *Position) Stalled(n int) bool { return p.rules.QuietEnds(int(p.quiet)) || p.recurs(n) }

func (p *Position) recurs(n int) bool {
	quiet := int(p.quiet)
	return p.rules.MayRecur(quiet, n) && p.Recurs(p.Key(), quiet, n, p.rules.Repetition)
}

// CanRepeat reports whether a step of the side to move leads to a position that
// occurred among the last n plies. With no return it is not looked for.
func (p *Position) CanRepeat(n int) bool {
	n = min(n, int(p.quiet))
	if n < 3 || p.rules.NoReturn || p.liable != 0 {
		return false
	}
	w := &p.rules.side[p.turn&1]
	return p.Earlier(n, func(s *state) bool {
		if s.own != p.enemy || s.liable != 0 {
			return false
		}
		from, to := p.own&^s.enemy, s.enemy&^p.own
		return from.Len() == 1 && w.steppers(from, to) != 0 && w.canJump(p.own, p.enemy, p.rules.board.All&^(p.own|p.enemy)) == 0
	})
}

// QuietLeft is the number of plies without a capture after which the game ends.
func (p *Position) QuietLeft() int { return p.rules.QuietLeft(int(p.quiet)) }

// Cycle is what an endless cycle gives: a draw.
func (p *Position) Cycle() movegen.Outcome { return movegen.Draw(movegen.Repetition) }

// canMove reports whether the side to move has a legal move.
func (p *Position) canMove() bool {
	if p.canTurn(p.turn, p.ownBack, p.own, p.enemy) {
		return true
	}
	for h := p.liable; h != 0; h = h.Rest() {
		if piece := h.Lowest(); piece == p.enemy || p.canTurn(p.turn, p.ownBack, p.own, p.enemy&^piece) {
			return true
		}
	}
	return false
}

// canTurn reports whether a side, whose last step was back, could make a step
// or a jump on a board.
func (p *Position) canTurn(side movegen.Side, back step, own, enemy movegen.Set) bool {
	w, empty := &p.rules.side[side&1], p.rules.board.All&^(own|enemy)
	return w.canStep(back, own, empty) || w.canJump(own, enemy, empty) != 0
}

// blocked is the outcome when the side to move has no legal move: it has lost,
// unless the other side would be stuck as well (double block) and the variant
// has the pieces counted then.
func (p *Position) blocked() movegen.Outcome {
	us, them := p.turn&1, p.turn&1^1
	if p.canTurn(them, p.enemyBack, p.enemy, p.own) {
		return movegen.Win(them, movegen.Blocked)
	}
	lead := p.own.Len() - p.enemy.Len()
	switch {
	case !p.rules.CountBlocked || lead < 0:
		return movegen.Win(them, movegen.DoubleBlock)
	case lead > 0:
		return movegen.Win(us, movegen.DoubleBlock)
	}
	return movegen.Draw(movegen.DoubleBlock)
}

// Points are the match points of a finished game for the first player and the
// second: a winner and both sides of a draw get 0, a loser −2 and less by the
// pieces that it is behind. The blocked side may be ahead.
func (p *Position) Points() (p1, p2 int) {
	o := p.Outcome()
	if !o.Over() || o.Winner == movegen.None {
		return 0, 0
	}
	loser := o.Winner.Other()
	points := -2 + p.Pieces(loser).Len() - p.Pieces(o.Winner).Len()
	if loser == p.rules.first {
		return points, 0
	}
	return 0, points
}
