package protocol

import (
	"fmt"
	"sync/atomic"

	"qirkat/movegen"
)

func (s *Server) perftCommand(args string) error {
	depth, err := count(args, 0, "plies")
	if err != nil {
		return fmt.Errorf("perft %q: %w", movegen.Shorten(args), err)
	}
	s.perft(depth)
	return nil
}

// perft counts beside the reader, so that it can be stopped: a line for each
// root move, then the sum of what was counted.
func (s *Server) perft(depth int) {
	p := &perft{game: s.board.game.Clone()}
	j := s.begin("perft", func() { p.stop.Store(true) })
	go func() {
		defer s.crashed("perft of " + p.game.String())
		root := p.game.Moves(nil)
		if depth == 0 {
			root = nil
			p.nodes = 1
		}
		for i, m := range root {
			text, before := p.game.Text(m), p.nodes
			p.game.Make(m)
			p.count(depth - 1)
			p.game.Unmake()
			if p.stop.Load() {
				s.note("perft: stopped, %d of %d moves counted", i, len(root))
				p.nodes = before
				break
			}
			s.out.linef("%s: %d", text, p.nodes-before)
		}
		s.end(j, fmt.Sprintf("Nodes searched: %d", p.nodes))
	}()
}

// perft counts legal turns until it is stopped.
type perft struct {
	game  movegen.Game
	moves []movegen.Move
	nodes uint64
	stop  atomic.Bool
}

func (p *perft) count(depth int) {
	if depth == 0 {
		p.nodes++
		return
	}
	start := len(p.moves)
	p.moves = p.game.Moves(p.moves)
	if depth == 1 {
		p.nodes += uint64(len(p.moves) - start)
	} else {
		for i := start; i < len(p.moves) && !p.stop.Load(); i++ {
			p.game.Make(p.moves[i])
			p.count(depth - 1)
			p.game.Unmake()
		}
	}
	p.moves = p.moves[:start]
}
