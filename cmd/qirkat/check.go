package main

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qirkat/match"
	"qirkat/match/check"
)

// checkFlags is what the command line of check says.
type checkFlags struct {
	config      check.Config
	options     []string
	all, asJSON bool
}

func newCheck() *cobra.Command {
	f := &checkFlags{config: check.Config{
		Protocol: match.ProtocolAuto, Games: 3, Timeout: 5 * time.Second, Margin: 100 * time.Millisecond,
	}}
	cmd := &cobra.Command{
		Use:   "check ENGINE [ARGUMENT…]",
		Short: "Check whether an engine keeps the protocol and our rules",
		Long: `Check an engine for UGI or UCI: handshake, options, searches, stop, the end of
its input, positions where the game is over, illegal moves, and in random games
its moves and answers, which are compared with our rules. A line for each item,
and the transcript of those that failed. The exit code is 0 when all passed.`,
		Example: "  qirkat check ./myengine --variant quirkat\n  qirkat check -- python3 engine.py",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("ENGINE is missing")
			}
			return nil
		},
		RunE: f.run,
	}
	flags, c := cmd.Flags(), &f.config
	flags.Var(oneOf{&c.Protocol, []string{match.ProtocolUGI, match.ProtocolUCI, match.ProtocolAuto}}, "protocol", "ugi, uci, or auto, which tries UGI first")
	flags.StringArrayVar(&c.Variants, "variant", nil, "check the variant `NAME`, switches behind it; may be repeated; else all that the engine declares")
	flags.StringArrayVar(&f.options, "option", nil, "set an option of the engine, `NAME=VALUE`; may be repeated")
	flags.StringArrayVar(&c.Items, "item", nil, "check the item `NAME` only, after the handshake; may be repeated")
	flags.Var(number{&c.Games, 1, 100000}, "games", "random games of each variant")
	flags.Var(thinkingTime{&c.Timeout}, "timeout", "time for each answer")
	flags.Var(thinkingTime{&c.Margin}, "margin", "time that a move may take above its movetime")
	flags.BoolVar(&f.all, "transcript", false, "print the transcripts of all items")
	flags.BoolVar(&f.asJSON, "json", false, "print an item a line as JSON")
	_ = cmd.RegisterFlagCompletionFunc("variant", completeVariant)
	return cmd
}

func (f *checkFlags) run(cmd *cobra.Command, args []string) error {
	c := f.config
	c.Command, c.Args, c.Options = args[0], args[1:], map[string]string{}
	for _, o := range f.options {
		name, value, found := strings.Cut(o, "=")
		if !found || name == "" {
			return usage("flag --option %q: want NAME=VALUE", o)
		}
		c.Options[name] = value
	}
	for i, text := range c.Variants {
		_, canonical, err := match.ParseRules(text)
		if err != nil {
			return &usageError{err}
		}
		c.Variants[i] = canonical
	}
	var items []string
	for _, i := range check.Items() {
		items = append(items, i[0])
	}
	for _, name := range c.Items {
		if !slices.Contains(items, name) {
			return usage("flag --item %q: want %s", name, strings.Join(items, ", "))
		}
	}
	lines := json.NewEncoder(cmd.OutOrStdout())
	passed, err := check.Run(cmd.Context(), c, func(r check.Result) {
		if f.asJSON {
			_ = lines.Encode(r)
			return
		}
		check.Print(cmd.OutOrStdout(), r, f.all)
	})
	if err != nil {
		return err
	}
	if !passed {
		return errors.New("not all items passed")
	}
	return nil
}
