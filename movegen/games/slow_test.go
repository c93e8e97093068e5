package games_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// How many positions of random games are compared with package slow.
const (
	perVariant     = 1000
	perCombination = 200
	perLong        = 20_000 // with -long, by variant and single switch
)

func TestSlowAgreesOnVariants(t *testing.T) {
	positions, all := perVariant, variants(t)
	if *long {
		positions, all = perLong, oneSwitch(t)
	}
	compareAll(t, all, positions)
}

func TestSlowAgreesOnSwitches(t *testing.T) {
	compareAll(t, combinations(t), perCombination)
}

func compareAll(t *testing.T, all []rules, positions int) {
	for _, r := range all {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			s := r.slow(t)
			r.play(t, positions, func(g *game) error { return compare(g, s) })
		})
	}
}

// compare compares a position with what the slow generator says of it: its
// moves, the positions after them, the result, and other paths of a move.
func compare(g *game, s *slow.Game) error {
	now := g.history[len(g.history)-1]
	turns := s.Turns(now)
	byText := make(map[string]movegen.Move, len(g.list))
	texts := make([]string, 0, len(g.list))
	for _, m := range g.list {
		text := g.Text(m)
		byText[text] = m
		texts = append(texts, text)
	}
	slices.Sort(texts)
	if want := textsOf(turns); !slices.Equal(texts, want) {
		return fmt.Errorf("%d moves, want %d\n got %s\nwant %s", len(texts), len(want), only(texts, want), only(want, texts))
	}
	for i := range everyNth(len(turns), 300) {
		if err := compareNext(g, byText[turns[i].Text], turns[i]); err != nil {
			return err
		}
	}
	if err := compareEnd(g, s); err != nil {
		return err
	}
	return comparePaths(g, byText, turns)
}

func textsOf(turns []slow.Turn) []string {
	texts := make([]string, 0, len(turns))
	for _, turn := range turns {
		texts = append(texts, turn.Text)
	}
	return texts
}

// only joins the words that the other list does not have, or all when there are
// none.
func only(list, others []string) string {
	var words []string
	for _, w := range list {
		if !slices.Contains(others, w) {
			words = append(words, w)
		}
	}
	if words == nil {
		words = list
	}
	return strings.Join(words[:min(len(words), 40)], " ")
}

// compareNext compares the position after a move.
func compareNext(g *game, m movegen.Move, turn slow.Turn) error {
	g.Make(m)
	defer g.Unmake()
	if got := g.String(); got != turn.Next {
		return fmt.Errorf("after %s %q, want %q", turn.Text, got, turn.Next)
	}
	return nil
}

// compareEnd compares how the game has ended.
func compareEnd(g *game, s *slow.Game) error {
	o := g.Outcome()
	result, reason := s.Result(g.history)
	if reason == "" {
		reason = "none"
	}
	if got := o.Result(g.Variant().First()); got != result || o.Reason.String() != reason {
		return fmt.Errorf("Outcome() = %s %s, want %s %s", got, o.Reason, result, reason)
	}
	p1, p2 := g.Points()
	if want1, want2 := s.Points(g.history); p1 != want1 || p2 != want2 {
		return fmt.Errorf("Points() = %d, %d, want %d, %d", p1, p2, want1, want2)
	}
	return nil
}

// comparePaths reads other paths of moves, and each in some lenient spelling.
func comparePaths(g *game, byText map[string]movegen.Move, turns []slow.Turn) error {
	type path struct{ text, canonical string }
	var paths []path
	for _, turn := range turns {
		for _, p := range turn.Paths {
			paths = append(paths, path{p, turn.Text})
		}
	}
	random := movegen.SplitMix(g.Key())
	for i := range everyNth(len(paths), 20) {
		p := paths[i]
		for _, text := range []string{p.text, spell(p.text, &random)} {
			if m, err := g.Find(text); err != nil || m != byText[p.canonical] {
				return fmt.Errorf("Find(%q) = %s, want the move %s", text, g.found(m, err), p.canonical)
			}
		}
	}
	return compareMarks(g, byText, turns)
}

// found says what Find gave: the text of the move, or the error.
func (g *game) found(m movegen.Move, err error) string {
	if err != nil {
		return err.Error()
	}
	return g.Text(m)
}
