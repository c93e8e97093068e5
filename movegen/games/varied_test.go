package games_test

import (
	"strings"
	"testing"
)

// The random games are worth nothing if they do not come to what the rules
// speak of.
func TestRandomGamesAreVaried(t *testing.T) {
	const positions = 4000
	for _, c := range []struct{ rules, want string }{
		{"alquerque", "none captured blocked repetition quiet"},
		{"alquerque NoBackward=on", "none captured blocked double-block repetition quiet"},
		{"alquerque-bell", "none captured blocked double-block quiet rw: rb: h: huff last-huff"},
		{"quirkat MultiPiece=on", "none captured blocked quiet rw: rb: h: huff last-huff chains"},
		{"alquerque-modern Huffing=on MultiPiece=on", "none captured repetition quiet h: huff chains"},
		{"fanorona", "none captured blocked repetition quiet first-capture"},
		{"fanorona-vela", "none captured blocked repetition quiet vela after-vela first-capture"},
		{"al-manqala", "none majority empty starved cycle pass hungry lap"},
	} {
		t.Run(c.rules, func(t *testing.T) {
			t.Parallel()
			words := strings.Fields(c.rules)
			r := rulesOf(t, words[0], words[1:]...)
			seen := make(map[string]int)
			r.play(t, positions, func(g *game) error {
				for _, word := range features(g) {
					seen[word]++
				}
				return nil
			})
			for word := range strings.FieldsSeq(c.want) {
				if seen[word] == 0 {
					t.Errorf("%d positions, none with %s: %v", positions, word, seen)
				}
			}
		})
	}
}

// features names what a position has.
func features(g *game) []string {
	words := []string{g.Outcome().Reason.String()}
	fields := strings.Fields(g.String())
	note := func(yes bool, word string) {
		if yes {
			words = append(words, word)
		}
	}
	for _, token := range []string{"rw:", "rb:", "h:"} {
		note(strings.Contains(fields[2], token), token)
	}
	for _, m := range g.list {
		text := g.Text(m)
		note(text[0] == 'x', "huff")
		note(text[0] == 'x' && len(text) == 3, "last-huff")
		note(strings.Contains(text, "+"), "chains")
		note(text == "pass", "pass")
	}
	black, most := strings.Count(fields[0], "b"), g.Variant().StartPieces()
	note(g.Variant().Vela && black > 5, "vela")
	note(g.Variant().Vela && black <= 5, "after-vela")
	note(black == most[1] || strings.Count(fields[0], "w") == most[0], "first-capture")
	note(strings.HasPrefix(fields[0], "0,0,0,0,0,0,0/") || strings.HasSuffix(fields[0], "/0,0,0,0,0,0,0"), "hungry")
	note(strings.ContainsAny(fields[0], ",") && len(fields[0]) > 27, "lap") // some house has 14 seeds, perhaps
	return words
}
