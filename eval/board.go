package eval

import "qirkat/movegen"

// The features that the board games share, in the order of their tables. Pairs
// count own pieces less enemy pieces; capturable and targets stand apart, since
// the side to move moves first.
const (
	material = iota
	mobility
	safe
	capturable
	targets
	strong
	edge
	centre
	tempo
	patternSum
	boardFeatures
)

var boardTable = []Feature{
	material:   {"material", "pieces, own less enemy's"},
	mobility:   {"mobility", "steps to empty points that the directions leave open, own less enemy's"},
	safe:       {"safe", "pieces that are out of danger while their side stands still (no jump could take them, no step approach them), own less enemy's"},
	capturable: {"capturable", "own pieces that the enemy could capture now (of a Fanorona line the first one)"},
	targets:    {"targets", "enemy pieces that the side to move can capture now (of a Fanorona line the first one)"},
	strong:     {"strong", "pieces on strong points, own less enemy's"},
	edge:       {"edge", "pieces on the edge of the board, own less enemy's"},
	centre:     {"centre", "the middle point: 1 if held by an own piece, -1 by an enemy piece"},
	tempo:      {"tempo", "1 for the side to move"},
	patternSum: {"patterns", "what the tables of patterns say, in centipieces; 0 where a variant has none"},
}

// areas are the parts of a board that features count pieces on.
type areas struct{ all, strong, edge, centre movegen.Set }

func areasOf(b *movegen.Board) areas {
	a := areas{all: b.All, strong: b.Strong, centre: movegen.Bit(b.At(b.W/2, b.H/2))}
	a.edge = b.Row(0) | b.Row(b.H-1)
	for r := range b.H {
		a.edge |= movegen.Bit(b.At(0, r)) | movegen.Bit(b.At(b.W-1, r))
	}
	return a
}
