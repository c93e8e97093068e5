package protocol

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"qirkat/engine"
	"qirkat/movegen"
)

// request is what the words of `go` ask for.
type request struct {
	engine.Limits
	clocks    [2]clock // by side
	toGo      int
	timed     bool // a word of the clocks was there
	moves     []string
	perft     int
	isPerft   bool
	mateMoves bool // mate counts moves, not plies

	game    movegen.Game
	known   []string // the words of the limits
	remarks remarks  // what could not be read of the limits
	asides  remarks  // what was wrong with searchmoves
}

// remarks are what is wrong with a line, the first of them in full.
type remarks struct {
	list []error
	more int
}

const maxRemarks = 10 // of a line (chosen)

func (r *remarks) add(format string, args ...any) {
	if len(r.list) == maxRemarks {
		r.more++
		return
	}
	r.list = append(r.list, fmt.Errorf("go: "+format, args...))
}

// all is the list and how many more there are.
func (r *remarks) all() []error {
	if r.more == 0 {
		return r.list
	}
	return append(r.list, fmt.Errorf("go: … and %d more", r.more))
}

// guess is didYouMean, made only where it is printed: of a long line most are
// not.
type guess struct {
	word  string
	known []string
}

func (g guess) String() string { return didYouMean(g.word, g.known) }

// clock is what was said of one side's time.
type clock struct {
	left, increment time.Duration
	known           bool
}

// limit is a row of the table of limits. Without set it is searchmoves, which
// takes all words up to the next limit; without args it stands alone.
type limit struct {
	name, args, help string
	set              func(r *request, value string) error
}

func (l limit) rowName() string { return l.name }

func limitTable() []limit {
	return []limit{
		{"depth", "PLIES", "so many plies deep", func(r *request, v string) (err error) {
			r.Depth, err = count(v, 1, "plies")
			return err
		}},
		{"nodes", "N", "so many nodes (moves made)", func(r *request, v string) error {
			n, err := count(v, 1, "nodes")
			r.Nodes = uint64(n)
			return err
		}},
		{"movetime", "MS", "so many milliseconds", func(r *request, v string) (err error) {
			r.MoveTime, err = milliseconds(v)
			r.HasMoveTime = err == nil
			return err
		}},
		{"wtime", "MS", "White's clock", clockTime(func(*request) movegen.Side { return movegen.White })},
		{"btime", "MS", "Black's clock", clockTime(func(*request) movegen.Side { return movegen.Black })},
		{"winc", "MS", "White's increment a move", increment(func(*request) movegen.Side { return movegen.White })},
		{"binc", "MS", "Black's increment a move", increment(func(*request) movegen.Side { return movegen.Black })},
		{"p1time", "MS", "the first player's clock", clockTime(first)},
		{"p2time", "MS", "the second player's clock", clockTime(second)},
		{"p1inc", "MS", "the first player's increment a move", increment(first)},
		{"p2inc", "MS", "the second player's increment a move", increment(second)},
		{"movestogo", "N", "moves until the next time control; 0: the rest of the game", func(r *request, v string) (err error) {
			r.timed = true
			r.toGo, err = count(v, 0, "moves")
			return err
		}},
		{"infinite", "", "until stop", func(r *request, _ string) error {
			r.Infinite = true
			return nil
		}},
		{"mate", "N", "until a win in N is found: moves in UCI, plies in UGI", func(r *request, v string) error {
			n, err := count(v, 1, "moves (UCI) or plies (UGI)")
			r.Mate = n
			if r.mateMoves && n > 0 {
				r.Mate = 2*n - 1
			}
			return err
		}},
		{"ponder", "", "on the opponent's time: until ponderhit or stop nothing is printed", func(r *request, _ string) error {
			r.Ponder = true
			return nil
		}},
		{"searchmoves", "M…", "only these first moves", nil},
		{"perft", "DEPTH", "no search: counts the legal turns, without bestmove", func(r *request, v string) (err error) {
			r.perft, err = count(v, 0, "plies")
			r.isPerft = err == nil
			return err
		}},
	}
}

func first(r *request) movegen.Side  { return r.game.Variant().First() }
func second(r *request) movegen.Side { return r.game.Variant().First().Other() }

func clockTime(side func(*request) movegen.Side) func(*request, string) error {
	return func(r *request, v string) (err error) {
		r.timed = true
		c := &r.clocks[side(r)]
		c.left, err = milliseconds(v)
		c.known = err == nil
		return err
	}
}

func increment(side func(*request) movegen.Side) func(*request, string) error {
	return func(r *request, v string) (err error) {
		r.timed = true
		r.clocks[side(r)].increment, err = milliseconds(v)
		return err
	}
}

