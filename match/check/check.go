// Package check finds out whether an engine keeps the protocols and the rules:
// a list of items, each tried with a process of its own, so that one fault does
// not hide another.
package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"qirkat/match"
	"qirkat/match/process"
	"qirkat/movegen"
)

// Config says what is checked.
type Config struct {
	Command  string
	Args     []string
	Protocol string            // ugi, uci or auto, which tries UGI first
	Options  map[string]string // set in every process
	// Variants are those that are checked, with their switches; none: all that
	// the engine declares, or else the first of our table.
	Variants []string
	Items    []string      // names of those that are checked besides the handshake; none: all
	Games    int           // random games of each variant
	Timeout  time.Duration // for every answer but those of a search with a time
	Margin   time.Duration // that a move may take above its movetime
}

// Result is how one item went.
type Result struct {
	Item       string   `json:"item"`
	What       string   `json:"what"`
	Passed     bool     `json:"passed"`
	Why        string   `json:"why,omitempty"` // it failed
	Transcript []string `json:"transcript"`
}

// item is something that is checked.
type item struct {
	name, what string
	protocols  string // that it is about; empty: both
	check      func(s *session) error
}

// Items are the names of all items with what they ask, in their order.
func Items() [][2]string {
	var list [][2]string
	for _, i := range items {
		list = append(list, [2]string{i.name, i.what})
	}
	return list
}

// Run checks an engine item by item, and calls report after each. When the
// handshake fails nothing else can be checked. It gives true when all passed.
func Run(ctx context.Context, c Config, report func(Result)) (passed bool, err error) {
	launcher, err := process.NewLauncher()
	if err != nil {
		return false, err
	}
	defer launcher.Close()
	passed = true
	for n, i := range items {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		left := n > 0 && len(c.Items) > 0 && !slices.Contains(c.Items, i.name)
		if left || i.protocols != "" && i.protocols != c.Protocol {
			continue
		}
		s := &session{ctx: ctx, config: c, launcher: launcher}
		failure := s.start()
		if failure == nil {
			failure = i.check(s)
		}
		s.end()
		if n == 0 && failure == nil { // from here on it is known what to speak
			c.Protocol = s.protocol
			if len(c.Variants) == 0 {
				c.Variants = s.variants()
			}
		}
		r := Result{Item: i.name, What: i.what, Passed: failure == nil, Transcript: s.transcript()}
		if failure != nil {
			r.Why = failure.Error()
			passed = false
		}
		report(r)
		if n == 0 && failure != nil {
			return false, nil
		}
	}
	return passed, nil
}

// session is a conversation with one process.
type session struct {
	ctx      context.Context
	config   Config
	launcher *process.Launcher
	process  *process.Process
	begin    time.Time
	protocol string
	options  []string // the lines that declare them
	rules    string   // in force
	id       bool
	said     []string
	left     int // lines that the transcript leaves out
}

// maxTranscript bounds the lines kept of a conversation; the first half of them
// and the last (chosen).
const maxTranscript = 120

func (s *session) note(l process.Line) {
	arrow := "<"
	if l.Sent {
		arrow = ">"
	}
	text := l.Text
	if len(text) > 200 {
		text = text[:200] + "…"
	}
	s.said = append(s.said, fmt.Sprintf("%+.4f %s %s", l.At.Sub(s.begin).Seconds(), arrow, text))
	if len(s.said) > maxTranscript {
		s.said = slices.Delete(s.said, maxTranscript/2, maxTranscript/2+1)
		s.left++
	}
}

func (s *session) transcript() []string {
	if s.left == 0 {
		return s.said
	}
	return slices.Insert(slices.Clone(s.said), maxTranscript/2, fmt.Sprintf("… %d lines left out", s.left))
}

// start starts the process and goes through the handshake.
func (s *session) start() error {
	s.begin = time.Now()
	protocols := []string{s.config.Protocol}
	if s.config.Protocol == match.ProtocolAuto {
		protocols = []string{match.ProtocolUGI, match.ProtocolUCI}
	}
	var err error
	for _, protocol := range protocols {
		s.end() // a process that did not understand the first word
		s.protocol, s.options, s.rules, s.id = protocol, nil, "", false
		if s.process, err = s.launcher.Start(process.Config{Path: s.config.Command, Args: s.config.Args}); err != nil {
			return err
		}
		if err = s.handshake(); err == nil {
			break
		}
	}
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(s.config.Options)) {
		if err := s.send("setoption name " + name + " value " + s.config.Options[name]); err != nil {
			return err
		}
	}
	return s.ready()
}

func (s *session) handshake() error {
	if err := s.send(s.protocol); err != nil {
		return err
	}
	_, err := s.wait(s.protocol+"ok", s.config.Timeout, func(line string) bool {
		if strings.HasPrefix(line, "option") {
			s.options = append(s.options, line)
		}
		s.id = s.id || strings.HasPrefix(line, "id name ")
		return line == s.protocol+"ok"
	})
	return err
}

