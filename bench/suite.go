package bench

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"qirkat/engine"
	"qirkat/movegen"
)

//go:embed testdata/suite/*.tsv
var suiteFiles embed.FS

// suiteFile is the file of a variant, with slashes.
func suiteFile(variant string) string { return "testdata/suite/" + variant + ".tsv" }

// suiteHeader is the first line of such a file.
const suiteHeader = "position\tplies\twins\n"

// Tactic is a row of a suite: a position that the side to move wins by force.
type Tactic struct {
	Variant string   `json:"variant"`
	Text    string   `json:"position"`
	Plies   int      `json:"plies"` // to the end of the game, by best play of both sides
	Wins    []string `json:"wins"`  // all moves that win so soon, as canonical text
}

// Suite reads the suites of all variants, in the order of the table of variants.
func Suite() ([]Tactic, error) {
	var list []Tactic
	for _, name := range movegen.VariantNames() {
		text, err := suiteFiles.ReadFile(suiteFile(name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		rows, err := parseSuite(name, string(text))
		if err != nil {
			return nil, err
		}
		list = append(list, rows...)
	}
	return list, nil
}

// parseSuite reads the suite of a variant.
func parseSuite(variant, text string) (list []Tactic, err error) {
	body, found := strings.CutPrefix(text, suiteHeader)
	if !found {
		return nil, fmt.Errorf("%s: line 1: want %q", suiteFile(variant), suiteHeader)
	}
	for i, line := range strings.Split(strings.TrimSpace(body), "\n") {
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s: line %d: got %d cells, want position, plies and wins", suiteFile(variant), i+2, len(cells))
		}
		plies, err := strconv.Atoi(cells[1])
		if err != nil || plies < 1 {
			return nil, fmt.Errorf("%s: line %d: plies %q, want a number from 1", suiteFile(variant), i+2, cells[1])
		}
		list = append(list, Tactic{variant, cells[0], plies, strings.Fields(cells[2])})
	}
	return list, nil
}

// DefaultMoveTime is the time for a position of a suite.
const DefaultMoveTime = 100 * time.Millisecond

// Solution is the search of a position of a suite.
type Solution struct {
	Tactic
	Best  string // the move found
	Found bool   // whether it is one of the wins
	Total
}

// SuiteReport is a finished run of a suite.
type SuiteReport struct{ Solutions []Solution }

// Share counts the positions of which a win was found.
type Share struct{ Positions, Found int }

// Part is the share as a part of 1; of no positions it is 0.
func (s Share) Part() float64 { return float64(s.Found) / float64(max(1, s.Positions)) }

// RunSuite searches the positions of the suites of c.Variants, each with an
// empty table, to c.Depth and for c.MoveTime: for DefaultMoveTime when c limits
// neither.
func RunSuite(c Config) (*SuiteReport, error) {
	limits := engine.Limits{Depth: c.Depth, MoveTime: c.MoveTime, HasMoveTime: c.MoveTime > 0}
	if c.Depth == 0 && c.MoveTime == 0 {
		limits.MoveTime, limits.HasMoveTime = DefaultMoveTime, true
	}
	all, err := Suite()
	if err != nil {
		return nil, err
	}
	tactics, err := chosen(all, func(t Tactic) string { return t.Variant }, c.Variants)
	if err != nil {
		return nil, err
	}
	report := &SuiteReport{make([]Solution, len(tactics))}
	err = c.each(len(tactics), func(e *engine.Engine, i int) {
		t := tactics[i]
		best, total := search(e, Position{Variant: t.Variant, Text: t.Text}, limits)
		report.Solutions[i] = Solution{t, best, slices.Contains(t.Wins, best), total}
	}, func(i int) {
		if c.OnSolution != nil {
			c.OnSolution(report.Solutions[i])
		}
	})
	if err != nil {
		return nil, err
	}
	return report, nil
}

// Shares counts by variant, in the order of the positions, and all together.
func (r *SuiteReport) Shares() (names []string, shares map[string]Share, total Share) {
	shares = map[string]Share{}
	for _, s := range r.Solutions {
		if !slices.Contains(names, s.Variant) {
			names = append(names, s.Variant)
		}
		was := shares[s.Variant]
		shares[s.Variant] = was.with(s.Found)
		total = total.with(s.Found)
	}
	return names, shares, total
}

func (s Share) with(found bool) Share {
	s.Positions++
	if found {
		s.Found++
	}
	return s
}

// Missed are the positions of which no win was found.
func (r *SuiteReport) Missed() []Solution {
	missed := []Solution{}
	for _, s := range r.Solutions {
		if !s.Found {
			missed = append(missed, s)
		}
	}
	return missed
}
