package solve

import (
	"strings"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// mover plays the rules for one goroutine. The rule of no return is carried out
// here, on top of a generator without it.
type mover struct {
	*rules
	game    generator
	counter counter        // nil if the game has none
	list    []movegen.Move // a buffer
}

// counter tells how many pieces a move can capture at most, without a list of
// the moves.
type counter interface {
	MostTaken(pieces [2]movegen.Set, turn movegen.Side) int
}

func newMover(r *rules) *mover {
	g := &mover{rules: r, game: r.generator()}
	g.counter, _ = g.game.(counter)
	return g
}

// moves appends the legal moves of a position.
func (g *mover) moves(dst []movegen.Move, p *position) []movegen.Move {
	begin := len(dst)
	g.game.Place(p.pieces, p.turn)
	dst = g.game.Moves(dst)
	if back := p.back[p.turn&1]; back != 0 {
		s := g.steps[back]
		for i := begin; i < len(dst); i++ {
			if m := &dst[i]; m.Taken == 0 && m.From == movegen.Bit(s.to) && m.To == movegen.Bit(s.from) {
				last := len(dst) - 1
				dst[i] = dst[last]
				return dst[:last]
			}
		}
	}
	return dst
}

// mostTaken is the most pieces that a move of a position captures.
func (g *mover) mostTaken(p *position) int {
	switch {
	case g.counter != nil:
		return g.counter.MostTaken(p.pieces, p.turn)
	case !g.game.CanCapture(p.pieces, p.turn):
		return 0
	}
	g.list = g.moves(g.list[:0], p)
	most := 0
	for i := range g.list {
		most = max(most, g.list[i].Taken.Len())
	}
	return most
}

// play is the position after a move.
func (g *mover) play(p *position, m *movegen.Move) position {
	us, them := p.turn&1, p.turn&1^1
	n := position{turn: them}
	n.pieces[us] = p.pieces[us]&^m.From | m.To
	n.pieces[them] = p.pieces[them] &^ m.Taken
	if len(g.steps) == 1 {
		return n
	}
	if m.Taken == 0 {
		if s := g.number[m.From.First()&63][m.To.First()&63]; g.returns[us][s&backMask] {
			n.back[us] = s
		}
	}
	n.back[them] = p.back[them]
	g.drop(&n)
	return n
}

// drop takes a last step of the side to move away that forbids nothing: its piece
// is gone, the way back is closed by a piece, or a capture is compulsory.
func (g *mover) drop(p *position) {
	back := &p.back[p.turn&1]
	if *back == 0 {
		return
	}
	s := g.steps[*back]
	if !p.pieces[p.turn&1].Has(s.to) || (p.pieces[0] | p.pieces[1]).Has(s.from) || g.game.CanCapture(p.pieces, p.turn) {
		*back = 0
	}
}

// end is the result, for the side to move, of a position without a move.
func (g *mover) end(p *position) tablebase.Result {
	us, them := p.turn&1, p.turn&1^1
	switch {
	case p.pieces[them] == 0:
		return tablebase.Win
	case p.pieces[us] == 0 || !g.variant.CountBlocked:
		return tablebase.Loss
	}
	other := *p
	other.turn = them
	g.list = g.moves(g.list[:0], &other)
	switch lead := p.pieces[us].Len() - p.pieces[them].Len(); {
	case len(g.list) > 0 || lead < 0:
		return tablebase.Loss
	case lead > 0:
		return tablebase.Win
	}
	return tablebase.Draw
}

// read takes a position from a text that the game has accepted. What the text
// has of counts is left out.
func (g *mover) read(text string) (p position, err error) {
	f, err := movegen.ParseFields(text, "STATE")
	if err != nil {
		return p, err
	}
	if p.pieces, err = g.size.ParsePieces(f.Rows, g.variant.StartPieces()); err != nil {
		return p, err
	}
	p.turn = f.Turn
	for token := range strings.SplitSeq(f.State, ",") {
		name, points, _ := strings.Cut(token, ":")
		if len(name) != 2 || len(points) != 4 {
			continue
		}
		side := movegen.White
		if name[1:] == movegen.Black.Letter() {
			side = movegen.Black
		}
		from, _ := g.size.ParsePoint(points[:2])
		to, _ := g.size.ParsePoint(points[2:])
		if n := g.number[from&63][to&63]; g.returns[side][n&backMask] {
			p.back[side] = n
		}
	}
	g.drop(&p)
	return p, nil
}
