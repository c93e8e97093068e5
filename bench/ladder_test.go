package bench

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/strength"
)

var (
	climb    = flag.Bool("climb", false, "fit the ladder of Elo of -variants and print it as rows of ladder.toml")
	tryGames = flag.Int("try-games", 200, "games of each try of such a fit")
	deepest  = flag.Float64("deepest", 12, "plies of mean depth at which a ladder that is fitted ends")
	dearest  = flag.Float64("dearest", 2500, "nodes a move at which a ladder that is fitted ends")
	ofRungs  = flag.String("rungs", "", "measure the ladders of these variants, such as quirkat,fanorona or all: each rung against the one below, and anchors")
	fromRung = flag.Int("from-rung", 1, "the first that is measured")
	rungGame = flag.Int("rung-games", 400, "games of each such match")
)

// arena plays games between handicaps in one variant.
type arena struct {
	variant  *movegen.Variant
	openings []movegen.Game
	engines  [2]*engine.Engine
	games    uint64 // played so far; the randomness of the next
	moves    uint64
	nodes    uint64
}

func newArena(t testing.TB, v *movegen.Variant) *arena {
	t.Helper()
	a := &arena{variant: v}
	for i := range a.engines {
		var err error
		if a.engines[i], err = engine.New(1); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

// opening is the n-th of a round of openings, which are found when they are
// needed first.
func (a *arena) opening(n int) movegen.Game {
	const round = 200
	for n %= round; len(a.openings) <= n; {
		random := rand.New(rand.NewPCG(uint64(len(a.openings)), 8))
		a.openings = append(a.openings, fairOpening(a.variant, a.engines[0], random))
	}
	return a.openings[n].Clone()
}

// fairOpening is a position after a few random plies in which a short search
// sees no side ahead by much; the start position where such are rare, as they
// are on the smallest boards.
func fairOpening(v *movegen.Variant, e *engine.Engine, random *rand.Rand) movegen.Game {
	const tries = 50
	for range tries {
		if g, ok := evenAfter(v, 2+random.IntN(5), 1000, 60, e, random); ok {
			return g
		}
	}
	return games.New(v)
}

// player picks a move; which is the seat at the arena that it has.
type player func(a *arena, which int, g movegen.Game, random *rand.Rand) movegen.Move

// handicapped is the engine with a handicap.
func handicapped(h *strength.Handicap) player {
	return func(a *arena, which int, g movegen.Game, random *rand.Rand) movegen.Move {
		limits := h.Limit(engine.Limits{}, g, random)
		if len(limits.SearchMoves) == 1 {
			return limits.SearchMoves[0]
		}
		r := a.engines[which].Run(searchOf(g, limits))
		if which == 0 {
			a.nodes += r.Nodes
			a.moves++
		}
		return r.Best
	}
}

// play plays games, each opening with both colours, and counts them for the
// first player.
func (a *arena) play(first, second player, count int) (s tally) {
	a.nodes, a.moves = 0, 0
	for n := range count {
		random := rand.New(rand.NewPCG(a.games, 9))
		a.games++
		g := a.opening(int(a.games-1) / 2)
		for _, e := range a.engines {
			e.Clear()
		}
		side := movegen.Side(n % 2)
		for !g.Outcome().Over() {
			if g.Turn() == side {
				g.Make(first(a, 0, g, random))
			} else {
				g.Make(second(a, 1, g, random))
			}
		}
		s.add(g.Outcome().Winner, side)
	}
	return s
}

// perMove is the mean number of nodes of a move that the first player searched.
func (a *arena) perMove() float64 { return float64(a.nodes) / float64(max(1, a.moves)) }

// share is the part of the points of a match.
func (s *tally) share() float64 {
	return (float64(s.games[2]) + float64(s.games[1])/2) / float64(max(1, s.games[0]+s.games[1]+s.games[2]))
}

// expected is the share of the points that a difference in Elo stands for.
func expected(elo float64) float64 { return 1 / (1 + math.Pow(10, -elo/400)) }

// TestClimb fits the ladder: rung by rung it looks for the mean depth that
// scores what Step Elo stand for against the rung below.
func TestClimb(t *testing.T) {
	if !*climb {
		t.Skip("no -climb")
	}
	for _, name := range wantedVariants(*ofVariants) {
		v := variantOf(t, strings.Fields(name))
		a := newArena(t, v)
		begin := time.Now()
		ladder := strength.LadderOf(v) // goes on where it ended
		step := 0.1
		why := ""
		for why == "" {
			var next, dear float64
			if next, dear, why = a.rung(ladder, step); why == "" {
				step = next - ladder[len(ladder)-1]
				ladder = append(ladder, next)
				fmt.Printf("# %s %d Elo: %.3f plies, %.0f nodes a move\n", v.Name, ladder.Top(), next, dear)
				if dear > *dearest {
					why = fmt.Sprintf("%.0f nodes a move", dear)
				}
			}
		}
		var cells []string
		for _, x := range ladder[1:] {
			cells = append(cells, fmt.Sprintf("%.3f", x))
		}
		fmt.Printf("%s = [%s] # top %d: %s; %.0f s\n", v.Name, strings.Join(cells, ", "), ladder.Top(), why, time.Since(begin).Seconds())
	}
}

// rung looks for the next rung of a ladder, by the secant method on the Elo
// difference in a bracket; why it found none is not empty.
func (a *arena) rung(ladder strength.Ladder, step float64) (depth, perMove float64, why string) {
	const (
		tolerance = 0.025 // of the points (chosen: less than the error of a match)
		rounds    = 9
	)
	want := expected(strength.Step)
	below := ladder[len(ladder)-1]
	low, lowShare := below, 0.5
	high, highShare := 0.0, 0.0
	x := min(below+step, *deepest)
	nearest, nearestDepth := 1.0, 0.0
	for range rounds {
		s := a.play(handicapped(&strength.Handicap{Depth: x}), handicapped(&strength.Handicap{Depth: below}), *tryGames)
		share := s.share()
		if off := math.Abs(share - want); off < nearest {
			nearest, nearestDepth = off, x
		}
		switch {
		case nearest <= tolerance:
			return x, a.perMove(), ""
		case share > want:
			high, highShare = x, share
		case x >= *deepest || a.perMove() > 2**dearest:
			return 0, 0, fmt.Sprintf("%.1f plies score %.1f %% (%.0f %% draws, %.0f nodes a move)", x, 100*share, 100*float64(s.games[1])/float64(*tryGames), a.perMove())
		default:
			low, lowShare = x, share
		}
		if high == 0 {
			x = min(below+1.6*(x-below), *deepest)
		} else {
			part := (want - lowShare) / (highShare - lowShare)
			x = low + max(0.15, min(0.85, part))*(high-low)
		}
	}
	if nearest > 2*tolerance {
		return 0, 0, fmt.Sprintf("no depth scores near %.0f %%", 100*want)
	}
	return nearestDepth, a.perMove(), ""
}

func wantedVariants(list string) []string {
	if list == "all" {
		return movegen.VariantNames()
	}
	return strings.Split(list, ",")
}

// TestLadderClimbs plays a few games of every variant between rungs far apart:
// the higher one must win the match.
func TestLadderClimbs(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		t.Run(v.Name, func(t *testing.T) {
			a := newArena(t, v)
			top := strength.LadderOf(v).Top()
			for _, match := range [][2]int{{0, top / 2}, {top / 4, top * 3 / 4}} {
				ladder := strength.LadderOf(v)
				s := a.play(handicapped(ladder.At(match[1])), handicapped(ladder.At(match[0])), 20)
				if s.share() <= 0.5 {
					t.Errorf("%d Elo against %d: %s, want more than half", match[1], match[0], &s)
				}
			}
		})
	}
}

// TestRungs measures the ladder: each rung against the one below, with fresh
// games, and where the anchors stand on it.
func TestRungs(t *testing.T) {
	if *ofRungs == "" {
		t.Skip("no -rungs")
	}
	for _, name := range wantedVariants(*ofRungs) {
		v := variantOf(t, strings.Fields(name))
		a := newArena(t, v)
		a.games = 1 << 32 // other games than those of the fit
		ladder := strength.LadderOf(v)
		var shares []float64
		for i := *fromRung; i < len(ladder); i++ {
			s := a.play(handicapped(ladder.At(strength.Step*i)), handicapped(ladder.At(strength.Step*(i-1))), *rungGame)
			fmt.Printf("%s %4d %6.3f plies %7.0f nodes %s\n", v.Name, strength.Step*i, ladder[i], a.perMove(), &s)
			shares = append(shares, 100*s.share())
		}
		top := handicapped(ladder.At(ladder.Top()))
		self := a.play(top, top, *rungGame/2)
		fmt.Printf("| %s | %d | %.1f | %.0f | %.1f…%.1f | %.0f %% |", v.Name, ladder.Top(), ladder[len(ladder)-1],
			a.perMove(), slices.Min(shares), slices.Max(shares), 100*float64(self.games[1])/float64(*rungGame/2))
		fmt.Printf(" %s |", a.anchor(ladder, func(_ *arena, _ int, g movegen.Game, random *rand.Rand) movegen.Move { return greedyMove(g, random) }))
		for _, depth := range []float64{1, 2, 4, 6} {
			if depth > ladder[len(ladder)-1] {
				fmt.Print(" — |")
			} else {
				fmt.Printf(" %d |", ladder.Elo(depth))
			}
		}
		for _, l := range strength.Levels {
			switch {
			case l.Handicap == nil:
			case l.Handicap.Depth > ladder[len(ladder)-1]+1:
				fmt.Print(" — |")
			default:
				fmt.Printf(" %s |", a.anchor(ladder, handicapped(l.Handicap)))
			}
		}
		fmt.Println()
	}
}

// anchor is the Elo of a player: where it scores half of the points. A dash
// stands for more than the ladder has.
func (a *arena) anchor(ladder strength.Ladder, p player) string {
	low, high := 0, len(ladder)-1
	for high-low > 1 {
		middle := (low + high) / 2
		if s := a.play(p, handicapped(&strength.Handicap{Depth: ladder[middle]}), 100); s.share() > 0.5 {
			low = middle
		} else {
			high = middle
		}
	}
	s := a.play(p, handicapped(&strength.Handicap{Depth: ladder[low]}), 200)
	at := strength.Step*low + int(math.Round(elo(min(0.99, max(0.01, s.share())))))
	if at > ladder.Top() {
		return "—"
	}
	return strconv.Itoa(at)
}
