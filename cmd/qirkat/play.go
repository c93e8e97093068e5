package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/strength"
)

// playFlags is what the command line of play says.
type playFlags struct {
	start
	side  string
	level level
	hash  int
}

func newPlay() *cobra.Command {
	f := &playFlags{side: sideWords[0], level: oneSecond}
	cmd := &cobra.Command{
		Use:   "play VARIANT",
		Short: "Play against the engine in the terminal",
		Long: `Play against the engine. Type a move, or its beginning where that is enough to
tell it apart, or a command; "help" lists them. On a terminal Tab completes.`,
		Example: "  qirkat play alquerque\n  qirkat play fanorona --side second --level 3s\n  qirkat play quirkat --level novice",
		Args:    arguments("VARIANT"),
		RunE:    f.run,
	}
	f.start.flags(cmd)
	flags := cmd.Flags()
	side := oneOf{&f.side, sideWords}
	flags.Var(side, "side", "side that you play: "+side.Wants())
	flags.Var(&f.level, "level", "how well the engine plays: a depth in plies (5), a time (500ms, 3s), or "+strings.Join(weakNames(), ", "))
	hashFlag(cmd, &f.hash)
	return cmd
}

func (f *playFlags) run(cmd *cobra.Command, args []string) error {
	g, err := f.game(args[0])
	if err != nil {
		return err
	}
	e, err := engine.New(f.hash)
	if err != nil {
		return err
	}
	m := &session{game: g, engine: e, evaluation: newEvaluation(g.Variant()), level: f.level, number: rand.Uint64(), out: cmd.OutOrStdout()}
	m.seat(f.side)
	m.in = newLineReader(cmd.InOrStdin(), m.out, m.complete)
	defer m.in.close()
	return m.play()
}

// sideWords are the sides that a person can play.
var sideWords = []string{"first", "second", "white", "black", "both", "none"}

// level is how well the engine plays: it is a flag and a command.
type level struct {
	engine.Limits
	weak strength.Level // without a name: not at all
}

var oneSecond = level{Limits: engine.Limits{MoveTime: time.Second, HasMoveTime: true}}

// weakNames are the named levels with a handicap.
func weakNames() []string {
	var names []string
	for _, l := range strength.Levels {
		if l.Handicap != nil {
			names = append(names, strings.ToLower(l.Name))
		}
	}
	return names
}

func (l *level) String() string {
	switch {
	case l.weak.Name != "":
		return strings.ToLower(l.weak.Name)
	case l.HasMoveTime:
		return l.MoveTime.String()
	}
	return strconv.Itoa(l.Depth)
}

// Set reads a depth in plies, a time with a unit, or the name of a level.
func (l *level) Set(text string) error {
	if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= maxDepth {
		*l = level{Limits: engine.Limits{Depth: n}}
		return nil
	}
	if t, err := time.ParseDuration(text); err == nil && t > 0 {
		*l = level{Limits: engine.Limits{MoveTime: t, HasMoveTime: true}}
		return nil
	}
	for _, named := range strength.Levels {
		if named.Handicap != nil && strings.EqualFold(named.Name, text) {
			*l = level{Limits: oneSecond.Limits, weak: named}
			return nil
		}
	}
	return fmt.Errorf("level %q: want %s", text, l.Wants())
}

// Type is the word for the value in help.
func (*level) Type() string { return "LEVEL" }

// Wants says what would be right.
func (*level) Wants() string {
	return fmt.Sprintf("a depth from 1 to %d plies, a time, or a name, such as 5, 2s or %s", maxDepth, weakNames()[0])
}

// words say what the level means.
func (l *level) words() string {
	switch {
	case l.weak.Name != "":
		return "like a " + l.String()
	case l.HasMoveTime:
		return l.MoveTime.String() + " a move"
	}
	return plural(l.Depth, "ply", "plies") + " deep"
}

// session is a game between a person and the engine.
type session struct {
	game   movegen.Game
	engine *engine.Engine
	evaluation
	level    level
	number   uint64  // of the game, by which a weak engine plays another one each time
	person   [2]bool // the sides that the person plays
	played   []movegen.Side
	resigned bool // by the side to move
	leaving  bool
	unsaid   error // of writing, which ends the session
	in       lineReader
	out      io.Writer
	texts    []string // of the legal moves, once they were needed
}

// seat gives the person a side.
func (m *session) seat(word string) {
	first := m.game.Variant().First()
	side := map[string]movegen.Side{"white": movegen.White, "black": movegen.Black, "first": first, "second": first.Other()}
	m.person = [2]bool{word == "both", word == "both"}
	if s, one := side[word]; one {
		m.person[s] = true
	}
}

