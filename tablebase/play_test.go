package tablebase

import (
	"context"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

// TestPlayer plays won positions out against random moves, by the choice of the
// tables alone: the win comes, and not later than they say.
func TestPlayer(t *testing.T) {
	for _, c := range []struct {
		variant string
		options map[string]string
	}{{"alquerque", nil}, {"alquerque-bell", exact}, {"fanorona-dimy", nil}, {"alquerque-bell", nil}, {"quirkat", nil}} {
		v := variant(t, c.variant, c.options)
		dir := t.TempDir()
		build(t, v, dir, 4)
		tables, _, err := Open(dir, v)
		if err != nil {
			t.Fatal(err)
		}
		g := games.New(v)
		p := tables.NewProber().Player(g, MaxPieces)
		random := rand.New(rand.NewPCG(5, 6))
		won := 0
		for won < 200 {
			if err := g.Set(randomPosition(tables.rules, random)); err != nil {
				t.Fatal(err)
			}
			start, winner := g.String(), g.Turn()
			result, plies, _, ok := p.Probe()
			if !ok {
				t.Fatalf("%s: Probe(%s) does not know", c.variant, g)
			}
			if result <= 0 || g.Outcome().Over() {
				continue
			}
			won++
			for range plies {
				moves := g.Moves(nil)
				if g.Turn() == winner {
					moves = p.Root(moves)
				}
				g.Make(moves[random.IntN(len(moves))])
				if g.Outcome().Over() {
					break
				}
			}
			if o := g.Outcome(); !o.Over() || o.Winner != winner {
				t.Fatalf("%s: %s, won in %d, is %v after that at %s", c.variant, start, plies, o, g)
			}
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestPlayerQuiet asks for positions with all quiet counts: a win or a loss is only
// told when it comes about before the count ends the game, and in no more plies
// than are told. Some wins in quirkat take longer than half of its limit.
func TestPlayerQuiet(t *testing.T) {
	v := variant(t, "quirkat", exact)
	dir := t.TempDir()
	build(t, v, dir, 4)
	truth, _, err := Open(dir, v)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = truth.Close() }()
	list, err := filepath.Glob(filepath.Join(dir, "*", "*.distance"))
	if err != nil || len(list) == 0 {
		t.Fatal(list, err)
	}
	for _, kind := range []Kind{Distances, Results} {
		if kind == Results {
			for _, name := range list {
				if err := os.Remove(name); err != nil {
					t.Fatal(err)
				}
			}
		}
		tables, _, err := Open(dir, v)
		if err != nil {
			t.Fatal(err)
		}
		g := games.New(v)
		p, known := tables.NewProber().Player(g, MaxPieces), truth.NewProber()
		p.far = 1 << 30 // as if the search had begun elsewhere
		random := rand.New(rand.NewPCG(13, 14))
		told := map[bool]int{}
		for range 5000 {
			fields := strings.Fields(randomPosition(tables.rules, random))
			fields[len(fields)-2] = strconv.Itoa(random.IntN(v.Quiet))
			fields[len(fields)-1] = "60"
			if err := g.Set(strings.Join(fields, " ")); err != nil {
				t.Fatal(err)
			}
			a, err := known.Probe(g)
			if err != nil {
				t.Fatal(err)
			}
			result, plies, exact, ok := p.Probe()
			inTime := a.Result == Draw || p.QuietCount(g)+a.Plies < v.Quiet
			switch {
			case !ok && inTime && kind == Distances, ok && !inTime:
				t.Fatalf("%s %s: told %t, the tables know a %s", kind, g, ok, a)
			case !ok:
				continue
			case Result(result) != a.Result, plies < a.Plies, kind == Distances && (!exact || plies != a.Plies):
				t.Fatalf("%s %s: result %d in %d plies, exact %t, the tables know a %s", kind, g, result, plies, exact, a)
			}
			told[a.Result != Draw]++
		}
		if told[true] == 0 || told[false] == 0 {
			t.Errorf("%s: %d decided and %d drawn positions were told", kind, told[true], told[false])
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
}

func randomPosition(r *rules, random *rand.Rand) string {
	var pieces [2]movegen.Set
	for i, p := range random.Perm(r.points)[:2+random.IntN(3)] {
		side := i
		if i > 1 {
			side = random.IntN(2)
		}
		pieces[side] |= movegen.Bit(movegen.Point(p))
	}
	return r.fen(pieces, movegen.Side(random.IntN(2)))
}

// TestPlayerRepetition walks in a circle until the best move would end the game
// by repetition: another one must be chosen.
func TestPlayerRepetition(t *testing.T) {
	v := variant(t, "alquerque", nil)
	tables, _, err := Open("", v)
	if err != nil {
		t.Fatal(err)
	}
	g := games.New(v)
	p := tables.NewProber().Player(g, 4)
	random := rand.New(rand.NewPCG(11, 12))
	for found := 0; found < 20; {
		if err := g.Set(randomPosition(tables.rules, random)); err != nil {
			t.Fatal(err)
		}
		if result, _, _, _ := p.Probe(); result <= 0 || g.Outcome().Over() {
			continue
		}
		best := p.Root(g.Moves(nil))
		if len(best) > 1 || best[0].Taken != 0 {
			continue
		}
		g.Make(best[0])
		for _, r := range g.Moves(nil) {
			circle := []movegen.Move{r, back(best[0]), back(r), best[0], r, back(best[0]), back(r)}
			start := g.String()
			again := games.New(v)
			if err := again.Set(start); err != nil {
				t.Fatal(err)
			}
			if r.Taken != 0 || again.Outcome().Over() || !playAll(again, circle) {
				continue
			}
			found++
			for _, m := range tables.NewProber().Player(again, 4).Root(again.Moves(nil)) {
				again.Make(m)
				if o := again.Outcome(); o.Over() && o.Winner == movegen.None {
					t.Errorf("%s, moved in a circle: chose %s, which draws", start, again.Text(m))
				}
				again.Unmake()
			}
			break
		}
	}
}

// back is the step that takes a step back.
func back(m movegen.Move) movegen.Move { return movegen.Move{From: m.To, To: m.From} }

// playAll plays moves as long as they are legal and the game goes on.
func playAll(g movegen.Game, moves []movegen.Move) bool {
	for _, m := range moves {
		if g.Outcome().Over() || !slices.Contains(g.Moves(nil), m) {
			return false
		}
		g.Make(m)
	}
	return !g.Outcome().Over()
}

// TestPlayerDraws asks for the moves of a drawn position: those that keep the
// draw, and set the most traps.
func TestPlayerDraws(t *testing.T) {
	v := variant(t, "alquerque", nil)
	dir := t.TempDir()
	build(t, v, dir, 4)
	tables, _, err := Open(dir, v)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tables.Close() }()
	g := games.New(v)
	p := tables.NewProber().Player(g, MaxPieces)
	random := rand.New(rand.NewPCG(7, 8))
	tricky := 0
	for drawn := 0; drawn < 100; {
		if err := g.Set(randomPosition(tables.rules, random)); err != nil {
			t.Fatal(err)
		}
		if result, _, _, _ := p.Probe(); result != 0 || g.Outcome().Over() {
			continue
		}
		drawn++
		all, chosen := g.Moves(nil), p.Root(g.Moves(nil))
		worst := func(m movegen.Move) (part float64) {
			g.Make(m)
			defer g.Unmake()
			if result, _, _, _ := p.Probe(); result != 0 {
				return -1
			}
			replies := g.Moves(nil)
			for _, r := range replies {
				g.Make(r)
				if result, _, _, _ := p.Probe(); result > 0 {
					part++
				}
				g.Unmake()
			}
			return part / float64(len(replies))
		}
		most := -1.0
		for _, m := range all {
			most = max(most, worst(m))
		}
		if most > 0 {
			tricky++
		}
		for _, m := range chosen {
			if worst(m) != most {
				t.Fatalf("%s: chose %s, which leaves %.2f of the replies losing, want %.2f", g, g.Text(m), worst(m), most)
			}
		}
	}
	if tricky == 0 {
		t.Error("no position had a trap")
	}
}

// BenchmarkProbe looks positions up whose blocks are unpacked, and then some
// whose blocks are not.
func BenchmarkProbe(b *testing.B) {
	v := variant(b, "alquerque", nil)
	dir := b.TempDir()
	err := Build(context.Background(), Config{Variant: v, Count: 6, Dir: dir, Threads: 1, Memory: 1 << 30})
	if err != nil {
		b.Fatal(err)
	}
	tables, _, err := Open(dir, v)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = tables.Close() }()
	random := rand.New(rand.NewPCG(9, 10))
	type position struct {
		pieces [2]movegen.Set
		turn   movegen.Side
	}
	var list []position
	g := tables.generator()
	for len(list) < 1<<12 {
		if err := g.Set(randomPosition(tables.rules, random)); err != nil {
			b.Fatal(err)
		}
		fields, _ := movegen.ParseFields(g.String(), "STATE")
		pieces, err := tables.size.ParsePieces(fields.Rows, v.StartPieces())
		if err != nil {
			b.Fatal(err)
		}
		list = append(list, position{pieces, g.Turn()})
	}
	p := tables.NewProber()
	b.Run("warm", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			q := &list[i%len(list)]
			if _, err := p.probe(q.pieces, q.turn); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("cold", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			q := &list[i%len(list)]
			for c := range p.blocks {
				p.blocks[c].file = nil
			}
			if _, err := p.probe(q.pieces, q.turn); err != nil {
				b.Fatal(err)
			}
		}
	})
}
