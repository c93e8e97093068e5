package solve

import (
	"strings"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// mover plays the rules for one goroutine. The rule of no return, and the choice
// of a piece to huff before a turn, are carried out here, on top of a generator
// without them.
type mover struct {
	*rules
	game    generator
	counter counter        // nil if the game has none
	turner  turner         // nil if the game has none
	list    []movegen.Move // a buffer
}

// turner tells whether a side whose last step led from a point to another, if
// that is not empty, could step or capture.
type turner interface {
	CanTurn(pieces [2]movegen.Set, turn movegen.Side, from, to movegen.Set) bool
}

// counter tells how many pieces a move can capture at most, without a list of
// the moves.
type counter interface {
	MostTaken(pieces [2]movegen.Set, turn movegen.Side) int
}

func newMover(r *rules) *mover {
	g := &mover{rules: r, game: r.generator()}
	g.counter, _ = g.game.(counter)
	g.turner, _ = g.game.(turner)
	return g
}

// moves appends the legal moves of a position.
func (g *mover) moves(dst []movegen.Move, p *position) []movegen.Move {
	begin := len(dst)
	g.game.Place(p.pieces, p.turn)
	dst = g.game.Moves(dst)
	for h := p.liable; h != 0; h = h.Rest() {
		dst = g.huffs(dst, p, h.Lowest())
	}
	if back := p.back[p.turn&1]; back != 0 {
		s := g.steps[back]
		for i := begin; i < len(dst); {
			if m := &dst[i]; m.Taken == 0 && m.From == movegen.Bit(s.to) && m.To == movegen.Bit(s.from) {
				last := len(dst) - 1
				dst[i] = dst[last]
				dst = dst[:last]
			} else {
				i++
			}
		}
	}
	return dst
}

// huffs appends the turns that begin with the huff of a piece.
func (g *mover) huffs(dst []movegen.Move, p *position, piece movegen.Set) []movegen.Move {
	pieces := p.without(piece)
	if pieces[p.turn&1^1] == 0 {
		return append(dst, movegen.Move{Huff: movegen.NewHuff(piece, 0)})
	}
	begin := len(dst)
	g.game.Place(pieces, p.turn)
	dst = g.game.Moves(dst)
	for i := begin; i < len(dst); i++ {
		dst[i].Huff = movegen.NewHuff(piece, dst[i].Huff.Liable())
	}
	return dst
}

// without are the pieces of a position after the huff of one.
func (p *position) without(piece movegen.Set) [2]movegen.Set {
	pieces := p.pieces
	pieces[p.turn&1^1] &^= piece
	return pieces
}

// mostGained is the most pieces that a move of a position captures and huffs.
func (g *mover) mostGained(p *position) int {
	most := g.mostTaken(p.pieces, p.turn)
	for h := p.liable; h != 0; h = h.Rest() {
		most = max(most, 1+g.mostTaken(p.without(h.Lowest()), p.turn))
	}
	return most
}

// mostTaken is the most pieces that a move captures.
func (g *mover) mostTaken(pieces [2]movegen.Set, turn movegen.Side) int {
	switch {
	case g.counter != nil:
		return g.counter.MostTaken(pieces, turn)
	case !g.game.CanCapture(pieces, turn):
		return 0
	}
	g.game.Place(pieces, turn)
	g.list, _ = g.game.Noisy(g.list[:0])
	most := 0
	for i := range g.list {
		most = max(most, g.list[i].Taken.Len())
	}
	return most
}

// play is the position after a move.
func (g *mover) play(p *position, m *movegen.Move) position {
	us, them := p.turn&1, p.turn&1^1
	n := position{turn: them, liable: m.Huff.Liable()}
	n.pieces[us] = p.pieces[us]&^m.From | m.To
	n.pieces[them] = p.pieces[them] &^ (m.Taken | m.Huff.Huffed())
	if len(g.steps) == 1 {
		g.drop(&n)
		return n
	}
	if m.Taken == 0 && m.From != 0 {
		if s := g.number[m.From.First()&63][m.To.First()&63]; g.returns[us][s&backMask] {
			n.back[us] = s
		}
	}
	n.back[them] = p.back[them]
	g.drop(&n)
	return n
}

// drop takes away what a position remembers without meaning: pieces whose huff
// would leave the side to move without a turn, and a last step of that side that
// forbids nothing, since its piece is gone, the way back is closed by a piece that
// cannot be huffed, or a capture is compulsory.
func (g *mover) drop(p *position) {
	us := p.turn & 1
	back := &p.back[us]
	if *back != 0 && !p.pieces[us].Has(g.steps[*back].to) {
		*back = 0
	}
	for h := p.liable; h != 0; h = h.Rest() {
		if piece := h.Lowest(); piece != p.pieces[us^1] && !g.canTurn(p.without(piece), us, *back) {
			p.liable &^= piece
		}
	}
	if *back == 0 {
		return
	}
	closed := (p.pieces[0] | p.pieces[1]) &^ p.liable
	if closed.Has(g.steps[*back].from) || !g.variant.Huffing && g.game.CanCapture(p.pieces, us) {
		*back = 0
	}
}

// canTurn reports whether a side with a last step could step or capture.
func (g *mover) canTurn(pieces [2]movegen.Set, turn movegen.Side, back uint8) bool {
	if back == 0 {
		return g.turner.CanTurn(pieces, turn, 0, 0)
	}
	s := g.steps[back]
	return g.turner.CanTurn(pieces, turn, movegen.Bit(s.from), movegen.Bit(s.to))
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
	other.turn, other.liable = them, 0
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
		if name == "h" {
			list, _ := g.size.ParsePoints(points)
			for _, piece := range list {
				p.liable |= movegen.Bit(piece)
			}
		}
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
