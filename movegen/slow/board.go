package slow

import (
	"strconv"
	"strings"
)

// What a point can hold. The letters of the pieces are those of the sides.
const (
	white = 'w'
	black = 'b'
	empty = '.'
)

// opponent is the other side.
func opponent(side byte) byte {
	if side == white {
		return black
	}
	return white
}

// maxPoints is the size of the largest board, Fanorona 7×9.
const maxPoints = 63

// A point is numbered row by row from a1: a1 is 0, b1 is 1, … .
// none stands for "no point".
const none = -1

// direction is a way along a line: columns to the right and rows up.
type direction struct{ cols, rows int }

// directions has all ways that lines run, in the byte order of the names of
// the points they lead to. Fanorona's search for paths relies on that order.
var directions = [8]direction{
	{-1, -1}, {-1, 0}, {-1, +1}, {0, -1}, {0, +1}, {+1, -1}, {+1, 0}, {+1, +1},
}

// opposite[d] is the number of the direction straight back from direction d.
var opposite = [8]int{7, 6, 5, 4, 3, 2, 1, 0}

// backward says whether a step of that side in direction d leads away from
// the far row. Forward is up for White, down for Black (section 1).
func backward(d int, side byte) bool {
	if side == white {
		return directions[d].rows < 0
	}
	return directions[d].rows > 0
}

// grid is a board of points with its lines.
type grid struct {
	width, height int
	// next[p][d] is the point next to p on the line in direction d, or none.
	next [maxPoints][8]int
}

func newGrid(width, height int) *grid {
	g := &grid{width: width, height: height}
	for p := range g.size() {
		for d := range directions {
			g.next[p][d] = g.follow(p, d)
		}
	}
	return g
}

func (g *grid) size() int { return g.width * g.height }

// strong: column number + row number is even, counted from 1.
func (g *grid) strong(p int) bool { return (p%g.width+1+p/g.width+1)%2 == 0 }

// follow finds the neighbour of p: lines join every two points that are
// neighbours in a row or a column; from a strong point there are diagonal
// lines too (section 1).
func (g *grid) follow(p, d int) int {
	col, row := p%g.width+directions[d].cols, p/g.width+directions[d].rows
	if col < 0 || col >= g.width || row < 0 || row >= g.height {
		return none
	}
	diagonal := directions[d].cols != 0 && directions[d].rows != 0
	if diagonal && !g.strong(p) {
		return none
	}
	return row*g.width + col
}

// farRow says whether p is on the last row as that side sees it.
func (g *grid) farRow(p int, side byte) bool {
	if side == white {
		return p/g.width == g.height-1
	}
	return p/g.width == 0
}

// name writes a point as a column letter and a row digit.
func (g *grid) name(p int) string {
	return string([]byte{byte('a' + p%g.width), byte('1' + p/g.width)})
}

// point reads the two characters of a name.
func (g *grid) point(name string) int {
	return int(name[1]-'1')*g.width + int(name[0]-'a')
}

// set is a set of points of the 5×5 board; no other one needs sets.
type set [5 * 5]bool

// step is a step from one point to the next. The zero value is no step.
type step struct{ from, to int }

// position is a position of a board game (section 1, position text).
type position struct {
	points [maxPoints]byte // white, black or empty
	side   byte            // the side to move
	// The step that was the last turn of a side, while the piece still stands
	// there: the tokens rw and rb.
	whiteStep, blackStep step
	huffable             set // the token h
	quiet, move          int
}

// lastStep is the place of the token of a side, to read and to write.
func (p *position) lastStep(side byte) *step {
	if side == white {
		return &p.whiteStep
	}
	return &p.blackStep
}

// count is the number of pieces of a side.
func (p *position) count(side byte) int {
	n := 0
	for _, piece := range p.points {
		if piece == side {
			n++
		}
	}
	return n
}

// parse reads a position text.
func (g *grid) parse(fen string) position {
	fields := strings.Fields(fen)
	var p position
	for i, row := range strings.Split(fields[0], "/") {
		at := (g.height - 1 - i) * g.width // the top row comes first
		for _, c := range []byte(row) {
			if c == white || c == black {
				p.points[at] = c
				at++
				continue
			}
			for range c - '0' {
				p.points[at] = empty
				at++
			}
		}
	}
	p.side = fields[1][0]
	if fields[2] != "-" {
		for token := range strings.SplitSeq(fields[2], ",") {
			kind, names, _ := strings.Cut(token, ":")
			switch kind {
			case "rw":
				p.whiteStep = step{g.point(names[:2]), g.point(names[2:])}
			case "rb":
				p.blackStep = step{g.point(names[:2]), g.point(names[2:])}
			case "h":
				for ; names != ""; names = names[2:] {
					p.huffable[g.point(names)] = true
				}
			}
		}
	}
	p.quiet, _ = strconv.Atoi(fields[3])
	p.move, _ = strconv.Atoi(fields[4])
	return p
}

// text writes a position: ROWS SIDE STATE QUIET MOVE.
func (g *grid) text(p position) string {
	return g.rowsText(p) + " " + string(rune(p.side)) + " " + g.stateText(p) + " " + strconv.Itoa(p.quiet) + " " + strconv.Itoa(p.move)
}

func (g *grid) rowsText(p position) string {
	var b strings.Builder
	for row := g.height - 1; row >= 0; row-- {
		gap := 0
		for col := range g.width {
			piece := p.points[row*g.width+col]
			if piece == empty {
				gap++
				continue
			}
			if gap > 0 {
				b.WriteByte(byte('0' + gap))
				gap = 0
			}
			b.WriteByte(piece)
		}
		if gap > 0 {
			b.WriteByte(byte('0' + gap))
		}
		if row > 0 {
			b.WriteByte('/')
		}
	}
	return b.String()
}

func (g *grid) stateText(p position) string {
	var tokens []string
	if s := p.whiteStep; s != (step{}) {
		tokens = append(tokens, "rw:"+g.name(s.from)+g.name(s.to))
	}
	if s := p.blackStep; s != (step{}) {
		tokens = append(tokens, "rb:"+g.name(s.from)+g.name(s.to))
	}
	huffable := ""
	for at, yes := range p.huffable {
		if yes {
			huffable += g.name(at)
		}
	}
	if huffable != "" {
		tokens = append(tokens, "h:"+huffable)
	}
	if len(tokens) == 0 {
		return "-"
	}
	return strings.Join(tokens, ",")
}
