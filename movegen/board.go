package movegen

import (
	"fmt"
	"slices"
	"strings"
)

// Board is a graph: its points and the lines drawn through them. All tables
// are computed from the lines.
//
//	5 a5-b5-c5-d5-e5
//	  | \ | / | \ | /|
//	4 a4-b4-c4-d4-e4     a1, b2, c1, … are strong points: column + row is
//	  | / | \ | / | \|     even, and diagonal lines run through them
//	3 a3-b3-c3-d3-e3
//	  …
type Board struct {
	Size
	All, Strong Set
	Axes        []Axis // the ways in which lines run: along a row, a column, …
	Near        []Set  // by point: the neighbours along the lines
}

// Axis is one way in which lines run over the board, upwards in point order:
// a step up it adds Delta to the point, a step down takes it away.
type Axis struct {
	Delta    uint8
	Rows     int // rows gained by a step up: 0 along a row, else 1
	Step     Ways
	Jump     Ways // two points on, with the line going on through the middle
	Diagonal bool
}

// Ways are the points from which an axis can be followed, up and down.
type Ways struct{ Up, Down Set }

// Lead reports whether a way leads from one point to another, when going up
// adds so much to a point.
func (w Ways) Lead(from, to Point, up uint8) bool {
	return w.Up.Has(from) && from+Point(up) == to || w.Down.Has(from) && from == to+Point(up)
}

// NewBoard draws the Alquerque lines on a board of odd width and height: every
// row and column, and the diagonals through the strong points.
func NewBoard(z Size) *Board {
	b := &Board{Size: z, Near: make([]Set, z.W*z.H)}
	for r := range z.H {
		for c := range z.W {
			p := Bit(z.At(c, r))
			b.All |= p
			if (c+r)%2 == 0 {
				b.Strong |= p
			}
		}
	}
	for _, line := range gridLines(z) {
		b.draw(line)
	}
	slices.SortFunc(b.Axes, func(x, y Axis) int { return int(x.Delta) - int(y.Delta) })
	return b
}

// gridLines lists every line of the board as the points that it runs through,
// from the lowest point up.
func gridLines(z Size) [][]Point {
	var lines [][]Point
	run := func(c, r, dc, dr int) {
		var line []Point
		for ; z.Has(c, r); c, r = c+dc, r+dr {
			line = append(line, z.At(c, r))
		}
		if len(line) > 1 {
			lines = append(lines, line)
		}
	}
	for r := range z.H {
		run(0, r, 1, 0)
	}
	for c := range z.W {
		run(c, 0, 0, 1)
	}
	for c := 0; c < z.W; c += 2 { // diagonals that begin on the bottom row
		run(c, 0, 1, 1)
		run(c, 0, -1, 1)
	}
	for r := 2; r < z.H; r += 2 { // and those that begin on the left or right edge
		run(0, r, 1, 1)
		run(z.W-1, r, -1, 1)
	}
	return lines
}

// draw adds a line: its steps, and a jump wherever three points follow each
// other on it.
func (b *Board) draw(line []Point) {
	a := b.axis(line[0], line[1])
	for i := 1; i < len(line); i++ {
		low, high := line[i-1], line[i]
		a.Step.Up |= Bit(low)
		a.Step.Down |= Bit(high)
		b.Near[low] |= Bit(high)
		b.Near[high] |= Bit(low)
		if i > 1 {
			a.Jump.Up |= Bit(line[i-2])
			a.Jump.Down |= Bit(high)
		}
	}
}

// axis finds the axis of a step from low to high, or adds it.
func (b *Board) axis(low, high Point) *Axis {
	rows := int(high)/b.W - int(low)/b.W
	columns := int(high)%b.W - int(low)%b.W
	for i := range b.Axes {
		if a := &b.Axes[i]; a.Delta == uint8(high-low) && a.Rows == rows {
			return a
		}
	}
	b.Axes = append(b.Axes, Axis{Delta: uint8(high - low), Rows: rows, Diagonal: rows != 0 && columns != 0})
	return &b.Axes[len(b.Axes)-1]
}

// Row is the set of points of row r, counted from 0.
func (b *Board) Row(r int) Set {
	return (1<<b.W - 1) << (r * b.W)
}

// FarRow is the row farthest from the side's own.
func (b *Board) FarRow(s Side) Set {
	if s == White {
		return b.Row(b.H - 1)
	}
	return b.Row(0)
}

// Between is the point in the middle of two points two steps apart.
func Between(a, b Point) Point { return (a + b) / 2 }

// Linked reports whether two points lie two steps apart on a line.
func (b *Board) Linked(from, to Point) bool {
	for _, a := range b.Axes {
		if a.Jump.Lead(from, to, 2*a.Delta) {
			return true
		}
	}
	return false
}

// Draw is the board as a picture of several lines, w and b the pieces.
func (b *Board) Draw(pieces [2]Set) string {
	var text strings.Builder
	for r := b.H - 1; r >= 0; r-- {
		fmt.Fprintf(&text, "%d  ", r+1)
		for c := range b.W {
			p := b.At(c, r)
			switch {
			case pieces[White].Has(p):
				text.WriteByte('w')
			case pieces[Black].Has(p):
				text.WriteByte('b')
			default:
				text.WriteByte('.')
			}
			if c < b.W-1 {
				text.WriteString("---")
			}
		}
		text.WriteByte('\n')
		if r > 0 {
			text.WriteString("   ")
			for c := range b.W {
				text.WriteByte('|')
				if c < b.W-1 {
					text.WriteString(" " + b.slant(c, r) + " ")
				}
			}
			text.WriteByte('\n')
		}
	}
	text.WriteString("   ")
	for c := range b.W {
		text.WriteByte(byte('a' + c))
		if c < b.W-1 {
			text.WriteString("   ")
		}
	}
	text.WriteByte('\n')
	return text.String()
}

// slant is the diagonal line in the square below row r and right of column c.
func (b *Board) slant(c, r int) string {
	if b.Strong.Has(b.At(c, r)) {
		return "\\"
	}
	return "/"
}
