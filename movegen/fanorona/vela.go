package fanorona

import "qirkat/movegen"

// afterVela is how many pieces Black keeps for the normal rules to return.
const afterVela = 5

// InVela reports whether Black must still give up pieces.
func (p *Position) InVela() bool {
	return p.rules.Vela && p.Pieces(movegen.Black).Len() > afterVela
}

// velaMoves appends the moves of the vela: White captures if it can, else
// plays a paika; Black steps.
func (p *Position) velaMoves(dst []movegen.Move) []movegen.Move {
	if p.turn == movegen.Black {
		return p.offers(dst)
	}
	begin := len(dst)
	if dst = p.velaCaptures(dst); len(dst) > begin {
		return dst
	}
	return p.paikas(dst)
}

// velaCaptures appends White's captures: exactly one piece and one step, the
// nearest enemy piece ahead or behind.
func (p *Position) velaCaptures(dst []movegen.Move) []movegen.Move {
	own, enemy, empty := p.own, p.enemy, p.empty()
	for i := range p.rules.axes {
		k := p.rules.axes[i].Delta
		attack := p.rules.attacks(i, enemy, empty)
		for s := attack.upAhead & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			dst = append(dst, movegen.Move{From: from, To: from.Up(k), Taken: from.Up(2 * k)})
		}
		for s := attack.upBehind & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			dst = append(dst, movegen.Move{From: from, To: from.Up(k), Taken: from.Down(k)})
		}
		for s := attack.downAhead & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			dst = append(dst, movegen.Move{From: from, To: from.Down(k), Taken: from.Down(2 * k)})
		}
		for s := attack.downBehind & own; s != 0; s = s.Rest() {
			from := s.Lowest()
			dst = append(dst, movegen.Move{From: from, To: from.Down(k), Taken: from.Up(k)})
		}
	}
	return dst
}

// offers appends Black's steps: those that leave White a capture if there are
// any, else all.
func (p *Position) offers(dst []movegen.Move) []movegen.Move {
	begin := len(dst)
	dst = p.paikas(dst)
	end := begin
	for _, m := range dst[begin:] {
		if p.offersCapture(m) {
			dst[end] = m
			end++
		}
	}
	if end > begin {
		return dst[:end]
	}
	return dst
}

// offersCapture reports whether White could capture after Black's step.
func (p *Position) offersCapture(m movegen.Move) bool {
	return p.rules.canCapture(p.enemy, p.own^m.From^m.To)
}

// canCapture reports whether some piece of own has a capturing step.
func (r *rules) canCapture(own, enemy movegen.Set) bool {
	empty := r.board.All &^ (own | enemy)
	for i := range r.axes {
		if r.attacks(i, enemy, empty).all()&own != 0 {
			return true
		}
	}
	return false
}
