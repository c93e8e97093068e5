package games_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qirkat/movegen"
)

// longestGame bounds a random game, in plies: long enough to come by shuffling
// to every kind of end.
const longestGame = 90

// randomPosition is the text of a position to begin a random game with, and how
// many plies to play at most: now and then the start, else a position that
// nobody need ever have reached.
func (r rules) randomPosition(random *rand.Rand) (text string, plies int) {
	if random.IntN(15) == 0 {
		return r.Start, longestGame
	}
	quiet := random.IntN(10)
	if random.IntN(6) == 0 {
		quiet = r.Quiet - random.IntN(8)
	}
	rows, state := r.randomBoard(random)
	side := "wb"[random.IntN(2)]
	if r.Family == movegen.Alquerque {
		state = r.randomState(random, rows, side)
	}
	plies = []int{1, 4, 12, longestGame / 2}[random.IntN(4)]
	return fmt.Sprintf("%s %c %s %d %d", rows, side, state, quiet, 1+random.IntN(40)), plies
}

// randomBoard gives the rows, and of Al-manqala the stores.
func (r rules) randomBoard(random *rand.Rand) (rows, state string) {
	if r.Family == movegen.Manqala {
		return randomHouses(random)
	}
	most := r.StartPieces()
	z := r.Size
	var count [2]int
	for side := range count {
		switch count[side] = 1 + random.IntN(most[side]); random.IntN(8) {
		case 0:
			count[side] = most[side] // no capture has been made
		case 1, 2, 3:
			count[side] = 1 + random.IntN(min(4, most[side]))
		}
	}
	if r.Vela && random.IntN(2) == 0 {
		count[movegen.Black] = 3 + random.IntN(6) // about the end of the vela
	}
	if random.IntN(50) == 0 {
		count[random.IntN(2)] = 0
	}
	how := filling(random.IntN(int(fillings)))
	if how == passed && random.IntN(3) == 0 {
		count = [2]int{z.W, z.W} // a full row each: on 5×5 a double block perhaps
	}
	var pieces [2]movegen.Set
	order := how.order(random, z)
	first := movegen.Side(random.IntN(2))
	for _, side := range []movegen.Side{first, first.Other()} {
		for _, p := range order[side] {
			if pieces[side].Len() < count[side] && !pieces[side.Other()].Has(p) {
				pieces[side] |= movegen.Bit(p)
			}
		}
	}
	if pieces[0]|pieces[1] == 0 {
		return r.randomBoard(random)
	}
	return z.FormatPieces(pieces), "-"
}

// filling is how the pieces are put on a random board.
type filling int

const (
	hemmedIn  filling = iota // from a corner on, so that the side that is put there first is stuck
	passed                   // from the far row on, so that the sides have passed each other
	scattered                // here and there; most of them are
	fillings  = scattered + 4
)

// order are the points in the order in which each side takes them.
func (how filling) order(random *rand.Rand, z movegen.Size) [2][]movegen.Point {
	right, top := random.IntN(2)*(z.W-1), random.IntN(2)*(z.H-1)
	var order [2][]movegen.Point
	for side := range order {
		distance := func(p movegen.Point) int {
			column, row := int(p)%z.W, int(p)/z.W
			switch how {
			case hemmedIn:
				return max(abs(column-right), abs(row-top))
			case passed:
				return abs(row - (z.H-1)*(1-side))
			}
			return 0
		}
		for _, p := range random.Perm(z.W * z.H) {
			order[side] = append(order[side], movegen.Point(p))
		}
		slices.SortStableFunc(order[side], func(p, q movegen.Point) int { return distance(p) - distance(q) })
	}
	return order
}

func abs(n int) int { return max(n, -n) }

// randomHouses spreads few seeds or many over the houses of one row or of both,
// and gives the rest to the stores.
func randomHouses(random *rand.Rand) (rows, stores string) {
	const all = 98
	onBoard := []int{random.IntN(8), random.IntN(30), random.IntN(all + 1)}[random.IntN(3)]
	first, last := 0, 13
	switch random.IntN(5) {
	case 0:
		last = 6
	case 1:
		first = 7
	}
	var houses [14]int
	for left := onBoard; left > 0; {
		n := 1 + random.IntN(min(left, 1+random.IntN(20)))
		houses[first+random.IntN(last-first+1)] += n
		left -= n
	}
	white := random.IntN(all - onBoard + 1)
	if random.IntN(4) > 0 { // mostly without a majority
		white = min(49, (all-onBoard)/2+random.IntN(5))
		white = min(white, all-onBoard)
	}
	text := func(row []int) string {
		return strings.Trim(strings.ReplaceAll(fmt.Sprint(row), " ", ","), "[]")
	}
	return text(houses[7:]) + "/" + text(houses[:7]), fmt.Sprintf("%d,%d", white, all-onBoard-white)
}

