package alquerque

import (
	"strings"
	"testing"

	"qirkat/movegen"
)

func newPosition(t *testing.T, name string, switches ...string) *Position {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range switches {
		name, value, _ := strings.Cut(word, "=")
		s, ok := movegen.FindSwitch(name)
		if !ok {
			t.Fatalf("no switch %s", name)
		}
		v = v.With(s, value)
	}
	return New(v)
}

// Ways has the steps of a piece that stands alone, and its jump over one enemy.
func TestWaysAreTheMoves(t *testing.T) {
	for _, p := range []*Position{
		newPosition(t, "alquerque"),
		newPosition(t, "alquerque-bell", "Huffing=off"),
		newPosition(t, "alquerque-pritchard", "Huffing=off"),
		newPosition(t, "alquerque", "NoBackward=on"),
		newPosition(t, "alquerque-pritchard", "NoBackward=on", "Huffing=off"),
	} {
		v := p.Variant()
		for _, side := range []movegen.Side{movegen.White, movegen.Black} {
			ways := p.Ways(side)
			for from := range movegen.Point(v.Size.W * v.Size.H) {
				for to := range movegen.Point(v.Size.W * v.Size.H) {
					step, jump := false, false
					for _, w := range ways {
						d := movegen.Point(w.Delta)
						step = step || w.Step.Up.Has(from) && from+d == to || w.Step.Down.Has(from) && from == to+d
						jump = jump || w.Jump.Up.Has(from) && from+2*d == to || w.Jump.Down.Has(from) && from == to+2*d
					}
					if got := p.moves(t, side, from, to, 0); step != got {
						t.Errorf("%s: Ways has a step of %s from %s to %s: %v, Moves %v", v.Name, side, v.Size.Name(from), v.Size.Name(to), step, got)
					}
					over := movegen.Between(from, to)
					if got := over != from && over != to && p.moves(t, side, from, to, movegen.Bit(over)); jump != got {
						t.Errorf("%s: Ways has a jump of %s from %s to %s: %v, Moves %v", v.Name, side, v.Size.Name(from), v.Size.Name(to), jump, got)
					}
				}
			}
		}
	}
}

// moves reports whether a piece on from moves to another point, and takes the
// enemy piece of a set; with none there is one out of the way.
func (p *Position) moves(t *testing.T, side movegen.Side, from, to movegen.Point, enemy movegen.Set) bool {
	t.Helper()
	away := p.Board().All &^ (movegen.Bit(from) | movegen.Bit(to) | p.Board().Near[from])
	if from == to || enemy == 0 && away == 0 {
		return false
	}
	m := movegen.Move{From: movegen.Bit(from), To: movegen.Bit(to), Taken: enemy}
	var pieces [2]movegen.Set
	pieces[side] = m.From
	pieces[side.Other()] = enemy
	if enemy == 0 {
		pieces[side.Other()] = away.Lowest()
	}
	if err := p.Set(p.Variant().Size.FormatPieces(pieces) + " " + side.Letter() + " - 0 1"); err != nil {
		t.Fatal(err)
	}
	for _, legal := range p.Moves(nil) {
		if legal == m {
			return true
		}
	}
	return false
}

// Liable are the pieces of the token h:.
func TestLiable(t *testing.T) {
	p := newPosition(t, "alquerque-bell")
	if err := p.Set("5/3b1/5/1w1b1/5 w h:d2d4 0 1"); err != nil {
		t.Fatal(err)
	}
	if got := p.Variant().Size.Names(p.Liable()); got != "d2d4" {
		t.Errorf("Liable() = %s, want d2d4", got)
	}
}
