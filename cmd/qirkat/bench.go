package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"qirkat/bench"
)

// benchFlags is what the command line of bench says.
type benchFlags struct {
	profiler
	config bench.Config
	suite  bool
	asJSON bool
}

func newBench() *cobra.Command {
	f := &benchFlags{config: bench.Config{Threads: 1}}
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Search fixed positions: the node count signs the search, the speed is news",
		Long: `Search fixed positions of every variant to a fixed depth, each with an empty
table. A line per position and a table per variant go to standard error, the
nodes and the speed of the whole to standard output. The number of nodes
depends on the engine alone, so it tells whether two builds search alike.

With --suite, search positions that are won by force, and print how many of
them the engine solves in a time, and those that it does not.`,
		Args: arguments(),
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.config.Variants, "variant", nil, "search the positions of the variant `NAME` only; may be repeated")
	flags.Var(number{&f.config.Depth, 1, maxDepth}, "depth", "search so many plies deep, instead of a depth for each variant or a time")
	flags.BoolVar(&f.suite, "suite", false, "search the tactics suite")
	flags.Var(thinkingTime{&f.config.MoveTime}, "movetime", fmt.Sprintf("with --suite, search each position so long: milliseconds, or with a unit as in 2s (default %v)", bench.DefaultMoveTime))
	hashFlag(cmd, &f.config.Hash)
	flags.Var(number{&f.config.Threads, 1, maxThreads}, "threads", "positions searched at the same time, each with a table of its own")
	flags.BoolVar(&f.asJSON, "json", false, "print the result as JSON")
	f.profiler.flags(cmd)
	_ = cmd.RegisterFlagCompletionFunc("variant", completeVariant)
	return cmd
}

func (f *benchFlags) run(cmd *cobra.Command, _ []string) error {
	if cmd.Flags().Changed("variant") && len(f.config.Variants) == 0 {
		return usage(`flag --variant "": want the name of a variant`)
	}
	if cmd.Flags().Changed("movetime") && !f.suite {
		return usage("flag --movetime: it goes with --suite only; here --depth limits the search")
	}
	stop, err := f.start(cmd)
	if err != nil {
		return err
	}
	defer stop()

	search := f.positions
	if f.suite {
		search = f.tactics
	}
	err = search(cmd)
	var unknown *bench.UnknownVariantError
	if errors.As(err, &unknown) {
		return &usageError{err}
	}
	return err
}

// positions searches the fixed positions.
func (f *benchFlags) positions(cmd *cobra.Command) error {
	bar := newProgress(cmd.ErrOrStderr(), "bench")
	f.config.OnBegin = bar.plan
	f.config.OnResult = func(r bench.Result) {
		bar.line(r.String())
		bar.step()
	}
	report, err := bench.Run(f.config)
	bar.finish()
	if err != nil {
		return err
	}
	_, _ = io.WriteString(cmd.ErrOrStderr(), report.Table())
	if f.asJSON {
		return writeJSON(cmd.OutOrStdout(), report)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), report.Summary())
	return err
}

// tactics searches the suites.
func (f *benchFlags) tactics(cmd *cobra.Command) error {
	bar := newProgress(cmd.ErrOrStderr(), "bench")
	f.config.OnBegin = bar.plan
	f.config.OnSolution = func(bench.Solution) { bar.step() }
	report, err := bench.RunSuite(f.config)
	bar.finish()
	if err != nil {
		return err
	}
	if f.asJSON {
		return writeJSON(cmd.OutOrStdout(), report)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), report.Table()+report.MissedTable())
	return err
}

// protocolBench is the command "bench" of the protocol, with the same flags.
func protocolBench(out, err io.Writer, args []string) error {
	cmd := newBench()
	cmd.SetArgs(args)
	cmd.SetOut(out)
	cmd.SetErr(err)
	cmd.SetFlagErrorFunc(flagError)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	return cmd.Execute()
}
