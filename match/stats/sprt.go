package stats

import (
	"fmt"
	"math"
	"slices"
)

// Model is the scale in which the hypotheses of a test are given.
type Model string

// The models: logistic Elo, or normalized Elo.
const (
	Logistic   Model = "logistic"
	Normalized Model = "normalized"
)

// SPRT is a sequential probability ratio test (Wald, Sequential Tests of
// Statistical Hypotheses, 1945) of the difference Elo1 against the difference
// Elo0.
type SPRT struct {
	Elo0  float64 `toml:"elo0" json:"elo0"`
	Elo1  float64 `toml:"elo1" json:"elo1"`
	Alpha float64 `toml:"alpha" json:"alpha"` // chance to accept Elo1 where Elo0 is true
	Beta  float64 `toml:"beta" json:"beta"`   // chance to accept Elo0 where Elo1 is true
	Model Model   `toml:"model" json:"model"`
}

// Check says what is wrong with the test.
func (t SPRT) Check() error {
	switch {
	case !(t.Elo0 < t.Elo1):
		return fmt.Errorf("sprt: elo0 %v, elo1 %v: want elo0 below elo1", t.Elo0, t.Elo1)
	case !(t.Alpha > 0 && t.Alpha < 0.5):
		return fmt.Errorf("sprt: alpha %v: want a number between 0 and 0.5", t.Alpha)
	case !(t.Beta > 0 && t.Beta < 0.5):
		return fmt.Errorf("sprt: beta %v: want a number between 0 and 0.5", t.Beta)
	case t.Model != Logistic && t.Model != Normalized:
		return fmt.Errorf("sprt: model %q: want %s, %s", t.Model, Logistic, Normalized)
	}
	return nil
}

// Bounds are the log-likelihood ratios at which Elo0 and Elo1 are accepted.
func (t SPRT) Bounds() (lower, upper float64) {
	return math.Log(t.Beta / (1 - t.Alpha)), math.Log((1 - t.Beta) / t.Alpha)
}

// Decision says how a test stands.
type Decision string

// The decisions. H0 is Elo0, H1 is Elo1.
const (
	GoOn     Decision = "go on"
	AcceptH0 Decision = "H0 accepted"
	AcceptH1 Decision = "H1 accepted"
)

// Decide compares a log-likelihood ratio with the bounds.
func (t SPRT) Decide(llr float64) Decision {
	switch lower, upper := t.Bounds(); {
	case llr <= lower:
		return AcceptH0
	case llr >= upper:
		return AcceptH1
	}
	return GoOn
}

// LLR is the generalized log-likelihood ratio of Elo1 to Elo0: of the two most
// likely distributions that have these differences (Van den Bergh, A practical
// introduction to the GSPRT, 2019, and Comments on normalized Elo, 2020). It is
// 0 without results.
func (t SPRT) LLR(s Sample) float64 {
	if s.units < 1 {
		return 0
	}
	p0, p1 := t.likeliest(s, t.Elo0), t.likeliest(s, t.Elo1)
	sum := 0.0
	for i, w := range s.weights {
		sum += w * math.Log(p1[i]/p0[i])
	}
	return s.units * sum
}

func (t SPRT) likeliest(s Sample, elo float64) []float64 {
	if t.Model == Normalized {
		return s.likeliestAtDeviation(elo / eloPerDeviation * math.Sqrt(s.games))
	}
	mean := Score(elo)
	g := make([]float64, len(s.scores))
	for i, score := range s.scores {
		g[i] = score - mean
	}
	return s.likeliest(g)
}

// likeliest is the distribution under which the sample is most likely among
// those where the mean of g is 0. With a Lagrange multiplier x it is
// w[i] / (1 + x·g[i]), and x the one at which that mean is 0; the mean falls
// with x, so bisection finds it.
func (s Sample) likeliest(g []float64) []float64 {
	least, most := slices.Min(g), slices.Max(g)
	if least >= 0 || most <= 0 { // no distribution has that mean: stay
		return slices.Clone(s.weights)
	}
	low, high := -1/most, -1/least
	x := 0.0
	for range 53 { // the bits of a float64
		x = (low + high) / 2
		mean := 0.0
		for i, w := range s.weights {
			mean += w * g[i] / (1 + x*g[i])
		}
		if mean > 0 {
			low = x
		} else {
			high = x
		}
	}
	p := make([]float64, len(g))
	for i, w := range s.weights {
		p[i] = w / (1 + x*g[i])
	}
	return p
}

// likeliestAtDeviation is the likeliest distribution whose mean lies t standard
// deviations above ½. That condition is not linear, so it is replaced by its
// tangent at the distribution found before, until that no longer changes.
func (s Sample) likeliestAtDeviation(t float64) []float64 {
	now := Sample{scores: s.scores, weights: make([]float64, len(s.weights))}
	for i := range now.weights {
		now.weights[i] = 1 / float64(len(now.weights))
	}
	g := make([]float64, len(s.scores))
	for range 50 {
		mean, variance := now.meanVariance()
		deviation := math.Sqrt(variance)
		for i, score := range s.scores {
			d := (score - mean) / deviation
			g[i] = score - 0.5 - t*deviation*(1+d*d)/2
		}
		next := s.likeliest(g)
		change := 0.0
		for i := range next {
			change = max(change, math.Abs(next[i]-now.weights[i]))
		}
		now.weights = next
		if change < 1e-9 {
			break
		}
	}
	return now.weights
}
