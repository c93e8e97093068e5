package slow

import (
	"strings"
)

// winFor names the win of a side; first is the side that moves first.
func winFor(side, first byte) string {
	if side == first {
		return "p1win"
	}
	return "p2win"
}

// occurrences counts how often the last position of a history has occurred:
// the same rows, side and STATE (in Al-manqala, stores).
func occurrences(history []string) int {
	key := func(fen string) string { return strings.Join(strings.Fields(fen)[:3], " ") }
	last := key(history[len(history)-1])
	n := 0
	for _, fen := range history {
		if key(fen) == last {
			n++
		}
	}
	return n
}

// ending is how the board has ended a game of the Alquerque family.
type ending struct {
	reason string
	loser  byte // 0 for a draw
}

// boardEnding looks at captured, double-block and blocked, in this order.
func (a *alquerque) boardEnding(p position) ending {
	for _, side := range []byte{white, black} {
		if p.count(side) == 0 {
			return ending{"captured", side}
		}
	}
	if len(a.legal(p)) > 0 {
		return ending{}
	}
	if !a.otherBlocked(p) {
		return ending{"blocked", p.side}
	}
	if !a.blockCounts {
		return ending{"double-block", p.side}
	}
	switch whites, blacks := p.count(white), p.count(black); {
	case whites < blacks:
		return ending{"double-block", white}
	case blacks < whites:
		return ending{"double-block", black}
	}
	return ending{"double-block", 0}
}

// otherBlocked: were it the other side's turn (no-return tokens kept, huff
// rights gone), that side would have no legal move either.
func (a *alquerque) otherBlocked(p position) bool {
	p.side = opponent(p.side)
	p.huffable = set{}
	return len(a.legal(p)) == 0
}

func (a *alquerque) result(history []string) (result, reason string) {
	p := a.parse(history[len(history)-1])
	if e := a.boardEnding(p); e.reason != "" {
		if e.loser == 0 {
			return "draw", e.reason
		}
		return winFor(opponent(e.loser), a.first), e.reason
	}
	if a.repetitionAt > 0 && occurrences(history) >= a.repetitionAt {
		return "draw", "repetition"
	}
	if p.quiet >= a.quietAt {
		return "draw", "quiet"
	}
	return "none", ""
}

// points: a winner gets 0, a draw gives 0 (match points, end of section 2).
func (a *alquerque) points(history []string) (p1, p2 int) {
	p := a.parse(history[len(history)-1])
	e := a.boardEnding(p)
	if e.loser == 0 {
		return 0, 0
	}
	score := a.loserScore(&p, e)
	if e.loser == a.first {
		return score, 0
	}
	return 0, score
}

// loserScore gives the match points of the side that lost.
func (a *alquerque) loserScore(p *position, e ending) int {
	own, enemy := p.count(e.loser), p.count(opponent(e.loser))
	switch {
	case e.reason == "captured":
		return -2 - enemy
	case e.reason == "double-block" && a.blockCounts:
		return -2 - (enemy - own)
	default: // blocked, and a double block that is a loss of the side to move
		return -2 + (own - enemy)
	}
}

// result: a side without pieces has lost; so has a side on turn that cannot
// move. The third occurrence is a draw; so are 100 quiet plies (section 3).
func (f *fanorona) result(history []string) (result, reason string) {
	p := f.parse(history[len(history)-1])
	for _, side := range []byte{white, black} {
		if p.count(side) == 0 {
			return winFor(opponent(side), white), "captured"
		}
	}
	switch {
	case len(f.legal(p, 1)) == 0:
		return winFor(opponent(p.side), white), "blocked"
	case occurrences(history) >= fanoronaRepetition:
		return "draw", "repetition"
	case p.quiet >= fanoronaQuiet:
		return "draw", "quiet"
	}
	return "none", ""
}

func (*fanorona) points([]string) (p1, p2 int) { return 0, 0 }

// result looks at majority, empty, starved and cycle, in this order (section 4).
func (m *manqala) result(history []string) (result, reason string) {
	p := parseHouses(history[len(history)-1])
	onBoard := p.rowSeeds(white) + p.rowSeeds(black)
	whites, blacks := p.whiteStore, p.blackStore
	switch {
	case whites >= majority || blacks >= majority:
		return larger(whites, blacks), "majority"
	case onBoard == 0:
		return larger(whites, blacks), "empty"
	case len(m.legal(p)) == 0:
		// No move feeds the empty row: its player takes all seeds on the board.
		if p.side == white {
			blacks += onBoard
		} else {
			whites += onBoard
		}
		return larger(whites, blacks), "starved"
	case occurrences(history) >= cycleAt || p.quiet >= cycleQuiet:
		// The seeds on the board are shared equally.
		return larger(whites, blacks), "cycle"
	}
	return "none", ""
}

// larger gives the win to the larger store.
func larger(whites, blacks int) string {
	switch {
	case whites > blacks:
		return winFor(white, white)
	case whites < blacks:
		return winFor(black, white)
	}
	return "draw"
}

func (*manqala) points([]string) (p1, p2 int) { return 0, 0 }
