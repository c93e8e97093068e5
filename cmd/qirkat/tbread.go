package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
)

// tableFolder is where a command finds tables.
type tableFolder struct{ folder string }

func (t *tableFolder) flags(cmd *cobra.Command, more string) {
	cmd.Flags().Var(text{&t.folder, "the name of a folder"}, "tables", "read the tables in `FOLDER`, where tb build wrote them"+more)
}

// tbVerifyFlags is what the command line of tb verify says.
type tbVerifyFlags struct {
	start
	tableCount
	tableFolder
	threads, sample int
}

func newTbVerify() *cobra.Command {
	f := &tbVerifyFlags{threads: runtime.NumCPU()}
	cmd := &cobra.Command{
		Use:   "verify VARIANT",
		Short: "Recompute the values of tables with a slow, independent move generator",
		Long: `Recompute every value, or a sample, from those of the positions that one move
leads to. The moves come from a second move generator, written from the rule
book and sharing nothing with the one that built the tables.`,
		Example: "  qirkat tb verify alquerque --tables tables --pieces 5",
		Args:    arguments("VARIANT"),
		RunE:    f.run,
	}
	f.rulesFlags(cmd)
	f.tableCount.flags(cmd, "verify the tables")
	f.tableFolder.flags(cmd, "")
	cmd.Flags().Var(number{&f.sample, 1, 1 << 40}, "sample", "verify about `N` places of each table only")
	cmd.Flags().Var(number{&f.threads, 1, maxThreads}, "threads", "places verified at the same time")
	return cmd
}

func (f *tbVerifyFlags) run(cmd *cobra.Command, args []string) error {
	v, err := f.rules(args[0])
	if err != nil {
		return err
	}
	n, err := f.tableCount.of(v)
	if err != nil {
		return err
	}
	if f.folder == "" {
		return usage("flag --tables is missing, want --tables FOLDER")
	}
	ctx, stop := untilSignal(cmd.Context())
	defer stop()
	bar := newRate(cmd.ErrOrStderr(), "tb verify", "places")
	begin := time.Now()
	checked, err := tablebase.Verify(ctx, tablebase.VerifyConfig{
		Variant: v, Dir: f.folder, Count: n, Threads: f.threads, Sample: f.sample,
		OnPlan: bar.plan, OnPlaces: bar.add,
	})
	bar.finish()
	if err != nil {
		return tableError(err)
	}
	took := time.Since(begin)
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d places verified in %.1f s, %.0f a second\n", checked, took.Seconds(), perSecond(uint64(checked), took))
	return err
}

func newTbInfo() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "info FILE",
		Short:   "Print what a table file says of itself",
		Example: "  qirkat tb info tables/alquerque-5x5/3-2.wdl",
		Args:    arguments("FILE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			h, err := tablebase.ReadHeader(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				return writeJSON(cmd.OutOrStdout(), h)
			}
			return printHeader(cmd.OutOrStdout(), h)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printHeader(out io.Writer, h *tablebase.Header) error {
	lines := [][2]string{
		{"rules", h.Rules},
		{"built for", movegen.RulesText(h.Variant, h.Options)},
		{"material", h.Material},
		{"kind", string(h.Kind)},
		{"state", h.State},
		{"places", fmt.Sprintf("%d, %d stored", h.Places, h.Stored)},
		{"positions", strconv.Itoa(h.Positions)},
		{"wins", share(h.Wins, h.Positions)},
		{"draws", share(h.Draws, h.Positions)},
		{"losses", share(h.Losses, h.Positions)},
		{"longest", fmt.Sprintf("%d plies: %s", h.Longest, h.LongestAt)},
	}
	for _, l := range lines {
		if l[1] == "" {
			continue
		}
		if _, err := fmt.Fprintf(out, "%-9s  %s\n", l[0], l[1]); err != nil {
			return err
		}
	}
	return nil
}

func share(n, of int) string { return fmt.Sprintf("%d, %.2f %%", n, percent(n, of)) }

func percent(n, of int) float64 { return 100 * float64(n) / float64(max(of, 1)) }

func newTbStats() *cobra.Command {
	return &cobra.Command{
		Use:     "stats FOLDER",
		Short:   "Print a line for every table of a folder, and sums",
		Example: "  qirkat tb stats tables",
		Args:    arguments("FOLDER"),
		RunE: func(cmd *cobra.Command, args []string) error {
			list, refused, err := tablebase.ReadHeaders(args[0])
			if err != nil {
				return err
			}
			for _, r := range refused {
				_, _ = fmt.Fprintln(cmd.ErrOrStderr(), r)
			}
			if len(list) == 0 {
				return usage("%s: no tables there, want a folder that tb build wrote", args[0])
			}
			return printStats(cmd.OutOrStdout(), list)
		},
	}
}

