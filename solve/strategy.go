package solve

import (
	"embed"
	"fmt"
	"slices"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// The certificates of start positions that are won. The positions of the two
// games of Alquerque are the same, and the certificate was made and checked for
// both.
//
//go:embed strategies/*.proof
var strategyFiles embed.FS

// strategies is the table of what is proven: by variant the file, and the most
// plies without a capture that a line of its play can have, as a test finds.
var strategies = map[string]struct {
	file  string
	quiet int
}{
	"alquerque":        {"strategies/alquerque.proof", 51},
	"alquerque-modern": {"strategies/alquerque.proof", 51},
	"fanorona-5x3":     {"strategies/fanorona-5x3.proof", 9},
	"fanorona-3x5":     {"strategies/fanorona-3x5.proof", 1},
	"fanorona-7x3":     {"strategies/fanorona-7x3.proof", 22},
	"fanorona-3x7":     {"strategies/fanorona-3x7.proof", 2},
	"fanorona-3x9":     {"strategies/fanorona-3x9.proof", 59},
	"fanorona-5x7":     {"strategies/fanorona-5x7.proof", 65},
}

// Strategy plays a game that is proven to be won, in the seat of the winner: from
// the start position, and from every other one of its proof, up to where the
// endgame tables of the program know the position. It is not safe for concurrent
// use.
type Strategy struct {
	rules  *rules
	winner movegen.Side
	set    []ranked // by key
	quiet  int      // the most plies without a capture
	moves  []movegen.Move
	tables *tablebase.Prober
}

// StrategyOf reads the strategy of the rules of a game, which asks their tables,
// and must not be used once those are closed; nil: there is none.
func StrategyOf(v *movegen.Variant, tables *tablebase.Tables) (*Strategy, error) {
	row, err := movegen.FindVariant(v.Name)
	known, ok := strategies[v.Name]
	if err != nil || !ok || row.Rules != v.Rules {
		return nil, err
	}
	data, err := strategyFiles.ReadFile(known.file)
	if err != nil {
		return nil, err
	}
	c, err := parseCertificate(known.file, data)
	if err != nil {
		return nil, err
	}
	winner, wins, _ := c.Proofs[0].Claim.reads()
	if !wins {
		return nil, fmt.Errorf("solve: %s proves no win", known.file)
	}
	r, err := newRules(v)
	if err != nil {
		return nil, err
	}
	return &Strategy{tables: tables.NewProber(), rules: r, winner: winner, set: c.sets[0], quiet: known.quiet}, nil
}

// Move gives the move of the winner and a bound on the plies to the end, or to
// where the endgame tables go on; no where the proof does not have the position,
// or the quiet count might end the game before. The position comes back as it was.
func (s *Strategy) Move(g movegen.Game) (best movegen.Move, plies int, ok bool) {
	if g.Turn() != s.winner || g.QuietLeft() < s.quiet || g.Outcome().Over() {
		return best, 0, false
	}
	here, ok := s.bound(g)
	if !ok {
		return best, 0, false
	}
	least := here
	s.moves = g.Moves(s.moves[:0])
	for _, m := range s.moves {
		g.Make(m)
		if b, ok := s.after(g); ok && b < least {
			best, least = m, b
		}
		g.Unmake()
	}
	return best, here, least < here
}

// after is the bound where a move of the winner leads to, 0 where the game or the
// tables end the proof with a win.
func (s *Strategy) after(g movegen.Game) (plies int, ok bool) {
	if plies, ok = s.bound(g); ok {
		return plies, true
	}
	if o := g.Outcome(); o.Over() {
		return 0, o.Winner == s.winner
	}
	a, err := s.tables.Probe(g)
	return 0, err == nil && a.Result == tablebase.Loss
}

// bound looks a position up.
func (s *Strategy) bound(g movegen.Game) (plies int, ok bool) {
	i, ok := slices.BinarySearchFunc(s.set, s.key(g), func(r ranked, k key) int { return r.key.compare(k) })
	if !ok {
		return 0, false
	}
	return int(s.set[i].plies), true
}

// key is the key by which the proof has a position.
func (s *Strategy) key(g movegen.Game) key {
	on := g.(interface {
		Pieces(movegen.Side) movegen.Set
	})
	p := position{pieces: [2]movegen.Set{on.Pieces(movegen.White), on.Pieces(movegen.Black)}, turn: g.Turn()}
	return s.rules.canonical(&p)
}
