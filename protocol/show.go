package protocol

import (
	"fmt"
	"strings"

	"qirkat/eval"
	"qirkat/movegen"
)

// show carries out `d`.
func (s *Server) show(string) error {
	b := &s.board
	v := b.game.Variant()
	for line := range strings.Lines(b.game.Draw()) {
		s.out.line(strings.TrimRight(line, "\n"))
	}
	player := "p1"
	if b.game.Turn() != v.First() {
		player = "p2"
	}
	o := b.outcome()
	s.out.line("position  " + b.game.String())
	s.out.linef("key       %016x", b.game.Key())
	s.out.line("variant   " + v.Name)
	s.out.line("switches  " + inForce(v))
	s.out.linef("turn      %s (%s)", b.game.Turn(), player)
	s.out.linef("moves     %d legal", len(b.legal()))
	s.out.linef("result    %s (%s)", o.Result(v.First()), o.Reason)
	return nil
}

// inForce lists the rule switches of a variant's family with what they stand at.
func inForce(v *movegen.Variant) string {
	var list []string
	for i := range movegen.Switches {
		if w := &movegen.Switches[i]; w.Family == v.Family {
			list = append(list, w.Name+"="+w.InForce(&v.Rules))
		}
	}
	return strings.Join(list, " ")
}

// evaluate carries out `eval`.
func (s *Server) evaluate(string) error {
	g := s.board.game.Clone()
	e := eval.New(g, s.weights)
	const row = "%-28s %6v %7v %7v"
	s.out.linef(row, "feature", "count", "weight", "share")
	sum := 0
	for _, t := range e.Terms() {
		share := t.Count * t.Weight
		sum += share
		s.out.linef(row, t.Name, t.Count, t.Weight, share)
	}
	s.out.line(fmt.Sprintf(row, "sum for "+g.Turn().String(), "", "", sum))
	return nil
}
