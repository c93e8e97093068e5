package tablebase

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"qirkat/movegen"
	"qirkat/movegen/fanorona"
)

// Material is a number of pieces of each side. The tables do not tell White
// from Black where the rules do not: then Larger is whoever has more.
type Material struct {
	Larger, Smaller int
	// Vela says that Larger is Black, which must give up pieces first.
	Vela bool
}

func (m Material) String() string { return fmt.Sprintf("%d-%d", m.Larger, m.Smaller) }

// materialOf is the material of so many pieces of the two sides.
func materialOf(a, b int) Material { return Material{Larger: max(a, b), Smaller: min(a, b)} }

func (m Material) pieces() int { return m.Larger + m.Smaller }

// equal reports whether both sides have as many. Then the side to move counts as
// the larger.
func (m Material) equal() bool { return m.Larger == m.Smaller }

// holder is the side that the larger set is put up for.
func (m Material) holder() movegen.Side {
	if m.Vela {
		return movegen.Black
	}
	return movegen.White
}

// The two halves of a material.
const (
	largerMoves = iota
	smallerMoves
)

// halves is the number of halves that a table keeps.
func (m Material) halves() int {
	if m.equal() {
		return 1
	}
	return 2
}

// mover is the side that moves in a half.
func (m Material) mover(half int) movegen.Side { return m.holder() ^ movegen.Side(half) }

// located is where a position is found: its material, its half, and its sets as
// the index wants them.
type located struct {
	Material
	half            int
	larger, smaller movegen.Set
}

// locate turns the board round where Black is the larger side: each side sees
// it alike then.
func (r *rules) locate(pieces [2]movegen.Set, turn movegen.Side) located {
	white, black := pieces[movegen.White], pieces[movegen.Black]
	w, b := white.Len(), black.Len()
	l := located{larger: white, smaller: black, half: int(turn)}
	switch {
	case r.inVela(b):
		l.larger, l.smaller, l.half = black, white, int(turn.Other())
		l.Vela = true
	case b > w || b == w && turn == movegen.Black:
		l.larger, l.smaller, l.half = r.turn(black), r.turn(white), int(turn.Other())
	}
	l.Larger, l.Smaller = l.larger.Len(), l.smaller.Len()
	return l
}

func (r *rules) inVela(black int) bool { return r.vela && black > fanorona.AfterVela }

// mostPieces is the most pieces that a table of the rules can have.
func (r *rules) mostPieces() int {
	most := r.variant.StartPieces()
	if r.vela {
		return 2*fanorona.AfterVela + 1 // Black is the larger side then
	}
	if r.last != nil {
		return mostStatePieces
	}
	return min(MaxPieces, most[0]+most[1])
}

// leastPieces is the fewest that a table of the rules can be asked for.
func (r *rules) leastPieces() int {
	if r.vela {
		return fanorona.AfterVela + 2
	}
	return 2
}

// materials lists those of at most so many pieces, each after all that captures
// lead to. In the vela it lists those of the vela, and of the others what they
// lead to.
func (r *rules) materials(pieces int) []Material {
	var list []Material
	most := r.variant.StartPieces()[0]
	for n := 2; n <= pieces; n++ {
		for smaller := max(1, n-most); smaller <= n/2; smaller++ {
			list = append(list, Material{Larger: n - smaller, Smaller: smaller})
		}
	}
	if !r.vela {
		return list
	}
	var vela []Material
	needed := make(map[Material]bool)
	for n := fanorona.AfterVela + 2; n <= pieces; n++ {
		for white := 1; n-white > fanorona.AfterVela; white++ {
			m := Material{Larger: n - white, Smaller: white, Vela: true}
			vela = append(vela, m)
			r.addLeads(m, needed)
		}
	}
	list = slices.DeleteFunc(list, func(m Material) bool { return !needed[m] })
	return append(list, vela...)
}

// addLeads adds all that turns lead to, one after the other.
func (r *rules) addLeads(m Material, set map[Material]bool) {
	for _, a := range r.leads(m) {
		if !set[a] {
			set[a] = true
			r.addLeads(a, set)
		}
	}
}

// needed lists a material after all that turns lead to from it.
func (r *rules) needed(m Material) []Material {
	set := map[Material]bool{m: true}
	r.addLeads(m, set)
	return slices.DeleteFunc(r.materials(r.mostPieces()), func(m Material) bool { return !set[m] })
}

// readMaterial reads what String writes, but for Vela; of other text it makes a
// material with another String.
func readMaterial(text string) Material {
	larger, smaller, _ := strings.Cut(text, "-")
	a, _ := strconv.Atoi(larger)
	b, _ := strconv.Atoi(smaller)
	return materialOf(a, b)
}

// parseMaterial reads the material of a table that can be built.
func (r *rules) parseMaterial(text string) (Material, error) {
	m := readMaterial(text)
	m.Vela = r.inVela(m.Larger)
	if most := r.mostPieces(); !slices.Contains(r.materials(most), m) || m.String() != text {
		return m, refuse("material %q: want two numbers of pieces, the larger first, such as 3-2, of %d pieces at most for %s",
			movegen.Shorten(text), most, r.variant.Name)
	}
	return m, nil
}

// after lists the materials that one capture can lead to.
func (r *rules) after(m Material) []Material {
	var list []Material
	for n := 1; n < m.Smaller; n++ {
		if !m.Vela { // in the vela Black, the larger side, does not capture
			list = append(list, Material{Larger: m.Larger, Smaller: n})
		}
	}
	for n := 1; n < m.Larger; n++ {
		switch {
		case m.Vela && n < m.Larger-1:
		case m.Vela && n > fanorona.AfterVela:
			list = append(list, Material{n, m.Smaller, true})
		default:
			list = append(list, materialOf(n, m.Smaller))
		}
	}
	return list
}

// leads lists the materials that a turn can lead to, a huff in answer included.
func (r *rules) leads(m Material) []Material {
	if !r.variant.Huffing {
		return r.after(m)
	}
	var list []Material
	for _, a := range r.materials(m.pieces() - 1) {
		if a.Larger <= m.Larger && a.Smaller <= m.Smaller {
			list = append(list, a)
		}
	}
	return list
}
