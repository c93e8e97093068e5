package movegen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Family is a group of games that share their code: a folder beside this file.
type Family string

// The families.
const (
	Alquerque Family = "alquerque"
	Fanorona  Family = "fanorona"
	Manqala   Family = "manqala"
)

// Variant is one row of the table of variants.
type Variant struct {
	Name   string
	Family Family
	Size   Size
	Start  string // position text; its side to move is the first player
	Source string // the page that the rules come from
	Rules
}

// First is the side of the first player, p1.
func (v *Variant) First() Side {
	if strings.Fields(v.Start)[1] == "b" {
		return Black
	}
	return White
}

// StartPieces counts the pieces of each side in the start position: the most
// that a position may have.
func (v *Variant) StartPieces() [2]int {
	return [2]int{strings.Count(v.Start, "w") - strings.Count(v.Start, " w "), strings.Count(v.Start, "b") - strings.Count(v.Start, " b ")}
}

// Directions is a set of directions as seen by the side that moves.
type Directions uint8

// The directions (rule book, section 1): towards the far row, along a row, and
// the rest.
const (
	Forward Directions = 1 << iota
	Sideways
	Backward
	AllDirections = Forward | Sideways | Backward
)

func (d Directions) String() string {
	if d == AllDirections {
		return "all"
	}
	var words []string
	for i, w := range []string{"forward", "sideways", "backward"} {
		if d>>i&1 != 0 {
			words = append(words, w)
		}
	}
	return strings.Join(words, ", ")
}

// Rules are the parameters in which variants differ. Each family reads its own.
type Rules struct {
	// The Alquerque family (rule book, section 2).
	Steps        Directions // of a step
	Jumps        Directions // of a jump
	FarStepsOff  bool       // a piece on the far row never steps
	Huffing      bool       // captures are compulsory by huffing, not by force
	HuffMoved    bool       // the huffed piece is the one that moved, not one that could capture
	Maximum      bool       // the most pieces must be taken
	NoReturn     bool       // a step may not be taken back at once
	NoBackward   bool       // switch: no step or jump goes backward
	MultiPiece   bool       // new jumps of any piece must be made in the same turn
	CountBlocked bool       // a double block is decided by the number of pieces

	// Fanorona (section 3).
	SingleFirst bool // a side's first capture of the game is one step only
	Vela        bool // Black gives up its pieces down to five first

	// Al-manqala (section 4).
	SkipOrigin bool // a sowing that comes round leaves its own house empty

	Repetition int // the occurrence of a position that ends the game; 0: never
	Quiet      int // the quiet count, in plies, that ends the game; 0: never
}

const (
	alquerqueStart = "bbbbb/bbbbb/bb1ww/wwwww/wwwww "
	bellPage       = "alquerque-bell-it"
)

// Variants is the table of variants, in the order in which they are listed.
var Variants = append([]Variant{
	{
		Name: "alquerque", Family: Alquerque, Size: Size{5, 5}, Start: alquerqueStart + "w - 0 1",
		Source: "alquerque-online-it",
		Rules:  Rules{Steps: AllDirections, Jumps: AllDirections, Repetition: 3, Quiet: 100},
	}, {
		Name: "alquerque-bell", Family: Alquerque, Size: Size{5, 5}, Start: alquerqueStart + "w - 0 1",
		Source: bellPage,
		Rules: Rules{
			Steps: Forward | Sideways, Jumps: Forward | Sideways, FarStepsOff: true,
			Huffing: true, NoReturn: true, CountBlocked: true, Repetition: 3, Quiet: 100,
		},
	}, {
		Name: "alquerque-pritchard", Family: Alquerque, Size: Size{5, 5}, Start: alquerqueStart + "w - 0 1",
		Source: bellPage + ", variant Pritchard",
		Rules: Rules{
			Steps: Forward | Sideways, Jumps: AllDirections, FarStepsOff: true,
			Huffing: true, NoReturn: true, CountBlocked: true, Repetition: 3, Quiet: 100,
		},
	}, {
		Name: "alquerque-modern", Family: Alquerque, Size: Size{5, 5}, Start: alquerqueStart + "w - 0 1",
		Source: bellPage + ", variant Carpignano",
		Rules: Rules{
			Steps: AllDirections, Jumps: AllDirections, CountBlocked: true, Repetition: 3, Quiet: 100,
		},
	}, {
		Name: "quirkat", Family: Alquerque, Size: Size{5, 5}, Start: alquerqueStart + "b - 0 1",
		Source: "quirkat-fr",
		Rules: Rules{
			Steps: AllDirections, Jumps: AllDirections, Huffing: true, HuffMoved: true,
			Maximum: true, NoReturn: true, Quiet: 50,
		},
	},
	fanorona("fanorona", Size{9, 5}),
	fanorona("fanorona-dimy", Size{5, 5}),
	fanorona("fanorona-telo", Size{3, 3}),
	vela(),
}, append(otherFanorona(), Variant{
	Name: "al-manqala", Family: Manqala, Size: Size{7, 2}, Start: "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1",
	Source: "al-manqala-it",
	Rules:  Rules{Repetition: 3, Quiet: 100},
})...)

