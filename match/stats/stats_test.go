package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// The values that the project fastchess publishes with its tests (version 1,
// files elo_test.cpp and sprt_test.cpp), within their tolerance of 1 %.
func TestPublishedElo(t *testing.T) {
	for _, c := range []struct {
		name                         string
		sample                       Sample
		nElo, nError, elo, err, los1 float64 // los1 in percent; 0: not published
	}{
		{"trinomial 1", Trinomial{76, 123, 89}.Sample(), -20.76, 40.13, 0, 0, 15.53},
		{"trinomial 2", Trinomial{136, 111, 96}.Sample(), 49.77, 36.77, 40.70, 30.43, 99.60},
		{"trinomial 3", Trinomial{34, 0, 356}.Sample(), -508.44, 34.48, 0, 0, 0},
		{"pentanomial 1", Pentanomial{34, 54, 63, 64, 75}.Sample(), 57.94, 28.28, 55.58, 27.65, 100},
		{"pentanomial 2", Pentanomial{332, 433, 498, 333, 334}.Sample(), -9.17, 10.96, -8.64, 10.33, 5.05},
		{"pentanomial 3", Pentanomial{7895, 8757, 5685, 568, 9999}.Sample(), -19.01, 2.65, -21.04, 2.95, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, e := c.sample.NormalizedElo(), c.sample.Elo()
			near(t, "normalized Elo", n.Value, c.nElo, 0.01)
			near(t, "its error", n.Error(), c.nError, 0.01)
			if c.elo != 0 {
				near(t, "Elo", e.Value, c.elo, 0.01)
				near(t, "its error", e.Error(), c.err, 0.01)
			}
			if got := 100 * c.sample.LOS(); math.Abs(got-c.los1) > 0.01 {
				t.Errorf("LOS %.2f %%, want %.2f %%", got, c.los1)
			}
		})
	}
}

func TestPublishedLLR(t *testing.T) {
	for _, c := range []struct {
		name       string
		sample     Sample
		model      Model
		elo0, elo1 float64
		want       float64
	}{
		{"normalized trinomial 1", Trinomial{36433, 68692, 36027}.Sample(), Normalized, 0, 2, 0.92},
		{"normalized trinomial 2", Trinomial{10871, 20431, 10650}.Sample(), Normalized, -1.75, 0.25, 2.30},
		{"normalized trinomial 3", Trinomial{4250, 0, 0}.Sample(), Normalized, 0, 10, 120.56},
		{"logistic trinomial 1", Trinomial{21404, 40708, 21184}.Sample(), Logistic, 0.5, 2.5, -1.57},
		{"logistic trinomial 2", Trinomial{57433, 106593, 57030}.Sample(), Logistic, 0, 2, -2.59},
		{"normalized pentanomial 1", Pentanomial{365, 16618, 36229, 16974, 390}.Sample(), Normalized, 0, 2, 2.25},
		{"normalized pentanomial 2", Pentanomial{127, 4883, 10712, 5150, 104}.Sample(), Normalized, -1.75, 0.25, 3.01},
		{"normalized pentanomial 3", Pentanomial{0, 0, 0, 0, 5550}.Sample(), Normalized, 0, 5, 111.82},
		{"logistic pentanomial 1", Pentanomial{223, 9863, 21279, 10037, 246}.Sample(), Logistic, 0.5, 2.5, -3.07},
		{"logistic pentanomial 2", Pentanomial{871, 26175, 55983, 26678, 821}.Sample(), Logistic, 0, 2, -4.98},
	} {
		t.Run(c.name, func(t *testing.T) {
			test := SPRT{c.elo0, c.elo1, 0.05, 0.05, c.model}
			near(t, "LLR", test.LLR(c.sample), c.want, 0.01)
		})
	}
}

// A test of the server Fishtest of the engine Monty, as its page of raw
// statistics (test 69d3c8dc7c5b3724e29d2712) worked it out to five digits. Its LOS
// is another one: of the stopped test, not of the counts.
func TestPublishedRawStatistics(t *testing.T) {
	s := Pentanomial{13, 37, 50, 25, 3}.Sample()
	near(t, "Elo", s.Elo().Value, -43.6578, 1e-4)
	near(t, "normalized Elo", s.NormalizedElo().Value, -63.97, 1e-4)
	normalized := SPRT{0, 4, 0.05, 0.05, Normalized}
	near(t, "normalized LLR", normalized.LLR(s), -0.54912, 1e-4)
	logistic := SPRT{0, 2.716, 0.05, 0.05, Logistic}
	near(t, "logistic LLR", logistic.LLR(s), -0.53772, 1e-4)
	lower, upper := normalized.Bounds()
	near(t, "lower bound", lower, -2.9444, 1e-4)
	near(t, "upper bound", upper, 2.9444, 1e-4)
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(math.Abs(want), 1e-9)) {
		t.Errorf("%s %v, want %v", what, got, want)
	}
}

