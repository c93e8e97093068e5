package movegen

import (
	"math/bits"
	"strconv"
)

// Point is an intersection of the board, or a house: row times width plus
// column, a1 first, so 0 to 62 on the boards we know.
type Point uint8

// Set is a set of points, bit p for point p.
type Set uint64

// Has reports whether p is in the set.
func (s Set) Has(p Point) bool { return s>>(p&63)&1 != 0 }

// First is the lowest point of a set that is not empty.
func (s Set) First() Point { return Point(bits.TrailingZeros64(uint64(s))) }

// Lowest is the set of the lowest point alone.
func (s Set) Lowest() Set { return s & -s }

// Turned is the set with a board of so many points turned round by half.
func (s Set) Turned(points int) Set { return Set(bits.Reverse64(uint64(s)) >> (64 - points)) }

// Rest is the set without its lowest point.
func (s Set) Rest() Set { return s & (s - 1) }

// Len counts the points.
func (s Set) Len() int { return bits.OnesCount64(uint64(s)) }

// Up shifts every point by k along a line; the caller masks off the points from
// which no line leads there.
func (s Set) Up(k uint8) Set { return s << (k & 63) }

// Down shifts every point by k the other way.
func (s Set) Down(k uint8) Set { return s >> (k & 63) }

// Bit is the set of p alone.
func Bit(p Point) Set { return 1 << (p & 63) }

// Size is the width and height of a board in points.
type Size struct{ W, H int }

// Name is the text of a point, such as "c3".
func (z Size) Name(p Point) string {
	return string(rune('a'+int(p)%z.W)) + strconv.Itoa(int(p)/z.W+1)
}

// Names joins the names of the points of s, in point order.
func (z Size) Names(s Set) string {
	text := ""
	for ; s != 0; s = s.Rest() {
		text += z.Name(s.First())
	}
	return text
}

// At is the point in column c and row r, both counted from 0.
func (z Size) At(c, r int) Point { return Point(r*z.W + c) }

// Has reports whether column c and row r, counted from 0, are on the board.
func (z Size) Has(c, r int) bool { return c >= 0 && c < z.W && r >= 0 && r < z.H }

func (z Size) String() string { return strconv.Itoa(z.W) + "x" + strconv.Itoa(z.H) }
