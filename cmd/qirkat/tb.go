package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/mem"
	"github.com/spf13/cobra"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// newTb is the group of commands for endgame tables; each has a file of its
// own, or shares one with its like.
func newTb() *cobra.Command {
	cmd := &cobra.Command{
		Use:                   "tb COMMAND",
		Short:                 "Build, verify and read endgame tables",
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			var names []string
			for _, c := range cmd.Commands() {
				names = append(names, c.Name())
			}
			if len(args) == 0 {
				return usage("COMMAND is missing, want one of %v", names)
			}
			return usage("unknown command %q, did you mean %q?", movegen.Shorten(args[0]), movegen.Nearest(args[0], names))
		},
	}
	cmd.AddCommand(newTbBuild(), newTbInfo(), newTbLine(), newTbProbe(), newTbStats(), newTbVerify())
	return cmd
}

// tbBuildFlags is what the command line of tb build says.
type tbBuildFlags struct {
	start
	tableCount
	material, out   string
	threads, memory int
}

// tableCount is how far tables go: in pieces, or in seeds.
type tableCount struct{ pieces, seeds int }

func (c *tableCount) flags(cmd *cobra.Command, help string) {
	cmd.Flags().Var(number{&c.pieces, 2, tablebase.MaxPieces}, "pieces", help+" with up to `N` pieces")
	cmd.Flags().Var(number{&c.seeds, 1, tablebase.MaxSeeds}, "seeds", help+" of Al-manqala with up to `N` seeds on the board")
}

// of gives the number that belongs to a variant, 0 if there is none.
func (c *tableCount) of(v *movegen.Variant) (int, error) {
	switch {
	case v.Family == movegen.Manqala && c.pieces > 0:
		return 0, usage("flag --pieces: %s has seeds, want --seeds", v.Name)
	case v.Family != movegen.Manqala && c.seeds > 0:
		return 0, usage("flag --seeds: %s has pieces, want --pieces", v.Name)
	}
	return max(c.pieces, c.seeds), nil
}

func newTbBuild() *cobra.Command {
	f := &tbBuildFlags{threads: runtime.NumCPU(), memory: defaultMemory()}
	cmd := &cobra.Command{
		Use:   "build VARIANT",
		Short: "Compute tables and write them into a folder",
		Long: `Compute what best play makes of every position with few pieces, or few seeds,
and write it into a folder. Tables that are there already are kept, so a build
that was stopped goes on when it is started again.`,
		Example: "  qirkat tb build alquerque --pieces 6 --out tables\n  qirkat tb build quirkat --option Huffing=off --pieces 5 --out tables\n  qirkat tb build al-manqala --seeds 9 --out tables",
		Args:    arguments("VARIANT"),
		RunE:    f.run,
	}
	f.rulesFlags(cmd)
	f.tableCount.flags(cmd, "positions")
	flags := cmd.Flags()
	flags.Var(text{&f.material, "numbers of pieces such as 4-3"}, "material", "only the positions of `A-B` pieces, such as 4-3, and those that they lead to")
	flags.Var(number{&f.threads, 1, maxThreads}, "threads", "places computed at the same time")
	flags.Var(number{&f.memory, 1, 1 << 20}, "memory", "`GIB` of memory that may be used")
	flags.Var(text{&f.out, "the name of a folder"}, "out", "write the tables into `FOLDER`")
	return cmd
}

// defaultMemory is three quarters of the memory of the machine, in GiB.
func defaultMemory() int {
	m, err := mem.VirtualMemory()
	if err != nil {
		return 1
	}
	return max(1, int(m.Total/4*3>>30))
}

func (f *tbBuildFlags) run(cmd *cobra.Command, args []string) error {
	v, err := f.rules(args[0])
	if err != nil {
		return err
	}
	n, err := f.tableCount.of(v)
	switch {
	case err != nil:
		return err
	case f.material != "" && v.Family == movegen.Manqala:
		return usage("flag --material: %s has seeds, want --seeds", v.Name)
	case f.material != "" && n > 0:
		return usage("flags --pieces and --material: want one of them")
	case n == 0 && v.Family == movegen.Manqala:
		return usage("flag --seeds is missing, want --seeds N")
	case n == 0 && f.material == "":
		return usage("flag --pieces is missing, want --pieces N")
	case f.out == "":
		return usage("flag --out is missing, want --out FOLDER")
	}
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	bar := newRate(cmd.ErrOrStderr(), "tb build", "places")
	places := 0
	begin := time.Now()
	err = tablebase.Build(ctx, tablebase.Config{
		Variant: v, Count: n, Material: f.material, Dir: f.out, Threads: f.threads, Memory: int64(f.memory) << 30,
		OnPlan: bar.plan, OnPlaces: bar.add,
		OnTable: func(r tablebase.Report) {
			if !r.Found {
				places += r.Places
			}
			bar.line(tableLine(r))
		},
	})
	bar.finish()
	if err != nil {
		return tableError(err)
	}
	took := time.Since(begin)
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d places in %.1f s, %.0f a second\n", places, took.Seconds(), perSecond(uint64(places), took))
	return err
}

// tableLine tells of a table that is there.
func tableLine(r tablebase.Report) string {
	if r.Found {
		return fmt.Sprintf("%s %s: there already", r.Rules, r.Material)
	}
	return fmt.Sprintf("%s %s: %d places, %d stored, longest %d plies, %.1f KiB, %.1f s",
		r.Rules, r.Material, r.Places, r.Stored, r.Longest, float64(r.Bytes)/1024, r.Took.Seconds())
}

// tableError makes wrong use of what the tables refuse.
func tableError(err error) error {
	var refusal *tablebase.RefusalError
	if errors.As(err, &refusal) {
		return &usageError{err}
	}
	return err
}

// untilSignal is a context that the signals to end the program end.
func untilSignal(parent context.Context) (ctx context.Context, stop func()) {
	if parent == nil {
		parent = context.Background()
	}
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case s := <-signals:
			if s, ok := s.(syscall.Signal); ok {
				cancel(&signalError{s})
			}
		case <-ctx.Done():
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
