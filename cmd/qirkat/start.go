package main

import (
	"strings"

	"github.com/spf13/cobra"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
)

// start is where a command begins: a variant with its switches, and a position.
type start struct {
	fen     string
	options []string
}

func (s *start) flags(cmd *cobra.Command) {
	cmd.Flags().Var(text{&s.fen, "a position text"}, "fen", "begin with the position `TEXT`")
	s.rulesFlags(cmd)
}

// rulesFlags are those of a command that needs rules and no position.
func (s *start) rulesFlags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&s.options, "option", nil, optionHelp)
	cmd.ValidArgsFunction = completeVariant
}

const optionHelp = "set a rule switch, `NAME=VALUE`, such as Huffing=off; may be repeated"

// completeVariant tells the shell the variants.
func completeVariant(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return movegen.VariantNames(), cobra.ShellCompDirectiveNoFileComp
}

// rules is a variant with the switches set.
func (s *start) rules(variant string) (*movegen.Variant, error) {
	v, err := movegen.FindVariant(variant)
	if err != nil {
		return nil, &usageError{err}
	}
	for _, o := range s.options {
		if v, err = withOption(v, o); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// game sets up the position of a variant.
func (s *start) game(variant string) (movegen.Game, error) {
	v, err := s.rules(variant)
	if err != nil {
		return nil, err
	}
	g := games.New(v)
	if s.fen != "" {
		if err := g.Set(s.fen); err != nil {
			return nil, &usageError{err}
		}
	}
	return g, nil
}

// withOption is the variant with a switch set as Name=Value says.
func withOption(v *movegen.Variant, option string) (*movegen.Variant, error) {
	var known []string
	for _, s := range movegen.Switches {
		if s.Family == v.Family {
			known = append(known, s.Name)
		}
	}
	name, value, found := strings.Cut(option, "=")
	if !found {
		return nil, usage("option %q: want Name=Value, such as %s=%s", option, known[0], movegen.DefaultValue)
	}
	s, ok := movegen.FindSwitch(name)
	if !ok {
		return nil, usage("unknown option %q, did you mean %q?", name, movegen.Nearest(name, known))
	}
	if s.Family != v.Family {
		return nil, usage("option %s: not a switch of %s, which has %s", s.Name, v.Name, strings.Join(known, ", "))
	}
	value, err := s.Canonical(value)
	if err != nil {
		return nil, &usageError{err}
	}
	return v.With(s, value), nil
}

// evaluation makes of games of one variant what a search needs: the evaluation of
// the variant, and the endgame tables that the program has of it.
type evaluation struct {
	weights *eval.Weights
	tables  *tablebase.Tables // nil: none
}

func newEvaluation(v *movegen.Variant) evaluation {
	e := evaluation{weights: eval.Default(v)}
	if t, _, err := tablebase.Open("", v); err == nil && !t.Empty() {
		e.tables = t
	}
	return e
}

func (e evaluation) of(g movegen.Game) engine.Game {
	evaluated := engine.Game{Position: g, Evaluator: eval.New(g, e.weights)}
	if e.tables != nil {
		evaluated.Tables = e.tables.NewProber().Player(g, tablebase.MaxSeeds)
	}
	return evaluated
}

// hashFlag adds the size of the transposition table to a command.
func hashFlag(cmd *cobra.Command, hash *int) {
	*hash = defaultHash
	cmd.Flags().Var(number{hash, 1, maxHash}, "hash", "size of the transposition table in MiB")
}

const (
	defaultHash = 16    // MiB
	maxHash     = 65536 // MiB
	maxDepth    = 100   // plies, of a search; more than any reaches
	maxThreads  = 1024  // chosen
)
