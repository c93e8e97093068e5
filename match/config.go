package match

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"qirkat/match/process"
	"qirkat/match/stats"
	"qirkat/movegen"
)

// Config is a tournament. It is read from a TOML file and the command line,
// and stands at the head of the record.
type Config struct {
	Event       string   `toml:"event" json:"event,omitempty"`
	Kind        string   `toml:"kind" json:"kind"`
	Variants    []string `toml:"variants" json:"variants"` // with switches behind the names
	Rounds      int      `toml:"rounds" json:"rounds"`
	Games       int      `toml:"games" json:"games"` // of an encounter and variant in a round
	Challengers int      `toml:"challengers" json:"challengers,omitempty"`
	Vela        bool     `toml:"vela" json:"vela,omitempty"`
	Points      bool     `toml:"points" json:"points,omitempty"`
	Seed        uint64   `toml:"seed" json:"seed"`

	Each     Engine        `toml:"each" json:"-"`
	Engines  []Engine      `toml:"engine" json:"engines"`
	Openings OpeningConfig `toml:"openings" json:"openings,omitzero"`
	Adjudication
	SPRT *stats.SPRT `toml:"sprt" json:"sprt,omitempty"`

	Running

	// Book are the openings, by variant: those of the file, or generated.
	Book map[string][]Opening `toml:"-" json:"book,omitempty"`
}

// Running is what may change when a tournament goes on.
type Running struct {
	Concurrency int    `toml:"concurrency" json:"concurrency"`
	Affinity    []int  `toml:"affinity" json:"affinity,omitempty"` // processors, shared out to the games
	Priority    string `toml:"priority" json:"priority,omitempty"`
	Record      string `toml:"record" json:"-"`
	PGN         string `toml:"pgn" json:"pgn,omitempty"`
	Plot        string `toml:"plot" json:"plot,omitempty"` // a folder
}

// OpeningConfig says where openings come from.
type OpeningConfig struct {
	File  string `toml:"file" json:"file,omitempty"`   // text, or PGN by the end of its name
	Plies int    `toml:"plies" json:"plies,omitempty"` // generated ballots, or how much of a PGN game
	Count int    `toml:"count" json:"count,omitempty"` // ballots; 0: all
	// Balance keeps the ballots that a search scores within so many centipieces
	// of an even game; 0: all.
	Balance int    `toml:"balance" json:"balance,omitempty"`
	Order   string `toml:"order" json:"order,omitempty"` // sequential, random
}

// defaultError is how often a test may err either way (customary).
const defaultError = 0.05

// The orders of openings.
const (
	OrderSequential = "sequential"
	OrderRandom     = "random"
)

// Example is a commented configuration file that can be run as it is.
//
//go:embed example.toml
var Example string

// DefaultConfig is a configuration with what holds where nothing else is said.
func DefaultConfig() *Config {
	margin := defaultMargin
	return &Config{
		Kind: RoundRobin, Rounds: 1, Games: 2, Challengers: 1, Seed: 1,
		Each: Engine{
			Protocol: ProtocolAuto, Restart: RestartFault, Timeout: defaultTimeout,
			Limits: Limits{Margin: &margin, Guard: defaultGuard},
		},
		Openings: OpeningConfig{Order: OrderSequential},
		Running:  Running{Concurrency: 1},
	}
}

// ReadFile reads a TOML file into the configuration. The error says where.
func (c *Config) ReadFile(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	d := toml.NewDecoder(strings.NewReader(string(text))).DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return fmt.Errorf("%s: %w", path, at(err))
	}
	return nil
}

// at adds the place in the file to an error of the decoder.
func at(err error) error {
	var (
		unknown *toml.StrictMissingError
		wrong   *toml.DecodeError
	)
	switch {
	case errors.As(err, &unknown):
		first := unknown.Errors[0]
		line, _ := first.Position()
		return fmt.Errorf("line %d: unknown key %q; qirkat match --example shows them all", line, strings.Join(first.Key(), "."))
	case errors.As(err, &wrong):
		line, column := wrong.Position()
		return fmt.Errorf("line %d, column %d: %w", line, column, err)
	}
	return err
}