// randomState is a STATE field that fits the board.
func (r rules) randomState(random *rand.Rand, rows string, side byte) string {
	points := readRows(rows)
	var tokens []string
	for _, mover := range "wb" {
		if steps := r.lastSteps(points, byte(mover), side); r.NoReturn && len(steps) > 0 && random.IntN(2) == 0 {
			tokens = append(tokens, fmt.Sprintf("r%c:%s", mover, steps[random.IntN(len(steps))]))
		}
	}
	if r.Huffing && random.IntN(2) == 0 {
		var liable []string
		for _, p := range pointOrder {
			if points[p] == other(side) && random.IntN(3) == 0 {
				liable = append(liable, p)
			}
		}
		if r.HuffMoved && !r.MultiPiece && len(liable) > 1 {
			liable = liable[:1]
		}
		if len(liable) > 0 {
			tokens = append(tokens, "h:"+strings.Join(liable, ""))
		}
	}
	if len(tokens) == 0 {
		return "-"
	}
	return strings.Join(tokens, ",")
}

// pointOrder has the points of the 5×5 board in point order: a1, b1, … .
var pointOrder = func() []string {
	var all []string
	for row := '1'; row <= '5'; row++ {
		for column := 'a'; column <= 'e'; column++ {
			all = append(all, string(column)+string(row))
		}
	}
	return all
}()

// readRows tells what stands on the points of a 5×5 board.
func readRows(rows string) map[string]byte {
	points := make(map[string]byte)
	for i, row := range strings.Split(rows, "/") {
		column := byte('a')
		for _, letter := range []byte(row) {
			if letter == 'w' || letter == 'b' {
				points[string(column)+strconv.Itoa(5-i)] = letter
				column++
			} else {
				column += letter - '0'
			}
		}
	}
	return points
}

func other(side byte) byte { return 'w' + 'b' - side }

// lastSteps are the steps that can have been the last turn of the mover, with
// side to move now.
func (r rules) lastSteps(points map[string]byte, mover, side byte) []string {
	var steps []string
	for _, to := range pointOrder {
		for _, from := range pointOrder {
			if points[to] == mover && r.hasStep(mover, from, to) && (mover == side || points[from] == 0) {
				steps = append(steps, from+to)
			}
		}
	}
	return steps
}

// hasStep reports whether the lines and the directions have a step, whatever
// stands there.
func (r rules) hasStep(mover byte, from, to string) bool {
	columns, rows := int(to[0])-int(from[0]), int(to[1])-int(from[1])
	strong := (int(from[0]-'a')+int(from[1]-'1'))%2 == 0
	farRow := byte('5')
	if mover == 'b' {
		rows, farRow = -rows, '1'
	}
	switch {
	case columns*columns > 1 || rows*rows > 1 || columns == 0 && rows == 0:
		return false
	case columns != 0 && rows != 0 && !strong:
		return false
	case r.FarStepsOff && from[1] == farRow:
		return false
	}
	return rows >= 0 || r.Steps == movegen.AllDirections && !r.NoBackward
}

// Of all tokens of no return just those are read that can have been.
func TestStateOfStepFits(t *testing.T) {
	for _, r := range combinations(t) {
		if !r.NoReturn || slices.Contains(r.switches, "NoReturn=default") {
			continue // one spelling of each set of rules is enough
		}
		const rows = "b1b2/2w2/1b1bw/2w1b/w3w"
		points := readRows(rows)
		g := r.game()
		for _, side := range []byte("wb") {
			for _, mover := range []byte("wb") {
				fit := r.lastSteps(points, mover, side)
				for _, from := range pointOrder {
					for _, to := range pointOrder {
						text := fmt.Sprintf("%s %c r%c:%s%s 0 1", rows, side, mover, from, to)
						if got, want := g.Set(text) == nil, slices.Contains(fit, from+to); got != want {
							t.Errorf("%s: Set(%q) accepted: %v, want %v", r, text, got, want)
						}
					}
				}
			}
		}
	}
}
