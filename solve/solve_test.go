package solve

import (
	"context"
	"errors"
	"flag"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/movegen/slow"
	"qirkat/tablebase"
)

var long = flag.Bool("long", false, "prove what takes minutes")

const memory = 64 << 20 // bytes, for the tables of the tests

func variant(t testing.TB, name string, switches ...string) *movegen.Variant {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range switches {
		name, value, _ := strings.Cut(text, "=")
		s, ok := movegen.FindSwitch(name)
		if !ok {
			t.Fatalf("no switch %s", name)
		}
		v = v.With(s, value)
	}
	return v
}

// exhaustive decides a game by looking at every position again and again. It
// shares nothing with the search: positions are texts, moves those of the slow
// generator.
type exhaustive struct {
	texts []string // without their counts
	place map[string]int
	next  [][]int
	won   [2][]bool // by side and place
}

func cut(position string) string { return strings.Join(strings.Fields(position)[:3], " ") }

// newExhaustive decides all positions that one leads to.
func newExhaustive(t *testing.T, v *movegen.Variant, start string) *exhaustive {
	t.Helper()
	game, err := slow.New(v.Name, options(v))
	if err != nil {
		t.Fatal(err)
	}
	e := &exhaustive{place: make(map[string]int)}
	add := func(text string) int {
		text = cut(text)
		i, known := e.place[text]
		if !known {
			i = len(e.texts)
			e.place[text], e.texts = i, append(e.texts, text)
		}
		return i
	}
	add(start)
	for len(e.next) < len(e.texts) {
		var next []int
		for _, turn := range game.Turns(e.texts[len(e.next)] + " 0 1") {
			next = append(next, add(turn.Next))
		}
		e.next = append(e.next, next)
	}
	for side := range e.won {
		e.won[side] = make([]bool, len(e.texts))
		for changed := true; changed; {
			changed = false
			for i := range e.texts {
				if !e.won[side][i] && e.wins(i, movegen.Side(side), game, v.First()) {
					e.won[side][i], changed = true, true
				}
			}
		}
	}
	return e
}

// wins reports whether a side wins by what is known so far.
func (e *exhaustive) wins(i int, side movegen.Side, game *slow.Game, first movegen.Side) bool {
	if len(e.next[i]) == 0 {
		result, _ := game.Result([]string{e.texts[i] + " 0 1"})
		return result == "p1win" && side == first || result == "p2win" && side != first
	}
	isWon := func(n int) bool { return e.won[side][n] }
	if strings.Fields(e.texts[i])[1] == side.Letter() {
		return slices.ContainsFunc(e.next[i], isWon)
	}
	return !slices.ContainsFunc(e.next[i], func(n int) bool { return !isWon(n) })
}

// value is a position's, as Report.Value words it.
func (e *exhaustive) value(position string) string {
	switch i := e.place[cut(position)]; {
	case e.won[movegen.White][i]:
		return "White wins"
	case e.won[movegen.Black][i]:
		return "Black wins"
	}
	return "draw"
}

// TestDraws asks for draws, which are searched for in another way than wins.
func TestDraws(t *testing.T) {
	v := variant(t, "fanorona-telo")
	e := newExhaustive(t, v, v.Start)
	for i := 0; i < len(e.texts); i += 41 {
		p := e.texts[i] + " 0 1"
		if games.New(v).Set(p) != nil { // a side has no pieces
			continue
		}
		for side, won := range [2]string{"White wins", "Black wins"} {
			claim := draws(movegen.Side(side).Other())
			o, err := Solve(t.Context(), Config{
				Variant: v, Position: p, Claim: claim, Threads: 1 + i&1, Memory: memory, Pieces: NoTables,
			})
			if err != nil {
				t.Fatalf("%s: %v", p, err)
			}
			if want := e.value(p) != won; o.Holds != want {
				t.Errorf("%s: %s holds: %t, want %t", p, claim, o.Holds, want)
			}
		}
	}
}