// engineKey is a key of an engine on the command line.
type engineKey struct {
	name string
	set  func(e *Engine, value string) error
}

func textKey(name string, field func(*Engine) *string) engineKey {
	return engineKey{name, func(e *Engine, v string) error {
		*field(e) = v
		return nil
	}}
}

func listKey(name string, field func(*Engine) *[]string) engineKey {
	return engineKey{name, func(e *Engine, v string) error {
		*field(e) = append(*field(e), v)
		return nil
	}}
}

func durationKey(name string, field func(*Engine) *Duration) engineKey {
	return engineKey{name, func(e *Engine, v string) error { return field(e).UnmarshalText([]byte(v)) }}
}

// engineKeys are the keys of --engine and --each, besides option.NAME.
var engineKeys = []engineKey{
	textKey("name", func(e *Engine) *string { return &e.Name }),
	textKey("cmd", func(e *Engine) *string { return &e.Command }),
	listKey("arg", func(e *Engine) *[]string { return &e.Args }),
	textKey("dir", func(e *Engine) *string { return &e.Dir }),
	listKey("env", func(e *Engine) *[]string { return &e.Env }),
	textKey("protocol", func(e *Engine) *string { return &e.Protocol }),
	textKey("restart", func(e *Engine) *string { return &e.Restart }),
	durationKey("timeout", func(e *Engine) *Duration { return &e.Timeout }),
	{"tc", func(e *Engine, v string) error { return e.TC.UnmarshalText([]byte(v)) }},
	durationKey("movetime", func(e *Engine) *Duration { return &e.MoveTime }),
	{"nodes", func(e *Engine, v string) (err error) {
		e.Nodes, err = strconv.ParseUint(v, 10, 63)
		return wantNumber("nodes", v, err)
	}},
	{"depth", func(e *Engine, v string) (err error) {
		e.Depth, err = strconv.Atoi(v)
		return wantNumber("depth", v, err)
	}},
	{"margin", func(e *Engine, v string) error {
		e.Margin = new(Duration)
		return e.Margin.UnmarshalText([]byte(v))
	}},
	durationKey("guard", func(e *Engine) *Duration { return &e.Guard }),
}

func wantNumber(name, value string, err error) error {
	if err != nil || value == "0" {
		return fmt.Errorf("%s %q: want a whole number from 1", name, value)
	}
	return nil
}

// ParseEngine reads an engine from the command line: key=value, joined by
// commas; a comma in a value is written "\,".
func (e *Engine) ParseEngine(text string) error {
	if !utf8.ValidString(text) {
		return fmt.Errorf("engine: %q: want text in UTF-8", text)
	}
	for _, part := range splitCommas(text) {
		key, value, found := strings.Cut(part, "=")
		if !found {
			return fmt.Errorf("engine: %q: want key=value with %s", part, engineKeyNames())
		}
		if err := e.set(strings.TrimSpace(key), value); err != nil {
			return fmt.Errorf("engine: %w", err)
		}
	}
	return nil
}

func (e *Engine) set(key, value string) error {
	if name, ok := strings.CutPrefix(key, "option."); ok && name != "" {
		if e.Options == nil {
			e.Options = map[string]Text{}
		}
		e.Options[name] = Text(value)
		return nil
	}
	for _, k := range engineKeys {
		if k.name == key {
			return k.set(e, value)
		}
	}
	return fmt.Errorf("unknown key %q, want %s", key, engineKeyNames())
}

func engineKeyNames() string {
	var names []string
	for _, k := range engineKeys {
		names = append(names, k.name)
	}
	return strings.Join(append(names, "option.NAME"), ", ")
}

func splitCommas(text string) []string {
	var parts []string
	var part strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ',':
			part.WriteByte(',')
			i++
		case text[i] == ',':
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteByte(text[i])
		}
	}
	return append(parts, part.String())
}

