package bench

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"qirkat/movegen"
)

// TestSuite reads every row: each variant has enough, no position stands there
// twice, and every win is a legal move and one of few.
func TestSuite(t *testing.T) {
	rows, err := Suite()
	if err != nil {
		t.Fatal(err)
	}
	count, seen := map[string]int{}, map[string]bool{}
	for _, r := range rows {
		count[r.Variant]++
		g, err := Position{Variant: r.Variant, Text: r.Text}.Game()
		if err != nil {
			t.Errorf("%s: %v", r.Variant, err)
			continue
		}
		same := sameAs(g.Variant(), r.Text)
		if seen[r.Variant+" "+same[0]] {
			t.Errorf("%s: %q stands there twice, or as another side sees it", r.Variant, r.Text)
		}
		for _, s := range same {
			seen[r.Variant+" "+s] = true
		}
		if g.String() != r.Text {
			t.Errorf("%s: %q reads as %q", r.Variant, r.Text, g)
		}
		if g.Variant().QuietEnds(quietOf(r.Text) + r.Plies) {
			t.Errorf("%s: %q may be drawn by the quiet count before it is won in %d plies", r.Variant, r.Text, r.Plies)
		}
		var legal []string
		for _, m := range g.Moves(nil) {
			legal = append(legal, g.Text(m))
		}
		for i, win := range r.Wins {
			if !slices.Contains(legal, win) || slices.Contains(r.Wins[:i], win) {
				t.Errorf("%s: %q: win %s, want different ones of the legal moves %v", r.Variant, r.Text, win, legal)
			}
		}
		if len(r.Wins) == 0 || len(r.Wins) > mostWins || len(r.Wins) >= len(legal) {
			t.Errorf("%s: %q: %d of %d moves win", r.Variant, r.Text, len(r.Wins), len(legal))
		}
		if r.Plies < shortPlies {
			t.Errorf("%s: %q: won in %d plies, want at least %d", r.Variant, r.Text, r.Plies, shortPlies)
		}
	}
	for _, name := range movegen.VariantNames() {
		if count[name] < perSuite {
			t.Errorf("%s: %d positions, want %d", name, count[name], perSuite)
		}
	}
}

// TestSuiteProof proves by the slow rules, looking at every turn of both sides,
// that the wins of a row win in its plies, that no other move wins so soon, and
// none sooner. In short form it looks at the first rows of each variant, of which
// the proofs are the shortest.
func TestSuiteProof(t *testing.T) {
	rows, err := Suite()
	if err != nil {
		t.Fatal(err)
	}
	const few = 2
	for _, name := range movegen.VariantNames() {
		t.Run(name, func(t *testing.T) {
			v, err := movegen.FindVariant(name)
			if err != nil {
				t.Fatal(err)
			}
			p := slowProver(t, v)
			looked := 0
			for _, r := range rows {
				if r.Variant != name || !*long && looked == few {
					continue
				}
				looked++
				plies, wins, _ := p.shortest(r.Text, r.Plies)
				slices.Sort(wins)
				if plies != r.Plies || !slices.Equal(wins, r.Wins) {
					t.Errorf("%q: %v win in %d plies, want %v in %d", r.Text, wins, plies, r.Wins, r.Plies)
				}
			}
			if looked == 0 {
				t.Error("there is no row")
			}
		})
	}
}

// TestSuiteShare: of each suite the engine solves nearly all in the time.
func TestSuiteShare(t *testing.T) {
	if !*long {
		t.Skip("no -long")
	}
	const least = 0.95
	report, err := RunSuite(Config{})
	if err != nil {
		t.Fatal(err)
	}
	names, shares, _ := report.Shares()
	for _, name := range names {
		if s := shares[name]; s.Part() < least {
			t.Errorf("%s: %d of %d found, want a share of %v", name, s.Found, s.Positions, least)
		}
	}
	t.Logf("\n%s%s", report.Table(), report.MissedTable())
}

// TestRunSuite: a run to a depth gives the same on any number of threads, and
// every form of the report tells the same.
func TestRunSuite(t *testing.T) {
	c := Config{Variants: []string{"quirkat", "fanorona-telo"}, Depth: 2, Hash: 1, Threads: 1}
	want, err := RunSuite(c)
	if err != nil {
		t.Fatal(err)
	}
	announced, seen := 0, []Solution{}
	c.OnBegin = func(n int) { announced = n }
	c.OnSolution = func(s Solution) { seen = append(seen, s) }
	c.Threads = 3
	got, err := RunSuite(c)
	if err != nil {
		t.Fatal(err)
	}
	if announced != len(got.Solutions) || !reflect.DeepEqual(seen, got.Solutions) {
		t.Errorf("%d announced and %d told of %d", announced, len(seen), len(got.Solutions))
	}
	if g, w := got.Table()+got.MissedTable(), want.Table()+want.MissedTable(); g != w {
		t.Errorf("on 3 threads\n%s\nwant\n%s", g, w)
	}
	for i, s := range want.Solutions {
		if s.Found != slices.Contains(s.Wins, s.Best) || s.Nodes == 0 || s.Nodes != got.Solutions[i].Nodes {
			t.Errorf("solution %+v, on 3 threads %+v", s, got.Solutions[i])
		}
	}
	names, shares, total := want.Shares()
	sum := Share{shares[names[0]].Positions + shares[names[1]].Positions, shares[names[0]].Found + shares[names[1]].Found}
	missed := want.Missed()
	if strings.Join(names, " ") != "quirkat fanorona-telo" || sum != total || total.Found+len(missed) != total.Positions {
		t.Errorf("shares %v of %v, together %v and %d missed", shares, names, total, len(missed))
	}
	if len(missed) == 0 || total.Found == 0 {
		t.Errorf("%d missed and %d found at depth 2: want some of both", len(missed), total.Found)
	}

	text, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Positions, Found int
		Share            float64
		Variants         []struct {
			Variant string
			Found   int
		}
		Missed []Solution
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.Positions != total.Positions || read.Found != total.Found || read.Share != total.Part() || len(read.Variants) != 2 || len(read.Missed) != len(missed) {
		t.Errorf("JSON tells %+v of %v", read, total)
	}
	for i, s := range read.Missed {
		if s.Text == "" || len(s.Wins) == 0 || s.Best != missed[i].Best {
			t.Errorf("JSON tells %+v of %+v", s, missed[i])
		}
	}
}

// TestRunSuiteLimits: without limits a position gets the default time, and the
// time ends the search of one that is not solved.
func TestRunSuiteLimits(t *testing.T) {
	begin := time.Now()
	report, err := RunSuite(Config{Variants: []string{"fanorona-telo"}, MoveTime: time.Millisecond, Hash: 1})
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 20*time.Second {
		t.Errorf("%d positions at a millisecond took %v", len(report.Solutions), took)
	}
}

func TestParseSuite(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", `testdata/suite/x.tsv: line 1: want "position\tplies\twins\n"`},
		{suiteHeader + "a\t5", "testdata/suite/x.tsv: line 2: got 2 cells, want position, plies and wins"},
		{suiteHeader + "a\t0\tb", `testdata/suite/x.tsv: line 2: plies "0", want a number from 1`},
	} {
		if _, err := parseSuite("x", c.text); err == nil || err.Error() != c.want {
			t.Errorf("parseSuite(%q): %v, want %s", c.text, err, c.want)
		}
	}
}