// TestExhaustive compares proofs with the exhaustive solver, position by position,
// with tables and without, under all rules that a proof knows.
func TestExhaustive(t *testing.T) {
	for i, c := range []struct {
		name     string
		variant  *movegen.Variant
		start    string
		pieces   int // looked up in tables
		compared int
	}{
		{"telo", variant(t, "fanorona-telo"), "", NoTables, 40},
		{"telo single", variant(t, "fanorona-telo", "FirstMove=single"), "", NoTables, 20},
		{"telo tables", variant(t, "fanorona-telo"), "", 4, 40},
		{"alquerque", variant(t, "alquerque"), "5/1b3/5/5/w3w w - 0 1", NoTables, 8},
		{"alquerque tables", variant(t, "alquerque"), "5/1b3/5/5/w3w w - 0 1", 2, 8},
		{"alquerque no backward", variant(t, "alquerque", "NoBackward=on"), "b4/5/5/5/w3w w - 0 1", NoTables, 8},
		{"alquerque multi-piece", variant(t, "alquerque", "MultiPiece=on"), "b4/5/5/5/w3w w - 0 1", NoTables, 8},
		{"no return", variant(t, "alquerque", "NoReturn=on"), "4b/5/5/5/w4 w - 0 1", NoTables, 8},
		{"no return, guesses by tables", variant(t, "alquerque", "NoReturn=on"), "4b/5/5/5/w4 w - 0 1", 0, 8},
		{"bell", variant(t, "alquerque-bell", "Huffing=off"), "b4/5/5/5/2w2 w - 0 1", NoTables, 8},
		{"pritchard", variant(t, "alquerque-pritchard", "Huffing=off"), "b4/5/5/5/2w2 w - 0 1", NoTables, 8},
		{"quirkat", variant(t, "quirkat", "Huffing=off"), "4b/5/5/5/w4 b - 0 1", NoTables, 8},
		{"bell tables", variant(t, "alquerque-bell", "Huffing=off"), "b4/5/5/5/1ww2 w - 0 1", 2, 8},
	} {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && i >= 4 {
				t.Skip("takes seconds")
			}
			compareValues(t, c.variant, c.start, c.pieces, c.compared)
		})
	}
}

// compareValues compares proofs of some positions that one leads to, the start if
// it is empty, with the exhaustive solver.
func compareValues(t *testing.T, v *movegen.Variant, start string, pieces, compared int) {
	t.Helper()
	if start == "" {
		start = v.Start
	}
	e := newExhaustive(t, v, start)
	byValue := make(map[string][]string)
	for _, text := range e.texts {
		if games.New(v).Set(text+" 0 1") == nil { // both sides have pieces
			byValue[e.value(text)] = append(byValue[e.value(text)], text)
		}
	}
	values := slices.Sorted(maps.Keys(byValue))
	random := rand.New(rand.NewPCG(1, uint64(len(e.texts))))
	dir := ""
	if (v.NoReturn || v.Huffing) && pieces > 0 {
		dir = t.TempDir()
		if err := tablebase.Build(t.Context(), tablebase.Config{Variant: v, Count: pieces, Dir: dir, Threads: 1, Memory: 1 << 30}); err != nil {
			t.Fatal(err)
		}
	}
	if *long {
		compared *= 20
	}
	for i := range compared {
		want := values[i%len(values)]
		p := byValue[want][random.IntN(len(byValue[want]))] + " 0 1"
		o, err := Solve(t.Context(), Config{
			Variant: v, Position: p, Claim: Value, Threads: 1 + i/len(values)%2, Memory: memory, Pieces: pieces, Dir: dir,
		})
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		if dir != "" && o.Pieces != pieces {
			t.Errorf("Solve(%s) looks positions of up to %d pieces up, want %d", p, o.Pieces, pieces)
		}
		if got := strings.TrimSuffix(o.Value(), ", without the quiet draw"); got != want {
			t.Errorf("Solve(%s) = %s, want %s", p, got, want)
		}
	}
	t.Logf("%d positions, of the values %v", len(e.texts), values)
}