// Text is the value of an option; in a file it may be a number or true.
type Text string

// UnmarshalText takes any text.
func (t *Text) UnmarshalText(text []byte) error {
	*t = Text(text)
	return nil
}

// over fills what an engine does not say from what is said of each.
func (e Engine) over(each Engine) Engine {
	fill := func(own *string, base string) {
		if *own == "" {
			*own = base
		}
	}
	fill(&e.Command, each.Command)
	fill(&e.Dir, each.Dir)
	fill(&e.Protocol, each.Protocol)
	fill(&e.Restart, each.Restart)
	if e.Args == nil {
		e.Args = each.Args
	}
	e.Env = append(slices.Clone(each.Env), e.Env...)
	if e.Timeout == 0 {
		e.Timeout = each.Timeout
	}
	e.Limits = e.Limits.over(each.Limits)
	options := map[string]Text{}
	for _, from := range []map[string]Text{each.Options, e.Options} {
		for name, value := range from {
			options[name] = value
		}
	}
	e.Options = options
	return e
}

func (c *Config) names() []string {
	var names []string
	for _, e := range c.Engines {
		names = append(names, e.Name)
	}
	return names
}

// openings are those of a variant.
func (c *Config) openings(variant string) *Openings {
	return &Openings{List: c.Book[variant], Shuffle: c.Openings.Order == OrderRandom, Seed: c.Seed}
}

// Complete fills in what follows from what is said, and checks all of it. The
// error names what is wrong and what would be right. It reads no openings.
func (c *Config) Complete() error {
	if len(c.Engines) < 2 {
		return fmt.Errorf("%d engines: want two or more", len(c.Engines))
	}
	if len(c.Variants) == 0 {
		c.Variants = []string{movegen.Variants[0].Name}
		if c.Vela {
			c.Variants[0] = "fanorona"
		}
	}
	for i := range c.Engines {
		c.Engines[i] = c.Engines[i].over(c.Each)
		if err := c.Engines[i].complete(); err != nil {
			return fmt.Errorf("engine %d: %w", i+1, err)
		}
	}
	for i, e := range c.Engines {
		if slices.Index(c.names(), e.Name) != i {
			return fmt.Errorf("engine %d: name %q: another one has it too", i+1, e.Name)
		}
	}
	for i, text := range c.Variants {
		v, canonical, err := ParseRules(text)
		switch {
		case err != nil:
			return err
		case slices.Contains(c.Variants[:i], canonical):
			return fmt.Errorf("variant %q: it is there twice", canonical)
		case c.Vela && (!isFanorona(v) || len(c.Variants) > 1):
			return fmt.Errorf("vela: the variant is %s, want fanorona alone", strings.Join(c.Variants, ", "))
		case c.Points && v.Family != movegen.Alquerque:
			return fmt.Errorf("points: %s has no match points, the Alquerque family has", v.Name)
		}
		c.Variants[i] = canonical
	}
	return c.check()
}

func (e *Engine) complete() error {
	if e.Command == "" {
		return errors.New("no cmd: want the program of the engine")
	}
	if e.Name == "" {
		e.Name = strings.TrimSuffix(filepath.Base(e.Command), ".exe")
	}
	if strings.ContainsAny(e.Name, "\"\\\n\r") {
		return fmt.Errorf("name %q: want one without quotes and backslashes", e.Name)
	}
	if !slices.Contains([]string{ProtocolUGI, ProtocolUCI, ProtocolAuto}, e.Protocol) {
		return fmt.Errorf("protocol %q: want ugi, uci, auto", e.Protocol)
	}
	if !slices.Contains([]string{RestartFault, RestartAlways, RestartNever}, e.Restart) {
		return fmt.Errorf("restart %q: want %s, %s, %s", e.Restart, RestartFault, RestartAlways, RestartNever)
	}
	for _, v := range e.Env {
		if !strings.Contains(v, "=") {
			return fmt.Errorf("env %q: want NAME=value", v)
		}
	}
	if e.Depth < 0 {
		return fmt.Errorf("depth %d: want a whole number from 1", e.Depth)
	}
	if !e.limited() {
		return errors.New("no limit: want tc, movetime, nodes or depth")
	}
	// A path is meant from here, not from the working folder of the engine.
	if strings.ContainsAny(e.Command, "/\\") {
		path, err := filepath.Abs(e.Command)
		if err != nil {
			return err
		}
		e.Command = path
	}
	return nil
}

