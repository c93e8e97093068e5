package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"qirkat/match"
	"qirkat/match/process"
	"qirkat/match/stats"
)

// matchFlags is what the command line of match says.
type matchFlags struct {
	config  *match.Config
	file    string
	resume  string
	engines []string
	each    []string
	example bool
	asJSON  bool

	affinity, sprt, draw, resign string
}

// runningFlags are those that may stand beside --resume.
var runningFlags = []string{"resume", "concurrency", "affinity", "priority", "pgn", "plot", "json"}

func newMatch() *cobra.Command {
	f := &matchFlags{config: match.DefaultConfig()}
	cmd := &cobra.Command{
		Use:   "match",
		Short: "Play a tournament between engines, with our rules as the judge",
		Long: `Play a tournament between engines that speak UGI or UCI. What is to be played
is said by flags, or by a TOML file that flags change; --example prints one with
every key. Ctrl-C once finishes the games that run, twice stops at once; with a
record, --resume goes on later.`,
		Example: "  qirkat match --engine name=a,cmd=./qirkat --engine name=b,cmd=./older --each tc=1+0.01 \\\n" +
			"    --variant quirkat --plies 4 --rounds 100 --concurrency 2 --record match.jsonl\n" +
			"  qirkat match --resume match.jsonl",
		Args: arguments(),
		RunE: f.run,
	}
	flags, c := cmd.Flags(), f.config
	flags.StringVar(&f.file, "config", "", "read the TOML `FILE`")
	flags.BoolVar(&f.example, "example", false, "print a commented configuration and leave")
	flags.StringVar(&f.resume, "resume", "", "go on with the tournament of the record `FILE`")
	flags.StringArrayVar(&f.engines, "engine", nil, "an engine, `KEY=VALUE,…`, such as name=a,cmd=./a,tc=1+0.01,option.Hash=64; twice or more")
	flags.StringArrayVar(&f.each, "each", nil, "what holds for every engine that does not say otherwise, `KEY=VALUE,…`")
	flags.StringVar(&c.Event, "event", "", "name of the tournament")
	flags.Var(oneOf{&c.Kind, []string{match.RoundRobin, match.Gauntlet, match.Swiss, match.Knockout}}, "kind", "kind of tournament: round-robin, gauntlet, swiss, knockout")
	flags.StringArrayVar(&c.Variants, "variant", nil, "play the variant `NAME`, switches behind it as in 'quirkat Huffing=off'; may be repeated")
	flags.Var(number{&c.Rounds, 1, 1 << 30}, "rounds", "rounds of the tournament")
	flags.Var(number{&c.Games, 1, 1 << 30}, "games", "games of each encounter and variant in a round")
	flags.Var(number{&c.Challengers, 1, 1 << 20}, "challengers", "in a gauntlet, so many of the first engines meet all others")
	flags.BoolVar(&c.Vela, "vela", false, "play series of Fanorona with vela rounds")
	flags.BoolVar(&c.Points, "points", false, "rank by the match points of the Alquerque family")
	flags.Uint64Var(&c.Seed, "seed", c.Seed, "of the openings")
	flags.StringVar(&c.Openings.File, "openings", "", "openings from a text or PGN `FILE`")
	flags.Var(number{&c.Openings.Plies, 0, 100}, "plies", "without a file: generate openings of so many plies")
	flags.Var(number{&c.Openings.Count, 1, 1 << 30}, "count", "generate so many openings")
	flags.Var(number{&c.Openings.Balance, 1, 30000}, "balance", "generate openings within so many centipieces of an even game")
	flags.Var(oneOf{&c.Openings.Order, []string{match.OrderSequential, match.OrderRandom}}, "order", "order of the openings: sequential, random")
	flags.Var(number{&c.Concurrency, 1, 4096}, "concurrency", "games at a time")
	flags.StringVar(&f.affinity, "affinity", "", "run the engines on these processors only, shared out to the games: `LIST` such as 0,1,2")
	flags.Var(oneOf{&c.Priority, priorityWords()}, "priority", "of the engines: "+strings.Join(priorityWords(), ", "))
	flags.StringVar(&c.Record, "record", "", "keep the record in `FILE`")
	flags.StringVar(&c.PGN, "pgn", "", "append the games to the PGN `FILE`")
	flags.StringVar(&c.Plot, "plot", "", "draw pictures into `FOLDER` at the end")
	flags.StringVar(&f.sprt, "sprt", "", "end when the test is decided: `KEY=VALUE,…` with elo0, elo1, alpha, beta, model")
	flags.StringVar(&f.draw, "draw", "", "draw on agreed scores: `KEY=VALUE,…` with from, moves, score")
	flags.StringVar(&f.resign, "resign", "", "end games that both engines see decided: `KEY=VALUE,…` with from, moves, score")
	flags.Var(number{&c.Length, 1, 1 << 20}, "length", "draw games of so many plies")
	flags.StringVar(&c.Tables, "tables", "", "let endgame tables decide games: `FOLDER`, or "+match.ProgramTables+" for those of the program")
	flags.BoolVar(&f.asJSON, "json", false, "print an event a line as JSON")
	return cmd
}

