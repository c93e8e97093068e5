package bench

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qirkat/engine"
	"qirkat/movegen"
)

var makeSuite = flag.String("makesuite", "", "play games anew and write the suites of these variants, joined by commas, or of all")

// How a suite is made (numbers chosen). A position will do if it is won by force
// in leastPlies to mostPlies, by few of its moves, and an exhaustive proof looks
// at proofPositions at most.
const (
	perSuite       = 40
	perGame        = 2
	farApart       = 8 // plies between positions of one game
	leastMoves     = 3 // legal moves to choose from
	mostWins       = 3
	leastPlies     = 5
	mostPlies      = 13
	mostQuiet      = 12     // quiet count: endings without a plan are left out
	deepNodes      = 10_000 // of the search that looks for a win
	slowerNodes    = 5_000  // of the search that looks for a win by other moves
	mostUnseen     = 2      // positions without a win seen, after which a game is left
	proofPositions = 12_000
	enoughGames    = 200
	scarceGames    = 1000
	shortPlies     = 3 // from then on, in games of random moves
)

// TestMakeSuite writes suites; see bench/README.md.
func TestMakeSuite(t *testing.T) {
	if *makeSuite == "" {
		t.Skip("no -makesuite")
	}
	names := strings.Split(*makeSuite, ",")
	if *makeSuite == "all" {
		names = movegen.VariantNames()
	}
	for _, name := range names {
		v, err := movegen.FindVariant(name)
		if err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		text.WriteString(suiteHeader)
		for _, row := range newSuiteMaker(t, v).rows(perSuite) {
			fmt.Fprintf(&text, "%s\t%d\t%s\n", row.Text, row.Plies, strings.Join(row.Wins, " "))
		}
		if err := os.WriteFile(filepath.FromSlash(suiteFile(v.Name)), []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// suiteMaker makes the suite of a variant.
type suiteMaker struct {
	*testing.T
	variant  *movegen.Variant
	engine   *engine.Engine
	prover   *prover
	seen     map[string]bool // positions taken, as seen from every side
	scarce   bool            // so many games gave too few positions
	examined map[verdict]int
}

func newSuiteMaker(t *testing.T, v *movegen.Variant) *suiteMaker {
	e, err := engine.New(DefaultHash)
	if err != nil {
		t.Fatal(err)
	}
	m := &suiteMaker{
		T: t, variant: v, engine: e, prover: fastProver(v),
		seen: map[string]bool{}, examined: map[verdict]int{},
	}
	m.prover.most = proofPositions
	return m
}

// rows plays games until there are so many rows that will do best, or after
// enough games as many with the next best. Those with the shortest proofs come
// first.
func (m *suiteMaker) rows(count int) (rows []Tactic) {
	found := map[verdict][]Tactic{}
	games, have := 0, 0
	for ; len(found[hardWin]) < count && (games < enoughGames || have < count); games++ {
		m.scarce = games >= scarceGames
		for _, c := range m.fromGame(games) {
			found[c.verdict] = append(found[c.verdict], c.Tactic)
			have++
		}
	}
	for _, v := range tiers {
		n := min(len(found[v]), count-len(rows))
		rows = append(rows, found[v][:n]...)
		m.Logf("%s: %d %s", m.variant.Name, n, v)
	}
	m.Logf("%s: %d games, examined %v", m.variant.Name, games, m.examined)
	slices.SortStableFunc(rows, func(a, b Tactic) int { return m.cost(a) - m.cost(b) })
	return rows
}

// cost is the number of positions that the proof of a row looks at.
func (m *suiteMaker) cost(r Tactic) int {
	m.prover.shortest(r.Text, r.Plies)
	return m.prover.looked
}

// fromGame plays a game and lists those of its wins that will do, the longest
// first.
func (m *suiteMaker) fromGame(number int) (list []candidate) {
	count := map[verdict]int{}
	for _, c := range m.candidates(number) {
		if slices.ContainsFunc(list, func(d candidate) bool { return max(c.at-d.at, d.at-c.at) < farApart }) {
			continue
		}
		c.verdict = m.examine(&c.Tactic)
		m.examined[c.verdict]++
		if count[c.verdict]++; slices.Contains(tiers, c.verdict) && count[c.verdict] <= perGame {
			list = append(list, c)
		}
	}
	return list
}

// candidate is a position of a game that a search says is won.
type candidate struct {
	Tactic
	at      int // place in the game
	verdict verdict
}

// candidates plays a game and lists the wins in it, the longest first. It looks
// from the end back: what the table knows of later positions helps to see a win
// from further away than a search of the position alone could.
func (m *suiteMaker) candidates(number int) (list []candidate) {
	place := slices.Index(movegen.VariantNames(), m.variant.Name)
	random := rand.New(rand.NewPCG(uint64(number), uint64(place)))
	texts, moves, least := m.texts(random), leastMoves, leastPlies
	if m.scarce {
		moves, least = 2, shortPlies
	}
	m.engine.Clear()
	unseen := 0
	for at, text := range slices.Backward(texts) {
		g := m.set(text)
		if len(g.Moves(nil)) < moves || quietOf(text) > mostQuiet {
			continue
		}
		plies, proven := m.engine.Run(searchOf(g, engine.Limits{Nodes: deepNodes, Mate: mostPlies})).Score.Plies()
		unseen++
		if proven && max(plies, -plies) <= mostPlies {
			unseen = 0
		}
		if proven && least <= plies && plies <= mostPlies {
			list = append(list, candidate{Tactic: Tactic{Variant: m.variant.Name, Text: text, Plies: plies}, at: at})
		}
		if unseen == mostUnseen {
			break
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return b.Plies - a.Plies })
	return list
}

// texts gives the positions of a game; where positions are scarce, of one that is
// played at random.
func (m *suiteMaker) texts(random *rand.Rand) (texts []string) {
	if !m.scarce {
		return play(m.T, m.variant.Name, random)
	}
	for g := m.set(m.variant.Start); !g.Outcome().Over(); g.Make(randomMove(g, random)) {
		texts = append(texts, g.String())
	}
	return texts
}

// verdict says whether a candidate will do, or why not.
type verdict string

const (
	hardWin  verdict = "hard"
	easyWin  verdict = "easy"        // a search of one or two plies finds it
	looseWin verdict = "slower wins" // a short search finds a win by another move as well, in more plies
	smallWin verdict = "small"       // it is short, or a choice of two moves; where positions are scarce
)

// tiers are the verdicts with which a candidate will do, the best first.
var tiers = []verdict{hardWin, easyWin, looseWin, smallWin}

// examine proves a candidate and notes its moves.
func (m *suiteMaker) examine(c *Tactic) verdict {
	if m.variant.QuietEnds(quietOf(c.Text) + c.Plies) {
		return "ends quietly"
	}
	for _, same := range sameAs(m.variant, c.Text) {
		if m.seen[same] {
			return "known"
		}
	}
	g := m.set(c.Text)
	moves := g.Moves(nil)
	plies, wins, ok := m.prover.shortest(c.Text, c.Plies)
	switch {
	case !ok:
		return "long proof"
	case plies == 0:
		m.Logf("%s: %s: the search finds a win in %d plies, and there is none", m.variant.Name, c.Text, c.Plies)
		return "no win"
	case plies < shortPlies || plies < leastPlies && !m.scarce:
		return "short"
	case len(wins) > mostWins || len(wins) == len(moves):
		return "many moves"
	}
	slices.Sort(wins)
	c.Plies, c.Wins = plies, wins
	for _, same := range sameAs(m.variant, c.Text) {
		m.seen[same] = true
	}
	if plies < leastPlies || len(moves) < leastMoves {
		return smallWin
	}
	if m.winsSlower(c) {
		return looseWin
	}
	for depth := 1; depth <= 2; depth++ {
		m.engine.Clear()
		if best := m.engine.Run(searchOf(g, engine.Limits{Depth: depth})).Best; slices.Contains(wins, g.Text(best)) {
			return easyWin
		}
	}
	return hardWin
}

// winsSlower reports whether a search finds a win by another move as well.
func (m *suiteMaker) winsSlower(c *Tactic) bool {
	g := m.set(c.Text)
	s := searchOf(g, engine.Limits{Nodes: slowerNodes, Mate: engine.MaxPly})
	for _, move := range g.Moves(nil) {
		if !slices.Contains(c.Wins, g.Text(move)) {
			s.SearchMoves = append(s.SearchMoves, move)
		}
	}
	if s.SearchMoves == nil {
		return false
	}
	m.engine.Clear()
	plies, proven := m.engine.Run(s).Score.Plies()
	return proven && plies > 0
}

// set is a position set up, without the turns that led to it.
func (m *suiteMaker) set(text string) movegen.Game {
	g, err := Position{Variant: m.variant.Name, Text: text}.Game()
	if err != nil {
		m.Fatal(err)
	}
	return g
}

// quietOf is the quiet count of a position text.
func quietOf(text string) int {
	n, _ := strconv.Atoi(strings.Fields(text)[3])
	return n
}

// sameAs gives the rows and the side of a position, seen from every side from
// which the game is the same: from behind, and, with the colours swapped, turned
// round.
func sameAs(v *movegen.Variant, text string) []string {
	fields := strings.Fields(text)
	join := ""
	if v.Family == movegen.Manqala {
		join = ","
	}
	var rows [][]string
	for row := range strings.SplitSeq(fields[0], "/") {
		rows = append(rows, strings.Split(row, join))
	}
	reversed := func(rows [][]string) (list [][]string) {
		for _, row := range rows {
			row = slices.Clone(row)
			slices.Reverse(row)
			list = append(list, row)
		}
		return list
	}
	write := func(rows [][]string, swap bool) string {
		var words []string
		for _, row := range rows {
			words = append(words, strings.Join(row, join))
		}
		text := strings.Join(words, "/") + " " + fields[1]
		if swap {
			text = strings.NewReplacer("w", "b", "b", "w").Replace(text)
		}
		return text
	}
	turned := reversed(rows)
	slices.Reverse(turned)
	switch {
	case v.Vela:
		return []string{write(rows, false), write(reversed(rows), false)}
	case v.Family == movegen.Manqala:
		return []string{write(rows, false), write(turned, true)}
	}
	return []string{write(rows, false), write(reversed(rows), false), write(turned, true), write(reversed(turned), true)}
}
