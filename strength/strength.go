// Package strength owns how well the engine plays when it is not to play its
// best, and what its scores are worth: the ladder of Elo, the named levels, and
// the chances of a win, a draw and a loss. What was measured of each variant is
// data, in ladder.toml and odds.toml; package bench measures it.
//
// The one idea behind it: a handicap is a limit. A weaker engine is the same
// search with less depth, and at times with fewer first moves to choose from;
// the search knows nothing of it. Depth is the same on every machine and under
// every clock.
package strength

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"

	"qirkat/engine"
	"qirkat/movegen"
)

// Handicap keeps the engine from playing its best. None is a nil pointer.
type Handicap struct {
	// Depth is the mean depth of a search in plies: with 2.3, three turns of
	// ten are searched three plies deep and the others two. A turn with depth 0
	// is a random move.
	Depth float64
	// Careful: no capture is missed, other than by Misses.
	Careful bool
	// Misses is the chance to miss a capture where there is one.
	Misses float64
}

// Limit gives the limits of a search under the handicap; those that are given
// hold as well. Equal randomness gives equal limits.
func (h *Handicap) Limit(l engine.Limits, g movegen.Game, random *rand.Rand) engine.Limits {
	depth := int(h.Depth)
	if random.Float64() < h.Depth-float64(depth) {
		depth++
	}
	all := l.SearchMoves
	if all == nil {
		all = g.Moves(nil)
	}
	moves := all
	switch {
	case depth == 0:
		moves = []movegen.Move{all[random.IntN(len(all))]}
	case h.Careful && random.Float64() < h.Misses:
		moves = missing(all, random)
	case h.Careful:
		moves = careful(all)
	}
	if len(moves) < len(all) {
		l.SearchMoves = moves
	}
	if l.Depth = min(l.Depth, max(1, depth)); l.Depth == 0 {
		l.Depth = max(1, depth)
	}
	return l
}

// careful are the moves that are no fault: after them nothing may be huffed for
// a missed capture. Where captures are compulsory, or free, that is all.
func careful(moves []movegen.Move) []movegen.Move {
	right := only(moves, func(m movegen.Move) bool { return m.Huff.Liable() == 0 })
	if len(right) == 0 { // searchmoves may ask for faults alone
		return moves
	}
	return right
}

// missing are the moves of one who has missed a capture: with huffing a fault,
// a step rather than half a chain; else moves that take less than could be
// taken. When all take the same, it is any of them.
func missing(moves []movegen.Move, random *rand.Rand) []movegen.Move {
	most := 0
	for _, m := range careful(moves) {
		most = max(most, m.Taken.Len())
	}
	if most == 0 {
		return careful(moves)
	}
	fault := func(m movegen.Move) bool { return m.Huff.Liable() != 0 }
	for _, slip := range []func(movegen.Move) bool{
		func(m movegen.Move) bool { return fault(m) && m.Taken == 0 },
		fault,
		func(m movegen.Move) bool { return m.Taken.Len() < most },
	} {
		if found := only(moves, slip); len(found) > 0 {
			return found
		}
	}
	return []movegen.Move{moves[random.IntN(len(moves))]}
}

func only(moves []movegen.Move, keep func(movegen.Move) bool) []movegen.Move {
	var kept []movegen.Move
	for _, m := range moves {
		if keep(m) {
			kept = append(kept, m)
		}
	}
	return kept
}

// Random is the randomness of a turn: that of the position, the turns played
// included in its text, and of the game.
func Random(g movegen.Game, game uint64) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(g.String())) // it gives no error
	return rand.New(rand.NewPCG(h.Sum64(), game))
}

// Level is a strength with a name, as the French page of Quirkat has them. Full
// is no handicap.
type Level struct {
	Name, Help string
	Handicap   *Handicap
}

// Levels are the named levels, the weakest first. The page says that the novice
// now and then misses a capture, that the others never do, and that the
// centurion looks further; the numbers are chosen.
var Levels = []Level{
	{"Novice", "one ply deep; every fifth capture is missed", &Handicap{Depth: 1, Careful: true, Misses: 0.2}},
	{"Legionnaire", "two plies deep; no capture is missed", &Handicap{Depth: 2, Careful: true}},
	{"Centurion", "six plies deep; no capture is missed", &Handicap{Depth: 6, Careful: true}},
	{"Full", "all that the engine can", nil},
}

// LevelNames lists the names of the levels.
func LevelNames() []string {
	var names []string
	for _, l := range Levels {
		names = append(names, l.Name)
	}
	return names
}

// FindLevel gives the level of a name, spelled as in the table.
func FindLevel(name string) (Level, bool) {
	i := slices.IndexFunc(Levels, func(l Level) bool { return l.Name == name })
	if i < 0 {
		return Level{}, false
	}
	return Levels[i], true
}
