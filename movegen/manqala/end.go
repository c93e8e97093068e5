package manqala

import "qirkat/movegen"

// Outcome says whether and how the game has ended (rule book, section 5).
func (p *Position) Outcome() movegen.Outcome {
	us, them := p.turn&1, p.turn&1^1
	switch {
	case p.ownStore >= majority:
		return movegen.Win(us, movegen.Majority)
	case p.otherStore >= majority:
		return movegen.Win(them, movegen.Majority)
	case p.own|p.other == 0:
		return movegen.Draw(movegen.Empty)
	case p.other == 0 && !p.canFeed():
		// the player with the empty row takes all seeds on the board
		return decide(us, int(p.ownStore), int(p.otherStore)+p.own.total(), movegen.Starved)
	}
	if p.Stalled(0) {
		return p.Cycle()
	}
	return movegen.Outcome{}
}

// Stalled reports whether the game ends here by the quiet count or by
// repetition, or the position occurred among the last n plies.
func (p *Position) Stalled(n int) bool { return p.rules.QuietEnds(int(p.quiet)) || p.recurs(n) }

func (p *Position) recurs(n int) bool {
	quiet := int(p.quiet)
	return p.rules.MayRecur(quiet, n) && p.Recurs(p.Key(), quiet, n, p.rules.Repetition)
}

// CanRepeat finds nothing: no sowing is undone by one of the other side.
func (p *Position) CanRepeat(int) bool { return false }

// QuietLeft is the number of plies without a capture after which the game ends.
func (p *Position) QuietLeft() int { return p.rules.QuietLeft(int(p.quiet)) }

// Cycle is what an endless cycle gives: the seeds on the board are shared
// equally, and the larger store wins.
func (p *Position) Cycle() movegen.Outcome {
	return decide(p.turn, int(p.ownStore), int(p.otherStore), movegen.Cycle)
}

// decide compares the final seeds of the side to move with the opponent's.
func decide(us movegen.Side, own, other int, why movegen.Reason) movegen.Outcome {
	switch {
	case own > other:
		return movegen.Win(us, why)
	case own < other:
		return movegen.Win(us.Other(), why)
	}
	return movegen.Draw(why)
}

// Points are 0 and 0: match points belong to the Alquerque family.
func (p *Position) Points() (p1, p2 int) { return 0, 0 }
