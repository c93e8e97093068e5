// Package bench owns the benchmark of the whole engine: it searches fixed
// positions to a fixed depth, each with an empty table, and counts the nodes.
// That count is the signature of the search: it changes exactly when the
// search or an evaluation does. The speed is news.
//
// The positions are data, in positions.tsv. So are the tactics suites, one for
// each variant in testdata/suite: positions won by force, of which a run counts
// those that the engine solves in a time.
package bench

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

//go:embed positions.tsv
var positionsFile string

// Position is a row of positions.tsv.
type Position struct {
	Variant string `json:"variant"`
	Depth   int    `json:"depth"` // plies to search by default
	Text    string `json:"position"`
}

// Positions reads the rows of positions.tsv.
func Positions() ([]Position, error) {
	var list []Position
	for i, line := range strings.Split(strings.TrimSpace(positionsFile), "\n") {
		if strings.HasPrefix(line, "#") || i == 0 {
			continue
		}
		cells := strings.Split(line, "\t")
		if len(cells) != 3 {
			return nil, fmt.Errorf("positions.tsv: line %d: got %d cells, want variant, depth and position", i+1, len(cells))
		}
		depth, err := strconv.Atoi(cells[1])
		if err != nil || depth < 1 {
			return nil, fmt.Errorf("positions.tsv: line %d: depth %q, want a number of plies", i+1, cells[1])
		}
		list = append(list, Position{cells[0], depth, cells[2]})
	}
	return list, nil
}

// DefaultHash is the size of the table in MiB.
const DefaultHash = 16

// Config says what to run.
type Config struct {
	Variants   []string      // none: all
	Depth      int           // plies; 0: as positions.tsv says, in a suite none
	MoveTime   time.Duration // of a suite; 0: none
	Hash       int           // MiB, for each thread; 0: DefaultHash
	Threads    int           // positions searched at the same time; 0: one
	OnBegin    func(positions int)
	OnResult   func(Result)   // called in the order of the positions
	OnSolution func(Solution) // the same, of a suite
}

// Result is the search of one position.
type Result struct {
	Number   int // from 1
	Of       int
	Position // with the depth that was searched
	Total
	Best string // the move found
}

// Total sums up searches.
type Total struct {
	Nodes uint64
	Time  time.Duration
}

// NPS is the speed in nodes a second; a time too short to measure counts as a
// microsecond.
func (t Total) NPS() uint64 {
	return uint64(float64(t.Nodes) / max(t.Time, time.Microsecond).Seconds())
}

// Report is a finished run.
type Report struct {
	Results []Result
	Total   // of all positions; with several threads the time that passed
}

// Variants sums up the results by variant, in the order of the positions.
func (r *Report) Variants() (names []string, totals map[string]Total) {
	totals = map[string]Total{}
	for _, p := range r.Results {
		if !slices.Contains(names, p.Variant) {
			names = append(names, p.Variant)
		}
		t := totals[p.Variant]
		totals[p.Variant] = Total{t.Nodes + p.Nodes, t.Time + p.Time}
	}
	return names, totals
}

// Run searches the positions. The number of nodes depends on the variants, the
// depth and the hash alone, not on the number of threads.
func Run(c Config) (*Report, error) {
	all, err := Positions()
	if err != nil {
		return nil, err
	}
	positions, err := chosen(all, func(p Position) string { return p.Variant }, c.Variants)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	report := &Report{Results: make([]Result, len(positions))}
	err = c.each(len(positions), func(e *engine.Engine, i int) {
		p := positions[i]
		if c.Depth > 0 {
			p.Depth = c.Depth
		}
		best, total := search(e, p, engine.Limits{Depth: p.Depth})
		report.Results[i] = Result{i + 1, len(positions), p, total, best}
	}, func(i int) {
		if c.OnResult != nil {
			c.OnResult(report.Results[i])
		}
		report.Nodes += report.Results[i].Nodes
	})
	if err != nil {
		return nil, err
	}
	report.Time = time.Since(begin)
	return report, nil
}

// each searches the positions 0 to n-1, on c.Threads engines, and calls done
// for each of them in their order.
func (c *Config) each(n int, search func(e *engine.Engine, i int), done func(i int)) error {
	hash := c.Hash
	if hash == 0 {
		hash = DefaultHash
	}
	if c.OnBegin != nil {
		c.OnBegin(n)
	}
	engines := make([]*engine.Engine, max(1, min(c.Threads, n)))
	for i := range engines {
		var err error
		if engines[i], err = engine.New(hash); err != nil {
			return err
		}
	}
	ready := make([]chan struct{}, n)
	for i := range ready {
		ready[i] = make(chan struct{})
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for _, e := range engines {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				search(e, int(i))
				close(ready[i])
			}
		})
	}
	for i := range ready {
		<-ready[i]
		done(i)
	}
	workers.Wait()
	return nil
}

// chosen are the rows of the variants of some names; of all, where there is no
// name.
func chosen[R any](all []R, variant func(R) string, names []string) ([]R, error) {
	var known []string
	for _, r := range all {
		if !slices.Contains(known, variant(r)) {
			known = append(known, variant(r))
		}
	}
	var wanted []string
	for _, name := range names {
		v, err := movegen.FindVariant(name)
		if err != nil || !slices.Contains(known, v.Name) {
			return nil, &UnknownVariantError{name, known}
		}
		wanted = append(wanted, v.Name)
	}
	if wanted == nil {
		return all, nil
	}
	return slices.DeleteFunc(all, func(r R) bool { return !slices.Contains(wanted, variant(r)) }), nil
}

// UnknownVariantError is a variant that has no positions.
type UnknownVariantError struct {
	Name  string
	Known []string
}

func (e *UnknownVariantError) Error() string {
	return fmt.Sprintf("no positions of variant %q, did you mean %q? There are positions of %s",
		e.Name, movegen.Nearest(e.Name, e.Known), strings.Join(e.Known, ", "))
}

// search searches one position with an empty table and gives the best move.
func search(e *engine.Engine, p Position, limits engine.Limits) (best string, total Total) {
	g, err := p.Game()
	if err != nil {
		panic("bench: " + err.Error()) // the tests have read every row
	}
	e.Clear()
	begin := time.Now()
	found := e.Run(engine.Search{
		Game:   engine.Game{Position: g, Evaluator: eval.New(g, eval.Default(g.Variant()))},
		Limits: limits,
	})
	return g.Text(found.Best), Total{found.Nodes, time.Since(begin)}
}

// Game is the position set up.
func (p Position) Game() (movegen.Game, error) {
	v, err := movegen.FindVariant(p.Variant)
	if err != nil {
		return nil, err
	}
	g := games.New(v)
	return g, g.Set(p.Text)
}
