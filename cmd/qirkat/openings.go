package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"qirkat/match"
)

func newOpenings() *cobra.Command {
	var s start
	b := match.Ballots{Plies: 2, Seed: 1}
	cmd := &cobra.Command{
		Use:   "openings VARIANT",
		Short: "Generate openings for a tournament",
		Long: `Generate openings: every sequence of so many plies, one of those that lead to
the same position or to its mirror image, none that ends the game; all of them,
or so many by chance. The lines are those of an opening file for qirkat match.`,
		Example: "  qirkat openings fanorona-dimy --plies 4 --count 100 --balance 50",
		Args:    arguments("VARIANT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			v, err := s.rules(args[0])
			if err != nil {
				return err
			}
			list, err := b.Generate(cmd.Context(), v)
			if err != nil {
				return &usageError{err}
			}
			out := cmd.OutOrStdout()
			_, _ = fmt.Fprintf(out, "# %s: %s of %s\n", v.Name, plural(len(list), "opening", "openings"), plural(b.Plies, "ply", "plies"))
			for _, o := range list {
				_, _ = fmt.Fprintln(out, o)
			}
			return nil
		},
	}
	flags := cmd.Flags()
	flags.Var(number{&b.Plies, 0, 100}, "plies", "plies of each opening")
	flags.Var(number{&b.Count, 1, 1 << 30}, "count", "so many of them, chosen by the seed")
	flags.Var(number{&b.Balance, 1, 30000}, "balance", "only those that a search scores within so many centipieces of an even game")
	flags.Uint64Var(&b.Seed, "seed", b.Seed, "of the choice and the order")
	flags.StringArrayVar(&s.options, "option", nil, optionHelp)
	cmd.ValidArgsFunction = completeVariant
	return cmd
}
