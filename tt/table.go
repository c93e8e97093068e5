// Package tt owns the transposition table. It knows keys and numbers only: what
// they mean is the search's business.
package tt

import (
	"math/bits"
	"sync/atomic"
	"unsafe"

	"qirkat/tt/pages"
)

// Bound says how a stored score stands to the true one.
type Bound uint8

// The bounds. None marks an empty entry.
const (
	None  Bound = iota
	Upper       // the true score is at most this one
	Lower       // the true score is at least this one
	Exact
)

// NoPlace is a place that stands for no move.
const NoPlace = 1<<16 - 1

// Entry is what the table knows of a position.
type Entry struct {
	Place int // of the best move in the list of legal moves, or NoPlace
	Score int // -32768 to 32767
	Depth int // 0 to 255, what the score was searched to
	Bound Bound
}

// Table is shared by all workers without a lock: every entry is two atomic
// words, the first the key combined with the second, so that a torn entry
// looks like another position's (R. Hyatt and T. Mann, "A Lockless
// Transposition-Table Implementation for Parallel Search", 2002).
type Table struct {
	memory  []byte // of the operating system, not of the collector
	buckets []bucket
	age     uint64 // generation, below ages
	clean   bool   // nothing was stored since it was emptied
}

// bucket is one cache line of entries that positions of one index share.
type bucket [4]entry

type entry struct {
	check atomic.Uint64 // key ^ data
	data  atomic.Uint64 // from the low bit: place 16, score 16, depth 8, bound 2, age 6
}

const ages = 1 << 6

// New is an empty table of so many MiB. The error says what could not be had.
func New(mebibytes int) (*Table, error) {
	size := mebibytes << 20
	memory, err := allocate(size)
	if err != nil {
		return nil, err
	}
	buckets := unsafe.Slice((*bucket)(unsafe.Pointer(unsafe.SliceData(memory))), size/int(unsafe.Sizeof(bucket{})))
	return &Table{memory: memory, buckets: buckets, clean: true}, nil
}

// Free gives the memory back; the table must not be used any more.
func (t *Table) Free() {
	pages.Unmap(t.memory)
	t.memory, t.buckets = nil, nil
}

// Clear empties the table.
func (t *Table) Clear() {
	if !t.clean {
		wipe(t.memory)
	}
	t.age, t.clean = 0, true
}

// NextAge marks the begin of a search: older entries are replaced first.
func (t *Table) NextAge() { t.age, t.clean = (t.age+1)%ages, false }

func (t *Table) bucket(key uint64) *bucket {
	high, _ := bits.Mul64(key, uint64(len(t.buckets)))
	return &t.buckets[high]
}

// Touch begins to load what the table knows of a position, so that a Probe
// soon after need not wait for memory.
func (t *Table) Touch(key uint64) { t.bucket(key)[0].check.Load() }

// Probe looks a position up.
func (t *Table) Probe(key uint64) (e Entry, ok bool) {
	b := t.bucket(key)
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == key && data != 0 {
			return unpack(data), true
		}
	}
	return e, false
}

// Store keeps an entry. It takes the place of the same position's, else of the
// least worth in the bucket: old and shallow ones go first.
func (t *Table) Store(key uint64, e Entry) {
	b := t.bucket(key)
	var slot *entry
	least := 1 << 30
	for i := range b {
		data := b[i].data.Load()
		if b[i].check.Load()^data == key && data != 0 {
			slot = &b[i]
			if e.Place == NoPlace {
				e.Place = int(data & NoPlace)
			}
			if old := unpack(data); e.Bound != Exact && old.Depth > e.Depth+4 && data>>42 == t.age {
				return
			}
			break
		}
		age := (t.age - data>>42) % ages
		if worth := int(data>>32&0xff) - 8*int(age); data == 0 || worth < least {
			least, slot = worth, &b[i]
			if data == 0 {
				least = -1 << 30
			}
		}
	}
	data := pack(e) | t.age<<42
	slot.data.Store(data)
	slot.check.Store(key ^ data)
}

func pack(e Entry) uint64 {
	return uint64(e.Place)&NoPlace | uint64(uint16(int16(e.Score)))<<16 | uint64(e.Depth)&0xff<<32 | uint64(e.Bound)<<40
}

func unpack(data uint64) Entry {
	return Entry{
		Place: int(data & NoPlace), Score: int(int16(data >> 16)),
		Depth: int(data >> 32 & 0xff), Bound: Bound(data >> 40 & 3),
	}
}

// HashFull is the share of entries that this search has written, in permille,
// from a sample.
func (t *Table) HashFull() int {
	full, seen := 0, 0
	for i := range min(len(t.buckets), 250) {
		for j := range t.buckets[i] {
			data := t.buckets[i][j].data.Load()
			seen++
			if data != 0 && data>>42 == t.age {
				full++
			}
		}
	}
	return full * 1000 / seen
}