// TestDegenerate: whatever the counts, every number is one.
func TestDegenerate(t *testing.T) {
	samples := map[string]Sample{
		"no game":     Trinomial{}.Sample(),
		"one win":     Trinomial{1, 0, 0}.Sample(),
		"all lost":    Trinomial{0, 0, 1000}.Sample(),
		"all drawn":   Trinomial{0, 50, 0}.Sample(),
		"no pair":     Pentanomial{}.Sample(),
		"one pair":    Pentanomial{0, 0, 0, 0, 1}.Sample(),
		"all won":     Pentanomial{0, 0, 0, 0, 100000}.Sample(),
		"all shared":  Pentanomial{0, 0, 7, 0, 0}.Sample(),
		"won or lost": Pentanomial{4, 0, 0, 0, 4}.Sample(),
	}
	for name, s := range samples {
		numbers := []float64{s.LOS()}
		for _, e := range []Estimate{s.Elo(), s.NormalizedElo()} {
			numbers = append(numbers, e.Value, e.Low, e.High)
			if e.Low > e.Value || e.High < e.Value {
				t.Errorf("%s: %v lies outside its interval", name, e)
			}
		}
		for _, m := range []Model{Logistic, Normalized} {
			numbers = append(numbers, SPRT{-5, 5, 0.05, 0.05, m}.LLR(s), SPRT{0, 300, 0.05, 0.05, m}.LLR(s))
		}
		for i, x := range numbers {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Errorf("%s: number %d is %v", name, i, x)
			}
		}
	}
	for _, x := range []float64{Trinomial{}.Score() - 0.5, Trinomial{}.DrawRatio(), Pentanomial{}.PairRatio() - 1} {
		if x != 0 {
			t.Errorf("without games: %v", x)
		}
	}
	for _, meetings := range [][]Meeting{
		nil,
		{{A: 0, B: 1, Games: Trinomial{Wins: 1000}}},
		{{A: 0, B: 1, Games: Trinomial{Wins: 1000}, Pairs: Pentanomial{4: 500}}, {A: 1, B: 2}},
	} {
		for i, r := range Ratings(3, meetings) {
			if !(r.Low <= r.Value && r.Value <= r.High) || math.IsInf(r.Low, 0) || math.IsInf(r.High, 0) {
				t.Errorf("rating %d of %v is %v", i, meetings, r)
			}
		}
	}
}

// pairs plays pairs of games between engines whose difference is known, on
// openings that favour one side by a bias: the chance of each score of a pair.
type pairs [5]float64

// newPairs are games that the better colour wins, draws and loses with chances
// that add up to a mean score, two a pair with the colours swapped.
func newPairs(elo, drawRatio, bias float64) pairs {
	var p pairs
	game := func(elo float64) [3]float64 {
		s := Score(elo)
		d := min(drawRatio, 2*min(s, 1-s))
		return [3]float64{1 - s - d/2, d, s - d/2}
	}
	first, second := game(elo+bias), game(elo-bias)
	for a, x := range first {
		for b, y := range second {
			p[a+b] += x * y
		}
	}
	return p
}

func (p pairs) play(r *rand.Rand) int {
	x := r.Float64()
	for i, q := range p {
		if x -= q; x < 0 {
			return i
		}
	}
	return len(p) - 1
}

// difference is the true value on the scale of a model.
func (p pairs) difference(m Model) float64 {
	s := Sample{scores: []float64{0, 0.25, 0.5, 0.75, 1}, weights: p[:], units: 1, games: 2}
	if m == Normalized {
		return s.NormalizedElo().Value
	}
	mean, _ := s.meanVariance()
	return Elo(mean)
}

// TestSPRTErrorRates runs 2,000 tests where H0 is true, and as many where H1
// is: the shares of wrong decisions are alpha and beta, within three standard
// deviations of such a count and what the last pair overshoots the bounds.
func TestSPRTErrorRates(t *testing.T) {
	const alpha, beta = 0.05, 0.10
	runs := 2000
	if testing.Short() {
		runs = 200
	}
	for _, model := range []Model{Logistic, Normalized} {
		t.Run(string(model), func(t *testing.T) {
			for _, truth := range []Decision{AcceptH0, AcceptH1} {
				const drawRatio, bias = 0.4, 60
				low, high := newPairs(0, drawRatio, bias), newPairs(60, drawRatio, bias)
				test := SPRT{low.difference(model), high.difference(model), alpha, beta, model}
				world, allowed := low, float64(alpha)
				if truth == AcceptH1 {
					world, allowed = high, beta
				}
				wrong, length := 0, 0
				for seed := range uint64(runs) {
					r := rand.New(rand.NewPCG(seed, 4))
					var count Pentanomial
					for decision := GoOn; decision == GoOn; {
						count[world.play(r)]++
						if decision = test.Decide(test.LLR(count.Sample())); decision != GoOn && decision != truth {
							wrong++
						}
					}
					length += count.Pairs()
				}
				rate, sigma := float64(wrong)/float64(runs), math.Sqrt(allowed*(1-allowed)/float64(runs))
				t.Logf("%s is true: %.2f %% wrong, want at most %.0f %%; %d pairs a test", truth, 100*rate, 100*allowed, length/runs)
				if rate > allowed+3*sigma || rate < allowed/3 {
					t.Errorf("%s is true: %.2f %% wrong, want %.0f %%", truth, 100*rate, 100*allowed)
				}
			}
		})
	}
}

