package match

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"

	"qirkat/movegen"
)

// Openings are the openings of one variant, and the order in which pairs of
// games get them.
type Openings struct {
	List    []Opening
	Shuffle bool
	Seed    uint64
}

// At is the opening of a pair, counted from 1. It depends on the seed and that
// number alone. When all have been played they come again, shuffled anew.
func (o *Openings) At(pair int) Opening {
	n := len(o.List)
	if n == 0 {
		return Opening{}
	}
	turn, place := (pair-1)/n, (pair-1)%n
	if o.Shuffle {
		place = rand.New(rand.NewPCG(o.Seed, uint64(turn))).Perm(n)[place]
	}
	return o.List[place]
}

// ReadOpenings reads an opening file, in which a line is a position text or
// "startpos", perhaps with "moves" and moves behind it, or begins with "#". The
// error names the line.
func ReadOpenings(in io.Reader, v *movegen.Variant) ([]Opening, error) {
	var list []Opening
	lines := bufio.NewScanner(in)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
		if text == "" || text[0] == '#' {
			continue
		}
		o, err := parseOpening(text, v)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		list = append(list, o)
	}
	return list, lines.Err()
}

// parseOpening reads a line, and checks it against the rules.
func parseOpening(text string, v *movegen.Variant) (Opening, error) {
	words := strings.Fields(text)
	var o Opening
	start := len(words)
	for i, w := range words {
		if w == "moves" {
			start = i
			o.Moves = words[i+1:]
			break
		}
	}
	if position := strings.TrimPrefix(strings.Join(words[:start], " "), "fen "); position != "startpos" {
		o.Position = position
	}
	return o.canonical(v)
}

// canonical checks an opening and spells its moves as engines are told them.
func (o Opening) canonical(v *movegen.Variant) (Opening, error) {
	g, err := Opening{Position: o.Position}.board(v)
	if err != nil {
		return Opening{}, err
	}
	spelt := Opening{Position: o.Position}
	for _, text := range o.Moves {
		m, err := g.Find(text)
		if err != nil {
			return Opening{}, err
		}
		spelt.Moves = append(spelt.Moves, g.Text(m))
		g.Make(m)
	}
	if _, err := spelt.board(v); err != nil {
		return Opening{}, err
	}
	return spelt, nil
}
