package fanorona

import (
	"slices"

	"qirkat/movegen"
)

// String is the position text.
func (p *Position) String() string {
	return movegen.Fields{
		Rows: p.rules.Size.FormatPieces(p.both()), Turn: p.turn, State: "-", Quiet: int(p.quiet),
		Number: p.Number(p.rules.First()),
	}.String()
}

// Set puts the position of a text on the board. On an error the old one stays.
func (p *Position) Set(text string) error {
	f, err := movegen.ParseFields(text, "STATE")
	if err != nil {
		return err
	}
	pieces, err := p.rules.Size.ParsePieces(f.Rows, p.rules.most)
	if err != nil {
		return err
	}
	if f.State != "-" {
		return &movegen.TextError{Field: "STATE", Text: f.State, Want: "Fanorona has none, want -"}
	}
	s := state{pieces[f.Turn], pieces[f.Turn.Other()], f.Turn, int32(f.Quiet)}
	p.Start(s, s.freshKey(), f)
	p.state = &p.Current().State
	return nil
}

// Draw is the board as a picture of several lines.
func (p *Position) Draw() string { return p.rules.board.Draw(p.both()) }

// walk is a capturing turn while it is walked step by step, in text order.
type walk struct {
	rules                      *rules
	vela, single               bool
	at                         movegen.Point
	steps                      int
	axis                       uint8 // of the last step
	up                         bool
	from                       movegen.Set
	enemy, empty, taken, stood movegen.Set
}

func (p *Position) walkFrom(from movegen.Point) walk {
	enemy := p.enemy
	return walk{
		rules: p.rules, vela: p.InVela(), single: p.firstCaptureIsSingle(enemy),
		at: from, from: movegen.Bit(from), enemy: enemy, empty: p.empty(), stood: movegen.Bit(from),
	}
}

// after is the walk with a capturing step added, marked A or W. It gives the
// reason when the step is not legal.
func (w walk) after(s *step, mark byte) (walk, movegen.Why) {
	switch {
	case w.vela && w.steps > 0, w.single && w.steps > 0:
		return w, movegen.SingleStep
	case s.to&w.stood != 0:
		return w, movegen.VisitedTwice
	case s.to&w.empty == 0:
		return w, movegen.Occupied
	case w.steps > 0 && s.axis == w.axis && s.up == w.up:
		return w, movegen.SameDirection
	}
	nearest, up := s.ahead, s.up
	if mark == 'W' {
		nearest, up = s.behind, !s.up
	}
	gone := w.rules.run(nearest, s.axis, up, w.enemy)
	if gone == 0 {
		return w, movegen.NothingTaken
	}
	if w.vela {
		gone = nearest
	}
	w.at, w.axis, w.up = s.at, s.axis, s.up
	w.steps++
	w.enemy &^= gone
	w.empty |= gone
	w.taken |= gone
	w.stood |= s.to
	return w, movegen.Legal
}

// Text is the canonical text of a legal move: the smallest in byte order among
// its paths.
func (p *Position) Text(m movegen.Move) string {
	from, z := m.From.First(), p.rules.Size
	if m.Taken == 0 {
		return z.Name(from) + z.Name(m.To.First())
	}
	path, ok := p.walkFrom(from).path(nil, m)
	if !ok {
		return z.Name(from) + "?" // not a legal move of this position
	}
	return z.Name(from) + string(path)
}

// path finds the first way in text order to take the pieces of m and end where
// it ends.
func (w walk) path(text []byte, m movegen.Move) ([]byte, bool) {
	if w.taken == m.Taken && movegen.Bit(w.at) == m.To {
		return text, true
	}
	for i := range w.rules.steps[w.at] {
		s := &w.rules.steps[w.at][i]
		for _, mark := range "AW" {
			next, why := w.after(s, byte(mark))
			if why != movegen.Legal || next.taken&^m.Taken != 0 {
				continue
			}
			longer := append(append(text, w.rules.Size.Name(s.at)...), byte(mark))
			if found, ok := next.path(longer, m); ok {
				return found, true
			}
		}
	}
	return nil, false
}

// Find reads a move text and gives the legal move that it stands for, by any
// of its paths. The error is a *movegen.IllegalMove.
func (p *Position) Find(text string) (movegen.Move, error) {
	path, bad := p.rules.Size.ParsePath(text)
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
	z := p.rules.Size
	own, enemy := p.own, p.enemy
	switch {
	case own == 0 || enemy == 0 || !p.canStep():
		return m, movegen.GameOver, ""
	case path.Huffed != 0:
		return m, movegen.NoHuff, "Fanorona knows no huffing"
	case len(path.Chains) > 1:
		return m, movegen.NoNewJump, "Fanorona moves one piece a turn"
	}
	chain := path.Chains[0]
	from := chain[0].Point
	switch {
	case enemy.Has(from):
		return m, movegen.NotYours, z.Name(from)
	case !own.Has(from):
		return m, movegen.NoPiece, z.Name(from)
	}
	for i, v := range chain[1:] {
		if !p.rules.board.Near[chain[i].Point].Has(v.Point) {
			return m, movegen.NoLine, z.Name(chain[i].Point) + " to " + z.Name(v.Point)
		}
	}
	if p.turn == movegen.Black && p.InVela() || !p.rules.canCapture(own, enemy) {
		return p.followPaika(chain)
	}
	ends, why, at := p.walkFrom(from).read(chain[1:], nil)
	switch {
	case len(ends) > 1:
		return m, movegen.Ambiguous, ""
	case len(ends) == 1:
		return ends[0], movegen.Legal, ""
	case why == movegen.NothingTaken && len(chain) == 2 && chain[1].Mark == 0:
		return m, movegen.CaptureCompulsory, "such as " + p.Text(p.Moves(nil)[0])
	}
	return m, why, "on the way to " + z.Name(at)
}

// followPaika reads a step where no capture is possible.
func (p *Position) followPaika(chain []movegen.Visit) (m movegen.Move, why movegen.Why, detail string) {
	z := p.rules.Size
	m = movegen.Move{From: movegen.Bit(chain[0].Point), To: movegen.Bit(chain[1].Point)}
	switch {
	case len(chain) > 2 || chain[1].Mark != 0:
		if p.InVela() && p.turn == movegen.Black {
			return m, movegen.NoCaptureInVela, ""
		}
		return m, movegen.NothingTaken, "no capture is possible now"
	case m.To&p.empty() == 0:
		return m, movegen.Occupied, z.Name(chain[1].Point)
	}
	for _, legal := range p.Moves(nil) {
		if legal == m {
			return m, movegen.Legal, ""
		}
	}
	return m, movegen.MustOffer, ""
}

// read collects in ends the different moves that a path can stand for where
// marks were left out. When it adds none it gives the reason and the point of a
// failure.
func (w walk) read(path []movegen.Visit, ends []movegen.Move) (_ []movegen.Move, why movegen.Why, at movegen.Point) {
	if len(path) == 0 {
		m := movegen.Move{From: w.from, To: movegen.Bit(w.at), Taken: w.taken}
		if !slices.Contains(ends, m) {
			ends = append(ends, m)
		}
		return ends, movegen.Legal, w.at
	}
	s := w.rules.stepTo(w.at, path[0].Point)
	for _, mark := range "AW" {
		if path[0].Mark != 0 && path[0].Mark != byte(mark) {
			continue
		}
		next, bad := w.after(s, byte(mark))
		where := s.at
		if bad == movegen.Legal {
			ends, bad, where = next.read(path[1:], ends)
		}
		if bad != movegen.Legal {
			why, at = bad, where
		}
	}
	return ends, why, at
}
