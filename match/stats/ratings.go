package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Meeting is what two engines scored against each other, from the view of the
// engine A. Games are all games; Pairs are those of them that came in pairs.
type Meeting struct {
	A, B  int // places in the list of engines
	Games Trinomial
	Pairs Pentanomial
}

// prior is how many drawn games each engine is taken to have played against
// one of the mean rating beforehand, so that an engine that won or lost all has
// a finite rating too (chosen; as small as it can be and still hold the scale).
const prior = 0.5

// Ratings are joint ratings of n engines in Elo, their mean 0, with 95 %
// intervals: the maximum of the likelihood in the model of Bradley and Terry
// (Rank Analysis of Incomplete Block Designs, 1952), a draw counting as half a
// win. The errors allow for draws and for pairs: they come from the observed
// spread of the scores around the expected ones (White, Maximum Likelihood
// Estimation of Misspecified Models, 1982).
func Ratings(n int, meetings []Meeting) []Estimate {
	if n == 0 {
		return nil
	}
	const scale = 400 / math.Ln10 // Elo in one natural unit
	theta := mat.NewVecDense(n, nil)
	var curvature, spread *mat.SymDense
	for range 100 {
		var gradient *mat.VecDense
		gradient, curvature, spread = slope(theta, meetings)
		var step mat.VecDense
		if err := step.SolveVec(curvature, gradient); err != nil {
			break // not met: the prior makes the curvature positive
		}
		largest := mat.Norm(&step, math.Inf(1))
		if largest > 2 { // a step too far for the parabola
			step.ScaleVec(2/largest, &step)
		}
		theta.AddVec(theta, &step)
		if largest < 1e-10 {
			break
		}
	}
	var inverse, covariance mat.Dense
	_ = inverse.Inverse(curvature)
	covariance.Product(&inverse, spread, &inverse)

	ratings := make([]Estimate, n)
	mean := mat.Sum(theta) / float64(n)
	for i := range ratings {
		// The variance of the distance from the mean of all.
		variance := 0.0
		for j := range n {
			for k := range n {
				variance += weight(i, j, n) * weight(i, k, n) * covariance.At(j, k)
			}
		}
		value := (theta.AtVec(i) - mean) * scale
		e := z95 * math.Sqrt(max(0, variance)) * scale
		ratings[i] = Estimate{value, value - e, value + e}
	}
	return ratings
}

// weight is the share of rating j in the distance of rating i from the mean.
func weight(i, j, n int) float64 {
	if i == j {
		return 1 - 1/float64(n)
	}
	return -1 / float64(n)
}

// slope is the gradient of the log-likelihood, its curvature, and the observed
// variance of the gradient, in natural units.
func slope(theta *mat.VecDense, meetings []Meeting) (gradient *mat.VecDense, curvature, spread *mat.SymDense) {
	n := theta.Len()
	gradient = mat.NewVecDense(n, nil)
	curvature, spread = mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		p := 1 / (1 + math.Exp(-theta.AtVec(i)))
		gradient.SetVec(i, prior*(0.5-p))
		curvature.SetSym(i, i, prior*p*(1-p))
		spread.SetSym(i, i, prior/4)
	}
	for _, m := range meetings {
		p := 1 / (1 + math.Exp(theta.AtVec(m.B)-theta.AtVec(m.A)))
		games := float64(m.Games.Games())
		pull := m.Games.Points() - games*p
		gradient.SetVec(m.A, gradient.AtVec(m.A)+pull)
		gradient.SetVec(m.B, gradient.AtVec(m.B)-pull)
		addDifference(curvature, m.A, m.B, games*p*(1-p))
		addDifference(spread, m.A, m.B, m.spread(p))
	}
	return gradient, curvature, spread
}

// addDifference adds the square of the difference of two coordinates.
func addDifference(m *mat.SymDense, a, b int, v float64) {
	m.SetSym(a, a, m.At(a, a)+v)
	m.SetSym(b, b, m.At(b, b)+v)
	m.SetSym(a, b, m.At(a, b)-v)
}

// spread is the sum of the squared distances from the expected score p, of
// pairs as a whole and of the other games one by one. Games in pairs are known
// by their points only; the rest is taken to be spread as all games are.
func (m Meeting) spread(p float64) float64 {
	sum := 0.0
	for points, n := range m.Pairs {
		d := float64(points)/2 - 2*p
		sum += float64(n) * d * d
	}
	games := m.Games.Games()
	if games == 0 {
		return 0
	}
	all := 0.0
	for points, n := range []int{m.Games.Losses, m.Games.Draws, m.Games.Wins} {
		d := float64(points)/2 - p
		all += float64(n) * d * d
	}
	alone := games - 2*m.Pairs.Pairs()
	return sum + all*float64(alone)/float64(games)
}
