package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"qirkat/match/process"
	"qirkat/movegen"
)

// Tournament is a tournament on this machine: a runner with its workers and
// files.
type Tournament struct {
	Config   *Config
	Schedule *Schedule
	id       string
	journal  *Journal
	games    *PGNWriter // nil: no games are kept
	resumed  bool
	records  []Record // of a tournament that was resumed
}

// ConfigError is of a configuration, an opening file or a record that is wrong;
// nothing has been changed.
type ConfigError struct{ error }

// Unwrap gives the cause.
func (e *ConfigError) Unwrap() error { return e.error }

// Begin sets up a tournament that has not been played. It reads or makes the
// openings, tries every engine, and begins the record last. Errors are
// *ConfigErrors, but for what an engine or the system refuses.
func Begin(ctx context.Context, c *Config) (*Tournament, error) {
	if err := c.Complete(); err != nil {
		return nil, &ConfigError{err}
	}
	if err := c.loadOpenings(ctx); err != nil {
		return nil, &ConfigError{err}
	}
	if c.Record != "" {
		if _, err := os.Stat(c.Record); err == nil {
			return nil, &ConfigError{fmt.Errorf("record %s: %w: --resume %s goes on with it", c.Record, ErrExists, c.Record)}
		}
	}
	t := &Tournament{Config: c, Schedule: NewSchedule(c)}
	if err := t.try(ctx); err != nil {
		return nil, err
	}
	if err := t.openGames(); err != nil {
		return nil, err
	}
	if c.Record == "" {
		return t, nil
	}
	var err error
	if t.journal, t.id, err = CreateJournal(c.Record, c); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	if t.games != nil {
		t.games.tournament = t.id
	}
	return t, nil
}

// openGames opens the PGN file, if there is to be one.
func (t *Tournament) openGames() (err error) {
	if t.Config.PGN != "" {
		t.games, err = NewPGNWriter(t.Config.PGN, t.Config.Event, t.id, t.resumed)
	}
	return err
}

// Resume goes on with the tournament of a record. Change may alter what is
// allowed to change. Errors are as those of Begin.
func Resume(ctx context.Context, path string, change func(*Running)) (*Tournament, error) {
	journal, c, id, records, err := OpenJournal(path)
	if err != nil {
		return nil, &ConfigError{err}
	}
	t := &Tournament{Config: c, id: id, journal: journal, resumed: true, records: records}
	if err := t.restore(ctx, change); err != nil {
		_ = journal.Close()
		return nil, err
	}
	return t, nil
}

func (t *Tournament) restore(ctx context.Context, change func(*Running)) error {
	change(&t.Config.Running)
	if err := t.Config.check(); err != nil {
		return &ConfigError{err}
	}
	t.Schedule = NewSchedule(t.Config)
	for _, r := range t.records {
		if _, err := t.Schedule.Add(r); err != nil {
			return &ConfigError{fmt.Errorf("record %s: %w", t.Config.Record, err)}
		}
	}
	if !t.Schedule.Done() {
		if err := t.try(ctx); err != nil {
			return err
		}
	}
	return t.openGames()
}

