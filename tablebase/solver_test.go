package tablebase

import (
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/movegen/slow"
)

// solver solves a game by looking at every position again and again. It knows
// no index, no material and no predecessors: positions are texts, and moves come
// from the slow generator.
type solver struct {
	game  *slow.Game
	first movegen.Side
	next  map[string][]string // by position, cut to its first three fields
	value map[string]Value    // of the positions that are decided
}

func newSolver(t *testing.T, v *movegen.Variant) *solver {
	t.Helper()
	g, err := slow.New(v.Name, options(v))
	if err != nil {
		t.Fatal(err)
	}
	return &solver{g, v.First(), make(map[string][]string), make(map[string]Value)}
}

// cut leaves the counts of a position text out.
func cut(position string) string { return strings.Join(strings.Fields(position)[:3], " ") }

// add adds a position and all that its moves lead to.
func (s *solver) add(position string) {
	stack := []string{cut(position)}
	for len(stack) > 0 {
		p := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if _, known := s.next[p]; known {
			continue
		}
		after := []string{}
		for _, turn := range s.game.Turns(p + " 0 1") {
			after = append(after, cut(turn.Next))
		}
		s.next[p] = after
		stack = append(stack, after...)
	}
}

// solve decides in round n what takes n plies, until two rounds bring nothing.
func (s *solver) solve() {
	for plies, idle := 0, 0; idle < 3; plies++ {
		found := make(map[string]Value)
		for p, next := range s.next {
			if _, known := s.value[p]; known {
				continue
			}
			if len(next) == 0 {
				if plies == 0 {
					found[p] = slowEnd(p+" 0 1", s.game, s.first)
				}
				continue
			}
			lost := 0
			for _, n := range next {
				switch v, known := s.value[n]; {
				case known && v.Result == Loss:
					found[p] = Value{Win, plies}
				case known && v.Result == Win:
					lost++
				}
			}
			if lost == len(next) {
				found[p] = Value{Loss, plies}
			}
		}
		idle++
		for p, v := range found {
			s.value[p] = v
			if v.Result != Draw {
				idle = 0
			}
		}
	}
}

// TestExhaustive compares tables, read from their files, with the solver: all
// positions of three pieces on 5×5, and of all pieces on 3×3.
func TestExhaustive(t *testing.T) {
	for _, c := range []struct {
		variant string
		options map[string]string
		pieces  int
		long    bool
	}{
		{"alquerque", nil, 3, false},
		{"alquerque-bell", exact, 3, false},
		{"alquerque-pritchard", exact, 3, true},
		{"quirkat", exact, 3, true},
		{"alquerque-bell", nil, 2, false},
		{"alquerque-bell", nil, 3, true},
		{"alquerque-bell", switches("on", "off"), 3, true},
		{"alquerque-pritchard", switches("off", "on"), 3, true},
		{"quirkat", nil, 2, false},
		{"quirkat", nil, 3, true},
		{"fanorona-telo", nil, 8, false},
		{"fanorona-telo", map[string]string{"FirstMove": "single"}, 8, true},
	} {
		if c.long && !*long {
			continue
		}
		v := variant(t, c.variant, c.options)
		dir := t.TempDir()
		build(t, v, dir, c.pieces)
		tables, refused, err := Open(dir, v)
		if err != nil || refused != nil {
			t.Fatal(err, refused)
		}
		s := newSolver(t, v)
		for pieces := 2; pieces <= c.pieces; pieces++ {
			for _, position := range allPositions(tables.rules, pieces) {
				s.add(position)
			}
		}
		s.solve()
		g, p := games.New(v), tables.NewProber()
		for position := range s.next {
			if err := g.Set(position); err != nil {
				t.Fatal(err)
			}
			got, err := p.Probe(g)
			if want := s.value[position]; err != nil || got.Value != want {
				t.Fatalf("%s: Probe(%s) = %v, %v, want %v", c.variant, position, got, err, want)
			}
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
}

// allPositions lists the positions of so many pieces, a piece of each side at
// least.
func allPositions(r *rules, pieces int) []string {
	var list []string
	most := r.variant.StartPieces()
	for white := max(1, pieces-most[1]); white < min(pieces, most[0]+1); white++ {
		eachSet(r.points, white, func(_ int, w movegen.Set) {
			eachSet(r.points, pieces-white, func(_ int, b movegen.Set) {
				if w&b == 0 {
					for turn := range movegen.None {
						list = append(list, r.fen([2]movegen.Set{w, b}, turn))
					}
				}
			})
		})
	}
	return list
}

// TestExhaustiveSeeds compares the tables of few seeds with what can be forced:
// for each number, the boards from which a side gets at least as many.
func TestExhaustiveSeeds(t *testing.T) {
	const most = 4
	v := variant(t, "al-manqala", nil)
	dir := t.TempDir()
	build(t, v, dir, most)
	tables, refused, err := Open(dir, v)
	if err != nil || refused != nil {
		t.Fatal(err, refused)
	}
	defer func() { _ = tables.Close() }()
	s := newSolver(t, v)
	for seeds := 1; seeds <= most; seeds++ {
		b := board{0: uint8(seeds)}
		for range distributions(seeds) {
			s.add(b.text())
			b.next()
		}
	}
	// White's best is the highest lead that it can force, or that Black cannot
	// keep it from.
	want := make(map[string]int)
	for lead := -most; lead <= most; lead++ {
		forces := s.attractor(max(lead, 1-lead), lead > 0)
		for p := range s.next {
			if forces[p] == (lead > 0) {
				if known, ok := want[p]; !ok || lead > known {
					want[p] = lead
				}
			}
		}
	}
	g, p := games.New(v), tables.NewProber()
	for position := range s.next {
		if err := g.Set(position); err != nil {
			t.Fatal(err)
		}
		got, err := p.Probe(g)
		difference := got.Difference
		if g.Turn() == movegen.Black {
			difference = -difference
		}
		if err != nil || difference != want[position] {
			t.Fatalf("Probe(%s) = %v, %v, want %+d for White", position, got, err, want[position])
		}
	}
}

// attractor lists the positions in which a side can reach a lead of so many
// seeds in the end, whatever the other does: White, or else Black.
func (s *solver) attractor(lead int, white bool) map[string]bool {
	reached := make(map[string]bool)
	for changed := true; changed; {
		changed = false
		for p, next := range s.next {
			if reached[p] {
				continue
			}
			_, ahead := readBoard(p)
			mine := strings.Fields(p)[1] == "w" == white
			if !mine {
				ahead = -ahead
			}
			good := func(n string) bool { return reached[n] }
			switch {
			case len(next) == 0:
				b, _ := readBoard(p)
				left := b.seeds() // all to the side that cannot be fed
				if mine {
					left = -left
				}
				reached[p] = ahead+left >= lead
			case mine:
				reached[p] = slices.ContainsFunc(next, good)
			default:
				reached[p] = !slices.ContainsFunc(next, func(n string) bool { return !good(n) })
			}
			changed = changed || reached[p]
		}
	}
	return reached
}
