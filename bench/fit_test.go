package bench

import (
	"bufio"
	"cmp"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/strength"
	"qirkat/tablebase"
)

var (
	fitPatterns  = flag.String("fit", "", "fit the patterns of this variant to games of the engine against itself")
	fitPositions = flag.String("fit-positions", "", "file of their positions, which is read and gets more of them")
	fitGames     = flag.Int("fit-games", 20000, "games to be played for that, at -nodes a move")
	fitSeed      = flag.Int("fit-seed", 0, "number of the first of these games; each number is another game")
	fitFew       = flag.Int("fit-few", 10, "pieces on the board from which down a third of the nodes is searched")
	fitRandom    = flag.Int("fit-random", 32, "one in so many moves of a position with few pieces is made at random, two with more")
	fitBroken    = flag.Float64("fit-broken", 0, "part of the games that are broken off once the search has proven the end, or would not capture with few pieces")
	fitPhases    = flag.String("fit-phases", "", "phases to be tried instead of those of the variant, such as 12,24")
	fitOut       = flag.String("fit-out", filepath.Join("..", "eval", "patterns"), "folder of the files of patterns")
)

// labelled is a position of a game, with the board turned so that the side to
// move plays upwards, and what is known of its worth for that side.
type labelled struct {
	Own, Enemy movegen.Set
	Game       int32
	Linear     int16 // evaluation without patterns, centipieces
	Score      int16 // of the search, centipieces
	Result     int8  // of the game: 1, 0 or -1
	Next       next

	points, worth float64 // by the score; by what came of it
	entries       []int32 // of the patterns
}

// next says what came after a position.
type next uint8

const (
	nextBest   next = iota // the best move, or the end of the game
	nextRandom             // a move at random
	nextBroken             // nothing: the game was broken off, whatever its end would have been
	nextProven             // nothing: the search or a table has proven the end, a draw where the score is 0
)

// labelledSize is that of a position in the file, in bytes.
const labelledSize = 8 + 8 + 4 + 2 + 2 + 1 + 1

// TestFit plays games, adds their positions to those of the file, fits the
// values of the patterns to all of them, and writes eval/patterns/VARIANT.bin.
// The positions of some games are kept back, to see how well they fit.
func TestFit(t *testing.T) {
	if *fitPatterns == "" {
		t.Skip("no -fit")
	}
	v := variantOf(t, strings.Fields(*fitPatterns))
	layout, ok := eval.PatternsOf(v)
	if !ok {
		t.Fatalf("%s has no patterns", v.Name)
	}
	if *fitPhases != "" {
		layout = eval.NewLayout(v, numbers(t, *fitPhases))
	}
	list := readLabelled(t, *fitPositions)
	playToFit(t, v, func(game []labelled) {
		list = append(list, game...)
		appendLabelled(t, *fitPositions, game)
	})
	if len(list) == 0 {
		t.Fatal("no positions to fit to, want -fit-positions FILE or -fit-games 1 or more")
	}
	values := fitTo(list, layout)
	path := filepath.Join(*fitOut, strings.ToLower(v.Name)+".bin")
	if err := tablebase.WriteWhole(path, func(w *bufio.Writer) error { return eval.WritePatterns(w, layout, values) }); err != nil {
		t.Fatal(err)
	}
	fmt.Println(path)
}

func numbers(t *testing.T, text string) (list []int) {
	t.Helper()
	for word := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, n)
	}
	return list
}

