package movegen

// Perft counts the legal turns to an exact depth, each leaf made and unmade.
func Perft(g Game, depth int) uint64 {
	if depth == 0 {
		return 1
	}
	return perft(g, depth, new(perftBuffer))
}

type perftBuffer struct{ moves []Move }

// perft counts to a depth of at least one.
func perft(g Game, depth int, b *perftBuffer) uint64 {
	start := len(b.moves)
	b.moves = g.Moves(b.moves)
	var nodes uint64
	for _, m := range b.moves[start:] {
		g.Make(m)
		if depth == 1 {
			nodes++
		} else {
			nodes += perft(g, depth-1, b)
		}
		g.Unmake()
	}
	b.moves = b.moves[:start]
	return nodes
}

// PerftBulk counts as Perft does, but takes the number of moves for the last ply.
func PerftBulk(g Game, depth int) uint64 {
	return perftBulk(g, depth, new(perftBuffer))
}

func perftBulk(g Game, depth int, b *perftBuffer) uint64 {
	if depth == 0 {
		return 1
	}
	start := len(b.moves)
	b.moves = g.Moves(b.moves)
	nodes := uint64(len(b.moves) - start)
	if depth > 1 {
		nodes = 0
		for _, m := range b.moves[start:] {
			g.Make(m)
			nodes += perftBulk(g, depth-1, b)
			g.Unmake()
		}
	}
	b.moves = b.moves[:start]
	return nodes
}
