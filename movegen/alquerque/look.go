package alquerque

import "qirkat/movegen"

// Way is what the rules leave open to a side along one axis: the points from
// which it may step or jump, up and down in point order.
type Way struct {
	Delta      uint8 // added to a point by a step up
	Step, Jump movegen.Ways
}

// Ways are the ways of a side, for those who look at a position without
// moving. An axis that the board does not have is a zero Way.
func (p *Position) Ways(s movegen.Side) [4]Way {
	var ways [4]Way
	for i, a := range p.rules.side[s&1].axes {
		ways[i] = Way{a.delta, a.step.ways(), a.jump.ways()}
	}
	return ways
}

// Liable are the pieces of the side that is not to move that may be huffed now.
func (p *Position) Liable() movegen.Set { return p.liable }

// CanCapture reports whether a side on turn could capture.
func (p *Position) CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool {
	own, enemy := pieces[turn&1], pieces[turn&1^1]
	return p.rules.side[turn&1].canJump(own, enemy, p.rules.board.All&^(own|enemy)) != 0
}

// CanTurn reports whether a side on turn, whose last step led from a point to
// another, could step, but not take that step back, or capture. The points are
// empty where there is none.
func (p *Position) CanTurn(pieces [2]movegen.Set, turn movegen.Side, from, to movegen.Set) bool {
	return p.canTurn(turn, step{from, to}, pieces[turn&1], pieces[turn&1^1])
}

// QuietCount is the number of plies in a row without a capture.
func (p *Position) QuietCount() int { return int(p.quiet) }

// LastStep is the step that was the last turn of a side, by its two points, where
// the rule of no return remembers it; else both are empty.
func (p *Position) LastStep(s movegen.Side) (from, to movegen.Set) {
	b := p.enemyBack
	if s == p.turn {
		b = p.ownBack
	}
	return b.from, b.to
}
