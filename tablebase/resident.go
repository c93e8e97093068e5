package tablebase

import (
	"context"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"strings"
	"sync"

	"qirkat/movegen"
)

// What a proof search needs of tables, besides probes: all of them in memory,
// how far they go, and which files a proof relies on.

// FileID tells one table file of a board game from every other.
type FileID struct {
	Rules    string `json:"rules"`
	Material string `json:"material"`
	Kind     Kind   `json:"kind"`
	// Check is a CRC-32C of the checksums of header and blocks.
	Check uint32 `json:"check"`
}

// Pieces is the number of pieces that the table has.
func (f *FileID) Pieces() int { return readMaterial(f.Material).pieces() }

// Covers reports whether so many pieces of each side of a board game can be looked
// up: their table is there, and all that turns lead to. Captures are played by
// whoever looks them up, so without the table the positions whose side to move
// captures may be covered all the same.
func (t *Tables) Covers(white, black int) (all, captures bool) {
	m := materialOf(white, black)
	if t.inVela(black) {
		m = Material{Larger: black, Smaller: white, Vela: true}
	}
	leads := t.leadsCovered(m)
	return leads && t.preferred(m) != nil, leads && !m.Vela && t.last == nil
}

func (t *Tables) covers(m Material) bool { return t.preferred(m) != nil && t.leadsCovered(m) }

func (t *Tables) leadsCovered(m Material) bool {
	return !slices.ContainsFunc(t.leads(m), func(a Material) bool { return !t.covers(a) })
}

// Files are the files of a board game that a prober asks for positions of up to
// so many pieces, sorted.
func (t *Tables) Files(pieces int) []FileID {
	var list []FileID
	for _, m := range t.materials(min(pieces, t.mostPieces())) {
		if t.covers(m) {
			list = append(list, t.preferred(m).id())
		}
	}
	slices.SortFunc(list, func(a, b FileID) int {
		return strings.Compare(a.String(), b.String())
	})
	return list
}

// Keep closes all files of a board game but those of a list. The error is a
// *RefusalError, of the first that is not there.
func (t *Tables) Keep(list []FileID) error {
	here := make(map[FileID]bool)
	names := make(map[string]bool)
	for m, pair := range t.files {
		for i, f := range pair {
			if f == nil {
				continue
			}
			id := f.id()
			names[id.String()] = true
			if slices.Contains(list, id) {
				here[id] = true
				continue
			}
			if err := f.close(); err != nil {
				return err
			}
			pair[i] = nil
		}
		t.files[m] = pair
	}
	for _, id := range list {
		switch {
		case here[id]:
		case names[id.String()]:
			return refuse("the table %s is not the same file", &id)
		default:
			return refuse("the table %s is not there", &id)
		}
	}
	return nil
}

// String names the table.
func (f *FileID) String() string { return f.Rules + " " + f.Material }

func (t *file) id() FileID { return FileID{t.Rules, t.Material, t.Kind, t.identity()} }

// preferred is the file that a prober asks: distances where there are any.
func (t *Tables) preferred(m Material) *file {
	pair := t.files[m]
	if pair[0] != nil {
		return pair[0]
	}
	return pair[1]
}

// identity is a checksum over those of the header and of the blocks.
func (t *file) identity() uint32 {
	const head = len(magic) + 8
	length := int(binary.LittleEndian.Uint32(t.data[len(magic)+4:]))
	sum := crc32.Checksum(t.data[head+length:head+length+4], castagnoli)
	return crc32.Update(sum, castagnoli, t.data[len(t.data)-4:])
}

// Load unpacks the files that probers of a board game ask into memory, where all
// probers share them. It gives the bytes that this takes.
func (t *Tables) Load(ctx context.Context, threads int) (bytes int64, err error) {
	for _, m := range t.materials(t.mostPieces()) {
		f := t.preferred(m)
		if f == nil || f.resident != nil {
			continue
		}
		all := make([]byte, f.blockBytes(f.Places))
		var mu sync.Mutex
		parallel(ctx, threads, f.blocks(), 8, func(_, from, to int) {
			for i := from; i < to; i++ {
				begin := f.blockBytes(f.BlockPlaces) * i
				block, failure := f.block(nil, i)
				if failure != nil {
					mu.Lock()
					err = failure
					mu.Unlock()
					return
				}
				copy(all[begin:], block)
			}
		})
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return bytes, err
		}
		f.resident = all
		bytes += int64(len(all))
	}
	t.Warm()
	return bytes, nil
}

// LastSteps are the steps that White and Black made last, where the rule of no
// return is in force; a step that goes nowhere stands for none.
type LastSteps [2]struct{ From, To movegen.Point }

// Look gives the value of pieces with a side to move, as Probe does. liable are
// the pieces of the other side that may be huffed.
func (p *Prober) Look(pieces [2]movegen.Set, turn movegen.Side, last LastSteps, liable movegen.Set) (Value, error) {
	if p.last == nil {
		return p.probe(pieces, turn)
	}
	s := state{pieces: pieces, turn: turn & 1, liable: liable}
	for side := range movegen.None {
		s.back[side] = p.last.returning(side, last[side].From, last[side].To)
		p.forget(&s, side)
	}
	return p.valueOf(p, s)
}
