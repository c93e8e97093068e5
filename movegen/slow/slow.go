// Package slow carries out the rule book (RULES.md) a second time, sentence by
// sentence, with arrays, maps and loops over points. It is the reference that
// tests compare the fast generators with, so it shares nothing with them:
// text goes in and text comes out. It owns no speed and treats no bad input:
// position text given to it must be valid and canonical.
//
// The order of the files is the order of the book: board.go has section 1,
// alquerque.go and huff.go section 2, fanorona.go and vela.go section 3,
// manqala.go section 4 and result.go section 5.
package slow

import (
	"fmt"
	"slices"
	"strings"
)

// Game is a set of rules in force. It does not change once made and is safe
// for concurrent use.
type Game struct{ rules rules }

// rules is what every family of games answers.
type rules interface {
	// set changes one switch; it says no to a name or a value it does not know.
	set(name, value string) error
	start() string
	// turns is Turns without the order.
	turns(fen string) []Turn
	nexts(fen string) []string
	perft(fen string, depth int) int
	result(history []string) (result, reason string)
	points(history []string) (p1, p2 int)
}

// Turn is one move in the sense of section 1, "One move or two?".
type Turn struct {
	Text  string   // canonical move text: the smallest of Paths in byte order
	Paths []string // the paths of the move, sorted; in Fanorona the first 50 at most
	Next  string   // position text after the move
}

// New gives the rules of a variant with some switches changed: options maps a
// switch to "on" or "off" (FirstMove: "single" or "free"); a switch that is
// absent stays as the variant has it.
func New(variant string, options map[string]string) (*Game, error) {
	r, err := variantRules(variant)
	if err != nil {
		return nil, err
	}
	for name, value := range options {
		if err := r.set(name, value); err != nil {
			return nil, fmt.Errorf("%s: %w", variant, err)
		}
	}
	return &Game{r}, nil
}

// variantRules gives the rules of a variant as the tables of the book have them.
func variantRules(variant string) (rules, error) {
	if variant == "al-manqala" {
		return new(manqala), nil
	}
	if strings.HasPrefix(variant, "fanorona") {
		return newFanorona(variant)
	}
	return newAlquerque(variant)
}

// onOff reads the value of a switch that is on or off.
func onOff(name, value string) (bool, error) {
	if value != "on" && value != "off" {
		return false, fmt.Errorf("switch %s: unknown value %q, want on or off", name, value)
	}
	return value == "on", nil
}

// Start is the position text of the start.
func (g *Game) Start() string { return g.rules.start() }

// Turns lists the legal moves of a position, sorted by Text. There is none
// where the board has ended the game; repetition, the quiet count and cycles
// do not end it here.
func (g *Game) Turns(fen string) []Turn {
	turns := g.rules.turns(fen)
	slices.SortFunc(turns, func(a, b Turn) int { return strings.Compare(a.Text, b.Text) })
	return turns
}

// Next lists what the legal moves lead to, in no order: the field Next of each of
// Turns. It takes less time, for it looks for no second path of a move.
func (g *Game) Next(fen string) []string { return g.rules.nexts(fen) }

// Perft counts the legal turns to an exact depth (section 5).
func (g *Game) Perft(fen string, depth int) int { return g.rules.perft(fen, depth) }

// Result tells how a game has ended (section 5): "p1win", "p2win" or "draw"
// and the reason, or "none" and no reason. The history has the position texts
// of the game, the given position first, the current one last.
func (g *Game) Result(history []string) (result, reason string) { return g.rules.result(history) }

// Points gives the match points of both players (end of section 2); both are 0
// while a game is not over and outside the Alquerque family.
func (g *Game) Points(history []string) (p1, p2 int) { return g.rules.points(history) }

// perft counts turns to an exact depth; next gives the position after each
// legal turn.
func perft[P any](next func(P) []P, p P, depth int) int {
	if depth == 0 {
		return 1
	}
	after := next(p)
	if depth == 1 {
		return len(after)
	}
	n := 0
	for _, q := range after {
		n += perft(next, q, depth-1)
	}
	return n
}
