package bench

import (
	"flag"
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"qirkat/engine"
	"qirkat/eval"
)

var (
	team   = flag.Int("team", 0, "measure the time to depth of so many threads against that of one")
	deeper = flag.Int("deeper", 1, "plies that the positions are searched deeper for it than by the benchmark")
)

// TestTeam measures what threads gain: the time in which they reach the depth of
// the benchmark positions, the median of five runs, one thread and all in turn.
// It prints a line a variant, and the geometric mean of all positions.
func TestTeam(t *testing.T) {
	if *team == 0 {
		t.Skip("no -team")
	}
	positions, err := Positions()
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	logs := map[string][]float64{}
	var all []float64
	for _, p := range positions {
		one, several := medianTimes(t, p)
		if one < 20*time.Millisecond {
			continue // the start of a thread would be measured
		}
		if !slices.Contains(order, p.Variant) {
			order = append(order, p.Variant)
		}
		gain := math.Log(one.Seconds() / several.Seconds())
		logs[p.Variant] = append(logs[p.Variant], gain)
		all = append(all, gain)
	}
	for _, name := range order {
		fmt.Printf("%-22s %2d positions  %.2f\n", name, len(logs[name]), geometric(logs[name]))
	}
	fmt.Printf("%-22s %2d positions  %.2f\n", "geometric mean", len(all), geometric(all))
}

// medianTimes are the times that one thread and the team take for a position.
func medianTimes(t *testing.T, p Position) (one, several time.Duration) {
	const runs = 5
	var times [2][]time.Duration
	for range runs {
		for i, threads := range []int{1, *team} {
			times[i] = append(times[i], timeToDepth(t, p, threads))
		}
	}
	for i := range times {
		slices.Sort(times[i])
	}
	return times[0][runs/2], times[1][runs/2]
}

// timeToDepth is the time of a search with an empty table. What an engine in play
// has done before is done before: the evaluation is read and the threads are made.
func timeToDepth(t *testing.T, p Position, threads int) time.Duration {
	e, err := engine.New(DefaultHash)
	if err != nil {
		t.Fatal(err)
	}
	first, err := p.Game()
	if err != nil {
		t.Fatal(err)
	}
	weights := eval.Default(first.Variant())
	copied := func() engine.Game {
		g, err := p.Game()
		if err != nil {
			t.Fatal(err)
		}
		return engine.Game{Position: g, Evaluator: eval.New(g, weights)}
	}
	s := engine.Search{Game: copied(), Another: copied, Limits: engine.Limits{Depth: 1}}
	e.SetThreads(threads)
	e.Run(s)
	e.Clear()
	runtime.GC()
	s.Depth = p.Depth + *deeper
	begin := time.Now()
	e.Run(s)
	return time.Since(begin)
}

// geometric is the geometric mean of numbers of which the logarithms are given.
func geometric(logs []float64) float64 {
	sum := 0.0
	for _, l := range logs {
		sum += l
	}
	return math.Exp(sum / float64(max(1, len(logs))))
}