func priorityWords() []string {
	var words []string
	for _, p := range process.Priorities {
		words = append(words, string(p))
	}
	return words
}

func (f *matchFlags) run(cmd *cobra.Command, _ []string) error {
	if f.example {
		_, err := io.WriteString(cmd.OutOrStdout(), match.Example)
		return err
	}
	// One signal lets the games that run finish, the second one gives them up.
	ctx, cancel := context.WithCancel(cmd.Context())
	defer cancel()
	drain := make(chan struct{})
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	defer signal.Stop(signals)
	received := make(chan os.Signal, 1)
	go func() {
		select {
		case s := <-signals:
			received <- s
			close(drain)
		case <-ctx.Done():
			return
		}
		select {
		case <-signals:
			cancel()
		case <-ctx.Done():
		}
	}()
	t, err := f.tournament(ctx, cmd)
	var wrong *match.ConfigError
	switch {
	case errors.As(err, &wrong):
		return &usageError{err}
	case err != nil:
		return err
	}
	show := newMatchDisplay(cmd, t.Config, f.asJSON)
	shown := &patience{given: ctx}
	finished, err := t.Run(ctx, drain, func(e match.Event) { shown.wait(func() { show.event(e) }) })
	shown.wait(func() { show.finish(t) })
	if err := errors.Join(err, t.Close()); err != nil {
		return err
	}
	if t.Config.Plot != "" {
		if err := drawPlots(t.Config); err != nil {
			return err
		}
	}
	select {
	case s := <-received:
		if number, ok := s.(syscall.Signal); ok && (!finished || shown.lost) {
			return &signalError{number}
		}
	default:
	}
	return nil
}

// lastWords is how long the display may take once the games are given up
// (chosen).
const lastWords = 500 * time.Millisecond

// patience waits for what is shown, which blocks where nobody reads it: for
// ever, until a context ends.
type patience struct {
	given context.Context
	lost  bool // no more is shown
}

// wait calls a function, and leaves it behind when it takes too long.
func (p *patience) wait(show func()) {
	if p.lost {
		return
	}
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		show()
	}()
	select {
	case <-shown:
		return
	case <-p.given.Done():
	}
	select {
	case <-shown:
	case <-time.After(lastWords):
		p.lost = true
	}
}

// signalError is of a command that a signal has ended.
type signalError struct{ signal syscall.Signal }

func (e *signalError) Error() string { return "stopped by a signal: " + e.signal.String() }

// tournament sets up the tournament, or goes on with one.
func (f *matchFlags) tournament(ctx context.Context, cmd *cobra.Command) (*match.Tournament, error) {
	c := f.config
	if f.resume == "" {
		if f.file != "" {
			if err := f.readFile(cmd); err != nil {
				return nil, err
			}
		}
		if err := f.parse(); err != nil {
			return nil, &usageError{err}
		}
		return match.Begin(ctx, c)
	}
	for _, flag := range changedFlags(cmd) {
		if !slices.Contains(runningFlags, flag) {
			return nil, usage("flag --%s: not with --resume, which takes all but --%s from the record", flag, strings.Join(runningFlags[1:], ", --"))
		}
	}
	if err := f.parse(); err != nil {
		return nil, &usageError{err}
	}
	return match.Resume(ctx, f.resume, func(r *match.Running) {
		changed := cmd.Flags().Changed
		if changed("concurrency") {
			r.Concurrency = c.Concurrency
		}
		if changed("affinity") {
			r.Affinity = c.Affinity
		}
		if changed("priority") {
			r.Priority = c.Priority
		}
		if changed("pgn") {
			r.PGN = c.PGN
		}
		if changed("plot") {
			r.Plot = c.Plot
		}
	})
}

// readFile reads the configuration file, and then lets the flags have the last
// word.
func (f *matchFlags) readFile(cmd *cobra.Command) error {
	typed := map[string]string{}
	for _, name := range changedFlags(cmd) {
		typed[name] = cmd.Flags().Lookup(name).Value.String()
	}
	variants := f.config.Variants
	f.config.Variants = nil
	if err := f.config.ReadFile(f.file); err != nil {
		return &usageError{err}
	}
	if variants != nil {
		f.config.Variants = variants
	}
	for name, value := range typed {
		switch name {
		case "config", "engine", "each", "variant":
			continue
		}
		if err := cmd.Flags().Set(name, value); err != nil {
			return &usageError{err}
		}
	}
	return nil
}

