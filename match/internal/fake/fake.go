// Package fake is engines for tests: an honest one that plays legal moves
// without thought, and broken ones that differ from it by one fault each. A
// test program becomes one of them when it is started with [Variable] set, or
// with [Argument] and a name as its first argument.
package fake

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/protocol"
)

// Variable is the environment variable with the name of the engine.
const Variable = "QIRKAT_TEST_ENGINE"

// Argument goes before the name of the engine.
const Argument = "engine="

// The engines without a fault: ours, and one that speaks UGI or UCI only.
const (
	Ours   = "ours"
	Honest = "honest"
	UCI    = "uci"
)

// Broken are the engines with a fault, and what it is.
var Broken = map[string]string{
	"mute":         "it never ends the handshake",
	"stillborn":    "it ends at once",
	"hang":         "it does not answer its third go",
	"deaf":         "it stops reading after its third go",
	"crash":        "it ends at its third go, with a word on standard error",
	"illegal":      "its third move is not legal",
	"empty":        "its third bestmove has no move behind it",
	"claim":        "at its third go it says bestmove 0000, as if the game were over",
	"flood":        "at its third go it prints info without end",
	"endless-line": "at its third go it prints a line without end",
	"no-newline":   "it does not end the line of its third bestmove",
	"slow":         "it takes 2 s for its third move, whatever it was given",
	"liar":         "it says that the other side has won",
	"wrong-rules":  "it knows one legal move too few and one too many",
	"no-query":     "it does not answer queries",
	"no-stop":      "it does not stop when asked",
	"busy":         "it does not answer isready during a search",
	"chatty-stop":  "it answers stop when there is no search",
	"no-eof":       "it goes on when its input ends",
	"immortal":     "it does not leave at quit, nor when its input ends",
	"no-cr":        "it does not understand lines that end with a carriage return",
	"short-line":   "it reads only 300 bytes of a line",
	"last-word":    "it moves on in a position in which the game is over",
	"over-illegal": "it crashes at an illegal move in the history",
	"one-word":     "it answers with three words",
	"bad-option":   "it declares an option without a type",
	"forker":       "it starts a process that outlives it",
}

