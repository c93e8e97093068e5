package engine

import "qirkat/movegen"

// Score is a value in centipieces for the side to move: 100 is one piece, or
// one seed. A won game counts Win less the plies until its end.
type Score int

// Win is the score of a game won now; scores beyond MaxEval in size are proven
// wins and losses.
const (
	Win      Score = 30_000
	MaxEval  Score = Win - 2*MaxPly
	infinite Score = 32_000
)

// MaxPly bounds the length of a line in plies, quiescence included.
const MaxPly = 160

// Plies gives the plies to the end of a proven win (positive) or loss
// (negative); ok is false when the score proves nothing.
func (s Score) Plies() (n int, ok bool) {
	switch {
	case s > MaxEval:
		return int(Win - s), true
	case s < -MaxEval:
		return -int(Win + s), true
	}
	return 0, false
}

// A win that tables know, and not how soon, is worth tableWin less the most plies
// until its end. Scores beyond decided in size are won and lost games: no
// evaluation comes near it.
const (
	tableWin Score = 20_000
	decided  Score = tableWin - 4*MaxPly
)

// tableScore is what tables say as a score.
func tableScore(result, plies, ply int, exact bool) Score {
	s := tableWin
	if exact && Win-Score(ply+plies) > MaxEval {
		s = Win
	}
	return Score(result) * (s - Score(ply+plies))
}

// latest gives the most plies to the end of a won or lost game; ok is false when
// the score says of neither.
func (s Score) latest() (n int, ok bool) {
	switch s = max(s, -s); {
	case s > MaxEval:
		return int(Win - s), true
	case s > decided:
		return int(tableWin - s), true
	}
	return 0, false
}

// final is the score of a finished game for the side to move.
func final(o movegen.Outcome, turn movegen.Side, ply int) Score {
	switch o.Winner {
	case movegen.None:
		return 0
	case turn:
		return Win - Score(ply)
	}
	return Score(ply) - Win
}