// count reads a whole number; one too large to hold counts as the largest.
func count(v string, least int, what string) (int, error) {
	const most = math.MaxInt32
	n, err := strconv.Atoi(v)
	if errors.Is(err, strconv.ErrRange) && n > 0 || n > most {
		n, err = most, nil
	}
	if err != nil || n < least {
		return 0, fmt.Errorf("want a whole number of %s from %d", what, least)
	}
	return n, nil
}

// milliseconds reads a time, with a fraction or below zero as it may come.
func milliseconds(v string) (time.Duration, error) {
	const most = 1e11 // three years
	ms, err := strconv.ParseFloat(v, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(ms) {
		return 0, errors.New("want a number of milliseconds")
	}
	return time.Duration(max(-most, min(most, ms)) * float64(time.Millisecond)), nil
}

// parseGo reads the words of `go`. What cannot be read is remarked on and left
// out, and if then nothing is left to end the search, it moves at once: whoever
// sent a limit waits for an answer.
func (s *Server) parseGo(args string) *request {
	table := limitTable()
	r := &request{game: s.board.game, mateMoves: s.uci, known: names(table)}
	find := func(word string) int {
		return slices.IndexFunc(table, func(l limit) bool { return l.name == word })
	}
	words := strings.Fields(args)
	for len(words) > 0 {
		word := words[0]
		end := 1 // of its values
		for end < len(words) && find(words[end]) < 0 {
			end++
		}
		values := words[1:end]
		words = words[end:]
		at := find(word)
		if at < 0 {
			r.remarks.add("unknown word %s", guess{word, r.known})
			continue
		}
		r.take(&table[at], values)
	}
	r.conclude()
	r.Overhead, r.SlowMover = time.Duration(s.overhead)*time.Millisecond, s.slowMover
	return r
}

// take sets one limit to the values behind its word.
func (r *request) take(l *limit, values []string) {
	wanted := 1
	switch {
	case l.set == nil:
		r.moves = append(r.moves, values...)
		if len(values) == 0 {
			r.remarks.add("%s: no move behind it", l.name)
		}
		return
	case l.args == "":
		wanted = 0
	}
	value := ""
	if wanted > 0 && len(values) > 0 {
		value = values[0]
	}
	if err := l.set(r, value); err != nil && value == "" {
		r.remarks.add("%s: no value, %v", l.name, err)
	} else if err != nil {
		r.remarks.add("%s %q: %v", l.name, movegen.Shorten(value), err)
	}
	if len(values) > wanted {
		r.remarks.add("unknown word %s", guess{values[wanted], r.known})
	}
}

// conclude makes limits of what was read.
func (r *request) conclude() {
	r.chooseMoves()
	us := r.game.Turn()
	c := r.clocks[us]
	if r.timed && c.known {
		r.Clock = &engine.Clock{Left: c.left, Increment: c.increment, MovesToGo: r.toGo}
	}
	if r.Infinite {
		r.Clock, r.HasMoveTime = nil, false
		return
	}
	if r.Depth > 0 || r.Nodes > 0 || r.Mate > 0 || r.HasMoveTime || r.Clock != nil {
		return
	}
	if r.timed && r.remarks.list == nil {
		r.remarks.add("no clock of the side to move, %s", us)
	}
	if r.remarks.list == nil {
		r.Infinite = true
		return
	}
	r.Depth = 1
}

// chooseMoves finds the moves of searchmoves, each text once. What is wrong with
// them limits nothing, so it does not make the search move at once.
func (r *request) chooseMoves() {
	texts, chosen := map[string]bool{}, map[movegen.Move]bool{}
	for _, text := range r.moves {
		if texts[text] {
			continue
		}
		texts[text] = true
		m, err := r.game.Find(text)
		switch {
		case err != nil:
			r.asides.add("searchmoves: %w", err)
		case !chosen[m]:
			chosen[m] = true
			r.SearchMoves = append(r.SearchMoves, m)
		}
	}
}

// String says what was understood.
func (r *request) String() string {
	var list []string
	add := func(yes bool, format string, args ...any) {
		if yes {
			list = append(list, fmt.Sprintf(format, args...))
		}
	}
	add(r.Depth > 0, "depth %d", r.Depth)
	add(r.Nodes > 0, "nodes %d", r.Nodes)
	add(r.Mate > 0, "mate in %d plies", r.Mate)
	add(r.HasMoveTime, "movetime %v", r.MoveTime)
	if c := r.Clock; c != nil {
		add(true, "clock %v, increment %v, moves to go %d", c.Left, c.Increment, c.MovesToGo)
	}
	add(r.Infinite, "until stop")
	add(r.Ponder, "pondering")
	add(r.SearchMoves != nil, "%d first moves", len(r.SearchMoves))
	return strings.Join(list, ", ")
}
