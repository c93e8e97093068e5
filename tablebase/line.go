package tablebase

import (
	"errors"

	"qirkat/movegen"
	"qirkat/movegen/manqala"
)

// Choice is a legal move with what the tables say of the position after it, for
// the side that makes it.
type Choice struct {
	Move movegen.Move
	Answer
}

// Choices lists the legal moves of a game with their worth, in the order in
// which the game lists them. Nothing of the game stays changed. The errors are
// those of Probe.
func (p *Prober) Choices(g movegen.Game) ([]Choice, error) {
	var list []Choice
	for _, m := range g.Moves(nil) {
		us := g.Turn()
		g.Make(m)
		a, err := p.after(g, us)
		g.Unmake()
		if err != nil {
			return nil, err
		}
		list = append(list, Choice{m, a})
	}
	return list, nil
}

// after is what a position is worth for the side that has moved. The game may
// have ended there by what tables do not know: a repetition, or the quiet count.
func (p *Prober) after(g movegen.Game, us movegen.Side) (Answer, error) {
	o := g.Outcome()
	if m, seeds := g.(*manqala.Position); seeds && o.Reason == movegen.Cycle {
		a := Answer{Difference: m.Store(us) - m.Store(us.Other()), Value: Value{Plies: 1}}
		a.Result = resultOf(a.Difference)
		return a, nil
	} else if !seeds && o.Over() {
		switch o.Winner {
		case us:
			return Answer{Value: Value{Win, 1}}, nil
		case us.Other():
			return Answer{Value: Value{Loss, 1}}, nil
		}
		return Answer{}, nil
	}
	a, err := p.Probe(g)
	if err != nil {
		return a, err
	}
	a.Value, a.Difference = a.Value.before(), -a.Difference
	return a, nil
}

// better reports whether a side would rather have a than b.
func (a Answer) better(b Answer) bool {
	if a.Difference != b.Difference {
		return a.Difference > b.Difference
	}
	return a.Value.better(b.Value)
}

// ErrNoDistance says that a table has results only, so that nobody knows which
// of the winning moves comes nearer to the end.
var ErrNoDistance = errors.New("the tables have no distances, only results: want those that the build wrote as files .distance")

// Line is a best line of a game: of the moves of equal worth the first. It ends
// with the game, where a position comes again, or after so many plies. Nothing
// of the game stays changed.
func (p *Prober) Line(g movegen.Game, most int) ([]movegen.Move, error) {
	var line []movegen.Move
	defer func() {
		for range line {
			g.Unmake()
		}
	}()
	for len(line) < most && !g.Outcome().Over() && !g.Stalled(len(line)) {
		list, err := p.Choices(g)
		if err != nil {
			return line, err
		}
		best := list[0]
		for _, c := range list[1:] {
			if c.better(best.Answer) {
				best = c
			}
		}
		if best.Plies < 0 {
			return line, ErrNoDistance
		}
		g.Make(best.Move)
		line = append(line, best.Move)
	}
	return line, nil
}
