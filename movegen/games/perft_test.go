package games_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qirkat/movegen"
)

// count is a row of the table of move counts.
type count struct {
	rules
	line     int
	position string
	depth    int
	nodes    uint64
}

const (
	mostNodes     = 5_000_000 // rows beyond are counted with -long
	mostNodesBulk = 200_000   // rows counted in bulk as well
)

// perftTable reads testdata/perft.tsv.
func perftTable(t testing.TB) []count {
	t.Helper()
	data, err := os.ReadFile("../testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var table []count
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		if len(cells) != 5 {
			t.Fatalf("perft.tsv line %d: %d cells, want 5", i+2, len(cells))
		}
		var switches []string
		if cells[1] != "-" {
			switches = strings.Fields(cells[1])
		}
		depth, err1 := strconv.Atoi(cells[3])
		nodes, err2 := strconv.ParseUint(cells[4], 10, 64)
		if err1 != nil || err2 != nil {
			t.Fatalf("perft.tsv line %d: %q: want numbers in the last two cells", i+2, line)
		}
		c := count{rulesOf(t, cells[0], switches...), i + 2, cells[2], depth, nodes}
		if c.position == "startpos" {
			c.position = c.Start
		}
		table = append(table, c)
	}
	return table
}

func TestPerft(t *testing.T) {
	// The largest first, so that none is left to one core at the end.
	table := perftTable(t)
	slices.SortStableFunc(table, func(a, b count) int { return int(b.nodes) - int(a.nodes) })
	for _, c := range table {
		if c.nodes > mostNodes && !*long {
			continue
		}
		t.Run(fmt.Sprintf("line %d %s", c.line, c.rules), func(t *testing.T) {
			t.Parallel()
			g := c.game()
			if err := g.Set(c.position); err != nil {
				t.Fatal(err)
			}
			if g.String() != c.position {
				t.Errorf("%s: %q is written back as %q", c.rules, c.position, g)
			}
			if got := movegen.Perft(g, c.depth); got != c.nodes {
				t.Errorf("%s: Perft(%q, %d) = %d, want %d\n%s%s", c.rules, c.position, c.depth, got, c.nodes, g.Draw(), divided(g, c.depth))
			}
			if c.nodes > mostNodesBulk {
				return
			}
			if got := movegen.PerftBulk(g, c.depth); got != c.nodes {
				t.Errorf("%s: PerftBulk(%q, %d) = %d, want %d", c.rules, c.position, c.depth, got, c.nodes)
			}
		})
	}
}

// divided has a line for each move, with the count behind it.
func divided(g movegen.Game, depth int) string {
	var lines []string
	for _, m := range g.Moves(nil) {
		text := g.Text(m)
		g.Make(m)
		lines = append(lines, fmt.Sprintf("%s: %d\n", text, movegen.Perft(g, depth-1)))
		g.Unmake()
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// Every variant has rows in the table, those with a name of their own and one
// by size perhaps under the other name.
func TestPerftTableHasEveryVariant(t *testing.T) {
	rows := make(map[string]int)
	for _, c := range perftTable(t) {
		rows[c.Name]++
	}
	for _, v := range movegen.Variants {
		if rows[v.Name] == 0 {
			t.Errorf("perft.tsv has no row of %s", v.Name)
		}
	}
}
