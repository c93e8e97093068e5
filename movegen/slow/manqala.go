package slow

import (
	"fmt"
	"strconv"
	"strings"
)

// manqala is the rules of section 4.
type manqala struct {
	skipOrigin bool // the emptied house is left out in sowing
}

// The track runs counter-clockwise: South's houses from left to right, a1 … g1,
// are 0 … 6, then North's row from South's right to left, g2 … a2, 7 … 13.
const (
	rowHouses   = 7
	trackHouses = 2 * rowHouses
	majority    = 50
	cycleAt     = 3   // occurrences that make a cycle
	cycleQuiet  = 100 // quiet plies that make a cycle
)

// houses is a position. White is South.
type houses struct {
	seeds                  [trackHouses]int
	side                   byte
	whiteStore, blackStore int
	quiet, move            int
}

func (*manqala) start() string { return "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1" }

func (m *manqala) set(name, value string) error {
	if name != "SkipOrigin" {
		return fmt.Errorf("unknown switch %q", name)
	}
	on, err := onOff(name, value)
	m.skipOrigin = on
	return err
}

// ownRow is the houses of a side, each by its place on the track.
func ownRow(side byte) []int {
	if side == white {
		return []int{0, 1, 2, 3, 4, 5, 6}
	}
	return []int{7, 8, 9, 10, 11, 12, 13}
}

// houseName writes a house as a point: columns as White sees them, row 1
// White's, row 2 Black's.
func houseName(h int) string {
	if h < rowHouses {
		return string([]byte{byte('a' + h), '1'})
	}
	return string([]byte{byte('a' + trackHouses - 1 - h), '2'})
}

// rowSeeds is the number of seeds in the row of a side.
func (p *houses) rowSeeds(side byte) int {
	n := 0
	for _, h := range ownRow(side) {
		n += p.seeds[h]
	}
	return n
}

// parseHouses reads ROWS SIDE STORES QUIET MOVE.
func parseHouses(fen string) houses {
	fields := strings.Fields(fen)
	var p houses
	upper, lower, _ := strings.Cut(fields[0], "/")
	for i, text := range strings.Split(upper, ",") { // a2 … g2
		p.seeds[trackHouses-1-i], _ = strconv.Atoi(text)
	}
	for i, text := range strings.Split(lower, ",") { // a1 … g1
		p.seeds[i], _ = strconv.Atoi(text)
	}
	p.side = fields[1][0]
	whites, blacks, _ := strings.Cut(fields[2], ",")
	p.whiteStore, _ = strconv.Atoi(whites)
	p.blackStore, _ = strconv.Atoi(blacks)
	p.quiet, _ = strconv.Atoi(fields[3])
	p.move, _ = strconv.Atoi(fields[4])
	return p
}

func (p *houses) text() string {
	var upper, lower []string
	for i := range rowHouses {
		upper = append(upper, strconv.Itoa(p.seeds[trackHouses-1-i]))
		lower = append(lower, strconv.Itoa(p.seeds[i]))
	}
	return fmt.Sprintf("%s/%s %c %d,%d %d %d", strings.Join(upper, ","), strings.Join(lower, ","),
		p.side, p.whiteStore, p.blackStore, p.quiet, p.move)
}

// sow takes all seeds of a house and drops one in each next house, one lap and
// no relay; it gives the house of the last seed. The emptied house is sown too
// when its turn comes, unless skipOrigin.
func (m *manqala) sow(p *houses, from int) (last int) {
	hand := p.seeds[from]
	p.seeds[from] = 0
	h := from
	for hand > 0 {
		h = (h + 1) % trackHouses
		if h == from && m.skipOrigin {
			continue
		}
		p.seeds[h]++
		hand--
	}
	return h
}

// capture: if the house of the last seed, on either side, now holds exactly 2
// or 4, the mover takes those seeds; then the house before it on the track, if
// it holds 2 or 4, and so on backwards without a gap.
func capture(p *houses, last int) (taken int) {
	for h := last; p.seeds[h] == 2 || p.seeds[h] == 4; h = (h + trackHouses - 1) % trackHouses {
		taken += p.seeds[h]
		p.seeds[h] = 0
	}
	return taken
}

// play sows a house of the side to move and captures.
func (m *manqala) play(p houses, from int) houses {
	taken := capture(&p, m.sow(&p, from))
	if p.side == white {
		p.whiteStore += taken
	} else {
		p.blackStore += taken
	}
	return passed(p, taken > 0)
}

// passed gives the turn to the other side.
func passed(p houses, captured bool) houses {
	p.quiet++
	if captured {
		p.quiet = 0
	}
	if p.side == black {
		p.move++
	}
	p.side = opponent(p.side)
	return p
}

// sowing is a legal turn.
type sowing struct {
	text string
	next houses
}

// sowings lists the moves of the houses that have seeds. Feeding: if the
// opponent's row is empty, only those after which, captures included, that row
// is not empty.
func (m *manqala) sowings(p houses) []sowing {
	var all []sowing
	them := opponent(p.side)
	hungry := p.rowSeeds(them) == 0
	for _, h := range ownRow(p.side) {
		if p.seeds[h] == 0 {
			continue
		}
		next := m.play(p, h)
		if hungry && next.rowSeeds(them) == 0 {
			continue
		}
		all = append(all, sowing{houseName(h), next})
	}
	return all
}

// legal lists the legal turns. When your own row is empty while the other has
// seeds, you pass.
func (m *manqala) legal(p houses) []sowing {
	if p.whiteStore >= majority || p.blackStore >= majority {
		return nil
	}
	if p.rowSeeds(p.side) == 0 && p.rowSeeds(opponent(p.side)) > 0 {
		return []sowing{{"pass", passed(p, false)}}
	}
	return m.sowings(p)
}

func (m *manqala) turns(fen string) []Turn {
	var all []Turn
	for _, s := range m.legal(parseHouses(fen)) {
		all = append(all, Turn{s.text, []string{s.text}, s.next.text()})
	}
	return all
}

func (m *manqala) nexts(fen string) []string {
	var all []string
	for _, s := range m.legal(parseHouses(fen)) {
		all = append(all, s.next.text())
	}
	return all
}

func (m *manqala) perft(fen string, depth int) int {
	next := func(p houses) []houses {
		var all []houses
		for _, s := range m.legal(p) {
			all = append(all, s.next)
		}
		return all
	}
	return perft(next, parseHouses(fen), depth)
}
