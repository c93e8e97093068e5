package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"qirkat/match"
)

// TestLiveTable: the table has as many lines each time, and as it says it has:
// so many are drawn over on a terminal.
func TestLiveTable(t *testing.T) {
	for _, engines := range []int{2, 3, 40} {
		c := match.DefaultConfig()
		for i := range engines {
			c.Engines = append(c.Engines, match.Engine{Name: fmt.Sprintf("e%d", i)})
		}
		var out bytes.Buffer
		table := newLiveTable(&out, c)
		var names []string
		for _, e := range c.Engines {
			names = append(names, e.Name)
		}
		s := match.NewStandings(names)
		for i := range 3 {
			s.Add(match.Record{Variant: "alquerque", Players: [2]string{"e0", "e1"}, Result: match.P1Win, Pair: i + 1})
			table.update(match.Event{Standing: s, Played: i + 1, Known: 9})
			if lines := len(table.lines); lines != min(mostLines, map[bool]int{true: 1, false: engines + 1}[engines == 2]) {
				t.Errorf("%d engines: %d lines", engines, lines)
			}
			time.Sleep(200 * time.Millisecond) // the table is drawn from time to time
		}
		if strings.Contains(strings.Join(table.lines, ""), "\n") || !strings.Contains(strings.Join(table.lines, "\n"), "3") {
			t.Errorf("%d engines: %q", engines, table.lines)
		}
		table.finish()
		// Without a terminal one table is written below the other.
		drawn := strings.Split("\n"+out.String(), "\ngames ")[1:]
		if len(drawn) == 0 {
			t.Errorf("%d engines: nothing was drawn", engines)
		}
		for _, text := range drawn {
			if n := 1 + strings.Count(strings.TrimSuffix(text, "\n"), "\n"); n != 1+len(table.lines) {
				t.Errorf("%d engines: %d lines, want %d: %q", engines, n, 1+len(table.lines), text)
			}
		}
	}
}