// try starts each engine once, where it is to run.
func (t *Tournament) try(ctx context.Context) error {
	launcher, err := process.NewLauncher()
	if err != nil {
		return err
	}
	defer launcher.Close()
	w := NewLocal(launcher, t.Config.Affinity, process.Priority(t.Config.Priority))
	defer w.Close()
	variants := t.Config.Variants
	if t.Config.Vela {
		variants = append(variants[:1:1], velaVariant)
	}
	for _, e := range t.Config.Engines {
		err := w.Try(ctx, e, variants)
		var unknown *UnknownOptionError
		var value *OptionValueError
		var place *process.PlaceError
		if errors.As(err, &unknown) || errors.As(err, &value) || errors.As(err, &place) {
			return &ConfigError{err}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Run plays what is left, see [Runner.Run].
func (t *Tournament) Run(ctx context.Context, drain <-chan struct{}, onEvent func(Event)) (finished bool, err error) {
	c := t.Config
	launcher, err := process.NewLauncher()
	if err != nil {
		return false, err
	}
	defer launcher.Close()
	r := &Runner{Config: c, Schedule: t.Schedule, Journal: t.journal, Games: t.games, OnEvent: onEvent}
	if r.Games != nil {
		for _, old := range t.records { // what a sudden end left out
			if err := r.Games.Add(old); err != nil {
				return false, err
			}
		}
	}
	for i := range c.Concurrency {
		r.Workers = append(r.Workers, NewLocal(launcher, share(c.Affinity, i, c.Concurrency), process.Priority(c.Priority)))
	}
	defer func() {
		for _, w := range r.Workers {
			w.Close()
		}
	}()
	return r.Run(ctx, drain)
}

// Close closes the record and the games.
func (t *Tournament) Close() error {
	var errs [2]error
	if t.games != nil {
		errs[0] = t.games.Close()
	}
	if t.journal != nil {
		errs[1] = t.journal.Close()
	}
	return errors.Join(errs[:]...)
}

// share is the part of the processors for one of n games at a time: as many as
// each can have, and where there are fewer than games, one in turn.
func share(cpus []int, i, n int) []int {
	if len(cpus) == 0 {
		return nil
	}
	size := max(1, len(cpus)/n)
	from := i * size % len(cpus)
	return cpus[from:min(from+size, len(cpus))]
}

// variantMark stands in the name of an opening file for the name of the variant.
const variantMark = "{variant}"

// loadOpenings reads or generates the openings of every variant.
func (c *Config) loadOpenings(ctx context.Context) error {
	o := &c.Openings
	if o.File == "" && o.Plies == 0 {
		return nil
	}
	if o.File != "" && len(c.Variants) > 1 && !strings.Contains(o.File, variantMark) {
		return fmt.Errorf("openings: file %s: there are %d variants, want %s in its name, in the place of the variant", o.File, len(c.Variants), variantMark)
	}
	c.Book = map[string][]Opening{}
	for _, text := range c.Variants {
		v, canonical, err := ParseRules(text)
		if err != nil {
			return err
		}
		var list []Opening
		if o.File == "" {
			list, err = Ballots{Plies: o.Plies, Count: o.Count, Balance: o.Balance, Seed: c.Seed}.Generate(ctx, v)
		} else {
			path := strings.ReplaceAll(o.File, variantMark, v.Name)
			if list, err = readOpeningFile(path, v, canonical, o.Plies); err != nil {
				err = fmt.Errorf("openings: %s: %w", path, err)
			}
		}
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return fmt.Errorf("openings: %s: no opening in it", o.File)
		}
		c.Book[canonical] = list
	}
	return nil
}

// readOpeningFile reads a text file, or by its name a PGN file, of whose games
// the first plies are taken.
func readOpeningFile(path string, v *movegen.Variant, rules string, plies int) ([]Opening, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	defer f.Close()
	if !strings.EqualFold(filepath.Ext(path), ".pgn") {
		return ReadOpenings(f, v)
	}
	var list []Opening
	for games := NewPGNReader(f); ; {
		g, err := games.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		r, err := g.Record(rules)
		if err != nil {
			return nil, err
		}
		if r.Variant != rules {
			return nil, fmt.Errorf("game %d is of %s, want %s", g.Number, r.Variant, rules)
		}
		o, err := r.Beginning(plies).canonical(v)
		if err != nil {
			return nil, fmt.Errorf("game %d: %w", g.Number, err)
		}
		list = append(list, o)
	}
}

// Beginning is the opening of a game and its next plies, so many in all; where
// none are wanted, the opening alone.
func (r Record) Beginning(plies int) Opening {
	o := Opening{Position: r.Opening.Position, Moves: r.Opening.Moves[:len(r.Opening.Moves):len(r.Opening.Moves)]}
	for _, p := range r.Plies {
		if len(o.Moves) < plies {
			o.Moves = append(o.Moves, p.Move)
		}
	}
	if plies > 0 && len(o.Moves) > plies {
		o.Moves = o.Moves[:plies]
	}
	return o
}
