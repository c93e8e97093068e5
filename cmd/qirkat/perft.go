package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"qirkat/movegen"
)

// perftFlags is what the command line of perft says.
type perftFlags struct {
	start
	profiler
	divide, bulk bool
	threads      int
}

func newPerft() *cobra.Command {
	f := &perftFlags{threads: 1}
	cmd := &cobra.Command{
		Use:   "perft VARIANT DEPTH",
		Short: "Count the legal turns to a depth, and how fast that goes",
		Long: `Count the turns that are legal from a position on, to an exact depth in plies.
Without --bulk each turn of the last ply is made and unmade; with it they are
only counted.`,
		Example: "  qirkat perft alquerque 10\n  qirkat perft quirkat 8 --option Huffing=off --divide",
		Args:    arguments("VARIANT", "DEPTH"),
		RunE:    f.run,
	}
	f.start.flags(cmd)
	cmd.Flags().BoolVar(&f.divide, "divide", false, "print the count of each first move")
	cmd.Flags().BoolVar(&f.bulk, "bulk", false, "count the moves of the last ply without making them")
	cmd.Flags().Var(number{&f.threads, 1, maxThreads}, "threads", "lines of play counted at the same time")
	f.profiler.flags(cmd)
	return cmd
}

func (f *perftFlags) run(cmd *cobra.Command, args []string) error {
	var depth int
	if err := (number{&depth, 0, 99}).Set(args[1]); err != nil {
		return usage("DEPTH %w", err)
	}
	g, err := f.game(args[0])
	if err != nil {
		return err
	}
	stop, err := f.profiler.start(cmd)
	if err != nil {
		return err
	}
	defer stop()

	begin := time.Now()
	c := newCount(g, depth, f.bulk, f.threads)
	bar := newProgress(cmd.ErrOrStderr(), "perft")
	bar.plan(len(c.lines))
	c.run(f.threads, bar.step)
	bar.finish()
	return c.print(cmd.OutOrStdout(), f.divide, time.Since(begin))
}

// count is a perft cut into lines of play, which workers take one by one.
type count struct {
	game  movegen.Game
	depth int
	bulk  bool
	roots []movegen.Move
	lines []line
}

// line is the beginning of the plays that one worker counts at a time.
type line struct {
	root  int // its first move, as a place in the list of moves
	moves []movegen.Move
	nodes uint64
}

// newCount cuts the tree into enough lines to keep the workers busy until the
// end, and leaves them at least two plies to count.
func newCount(g movegen.Game, depth int, bulk bool, threads int) *count {
	const linesPerThread = 64 // chosen
	c := &count{game: g, depth: depth, bulk: bulk}
	if depth == 0 {
		return c
	}
	c.roots = g.Moves(nil)
	for i, m := range c.roots {
		c.lines = append(c.lines, line{root: i, moves: []movegen.Move{m}})
	}
	for ply := 1; ply < depth-2 && len(c.lines) > 0 && len(c.lines) < linesPerThread*threads; ply++ {
		c.lengthen()
	}
	return c
}

// lengthen puts in the place of each line all that go on from it by one move.
func (c *count) lengthen() {
	var longer []line
	for _, l := range c.lines {
		c.play(c.game, l)
		for _, m := range c.game.Moves(nil) {
			longer = append(longer, line{root: l.root, moves: append(slices.Clone(l.moves), m)})
		}
		c.takeBack(c.game, l)
	}
	c.lines = longer
}

func (c *count) play(g movegen.Game, l line) {
	for _, m := range l.moves {
		g.Make(m)
	}
}

func (c *count) takeBack(g movegen.Game, l line) {
	for range l.moves {
		g.Unmake()
	}
}

// run counts every line, with so many workers; step is called after each.
func (c *count) run(threads int, step func()) {
	perft := movegen.Perft
	if c.bulk {
		perft = movegen.PerftBulk
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(threads, len(c.lines)) {
		g := c.game.Clone()
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(c.lines)); i = next.Add(1) - 1 {
				l := &c.lines[i]
				c.play(g, *l)
				l.nodes = perft(g, c.depth-len(l.moves))
				c.takeBack(g, *l)
				step()
			}
		})
	}
	workers.Wait()
}

// print writes the counts and the speed.
func (c *count) print(out io.Writer, divide bool, took time.Duration) error {
	nodes := make([]uint64, len(c.roots))
	var total uint64
	if c.depth == 0 {
		total = 1
	}
	for _, l := range c.lines {
		nodes[l.root] += l.nodes
		total += l.nodes
	}
	if divide && len(c.roots) > 0 {
		var counts []string
		for i, m := range c.roots {
			counts = append(counts, fmt.Sprintf("%s: %d\n", c.game.Text(m), nodes[i]))
		}
		slices.Sort(counts)
		if _, err := fmt.Fprintln(out, strings.Join(counts, "")); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(out, "Nodes searched: %d\n%d nodes in %.3f s, %.0f nps\n", total, total, took.Seconds(), perSecond(total, took))
	return err
}

// perSecond is a speed; a time too short to measure counts as a microsecond.
func perSecond(nodes uint64, took time.Duration) float64 {
	return float64(nodes) / max(took, time.Microsecond).Seconds()
}