// printStats prints a table of tables: a line each, and a sum for each rules.
func printStats(out io.Writer, list []tablebase.Header) error {
	const format = "%-24s %8s %13s %13s %7s %7s %7s %8s  %s\n"
	var text strings.Builder
	fmt.Fprintf(&text, format, "rules", "material", "positions", "stored", "win %", "draw %", "loss %", "longest", "position")
	line := func(rules, material string, stored int, c tablebase.Counts) {
		fmt.Fprintf(&text, format, rules, material, strconv.Itoa(c.Positions), strconv.Itoa(stored),
			fmt.Sprintf("%.2f", percent(c.Wins, c.Positions)), fmt.Sprintf("%.2f", percent(c.Draws, c.Positions)),
			fmt.Sprintf("%.2f", percent(c.Losses, c.Positions)), strconv.Itoa(c.Longest), c.LongestAt)
	}
	var sum tablebase.Counts
	stored := 0
	for i, h := range list {
		if i > 0 && list[i-1].Rules == h.Rules && list[i-1].Material == h.Material {
			continue // the same table in another kind
		}
		line(h.Rules, h.Material, h.Stored, h.Counts)
		sum.Positions, sum.Wins = sum.Positions+h.Positions, sum.Wins+h.Wins
		sum.Draws, sum.Losses = sum.Draws+h.Draws, sum.Losses+h.Losses
		stored += h.Stored
		if h.Longest > sum.Longest {
			sum.Longest, sum.LongestAt = h.Longest, h.LongestAt
		}
		last := i + 1
		for last < len(list) && list[last].Rules == h.Rules && list[last].Material == h.Material {
			last++
		}
		if last == len(list) || list[last].Rules != h.Rules {
			line(h.Rules, "all", stored, sum)
			sum, stored = tablebase.Counts{}, 0
		}
	}
	_, err := io.WriteString(out, text.String())
	return err
}

// tbProbeFlags is what the command lines of tb probe and tb line say.
type tbProbeFlags struct {
	start
	tableFolder
	plies int
}

func newTbProbe() *cobra.Command {
	f := new(tbProbeFlags)
	cmd := &cobra.Command{
		Use:     "probe VARIANT FEN",
		Short:   "Look a position up, and each of its moves",
		Example: "  qirkat tb probe alquerque '5/5/2b2/5/1w1w1 w - 0 1'",
		Args:    arguments("VARIANT", "FEN"),
		RunE:    f.probe,
	}
	f.rulesFlags(cmd)
	f.tableFolder.flags(cmd, "; those that the program has are used too")
	return cmd
}

// open opens the tables of a variant and sets a position up.
func (f *tbProbeFlags) open(cmd *cobra.Command, args []string) (movegen.Game, *tablebase.Tables, error) {
	v, err := f.rules(args[0])
	if err != nil {
		return nil, nil, err
	}
	g := games.New(v)
	if err := g.Set(args[1]); err != nil {
		return nil, nil, &usageError{err}
	}
	if err := tablebase.CheckFolder(f.folder); err != nil {
		return nil, nil, usage("flag --tables: %w", err)
	}
	t, refused, err := tablebase.Open(f.folder, v)
	if err != nil {
		return nil, nil, tableError(err)
	}
	for _, r := range refused {
		_, _ = fmt.Fprintln(cmd.ErrOrStderr(), r)
	}
	if t.Empty() {
		_ = t.Close()
		return nil, nil, usage("no tables of these rules, want --tables FOLDER with those that tb build wrote")
	}
	return g, t, nil
}

// look prints what tell makes of the tables' answer to a position.
func (f *tbProbeFlags) look(cmd *cobra.Command, args []string, tell func(movegen.Game, *tablebase.Prober, tablebase.Answer) (string, error)) error {
	g, t, err := f.open(cmd, args)
	if err != nil {
		return err
	}
	defer func() { _ = t.Close() }()
	p := t.NewProber()
	a, err := p.Probe(g)
	if err != nil {
		return probeError(err)
	}
	text, err := tell(g, p, a)
	if err != nil {
		return probeError(err)
	}
	_, err = io.WriteString(cmd.OutOrStdout(), text)
	return err
}

func (f *tbProbeFlags) probe(cmd *cobra.Command, args []string) error {
	return f.look(cmd, args, func(g movegen.Game, p *tablebase.Prober, a tablebase.Answer) (string, error) {
		list, err := p.Choices(g)
		if err != nil {
			return "", err
		}
		var text strings.Builder
		fmt.Fprintln(&text, answerText(g, a))
		if limit := g.Variant().Quiet; limit > 0 && a.Result != tablebase.Draw && p.QuietCount(g)+a.Plies >= limit {
			fmt.Fprintf(&text, "but %d plies without a capture end the game: the table does not count them\n", limit)
		}
		for _, c := range list {
			fmt.Fprintf(&text, "%s: %s\n", g.Text(c.Move), answerText(g, c.Answer))
		}
		return text.String(), nil
	})
}

// answerText says what the tables say.
func answerText(g movegen.Game, a tablebase.Answer) string {
	if g.Variant().Family == movegen.Manqala {
		return fmt.Sprintf("%s by %+d", a.Result, a.Difference)
	}
	return a.Value.String()
}

func probeError(err error) error {
	if errors.Is(err, tablebase.ErrNoTable) {
		return &usageError{err}
	}
	return err
}

func newTbLine() *cobra.Command {
	f := &tbProbeFlags{plies: 300}
	cmd := &cobra.Command{
		Use:     "line VARIANT FEN",
		Short:   "Print a best line from a position to the end",
		Example: "  qirkat tb line alquerque '5/5/2b2/5/1w1w1 w - 0 1'",
		Args:    arguments("VARIANT", "FEN"),
		RunE:    f.line,
	}
	f.rulesFlags(cmd)
	f.tableFolder.flags(cmd, "; those that the program has are used too")
	cmd.Flags().Var(number{&f.plies, 1, 1000}, "plies", "end after so many plies")
	return cmd
}

func (f *tbProbeFlags) line(cmd *cobra.Command, args []string) error {
	return f.look(cmd, args, func(g movegen.Game, p *tablebase.Prober, a tablebase.Answer) (string, error) {
		line, err := p.Line(g, f.plies)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%s: %s\n", answerText(g, a), strings.Join(texts(g, line), " ")), nil
	})
}
