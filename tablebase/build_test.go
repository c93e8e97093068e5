package tablebase

import (
	"context"
	"flag"
	"fmt"
	"testing"

	"qirkat/movegen"
)

var long = flag.Bool("long", false, "build and verify larger tables")

// variant is a variant with switches set.
func variant(t testing.TB, name string, options map[string]string) *movegen.Variant {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	for o, value := range options {
		s, ok := movegen.FindSwitch(o)
		if !ok {
			t.Fatalf("no switch %s", o)
		}
		v = v.With(s, value)
	}
	return v
}

// build builds tables and gives the reports.
func build(t testing.TB, v *movegen.Variant, dir string, count int) []Report {
	t.Helper()
	var reports []Report
	err := Build(context.Background(), Config{
		Variant: v, Count: count, Dir: dir, Threads: 2, Memory: 1 << 32,
		OnTable: func(r Report) { reports = append(reports, r) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return reports
}

// exact are the switches that a table of the Alquerque family asks for.
var exact = map[string]string{"Huffing": "off", "NoReturn": "off"}

// switches are the switches of the rules with memory.
func switches(huffing, noReturn string) map[string]string {
	return map[string]string{"Huffing": huffing, "NoReturn": noReturn}
}

// TestCounts compares the positions of a table, counted without symmetry, with the
// ways to put the pieces up, for each number of pieces of the side to move.
func TestCounts(t *testing.T) {
	for name, points := range map[string]int{"fanorona": 45, "alquerque": 25} {
		for _, r := range build(t, variant(t, name, exact), t.TempDir(), 3) {
			var larger, smaller int
			if _, err := fmt.Sscanf(r.Material, "%d-%d", &larger, &smaller); err != nil {
				t.Fatal(err)
			}
			want := choose[larger][points] * choose[smaller][points-larger]
			if larger != smaller {
				want *= 2
			}
			if r.Positions != want || r.Wins+r.Draws+r.Losses != want {
				t.Errorf("%s %s: %d positions, %d + %d + %d, want %d", name, r.Material, r.Positions, r.Wins, r.Draws, r.Losses, want)
			}
		}
	}
}

// TestVerify builds tables of every variant and verifies each place with the
// slow generator.
func TestVerify(t *testing.T) {
	with := func(name, value string) map[string]string {
		return map[string]string{"Huffing": "off", "NoReturn": "off", name: value}
	}
	for _, c := range []struct {
		variant      string
		options      map[string]string
		pieces, long int
	}{
		{"alquerque", nil, 5, 7},
		{"alquerque", with("NoBackward", "on"), 4, 6},
		{"alquerque", with("MultiPiece", "on"), 4, 6},
		{"alquerque-bell", exact, 4, 6},
		{"alquerque-bell", with("MultiPiece", "on"), 3, 5},
		{"alquerque-pritchard", exact, 4, 6},
		{"alquerque-pritchard", with("NoBackward", "on"), 3, 5},
		{"alquerque-modern", nil, 4, 5},
		{"quirkat", exact, 4, 6},
		{"quirkat", with("MultiPiece", "on"), 3, 5},
		{"alquerque", switches("on", "off"), 2, 4},
		{"alquerque", switches("off", "on"), 2, 4},
		{"alquerque-bell", nil, 3, 4},
		{"alquerque-bell", switches("on", "off"), 3, 4},
		{"alquerque-bell", switches("off", "on"), 3, 4},
		{"alquerque-pritchard", nil, 3, 4},
		{"alquerque-pritchard", switches("on", "off"), 3, 4},
		{"alquerque-pritchard", switches("off", "on"), 3, 4},
		{"alquerque-modern", switches("on", "on"), 2, 3},
		{"quirkat", nil, 3, 4},
		{"quirkat", switches("on", "off"), 3, 4},
		{"quirkat", switches("off", "on"), 3, 4},
		{"quirkat", map[string]string{"MultiPiece": "on"}, 2, 3},
		{"quirkat", map[string]string{"NoBackward": "on"}, 2, 3},
		{"fanorona-telo", nil, 8, 8},
		{"fanorona-telo", map[string]string{"FirstMove": "single"}, 8, 8},
		{"fanorona-5x3", nil, 4, 6},
		{"fanorona-5x3", map[string]string{"FirstMove": "single"}, 4, 8},
		{"fanorona-3x5", nil, 4, 6},
		{"fanorona-dimy", nil, 4, 5},
		{"fanorona-7x3", nil, 4, 5},
		{"fanorona-3x7", nil, 4, 5},
		{"fanorona-9x3", nil, 4, 4},
		{"fanorona-3x9", nil, 4, 4},
		{"fanorona-7x5", nil, 4, 4},
		{"fanorona-5x7", nil, 4, 4},
		{"fanorona", nil, 4, 4},
		{"fanorona-5x9", nil, 4, 4},
		{"fanorona-7x7", nil, 4, 4},
		{"fanorona-9x7", nil, 4, 4},
		{"fanorona-7x9", nil, 4, 4},
		{"al-manqala", nil, 8, 12},
		{"al-manqala", map[string]string{"SkipOrigin": "on"}, 4, 14},
	} {
		pieces := c.pieces
		switch {
		case *long:
			pieces = c.long
		case testing.Short():
			pieces = min(pieces, 3)
		}
		v := variant(t, c.variant, c.options)
		if testing.Short() && (v.Huffing || v.NoReturn) {
			pieces = 2 // three take seconds, for each place is verified in many states
		}
		name := c.variant
		for o, value := range c.options {
			name += " " + o + "=" + value
		}
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			places := 0
			for _, r := range build(t, v, dir, pieces) {
				t.Logf("%s %s: %d of %d places stored, %d bytes, %d wins, %d draws, %d losses, longest win %d in %q, %v",
					r.Rules, r.Material, r.Stored, r.Places, r.Bytes, r.Wins, r.Draws, r.Losses, r.Longest, r.LongestAt, r.Took)
				places += r.Places
			}
			checked, err := Verify(context.Background(), VerifyConfig{Variant: v, Dir: dir, Threads: 2})
			if err != nil || checked != places {
				t.Errorf("Verify = %d, %v, want %d places", checked, err, places)
			}
		})
	}
}