// TestPublished proves values that are published: M. P. D. Schadd, M. H. M. Winands,
// J. W. H. M. Uiterwijk, H. J. van den Herik and M. H. J. Bergsma, "Best Play in
// Fanorona Leads to Draw", 2008.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		variant, want string
		pieces        int // of the tables that are built
		long          bool
	}{
		{"fanorona-telo", "White wins", 0, false},
		{"fanorona-5x3", "White wins", 5, false},
		{"fanorona-3x5", "White wins", 5, false},
		{"fanorona-7x3", "White wins", 7, true},
		{"fanorona-3x7", "White wins", 7, true},
		{"fanorona-3x9", "White wins", 7, true},
		{"fanorona-dimy", "draw", 7, true},
	} {
		t.Run(c.variant, func(t *testing.T) {
			if c.long && !*long {
				t.Skip("takes a minute: -long")
			}
			v, dir := variant(t, c.variant), t.TempDir()
			if c.pieces > 0 {
				if err := tablebase.Build(t.Context(), tablebase.Config{Variant: v, Count: c.pieces, Dir: dir, Threads: 2, Memory: 4 << 30}); err != nil {
					t.Fatal(err)
				}
			}
			path := filepath.Join(dir, "proof")
			o, err := Solve(t.Context(), Config{Variant: v, Claim: Value, Dir: dir, Threads: 2, Memory: 1 << 30, Path: path})
			if err != nil || o.Value() != c.want {
				t.Fatalf("Solve = %v, %v, want %s", o, err, c.want)
			}
			r, err := Check(t.Context(), CheckConfig{Path: path, Dir: dir, Threads: 2})
			if err != nil || r.Value() != c.want {
				t.Fatalf("Check = %v, %v, want %s", r, err, c.want)
			}
		})
	}
}

