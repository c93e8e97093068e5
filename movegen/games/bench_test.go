package games_test

import (
	"testing"

	"qirkat/movegen"
)

// benchmarked are the rules whose speed is of interest.
var benchmarked = [][]string{
	{"alquerque"},
	{"alquerque-bell"},
	{"alquerque-bell", "Huffing=off"},
	{"quirkat"},
	{"quirkat", "Huffing=off"},
	{"quirkat", "MultiPiece=on"},
	{"fanorona"},
	{"fanorona-dimy"},
	{"fanorona-vela"},
	{"al-manqala"},
}

// samples are positions of random games in which moves are to be had.
func samples(b testing.TB, r rules) []movegen.Game {
	const many = 64
	var all []movegen.Game
	random := r.random()
	for len(all) < many {
		position, plies := r.randomPosition(random)
		g, err := r.setUp(position)
		if err != nil {
			b.Fatal(err)
		}
		for range random.IntN(plies) {
			if len(g.list) > 0 {
				g.play(anyhow.choose(random, g))
			}
		}
		if len(g.list) > 0 {
			all = append(all, g.Game)
		}
	}
	return all
}

func eachRules(b *testing.B, run func(b *testing.B, r rules)) {
	for _, words := range benchmarked {
		r := rulesOf(b, words[0], words[1:]...)
		b.Run(r.String(), func(b *testing.B) {
			b.ReportAllocs()
			run(b, r)
		})
	}
}

// BenchmarkMoves lists the moves of positions of random games, one an
// operation; it reports million moves a second too.
func BenchmarkMoves(b *testing.B) {
	eachRules(b, func(b *testing.B, r rules) {
		all := samples(b, r)
		var list []movegen.Move
		moves, i := 0, 0
		for b.Loop() {
			list = all[i%len(all)].Moves(list[:0])
			moves += len(list)
			i++
		}
		b.ReportMetric(float64(moves)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
	})
}

// BenchmarkMakeUnmake plays and takes back all moves of a position, one
// position an operation.
func BenchmarkMakeUnmake(b *testing.B) {
	eachRules(b, func(b *testing.B, r rules) {
		all := samples(b, r)
		lists := make([][]movegen.Move, len(all))
		for i, g := range all {
			lists[i] = g.Moves(nil)
		}
		moves, i := 0, 0
		for b.Loop() {
			g, list := all[i%len(all)], lists[i%len(all)]
			for _, m := range list {
				g.Make(m)
				g.Unmake()
			}
			moves += len(list)
			i++
		}
		b.ReportMetric(float64(moves)/b.Elapsed().Seconds()/1e6, "Mmoves/s")
	})
}

// BenchmarkPerft counts from the start position, each leaf made and unmade.
func BenchmarkPerft(b *testing.B) {
	benchmarkPerft(b, movegen.Perft)
}

// BenchmarkPerftBulk takes the number of moves for the last ply.
func BenchmarkPerftBulk(b *testing.B) {
	benchmarkPerft(b, movegen.PerftBulk)
}

func benchmarkPerft(b *testing.B, perft func(movegen.Game, int) uint64) {
	eachRules(b, func(b *testing.B, r rules) {
		g := r.game()
		const enough = 500_000
		depth := 1
		for movegen.PerftBulk(g, depth) < enough {
			depth++
		}
		nodes := uint64(0)
		for b.Loop() {
			nodes += perft(g, depth)
		}
		b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mn/s")
	})
}
