package alquerque

import (
	"fmt"
	"strings"

	"qirkat/movegen"
)

// String is the position text.
func (p *Position) String() string {
	return movegen.Fields{
		Rows: p.rules.size.FormatPieces(p.both()), Turn: p.turn, State: p.stateText(),
		Quiet: int(p.quiet), Number: p.Number(p.rules.first),
	}.String()
}

// stateText writes the tokens rw:, rb: and h:, in this order.
func (p *Position) stateText() string {
	var tokens []string
	for side, b := range p.backs() {
		if !b.none() {
			tokens = append(tokens, "r"+movegen.Side(side).Letter()+":"+p.rules.size.Name(b.from.First())+p.rules.size.Name(b.to.First()))
		}
	}
	if p.liable != 0 {
		tokens = append(tokens, "h:"+p.rules.size.Names(p.liable))
	}
	if tokens == nil {
		return "-"
	}
	return strings.Join(tokens, ",")
}

// Set puts the position of a text on the board. On an error the old one stays.
func (p *Position) Set(text string) error {
	f, err := movegen.ParseFields(text, "STATE")
	if err != nil {
		return err
	}
	pieces, err := p.rules.size.ParsePieces(f.Rows, p.rules.most)
	if err != nil {
		return err
	}
	s := state{own: pieces[f.Turn], enemy: pieces[f.Turn.Other()], turn: f.Turn, quiet: int32(f.Quiet)}
	if err := p.rules.parseState(f.State, &s); err != nil {
		return err
	}
	p.Start(s, s.freshKey(), f)
	p.state = &p.Current().State
	return nil
}

// parseState reads the STATE field into s, whose pieces and turn are set.
func (r *rules) parseState(field string, s *state) error {
	if field == "-" {
		return nil
	}
	place := 0 // in the order of the tokens
	for _, token := range strings.Split(field, ",") {
		bad := func(format string, args ...any) error {
			return &movegen.TextError{Field: "STATE token", Text: token, Want: fmt.Sprintf(format, args...)}
		}
		name, points, _ := strings.Cut(token, ":")
		at := 1 + strings.Index("rw rb h ", name+" ")/3
		if name != "rw" && name != "rb" && name != "h" {
			return bad("want - or the tokens rw:, rb: and h:")
		}
		if at <= place {
			return bad("want each token once, in the order rw:, rb:, h:")
		}
		place = at
		list, ok := r.size.ParsePoints(points)
		if !ok {
			return bad("want points of the board behind the colon, such as %s", map[bool]string{true: "h:c3", false: name + ":b2c2"}[name == "h"])
		}
		var err error
		switch name {
		case "rw":
			err = r.parseStep(s, movegen.White, list, bad)
		case "rb":
			err = r.parseStep(s, movegen.Black, list, bad)
		case "h":
			err = r.parseLiable(s, list, bad)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *rules) parseStep(s *state, side movegen.Side, list []movegen.Point, bad func(string, ...any) error) error {
	switch {
	case !r.NoReturn:
		return bad("the rule no return is not in force")
	case len(list) != 2:
		return bad("want the two points of a step")
	}
	from, to := list[0], list[1]
	pieces, back := s.own, &s.ownBack
	if side != s.turn {
		pieces, back = s.enemy, &s.enemyBack
	}
	switch {
	case !pieces.Has(to):
		return bad("no piece of %s on %s", side, r.size.Name(to))
	case !r.side[side].stepsFrom(from, to):
		return bad("%s has no step from %s to %s", side, r.size.Name(from), r.size.Name(to))
	case side != s.turn && (s.own | s.enemy).Has(from):
		return bad("%s moved last, so %s must be empty", side, r.size.Name(from))
	}
	*back = step{movegen.Bit(from), movegen.Bit(to)}
	return nil
}

func (r *rules) parseLiable(s *state, list []movegen.Point, bad func(string, ...any) error) error {
	if !r.Huffing {
		return bad("huffing is not in force")
	}
	for i, p := range list {
		if i > 0 && list[i-1] >= p {
			return bad("want the points once each, in the order a1, b1, …, a2")
		}
		if !s.enemy.Has(p) {
			return bad("no piece of %s on %s", s.turn.Other(), r.size.Name(p))
		}
		s.liable |= movegen.Bit(p)
	}
	if r.HuffMoved && !r.MultiPiece && len(list) > 1 {
		return bad("only the piece that moved can be huffed, want one point")
	}
	return nil
}

// Text is the canonical text of a legal move: the smallest in byte order among
// its paths.
func (p *Position) Text(m movegen.Move) string {
	huffed := m.Huff.Huffed()
	text := ""
	if huffed != 0 {
		text = "x" + p.rules.size.Name(huffed.First())
		if m.From == 0 {
			return text
		}
		text += ":"
	}
	if m.Taken == 0 {
		return text + p.rules.size.Name(m.From.First()) + p.rules.size.Name(m.To.First())
	}
	w := p.begin(p.own, p.enemy&^huffed, huffed)
	path, ok := w.path(nil, &w.start, m)
	if !ok {
		return text + "?" // not a legal move of this position
	}
	return text + string(path)
}

// path finds the first turn in text order that is the move m.
func (w *walker) path(text []byte, t *turn, m movegen.Move) ([]byte, bool) {
	first := len(w.hops)
	w.hops = w.next(w.hops, t)
	defer func() { w.hops = w.hops[:first] }()
	next := w.hops[first:]
	if t.moved > 0 && w.is(t, m, next) {
		return text, true
	}
	for _, h := range next {
		if h.over&m.Taken == 0 {
			continue
		}
		n := t.play(h)
		longer := text
		if t.moved == 0 || h.from != t.movers[t.last].now {
			if t.moved > 0 {
				longer = append(longer, '+')
			}
			longer = append(longer, w.rules.size.Name(h.from)...)
		}
		longer = append(longer, w.rules.size.Name(h.at)...)
		if found, ok := w.path(longer, &n, m); ok {
			return found, true
		}
	}
	return nil, false
}

// is reports whether the turn, ended here, is the move.
func (w *walker) is(t *turn, m movegen.Move, next []hop) bool {
	now := w.move(t)
	if now.From != m.From || now.To != m.To || now.Taken != m.Taken {
		return false
	}
	liable := m.Huff.Liable()
	return liable == 0 && (len(next) == 0 || w.rules.Huffing) || liable != 0 && w.liable(t) == liable
}

// Draw is the board as a picture of several lines.
func (p *Position) Draw() string { return p.rules.board.Draw(p.both()) }
