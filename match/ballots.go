package match

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// Ballots says which openings are to be generated: sequences of legal moves
// from the start position.
type Ballots struct {
	Plies   int
	Count   int // 0: all
	Balance int // centipieces by which a search may prefer a side; 0: any
	Seed    uint64
}

const (
	maxBallots   = 100_000 // positions of a depth that are kept while they are counted (chosen)
	balanceNodes = 20_000  // of the search that scores a ballot (chosen)
	balanceHash  = 4       // MiB
)

// Generate lists openings of so many plies. Of those that lead to the same
// position, or to one and its mirror image from left to right, one is kept, and
// none that ends the game. Their order is by chance, from the seed. Fewer than
// Count are an error only when there is none.
func (b Ballots) Generate(ctx context.Context, v *movegen.Variant) ([]Opening, error) {
	list, err := b.all(v)
	if err != nil {
		return nil, err
	}
	rand.New(rand.NewPCG(b.Seed, uint64(b.Plies))).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	if b.Balance > 0 {
		if list, err = b.balanced(ctx, v, list); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("openings: no sequence of %d plies of %s goes on and is within %d centipieces", b.Plies, v.Name, b.Balance)
	}
	if b.Count > 0 && len(list) > b.Count {
		list = list[:b.Count]
	}
	return list, nil
}

// all walks the tree, and goes on from a position once for each depth at which
// it is met.
func (b Ballots) all(v *movegen.Variant) ([]Opening, error) {
	g := games.New(v)
	var list []Opening
	seen := make([]map[string]bool, b.Plies)
	for i := range seen {
		seen[i] = map[string]bool{}
	}
	line := make([]string, 0, b.Plies)
	var walk func() error
	walk = func() error {
		depth := len(line)
		if depth == b.Plies {
			list = append(list, Opening{Moves: slices.Clone(line)})
			return nil
		}
		for _, m := range g.Moves(nil) {
			line = append(line, g.Text(m))
			g.Make(m)
			var err error
			if form := unmirrored(g); !g.Outcome().Over() && !seen[depth][form] {
				seen[depth][form] = true
				err = walk()
			}
			g.Unmake()
			line = line[:depth]
			if err == nil && len(seen[depth]) > maxBallots {
				err = fmt.Errorf("openings: more than %d sequences of %d plies of %s: want fewer plies", maxBallots, b.Plies, v.Name)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	err := walk()
	return list, err
}

// balanced keeps what a search scores near even, until there are enough.
func (b Ballots) balanced(ctx context.Context, v *movegen.Variant, list []Opening) ([]Opening, error) {
	e, err := engine.New(balanceHash)
	if err != nil {
		return nil, err
	}
	var kept []Opening
	for _, o := range list {
		if b.Count > 0 && len(kept) == b.Count {
			break
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g, err := o.board(v)
		if err != nil {
			return nil, err
		}
		e.Clear()
		found := e.Run(engine.Search{
			Game:   engine.Game{Position: g, Evaluator: eval.New(g, eval.Default(v))},
			Limits: engine.Limits{Nodes: balanceNodes},
		})
		if s := int(found.Score); s >= -b.Balance && s <= b.Balance {
			kept = append(kept, o)
		}
	}
	return kept, nil
}

// unmirrored names a position and its mirror image alike: rows, side and state
// of the one that comes first. In Al-manqala seeds go round one way only, so
// there a position has no image.
func unmirrored(g movegen.Game) string {
	f := strings.Fields(g.String())
	own := strings.Join(f[:3], " ")
	v := g.Variant()
	if v.Family == movegen.Manqala {
		return own
	}
	rows := strings.Split(f[0], "/")
	for i, row := range rows {
		letters := []byte(row)
		slices.Reverse(letters)
		rows[i] = string(letters)
	}
	image := strings.Join([]string{strings.Join(rows, "/"), f[1], mirroredState(f[2], v.Size)}, " ")
	return min(own, image)
}

// mirroredState turns the points of state tokens such as rw:b2c2 and h:c3d4
// from left to right. Points of h stand in the order of the board.
func mirroredState(state string, z movegen.Size) string {
	if state == "-" {
		return state
	}
	tokens := strings.Split(state, ",")
	for i, t := range tokens {
		name, points, _ := strings.Cut(t, ":")
		var list []string
		for ; len(points) >= 2; points = points[2:] {
			column := byte('a' + z.W - 1 - int(points[0]-'a'))
			list = append(list, string([]byte{column, points[1]}))
		}
		if name == "h" {
			slices.SortFunc(list, func(a, b string) int {
				return strings.Compare(a[1:]+a[:1], b[1:]+b[:1])
			})
		}
		tokens[i] = name + ":" + strings.Join(list, "")
	}
	return strings.Join(tokens, ",")
}
