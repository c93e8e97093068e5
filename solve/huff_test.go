package solve

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/movegen/slow"
)

// huffingRules are rules with huffing: those of the variants, and with every
// switch that goes with it.
func huffingRules(t testing.TB) map[string]*movegen.Variant {
	list := make(map[string]*movegen.Variant)
	for _, switches := range []string{
		"alquerque", "alquerque NoReturn=on", "alquerque NoBackward=on", "alquerque MultiPiece=on",
		"alquerque NoReturn=on NoBackward=on MultiPiece=on",
		"alquerque-modern", "alquerque-modern NoReturn=on MultiPiece=on",
		"alquerque-bell", "alquerque-bell NoReturn=off", "alquerque-bell MultiPiece=on",
		"alquerque-pritchard", "alquerque-pritchard NoReturn=off", "alquerque-pritchard NoBackward=on MultiPiece=on",
		"quirkat", "quirkat NoReturn=off", "quirkat NoBackward=on", "quirkat MultiPiece=on", "quirkat NoReturn=off MultiPiece=on",
	} {
		words := strings.Fields(switches)
		list[switches] = variant(t, words[0], append(words[1:], "Huffing=on")...)
	}
	return list
}

// scattered is a position text with some pieces at random.
func scattered(random *rand.Rand, v *movegen.Variant, white, black int) string {
	var pieces [2]movegen.Set
	for i, p := range random.Perm(25)[:white+black] {
		pieces[min(1, i/white)] |= movegen.Bit(movegen.Point(p))
	}
	return v.Size.FormatPieces(pieces) + " " + movegen.Side(random.IntN(2)).Letter() + " - 0 1"
}

// TestTurns plays games with huffing at random, from the start and from positions
// with few pieces. What the search plays has to lead to the same positions as the
// two generators do, and a position has to have the same turns with all of its
// state and with what the search keeps of it.
func TestTurns(t *testing.T) {
	count := 12
	if *long {
		count = 1000
	}
	for name, v := range huffingRules(t) {
		t.Run(name, func(t *testing.T) {
			r, err := newRules(v)
			if err != nil {
				t.Fatal(err)
			}
			game, err := slow.New(v.Name, options(v))
			if err != nil {
				t.Fatal(err)
			}
			m, random := newMover(r), rand.New(rand.NewPCG(1, uint64(len(name))))
			writer := &checker{variant: v, steps: stepsOf(v)}
			rights, dropped := 0, 0
			for i := range count {
				text := v.Start
				if i%4 > 0 {
					text = scattered(random, v, 1+random.IntN(6), 1+random.IntN(6))
				}
				for range 60 {
					p, err := m.read(text)
					if err != nil {
						t.Fatal(err)
					}
					turns := game.Turns(text)
					compareTurns(t, m, text, &p, turns)
					kept, reason := writer.text(&p)
					if reason != "" {
						t.Fatalf("%s: %s", text, reason)
					}
					if cut(kept) != cut(text) {
						dropped++
						if got, want := readTurns(t, m, game.Turns(kept)), readTurns(t, m, turns); !slices.Equal(got, want) {
							t.Fatalf("%s has the turns %v, want those of %s, %v", kept, got, text, want)
						}
					}
					if p.liable != 0 {
						rights++
					}
					if len(turns) == 0 {
						break
					}
					// Faults and answers to them are what the test is for.
					text = turns[random.IntN(len(turns))].Next
				}
			}
			if rights == 0 {
				t.Error("no right to huff")
			}
			t.Logf("%d rights to huff, %d states without meaning", rights, dropped)
		})
	}
}

// readTurn is a turn as text, with what the search keeps of where it leads.
type readTurn struct {
	text string
	next key
}

func readTurns(t *testing.T, m *mover, turns []slow.Turn) (list []readTurn) {
	for _, turn := range turns {
		next, err := m.read(turn.Next)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, readTurn{turn.Text, next.key()})
	}
	return list
}

// compareTurns compares the turns that the search plays with those of the slow
// generator, which are given, and with the moves of the fast one.
func compareTurns(t *testing.T, m *mover, text string, p *position, turns []slow.Turn) {
	t.Helper()
	var got, want, fast []key
	most := 0
	for _, turn := range m.moves(nil, p) {
		next := m.play(p, &turn)
		got, most = append(got, next.key()), max(most, turn.Gain())
	}
	if gained := m.mostGained(p); gained != most {
		t.Fatalf("%s: mostGained = %d, want %d", text, gained, most)
	}
	for _, turn := range readTurns(t, m, turns) {
		want = append(want, turn.next)
	}
	g := games.New(m.variant)
	if err := g.Set(text); err != nil {
		if len(got)+len(want) > 0 { // a side has no pieces
			t.Fatalf("%s: %v, and %d turns", text, err, len(want))
		}
		return
	}
	for _, move := range g.Moves(nil) {
		g.Make(move)
		next, err := m.read(g.String())
		if err != nil {
			t.Fatal(err)
		}
		fast = append(fast, next.key())
		g.Unmake()
	}
	for _, list := range [][]key{got, want, fast} {
		slices.SortFunc(list, key.compare)
	}
	if !slices.Equal(got, want) || !slices.Equal(got, fast) {
		t.Fatalf("%s: %d turns of the search, %d of the slow generator, %d of the fast one, or others", text, len(got), len(want), len(fast))
	}
}

