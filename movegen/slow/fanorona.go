package slow

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// fanorona is a board and the parameters of section 3.
type fanorona struct {
	*grid
	// singleFirst: a side's first capture of the game is one step only.
	singleFirst bool
	vela        bool
}

const (
	fanoronaRepetition = 3   // occurrences that make a draw
	fanoronaQuiet      = 100 // quiet plies that make a draw
)

var sized = regexp.MustCompile(`^fanorona-([3579])x([3579])$`)

// newFanorona gives the rules of fanorona, its named boards and fanorona-WxH:
// odd width and height, 3 to 9 each, at most 63 points.
func newFanorona(variant string) (*fanorona, error) {
	width, height := 9, 5
	switch variant {
	case "fanorona", "fanorona-vela":
	case "fanorona-dimy":
		width, height = 5, 5
	case "fanorona-telo":
		width, height = 3, 3
	default:
		size := sized.FindStringSubmatch(variant)
		if size == nil {
			return nil, fmt.Errorf("unknown variant %q", variant)
		}
		width, height = int(size[1][0]-'0'), int(size[2][0]-'0')
		if width*height > maxPoints {
			return nil, fmt.Errorf("variant %q: more than %d points", variant, maxPoints)
		}
	}
	return &fanorona{
		grid: newGrid(width, height),
		// "single is the default on 9×5 (and in the vela), free on every other size."
		singleFirst: width == 9 && height == 5,
		vela:        variant == "fanorona-vela",
	}, nil
}

func (f *fanorona) set(name, value string) error {
	if name != "FirstMove" {
		return fmt.Errorf("unknown switch %q", name)
	}
	if value != "single" && value != "free" {
		return fmt.Errorf("switch %s: unknown value %q, want single or free", name, value)
	}
	f.singleFirst = value == "single"
	return nil
}

// start: Black on the upper rows, White on the lower rows, centre empty; the
// middle row, from the left and leaving out the centre, alternates b w b w ….
func (f *fanorona) start() string {
	p := position{side: white, move: 1}
	middle := f.height / 2
	for row := range f.height {
		piece := byte(black)
		for col := range f.width {
			at := &p.points[row*f.width+col]
			switch {
			case row > middle:
				*at = black
			case row < middle:
				*at = white
			case col == f.width/2:
				*at = empty
			default:
				*at = piece
				piece = opponent(piece)
			}
		}
	}
	return f.text(p)
}

// perSide is the number of pieces that a side has at the start.
func (f *fanorona) perSide() int { return (f.size() - 1) / 2 }

// The letters of the two ways to capture.
const (
	approach   = 'A'
	withdrawal = 'W'
)

// line gives the enemy pieces that stand next to at in direction d, without a
// gap. Approach looks from the end of the step straight ahead, withdrawal from
// its start straight back.
func (f *fanorona) line(points *[maxPoints]byte, at, d int, enemy byte) []int {
	var taken []int
	for q := f.next[at][d]; q != none && points[q] == enemy; q = f.next[q][d] {
		taken = append(taken, q)
	}
	return taken
}

// taken gives the pieces that the step from a point in direction d captures in
// one of the two ways; none when it is not a capture.
func (f *fanorona) taken(points *[maxPoints]byte, from, d int, way, enemy byte) []int {
	if way == approach {
		return f.line(points, f.next[from][d], d, enemy)
	}
	return f.line(points, from, opposite[d], enemy)
}

// open says whether a piece can step from a point in direction d: along a line
// to an adjacent empty point.
func (f *fanorona) open(points *[maxPoints]byte, from, d int) bool {
	to := f.next[from][d]
	return to != none && points[to] == empty
}

// canCapture says whether that side has a capturing step.
func (f *fanorona) canCapture(points *[maxPoints]byte, side byte) bool {
	for from := range f.size() {
		if points[from] != side {
			continue
		}
		for d := range directions {
			if !f.open(points, from, d) {
				continue
			}
			if len(f.taken(points, from, d, approach, opponent(side))) > 0 ||
				len(f.taken(points, from, d, withdrawal, opponent(side))) > 0 {
				return true
			}
		}
	}
	return false
}

// fanoronaTurns collects the turns of one position. The turns of one move have
// the same start, the same end and the same pieces left on the board.
type fanoronaTurns struct {
	turns []turn
	place map[fanoronaMove]int // where in turns
	limit int                  // paths wanted of each move
}

type fanoronaMove struct {
	start, end int
	points     [maxPoints]byte
}

func (t *fanoronaTurns) add(m fanoronaMove, path string, next position) {
	if t.place == nil {
		t.place = make(map[fanoronaMove]int)
	}
	i, known := t.place[m]
	if !known {
		i = len(t.turns)
		t.place[m] = i
		t.turns = append(t.turns, turn{next: next})
	}
	if len(t.turns[i].paths) < t.limit {
		t.turns[i].paths = append(t.turns[i].paths, path)
	}
}

