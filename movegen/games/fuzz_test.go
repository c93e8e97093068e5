package games_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
)

// fuzzed are the rules under which any text is read, chosen by a number.
func fuzzed(t testing.TB) []rules {
	return []rules{
		rulesOf(t, "alquerque"),
		rulesOf(t, "alquerque-bell"),
		rulesOf(t, "alquerque-pritchard", "MultiPiece=on"),
		rulesOf(t, "quirkat"),
		rulesOf(t, "quirkat", "MultiPiece=on"),
		rulesOf(t, "fanorona"),
		rulesOf(t, "fanorona-telo"),
		rulesOf(t, "fanorona-dimy", "FirstMove=single"),
		rulesOf(t, "fanorona-vela"),
		rulesOf(t, "al-manqala"),
		rulesOf(t, "al-manqala", "SkipOrigin=on"),
	}
}

// number is the place of rules among the fuzzed ones, or 0.
func number(all []rules, name string) byte {
	return byte(max(0, slices.IndexFunc(all, func(r rules) bool { return r.String() == name })))
}

// FuzzPosition reads any text as a position: it is refused and changes nothing,
// or it is canonical but for fields left out.
func FuzzPosition(f *testing.F) {
	all := fuzzed(f)
	for i, r := range all {
		f.Add(byte(i), r.Start)
	}
	for _, c := range badPositions() {
		f.Add(number(all, c.rules), c.text)
	}
	for _, c := range badMoves() {
		f.Add(number(all, c.rules), c.position)
	}
	f.Fuzz(func(t *testing.T, which byte, text string) {
		r := all[int(which)%len(all)]
		g := begun(t, r)
		before := snap(g)
		if err := g.Set(text); err != nil {
			var field *movegen.TextError
			if !errors.As(err, &field) || field.Field == "" {
				t.Errorf("%s: Set(%q) = %v, want a TextError", r, text, err)
			}
			if after := snap(g); after != before {
				t.Errorf("%s: after Set(%q) %+v, before %+v", r, text, after, before)
			}
			return
		}
		canonical := g.String()
		if canonical != text && !strings.HasPrefix(canonical, text+" ") {
			t.Errorf("%s: Set(%q) gives %q", r, text, canonical)
		}
		accepted, err := r.setUp(canonical)
		if err != nil {
			t.Fatalf("%s: %v", r, err)
		}
		if snap(accepted) != snap(g) || !slices.Equal(accepted.list, g.Moves(nil)) {
			t.Errorf("%s: %q is %+v, set again %+v", r, text, snap(g), snap(accepted))
		}
		for i := range everyNth(len(accepted.list), 20) {
			m := accepted.list[i]
			g.Make(m)
			if err := g.Check(); err != nil {
				t.Errorf("%s: %q after %s: %v", r, text, accepted.Text(m), err)
			}
			g.Unmake()
		}
		if err := g.Check(); err != nil {
			t.Errorf("%s: %q: %v", r, text, err)
		}
		g.Draw()
	})
}

// FuzzMove reads any text as a move: it is refused with a reason, or it is a
// legal move.
func FuzzMove(f *testing.F) {
	all := fuzzed(f)
	for i, r := range all {
		g := r.game()
		for _, m := range g.Moves(nil) {
			f.Add(byte(i), r.Start, g.Text(m))
		}
	}
	for _, c := range badMoves() {
		f.Add(number(all, c.rules), c.position, c.text)
	}
	f.Fuzz(func(t *testing.T, which byte, position, text string) {
		r := all[int(which)%len(all)]
		g, err := r.setUp(position)
		if err != nil {
			return
		}
		before := snap(g)
		m, err := g.Find(text)
		if after := snap(g); after != before {
			t.Errorf("%s, %q: after Find(%q) %+v, before %+v", r, position, text, after, before)
		}
		if err != nil {
			var illegal *movegen.IllegalMove
			if !errors.As(err, &illegal) || illegal.Why == movegen.Legal || illegal.Text != text {
				t.Errorf("%s, %q: Find(%q) = %v, want an IllegalMove", r, position, text, err)
			}
			return
		}
		if !slices.Contains(g.list, m) {
			t.Fatalf("%s, %q: Find(%q) = %+v, which is not legal", r, position, text, m)
		}
		if again, err := g.Find(g.Text(m)); err != nil || again != m {
			t.Errorf("%s, %q: Find(%q) = %+v, %v, want %+v", r, position, g.Text(m), again, err, m)
		}
	})
}
