package tablebase

import (
	"slices"

	"qirkat/movegen"
	"qirkat/movegen/manqala"
)

// Player asks tables about one game while it is played or searched. It is not
// safe for concurrent use.
type Player struct {
	*Prober
	game  movegen.Game
	most  int // pieces or seeds of a position that is asked for
	quiet int // plies that end the game; 0: never
	// far says that the game began the search where tables know who wins, and
	// not how soon. Then only positions with fewer pieces help to get on.
	far int
	// longest is the most plies to the end by best play, by the number of pieces.
	longest [MaxPieces + 1]int
}

// Player makes a player for a game. Positions of more than so many pieces or
// seeds are not asked for. A prober keeps what it has unpacked from one player
// to the next, but serves one at a time.
func (p *Prober) Player(g movegen.Game, most int) *Player {
	player := &Player{Prober: p, game: g, quiet: g.Variant().Quiet}
	for m, pair := range p.files {
		for _, f := range pair {
			if f != nil {
				n := m.pieces()
				player.most = max(player.most, n)
				// a loss may take a ply more than the longest win
				player.longest[n] = max(player.longest[n], f.Longest+1)
			}
		}
	}
	for n := range MaxPieces {
		// a capture may lead to fewer pieces
		player.longest[n+1] = max(player.longest[n+1], player.longest[n]+1)
	}
	player.most = min(max(player.most, len(p.seeds)), most)
	return player
}

// count is the number of pieces or seeds on the board.
func (p *Player) count() int {
	switch g := p.game.(type) {
	case *manqala.Position:
		b := boardOf(g.Row(movegen.White), g.Row(movegen.Black))
		return b.seeds()
	case interface {
		Pieces(s movegen.Side) movegen.Set
	}:
		return (g.Pieces(movegen.White) | g.Pieces(movegen.Black)).Len()
	}
	return 1 << 30
}

// Probe gives the worth of the position for the side to move, 1 a win, 0 a draw
// and −1 a loss, and the plies to the end; where the tables do not know them,
// exact says no, and they are the most that any position with as many pieces
// takes. It is not ok where the tables do not have the position, and where the
// quiet count might make a draw of a win.
func (p *Player) Probe() (result, plies int, exact, ok bool) {
	n := p.count()
	if n > p.most {
		return 0, 0, false, false
	}
	a, err := p.Prober.Probe(p.game)
	if err != nil {
		return 0, 0, false, false
	}
	plies, exact = a.Plies, a.Plies >= 0
	if !exact {
		if n >= p.far {
			return 0, 0, false, false
		}
		plies = p.longest[n]
	}
	if p.quiet > 0 && a.Result != Draw && p.QuietCount(p.game)+plies >= p.quiet {
		return 0, 0, false, false
	}
	if p.game.Variant().Family == movegen.Manqala {
		return int(a.Result), 0, false, true // the plies end with the capture, not the game
	}
	return int(a.Result), plies, exact, true
}

// Root begins a search from the position and gives the best of its moves, all
// when the tables do not know it: the shortest wins and the longest losses; of
// the moves that keep a draw, those that leave the opponent the largest part of
// moves that lose.
func (p *Player) Root(moves []movegen.Move) []movegen.Move {
	p.far = 1 << 30
	if p.count() > p.most {
		return moves
	}
	list := make([]Choice, 0, len(moves))
	for _, m := range moves {
		us := p.game.Turn()
		p.game.Make(m)
		a, err := p.after(p.game, us)
		p.game.Unmake()
		if err != nil {
			return moves
		}
		list = append(list, Choice{m, a})
	}
	if len(list) == 0 {
		return moves
	}
	best := slices.MaxFunc(list, func(a, b Choice) int {
		switch {
		case a.better(b.Answer):
			return 1
		case b.better(a.Answer):
			return -1
		}
		return 0
	})
	if best.Plies < 0 {
		p.far = p.count()
	}
	var chosen []movegen.Move
	for _, c := range list {
		if c.Answer == best.Answer {
			chosen = append(chosen, c.Move)
		}
	}
	if best.Result == Draw {
		return p.trickiest(chosen)
	}
	return chosen
}

// Line is a best line from the position, of so many plies at most; nothing where
// the tables do not know one.
func (p *Player) Line(most int) []movegen.Move {
	line, err := p.Prober.Line(p.game, most)
	if err != nil {
		return nil
	}
	return line
}

// trickiest are the moves after which the largest part of the opponent's moves
// lose.
func (p *Player) trickiest(moves []movegen.Move) []movegen.Move {
	var chosen []movegen.Move
	most := -1.0
	for _, m := range moves {
		p.game.Make(m)
		replies, err := p.Choices(p.game)
		p.game.Unmake()
		if err != nil {
			return moves
		}
		losing := 0
		for _, r := range replies {
			if r.Result == Loss {
				losing++
			}
		}
		part := float64(losing) / float64(max(len(replies), 1))
		if part > most {
			most, chosen = part, chosen[:0]
		}
		if part == most {
			chosen = append(chosen, m)
		}
	}
	return chosen
}
