package protocol

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

var long = flag.Bool("long", false, "play 100 games of every variant at 10 ms a move")

// TestManager plays games of every variant between two engines through a
// referee that reads as strictly as the UGI manager does: it waits for lines of
// exactly two words, sends isready before each go, and the position several
// times a ply. The referee has no rules of its own but this test has: every
// move must be legal and written canonically, and all must agree on the end.
func TestManager(t *testing.T) {
	count, limit := 4, "nodes 200"
	switch {
	case *long:
		count, limit = 100, "movetime 10"
	case raceDetector:
		count = 2
	}
	engines := [2]*ugiEngine{startEngine(t), startEngine(t)}
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		t.Run(v.Name, func(t *testing.T) {
			tally := map[string]int{}
			for g := range count {
				opening := randomOpening(v, uint64(g), 2)
				pair := [2]*ugiEngine{engines[g%2], engines[1-g%2]}
				game, err := referee(v, opening, pair, limit)
				if err != nil {
					t.Fatalf("game %d: %v\n%s", g, err, game)
				}
				o := game.Outcome()
				tally[o.Result(v.First())+" "+o.Reason.String()]++
			}
			t.Log(tally)
		})
	}
}

// randomOpening is a few random plies.
func randomOpening(v *movegen.Variant, seed uint64, plies int) []string {
	random := rand.New(rand.NewPCG(seed, 7))
	g := games.New(v)
	var line []string
	for range plies {
		list := g.Moves(nil)
		if len(list) == 0 {
			break
		}
		m := list[random.IntN(len(list))]
		line = append(line, g.Text(m))
		g.Make(m)
	}
	return line
}

// referee plays one game. The first engine of the pair plays the first player.
func referee(v *movegen.Variant, line []string, pair [2]*ugiEngine, limit string) (movegen.Game, error) {
	game := games.New(v)
	for _, text := range line {
		m, err := game.Find(text)
		if err != nil {
			return game, err
		}
		game.Make(m)
	}
	for _, e := range pair {
		e.send("setoption name UCI_Variant value " + v.Name)
		e.isReady()
		e.send("uginewgame")
	}
	for {
		us := pair[1]
		first := pair[0].ask(line, "p1turn") == "true"
		if first {
			us = pair[0]
		}
		if first != (game.Turn() == v.First()) {
			return game, errors.New("whose turn is it")
		}
		us.isReady()
		us.position(line)
		over := game.Outcome().Over()
		for _, e := range pair {
			if got := e.ask(line, "gameover"); got != strconv.FormatBool(over) {
				return game, fmt.Errorf("gameover %q, want %v", got, over)
			}
		}
		if over {
			break
		}
		us.send("go " + limit)
		text := us.waitFor("bestmove")
		m, err := game.Find(text)
		if err != nil {
			return game, err
		}
		if text != game.Text(m) {
			return game, fmt.Errorf("move %q, want it written %q", text, game.Text(m))
		}
		game.Make(m)
		line = append(line, text)
	}
	for _, e := range pair {
		e.isReady()
		if got, want := e.ask(line, "result"), game.Outcome().Result(v.First()); got != want {
			return game, fmt.Errorf("result %q, want %q", got, want)
		}
	}
	return game, nil
}

// ugiEngine is a server as a manager sees it.
type ugiEngine struct {
	in  io.Writer
	out chan string
}

func startEngine(t *testing.T) *ugiEngine {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	s, err := New(Config{Name: "Qirkat", In: inRead, Out: outWrite, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- s.Run() }()
	e := &ugiEngine{in: inWrite, out: make(chan string, 100)}
	go func() {
		for r := bufio.NewScanner(outRead); r.Scan(); {
			e.out <- r.Text()
		}
	}()
	t.Cleanup(func() {
		e.send("quit")
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	e.send("ugi")
	e.until("ugiok", func(line string) bool { return line == "ugiok" })
	return e
}

func (e *ugiEngine) send(line string) { fmt.Fprintln(e.in, line) }

// until reads lines up to the one that is wanted, and passes over the others,
// as the manager does. One that never comes would hang a manager.
func (e *ugiEngine) until(what string, want func(string) bool) string {
	for {
		select {
		case line := <-e.out:
			if want(line) {
				return line
			}
		case <-time.After(30 * time.Second):
			panic("manager: no " + what)
		}
	}
}

func (e *ugiEngine) isReady() {
	e.send("isready")
	e.until("readyok", func(line string) bool { return line == "readyok" })
}

func (e *ugiEngine) position(line []string) {
	text := "position startpos"
	if len(line) > 0 {
		text += " moves " + strings.Join(line, " ")
	}
	e.send(text)
}

// waitFor gives the second word of the first line of two that begins so.
func (e *ugiEngine) waitFor(word string) string {
	line := e.until(word, func(line string) bool {
		words := strings.Split(line, " ")
		return len(words) == 2 && words[0] == word
	})
	return strings.Split(line, " ")[1]
}

// ask sends the position and a query, as the manager does for each.
func (e *ugiEngine) ask(line []string, query string) string {
	e.position(line)
	e.send("query " + query)
	return e.waitFor("response")
}