// fanorona is the row of a board size. The first capture is a single one on
// 9×5 only: the published values of the small boards are without that rule.
func fanorona(name string, z Size) Variant {
	return Variant{
		Name: name, Family: Fanorona, Size: z, Start: fanoronaStart(z), Source: "fanorona-it",
		Rules: Rules{SingleFirst: z == Size{9, 5}, Repetition: 3, Quiet: 100},
	}
}

func vela() Variant {
	v := fanorona("fanorona-vela", Size{9, 5})
	v.Vela = true
	return v
}

// fanoronaStart is full rows on both sides and a middle row that alternates
// black and white from the left, its centre empty.
func fanoronaStart(z Size) string {
	rows := slices.Repeat([]string{strings.Repeat("b", z.W)}, z.H/2)
	middle := strings.Repeat("bw", z.W)[:z.W-1]
	rows = append(rows, middle[:z.W/2]+"1"+middle[z.W/2:])
	rows = append(rows, slices.Repeat([]string{strings.Repeat("w", z.W)}, z.H/2)...)
	return strings.Join(rows, "/") + " w - 0 1"
}

// otherFanorona are the rows named by their size alone.
func otherFanorona() []Variant {
	var rows []Variant
	for h := 3; h <= 9; h += 2 {
		for w := 3; w <= 9; w += 2 {
			z := Size{w, h}
			if w*h <= 63 && z != (Size{9, 5}) && z != (Size{5, 5}) && z != (Size{3, 3}) {
				rows = append(rows, fanorona("fanorona-"+z.String(), z))
			}
		}
	}
	return rows
}

// FindVariant gives a copy of the row of a name; "fanorona-9x5" and the other
// sizes that have a name of their own are known by both.
func FindVariant(name string) (*Variant, error) {
	for _, v := range Variants {
		bySize := v.Family == Fanorona && !v.Vela && strings.EqualFold(name, "fanorona-"+v.Size.String())
		if strings.EqualFold(v.Name, name) || bySize {
			return &v, nil
		}
	}
	return nil, fmt.Errorf("unknown variant %q: did you mean %q? Known are %s",
		name, Nearest(name, VariantNames()), strings.Join(VariantNames(), ", "))
}

// VariantNames lists the names of all variants.
func VariantNames() []string {
	var names []string
	for _, v := range Variants {
		names = append(names, v.Name)
	}
	return names
}

// Switch is a rule that can be changed in the variants of one family.
type Switch struct {
	Name   string
	Family Family
	Values []string // besides "default"; the first is what sets the rule
	Help   string
	rule   func(*Rules) *bool
}

// Switches is the table of rule switches.
var Switches = []Switch{
	{"NoReturn", Alquerque, onOff, "a step may not be taken back on the side's very next turn",
		func(r *Rules) *bool { return &r.NoReturn }},
	{"NoBackward", Alquerque, onOff, "steps and jumps go forward or sideways only",
		func(r *Rules) *bool { return &r.NoBackward }},
	{"MultiPiece", Alquerque, onOff, "new jumps of any piece must be made in the same turn",
		func(r *Rules) *bool { return &r.MultiPiece }},
	{"Huffing", Alquerque, onOff, "a missed capture is punished by huffing instead of being illegal",
		func(r *Rules) *bool { return &r.Huffing }},
	{"FirstMove", Fanorona, []string{"single", "free"}, "a side's first capture of the game is one step only, or as any",
		func(r *Rules) *bool { return &r.SingleFirst }},
	{"SkipOrigin", Manqala, onOff, "a sowing of 14 seeds or more leaves its own house out",
		func(r *Rules) *bool { return &r.SkipOrigin }},
}

var onOff = []string{"on", "off"}

// DefaultValue is the value of a switch that leaves the rule to the variant.
const DefaultValue = "default"

// FindSwitch gives the switch of a name, in any case of letters.
func FindSwitch(name string) (*Switch, bool) {
	for i := range Switches {
		if strings.EqualFold(Switches[i].Name, name) {
			return &Switches[i], true
		}
	}
	return nil, false
}

// Choices are all values of the switch, "default" first.
func (s *Switch) Choices() []string { return append([]string{DefaultValue}, s.Values...) }

// Canonical spells a value of the switch as the table does: letters in any
// case, and true and false for on and off.
func (s *Switch) Canonical(value string) (string, error) {
	v := strings.ToLower(value)
	if s.Values[0] == "on" {
		switch v {
		case "true":
			v = "on"
		case "false":
			v = "off"
		}
	}
	if slices.Contains(s.Choices(), v) {
		return v, nil
	}
	return "", fmt.Errorf("switch %s: unknown value %q, want %s", s.Name, value, strings.Join(s.Choices(), ", "))
}