// TestIntervals: 95 of 100 intervals hold the true difference.
func TestIntervals(t *testing.T) {
	const runs = 2000
	world := newPairs(35, 0.3, 100)
	held := map[Model]int{}
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 5))
		var count Pentanomial
		for range 300 {
			count[world.play(r)]++
		}
		for model, e := range map[Model]Estimate{Logistic: count.Sample().Elo(), Normalized: count.Sample().NormalizedElo()} {
			if d := world.difference(model); e.Low <= d && d <= e.High {
				held[model]++
			}
		}
	}
	for model, n := range held {
		if share := float64(n) / runs; math.Abs(share-0.95) > 0.015 {
			t.Errorf("%s: %.1f %% of the intervals hold the difference, want 95 %%", model, 100*share)
		}
	}
}

// TestRatingsOfTwo: for two engines the joint ratings are the logistic Elo.
func TestRatingsOfTwo(t *testing.T) {
	games := Trinomial{6000, 3000, 1000}
	elo := games.Sample().Elo()
	got := Ratings(2, []Meeting{{A: 0, B: 1, Games: games}})
	near(t, "difference", got[0].Value-got[1].Value, elo.Value, 0.001)
	near(t, "error", 2*got[0].Error(), elo.Error(), 0.01)

	pairs := Pentanomial{100, 200, 1500, 1900, 1300}
	games = Trinomial{Wins: 1300*2 + 1900, Draws: 1900 + 3000 + 200, Losses: 200 + 200}
	got = Ratings(2, []Meeting{{A: 1, B: 0, Games: games, Pairs: pairs}})
	near(t, "error in pairs", 2*got[0].Error(), pairs.Sample().Elo().Error(), 0.02)
}

// TestRatingsOfMany: the intervals of engines of known strength hold it.
func TestRatingsOfMany(t *testing.T) {
	truth := []float64{120, 40, 0, -30, -130}
	const runs = 400
	held := 0
	for seed := range uint64(runs) {
		r := rand.New(rand.NewPCG(seed, 6))
		var meetings []Meeting
		for a := range truth {
			for b := range a {
				m := Meeting{A: a, B: b}
				world := newPairs(truth[a]-truth[b], 0.3, 50)
				for range 100 {
					score := world.play(r)
					m.Pairs[score]++
					m.Games = m.Games.Plus([]Trinomial{{0, 0, 2}, {0, 1, 1}, {0, 2, 0}, {1, 1, 0}, {2, 0, 0}}[score])
				}
				meetings = append(meetings, m)
			}
		}
		for i, e := range Ratings(len(truth), meetings) {
			if e.Low <= truth[i] && truth[i] <= e.High {
				held++
			}
		}
	}
	if share := float64(held) / float64(runs*len(truth)); math.Abs(share-0.95) > 0.03 {
		t.Errorf("%.1f %% of the intervals hold the rating, want 95 %%", 100*share)
	}
}

// TestNumbersOfTheNormal guards the quantile that every interval uses.
func TestNumbersOfTheNormal(t *testing.T) {
	near(t, "quantile", z95, 1.959964, 1e-6)
	near(t, "tail", distuv.UnitNormal.CDF(-z95), 0.025, 1e-6)
}

func TestSPRTCheck(t *testing.T) {
	good := SPRT{0, 5, 0.05, 0.05, Logistic}
	if err := good.Check(); err != nil {
		t.Error(err)
	}
	for _, bad := range []SPRT{
		{5, 5, 0.05, 0.05, Logistic}, {0, 5, 0, 0.05, Logistic}, {0, 5, 0.05, 0.5, Logistic},
		{0, 5, math.NaN(), 0.05, Logistic}, {math.NaN(), 5, 0.05, 0.05, Logistic}, {0, 5, 0.05, 0.05, "elo"},
	} {
		if bad.Check() == nil {
			t.Errorf("%v: want an error", bad)
		}
	}
}
