package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"qirkat/match"
)

// pgnFlags is what the command line of pgn says.
type pgnFlags struct {
	variant string
	to      string
	plies   int
}

// pgnFormats are what convert can write.
var pgnFormats = []string{"pgn", "json", "openings"}

func newPGN() *cobra.Command {
	f := &pgnFlags{to: pgnFormats[1]}
	cmd := &cobra.Command{
		Use:   "pgn check|stats|convert FILE",
		Short: "Check, count or convert games in a PGN file",
		Long: `Read the games of a PGN file and replay them with our rules; files of qirkat
match and of the UGI manager cutegames are understood. FILE - is standard input.

  check    names every game that does not hold: an illegal move, a wrong result
  stats    counts the results, for each two engines and in all
  convert  writes the games as JSON, as PGN, or as opening lines (--to)`,
		Example: "  qirkat pgn check match.pgn\n  qirkat pgn convert games.pgn --variant quirkat --to pgn",
		Args:    arguments("check|stats|convert", "FILE"),
		RunE:    f.run,
	}
	flags := cmd.Flags()
	flags.Var(text{&f.variant, "the name of a variant"}, "variant", "variant of games that do not say it, `NAME`, switches behind it")
	flags.Var(oneOf{&f.to, pgnFormats}, "to", "what convert writes: pgn, json, openings")
	flags.Var(number{&f.plies, 1, 1000}, "plies", "length of openings that convert writes")
	_ = cmd.RegisterFlagCompletionFunc("variant", completeVariant)
	return cmd
}

func (f *pgnFlags) run(cmd *cobra.Command, args []string) error {
	use, known := map[string]func(*cobra.Command, *gameFile) error{
		"check": f.check, "stats": f.stats, "convert": f.convert,
	}[args[0]]
	if !known {
		return usage("%q: want check, stats or convert", args[0])
	}
	if f.variant != "" {
		if _, _, err := match.ParseRules(f.variant); err != nil {
			return &usageError{err}
		}
	}
	in := io.NopCloser(cmd.InOrStdin())
	if args[1] != "-" {
		file, err := os.Open(args[1])
		if err != nil {
			return err
		}
		in = file
	}
	defer in.Close()
	return use(cmd, &gameFile{reader: match.NewPGNReader(in), rules: f.variant})
}

// gameFile is a file of games.
type gameFile struct {
	reader *match.PGNReader
	rules  string
}

// next is the next game. It gives io.EOF at the end; wrong says what does not
// hold in a game after which others can be read.
func (g *gameFile) next() (r match.Record, game *match.PGNGame, wrong, err error) {
	game, err = g.reader.Next()
	if err != nil {
		return r, nil, nil, err
	}
	r, wrong = game.Record(g.rules)
	return r, game, wrong, nil
}

func (f *pgnFlags) check(cmd *cobra.Command, games *gameFile) error {
	read, bad := 0, 0
	for {
		_, _, wrong, err := games.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("after %s: %w", plural(read, "game", "games"), err)
		}
		read++
		if wrong != nil {
			bad++
			_, _ = fmt.Fprintln(cmd.OutOrStdout(), wrong)
		}
	}
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s, %d wrong\n", plural(read, "game", "games"), bad)
	if bad > 0 {
		return fmt.Errorf("%d of %s do not hold", bad, plural(read, "game", "games"))
	}
	return nil
}

func (f *pgnFlags) stats(cmd *cobra.Command, games *gameFile) error {
	var records []match.Record
	var names []string
	for {
		r, _, wrong, err := games.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err := cmp.Or(err, wrong); err != nil {
			return err
		}
		r.Plies = nil
		records = append(records, r)
		for _, n := range r.Players {
			if !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	slices.Sort(names)
	s := match.NewStandings(names)
	for _, r := range records {
		s.Add(r)
	}
	_, _ = io.WriteString(cmd.OutOrStdout(), s.Report(match.DefaultConfig()))
	return nil
}

func (f *pgnFlags) convert(cmd *cobra.Command, games *gameFile) error {
	out := cmd.OutOrStdout()
	lines := json.NewEncoder(out)
	written := map[string]bool{} // openings
	for {
		r, game, wrong, err := games.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err := cmp.Or(err, wrong); err != nil {
			return err
		}
		switch f.to {
		case "json":
			err = lines.Encode(r)
		case "openings":
			if line := r.Beginning(f.plies).String(); !written[line] {
				written[line] = true
				_, err = fmt.Fprintln(out, line)
			}
		default:
			var text string
			if text, err = match.FormatPGN(r, game.Tag("Event"), ""); err == nil {
				_, err = io.WriteString(out, text)
			}
		}
		if err != nil {
			return err
		}
	}
}
