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

// tableWin is the score of a win of which the distance is not known, less the
// plies until the position that tables know. No evaluation comes near it.
const tableWin Score = 20_000

// tableScore is what tables say as a score.
func tableScore(result, plies, ply int) Score {
	s := tableWin - Score(ply)
	if win := Win - Score(ply+plies); plies >= 0 && win > MaxEval {
		s = win
	}
	return Score(result) * s
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