// end ends the process.
func (s *session) end() {
	if s.process != nil {
		s.process.Close("quit", 200*time.Millisecond)
		s.process = nil
	}
}

func (s *session) send(lines ...string) error {
	at, err := s.process.Send(lines...)
	for _, l := range lines {
		s.note(process.Line{Text: l, At: at, Sent: true})
	}
	return err
}

// wait reads lines until one that is wanted.
func (s *session) wait(what string, timeout time.Duration, wanted func(string) bool) (process.Line, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		l, err := s.process.Next(timer.C, s.ctx.Done())
		if errors.Is(err, process.ErrTimeout) {
			if s.ctx.Err() != nil {
				return l, s.ctx.Err()
			}
			return l, fmt.Errorf("no %q within %v", what, timeout)
		}
		if err != nil {
			return l, fmt.Errorf("no %q: %w", what, err)
		}
		s.note(l)
		if wanted(strings.TrimSpace(l.Text)) {
			return l, nil
		}
	}
}

// quietTime is how long nothing must come where nothing is wanted (chosen).
const quietTime = 150 * time.Millisecond

// quiet looks for lines that nobody asked for; info is none of them.
func (s *session) quiet(why string) error {
	timer := time.NewTimer(quietTime)
	defer timer.Stop()
	for {
		l, err := s.process.Next(timer.C, s.ctx.Done())
		if errors.Is(err, process.ErrTimeout) {
			return s.ctx.Err()
		}
		if err != nil {
			return err
		}
		s.note(l)
		if !strings.HasPrefix(l.Text, "info") {
			return fmt.Errorf("%s: %q", why, movegen.Shorten(l.Text))
		}
	}
}

func (s *session) ready() error {
	if err := s.send("isready"); err != nil {
		return err
	}
	_, err := s.wait("readyok", s.config.Timeout, func(line string) bool { return line == "readyok" })
	return err
}

// newGame chooses a variant with its switches, as far as the engine has them,
// and begins a game.
func (s *session) newGame(rules string) error {
	for _, o := range match.RuleOptions(s.rules, rules) {
		if !slices.ContainsFunc(s.options, func(line string) bool { return strings.HasPrefix(line, "option name "+o[0]+" ") }) {
			continue
		}
		if err := s.send("setoption name " + o[0] + " value " + o[1]); err != nil {
			return err
		}
	}
	s.rules = rules
	if err := s.send(s.protocol + "newgame"); err != nil {
		return err
	}
	return s.ready()
}

// best waits for the answer to go: bestmove and a move, two words; in UCI
// "ponder" and another move may follow.
func (s *session) best(timeout time.Duration) (string, error) {
	l, err := s.wait("bestmove", timeout, func(line string) bool { return strings.HasPrefix(line, "bestmove") })
	if err != nil {
		return "", err
	}
	words := strings.Split(strings.TrimRight(l.Text, "\r"), " ")
	ponders := s.protocol == match.ProtocolUCI && len(words) == 4 && words[2] == "ponder"
	if len(words) != 2 && !ponders {
		return "", fmt.Errorf("%q: want two words, bestmove and a move", movegen.Shorten(l.Text))
	}
	return words[1], nil
}

// ask sends a query and gives the answer, which is one word where the UGI
// manager asks it.
func (s *session) ask(query string) (string, error) {
	if err := s.send("query " + query); err != nil {
		return "", err
	}
	l, err := s.wait("response", s.config.Timeout, func(line string) bool { return strings.HasPrefix(line, "response") })
	if err != nil {
		return "", fmt.Errorf("query %s: %w", query, err)
	}
	return strings.TrimSpace(strings.TrimPrefix(l.Text, "response")), nil
}

// askFor compares an answer.
func (s *session) askFor(query, want, where string) error {
	got, err := s.ask(query)
	if err == nil && got != want {
		return fmt.Errorf("query %s: %q, want %q, %s", query, movegen.Shorten(got), want, where)
	}
	return err
}

// variants are those that the engine declares and we know.
func (s *session) variants() []string {
	var list []string
	for _, o := range s.options {
		if !strings.HasPrefix(o, "option name UCI_Variant ") {
			continue
		}
		for _, name := range strings.Split(o, " var ")[1:] {
			if v, err := movegen.FindVariant(strings.TrimSpace(name)); err == nil {
				list = append(list, v.Name)
			}
		}
	}
	if list == nil {
		list = []string{movegen.Variants[0].Name}
	}
	return list
}

// Print writes a result: a line, and where it failed, or all is wanted, the
// transcript.
func Print(out io.Writer, r Result, all bool) {
	w := bufio.NewWriter(out)
	defer w.Flush()
	if r.Passed {
		fmt.Fprintf(w, "pass  %s: %s\n", r.Item, r.What)
	} else {
		fmt.Fprintf(w, "FAIL  %s: %s\n      %s\n", r.Item, r.What, r.Why)
	}
	if all || !r.Passed {
		for _, l := range r.Transcript {
			fmt.Fprintf(w, "      %s\n", l)
		}
	}
}
