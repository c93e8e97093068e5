package protocol

import (
	"errors"
	"fmt"
	"strings"
)

// command is a row of the table of commands.
type command struct {
	name, args, help string
	alone            bool // refused while a search runs
	run              func(s *Server, args string) error
}

func (c command) rowName() string { return c.name }

// commandTable lists the commands in the order in which help prints them.
func commandTable() []command {
	return []command{
		{"uci", "", "handshake: names and options, then uciok; mate scores in moves, bestmove (none)", false, (*Server).uciHandshake},
		{"ugi", "", "handshake: names and options, then ugiok; mate scores in plies, bestmove 0000", false, (*Server).ugiHandshake},
		{"isready", "", "answers readyok, also during a search", false, (*Server).isReady},
		{"setoption", "name NAME [value VALUE]", "sets an option", true, (*Server).setOption},
		{"ucinewgame", "", "start position, empty hash table", true, (*Server).newGame},
		{"uginewgame", "", "start position, empty hash table", true, (*Server).newGame},
		{"position", "startpos|fen TEXT [moves M…]", "puts a position on the board and plays moves", true, (*Server).position},
		{"moves", "M…", "plays moves on the board", true, (*Server).moves},
		{"go", "[LIMIT…]", "searches and answers bestmove; without a limit until stop", true, (*Server).search},
		{"stop", "", "ends the search, which then answers", false, (*Server).stop},
		{"ponderhit", "", "the move pondered on was played: from now on the limits count", false, (*Server).ponderHit},
		{"query", "WORD", "answers a question about the position with response", false, (*Server).query},
		{"d", "", "draws the board and says all about the position", false, (*Server).show},
		{"eval", "", "prints the evaluation, feature by feature", false, (*Server).evaluate},
		{"perft", "DEPTH", "counts the legal turns to a depth, as go perft does", true, (*Server).perftCommand},
		{"bench", "[ARGUMENT…]", "searches a fixed set of positions and counts the nodes", true, (*Server).bench},
		{"help", "", "prints the commands, the limits of go, the queries and the options", false, (*Server).help},
		{"debug", "on|off", "switches remarks on what was understood on or off", false, (*Server).setDebug},
		{"quit", "", "stops the search and leaves; so does the end of the input, which waits for a bench", false, (*Server).quit},
	}
}

// CommandNames lists the commands, for whoever looks for the nearest right word.
func CommandNames() []string { return names(commandTable()) }

func (s *Server) uciHandshake(string) error { return s.handshake(true, "uciok") }
func (s *Server) ugiHandshake(string) error { return s.handshake(false, "ugiok") }

func (s *Server) handshake(uci bool, done string) error {
	s.uci = uci
	s.out.line("id name " + strings.TrimSpace(s.cfg.Name+" "+s.cfg.Version))
	s.out.line("id author the " + s.cfg.Name + " developers")
	for i := range s.options {
		s.out.line(s.options[i].declaration())
	}
	s.out.line(done)
	return nil
}

func (s *Server) isReady(string) error {
	if !s.running() {
		s.needTables()
		s.endgames.warm()
	}
	s.out.line("readyok")
	return nil
}

// newGame forgets the game and what the search learnt in it.
func (s *Server) newGame(string) error {
	s.board.reset()
	s.play.game++
	s.engine.Clear()
	return nil
}

func (s *Server) ponderHit(string) error {
	s.engine.PonderHit()
	return nil
}

func (s *Server) setDebug(args string) error {
	switch args {
	case "on", "":
		s.debug = true
	case "off":
		s.debug = false
	default:
		return fmt.Errorf("debug %s want on or off", didYouMean(args, []string{"on", "off"}))
	}
	return nil
}

func (s *Server) quit(string) error {
	s.leaving = true
	return nil
}

// bench runs beside the reader. It cannot be stopped; the end of the input
// waits for it, quit does not.
func (s *Server) bench(args string) error {
	if s.cfg.Bench == nil {
		return errors.New("bench: this program has none")
	}
	j := s.begin("bench", nil)
	go func() {
		defer s.crashed("bench " + args)
		out := &lineWriter{out: s.out}
		err := s.cfg.Bench(out, s.cfg.Err, strings.Fields(args))
		last := out.last()
		if err != nil {
			last = append(last, remark("bench: %v", err))
		}
		s.end(j, last...)
	}()
	return nil
}

// help prints the tables.
func (s *Server) help(string) error {
	for _, t := range s.tables() {
		s.out.line(t.title)
		for _, r := range t.rows {
			s.out.linef("  %-40s %s", r[0], r[1])
		}
	}
	return nil
}

// table is a table of words as help and PROTOCOL.md print it: what is written,
// and what it does.
type table struct {
	title string
	rows  [][2]string
}

func (s *Server) tables() []table {
	commands := table{title: "Commands"}
	for _, c := range s.commands {
		commands.rows = append(commands.rows, [2]string{strings.TrimSpace(c.name + " " + c.args), c.help})
	}
	limits := table{title: "Limits of go"}
	for _, l := range limitTable() {
		limits.rows = append(limits.rows, [2]string{strings.TrimSpace(l.name + " " + l.args), l.help})
	}
	queries := table{title: "Queries"}
	for _, q := range queryTable() {
		queries.rows = append(queries.rows, [2]string{strings.TrimSpace("query " + q.name + " " + q.args), q.help})
	}
	options := table{title: "Options"}
	for _, o := range s.options {
		options.rows = append(options.rows, [2]string{o.name + o.summary(), o.help})
	}
	return []table{commands, limits, queries, options}
}
