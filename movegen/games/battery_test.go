// The battery that every variant goes through by being in the table of
// variants. Its files:
//
//	perft_test.go     the table of move counts
//	slow_test.go      random games, compared with package slow
//	property_test.go  random games, and what holds in each of their positions
//	mirror_test.go    the board turned round
//	symmetry_test.go  the maps of the board that the rules do not notice
//	text_test.go      move text spelled in other ways
//	invalid_test.go   position and move text that cannot be
//	fuzz_test.go      any text at all
//	monster_test.go   positions with very many moves
//	alloc_test.go     moving without allocation
//	bench_test.go     speed
//
// This one has what they share: the sets of rules, and the random games.
package games_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/movegen/slow"
)

var (
	long = flag.Bool("long", false, "run what takes many minutes too")
	seed = flag.Uint64("seed", 1, "of the random games")
)

func TestMain(m *testing.M) {
	flag.Parse()
	fmt.Println("seed", *seed)
	os.Exit(m.Run())
}

// rules is a variant with some switches set.
type rules struct {
	*movegen.Variant
	switches []string // such as Huffing=on
}

// rulesOf is a row of the table of variants with switches set, each written
// Name=value.
func rulesOf(t testing.TB, name string, switches ...string) rules {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	r := rules{v, switches}
	for _, word := range switches {
		name, value, _ := strings.Cut(word, "=")
		s, known := movegen.FindSwitch(name)
		if !known {
			t.Fatalf("unknown switch %q", word)
		}
		if value, err = s.Canonical(value); err != nil {
			t.Fatal(err)
		}
		r.Variant = r.With(s, value)
	}
	return r
}

// String is the name of the variant and the switches.
func (r rules) String() string {
	return strings.Join(append([]string{r.Name}, r.switches...), " ")
}

func (r rules) game() movegen.Game { return games.New(r.Variant) }

// slow gives the same rules as package slow has them. It has no word for
// default: a switch that is left to the variant is not named.
func (r rules) slow(t testing.TB) *slow.Game {
	t.Helper()
	options := make(map[string]string)
	for _, word := range r.switches {
		if name, value, _ := strings.Cut(word, "="); value != movegen.DefaultValue {
			options[name] = value
		}
	}
	g, err := slow.New(r.Name, options)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// random is a source of its own for each set of rules, so that a test gives the
// same games when it runs alone.
func (r rules) random() *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(r.String()))
	return rand.New(rand.NewPCG(*seed, h.Sum64()))
}

// variants are all variants as they are.
func variants(t testing.TB) []rules {
	var all []rules
	for _, v := range movegen.Variants {
		all = append(all, rulesOf(t, v.Name))
	}
	return all
}

// oneSwitch are all variants as they are, and with each switch of their family
// set to the value that it does not have.
func oneSwitch(t testing.TB) []rules {
	all := variants(t)
	for _, v := range movegen.Variants {
		for _, s := range movegen.Switches {
			if s.Family == v.Family {
				for _, value := range s.Values {
					all = append(all, rulesOf(t, v.Name, s.Name+"="+value))
				}
			}
		}
	}
	return distinct(all)
}

// distinct leaves out what is the same by other switches.
func distinct(all []rules) []rules {
	type inForce struct {
		name string
		movegen.Rules
	}
	seen := make(map[inForce]bool)
	return slices.DeleteFunc(all, func(r rules) bool {
		rules := inForce{r.Name, r.Rules}
		known := seen[rules]
		seen[rules] = true
		return known
	})
}

// combinations are all variants with every combination of the values of the
// switches of their family, default included.
func combinations(t testing.TB) []rules {
	var all []rules
	for _, v := range movegen.Variants {
		words := [][]string{nil}
		for _, s := range movegen.Switches {
			if s.Family != v.Family {
				continue
			}
			var longer [][]string
			for _, w := range words {
				for _, value := range s.Choices() {
					longer = append(longer, append(slices.Clip(w), s.Name+"="+value))
				}
			}
			words = longer
		}
		for _, w := range words {
			all = append(all, rulesOf(t, v.Name, w...))
		}
	}
	return all
}

