package alquerque

import "qirkat/movegen"

// Moves appends the legal moves to dst. With a right to huff a turn may begin
// with a huff; one after which the side has no turn is not legal, unless it
// takes the last enemy piece.
func (p *Position) Moves(dst []movegen.Move) []movegen.Move {
	own, enemy := p.own, p.enemy
	if own == 0 || enemy == 0 {
		return dst
	}
	if p.rules.plain {
		return p.right(dst, own, enemy, 0)
	}
	dst = p.turns(dst, own, enemy, 0)
	for h := p.liable; h != 0; h = h.Rest() {
		if piece := h.Lowest(); piece == enemy {
			dst = append(dst, lastHuff(piece))
		} else {
			dst = p.turns(dst, own, enemy&^piece, piece)
		}
	}
	return dst
}

// Noisy appends the right captures, and the huffs with the turns that are
// right after them. A capture counts as forced also where a fault is legal: it
// costs a piece.
func (p *Position) Noisy(dst []movegen.Move) (moves []movegen.Move, forced bool) {
	own, enemy := p.own, p.enemy
	if own == 0 || enemy == 0 {
		return dst, false
	}
	begin := len(dst)
	dst = p.rightCaptures(dst, own, enemy, 0)
	forced = len(dst) > begin
	for h := p.liable; h != 0; h = h.Rest() {
		if piece := h.Lowest(); piece == enemy {
			dst = append(dst, lastHuff(piece))
		} else {
			dst = p.right(dst, own, enemy&^piece, piece)
		}
	}
	return dst, forced
}

// NeverForced says whether Noisy gives no forced moves in this game.
func (p *Position) NeverForced() bool { return false }

// MayRefuse says whether a forced move may be left undone.
func (p *Position) MayRefuse() bool { return p.rules.Huffing }

// lastHuff is the turn that takes the last enemy piece by a huff alone.
func lastHuff(piece movegen.Set) movegen.Move {
	return movegen.Move{Huff: movegen.NewHuff(piece, 0)}
}

// right appends the turns that would be legal with huffing off: the captures
// if there is one, else the steps.
func (p *Position) right(dst []movegen.Move, own, enemy, huffed movegen.Set) []movegen.Move {
	begin := len(dst)
	if dst = p.rightCaptures(dst, own, enemy, huffed); len(dst) > begin {
		return dst
	}
	return p.steps(dst, own, p.rules.board.All&^(own|enemy), movegen.NewHuff(huffed, 0))
}

func (p *Position) rightCaptures(dst []movegen.Move, own, enemy, huffed movegen.Set) []movegen.Move {
	if p.rules.MultiPiece {
		return p.multiCaptures(dst, own, enemy, huffed)
	}
	return p.captures(dst, own, enemy, movegen.NewHuff(huffed, 0))
}
