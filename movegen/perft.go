package movegen

// Perft counts the legal turns to an exact depth, each leaf made and unmade.
func Perft(g Game, depth int) uint64 { return perft(g, depth, false, new(perftBuffer)) }

// PerftBulk counts as Perft does, but takes the number of moves for the last ply.
func PerftBulk(g Game, depth int) uint64 { return perft(g, depth, true, new(perftBuffer)) }

type perftBuffer struct{ moves []Move }

func perft(g Game, depth int, bulk bool, b *perftBuffer) uint64 {
	if depth == 0 {
		return 1
	}
	start := len(b.moves)
	b.moves = g.Moves(b.moves)
	moves := b.moves[start:]
	nodes := uint64(len(moves))
	switch {
	case depth > 1:
		nodes = 0
		for i := range moves {
			g.Make(moves[i])
			nodes += perft(g, depth-1, bulk, b)
			g.Unmake()
		}
	case !bulk:
		for i := range moves {
			g.Make(moves[i])
			g.Unmake()
		}
	}
	b.moves = b.moves[:start]
	return nodes
}
