package protocol

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"qirkat/movegen"
	"qirkat/strength"
)

// play is how well the engine is to play.
type play struct {
	analyse bool // its best, and all that it finds
	limited bool // by elo
	elo     int
	level   string
	skill   int
	game    uint64 // number of the game, so that a weakened engine does not play the same twice
}

func newPlay() play {
	return play{elo: strength.Top(), level: fullLevel(), skill: strength.MaxSkill, game: rand.Uint64()}
}

// fullLevel is the name of the level without a handicap.
func fullLevel() string { return strength.Levels[len(strength.Levels)-1].Name }

// strengthOptions are those of how well the engine plays.
func strengthOptions() []option {
	var levels []string
	for _, l := range strength.Levels {
		levels = append(levels, l.Name+": "+l.Help)
	}
	set := func(change func(p *play, value string)) func(*Server, string) error {
		return func(s *Server, value string) error {
			before := s.play
			if change(&s.play, value); s.play != before {
				s.engine.Clear() // a weak player must not know what a strong one found
			}
			return nil
		}
	}
	whole := func(value string) int { n, _ := strconv.Atoi(value); return n }
	return []option{
		{name: "Skill Level", kind: spin, initial: strconv.Itoa(strength.MaxSkill), min: 0, max: strength.MaxSkill,
			set:  set(func(p *play, value string) { p.skill = whole(value) }),
			help: "how well it plays: 0 at random, then the ladder of UCI_Elo in equal steps; 20 its best"},
		{name: "UCI_LimitStrength", kind: check, initial: "false",
			set:  set(func(p *play, value string) { p.limited = value == "true" }),
			help: "with it UCI_Elo counts, and neither Level nor Skill Level does"},
		{name: "UCI_Elo", kind: spin, initial: strconv.Itoa(strength.Top()), min: 0, max: strength.Top(),
			set:  set(func(p *play, value string) { p.elo = whole(value) }),
			help: "Elo to play at with UCI_LimitStrength; 0 plays at random; not more than the top of the variant"},
		{name: "Level", kind: combo, initial: fullLevel(), choices: strength.LevelNames(),
			set:  set(func(p *play, value string) { p.level = value }),
			help: strings.Join(levels, "; ")},
		{name: "UCI_AnalyseMode", kind: check, initial: "false",
			set:  set(func(p *play, value string) { p.analyse = value == "true" }),
			help: "with it nothing limits the strength, and a single legal move is searched like any"},
	}
}

// handicap is what keeps the engine from playing its best in a variant, nil for
// nothing, and words for it.
func (p *play) handicap(v *movegen.Variant) (*strength.Handicap, string) {
	ladder := strength.LadderOf(v)
	level, _ := strength.FindLevel(p.level)
	switch {
	case p.analyse:
		return nil, "analysis"
	case p.limited && p.elo > ladder.Top():
		return ladder.At(ladder.Top()), fmt.Sprintf("%d Elo, the top of %s", ladder.Top(), v.Name)
	case p.limited:
		return ladder.At(p.elo), fmt.Sprintf("%d Elo", p.elo)
	case level.Handicap != nil:
		return level.Handicap, level.Name
	case p.skill < strength.MaxSkill:
		elo := ladder.SkillElo(p.skill)
		return ladder.At(elo), fmt.Sprintf("skill %d, %d Elo", p.skill, elo)
	}
	return nil, "full"
}

// identity says what searches: the game, and all that the answer depends on
// besides the limits.
func (s *Server) identity(playing string) string {
	rules := s.row.Name
	if switches := inForce(s.board.game.Variant()); switches != "" {
		rules += " " + switches
	}
	return fmt.Sprintf("%s; threads %d; hash %d MiB; weights %s; strength %s",
		rules, s.threads, s.hash, s.weights.Name(), playing)
}
