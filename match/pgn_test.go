package match

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"qirkat/match/internal/fake"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// TestPGNRoundTrip: what is written is read back, of every variant, with a
// forfeit, an opening position, and names that need escapes.
func TestPGNRoundTrip(t *testing.T) {
	c := config(t, func(c *Config) {
		c.Variants = []string{"quirkat Huffing=off NoBackward=on", "fanorona-dimy FirstMove=single"}
	}, testEngine(t, fake.Ours, "the ] first", "nodes=30,option.Hash=1"), testEngine(t, fake.Ours, "b", "depth=1,option.Hash=1"))
	records := play(t, c)
	c = config(t, func(c *Config) {
		c.Variants, c.Openings.Plies, c.Games = movegen.VariantNames(), 1, 1
	}, c.Engines[0], testEngine(t, "illegal", "second", "depth=1"))
	records = append(records, play(t, c)...)
	start := "bbbbb/bb1bb/bb1ww/wwbww/wwwww w - 0 2"
	c = config(t, func(c *Config) { c.Games = 2 }, c.Engines...)
	c.Book = map[string][]Opening{"alquerque": {{Position: start, Moves: []string{"c1c3"}}}}
	records = append(records, play(t, c)...)
	var file strings.Builder
	for _, r := range records {
		r.Plies = append([]Ply{}, r.Plies...)
		text, err := FormatPGN(r, "Test \"of\" \\ tags", "t")
		if err != nil {
			t.Fatal(err)
		}
		file.WriteString(text)
	}
	reader := NewPGNReader(strings.NewReader(file.String()))
	for _, want := range records {
		g, err := reader.Next()
		if err != nil {
			t.Fatal(err)
		}
		got, err := g.Record("")
		if err != nil {
			t.Fatalf("%v\n%s", err, file.String())
		}
		if g.Tag(tagEvent) != "Test \"of\" \\ tags" {
			t.Errorf("event %q", g.Tag(tagEvent))
		}
		for i, p := range got.Plies { // a tenth of a millisecond is kept
			if d := p.MS - want.Plies[i].MS; d < -0.051 || d > 0.051 {
				t.Errorf("ply %d: %v ms, want %v", i+1, p.MS, want.Plies[i].MS)
			}
		}
		a, b := describeGame(got), describeGame(want)
		if a != b {
			t.Errorf("read  %s\nwrote %s", a, b)
		}
	}
	if _, err := reader.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("at the end: %v", err)
	}
}

// describeGame is all of a record that PGN keeps exactly.
func describeGame(r Record) string {
	var plies strings.Builder
	for _, p := range r.Plies {
		cp := "?"
		if p.CP != nil {
			cp = strconv.Itoa(*p.CP)
		}
		fmt.Fprintf(&plies, " %s %s %d %d %d", p.Move, cp, p.Mate, p.Depth, p.Nodes)
	}
	return fmt.Sprint(r.ID, r.Round, r.Pair, r.Variant, r.Players, r.Opening, r.TC, r.Result, r.Reason, r.Points, plies.String())
}

// managerPGN is a file as the UGI manager writes one: no tag of ours, the names
// by tags that can be chosen, "startpos", its words for a forfeit.
const managerPGN = `[Event "*"]
[Site "CuteGames"]
[Date "??"]
[Round "1"]
[Player1 "one"]
[Player2 "two"]
[Result "1-0"]
[FEN "startpos"]
[Adjudicated "Out of time"]
[Winner "one"]
[Loser "two"]
[PlyCount "3"]

1. c4c3 c2c4 2. c5c3 1-0


[Event "*"]
[Site "CuteGames"]
[Date "??"]
[Round "1"]
[White "two"]
[Black "one"]
[Result "1-0"]
[FEN "5/5/3b1/2w2/5 w - 0 1"]
[Winner "two"]
[Loser "one"]
[PlyCount "2"]

1... c2d2 2. d3d1 1-0


`

func TestManagerPGN(t *testing.T) {
	reader := NewPGNReader(strings.NewReader("\ufeff" + strings.ReplaceAll(managerPGN, "\n", "\r\n")))
	g, err := reader.Next()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Record(""); err == nil || !strings.Contains(err.Error(), "no tag GameType") {
		t.Errorf("without a variant: %v", err)
	}
	r, err := g.Record("quirkat")
	if err != nil {
		t.Fatal(err)
	}
	if r.Players != [2]string{"one", "two"} || r.Result != P1Win || r.Reason != ReasonTime || r.Opening.Position != "" || len(r.Plies) != 3 {
		t.Errorf("%+v", r)
	}
	// In Quirkat the first player is Black, so White, to move, is the second.
	if g, err = reader.Next(); err != nil {
		t.Fatal(err)
	}
	if r, err = g.Record("quirkat"); err != nil {
		t.Fatal(err)
	}
	if r.Players != [2]string{"two", "one"} || r.Result != P1Win || r.Reason != "captured" {
		t.Errorf("%+v", r)
	}
}