// play lets the sides move in turn until the person leaves, or until the end
// of the game where no person plays.
func (m *session) play() error {
	m.say("%s. Type help for the commands.\n", m.seating())
	shown := ""
	for !m.leaving {
		over := m.over()
		if position := m.game.String(); position != shown {
			m.say("\n%s\n", m.game.Draw())
			shown = position
			switch {
			case over:
				m.tellEnd()
			case m.person[m.game.Turn()]:
				m.tellTurn()
			}
		}
		switch {
		case over && m.person == [2]bool{}:
			return nil
		case !over && !m.person[m.game.Turn()]:
			m.think()
			continue
		}
		line, err := m.in.read(m.prompt())
		if errors.Is(err, io.EOF) {
			m.say("Goodbye.\n")
			return nil
		}
		if err != nil {
			return err
		}
		m.obey(line)
	}
	return m.unsaid
}

func (m *session) over() bool { return m.resigned || m.game.Outcome().Over() }

func (m *session) say(format string, args ...any) {
	if _, err := fmt.Fprintf(m.out, format, args...); err != nil {
		m.unsaid, m.leaving = fmt.Errorf("standard output: %w", err), true
	}
}

// prompt names whose turn it is.
func (m *session) prompt() string {
	if m.over() {
		return "over> "
	}
	return m.game.Turn().String() + "> "
}

// obey carries out a command or plays a move.
func (m *session) obey(line string) {
	words := strings.Fields(line)
	if len(words) == 0 {
		return
	}
	for _, c := range playCommands() {
		if strings.EqualFold(c.name, words[0]) {
			c.run(m, words[1:])
			return
		}
	}
	if m.over() {
		m.say("The game is over. You can take turns back with undo, or leave with quit.\n")
		return
	}
	if len(words) > 1 {
		m.say("%q is no command; a move is one word. Type help for the commands.\n", words[0])
		return
	}
	move, err := m.find(words[0])
	if err != nil {
		m.say("%v.\n", err)
		return
	}
	m.say("%s\n", m.describe(move))
	m.makeMove(move)
}

// find reads a move, or the beginning of one.
func (m *session) find(word string) (movegen.Move, error) {
	move, err := m.game.Find(word)
	if err == nil {
		return move, nil
	}
	const most = 8 // moves that a message names
	fits := withPrefix(m.legal(), word)
	switch {
	case len(fits) == 1:
		return m.game.Find(fits[0])
	case len(fits) > 1:
		named := strings.Join(fits[:min(most, len(fits))], ", ")
		return move, fmt.Errorf("%d moves begin with %s, such as %s", len(fits), word, named)
	}
	var illegal *movegen.IllegalMove
	switch {
	case !errors.As(err, &illegal) || illegal.Why != movegen.Unreadable:
		return move, err
	case len(word) == 2 && word[1] >= '0' && word[1] <= '9':
		return move, fmt.Errorf("no legal move begins with %s", word)
	}
	return move, fmt.Errorf("%q is neither a move nor a command, the nearest is %q",
		movegen.Shorten(word), movegen.Nearest(word, append(commandNames(), m.legal()...)))
}

// legal are the texts of the legal moves.
func (m *session) legal() []string {
	if m.texts == nil {
		for _, move := range m.game.Moves(nil) {
			m.texts = append(m.texts, m.game.Text(move))
		}
		slices.Sort(m.texts)
	}
	return m.texts
}

func withPrefix(list []string, prefix string) []string {
	var fits []string
	for _, text := range list {
		if strings.HasPrefix(text, strings.ToLower(prefix)) || strings.HasPrefix(text, prefix) {
			fits = append(fits, text)
		}
	}
	return fits
}

func (m *session) makeMove(move movegen.Move) {
	m.played = append(m.played, m.game.Turn())
	m.game.Make(move)
	m.texts = nil
}

// takeBack undoes the last turn.
func (m *session) takeBack() {
	m.played = m.played[:len(m.played)-1]
	m.game.Unmake()
	m.texts = nil
}

// think lets the engine play a turn. At a weak level it does not know what it
// found for a hint.
func (m *session) think() {
	g, limits := m.evaluation.of(m.game.Clone()), m.level.Limits
	if h := m.level.weak.Handicap; h != nil {
		m.engine.Clear()
		g.Tables = nil
		limits = h.Limit(limits, m.game, strength.Random(m.game, m.number))
	}
	found := m.search(g, limits)
	m.say("%s (%s)\n", m.describe(found.Best), scoreWords(found.Score))
	m.makeMove(found.Best)
}

// search asks the engine about a position. Control-C makes it answer at once.
func (m *session) search(g engine.Game, limits engine.Limits) engine.Result {
	interrupted := make(chan os.Signal, 1)
	signal.Notify(interrupted, os.Interrupt)
	done := make(chan struct{})
	go func() {
		select {
		case <-interrupted:
			m.engine.Stop()
		case <-done:
		}
	}()
	defer close(done)
	defer signal.Stop(interrupted)
	return m.engine.Run(engine.Search{Game: g, Limits: limits})
}

// complete gives the ways to go on with a line.
func (m *session) complete(line string) []string {
	return withPrefix(append(commandNames(), m.legal()...), line)
}
