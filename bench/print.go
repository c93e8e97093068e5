package bench

import (
	"encoding/json"
	"fmt"
	"strings"
)

// String is the result on one line.
func (r Result) String() string {
	return fmt.Sprintf("%3d/%d %-20s depth %2d %9d nodes %6d ms  %s  %s",
		r.Number, r.Of, r.Variant, r.Depth, r.Nodes, r.Time.Milliseconds(), r.Text, r.Best)
}

// Table is the report with a line per variant.
func (r *Report) Table() string {
	var text strings.Builder
	row := func(name string, t Total) {
		fmt.Fprintf(&text, "%-20s %11d %10d %10d\n", name, t.Nodes, t.Time.Milliseconds(), t.NPS())
	}
	fmt.Fprintf(&text, "%-20s %11s %10s %10s\n", "variant", "nodes", "time (ms)", "nps")
	names, totals := r.Variants()
	for _, name := range names {
		row(name, totals[name])
	}
	row("total", r.Total)
	return text.String()
}

// Summary is the report in the two lines that tools read.
func (r *Report) Summary() string {
	return fmt.Sprintf("Nodes searched  : %d\n%d nodes %d nps\n", r.Nodes, r.Nodes, r.NPS())
}

// figures are a Total as JSON tells it.
type figures struct {
	Nodes        uint64 `json:"nodes"`
	Milliseconds int64  `json:"ms"`
	NPS          uint64 `json:"nps"`
}

func (t Total) figures() figures { return figures{t.Nodes, t.Time.Milliseconds(), t.NPS()} }

// MarshalJSON writes the report for machines.
func (r *Report) MarshalJSON() ([]byte, error) {
	type result struct {
		Position
		figures
		Best string `json:"best"`
	}
	type variant struct {
		Variant string `json:"variant"`
		figures
	}
	report := struct {
		figures
		Variants  []variant `json:"variants"`
		Positions []result  `json:"positions"`
	}{figures: r.figures()}
	names, totals := r.Variants()
	for _, name := range names {
		report.Variants = append(report.Variants, variant{name, totals[name].figures()})
	}
	for _, p := range r.Results {
		report.Positions = append(report.Positions, result{p.Position, p.figures(), p.Best})
	}
	return json.Marshal(report)
}

// Table is the report with a line per variant.
func (r *SuiteReport) Table() string {
	var text strings.Builder
	row := func(name string, s Share) {
		fmt.Fprintf(&text, "%-20s %9d %9d %7.1f %%\n", name, s.Positions, s.Found, 100*s.Part())
	}
	fmt.Fprintf(&text, "%-20s %9s %9s %9s\n", "variant", "positions", "found", "share")
	names, shares, total := r.Shares()
	for _, name := range names {
		row(name, shares[name])
	}
	row("total", total)
	return text.String()
}

// MissedTable lists the positions missed, a line each.
func (r *SuiteReport) MissedTable() string {
	var text strings.Builder
	for _, s := range r.Missed() {
		fmt.Fprintf(&text, "missed: %s  %s  wins in %d plies: %s  played: %s\n",
			s.Variant, s.Text, s.Plies, strings.Join(s.Wins, " "), s.Best)
	}
	return text.String()
}

// MarshalJSON writes the report for machines.
func (r *SuiteReport) MarshalJSON() ([]byte, error) {
	type share struct {
		Positions int     `json:"positions"`
		Found     int     `json:"found"`
		Share     float64 `json:"share"`
	}
	type variant struct {
		Variant string `json:"variant"`
		share
	}
	type missed struct {
		Tactic
		figures
		Best string `json:"best"`
	}
	told := func(s Share) share { return share{s.Positions, s.Found, s.Part()} }
	names, shares, total := r.Shares()
	report := struct {
		share
		Variants []variant `json:"variants"`
		Missed   []missed  `json:"missed"`
	}{share: told(total), Missed: []missed{}}
	for _, name := range names {
		report.Variants = append(report.Variants, variant{name, told(shares[name])})
	}
	for _, s := range r.Missed() {
		report.Missed = append(report.Missed, missed{s.Tactic, s.figures(), s.Best})
	}
	return json.Marshal(report)
}