// parse reads the flags that are texts.
func (f *matchFlags) parse() error {
	c := f.config
	for _, text := range f.each {
		if err := c.Each.ParseEngine(text); err != nil {
			return err
		}
	}
	for _, text := range f.engines {
		var e match.Engine
		if err := e.ParseEngine(text); err != nil {
			return err
		}
		c.Engines = append(c.Engines, e)
	}
	if f.affinity != "" {
		c.Affinity = nil
		for word := range strings.SplitSeq(f.affinity, ",") {
			n, err := strconv.Atoi(word)
			if err != nil || n < 0 {
				return fmt.Errorf("flag --affinity %q: want numbers of processors, such as 0,1,2", f.affinity)
			}
			c.Affinity = append(c.Affinity, n)
		}
	}
	if f.sprt != "" {
		if c.SPRT == nil {
			c.SPRT = new(stats.SPRT)
		}
		if err := parsePairs("sprt", f.sprt, map[string]any{
			"elo0": &c.SPRT.Elo0, "elo1": &c.SPRT.Elo1, "alpha": &c.SPRT.Alpha, "beta": &c.SPRT.Beta, "model": (*string)(&c.SPRT.Model),
		}); err != nil {
			return err
		}
	}
	rule := func(r *match.ScoreRule) map[string]any {
		return map[string]any{"from": &r.From, "moves": &r.Moves, "score": &r.Score}
	}
	if f.draw != "" {
		if err := parsePairs("draw", f.draw, rule(&c.Draw)); err != nil {
			return err
		}
	}
	if f.resign != "" {
		return parsePairs("resign", f.resign, rule(&c.Resign))
	}
	return nil
}

// parsePairs reads KEY=VALUE,… into numbers and texts.
func parsePairs(flag, text string, fields map[string]any) error {
	var known []string
	for name := range fields {
		known = append(known, name)
	}
	slices.Sort(known)
	for part := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(part, "=")
		var err error
		switch field := fields[name].(type) {
		case *float64:
			*field, err = strconv.ParseFloat(value, 64)
		case *int:
			*field, err = strconv.Atoi(value)
		case *string:
			*field = value
		default:
			return fmt.Errorf("flag --%s: %q: want KEY=VALUE with %s", flag, part, strings.Join(known, ", "))
		}
		if err != nil {
			return fmt.Errorf("flag --%s: %s %q: want a number", flag, name, value)
		}
	}
	return nil
}

// matchDisplay tells what happens, as lines, as JSON, or as a live table.
type matchDisplay struct {
	config *match.Config
	out    io.Writer
	errOut io.Writer
	json   *json.Encoder // nil: for people
	live   *liveTable    // nil: no terminal
}

func newMatchDisplay(cmd *cobra.Command, c *match.Config, asJSON bool) *matchDisplay {
	d := &matchDisplay{config: c, out: cmd.OutOrStdout(), errOut: cmd.ErrOrStderr()}
	if asJSON {
		d.json = json.NewEncoder(d.out)
		d.json.SetEscapeHTML(false)
		return d
	}
	if isTerminal(cmd.ErrOrStderr()) {
		d.live = newLiveTable(cmd.ErrOrStderr(), c)
	}
	return d
}

// linesPerScore is after how many games the score is printed where there is no
// terminal (chosen).
const linesPerScore = 10

func (d *matchDisplay) event(e match.Event) {
	if d.json != nil {
		_ = d.json.Encode(e)
		return
	}
	switch e.Event {
	case match.EventGame:
		if d.live != nil {
			d.live.update(e)
			return
		}
		d.say("%s\n", match.GameLine(*e.Record, e.Played, e.Known))
		if short := e.Standing.Short(d.config); short != "" && e.Played%linesPerScore == 0 {
			d.say("%s\n", short)
		}
	case match.EventFault:
		d.complain("%s", match.FaultReport(*e.Record))
	case match.EventClaim:
		d.complain("%s disagrees with the judge at the end of game %s: %s\n", e.Note.Engine, e.ID, e.Note.Text)
	case match.EventStopping:
		d.complain("No more games begin, those that run are finished.\n")
	}
}

func (d *matchDisplay) say(format string, args ...any) { _, _ = fmt.Fprintf(d.out, format, args...) }

// complain writes to standard error, above the live table.
func (d *matchDisplay) complain(format string, args ...any) {
	out := d.errOut
	if d.live != nil {
		out = d.live.above()
	}
	_, _ = fmt.Fprintf(out, format, args...)
}

// finish prints the result.
func (d *matchDisplay) finish(t *match.Tournament) {
	if d.live != nil {
		d.live.finish()
	}
	if d.json == nil {
		d.say("%s", t.Schedule.Standings().Report(t.Config))
	}
}
