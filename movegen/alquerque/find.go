package alquerque

import (
	"slices"

	"qirkat/movegen"
)

// Find reads a move text and gives the legal move that it stands for, by any
// of its paths. The error is a *movegen.IllegalMove.
func (p *Position) Find(text string) (movegen.Move, error) {
	path, bad := p.rules.size.ParsePath(text)
	if bad != nil {
		return movegen.Move{}, bad
	}
	m, why, detail := p.follow(path)
	if why != movegen.Legal {
		return movegen.Move{}, &movegen.IllegalMove{Text: text, Why: why, Detail: detail}
	}
	return m, nil
}

// follow plays a path by the rules, and says what it breaks.
func (p *Position) follow(path movegen.Path) (m movegen.Move, why movegen.Why, detail string) {
	z := p.rules.size
	own, enemy := p.own, p.enemy
	switch {
	case path.Marked():
		return m, movegen.Unreadable, "the marks A and W belong to Fanorona"
	case own == 0 || enemy == 0 || !p.canMove():
		return m, movegen.GameOver, ""
	case path.Huffed&^p.liable != 0:
		return m, movegen.NoHuff, z.Names(path.Huffed)
	case path.Chains == nil && enemy == path.Huffed:
		return lastHuff(path.Huffed), movegen.Legal, ""
	case path.Chains == nil:
		return m, movegen.HuffAlone, ""
	case enemy == path.Huffed:
		return m, movegen.GameOver, "after the huff"
	}
	list := p.turns(p.found[:0], own, enemy&^path.Huffed, path.Huffed)
	p.found = list
	if len(list) == 0 {
		return m, movegen.HuffBlocks, ""
	}
	from, to := path.Chains[0][0].Point, path.Chains[0][1].Point
	switch {
	case enemy.Has(from):
		return m, movegen.NotYours, z.Name(from)
	case !own.Has(from):
		return m, movegen.NoPiece, z.Name(from)
	case len(path.Chains) == 1 && len(path.Chains[0]) == 2 && p.rules.board.Near[from].Has(to):
		return p.followStep(list, path.Huffed, from, to)
	}
	return p.followJumps(list, path)
}

func (p *Position) followStep(list []movegen.Move, huffed movegen.Set, from, to movegen.Point) (m movegen.Move, why movegen.Why, detail string) {
	for _, m := range list {
		if m.Taken == 0 && m.From == movegen.Bit(from) && m.To == movegen.Bit(to) {
			return m, movegen.Legal, ""
		}
	}
	side := p.turn & 1
	switch {
	case ((p.own | p.enemy) &^ huffed).Has(to):
		return m, movegen.Occupied, p.rules.size.Name(to)
	case !p.rules.side[side].stepsFrom(from, to):
		if p.rules.FarStepsOff && p.rules.board.FarRow(p.turn).Has(from) {
			return m, movegen.FarRow, p.rules.size.Name(from)
		}
		return m, movegen.WrongDirection, p.rules.size.Name(from) + " to " + p.rules.size.Name(to)
	case p.ownBack == step{movegen.Bit(to), movegen.Bit(from)}:
		return m, movegen.TakenBack, ""
	}
	return m, movegen.CaptureCompulsory, "such as " + p.Text(list[0])
}

// followJumps walks the chains of a path.
func (p *Position) followJumps(list []movegen.Move, path movegen.Path) (m movegen.Move, why movegen.Why, detail string) {
	z := p.rules.size
	w := p.begin(p.own, p.enemy&^path.Huffed, path.Huffed)
	t := w.start
	for i, chain := range path.Chains {
		at := chain[0].Point
		if i > 0 && t.stop(w.next(nil, &t)) == early {
			return m, movegen.ChainGoesOn, ""
		}
		for _, to := range chain[1:] {
			h, why, detail := w.hopTo(&t, at, to.Point)
			if why != movegen.Legal {
				return m, why, detail
			}
			if next := w.next(nil, &t); !slices.ContainsFunc(next, func(n hop) bool { return n.from == h.from && n.at == h.at }) {
				return m, movegen.NoNewJump, z.Name(at) + z.Name(to.Point)
			}
			t = t.play(h)
			at = to.Point
		}
	}
	next := w.next(nil, &t)
	stands := t.stop(next)
	m = w.move(&t)
	if p.rules.Huffing || stands == complete {
		if slices.Contains(list, m) {
			return m, movegen.Legal, ""
		}
	}
	if p.rules.Huffing {
		m.Huff = movegen.NewHuff(path.Huffed, w.liable(&t))
		if slices.Contains(list, m) {
			return m, movegen.Legal, ""
		}
	}
	switch stands {
	case early:
		return m, movegen.ChainGoesOn, "to " + z.Name(next[0].at)
	case leftOut:
		return m, movegen.MultiCompulsory, z.Name(next[0].from) + z.Name(next[0].at)
	}
	return m, movegen.MaximumCompulsory, "such as " + p.Text(list[0])
}

// hopTo finds the jump between two points, or says why there is none.
func (w *walker) hopTo(t *turn, from, to movegen.Point) (h hop, why movegen.Why, detail string) {
	z := w.rules.size
	for i := range w.ways.jumps[from].list {
		j := &w.ways.jumps[from].list[i]
		if j.at != to {
			continue
		}
		switch {
		case j.to&(t.own|t.enemy) != 0 && !(t.moved > 0 && t.movers[t.last].now == to):
			return h, movegen.Occupied, z.Name(to)
		case j.over&t.enemy == 0:
			return h, movegen.NothingToJump, "on " + z.Name(j.over.First())
		}
		return hop{from, j}, movegen.Legal, ""
	}
	if w.rules.board.Near[from].Has(to) {
		return h, movegen.NothingToJump, z.Name(from) + " to " + z.Name(to) + " is a step"
	}
	if w.rules.board.Linked(from, to) {
		return h, movegen.WrongDirection, z.Name(from) + " to " + z.Name(to)
	}
	return h, movegen.NoLine, z.Name(from) + " to " + z.Name(to)
}
