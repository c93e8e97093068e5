package match

import "qirkat/movegen"

// series is a match of rounds of Fanorona (rule book, section 3, vela): after a
// decided round the loser plays White against a Black that must give up pieces,
// after a drawn round and after a vela comes a normal one.
type series struct {
	number int // in the meeting, from 1: what its records say
	begins int // the engine that is White in the first round
	rounds int // that were given out
	normal int // … of them normal ones
	vela   bool
	loser  int // of the last round, or -1
}

// seriesRound is what is played next.
type seriesRound struct {
	series, round int
	pair          int
	variant       string
	vela          bool
	first         int // the engine that is White
}

const velaVariant = "fanorona-vela"

// goOnSeries gives out the next round of a series; false when all are over. An
// encounter has two of them, begun by either engine; a series has as many
// rounds as the configuration has games.
func (s *Schedule) goOnSeries(e *encounter) bool {
	m := meeting{min(e.a, e.b), max(e.a, e.b), 0}
	if e.series == nil {
		for _, begins := range []int{m.a, m.b} {
			s.begun[m]++
			e.series = append(e.series, &series{number: s.begun[m], begins: begins, loser: -1})
		}
	}
	given := false
	for _, x := range e.series {
		if x.rounds == s.config.Games {
			continue
		}
		s.give(e, m, x.next(s.config, m))
		given = true
	}
	return given
}

// next is the round that follows. The normal rounds of the two series of an
// encounter have the same openings.
func (x *series) next(c *Config, m meeting) *seriesRound {
	x.rounds++
	r := &seriesRound{
		series: x.number, round: x.rounds, pair: (x.number-1)/2*c.Games + x.rounds, variant: c.Variants[0], first: x.begins,
	}
	x.vela = !x.vela && x.loser >= 0
	if x.vela {
		r.variant, r.vela, r.first = velaVariant, true, x.loser
		return r
	}
	if x.normal%2 == 1 {
		r.first = m.a + m.b - x.begins
	}
	x.normal++
	return r
}

// add notes the loser of a round.
func (x *series) add(r Record, names []string) {
	if r.Series != x.number {
		return
	}
	x.loser = -1
	for player := range 2 {
		if r.Result.Score(player) == 0 {
			for i, n := range names {
				if n == r.Players[player] {
					x.loser = i
				}
			}
		}
	}
}

// isFanorona reports whether a series can be played in a variant.
func isFanorona(v *movegen.Variant) bool {
	return v.Family == movegen.Fanorona && !v.Vela && v.Size == movegen.Size{W: 9, H: 5}
}