// TestHuffing compares proofs with the exhaustive solver, which decides all
// positions of a few pieces by the slow generator.
func TestHuffing(t *testing.T) {
	for i, c := range []struct {
		rules  string
		start  string
		pieces int // looked up in tables
		long   bool
	}{
		{"alquerque-bell", "b4/5/5/5/2w2 w - 0 1", NoTables, false},
		{"alquerque-pritchard", "b4/5/5/5/2w2 b - 0 1", NoTables, false},
		{"quirkat", "4b/5/5/5/w4 b - 0 1", NoTables, false},
		{"quirkat NoBackward=on", "b4/1ww2/5/5/5 w - 0 1", NoTables, false},
		{"alquerque-bell MultiPiece=on", "b4/1ww2/5/5/5 b - 0 1", 2, false},
		{"alquerque-pritchard NoReturn=off", "b4/1ww2/5/5/5 b - 0 1", 2, false},
		{"alquerque NoReturn=on NoBackward=on MultiPiece=on", "b4/1ww2/5/5/5 w - 0 1", NoTables, false},
		{"alquerque", "5/1b3/5/5/w3w w - 0 1", NoTables, true},
		{"alquerque", "5/1b3/5/5/w3w w - 0 1", 2, true},
		{"alquerque NoReturn=on", "4b/5/5/5/w4 w - 0 1", NoTables, true},
		{"alquerque NoReturn=on", "4b/5/5/5/w4 w - 0 1", 0, true}, // guesses by the tables of the program
		{"alquerque-modern", "5/1b3/5/5/w3w b - 0 1", NoTables, true},
		{"alquerque MultiPiece=on", "5/1b3/5/5/w3w b - 0 1", NoTables, true},
		{"quirkat", "4b/5/2b2/5/w4 b - 0 1", 2, true},
		{"quirkat NoReturn=off", "4b/5/2b2/5/w4 w - 0 1", NoTables, true},
		{"quirkat NoReturn=off MultiPiece=on", "4b/5/2b2/5/w4 w - 0 1", NoTables, true},
		{"alquerque-bell", "b4/5/5/5/1ww2 w - 0 1", NoTables, true},
		{"alquerque-bell NoReturn=off", "bb3/1ww2/5/5/5 b - 0 1", NoTables, true},
		{"alquerque-bell NoReturn=off", "bb3/1ww2/5/5/5 w - 0 1", 3, true},
		{"alquerque-pritchard", "b4/5/5/5/1ww2 w - 0 1", 2, true},
		{"alquerque-pritchard NoBackward=on MultiPiece=on", "b4/1ww2/5/5/5 w - 0 1", NoTables, true},
	} {
		t.Run(c.rules, func(t *testing.T) {
			if c.long && !*long || testing.Short() && i > 0 {
				t.Skip("takes seconds, or minutes: -long")
			}
			compareValues(t, huffingRules(t)[c.rules], c.start, c.pieces, 24)
		})
	}
}

// wonByHuffing is a win in which Black commits faults, under Pritchard's rules.
const wonByHuffing = "5/3b1/5/1w3/1w3 w - 0 1"

// TestForgedRights: certificates in which a right to huff is left out, or is that
// to huff another piece, and one for rules without huffing.
func TestForgedRights(t *testing.T) {
	v := variant(t, "alquerque-pritchard")
	_, c := prove(t, v, wonByHuffing, "White wins")
	check := func(forge func(c *certificate)) error { return checkForged(t, c, forge) }
	if err := check(func(*certificate) {}); err != nil {
		t.Fatal(err)
	}
	if err := check(func(c *certificate) { c.Options["Huffing"] = "off" }); err == nil || !strings.Contains(err.Error(), "right to huff") {
		t.Errorf("without huffing: error %v, want one of a right to huff", err)
	}
	rights := 0
	for i, n := range c.sets[0] {
		p := n.position()
		if p.liable == 0 {
			continue
		}
		rights++
		for what, liable := range map[string]movegen.Set{
			"no piece":       0,
			"a wrong piece":  p.pieces[p.turn],
			"an empty point": ^(p.pieces[0] | p.pieces[1]) & (1<<25 - 1),
		} {
			q := p
			q.liable = liable
			err := check(func(c *certificate) { c.sets[0][i].key = q.key() })
			if err == nil || strings.Contains(err.Error(), "\n") {
				t.Errorf("%v with %s that may be huffed: error %v, want one line", p, what, err)
			}
		}
	}
	if rights == 0 {
		t.Error("no right to huff in the certificate")
	}
}
