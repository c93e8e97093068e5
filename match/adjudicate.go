package match

import "qirkat/movegen"

// adjudicator watches the scores of a game.
type adjudicator struct {
	rules  Adjudication
	tables Tables // nil: none
	drawn  [2]int // moves in a row on which a side called the game even
	lost   [2]int // … on which it called it lost
	won    [2]int // … on which it called it won
}

// played counts a ply of a side, 0 or 1, and gives the result when the game is
// to be ended here. Plies counts all of the game.
func (a *adjudicator) played(side int, p Ply, plies int, g movegen.Game) (Result, string) {
	score, known := p.score()
	count := func(n *[2]int, holds bool) {
		if holds {
			n[side]++
		} else {
			n[side] = 0
		}
	}
	count(&a.drawn, known && score >= -a.rules.Draw.Score && score <= a.rules.Draw.Score)
	count(&a.lost, known && score <= -a.rules.Resign.Score)
	count(&a.won, known && score >= a.rules.Resign.Score)

	if r := a.rules.Resign; r.Moves > 0 && plies >= r.From {
		for s := range 2 {
			if a.lost[s] >= r.Moves && a.won[1-s] >= r.Moves {
				return lostBy(s), ReasonScore
			}
		}
	}
	if r := a.rules.Draw; r.Moves > 0 && plies >= r.From && a.drawn[0] >= r.Moves && a.drawn[1] >= r.Moves {
		return Drawn, ReasonScore
	}
	if a.tables != nil {
		if o, known := a.tables.Probe(g); known {
			return Result(o.Result(g.Variant().First())), ReasonTable
		}
	}
	if a.rules.Length > 0 && plies >= a.rules.Length {
		return Drawn, ReasonLength
	}
	return Unfinished, ""
}

// mateScore stands for a proven win, in centipieces: above any other score.
const mateScore = 30000

// score is what the engine said of its move, for the mover.
func (p Ply) score() (centipieces int, known bool) {
	switch {
	case p.Mate > 0:
		return mateScore, true
	case p.Mate < 0:
		return -mateScore, true
	case p.CP == nil:
		return 0, false
	}
	return *p.CP, true
}
