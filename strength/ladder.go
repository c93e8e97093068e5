package strength

import (
	_ "embed"
	"math"

	"github.com/pelletier/go-toml/v2"

	"qirkat/movegen"
)

//go:embed ladder.toml
var ladderFile []byte

// ladders has of each variant the mean depth of the search at 100, 200, … Elo.
var ladders = read[[]float64]("ladder.toml", ladderFile)

// read reads a file of what was measured, by variant.
func read[T any](name string, text []byte) map[string]T {
	var rows map[string]T
	if err := toml.Unmarshal(text, &rows); err != nil {
		panic("strength: " + name + ": " + err.Error()) // the tests have read it
	}
	return rows
}

// Step is what one rung of the ladder has more than the one below, in Elo.
const Step = 100

// Ladder is the mean depth of the search, in plies, of each rung: the first is
// a random player, with 0 Elo, and each further one has Step Elo more, which
// stands for 64 % of the points against the one below.
type Ladder []float64

// LadderOf is the ladder of a variant.
func LadderOf(v *movegen.Variant) Ladder { return append(Ladder{0}, ladders[v.Name]...) }

// Top is the Elo of the last rung.
func (l Ladder) Top() int { return Step * (len(l) - 1) }

// Top is the highest Elo of all variants.
func Top() int {
	top := 0
	for i := range movegen.Variants {
		top = max(top, LadderOf(&movegen.Variants[i]).Top())
	}
	return top
}

// At is the handicap of a number of Elo from 0 to Top; between two rungs it is
// interpolated.
func (l Ladder) At(elo int) *Handicap {
	i, part := elo/Step, float64(elo%Step)/Step
	if part == 0 {
		return &Handicap{Depth: l[i]}
	}
	return &Handicap{Depth: l[i] + part*(l[i+1]-l[i])}
}

// Elo is the strength of a mean depth; beyond the ladder it is its top.
func (l Ladder) Elo(depth float64) int {
	for i := 1; i < len(l); i++ {
		if depth < l[i] {
			part := (depth - l[i-1]) / (l[i] - l[i-1])
			return Step*(i-1) + int(math.Round(Step*part))
		}
	}
	return l.Top()
}

// MaxSkill is the skill without a handicap.
const MaxSkill = 20

// SkillElo is the Elo of a skill from 0 to MaxSkill-1: the ladder in equal steps.
func (l Ladder) SkillElo(skill int) int { return l.Top() * skill / MaxSkill }
