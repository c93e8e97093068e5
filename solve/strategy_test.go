package solve

import (
	"math/rand/v2"
	"slices"
	"strings"
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

// TestStrategyQuiet counts the plies without a capture that a line of a proven
// game can have, from any position of its proof.
func TestStrategyQuiet(t *testing.T) {
	for name, row := range strategies {
		t.Run(name, func(t *testing.T) {
			v, dir := variant(t, name), ""
			if strings.HasPrefix(name, "alquerque") {
				if !*long {
					t.Skip("the program has no distances of 8 pieces: -long")
				}
				dir = t.TempDir()
				if err := tablebase.Build(t.Context(), tablebase.Config{Variant: v, Count: 8, Dir: dir, Threads: 2, Memory: 4 << 30}); err != nil {
					t.Fatal(err)
				}
			}
			tables, _, err := tablebase.Open(dir, v)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = tables.Close() }()
			s, err := StrategyOf(v, tables)
			if err != nil || s == nil {
				t.Fatalf("no strategy: %v", err)
			}
			if most := longestQuiet(t, v, s); most != row.quiet {
				t.Errorf("%d plies without a capture at most, want %d as in the table", most, row.quiet)
			}
		})
	}
}

func longestQuiet(t *testing.T, v *movegen.Variant, s *Strategy) (most int) {
	prober, quiet := s.tables, make(map[key]int)
	g := games.New(v)
	after := func(m movegen.Move) int {
		g.Make(m)
		defer g.Unmake()
		if m.Taken != 0 || g.Outcome().Over() {
			return 1
		}
		if _, ok := s.bound(g); ok {
			return 1 + quiet[s.key(g)]
		}
		a, err := prober.Probe(g)
		if err != nil || a.Plies < 0 {
			t.Fatalf("%s: %v, %v, want a distance", g, a, err)
		}
		return 1 + a.Plies
	}
	byPlies := slices.Clone(s.set)
	slices.SortStableFunc(byPlies, func(a, b ranked) int { return int(a.plies) - int(b.plies) })
	for _, r := range byPlies {
		p := r.position()
		if err := g.Set(v.Size.FormatPieces(p.pieces) + " " + p.turn.Letter() + " - 0 1"); err != nil {
			t.Fatal(err)
		}
		n := 0
		if p.turn == s.winner {
			m, _, ok := s.Move(g)
			if !ok {
				t.Fatalf("%s: no move", g)
			}
			n = after(m)
		} else {
			for _, m := range g.Moves(nil) {
				n = max(n, after(m))
			}
		}
		quiet[r.key], most = n, max(most, n)
	}
	return most
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
