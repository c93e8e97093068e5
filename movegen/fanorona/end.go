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
	quiet := int(p.quiet)
	if n := p.rules.Repetition; n > 0 && quiet >= 4*(n-1) && p.Occurrences(p.Key(), quiet) >= n {
		return movegen.Draw(movegen.Repetition)
	}
	if n := p.rules.Quiet; n > 0 && quiet >= n {
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

// Cycle is what an endless cycle gives: a draw.
func (p *Position) Cycle() movegen.Outcome { return movegen.Draw(movegen.Repetition) }

// Points are 0 and 0: match points belong to the Alquerque family.
func (p *Position) Points() (p1, p2 int) { return 0, 0 }