// TestClaims: each claim is answered as the exhaustive solver does, for a position
// of each value.
func TestClaims(t *testing.T) {
	v := variant(t, "fanorona-telo")
	e := newExhaustive(t, v, v.Start)
	seen := make(map[string]bool)
	for _, text := range e.texts {
		value, position := e.value(text), text+" 0 1"
		if seen[value] || games.New(v).Set(position) != nil {
			continue
		}
		seen[value] = true
		holds := map[string][]Claim{
			"White wins": {WhiteWins, WhiteDraws}, "Black wins": {BlackWins, BlackDraws}, "draw": {WhiteDraws, BlackDraws},
		}[value]
		for _, claim := range Claims[:4] {
			o, err := Solve(t.Context(), Config{Variant: v, Position: position, Claim: claim, Threads: 1, Memory: memory, Pieces: NoTables})
			if err != nil {
				t.Fatal(err)
			}
			if want := slices.Contains(holds, claim); o.Holds != want {
				t.Errorf("%s of %s: %t, want %t", claim, position, o.Holds, want)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("positions of the values %v only", seen)
	}
}

// TestRestart stops a search again and again, and lets it go on.
func TestRestart(t *testing.T) {
	v := variant(t, "fanorona-5x3")
	path := filepath.Join(t.TempDir(), "proof")
	config := Config{Variant: v, Claim: Value, Threads: 2, Memory: memory, Pieces: NoTables, Path: path}
	stops := 0
	for wait := 100 * time.Microsecond; ; wait += wait / 2 {
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		o, err := Solve(ctx, config)
		cancel()
		if err == nil {
			if o.Value() != "White wins" {
				t.Fatalf("Value = %q", o.Value())
			}
			break
		}
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		stops++
		if stops == 1 {
			other := config
			other.Claim = WhiteWins
			if _, err := Solve(t.Context(), other); err == nil || !strings.Contains(err.Error(), "search for value") {
				t.Errorf("the state of another search: %v", err)
			}
			other = config
			single, _ := movegen.FindSwitch("FirstMove")
			other.Variant = v.With(single, "single")
			if _, err := Solve(t.Context(), other); err == nil || err.Error() != path+".state: it is of a search of fanorona-5x3 FirstMove=free, want the same, or remove it" {
				t.Errorf("the state of other rules: %v", err)
			}
		}
	}
	if stops == 0 {
		t.Error("it was never stopped")
	}
	if _, err := os.Stat(path + ".state"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state is left over: %v", err)
	}
	if _, err := Check(t.Context(), CheckConfig{Path: path, Threads: 1}); err != nil {
		t.Error(err)
	}
}

// TestTablesOfOneMaterial: a proof uses a table of six pieces though others are not
// there, and is checked by just the tables that it names. A search goes on with more
// tables than it had, and not with fewer.
func TestTablesOfOneMaterial(t *testing.T) {
	v, dir := variant(t, "fanorona-5x3"), t.TempDir()
	build := tablebase.Config{Variant: v, Material: "3-3", Dir: dir, Threads: 2, Memory: 1 << 30}
	if err := tablebase.Build(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "proof")
	config := Config{Variant: v, Claim: WhiteWins, Threads: 1, Memory: memory, Path: path}
	stop := func(c Config) {
		t.Helper()
		p, err := newProver(&c)
		if err != nil {
			t.Fatal(err)
		}
		defer p.close()
		if err := p.save(&certificate{Header: p.header()}, context.Canceled); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	fewer := config // the tables of the program
	config.Dir = dir
	stop(config)
	if _, err := Solve(t.Context(), fewer); err == nil || !strings.Contains(err.Error(), "with other tables") {
		t.Errorf("with fewer tables: %v", err)
	}
	stop(fewer)
	o, err := Solve(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	var large []string
	for _, f := range o.Tables {
		if f.Pieces() > 4 {
			large = append(large, f.Material)
		}
	}
	if want := []string{"3-2", "3-3"}; o.Pieces != 6 || !slices.Equal(large, want) {
		t.Errorf("tables of up to %d pieces, %v of more than 4, want 6, %v", o.Pieces, large, want)
	}
	build.Material, build.Count = "", 5 // adds 4-1
	if err := tablebase.Build(t.Context(), build); err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), CheckConfig{Path: path, Dir: dir, Threads: 1}); err != nil {
		t.Error(err)
	}
	if _, err := Check(t.Context(), CheckConfig{Path: path, Threads: 1}); err == nil || !strings.Contains(err.Error(), "the table fanorona-5x3 3-2 is not there") {
		t.Errorf("without the tables: %v", err)
	}
}

// TestQuiet: a win that the quiet count can reach is told as one without it.
func TestQuiet(t *testing.T) {
	v := variant(t, "alquerque")
	for _, c := range []struct{ position, want string }{
		{"5/5/2b2/5/1w1w1 w - 0 1", "White wins"},
		{"5/5/5/w4/bw1w1 w - 0 1", "White wins"},
		{"5/5/5/w4/bw1w1 w - 98 90", "White wins"}, // Black has to capture at once
		{"5/5/5/w4/bw1w1 w - 99 90", "White wins, without the quiet draw"},
	} {
		o, err := Solve(t.Context(), Config{Variant: v, Position: c.position, Claim: Value, Threads: 1, Memory: memory, Pieces: 2})
		if err != nil || o.Value() != c.want {
			t.Errorf("Solve(%s) = %v, %v, want %s", c.position, o, err, c.want)
		}
	}
}

// TestRefused: rules without a proof are refused with a word on what would be
// right.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		variant *movegen.Variant
		want    string
	}{
		{variant(t, "al-manqala"), "not a game of pieces"},
		{variant(t, "fanorona-7x9"), "want a board of 45 at most"},
	} {
		var refusal *tablebase.RefusalError
		_, err := Solve(t.Context(), Config{Variant: c.variant, Claim: Value, Threads: 1, Memory: memory})
		if !errors.As(err, &refusal) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.variant.Name, err, c.want)
		}
	}
}
