package protocol

import (
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// TestTables searches positions that the tables know, that lead to such, and
// where there can be none.
func TestTables(t *testing.T) {
	dir := t.TempDir()
	v, err := movegen.FindVariant("alquerque")
	if err != nil {
		t.Fatal(err)
	}
	if err := tablebase.Build(context.Background(), tablebase.Config{Variant: v, Count: 4, Dir: dir, Threads: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, input, want string }{
		{"a win, shortest way", "position fen 5/5/5/w4/bw1w1 w - 0 1\ngo nodes 50000", `score mate 27 .* tbhits \d+ .*\nbestmove (b1c1|\w+)\n$`},
		{"a loss", "position fen 5/5/5/w4/b1ww1 b - 0 1\ngo nodes 50000", `score mate -26 .* tbhits \d+ .*\n`},
		{"a win that comes too late", "position fen 5/5/5/w4/bw1w1 w - 99 60\ngo depth 3", `score cp 0 |score cp -?\d+ `},
		{"before the tables", "position fen 5/1b1b1/5/w4/w3w w - 0 1\ngo depth 6", ` tbhits [1-9]`},
		{"not asked", "setoption name TableProbeLimit value 0\nposition fen 5/5/5/w4/bw1w1 w - 0 1\ngo depth 3", `hashfull \d+ time`},
		{"rules with memory", "setoption name UCI_Variant value quirkat\nsetoption name Huffing value off\ngo depth 1", `has no tables of quirkat in these rules`},
		{"rules with memory, of the program", "setoption name UCI_Variant value quirkat\nposition fen 4b/5/5/2w2/1w1w1 w - 0 1\ngo nodes 5000", ` tbhits [1-9]`},
		{"other rules", "setoption name UCI_Variant value fanorona-dimy\ngo depth 1", `has no tables of fanorona-dimy in these rules`},
		{"back again", "setoption name UCI_Variant value quirkat\nsetoption name UCI_Variant value alquerque-modern\nposition fen 5/5/5/w4/bw1w1 w - 0 1\ngo nodes 50000", `score mate 27 `},
		{"of the program", "setoption name TablePath value <empty>\nposition fen 1b3/bw3/b4/4w/1w3 w - 0 1\ngo nodes 50000", `score mate 63 `},
		{"no folder", "setoption name TablePath value nowhere\ngo depth 1", `(?m)\A[^\n]*option TablePath: "nowhere": no such folder, want a folder that qirkat tb build wrote$`},
		{"a file", "setoption name TablePath value endgames_test.go\ngo depth 1", `(?m)\A[^\n]*option TablePath: "endgames_test.go": no folder, want a folder that qirkat tb build wrote$`},
	} {
		got := waited(t, "setoption name TablePath value "+dir+"\n"+c.input)
		if !regexp.MustCompile(c.want).MatchString(got) || strings.Count(got, "bestmove ") != 1 {
			t.Errorf("%s:\n%swant %s", c.name, got, c.want)
		}
	}
}

// TestTablePathStays names a folder that is none: one line says so, and the tables
// in use stay.
func TestTablePathStays(t *testing.T) {
	dir := t.TempDir()
	v, err := movegen.FindVariant("fanorona-dimy")
	if err != nil {
		t.Fatal(err)
	}
	if err := tablebase.Build(context.Background(), tablebase.Config{Variant: v, Count: 3, Dir: dir, Threads: 1, Memory: 1 << 30}); err != nil {
		t.Fatal(err)
	}
	got := waited(t, "setoption name UCI_Variant value fanorona-dimy\nsetoption name TablePath value "+dir+
		"\nsetoption name TablePath value nowhere\nposition fen 5/5/2b2/5/w3w w - 0 1\ngo depth 3")
	if strings.Count(got, "TablePath") != 1 || !regexp.MustCompile(`tbhits [1-9]`).MatchString(got) {
		t.Errorf("%swant one line about TablePath, and tbhits", got)
	}
}

// waited serves lines as [Server.Run] does, and waits for what each begins.
func waited(t *testing.T, lines string) string {
	t.Helper()
	out := new(recorder)
	s, err := New(Config{Name: "Qirkat", In: strings.NewReader(""), Out: out, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(lines, "\n") {
		if err := s.serve(line); err != nil {
			s.note("%v", err)
		}
		if s.running() {
			<-s.job.done
		}
	}
	s.leave()
	if err := s.out.flush(grace); err != nil {
		t.Fatal(err)
	}
	return out.take()
}
