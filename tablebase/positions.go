package tablebase

import (
	"bytes"
	"context"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// The tables of positions as the store of a build.

func newTables(r *rules, x *indexes) *tables {
	return &tables{rules: r, indexes: x, list: make(map[Material]*table)}
}

func (t *tables) need(m Material) int64 {
	// values, open, ranks of news; present, news, sets, steps of the larger side
	perPlace, perBlock := 2*2+1, 2*32+48+1+9+4+4*5*m.Larger
	sets := choose[m.Larger][t.points]
	n := t.places(m)*perPlace + sets*4 + t.countClasses(m.Larger)*perBlock
	for _, a := range t.leads(m) {
		n += t.places(a)*a.halves()*9/8 + choose[a.Larger][t.points]*6
	}
	return int64(n) + programMemory
}

// room is a byte a place for the values, and a bit for the captures.
func (t *tables) room(m Material) int64 { return int64(t.places(m) * m.halves() * 9 / 8) }

func (t *tables) loaded() []Material { return slices.Collect(maps.Keys(t.list)) }

func (t *tables) read(ctx context.Context, m Material, f *file, threads int) error {
	table := &table{index: t.index(m), Material: m}
	all := make([]code, 0, f.Places)
	for i := range f.blocks() {
		var err error
		if all, err = f.block(all, i); err != nil {
			return err
		}
	}
	for half := range m.halves() {
		table.values[half] = all[half*table.size() : (half+1)*table.size()]
	}
	t.add(table)
	t.newRetrograde(ctx, table, threads, nil).forceCaptures()
	return nil
}

func (t *tables) count(m Material, h *Header) {
	table := t.list[m]
	for half := range m.halves() {
		var of [256]int // positions by code
		for class, orbit := range table.orbits {
			for _, v := range table.values[half][class*table.block : (class+1)*table.block] {
				of[v] += int(orbit)
			}
		}
		for v, n := range slices.Backward(of[:]) { // the longest win first
			h.add(t.coding.values[v], n, func() string {
				return t.text(table, half*table.size()+bytes.IndexByte(table.values[half], code(v)))
			})
		}
		h.Stored += table.size()
		for _, word := range table.captures[half] {
			h.Stored -= bits.OnesCount64(word)
		}
	}
}

// text is the position text of a place, the places of the second half counted
// behind those of the first.
func (t *tables) text(m *table, place int) string {
	larger, smaller := m.position(place % m.size())
	return t.fen(m.pieces(larger, smaller), m.mover(place/m.size()))
}

// fen is the text of a position without a token.
func (r *rules) fen(pieces [2]movegen.Set, turn movegen.Side) string {
	return movegen.Fields{Rows: r.size.FormatPieces(pieces), Turn: turn, State: "-", Number: 1}.String()
}

// A place whose side to move captures is filled up with the value before it, which
// costs the least room.
func (t *tables) blocks(m Material, h *Header) func(dst []byte, i int) []byte {
	table := t.list[m]
	return func(dst []byte, i int) []byte {
		last, begin := code(0), len(dst)
		for n := range h.in(i) {
			half, place := (i*h.BlockPlaces+n)/table.size(), (i*h.BlockPlaces+n)%table.size()
			if !table.captures[half].has(place) {
				last = table.values[half][place]
			}
			if h.Kind == Distances {
				dst = append(dst, last)
				continue
			}
			if n%4 == 0 {
				dst = append(dst, 0)
			}
			dst[begin+n/4] |= packResult(t.coding.values[last].Result) << (n % 4 * 2)
		}
		return dst
	}
}

func (t *tables) check(m Material, place int, game *slow.Game) error {
	table := t.list[m]
	has := t.coding.values[table.values[place/table.size()][place%table.size()]]
	return t.compare(t.text(table, place), has, game, t.slowValue)
}

// slowValue is what the tables say of a position text.
func (t *tables) slowValue(position string) (Value, error) {
	fields := strings.Fields(position)
	pieces, err := t.size.ParsePieces(fields[0], t.variant.StartPieces())
	if err != nil {
		return Value{}, err
	}
	turn := movegen.White
	if fields[1] == "b" {
		turn = movegen.Black
	}
	switch {
	case pieces[turn] == 0:
		return Value{Loss, 0}, nil
	case pieces[turn^1] == 0:
		return Value{Win, 0}, nil
	}
	return t.coding.values[t.code(pieces, turn)], nil
}