// game is a random game as far as it has come.
type game struct {
	movegen.Game
	moves   []string       // played so far
	history []string       // position texts, the one set up first, the current one last
	list    []movegen.Move // legal now
}

// setUp begins a game with a position text.
func (r rules) setUp(position string) (*game, error) {
	g := &game{Game: r.game()}
	if err := g.Set(position); err != nil {
		return nil, err
	}
	g.history = []string{g.String()}
	g.list = g.Moves(nil)
	return g, nil
}

func (g *game) play(m movegen.Move) {
	g.moves = append(g.moves, g.Text(m))
	g.Make(m)
	g.history = append(g.history, g.String())
	g.list = g.Moves(g.list[:0])
}

// tooMany is a number of moves with which a position is left out of the random
// games: the slow generator takes seconds there. TestMonsters has such ones.
const tooMany = 4000

// play visits the positions of random games until there were so many. On the
// first error it reports the shortest end of that game that still gives one.
func (r rules) play(t *testing.T, positions int, visit func(*game) error) {
	t.Helper()
	random := r.random()
	for visited := 0; visited < positions; {
		position, plies := r.randomPosition(random)
		g, err := r.setUp(position)
		if err != nil {
			t.Fatalf("%s, seed %d: a random position is refused: %v", r, *seed, err)
		}
		manner := manner(random.IntN(int(manners)))
		for len(g.list) <= tooMany {
			if err := visit(g); err != nil {
				g, err = r.shortest(g, err, visit)
				t.Fatalf("%s, seed %d: %v\nposition %q moves %s\n%s",
					r, *seed, err, g.history[0], strings.Join(g.moves, " "), g.Draw())
			}
			visited++
			if len(g.list) == 0 || len(g.moves) == plies || visited == positions {
				break
			}
			g.play(manner.choose(random, g))
		}
	}
}

// shortest is the shortest end of a game in which visit gives an error.
func (r rules) shortest(failed *game, failure error, visit func(*game) error) (*game, error) {
	for first := len(failed.history) - 1; first > 0; first-- {
		g, err := r.setUp(failed.history[first])
		if err != nil {
			return failed, failure
		}
		for i := first; ; i++ {
			if err := visit(g); err != nil {
				return g, err
			}
			if i == len(failed.moves) {
				break
			}
			m, err := g.Find(failed.moves[i])
			if err != nil {
				return failed, failure
			}
			g.play(m)
		}
	}
	return failed, failure
}

// manner is how the moves of a random game are chosen.
type manner int

const (
	anyhow   manner = iota
	greedy          // captures first, so that the board is soon empty
	peaceful        // captures last, so that sides get stuck
	shuffle         // back and forth, so that positions repeat
	manners
)

func (how manner) choose(random *rand.Rand, g *game) movegen.Move {
	var wanted []movegen.Move
	for _, m := range g.list {
		if how == greedy && m.Gain() > 0 || how == peaceful && m.Gain() == 0 || how == shuffle && g.takesBack(m) {
			wanted = append(wanted, m)
		}
	}
	if len(wanted) == 0 || random.IntN(8) == 0 {
		wanted = g.list
	}
	return wanted[random.IntN(len(wanted))]
}

// takesBack reports whether a move is the way back of the side's last one.
func (g *game) takesBack(m movegen.Move) bool {
	if len(g.moves) < 2 {
		return m.Gain() == 0
	}
	last := g.moves[len(g.moves)-2]
	return len(last) == 4 && g.Text(m) == last[2:]+last[:2]
}

// everyNth are the places 0, n, 2n, … of a list of that length, about most of
// them.
func everyNth(length, most int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < length; i += 1 + length/most {
			if !yield(i) {
				return
			}
		}
	}
}
