package main

import (
	"errors"
	"io"

	"github.com/spf13/cobra"

	"qirkat/bench"
)

// benchFlags is what the command line of bench says.
type benchFlags struct {
	profiler
	config bench.Config
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
depends on the engine alone, so it tells whether two builds search alike.`,
		Args: arguments(),
		RunE: f.run,
	}
	flags := cmd.Flags()
	flags.StringSliceVar(&f.config.Variants, "variant", nil, "search the positions of the variant `NAME` only; may be repeated")
	flags.Var(number{&f.config.Depth, 1, maxDepth}, "depth", "search so many plies deep, instead of a depth for each variant")
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
	stop, err := f.start(cmd)
	if err != nil {
		return err
	}
	defer stop()

	var bar *progress
	f.config.OnBegin = func(positions int) { bar = newProgress(cmd.ErrOrStderr(), positions, "bench") }
	f.config.OnResult = func(r bench.Result) {
		bar.line(r.String())
		bar.step()
	}
	report, err := bench.Run(f.config)
	if err != nil {
		var unknown *bench.UnknownVariantError
		if errors.As(err, &unknown) {
			return &usageError{err}
		}
		return err
	}
	bar.finish()
	_, _ = io.WriteString(cmd.ErrOrStderr(), report.Table())
	if f.asJSON {
		return writeJSON(cmd.OutOrStdout(), report)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), report.Summary())
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
