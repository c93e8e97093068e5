package tablebase

import (
	"fmt"
	"strings"

	"qirkat/movegen"
	"qirkat/movegen/alquerque"
	"qirkat/movegen/fanorona"
)

// MaxPieces bounds the pieces on the board that a table can be asked for. The
// index itself would go on.
const MaxPieces = 16

// RefusalError says why there is no table for some rules, and what would be
// right.
type RefusalError struct{ Reason string }

func (e *RefusalError) Error() string { return e.Reason }

func refuse(format string, args ...any) error { return &RefusalError{fmt.Sprintf(format, args...)} }

// generator is what a table needs to know of a board game: a position that can
// be put up without text.
type generator interface {
	movegen.Game
	Board() *movegen.Board
	Place(pieces [2]movegen.Set, turn movegen.Side)
	CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool
}

// rules are the rules of a board game as its tables have them.
type rules struct {
	variant *movegen.Variant
	// name is a folder name, and the same for all rules with the same tables.
	name string
	*geometry
	*coding
	vela bool
	// last numbers the last steps of rules with memory, whose tables are those of
	// state.go; nil for other rules.
	last *lastSteps
}

// newRules makes a variant ready, or refuses it.
func newRules(v *movegen.Variant) (*rules, error) {
	r := &rules{variant: v, vela: v.Vela}
	switch v.Family {
	case movegen.Alquerque:
		r.name = alquerqueName(v)
	case movegen.Fanorona:
		r.name = fanoronaName(v)
	default:
		return nil, refuse("%s is not a game of pieces on a board", v.Name)
	}
	g := r.generator()
	r.geometry = newGeometry(v, stepsOf(g))
	r.coding = newCoding(countsBlocked(v))
	if v.Family == movegen.Alquerque && (v.Huffing || v.NoReturn) {
		r.last = newLastSteps(r.geometry, v.NoReturn)
	}
	return r, nil
}

// generator is a position of its own for one goroutine.
func (r *rules) generator() generator {
	if r.variant.Family == movegen.Fanorona {
		return fanorona.New(r.variant)
	}
	return alquerque.New(r.variant)
}

// stepsOf asks a game for the steps of its sides: by side and point, the points
// that one leads to.
func stepsOf(g generator) (steps [2][64]movegen.Set) {
	b := g.Board()
	p, directed := g.(*alquerque.Position)
	for side := range steps {
		for from := range movegen.Point(b.W * b.H) {
			if !directed {
				steps[side][from] = b.Near[from]
				continue
			}
			for _, way := range p.Ways(movegen.Side(side)) {
				steps[side][from] |= ahead(way.Step, from, way.Delta)
			}
		}
	}
	return steps
}

// ahead are the points to which ways lead from a point.
func ahead(w movegen.Ways, from movegen.Point, up uint8) movegen.Set {
	p := movegen.Bit(from)
	return (p & w.Up).Up(up) | (p & w.Down).Down(up)
}

// countsBlocked reports whether a double block is decided by the number of
// pieces and can happen. It cannot where every step is open: on a board that is
// not full some piece stands beside an empty point.
func countsBlocked(v *movegen.Variant) bool {
	return v.CountBlocked && (v.StepDirections() != movegen.AllDirections || v.FarStepsOff || v.NoReturn)
}

// singleFirst reports whether a side's first capture is one step only and some
// table has that capture in it: the enemy has all its pieces still.
func singleFirst(v *movegen.Variant) bool {
	return v.SingleFirst && v.StartPieces()[0] < MaxPieces
}

func alquerqueName(v *movegen.Variant) string {
	words := []string{"alquerque", v.Size.String()}
	add := func(rule bool, word string) {
		if rule {
			words = append(words, word)
		}
	}
	add(v.StepDirections() != movegen.AllDirections, "steps-"+letters(v.StepDirections()))
	add(v.JumpDirections() != movegen.AllDirections, "jumps-"+letters(v.JumpDirections()))
	add(v.FarStepsOff, "far")
	add(v.Maximum, "maximum")
	add(v.MultiPiece, "multipiece")
	add(countsBlocked(v), "counted")
	add(v.NoReturn, "noreturn")
	add(v.Huffing && v.HuffMoved, "huffmoved")
	add(v.Huffing && !v.HuffMoved, "huffing")
	return strings.Join(words, "-")
}

// letters are the first letters of directions.
func letters(d movegen.Directions) string {
	text := ""
	for word := range strings.SplitSeq(d.String(), ", ") {
		text += word[:1]
	}
	return text
}

func fanoronaName(v *movegen.Variant) string {
	switch {
	case v.Vela:
		return "fanorona-vela"
	case singleFirst(v):
		return "fanorona-" + v.Size.String() + "-single"
	}
	return "fanorona-" + v.Size.String()
}
