package fanorona

import "qirkat/movegen"

// Outcome says whether and how the game has ended (rule book, section 5).
func (p *Position) Outcome() movegen.Outcome {
	us, them := p.turn&1, p.turn&1^1
	switch {
	case p.own == 0:
		return movegen.Win(them, movegen.Captured)
	case p.enemy == 0:
		return movegen.Win(us, movegen.Captured)
	case !p.canStep():
		return movegen.Win(them, movegen.Blocked)
	}
	if p.recurs(0) {
		return movegen.Draw(movegen.Repetition)
	}
	if p.rules.QuietEnds(int(p.quiet)) {
		return movegen.Draw(movegen.Quiet)
	}
	return movegen.Outcome{}
}

// canStep reports whether the side to move has a step, capturing or not.
func (p *Position) canStep() bool {
	own, empty := p.own, p.empty()
	for i := range p.rules.axes {
		a := &p.rules.axes[i]
		if (own&a.Step.Up).Up(a.Delta)&empty|(own&a.Step.Down).Down(a.Delta)&empty != 0 {
			return true
		}
	}
	return false
}

// Stalled reports whether the game ends here by the quiet count or by
// repetition, or the position occurred among the last n plies.
func (p *Position) Stalled(n int) bool { return p.rules.QuietEnds(int(p.quiet)) || p.recurs(n) }

func (p *Position) recurs(n int) bool {
	quiet := int(p.quiet)
	return p.rules.MayRecur(quiet, n) && p.Recurs(p.Key(), quiet, n, p.rules.Repetition)
}

// CanRepeat reports whether a paika of the side to move leads to a position that
// occurred among the last n plies.
func (p *Position) CanRepeat(n int) bool {
	n = min(n, int(p.quiet))
	return n >= 3 && p.Earlier(n, func(s *state) bool {
		if s.own != p.enemy {
			return false
		}
		from, to := p.own&^s.enemy, s.enemy&^p.own
		return from.Len() == 1 && p.rules.board.Near[from.First()]&to != 0 && !p.CanCapture(p.both(), p.turn)
	})
}

// QuietLeft is the number of plies without a capture after which the game ends.
func (p *Position) QuietLeft() int { return p.rules.QuietLeft(int(p.quiet)) }

// Cycle is what an endless cycle gives: a draw.
func (p *Position) Cycle() movegen.Outcome { return movegen.Draw(movegen.Repetition) }

// Points are 0 and 0: match points belong to the Alquerque family.
func (p *Position) Points() (p1, p2 int) { return 0, 0 }
