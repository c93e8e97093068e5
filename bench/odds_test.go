package bench

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/strength"
)

var (
	fitOdds  = flag.Bool("odds", false, "fit the odds of -variants to games of the engine against itself and print them as rows of odds.toml")
	oddsGame = flag.Int("odds-games", 200, "games of each variant for that, at -nodes a move")
)

// sample is a position of a game: what the search said, and how the game ended,
// both for the side to move.
type sample struct {
	score  engine.Score
	result int // 1, 0 or -1
}

// TestOdds fits the odds to every other game, and says how well they fit the
// others: the mean of the log loss, beside that of the plain shares of wins,
// draws and losses, and the mean difference between foretold and true points by
// tenths of the points foretold.
func TestOdds(t *testing.T) {
	if !*fitOdds {
		t.Skip("no -odds")
	}
	for _, name := range wantedVariants(*ofVariants) {
		v := variantOf(t, strings.Fields(name))
		halves := selfPlay(newArena(t, v), *oddsGame)
		o := fitted(halves[0])
		test := halves[1]
		var results [3]float64
		for _, s := range test {
			results[s.result+1]++
		}
		plain := 0.0
		for _, n := range results {
			if n > 0 {
				plain -= n / float64(len(test)) * math.Log(n/float64(len(test)))
			}
		}
		fmt.Printf("%s = { even = %.0f, spread = %.0f } # | %s | %d | %d | %.3f | %.3f | %.1f %% |\n",
			v.Name, o.Even, o.Spread, v.Name, *oddsGame, len(halves[0])+len(test), logLoss(o, test), plain, 100*calibration(o, test))
	}
}

// selfPlay gives the positions of games, of the even ones and the odd ones
// apart. Proven scores are left out: their odds are known.
func selfPlay(a *arena, games int) (halves [2][]sample) {
	for n := range games {
		random := rand.New(rand.NewPCG(uint64(n), 10))
		g := a.opening(n)
		a.engines[0].Clear()
		var scores []engine.Score
		var sides []movegen.Side
		for !g.Outcome().Over() {
			// not always the same number of nodes, or equal openings give equal games
			r := a.engines[0].Run(searchOf(g, engine.Limits{Nodes: *perMove * (75 + random.Uint64N(51)) / 100}))
			if _, proven := r.Score.Plies(); !proven {
				scores, sides = append(scores, r.Score), append(sides, g.Turn())
			}
			g.Make(r.Best)
		}
		for i, s := range scores {
			result := 0
			switch winner := g.Outcome().Winner; winner {
			case movegen.None:
			case sides[i]:
				result = 1
			default:
				result = -1
			}
			halves[n%2] = append(halves[n%2], sample{s, result})
		}
	}
	return halves
}

// leastSpread is the least spread in centipieces that is fitted: on the smallest
// boards the few games leave it open (chosen).
const leastSpread = 5

// fitted are the odds of the least log loss, by a pattern search.
func fitted(samples []sample) strength.Odds {
	best := strength.Odds{Even: 100, Spread: 100}
	loss := logLoss(best, samples)
	for step := 0.5; step > 0.005; {
		better := false
		for _, o := range []strength.Odds{
			{Even: best.Even * (1 + step), Spread: best.Spread}, {Even: best.Even * (1 - step), Spread: best.Spread},
			{Even: best.Even, Spread: best.Spread * (1 + step)}, {Even: best.Even, Spread: best.Spread * (1 - step)},
		} {
			if l := logLoss(o, samples); l < loss && o.Spread >= leastSpread {
				best, loss, better = o, l, true
			}
		}
		if !better {
			step /= 2
		}
	}
	return best
}

func logLoss(o strength.Odds, samples []sample) float64 {
	sum := 0.0
	for _, s := range samples {
		win, draw, loss := o.Chances(s.score)
		sum -= math.Log(max(1e-4, [3]float64{loss, draw, win}[s.result+1]))
	}
	return sum / float64(len(samples))
}

// calibration is the mean difference between the points foretold and those
// made, by tenths of the points foretold.
func calibration(o strength.Odds, samples []sample) float64 {
	var foretold, made, count [10]float64
	for _, s := range samples {
		win, draw, _ := o.Chances(s.score)
		points := win + draw/2
		i := min(9, int(points*10))
		foretold[i] += points
		made[i] += float64(s.result+1) / 2
		count[i]++
	}
	sum := 0.0
	for i := range foretold {
		sum += math.Abs(foretold[i] - made[i])
	}
	return sum / float64(len(samples))
}