// check looks at the numbers and words of the tournament.
func (c *Config) check() error {
	atLeast := func(name string, n, least int) error {
		if n < least {
			return fmt.Errorf("%s %d: want a whole number from %d", name, n, least)
		}
		return nil
	}
	kinds := []string{RoundRobin, Gauntlet, Swiss, Knockout}
	if !slices.Contains(kinds, c.Kind) {
		return fmt.Errorf("kind %q: want %s", c.Kind, strings.Join(kinds, ", "))
	}
	if o := c.Openings.Order; o != OrderSequential && o != OrderRandom {
		return fmt.Errorf("openings: order %q: want %s, %s", o, OrderSequential, OrderRandom)
	}
	if p := process.Priority(c.Priority); p != "" && !slices.Contains(process.Priorities, p) {
		return fmt.Errorf("priority %q: want idle, low, normal, high", c.Priority)
	}
	if c.Plot != "" && c.Record == "" {
		return errors.New("plot: want a record too, from which the pictures are drawn")
	}
	if c.PGN != "" && c.Record != "" && samePlace(c.PGN, c.Record) {
		return fmt.Errorf("pgn %s: it is the file of the record too, want another one", c.PGN)
	}
	if c.Kind == Gauntlet && c.Challengers >= len(c.Engines) {
		return fmt.Errorf("challengers %d: want fewer than the %d engines", c.Challengers, len(c.Engines))
	}
	if c.SPRT != nil {
		switch {
		case len(c.Engines) != 2:
			return fmt.Errorf("sprt: %d engines, want two", len(c.Engines))
		case c.Vela:
			return errors.New("sprt: the rounds of a vela series are no pairs on one opening, want it without vela")
		}
		t := c.SPRT
		t.Alpha, t.Beta = cmp.Or(t.Alpha, defaultError), cmp.Or(t.Beta, defaultError)
		t.Model = cmp.Or(t.Model, stats.Normalized)
		if err := t.Check(); err != nil {
			return err
		}
	}
	return cmp.Or(
		checkTables(c.Tables),
		atLeast("rounds", c.Rounds, 1), atLeast("games", c.Games, 1), atLeast("challengers", c.Challengers, 1),
		atLeast("concurrency", c.Concurrency, 1), atLeast("length", c.Length, 0),
		atLeast("openings: plies", c.Openings.Plies, 0), atLeast("openings: count", c.Openings.Count, 0),
		atLeast("openings: balance", c.Openings.Balance, 0),
		atLeast("draw: moves", c.Draw.Moves, 0), atLeast("draw: score", c.Draw.Score, 0),
		atLeast("resign: moves", c.Resign.Moves, 0), atLeast("resign: score", c.Resign.Score, 0),
	)
}

// samePlace reports whether two paths lead to one file, which need not be there
// yet.
func samePlace(a, b string) bool {
	a, b = destination(a), destination(b)
	infoA, errA := os.Stat(a)
	infoB, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(infoA, infoB)
	}
	if runtime.GOOS == "linux" {
		return a == b
	}
	return strings.EqualFold(a, b) // file systems there mostly take no notice of case
}

// maxLinks is how many links behind one another are followed (as Linux does).
const maxLinks = 40

// destination is where a path leads, also by links to a file that is not there.
func destination(path string) string {
	for range maxLinks {
		target, err := os.Readlink(path)
		if err != nil {
			break
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	if folder, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
		path = filepath.Join(folder, filepath.Base(path))
	}
	return path
}
