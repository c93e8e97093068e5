package bench

import (
	"encoding/json"
	"errors"
	"regexp"
	"strings"
	"testing"
)

// small is a run of a second at most.
func small(threads int) Config {
	return Config{Variants: []string{"quirkat", "fanorona-vela", "al-manqala"}, Depth: 3, Hash: 1, Threads: threads}
}

// TestDeterministic: the node count of each position depends neither on what
// was searched before nor on the number of threads.
func TestDeterministic(t *testing.T) {
	want, err := Run(small(1))
	if err != nil {
		t.Fatal(err)
	}
	if want.Nodes == 0 {
		t.Fatal("no node was searched")
	}
	for _, threads := range []int{1, 3} {
		got, err := Run(small(threads))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range got.Results {
			if w := want.Results[i]; r.Nodes != w.Nodes || r.Best != w.Best {
				t.Errorf("%d threads, %s: %s and %d nodes, want %s and %d", threads, r.Text, r.Best, r.Nodes, w.Best, w.Nodes)
			}
		}
	}
	alone := small(1)
	alone.Variants = []string{"al-manqala"}
	got, err := Run(alone)
	if err != nil {
		t.Fatal(err)
	}
	_, totals := want.Variants()
	if got.Nodes != totals["al-manqala"].Nodes {
		t.Errorf("al-manqala alone: %d nodes, among others %d", got.Nodes, totals["al-manqala"].Nodes)
	}
}

// TestReport: results come in order, and every form of the report tells the
// same.
func TestReport(t *testing.T) {
	c := small(2)
	announced, seen := 0, 0
	c.OnBegin = func(n int) { announced = n }
	c.OnResult = func(r Result) {
		if seen++; r.Number != seen || r.Of != announced {
			t.Errorf("result %d of %d came as number %d of %d", r.Number, r.Of, seen, announced)
		}
	}
	report, err := Run(c)
	if err != nil {
		t.Fatal(err)
	}
	if seen != 3*perVariant || announced != seen {
		t.Errorf("%d results, %d announced, want %d", seen, announced, 3*perVariant)
	}
	var sum uint64
	names, totals := report.Variants()
	for _, n := range names {
		sum += totals[n].Nodes
	}
	if strings.Join(names, " ") != "quirkat fanorona-vela al-manqala" || sum != report.Nodes {
		t.Errorf("variants %v with %d nodes, want the three in order with %d", names, sum, report.Nodes)
	}
	if s := report.Summary(); !regexp.MustCompile(`^Nodes searched  : (\d+)\n\d+ nodes \d+ nps\n$`).MatchString(s) {
		t.Errorf("summary %q", s)
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Nodes    uint64
		Variants []struct {
			Variant string
			Nodes   uint64
		}
		Positions []struct {
			Variant, Position, Best string
			Depth                   int
			Nodes                   uint64
		}
	}
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	if read.Nodes != report.Nodes || len(read.Variants) != 3 || len(read.Positions) != seen {
		t.Errorf("JSON tells %d nodes, %d variants, %d positions", read.Nodes, len(read.Variants), len(read.Positions))
	}
	for i, p := range read.Positions {
		if r := report.Results[i]; p.Position != r.Text || p.Best != r.Best || p.Nodes != r.Nodes || p.Depth != c.Depth {
			t.Errorf("JSON tells %+v of %+v", p, r)
		}
	}
}

func TestUnknownVariant(t *testing.T) {
	for _, name := range []string{"fanorona-3x5", "chess"} { // one without positions, one that is none
		_, err := Run(Config{Variants: []string{name}})
		var unknown *UnknownVariantError
		if !errors.As(err, &unknown) {
			t.Errorf("Run of %s: %v, want an UnknownVariantError", name, err)
		}
	}
}