// playToFit plays the games and hands out their positions: two to nine moves at
// random, then the engine against itself, with a move at random now and then.
func playToFit(t *testing.T, v *movegen.Variant, played func(game []labelled)) {
	t.Helper()
	newEngine := func() *engine.Engine {
		const hash = 4 // MiB; the searches are short
		e, err := engine.New(hash)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	e, judge := newEngine(), newEngine()
	weights := eval.Default(v)
	for n := *fitSeed; n < *fitSeed+*fitGames; n++ {
		random := rand.New(rand.NewPCG(uint64(n), 21))
		g := games.New(v)
		for range 2 + random.IntN(8) {
			if !g.Outcome().Over() {
				g.Make(randomMove(g, random))
			}
		}
		e.Clear() // so that the numbers of games may be shared out in any way
		judge.Clear()
		linear := eval.New(g, weights.Plain())
		broken := random.Float64() < *fitBroken
		var list, seen []labelled
		var sides []movegen.Side
		for going := true; going && !g.Outcome().Over(); {
			p, few := labelledOf(g), false
			p.Game, p.Linear = int32(n), int16(linear.Eval())
			if score, ok := known(g); ok {
				p.Score, p.Next = score, nextProven
				list, sides = append(list, p), append(sides, g.Turn())
				break
			}
			nodes, oneIn := *perMove, *fitRandom/2
			if (p.Own | p.Enemy).Len() <= *fitFew {
				few, nodes, oneIn = true, nodes/3, *fitRandom
			}
			// Games that begin alike part where the search stops elsewhere: 75 to 125 % of the nodes.
			search := searchOf(g, engine.Limits{Nodes: nodes * (75 + random.Uint64N(51)) / 100})
			look := &lookout{Evaluator: search.Evaluator, game: search.Position.(movegen.Game), wait: random.IntN(int(nodes))}
			search.Evaluator = look
			r := e.Run(search)
			p.Score = int16(r.Score)
			if s := look.seen; s != nil && !s.Outcome().Over() {
				q := labelledOf(s)
				q.Game, q.Linear, q.Next = int32(n), int16(eval.New(s, weights.Plain()).Eval()), nextBroken
				q.Score = int16(judge.Run(searchOf(s, engine.Limits{Nodes: nodes})).Score)
				seen = append(seen, q)
			}
			_, proven := r.Score.Plies()
			switch {
			case broken && (proven || few && r.Best.Gain() == 0):
				p.Next, going = nextBroken, false
			case proven:
				p.Next, going = nextProven, false
			case random.IntN(oneIn) == 0:
				p.Next = nextRandom
				g.Make(randomMove(g, random))
			default:
				g.Make(r.Best)
			}
			list, sides = append(list, p), append(sides, g.Turn())
		}
		if o := g.Outcome(); o.Over() && o.Winner != movegen.None {
			for i := range sides {
				list[i].Result = 1
				if sides[i] == o.Winner { // who was to move after it
					list[i].Result = -1
				}
			}
		}
		played(append(seen, list...))
	}
}

// known is what the tables say of a position as the score of a proven game.
func known(g movegen.Game) (score int16, ok bool) {
	p := proberOf(g.Variant())
	if p == nil {
		return 0, false
	}
	result, _, _, ok := p.Player(g, tablebase.MaxSeeds).Probe()
	return int16(result) * int16(engine.Win-1), ok
}

// lookout is an evaluator that keeps one of the positions that a search asks
// it for.
type lookout struct {
	engine.Evaluator
	game movegen.Game
	wait int // positions that go by
	seen movegen.Game
}

func (l *lookout) Eval() int {
	if l.wait == 0 {
		l.seen = l.game.Clone()
	}
	l.wait--
	return l.Evaluator.Eval()
}

// labelledOf is the position of a board game.
func labelledOf(g movegen.Game) (p labelled) {
	b := g.(interface {
		Pieces(s movegen.Side) movegen.Set
	})
	p.Own, p.Enemy = b.Pieces(g.Turn()), b.Pieces(g.Turn().Other())
	if g.Turn() == movegen.Black {
		z := g.Variant().Size
		p.Own, p.Enemy = p.Own.Turned(z.W*z.H), p.Enemy.Turned(z.W*z.H)
	}
	return p
}

// readLabelled reads a file of positions; none when it is not there.
func readLabelled(t *testing.T, path string) []labelled {
	t.Helper()
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(text)%labelledSize != 0 {
		t.Fatalf("%s: %d bytes, want a multiple of %d: the last position was not written whole", path, len(text), labelledSize)
	}
	list := make([]labelled, len(text)/labelledSize)
	for i := range list {
		b, p := text[i*labelledSize:], &list[i]
		p.Own, p.Enemy = movegen.Set(binary.LittleEndian.Uint64(b)), movegen.Set(binary.LittleEndian.Uint64(b[8:]))
		p.Game = int32(binary.LittleEndian.Uint32(b[16:]))
		p.Linear, p.Score = int16(binary.LittleEndian.Uint16(b[20:])), int16(binary.LittleEndian.Uint16(b[22:]))
		p.Result, p.Next = int8(b[24]), next(b[25])
	}
	return list
}

func appendLabelled(t *testing.T, path string, list []labelled) {
	t.Helper()
	if path == "" {
		return
	}
	text := make([]byte, 0, len(list)*labelledSize)
	for _, p := range list {
		text = binary.LittleEndian.AppendUint64(text, uint64(p.Own))
		text = binary.LittleEndian.AppendUint64(text, uint64(p.Enemy))
		text = binary.LittleEndian.AppendUint32(text, uint32(p.Game))
		text = binary.LittleEndian.AppendUint16(text, uint16(p.Linear))
		text = binary.LittleEndian.AppendUint16(text, uint16(p.Score))
		text = append(text, byte(p.Result), byte(p.Next))
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
}

// Numbers of the fit (chosen, by the loss on positions kept back).
const (
	fitKept   = 20 // one game in so many is kept back
	fitEpochs = 4
	fitRate   = 0.1 // of learning; a third and a ninth of it in the last two epochs
	fitCalm   = 5.0 // what the sum of squares of an entry begins with, so that rare ones stay near 0
	fitBlend  = 0.5 // part of what came of a position; the rest is for its score
)

// fitTo gives the values of the patterns, in centipieces, that with the linear
// evaluation foretell the points best: by logistic regression on points, one
// position at a time, each entry with a rate of its own (J. Duchi, E. Hazan and
// Y. Singer, "Adaptive Subgradient Methods", 2011).
func fitTo(list []labelled, l *eval.Layout) []int16 {
	label(list)
	var train, test []*labelled
	var entries []int32
	for i := range list {
		p := &list[i]
		from := len(entries)
		entries = l.Of(entries, p.Own, p.Enemy)
		p.entries = entries[from:len(entries):len(entries)]
		if p.Game%fitKept == 0 {
			test = append(test, p)
		} else {
			train = append(train, p)
		}
	}
	scale := fitScale(train)
	weights, squares := make([]float32, l.Entries()), make([]float32, l.Entries())
	foretell := func(p *labelled) float64 {
		x := float64(p.Linear) / scale
		for _, k := range p.entries {
			x += float64(weights[k])
		}
		return logistic(x)
	}
	fmt.Printf("%d positions, %d kept back, %d entries, scale %.0f; loss of points by the result, and above the least of those by the search, for each phase\n", len(train), len(test), l.Entries(), scale)
	fmt.Printf("search:  %s\n", fitLoss(test, l, func(p *labelled) float64 { return p.points }))
	fmt.Printf("linear:  %s\n", fitLoss(test, l, foretell))
	random := rand.New(rand.NewPCG(1, 22))
	for epoch := range fitEpochs {
		rate := fitRate
		for range epoch - (fitEpochs - 3) {
			rate /= 3
		}
		for _, i := range random.Perm(len(train)) {
			p := train[i]
			slope := float32(fitBlend*p.worth + (1-fitBlend)*p.points - foretell(p))
			for _, k := range p.entries {
				squares[k] += slope * slope
				weights[k] += float32(rate) * slope / float32(math.Sqrt(float64(squares[k]+fitCalm)))
			}
		}
		fmt.Printf("epoch %d: %s\n", epoch+1, fitLoss(test, l, foretell))
	}
	values := make([]int16, len(weights))
	for i, w := range weights {
		values[i] = int16(math.Round(scale * float64(w)))
	}
	return values
}

// fitScale is the number of centipieces in which the odds change e-fold: that
// by which the linear evaluation foretells best, so that the patterns leave the
// worth of a piece as it is.
func fitScale(list []*labelled) (best float64) {
	least := math.Inf(1)
	for scale := 10.0; scale < 2000; scale *= 1.05 {
		loss := 0.0
		for _, p := range list[:min(len(list), 100_000)] {
			loss += logLossOf(fitBlend*p.worth+(1-fitBlend)*p.points, logistic(float64(p.Linear)/scale))
		}
		if loss < least {
			best, least = scale, loss
		}
	}
	return best
}

// logLossOf is the loss of foretelling the points y as q.
func logLossOf(y, q float64) float64 {
	q = max(1e-6, min(q, 1-1e-6))
	return -y*math.Log(q) - (1-y)*math.Log(1-q)
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// label works out what the positions are worth: the points that stand for the
// score, by odds for each number of pieces, and the result, or where a move at
// random came in between the points of the search before it.
func label(list []labelled) {
	const (
		step   = 3            // pieces on the board that share their odds (chosen)
		enough = 300          // positions, from which on odds are fitted (chosen)
		most   = 100 * enough // positions to which they are (chosen, for the time that it takes)
	)
	var known [64/step + 1][]sample
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		plies, proven := engine.Score(p.Score).Plies()
		switch last := i == len(list)-1 || list[i+1].Game != p.Game; {
		case p.Next == nextProven:
			p.worth = float64(cmp.Compare(plies, 0)+1) / 2
		case p.Next != nextBest:
			p.worth = -1
		case last:
			p.worth = float64(p.Result+1) / 2
		case list[i+1].worth >= 0:
			p.worth = 1 - list[i+1].worth
		default:
			p.worth = -1
		}
		if p.worth >= 0 && !proven {
			n := (p.Own | p.Enemy).Len() / step
			known[n] = append(known[n], sample{engine.Score(p.Score), int(math.Round(2*p.worth - 1))})
		}
	}
	odds := [len(known)]strength.Odds{}
	for n := range known {
		if len(known[n]) >= enough {
			odds[n] = fitted(known[n][max(0, len(known[n])-most):]) // the first of the file
		} else if n > 0 {
			odds[n] = odds[n-1]
		}
	}
	for n := len(known) - 2; n >= 0; n-- {
		if odds[n] == (strength.Odds{}) {
			odds[n] = odds[n+1]
		}
	}
	for i := len(list) - 1; i >= 0; i-- {
		p := &list[i]
		win, draw, _ := odds[(p.Own|p.Enemy).Len()/step].Chances(engine.Score(p.Score))
		p.points = win + draw/2
		switch {
		case p.Next != nextBest:
			p.worth = p.points
		case p.worth < 0:
			p.worth = 1 - list[i+1].worth
		}
	}
}

// fitLoss is the mean of the log loss of points foretold.
func fitLoss(list []*labelled, l *eval.Layout, foretell func(p *labelled) float64) string {
	type sum struct{ result, score, n float64 }
	sums := make([]sum, len(l.Phases)+2)
	for _, p := range list {
		q := foretell(p)
		for _, s := range []*sum{&sums[0], &sums[1+l.Phase((p.Own|p.Enemy).Len())]} {
			s.result += logLossOf(p.worth, q)
			s.score += logLossOf(p.points, q) - logLossOf(p.points, p.points)
			s.n++
		}
	}
	var words []string
	for _, s := range sums {
		words = append(words, fmt.Sprintf("%.4f %.4f", s.result/s.n, s.score/s.n))
	}
	return strings.Join(words, " | ")
}
