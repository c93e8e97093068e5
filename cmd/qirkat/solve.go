package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qirkat/movegen"
	"qirkat/solve"
	"qirkat/tablebase"
)

// solveFlags is what the command line of solve says.
type solveFlags struct {
	start
	tableFolder
	claim, out              string
	threads, memory, pieces int
	time                    time.Duration
}

func newSolve() *cobra.Command {
	f := &solveFlags{threads: runtime.NumCPU(), memory: max(1, defaultMemory()*2/3), claim: string(solve.Value)}
	cmd := &cobra.Command{
		Use:   "solve VARIANT",
		Short: "Prove the value of a position by proof-number search",
		Long: `Search for a proof that a side wins a position, or cannot win it, and check what
is found with a slow, independent move generator. The search asks the endgame
tables. A claim such as white-wins is proven, or its contrary is. A search that is
stopped goes on from where it was when it is started again, if it has a file.`,
		Example: "  qirkat solve fanorona-5x3\n  qirkat solve alquerque --fen '2b2/1b1b1/b3w/1w1w1/2ww1 w - 0 11' --claim black-draws --out proof\n  qirkat solve check proof",
		Args:    arguments("VARIANT"),
		RunE:    f.run,
	}
	f.start.flags(cmd)
	f.tableFolder.flags(cmd, "; those that the program has are used too")
	flags := cmd.Flags()
	var words []string
	for _, c := range solve.Claims {
		words = append(words, string(c))
	}
	flags.Var(oneOf{&f.claim, words}, "claim", "prove this `CLAIM`, or its contrary: "+strings.Join(words, ", "))
	flags.Var(number{&f.pieces, 2, tablebase.MaxPieces}, "pieces", "look positions of up to `N` pieces up, and no larger ones")
	flags.Var(number{&f.threads, 1, maxThreads}, "threads", "search with so many threads")
	flags.Var(number{&f.memory, 1, 1 << 20}, "memory", "`GIB` of memory for the table of the search")
	flags.Var(thinkingTime{&f.time}, "time", "stop after so long: milliseconds, or with a unit as in 10m")
	flags.Var(text{&f.out, "the name of a file"}, "out", "write the certificate into `FILE`")
	cmd.AddCommand(newSolveCheck())
	return cmd
}

func (f *solveFlags) run(cmd *cobra.Command, args []string) error {
	v, err := f.rules(args[0])
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	if f.time > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, f.time)
		defer cancel()
	}
	out := cmd.ErrOrStderr()
	told := time.Now()
	bar := newRate(out, "solve check", "positions")
	o, err := solve.Solve(ctx, solve.Config{
		Variant: v, Position: f.fen, Claim: solve.Claim(f.claim), Dir: f.folder, Path: f.out,
		Threads: f.threads, Memory: int64(f.memory) << 30, Pieces: f.pieces,
		OnRefused: func(err error) { _, _ = fmt.Fprintln(out, err) },
		OnProgress: func(p solve.Progress) {
			if isTerminal(out) || time.Since(told) > progressEvery {
				told = time.Now()
				tellProgress(out, p)
			}
		},
		OnCheck: func() (plan, checked func(int)) { return bar.plan, bar.add },
	})
	bar.finish()
	if err != nil {
		return solveError(out, err, f)
	}
	return f.print(cmd.OutOrStdout(), o)
}

// progressEvery is how often a line of progress is written where there is no
// terminal.
const progressEvery = 30 * time.Second

func tellProgress(out io.Writer, p solve.Progress) {
	text := fmt.Sprintf("%s wins? proof %d, disproof %d, ", p.Attacker, p.Proof, p.Disproof)
	if p.Done+p.Todo > 0 {
		text = fmt.Sprintf("%s wins? %d positions of the certificate, %d to look at, ", p.Attacker, p.Done, p.Todo)
	}
	_, _ = fmt.Fprintf(out, "%s%d nodes in %.0f s\n", text, p.Nodes, p.Took.Seconds())
}

// solveError makes wrong use of what was refused, and says what a time limit or
// a signal means.
func solveError(out io.Writer, err error, f *solveFlags) error {
	var wrong *movegen.TextError
	var stopped *signalError
	switch {
	case errors.Is(err, context.DeadlineExceeded) && f.out == "":
		return fmt.Errorf("not decided after %v: give it more --time", f.time)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("not decided after %v: start it again to go on", f.time)
	case errors.As(err, &wrong):
		return &usageError{err}
	case errors.As(err, &stopped) && f.out != "":
		_, _ = fmt.Fprintln(out, "stopped: start it again to go on")
	}
	return tableError(err)
}

func (f *solveFlags) print(out io.Writer, o *solve.Outcome) error {
	var text strings.Builder
	switch {
	case f.claim == string(solve.Value):
	case o.Holds:
		text.WriteString("yes: ")
	default:
		text.WriteString("no: ")
	}
	fmt.Fprintf(&text, "%s\n", valueText(o.Report))
	fmt.Fprintf(&text, "%s, checked; %d nodes in %.1f s\n", proofsText(o.Report), o.Nodes, o.Took.Seconds())
	if f.out != "" {
		fmt.Fprintf(&text, "%s: %d bytes\n", f.out, o.Bytes)
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// valueText is what was proven.
func valueText(r *solve.Report) string {
	if r.Plies > 0 {
		return fmt.Sprintf("%s in %s at most", r.Value(), plural(r.Plies, "ply", "plies"))
	}
	return r.Value()
}

// proofsText tells by what it was proven.
func proofsText(r *solve.Report) string {
	var parts []string
	for _, p := range r.Proofs {
		parts = append(parts, fmt.Sprintf("%s by %s", p.Claim, plural(p.Positions, "position", "positions")))
	}
	text := strings.Join(parts, ", ")
	if r.Pieces > 0 {
		text += fmt.Sprintf(" and tables of up to %d pieces", r.Pieces)
	}
	return text
}

func newSolveCheck() *cobra.Command {
	f := new(tableFolder)
	threads := runtime.NumCPU()
	cmd := &cobra.Command{
		Use:   "check FILE",
		Short: "Check a certificate with a slow, independent move generator",
		Long: `Check a certificate that solve has written: every position of it, with a second
move generator that shares nothing with the one that the search used. The tables
that it names must be there; tb verify verifies those.`,
		Example: "  qirkat solve check proof",
		Args:    arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			bar := newRate(cmd.ErrOrStderr(), "solve check", "positions")
			r, err := solve.Check(ctx, solve.CheckConfig{
				Path: args[0], Dir: f.folder, Threads: threads, OnPlan: bar.plan, OnPositions: bar.add,
			})
			bar.finish()
			if err != nil {
				return tableError(err)
			}
			return printReport(cmd.OutOrStdout(), r)
		},
	}
	f.flags(cmd, "; those that the program has are used too")
	cmd.Flags().Var(number{&threads, 1, maxThreads}, "threads", "positions checked at the same time")
	return cmd
}

func printReport(out io.Writer, r *solve.Report) error {
	_, err := fmt.Fprintf(out, "%s: %s\n%s\n%s\nfound with %d nodes in %.1f s\n",
		movegen.RulesText(r.Variant, r.Options), r.Position, valueText(r), proofsText(r), r.Nodes, r.Seconds)
	return err
}
