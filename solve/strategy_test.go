package solve

import (
	"math/rand/v2"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
)

// TestStrategy plays the proven games against movers at random: the winner always
// has a move, the bound goes down, and the endgame tables find a win where they
// begin.
func TestStrategy(t *testing.T) {
	count := 100
	if *long {
		count = 20_000
	}
	for name := range strategies {
		t.Run(name, func(t *testing.T) {
			v, err := movegen.FindVariant(name)
			if err != nil {
				t.Fatal(err)
			}
			tables, _, err := tablebase.Open("", v)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tables.Close() }()
			s, err := StrategyOf(v, tables)
			if err != nil || s == nil {
				t.Fatalf("no strategy: %v", err)
			}
			prober := tables.NewProber()
			random := rand.New(rand.NewPCG(1, 2))
			for range count {
				g := games.New(v)
				last := 1 << 20
				for !g.Outcome().Over() {
					if g.Turn() != s.winner {
						moves := g.Moves(nil)
						g.Make(moves[random.IntN(len(moves))])
						continue
					}
					if a, err := prober.Probe(g); err == nil {
						if a.Result != tablebase.Win {
							t.Fatalf("%s: the tables say %v", g, a.Result)
						}
						break
					}
					m, plies, ok := s.Move(g)
					if !ok || plies >= last {
						t.Fatalf("%s: move found %t, a win in %d plies after one in %d", g, ok, plies, last)
					}
					last = plies
					g.Make(m)
				}
				if o := g.Outcome(); o.Over() && o.Winner != s.winner {
					t.Fatalf("%s: %v", g, o)
				}
			}
		})
	}
}

// TestNoStrategy: other rules have none.
func TestNoStrategy(t *testing.T) {
	huffing, _ := movegen.FindSwitch("Huffing")
	plain, err := movegen.FindVariant("alquerque")
	if err != nil {
		t.Fatal(err)
	}
	bell, err := movegen.FindVariant("alquerque-bell")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []*movegen.Variant{plain.With(huffing, "on"), bell} {
		if s, err := StrategyOf(v, nil); s != nil || err != nil {
			t.Errorf("%s: a strategy (%t), error %v", v.Name, s != nil, err)
		}
	}
}