// legal lists the legal turns, each with its smallest paths up to a limit; no
// turn when a side has no pieces. A paika is legal only when no capture exists.
func (f *fanorona) legal(p position, limit int) []turn {
	t := &fanoronaTurns{limit: limit}
	switch {
	case p.count(white) == 0 || p.count(black) == 0:
	case f.inVela(&p) && p.side == black:
		f.addOffers(t, p)
	case f.inVela(&p) && f.canCapture(&p.points, white):
		f.addSingleCaptures(t, p)
	case f.canCapture(&p.points, p.side):
		f.addCaptures(t, p)
	default:
		f.addPaikas(t, p)
	}
	return t.turns
}

// after is the position after a turn that leaves these points.
func (f *fanorona) after(p position, points [maxPoints]byte, capture bool) position {
	p.points = points
	p.quiet++
	if capture {
		p.quiet = 0
	}
	if p.side == black {
		p.move++
	}
	p.side = opponent(p.side)
	return p
}

// addPaikas adds the steps that capture nothing; each is a move of its own.
func (f *fanorona) addPaikas(t *fanoronaTurns, p position) {
	for from := range f.size() {
		if p.points[from] != p.side {
			continue
		}
		for d := range directions {
			if !f.open(&p.points, from, d) {
				continue
			}
			to := f.next[from][d]
			points := p.points
			points[from], points[to] = empty, p.side
			t.turns = append(t.turns, turn{next: f.after(p, points, false), paths: []string{f.name(from) + f.name(to)}})
		}
	}
}

// trodden marks a point on which the capturing piece stood this turn: it is
// empty, but cannot be stepped on again.
const trodden = 'o'

// chain is a capture in the making.
type chain struct {
	points [maxPoints]byte
	at     int // the piece that captures
	last   int // the direction of its last step, or none
}

// hunt is the search for all captures of one piece.
type hunt struct {
	f     *fanorona
	turns *fanoronaTurns
	p     position
	start int
	one   bool // one step only
	seen  map[chain]int
}

// addCaptures adds the capturing turns of every piece. While the enemy still
// has all its pieces of the start, no chain goes past its first step, if that
// rule is in force.
func (f *fanorona) addCaptures(t *fanoronaTurns, p position) {
	one := f.singleFirst && p.count(opponent(p.side)) == f.perSide()
	for start := range f.size() {
		if p.points[start] != p.side {
			continue
		}
		h := &hunt{f: f, turns: t, p: p, start: start, one: one, seen: make(map[chain]int)}
		h.goOn(chain{p.points, start, none}, f.name(start))
	}
}

// goOn adds all turns that go on from c by one capturing step or more. After a
// capture the same piece may go on capturing (it need not), each step in
// another direction than the step just before, never onto a point it stood on
// this turn.
//
// A position can have far more paths than moves. Directions, and A before W,
// are in byte order, so paths come out in byte order. Paths that lead to the
// same chain have trodden the same points, so they are equally long, and what
// goes on from the chain does so from each of them in the same order. So once
// as many paths have led to it as are wanted of a move, all later ones are too
// large to be wanted.
func (h *hunt) goOn(c chain, path string) {
	if h.seen[c] == h.turns.limit {
		return
	}
	h.seen[c]++
	for d := range directions {
		if d == c.last || !h.f.open(&c.points, c.at, d) {
			continue
		}
		for _, way := range []byte{approach, withdrawal} {
			taken := h.f.taken(&c.points, c.at, d, way, opponent(h.p.side))
			if len(taken) == 0 {
				continue
			}
			next := chain{c.points, h.f.next[c.at][d], d}
			next.points[c.at], next.points[next.at] = trodden, h.p.side
			for _, q := range taken {
				next.points[q] = empty
			}
			longer := path + h.f.name(next.at) + string(rune(way))
			h.end(next, longer)
			if !h.one {
				h.goOn(next, longer)
			}
		}
	}
}

// end adds the turn that ends with c.
func (h *hunt) end(c chain, path string) {
	for q := range c.points {
		if c.points[q] == trodden {
			c.points[q] = empty
		}
	}
	h.turns.add(fanoronaMove{h.start, c.at, c.points}, path, h.f.after(h.p, c.points, true))
}

// pathLimit is how many paths of a move Turns gives in Fanorona.
const pathLimit = 50

func (f *fanorona) turns(fen string) []Turn {
	var all []Turn
	for _, t := range f.legal(f.parse(fen), pathLimit) {
		slices.SortFunc(t.paths, strings.Compare)
		all = append(all, Turn{t.paths[0], t.paths, f.text(t.next)})
	}
	return all
}

func (f *fanorona) nexts(fen string) []string {
	var all []string
	for _, t := range f.legal(f.parse(fen), 1) {
		all = append(all, f.text(t.next))
	}
	return all
}

func (f *fanorona) perft(fen string, depth int) int {
	next := func(p position) []position {
		legal := f.legal(p, 1)
		all := make([]position, 0, len(legal))
		for _, t := range legal {
			all = append(all, t.next)
		}
		return all
	}
	return perft(next, f.parse(fen), depth)
}
