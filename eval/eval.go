// Package eval owns the evaluations: one per family of games, linear in named
// features, with weights read from a TOML file per variant. It reads boards
// and leaves moving to [qirkat/movegen] and searching to the engine.
//
// The one idea behind it: a feature is a count that is named and described
// once, in the table of its family, and the score is the dot product of the
// counts with the weights. The vector of counts is what a tuner reads. One of
// the features is the sum of what tables say of all windows of 3×3 points, the
// patterns, for the variants that have such tables: files in the folder
// patterns, made by go test ./bench -run Fit (see bench/README.md).
//
// A newcomer reads it in this order: eval.go (the table of families),
// board.go (features of the board games), alquerque.go, fanorona.go, vela.go,
// manqala.go, patterns.go, weights.go (files).
package eval

import (
	"qirkat/movegen"
	"qirkat/movegen/alquerque"
	"qirkat/movegen/fanorona"
	"qirkat/movegen/manqala"
)

// Evaluator scores the position that it was built on, as that stands now. It
// is used by one worker.
type Evaluator interface {
	// Eval is the score in centipieces for the side to move: the dot product
	// of features and weights, held within MaxScore.
	Eval() int
	// Features appends the counts for the side to move, in the order of the
	// table of features.
	Features(dst []int32) []int32
	// Terms are the features one by one, for the side to move.
	Terms() []Term
}

// MaxScore bounds the size of a score in centipieces: a sum beyond it, which
// only odd weights can give, is cut. Forced by the search, where proven wins
// and losses begin at 29,680.
const MaxScore = 19_999

// Feature is a named count of a position, for the side to move.
type Feature struct{ Name, Help string }

// Term is a feature of a position with its weight; its share of the score is
// Count times Weight.
type Term struct {
	Name   string
	Count  int
	Weight int // centipieces
}

// family is an evaluation: what it counts, and how it is put on a position.
type family struct {
	features []Feature
	shared   string // names the weights of a variant that has none of its own
	build    func(g movegen.Game, w *Weights) Evaluator
}

// familyOf is the table of families.
func familyOf(v *movegen.Variant) *family {
	switch {
	case v.Vela:
		return velaFamily
	case v.Family == movegen.Alquerque:
		return alquerqueFamily
	case v.Family == movegen.Fanorona:
		return fanoronaFamily
	}
	return manqalaFamily
}

var (
	alquerqueFamily = &family{alquerqueTable, "alquerque", func(g movegen.Game, w *Weights) Evaluator {
		return newAlquerque(g.(*alquerque.Position), w)
	}}
	fanoronaFamily = &family{fanoronaTable, "fanorona", func(g movegen.Game, w *Weights) Evaluator {
		return newFanorona(g.(*fanorona.Position), w)
	}}
	velaFamily = &family{velaTable, "fanorona-vela", func(g movegen.Game, w *Weights) Evaluator {
		return newVela(g.(*fanorona.Position), w)
	}}
	manqalaFamily = &family{manqalaTable, "al-manqala", func(g movegen.Game, w *Weights) Evaluator {
		return newManqala(g.(*manqala.Position), w.values)
	}}
)

// Features lists what the evaluation of a variant counts.
func Features(v *movegen.Variant) []Feature { return familyOf(v).features }

// New builds the evaluator of a game with its weights. The weights must be of
// a variant with the same features; anything else is a bug and panics.
func New(g movegen.Game, w *Weights) Evaluator {
	f := familyOf(g.Variant())
	if w.family != f {
		panic("eval: weights of another family for " + g.Variant().Name)
	}
	return f.build(g, w)
}

// counts are features, or their weights, in the order of a table.
type counts [maxFeatures]int32

// maxFeatures is room for the longest table.
const maxFeatures = 21

// put notes the count of a feature and gives its share of the score.
func (c *counts) put(w *counts, feature int, n int32) int32 {
	c[feature] = n
	return n * w[feature]
}

// held is a sum of shares cut to MaxScore.
func held(sum int32) int { return int(max(-MaxScore, min(sum, MaxScore))) }

// terms puts names to counts and weights.
func terms(table []Feature, c, w *counts) []Term {
	list := make([]Term, len(table))
	for i, f := range table {
		list[i] = Term{f.Name, int(c[i]), int(w[i])}
	}
	return list
}