// TestPGNRefuses: each thing that does not hold is named, with its place.
func TestPGNRefuses(t *testing.T) {
	good := `[White "a"]
[Black "b"]
[Result "0-1"]
[GameType "alquerque"]
[FirstPlayer "White"]
[FEN "5/5/b4/1w3/5 w - 0 1"]
[ResultReason "captured"]
[PlyCount "2"]
[MatchPoints "-3 0"]

1. b2b3 (1. b2c2 {no}) {+1.00/3 0.1 5} a3c3 $1 ; end
0-1
`
	read := func(text string) error {
		g, err := NewPGNReader(strings.NewReader(text)).Next()
		if err != nil {
			return err
		}
		_, err = g.Record("")
		return err
	}
	if err := read(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, want string }{
		{"illegal", "b2b3", "b2b4", `game 1, line 11: illegal move "b2b4"`},
		{"result", "[Result \"0-1\"]", "[Result \"1-0\"]", `the tag Result is "1-0", the game ends with "0-1"`},
		{"both results", "0-1", "1-0", `Result "p1win", the rules say "p2win"`},
		{"reason", "captured", "blocked", `ResultReason "blocked", the rules say "captured"`},
		{"count", `PlyCount "2"`, `PlyCount "3"`, `PlyCount "3", the rules say "2"`},
		{"points", "-3 0", "-4 0", `MatchPoints "-4 0", the rules say "-3 0"`},
		{"unfinished", " a3c3", "", `PlyCount "2", the rules say "1"`},
		{"too long", "a3c3", "a3c3 c3c4", `move "c3c4": the game is over before it: captured`},
		{"variant", `"alquerque"`, `"draughts"`, `unknown variant "draughts"`},
		{"first player", `FirstPlayer "White"`, `FirstPlayer "Black"`, `FirstPlayer "Black", want "White"`},
		{"position", "5/5/b4/1w3/5 w", "5/5/b4/1x3/5 w", `FEN "5/5/b4/1x3/5 w - 0 1": `},
		{"no end", "0-1\n", "", "the file ends in the middle of a game"},
		{"bad tag", `[Black "b"]`, `[Black b]`, `line 2: tag "Black b": want [Name "value"]`},
		{"no name", "[Black \"b\"]\n", "", "the names of the players are missing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.ReplaceAll(good, c.old, c.new)
			if text == good {
				t.Fatal("nothing was changed")
			}
			if err := read(text); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestPGNWriterGoesOn: a game that was cut off is written anew, the others are
// not written again, and those of other tournaments stay.
func TestPGNWriterGoesOn(t *testing.T) {
	c := config(t, func(c *Config) { c.Rounds = 2 }, testEngine(t, fake.Honest, "a", "nodes=1"), testEngine(t, fake.Honest, "b", "nodes=1"))
	records := play(t, c)
	path := filepath.Join(t.TempDir(), "g.pgn")
	write := func(tournament string, goesOn bool, list []Record) {
		w, err := NewPGNWriter(path, "", tournament, goesOn)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list {
			if err := w.Add(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	write("before", false, records[:1])
	write("now", false, records[:2])
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for cut := len(text); cut > len(text)-700; cut -= 23 {
		if err := os.WriteFile(path, text[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		write("now", true, records)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		ids := map[string]int{}
		for r := NewPGNReader(strings.NewReader(string(got))); ; {
			g, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("cut at %d: %v", cut, err)
			}
			ids[g.Tag(tagGameID)]++
		}
		if len(ids) != len(records)+1 || ids["before/1-2.1.1"] != 1 {
			t.Fatalf("cut at %d: %v", cut, ids)
		}
		for id, n := range ids {
			if n != 1 {
				t.Fatalf("cut at %d: %s is there %d times", cut, id, n)
			}
		}
	}
}

func TestReadOpenings(t *testing.T) {
	v, _, err := ParseRules("alquerque")
	if err != nil {
		t.Fatal(err)
	}
	list, err := ReadOpenings(strings.NewReader("\ufeff# two moves\r\n\r\nstartpos moves C2-C3 c4xc2\r\nbbbbb/bb1bb/bb1ww/wwbww/wwwww w - 0 2\nfen bbbbb/bb1bb/bb1ww/wwbww/wwwww w - 0 2 moves c1c3\nstartpos\n"), v)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"startpos moves c2c3 c4c2", "bbbbb/bb1bb/bb1ww/wwbww/wwwww w - 0 2",
		"bbbbb/bb1bb/bb1ww/wwbww/wwwww w - 0 2 moves c1c3", "startpos",
	}
	for i, o := range list {
		if o.String() != want[i] {
			t.Errorf("line %d: %q, want %q", i, o, want[i])
		}
	}
	for text, want := range map[string]string{
		"# one\nstartpos moves c2c4":           "line 2: illegal move",
		"xxx w - 0 1":                          "line 1: ",
		"5/5/1b3/5/5 w - 0 1":                  "line 1: the game is over: captured",
		"5/5/b4/1w3/5 w - 0 1 moves b2b3 a3c3": "line 1: the game is over: captured",
	} {
		if _, err := ReadOpenings(strings.NewReader(text), v); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestOpeningsAt: in each turn every opening comes once.
func TestOpeningsAt(t *testing.T) {
	o := Openings{Shuffle: true, Seed: 7}
	for i := range 10 {
		o.List = append(o.List, Opening{Position: strconv.Itoa(i)})
	}
	orders := map[string]bool{}
	for turn := range 5 {
		seen, order := map[string]bool{}, ""
		for i := range 10 {
			p := o.At(turn*10 + i + 1).Position
			seen[p] = true
			order += p
		}
		if len(seen) != 10 {
			t.Errorf("turn %d: %d openings", turn, len(seen))
		}
		orders[order] = true
	}
	if len(orders) != 5 {
		t.Errorf("%d orders in 5 turns", len(orders))
	}
	o.Shuffle = false
	if o.At(1).Position != "0" || o.At(12).Position != "1" || (&Openings{}).At(3).String() != "startpos" {
		t.Error("sequential order")
	}
}

// TestBallots: all sequences are there once up to what they lead to; nothing
// else; and the search's window is kept.
func TestBallots(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		t.Run(v.Name, func(t *testing.T) {
			const plies = 2
			list, err := Ballots{Plies: plies, Seed: 3}.Generate(t.Context(), v)
			if err != nil {
				t.Fatal(err)
			}
			got, want := map[string]bool{}, map[string]bool{}
			for _, o := range list {
				if got[leadsTo(t, o, v)] {
					t.Errorf("%v is there twice", o)
				}
				got[leadsTo(t, o, v)] = true
			}
			g := games.New(v)
			for _, a := range g.Moves(nil) {
				g.Make(a)
				for _, b := range g.Moves(nil) {
					g.Make(b)
					if !g.Outcome().Over() {
						want[unmirrored(g)] = true
					}
					g.Unmake()
				}
				g.Unmake()
			}
			if len(got) != len(want) {
				t.Errorf("%d openings, want %d", len(got), len(want))
			}
			for position := range want {
				if !got[position] {
					t.Errorf("%s is missing", position)
				}
			}
		})
	}
}

func leadsTo(t *testing.T, o Opening, v *movegen.Variant) string {
	t.Helper()
	if len(o.Moves) != 2 {
		t.Errorf("%v: want two plies", o)
	}
	g, err := o.board(v)
	if err != nil {
		t.Fatal(err)
	}
	return unmirrored(g)
}

// TestUnmirrored: images are found, and nothing else is taken for one.
func TestUnmirrored(t *testing.T) {
	v, _, err := ParseRules("alquerque-bell")
	if err != nil {
		t.Fatal(err)
	}
	name := func(position string) string {
		g := games.New(v)
		if err := g.Set(position); err != nil {
			t.Fatal(err)
		}
		return unmirrored(g)
	}
	base := "b4/5/2b2/1w3/w4 b rw:a2b2 3 9"
	if name(base) != name("4b/5/2b2/3w1/4w b rw:e2d2 0 1") {
		t.Error("the image is not found")
	}
	for _, other := range []string{"b4/5/2b2/1w3/w4 b - 3 9", "b4/5/2b2/1w3/w4 w - 3 9", "b4/5/2b2/2w2/w4 b - 0 1"} {
		if name(base) == name(other) {
			t.Errorf("%q is taken for %q", other, base)
		}
	}
	if got := mirroredState("rw:a2b2,h:a1b1e3", v.Size); got != "rw:e2d2,h:d1e1a3" {
		t.Errorf("state %q", got)
	}
}

func TestBallotsBalance(t *testing.T) {
	v, _, err := ParseRules("fanorona-dimy")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Ballots{Plies: 2}.Generate(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	narrow, err := Ballots{Plies: 2, Balance: 30}.Generate(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	some, err := Ballots{Plies: 2, Balance: 30, Count: 2}.Generate(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	if len(narrow) == 0 || len(narrow) >= len(all) || fmt.Sprint(some) != fmt.Sprint(narrow[:2]) {
		t.Errorf("%d openings, %d within 30 centipieces, of which 2 are %v", len(all), len(narrow), some)
	}
	if _, err := (Ballots{Plies: 12}).Generate(t.Context(), v); err == nil || !strings.Contains(err.Error(), "want fewer plies") {
		t.Errorf("too many: %v", err)
	}
}

// TestPGNEndsLine: games are appended on lines of their own.
func TestPGNEndsLine(t *testing.T) {
	for _, goesOn := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "g.pgn")
		const old = "[Result \"*\"]\n\n*"
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		w, err := NewPGNWriter(path, "", "", goesOn)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Add(Record{Variant: "alquerque", Result: Drawn}), w.Close()); err != nil {
			t.Fatal(err)
		}
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), old+"\n\n[Event ") {
			t.Errorf("goes on %v: %q, %v", goesOn, text, err)
		}
	}
}
