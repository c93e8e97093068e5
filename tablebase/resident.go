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

// Complete is the number of pieces up to which no table of a board game is
// missing, 0 if the smallest is.
func (t *Tables) Complete() int {
	complete := 0
	for _, m := range t.materials(t.mostPieces()) {
		if t.preferred(m) == nil {
			return complete
		}
		if last := t.materials(m.pieces()); last[len(last)-1] == m {
			complete = m.pieces()
		}
	}
	return complete
}

// Files are the files of a board game that a prober asks for positions of up to
// so many pieces, sorted.
func (t *Tables) Files(pieces int) []FileID {
	var list []FileID
	for _, m := range t.materials(min(pieces, t.mostPieces())) {
		if f := t.preferred(m); f != nil {
			list = append(list, FileID{f.Rules, f.Material, f.Kind, f.identity()})
		}
	}
	slices.SortFunc(list, func(a, b FileID) int {
		return strings.Compare(a.Rules+a.Material, b.Rules+b.Material)
	})
	return list
}

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

// Load unpacks the files that probers of a board game ask for positions of up to
// so many pieces into memory, where all probers share them. It gives the bytes
// that this takes.
func (t *Tables) Load(ctx context.Context, threads, pieces int) (bytes int64, err error) {
	for _, m := range t.materials(min(pieces, t.mostPieces())) {
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