// With is a copy of the variant with a switch set to one of its values. A
// switch of another family changes nothing.
func (v *Variant) With(s *Switch, value string) *Variant {
	changed := *v
	if v.Family == s.Family {
		switch value {
		case s.Values[0]:
			*s.rule(&changed.Rules) = true
		case s.Values[1]:
			*s.rule(&changed.Rules) = false
		}
	}
	return &changed
}

// RulesText is the name of a variant and the switches that are set, in the order
// of their table.
func RulesText(variant string, options map[string]string) string {
	words := []string{variant}
	for i := range Switches {
		name := Switches[i].Name
		if value, ok := options[name]; ok {
			words = append(words, name+"="+value)
		}
	}
	return strings.Join(words, " ")
}

// InForce is the value that the rules of the variant stand for.
func (s *Switch) InForce(r *Rules) string {
	if *s.rule(r) {
		return s.Values[0]
	}
	return s.Values[1]
}

// Nearest is the word of a list with the fewest edits from what was typed.
func Nearest(typed string, words []string) string {
	typed = strings.ToLower(typed)
	return slices.MinFunc(words, func(a, b string) int {
		return levenshtein.ComputeDistance(typed, strings.ToLower(a)) -
			levenshtein.ComputeDistance(typed, strings.ToLower(b))
	})
}

// parameterTable tells how each rule is printed, in the order of the rule book.
var parameterTable = []struct {
	name   string
	family Family // empty: every family
	value  func(*Variant) string
}{
	{"first", "", func(v *Variant) string { return v.First().String() }},
	{"steps", Alquerque, func(v *Variant) string { return v.StepDirections().String() }},
	{"jumps", Alquerque, func(v *Variant) string { return v.JumpDirections().String() }},
	{"far row", Alquerque, func(v *Variant) string { return choose(v.FarStepsOff, "no steps", "as any") }},
	{"capture", Alquerque, func(v *Variant) string { return choose(v.Huffing, "by huffing", "compulsory") }},
	{"maximum", Alquerque, func(v *Variant) string { return yesNo(v.Maximum) }},
	{"huffed piece", Alquerque, func(v *Variant) string {
		return choose(v.HuffMoved, "the one that moved", "one that could capture")
	}},
	{"no return", Alquerque, func(v *Variant) string { return yesNo(v.NoReturn) }},
	{"no backward", Alquerque, func(v *Variant) string { return yesNo(v.NoBackward) }},
	{"multi-piece", Alquerque, func(v *Variant) string { return yesNo(v.MultiPiece) }},
	{"double block", Alquerque, func(v *Variant) string {
		return choose(v.CountBlocked, "by piece count", "loss of the side to move")
	}},
	{"first capture", Fanorona, func(v *Variant) string { return choose(v.SingleFirst, "single", "free") }},
	{"vela", Fanorona, func(v *Variant) string { return yesNo(v.Vela) }},
	{"skip origin", Manqala, func(v *Variant) string { return yesNo(v.SkipOrigin) }},
	{"repetition", "", func(v *Variant) string { return orOff(v.Repetition) }},
	{"quiet plies", "", func(v *Variant) string { return orOff(v.Quiet) }},
}

// Parameter is a rule of a variant as it is printed.
type Parameter struct{ Name, Value string }

// Parameters lists the rules that the variant's family knows.
func (v *Variant) Parameters() []Parameter {
	var list []Parameter
	for _, p := range parameterTable {
		if p.family == "" || p.family == v.Family {
			list = append(list, Parameter{p.name, p.value(v)})
		}
	}
	return list
}

// StepDirections are the directions of a step with the switch NoBackward
// looked at; JumpDirections those of a jump.
func (r *Rules) StepDirections() Directions { return r.open(r.Steps) }

// JumpDirections are the directions of a jump, the switch NoBackward applied.
func (r *Rules) JumpDirections() Directions { return r.open(r.Jumps) }

func (r *Rules) open(d Directions) Directions {
	if r.NoBackward {
		return d &^ Backward
	}
	return d
}

// QuietEnds reports whether a quiet count ends the game.
func (r *Rules) QuietEnds(quiet int) bool { return r.Quiet > 0 && quiet >= r.Quiet }

// QuietLeft is the number of plies without a capture after a quiet count that
// end the game; very large where none do.
func (r *Rules) QuietLeft(quiet int) int {
	if r.Quiet == 0 {
		return math.MaxInt
	}
	return r.Quiet - quiet
}

// MayRecur reports whether, at a quiet count, a position can have occurred
// before among the last n plies or often enough to end the game.
func (r *Rules) MayRecur(quiet, n int) bool {
	return quiet >= 4 && (n >= 4 || r.Repetition > 0 && quiet >= 4*(r.Repetition-1))
}

func choose(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

func yesNo(b bool) string { return choose(b, "yes", "no") }

func orOff(n int) string {
	if n == 0 {
		return "off"
	}
	return strconv.Itoa(n)
}