// Run is the engine that is asked for; it gives false when none is.
func Run() bool {
	name := os.Getenv(Variable)
	if len(os.Args) > 1 {
		if kind, ok := strings.CutPrefix(os.Args[1], Argument); ok {
			name = kind
		}
	}
	if name == "" {
		return false
	}
	switch name {
	case Ours:
		s, err := protocol.New(protocol.Config{Name: "Qirkat", In: os.Stdin, Out: os.Stdout, Err: os.Stderr})
		if err == nil {
			err = s.Run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "sleeper":
		time.Sleep(time.Minute)
	default:
		(&engine{name: name, out: bufio.NewWriter(os.Stdout)}).run(os.Stdin)
	}
	os.Exit(0)
	return true
}

type engine struct {
	name  string
	out   *bufio.Writer
	lines chan string
	uci   bool
	rules *movegen.Variant
	game  movegen.Game
	bad   bool // an illegal move was in the history
	moves int  // searches of this game so far
}

func (e *engine) is(name string) bool { return e.name == name }

func (e *engine) say(format string, args ...any) {
	fmt.Fprintf(e.out, format+"\n", args...)
	_ = e.out.Flush()
}

// read hands on lines, so that a search can listen.
func (e *engine) read(in io.Reader) {
	r := bufio.NewReader(in)
	searches := 0
	for {
		line, err := r.ReadString('\n')
		if line != "" && !(e.is("no-cr") && strings.HasSuffix(line, "\r\n")) {
			if e.is("short-line") && len(line) > 300 {
				line = line[:300]
			}
			e.lines <- strings.TrimSpace(line)
		}
		if strings.HasPrefix(line, "go") {
			searches++
		}
		if e.is("deaf") && searches == 3 {
			time.Sleep(time.Hour)
		}
		if err != nil {
			break
		}
	}
	for e.is("no-eof") || e.is("immortal") {
		time.Sleep(time.Hour)
	}
	close(e.lines)
}

func (e *engine) run(in io.Reader) {
	if e.is("stillborn") {
		os.Exit(2)
	}
	e.lines = make(chan string, 100)
	e.choose("alquerque")
	go e.read(in)
	for line := range e.lines {
		word, rest, _ := strings.Cut(line, " ")
		switch word {
		case "ugi", "uci":
			e.handshake(word)
		case "isready":
			e.say("readyok")
		case "setoption":
			e.setOption(rest)
		case "uginewgame", "ucinewgame":
			e.choose(e.rules.Name)
			e.moves = 0
		case "position":
			e.position(rest)
		case "go":
			if !e.search(rest) {
				return
			}
		case "query":
			e.query(rest)
		case "stop":
			if e.is("chatty-stop") {
				e.say("bestmove 0000")
			}
		case "quit":
			if !e.is("immortal") {
				return
			}
		}
	}
}

func (e *engine) handshake(word string) {
	if e.is("mute") || e.is(UCI) && word == "ugi" {
		return
	}
	e.uci = word == "uci"
	e.say("id name %s\nid author the tests", e.name)
	e.say("option name UCI_Variant type combo default alquerque var %s", strings.Join(movegen.VariantNames(), " var "))
	if e.is("bad-option") {
		e.say("option name Style")
	}
	e.say("%sok", word)
}

func (e *engine) setOption(args string) {
	_, rest, _ := strings.Cut(args, "name ")
	name, value, _ := strings.Cut(rest, " value ")
	if name == "UCI_Variant" {
		e.choose(value)
	}
}

func (e *engine) choose(variant string) {
	v, err := movegen.FindVariant(strings.Fields(variant)[0])
	if err != nil {
		return
	}
	e.rules, e.game, e.bad = v, games.New(v), false
}

func (e *engine) position(args string) {
	start, moves, _ := strings.Cut(args, "moves")
	start = strings.TrimSpace(start)
	g := games.New(e.rules)
	if fen, ok := strings.CutPrefix(start, "fen "); ok {
		if g.Set(fen) != nil {
			return
		}
	}
	e.game, e.bad = g, false
	for text := range strings.FieldsSeq(moves) {
		m, err := g.Find(text)
		if err != nil {
			if e.is("over-illegal") {
				panic("illegal move " + text)
			}
			e.bad = true
			return
		}
		g.Make(m)
	}
}

// over reports whether the game on the board is over.
func (e *engine) over() bool { return e.bad || e.game.Outcome().Over() }

// search answers go; it gives false when the engine is to leave.
func (e *engine) search(limits string) bool {
	e.moves++
	third := e.moves == 3
	list := e.game.Moves(nil)
	best := "0000"
	if e.uci {
		best = "(none)"
	}
	switch {
	case !e.over():
		best = e.game.Text(list[e.moves*7%len(list)])
	case e.is("last-word"):
		best = "a1a2"
	}
	if third {
		switch e.name {
		case "hang":
			for line := range e.lines {
				if line == "quit" {
					return false
				}
			}
			return false
		case "deaf":
			time.Sleep(time.Hour)
		case "crash":
			fmt.Fprintln(os.Stderr, "division by zero")
			os.Exit(3)
		case "illegal":
			e.say("bestmove a1a1")
			return true
		case "empty":
			e.say("bestmove")
			return true
		case "claim":
			e.say("bestmove 0000")
			return true
		case "flood":
			for {
				fmt.Fprintf(e.out, "info depth 1 score cp 1 nodes 1 pv %s\n", best)
			}
		case "endless-line":
			for {
				_, _ = e.out.WriteString(strings.Repeat("x", 1<<16))
			}
		case "no-newline":
			fmt.Fprint(e.out, "bestmove "+best)
			_ = e.out.Flush()
			return true
		case "slow":
			time.Sleep(2 * time.Second)
		case "forker":
			e.fork()
			os.Exit(1)
		}
	}
	if e.is("wrong-rules") && e.game.Turn() != e.rules.First() {
		best = "e1e1"
	}
	if limits == "infinite" {
		for line := range e.lines {
			if line == "isready" && !e.is("busy") {
				e.say("readyok")
			}
			if line == "stop" && !e.is("no-stop") {
				break
			}
			if line == "quit" {
				return false
			}
		}
	}
	e.say("info depth 1 seldepth 1 score cp %d nodes %d time 0 pv %s", e.moves%3, len(list), best)
	if e.is("one-word") {
		e.say("bestmove %s ponder", best)
		return true
	}
	e.say("bestmove %s", best)
	return true
}

// fork leaves a process behind that holds on to the output.
func (e *engine) fork() {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	child := exec.Command(self, Argument+"sleeper")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	if err := child.Start(); err != nil {
		panic(err)
	}
}

func (e *engine) query(word string) {
	if e.uci || e.is("no-query") {
		return
	}
	o := e.game.Outcome()
	if e.bad {
		o = movegen.Win(e.game.Turn().Other(), movegen.Illegal)
	}
	if e.is("liar") && o.Over() {
		o.Winner = map[movegen.Side]movegen.Side{movegen.White: movegen.Black, movegen.Black: movegen.White, movegen.None: movegen.White}[o.Winner]
	}
	first := e.rules.First()
	answer := ""
	word, arg, _ := strings.Cut(word, " ")
	switch word {
	case "gameover":
		answer = strconv.FormatBool(o.Over())
	case "result":
		answer = o.Result(first)
	case "p1turn":
		answer = strconv.FormatBool(e.game.Turn() == first)
	case "p2turn":
		answer = strconv.FormatBool(e.game.Turn() != first)
	case "fen":
		answer = e.game.String()
	case "reason":
		answer = o.Reason.String()
	case "islegal":
		_, err := e.game.Find(arg)
		answer = strconv.FormatBool(err == nil && !e.over())
	case "legalmoves":
		var moves []string
		if !e.bad {
			for _, m := range e.game.Moves(nil) {
				moves = append(moves, e.game.Text(m))
			}
		}
		if e.is("wrong-rules") && len(moves) > 0 {
			moves[0] = "a1a1"
		}
		answer = strings.Join(moves, " ")
	default:
		return
	}
	e.say("%s", strings.TrimSpace("response "+answer))
}
