package main

import (
	"fmt"
	"slices"
	"strings"

	"qirkat/engine"
	"qirkat/movegen"
)

// plural is a number with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// columns lays words out in lines of a readable width.
func columns(words []string) string {
	const width = 76
	var text strings.Builder
	column := 0
	for i, w := range words {
		if i > 0 {
			if column+1+len(w) > width {
				text.WriteByte('\n')
				column = 0
			} else {
				text.WriteByte(' ')
				column++
			}
		}
		text.WriteString(w)
		column += len(w)
	}
	return text.String()
}

// seating says who plays which side.
func (m *session) seating() string {
	thinks := ", thinking " + m.level.words()
	switch m.person {
	case [2]bool{true, true}:
		return "You play both sides"
	case [2]bool{}:
		return "The engine plays both sides" + thinks
	case [2]bool{movegen.White: true}:
		return "You play White, the engine plays Black" + thinks
	}
	return "You play Black, the engine plays White" + thinks
}

// tellTurn lists what the side to move can do.
func (m *session) tellTurn() {
	const most = 60 // moves that are listed unasked
	var right, faults []string
	var open movegen.Set // pieces that may be huffed
	moves := m.game.Moves(nil)
	for i, move := range moves {
		open |= move.Huff.Huffed()
		if i >= most {
			continue
		}
		switch text := m.game.Text(move); {
		case move.Huff.Huffed() != 0: // listed by the command huff
		case move.Huff.Liable() != 0:
			faults = append(faults, text)
		default:
			right = append(right, text)
		}
	}
	slices.Sort(right)
	slices.Sort(faults)
	if open != 0 {
		m.tellHuff(open)
	}
	m.list("Moves", right)
	m.list("Faults, which leave a piece open to a huff", faults)
	if len(moves) > most {
		m.say("… %d moves in all: moves lists them, moves %s those that begin so.\n", len(moves), m.game.Text(moves[0])[:2])
	}
}

func (m *session) list(title string, moves []string) {
	if len(moves) > 0 {
		m.say("%s: %s\n", title, strings.ReplaceAll(columns(append([]string{title + ":"}, moves...))[len(title)+2:], "\n", "\n  "))
	}
}

// tellHuff explains the right to huff.
func (m *session) tellHuff(open movegen.Set) {
	point := m.game.Variant().Size.Name(open.First())
	m.say(`%s left out a capture. You may huff first: take the piece on %s off the
board, then play your turn, typed as x%s: and the turn. "huff" lists these turns.
Any other turn lets the fault pass.
`, m.game.Turn().Other(), strings.Join(m.names(open), " or "), point)
}

func (m *session) names(s movegen.Set) []string {
	var names []string
	for ; s != 0; s = s.Rest() {
		names = append(names, m.game.Variant().Size.Name(s.First()))
	}
	return names
}

// describe tells a turn that is about to be played.
func (m *session) describe(move movegen.Move) string {
	side, text := m.game.Turn().String(), m.game.Text(move)
	if huffed := move.Huff.Huffed(); huffed != 0 {
		side += " huffs the piece on " + m.names(huffed)[0]
		_, turn, goesOn := strings.Cut(text, ":")
		if !goesOn {
			return side + ": " + text
		}
		return fmt.Sprintf("%s and plays %s: %s", side, turn, text)
	}
	if open := move.Huff.Liable(); open != 0 {
		return fmt.Sprintf("%s plays %s, which leaves out a capture: the piece on %s may be huffed", side, text, strings.Join(m.names(open), " or "))
	}
	return side + " plays " + text
}

// scoreWords say a score of the side that moved.
func scoreWords(s engine.Score) string {
	switch plies, proven := s.Plies(); {
	case proven && plies > 0:
		return "wins in " + plural(plies, "ply", "plies")
	case proven:
		return "loses in " + plural(-plies, "ply", "plies")
	}
	return fmt.Sprintf("score %+.2f", float64(s)/100)
}

// tellEnd explains how the game ended, and gives the match points.
func (m *session) tellEnd() {
	v := m.game.Variant()
	if m.resigned {
		turn := m.game.Turn()
		m.say("%s resigns. %s wins.\n", turn, turn.Other())
		return
	}
	o := m.game.Outcome()
	result := "It is a draw"
	if o.Winner != movegen.None {
		result = o.Winner.String() + " wins"
	}
	m.say("%s: %s (%s, %s).\n", m.why(o), result, o.Result(v.First()), o.Reason)
	if v.Family == movegen.Alquerque {
		p1, p2 := m.game.Points()
		m.say("Match points: %s %d, %s %d.\n", v.First(), p1, v.First().Other(), p2)
	}
}

// why puts the reason for the end into words.
func (m *session) why(o movegen.Outcome) string {
	v, turn := m.game.Variant(), m.game.Turn()
	switch o.Reason {
	case movegen.Captured:
		return o.Winner.Other().String() + " has no piece left"
	case movegen.Blocked:
		return turn.String() + " cannot move"
	case movegen.DoubleBlock:
		if v.CountBlocked {
			return "Neither side can move, so the pieces are counted"
		}
		return "Neither side can move, which loses for the side to move"
	case movegen.Repetition:
		return "The position has come up " + plural(v.Repetition, "time", "times")
	case movegen.Quiet:
		return plural(v.Quiet, "ply", "plies") + " have passed without a capture"
	case movegen.Majority:
		return o.Winner.String() + " has more than half of the seeds"
	case movegen.Empty:
		return "Both rows are empty"
	case movegen.Starved:
		return turn.Other().String() + " has no seed, cannot be fed, and takes all seeds on the board"
	case movegen.Cycle:
		return "The seeds go round without end, and those on the board are shared"
	}
	return "The game is over"
}
