package games_test

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// spell writes a move text in some lenient way: capital letters, and signs
// between points.
func spell(text string, random *movegen.SplitMix) string {
	if text == "pass" {
		return "Pass"
	}
	var b strings.Builder
	for i := range len(text) {
		letter, after := text[i], byte(0)
		if i+1 < len(text) {
			after = text[i+1]
		}
		isPoint := letter >= 'a' && letter <= 'i' && after >= '1' && after <= '9'
		if between := i > 0 && !strings.ContainsRune("x:+", rune(text[i-1])); isPoint && between {
			b.WriteString([]string{"", "-", "x", ":"}[random.Next()%4])
		}
		if isPoint && random.Next()%2 == 0 {
			letter -= 'a' - 'A'
		}
		b.WriteByte(letter)
	}
	return b.String()
}

var marks = regexp.MustCompile(`[AW]`)

// compareMarks leaves out letters of Fanorona's captures: such a text stands
// for a move if all ways to fill them in are that move. Where the slow
// generator may not have told all paths, nothing is known.
func compareMarks(g *game, byText map[string]movegen.Move, turns []slow.Turn) error {
	const allPaths, fewTurns = 50, 100
	if g.Variant().Family != movegen.Fanorona || len(turns) > fewTurns {
		return nil
	}
	readings := make(map[string][]string) // by points without letters: canonical texts
	paths := make(map[string][]string)    // likewise: the paths with their letters
	for _, turn := range turns {
		if len(turn.Paths) >= allPaths {
			return nil
		}
		for _, p := range turn.Paths {
			bare := marks.ReplaceAllString(p, "")
			paths[bare] = append(paths[bare], p)
			if !slices.Contains(readings[bare], turn.Text) {
				readings[bare] = append(readings[bare], turn.Text)
			}
		}
	}
	for bare, moves := range readings {
		m, err := g.Find(bare)
		if len(moves) == 1 && (err != nil || m != byText[moves[0]]) {
			return fmt.Errorf("Find(%q) = %s, want %s, the only reading", bare, g.found(m, err), moves[0])
		}
		var illegal *movegen.IllegalMove
		if len(moves) > 1 && (!errors.As(err, &illegal) || illegal.Why != movegen.Ambiguous) {
			return fmt.Errorf("Find(%q) = %s, want it to be ambiguous: %s", bare, g.found(m, err), moves)
		}
		if len(paths[bare]) == 1 {
			some := leaveOutFirst(paths[bare][0])
			if m, err := g.Find(some); err != nil || m != byText[moves[0]] {
				return fmt.Errorf("Find(%q) = %s, want %s, the only reading", some, g.found(m, err), moves[0])
			}
		}
	}
	return nil
}

// leaveOutFirst takes the first letter out of a path of captures.
func leaveOutFirst(path string) string {
	if at := marks.FindStringIndex(path); at != nil {
		return path[:at[0]] + path[at[1]:]
	}
	return path
}

// On input a bare number is a house counted from the mover's own left.
func TestHouseNumbers(t *testing.T) {
	for _, c := range []struct{ side, houses string }{
		{"w", "a1 b1 c1 d1 e1 f1 g1"},
		{"b", "g2 f2 e2 d2 c2 b2 a2"},
	} {
		r := rulesOf(t, "al-manqala")
		g, err := r.setUp("7,7,7,7,7,7,7/7,7,7,7,7,7,7 " + c.side + " 0,0 0 1")
		if err != nil {
			t.Fatal(err)
		}
		for i, house := range strings.Fields(c.houses) {
			number := strconv.Itoa(i + 1)
			if m, err := g.Find(number); err != nil || g.Text(m) != house {
				t.Errorf("side %s: Find(%q) = %s, want %s", c.side, number, g.found(m, err), house)
			}
		}
	}
}

// TestLenient has the spellings of the rule book, one a row.
func TestLenient(t *testing.T) {
	for _, c := range []struct{ rules, position, text, want string }{
		{"alquerque", "5/3b1/5/1b3/w3w w - 0 1", "A1xC3xE5", "a1c3e5"},
		{"alquerque", "5/3b1/5/1b3/w3w w - 0 1", "a1-c3:e5", "a1c3e5"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "B2-B3", "b2b3"},
		{"alquerque Huffing=on", "4b/5/5/4w/w4 b h:a1 1 1", "XA1:E5-D4", "xa1:e5d4"},
		{"alquerque Huffing=on", "4b/5/5/5/w4 b h:a1 1 1", "XA1", "xa1"},
		{"alquerque-modern MultiPiece=on", "4b/5/5/2b2/wbw2 w - 0 1", "c1xc3+A1:C1", "c1c3+a1c1"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "a1b2", "a1b2A"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "A1-B2a", "a1b2A"},
		{"fanorona-dimy", "5/5/w1b2/5/1b3 w - 0 1", "a3b3b2", "a3b3Ab2A"},
		{"fanorona-dimy", "5/5/w1b2/5/1b3 w - 0 1", "a3-B3a:b2", "a3b3Ab2A"},
		// A letter followed by a digit is a point, else A or W is the mark.
		{"fanorona-dimy", "5/5/1w1b1/5/b4 w - 0 1", "b3c3Ab2", "b3c3Ab2A"},
		{"fanorona-dimy", "5/5/bw3/5/2b2 w - 0 1", "B3c3wC2", "b3c3Wc2A"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "C1", "c1"},
		{"al-manqala", "0,0,0,0,0,0,1/0,0,0,0,0,0,0 w 48,49 3 9", "PASS", "pass"},
	} {
		words := strings.Fields(c.rules)
		g, err := rulesOf(t, words[0], words[1:]...).setUp(c.position)
		if err != nil {
			t.Fatal(err)
		}
		if m, err := g.Find(c.text); g.found(m, err) != c.want {
			t.Errorf("%s, %q: Find(%q) = %s, want %s", c.rules, c.position, c.text, g.found(m, err), c.want)
		}
	}
}
