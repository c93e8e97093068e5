package games_test

import (
	"testing"
	"time"

	"qirkat/movegen"
)

// Fanorona has positions with very many moves.
var monsters = []struct {
	rules    []string
	position string
	moves    int
}{
	{[]string{"fanorona", "FirstMove=free"}, "bwbbb2ww/w1bb1bbb1/1b3b1wb/b3b3b/bwbbb1bbb w - 0 1", 10_792},
	{[]string{"fanorona-9x7"}, "bwbbb1bbb/1b1bb2bb/bb3b2b/w1bb1bbb1/b2b1b1w1/1b2b1wbb/w1bwbwbww w - 0 1", 117_779},
}

// monsterTexts is the number of moves whose texts are looked at: all of the
// first position, and of the second a part, but all with -long.
const monsterTexts = 20_000

// TestMonsters counts the moves, and looks for two that are equal or share a
// text.
func TestMonsters(t *testing.T) {
	for _, c := range monsters {
		g, err := rulesOf(t, c.rules[0], c.rules[1:]...).setUp(c.position)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		g.list = g.Moves(g.list[:0])
		listed := time.Since(start)
		if len(g.list) != c.moves {
			t.Errorf("%s: %d moves, want %d", c.position, len(g.list), c.moves)
		}
		values := make(map[movegen.Move]bool, len(g.list))
		for _, m := range g.list {
			values[m] = true
		}
		if len(values) != len(g.list) {
			t.Errorf("%s: %d moves, of which %d differ", c.position, len(g.list), len(values))
		}
		start = time.Now()
		texts := make(map[string]movegen.Move)
		n, most := 0, monsterTexts
		if *long {
			most = 1_000_000
		}
		for i := range everyNth(len(g.list), most) {
			texts[g.Text(g.list[i])] = g.list[i]
			n++
		}
		written := time.Since(start)
		if len(texts) != n {
			t.Errorf("%s: %d moves have %d texts", c.position, n, len(texts))
		}
		read := 0
		for text, want := range texts {
			if m, err := g.Find(text); err != nil || m != want {
				t.Errorf("%s: Find(%q) = %s", c.position, text, g.found(m, err))
			}
			if read++; read == 500 {
				break
			}
		}
		t.Logf("%d moves listed in %v, %d texts in %v", len(g.list), listed, n, written)
	}
}
