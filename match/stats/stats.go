// Package stats owns what can be said of results: scores, Elo and normalized
// Elo with their intervals, the sequential probability ratio test, and joint
// ratings of several engines. It knows counts only, no games and no engines.
//
// The one idea behind it: games come in pairs on one opening with colours
// swapped, and the two games of a pair are not independent. So the unit of all
// estimates is the pair with its five possible scores ([Pentanomial]); only
// where there are no pairs is it the game ([Trinomial]).
//
// Every number is finite: where counts are degenerate (no game, all won) a
// thousandth of a result is put in each empty class, as if it had been seen.
package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Trinomial counts games from the view of one engine.
type Trinomial struct {
	Wins   int `json:"wins"`
	Draws  int `json:"draws"`
	Losses int `json:"losses"`
}

// Games is the number of games.
func (t Trinomial) Games() int { return t.Wins + t.Draws + t.Losses }

// Points counts a win 1 and a draw ½.
func (t Trinomial) Points() float64 { return float64(t.Wins) + float64(t.Draws)/2 }

// Plus adds the counts of another.
func (t Trinomial) Plus(o Trinomial) Trinomial {
	return Trinomial{t.Wins + o.Wins, t.Draws + o.Draws, t.Losses + o.Losses}
}

// Turned is the view of the opponent.
func (t Trinomial) Turned() Trinomial { return Trinomial{t.Losses, t.Draws, t.Wins} }

// Score is the share of the points, 0 to 1; ½ when there is no game.
func (t Trinomial) Score() float64 {
	if t.Games() == 0 {
		return 0.5
	}
	return t.Points() / float64(t.Games())
}

// DrawRatio is the share of draws, 0 when there is no game.
func (t Trinomial) DrawRatio() float64 {
	if t.Games() == 0 {
		return 0
	}
	return float64(t.Draws) / float64(t.Games())
}

// Sample is the distribution of the score of a game.
func (t Trinomial) Sample() Sample {
	return newSample([]float64{float64(t.Losses), float64(t.Draws), float64(t.Wins)}, 1)
}

// Pentanomial counts pairs of games by their points from the view of one
// engine: 0, ½, 1, 1½ and 2.
type Pentanomial [5]int

// Pairs is the number of pairs.
func (p Pentanomial) Pairs() int { return p[0] + p[1] + p[2] + p[3] + p[4] }

// Turned is the view of the opponent.
func (p Pentanomial) Turned() Pentanomial { return Pentanomial{p[4], p[3], p[2], p[1], p[0]} }

// PairRatio is the number of pairs won (more than one point) to that of pairs
// lost; 1 when there is neither, and the number won when none was lost.
func (p Pentanomial) PairRatio() float64 {
	won, lost := p[3]+p[4], p[0]+p[1]
	if won == 0 && lost == 0 {
		return 1
	}
	return float64(won) / float64(max(lost, 1))
}

// Sample is the distribution of the score of a pair.
func (p Pentanomial) Sample() Sample {
	counts := make([]float64, len(p))
	for i, n := range p {
		counts[i] = float64(n)
	}
	return newSample(counts, 2)
}

// Sample is an observed distribution of scores from 0 to 1.
type Sample struct {
	scores, weights []float64 // the weights add up to 1
	units           float64   // results counted
	games           float64   // games that make a result: 1 or 2
}

// emptyClass is put in the place of a count of 0, so that likelihoods stay
// finite (chosen; small against one result, as in the test server Fishtest).
const emptyClass = 1e-3

func newSample(counts []float64, games float64) Sample {
	s := Sample{games: games}
	for i, n := range counts {
		n = max(n, emptyClass)
		s.scores = append(s.scores, float64(i)/float64(len(counts)-1))
		s.weights = append(s.weights, n)
		s.units += n
	}
	for i := range s.weights {
		s.weights[i] /= s.units
	}
	return s
}

// mean is the score, variance that of one result.
func (s Sample) meanVariance() (mean, variance float64) {
	mean = stat.Mean(s.scores, s.weights)
	return mean, stat.MomentAbout(2, s.scores, mean, s.weights)
}

// Estimate is a value with its 95 % interval.
type Estimate struct {
	Value float64 `json:"value"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Error is half the width of the interval.
func (e Estimate) Error() float64 { return (e.High - e.Low) / 2 }

// z95 is the normal quantile of a two-sided interval of 95 %.
var z95 = distuv.UnitNormal.Quantile(0.975)

// MaxElo bounds every Elo that is printed: a score of 0 or 1 has no finite one.
// It is reached by one point in ten thousand (chosen).
const MaxElo = 1600

// Elo is the rating difference of a score from 0 to 1 in the logistic model
// (Elo, The Rating of Chessplayers, 1978), within MaxElo.
func Elo(score float64) float64 {
	if score <= 0 {
		return -MaxElo
	}
	if score >= 1 {
		return MaxElo
	}
	return min(MaxElo, max(-MaxElo, -400*math.Log10(1/score-1)))
}

// Score is the expected score of a rating difference.
func Score(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// nothing is the estimate without results: anything is possible.
func nothing() Estimate { return Estimate{0, -MaxElo, MaxElo} }

// Elo is the difference in logistic Elo. The interval is that of the score,
// taken through the curve.
func (s Sample) Elo() Estimate {
	if s.units < 1 {
		return nothing()
	}
	mean, variance := s.meanVariance()
	e := z95 * math.Sqrt(variance/s.units)
	return Estimate{Elo(mean), Elo(mean - e), Elo(mean + e)}
}

// eloPerDeviation turns the distance of a score from ½ in standard deviations
// of a game into normalized Elo: 800 / ln 10.
const eloPerDeviation = 800 / math.Ln10

// NormalizedElo is the difference in normalized Elo (Van den Bergh, Normalized
// Elo, 2020): the distance of the score from ½ in standard deviations of one
// game, scaled to agree with Elo where there are no draws and the difference
// is small. Its error depends on the number of games alone.
func (s Sample) NormalizedElo() Estimate {
	if s.units < 1 {
		return nothing()
	}
	mean, variance := s.meanVariance()
	value := (mean - 0.5) / math.Sqrt(variance*s.games) * eloPerDeviation
	e := z95 * eloPerDeviation / math.Sqrt(s.units*s.games)
	return Estimate{value, value - e, value + e}
}

// LOS is the likelihood of superiority, 0 to 1: the chance that the engine is
// the better one, by the normal approximation of the score.
func (s Sample) LOS() float64 {
	if s.units < 1 {
		return 0.5
	}
	mean, variance := s.meanVariance()
	return distuv.UnitNormal.CDF((mean - 0.5) / math.Sqrt(variance/s.units))
}
