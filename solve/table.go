package solve

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"qirkat/tt/pages"
)

// infinite is the number of what is decided: of a proof that there is not, or a
// disproof. Sums stay below it.
const infinite = 1 << 31

// numbers are what the search knows of a position: how many positions at least
// must still be decided to prove the claim, and to disprove it.
type numbers struct {
	proof, disproof uint32
	// work counts the nodes that were spent on it.
	work uint32
	// plies bound, of a proven position, the way to the end or to a table that
	// does not know the distance. Each proof rests on others with fewer.
	plies uint16
}

func (n *numbers) proven() bool    { return n.proof == 0 }
func (n *numbers) disproven() bool { return n.disproof == 0 }
func (n *numbers) decided() bool   { return n.proof == 0 || n.disproof == 0 }

var (
	provenNumbers    = numbers{proof: 0, disproof: infinite}
	disprovenNumbers = numbers{proof: infinite, disproof: 0}
)

// table remembers numbers by exact keys, in a memory of fixed size, without
// locks: the key is stored combined with the data, so an entry torn by two
// writers has the key of no position that is asked for (R. M. Hyatt and T. Mann,
// "A lockless transposition-table implementation for parallel search", 2002). A
// wrong entry could mislead the search, but not the certificate, which is made
// by looking at every move again.
//
// A table begins small and is made larger when it is crowded, so that a short
// search touches little memory. It lies outside the heap, in large pages: nearly
// every look is a random access.
type table struct {
	memory  []byte
	all     []bucket     // the room for buckets
	buckets []bucket     // those in use, the first of all
	filled  atomic.Int64 // entries
}

const ways = 4

// bucket is a set of entries in two lines of the cache.
type bucket [ways]entry

type entry struct{ check1, check2, data1, data2 atomic.Uint64 }

const bucketBytes = int(unsafe.Sizeof(bucket{}))

const firstBuckets = 1 << 13 // of a new table; chosen

// newTable makes a table that grows to so many bytes. The error says that they
// cannot be had.
func newTable(bytes int64) (*table, error) {
	most := int(max(1, bytes/int64(bucketBytes)))
	memory, err := pages.Map(most * bucketBytes)
	if err != nil {
		return nil, fmt.Errorf("memory: %w", err)
	}
	all := unsafe.Slice((*bucket)(unsafe.Pointer(unsafe.SliceData(memory))), most)
	return &table{memory: memory, all: all, buckets: all[:min(most, firstBuckets)]}, nil
}

// free gives the memory back; the table must not be used any more.
func (t *table) free() {
	pages.Unmap(t.memory)
	*t = table{}
}

// crowded reports whether the table should be made larger, and can be.
func (t *table) crowded() bool {
	return len(t.buckets) < len(t.all) && t.filled.Load() > int64(len(t.buckets)*ways/2)
}

const growth = 4 // factor of the buckets of a table that is made larger; chosen

// reserve gives an empty table room for so many entries of another table, as far
// as there is any: as many buckets as that one can have had, so that none is too
// full. The entries come in the order of the buckets, so a table that grew only
// when it is crowded as a whole would throw most of them out of the first few.
func (t *table) reserve(entries int) {
	for len(t.buckets) < len(t.all) && growth*entries > len(t.buckets)*ways/2 {
		t.buckets = t.all[:min(len(t.all), growth*len(t.buckets))]
	}
}

// grow gives the table more room. Nobody else may use it meanwhile. The bucket of
// a key never has a lower number in a larger table, and the order of buckets
// stays; so from the last bucket down, entries only go to buckets that are done.
func (t *table) grow() {
	old := len(t.buckets)
	t.buckets = t.all[:min(len(t.all), growth*old)]
	t.filled.Store(0)
	for i := old - 1; i >= 0; i-- {
		var keys [ways]key
		var found [ways]numbers
		for j := range t.buckets[i] {
			e := &t.buckets[i][j]
			keys[j], found[j] = e.load()
			e.store(key{}, numbers{})
		}
		for j, k := range keys {
			if k != (key{}) {
				t.put(k, found[j])
			}
		}
	}
}

// each calls f with every entry.
func (t *table) each(f func(k key, n numbers)) {
	for i := range t.buckets {
		for j := range t.buckets[i] {
			if k, n := t.buckets[i][j].load(); k != (key{}) {
				f(k, n)
			}
		}
	}
}

func (t *table) bucket(k key) *bucket {
	h := (k.a ^ bits.RotateLeft64(k.b, 29)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ k.b) * 0xd6e8feb86659fd93
	h ^= h >> 29
	high, _ := bits.Mul64(h, uint64(len(t.buckets)))
	return &t.buckets[high]
}

func (e *entry) load() (key, numbers) {
	d1, d2 := e.data1.Load(), e.data2.Load()
	k := key{e.check1.Load() ^ d1 ^ bits.RotateLeft64(d2, 17), e.check2.Load() ^ d2 ^ bits.RotateLeft64(d1, 17)}
	return k, numbers{uint32(d1), uint32(d1 >> 32), uint32(d2), uint16(d2 >> 32)}
}

func (e *entry) store(k key, n numbers) {
	d1 := uint64(n.proof) | uint64(n.disproof)<<32
	d2 := uint64(n.work) | uint64(n.plies)<<32
	e.check1.Store(k.a ^ d1 ^ bits.RotateLeft64(d2, 17))
	e.check2.Store(k.b ^ d2 ^ bits.RotateLeft64(d1, 17))
	e.data1.Store(d1)
	e.data2.Store(d2)
}

// touch reads from the bucket of a position.
func (t *table) touch(k key) uint64 { return t.bucket(k)[0].data1.Load() }

// find gives what is known of a position.
func (t *table) find(k key) (numbers, bool) {
	b := t.bucket(k)
	for i := range b {
		if has, n := b[i].load(); has == k {
			return n, true
		}
	}
	return numbers{}, false
}

// put remembers numbers, in place of those on which the least work was spent. A
// proof stays: another searcher may have found it that came there by a path
// without repetition.
func (t *table) put(k key, n numbers) {
	b := t.bucket(k)
	place, least, isNew := 0, ^uint32(0), false
	for i := range b {
		has, old := b[i].load()
		if has == k {
			if old.proven() && !n.proven() {
				return
			}
			place, isNew = i, false
			break
		}
		if has == (key{}) {
			place, isNew = i, true
			break
		}
		if old.work < least {
			place, least = i, old.work
		}
	}
	if isNew {
		t.filled.Add(1)
	}
	b[place].store(k, n)
}

// forget drops a position.
func (t *table) forget(k key) {
	b := t.bucket(k)
	for i := range b {
		if has, _ := b[i].load(); has == k {
			b[i].store(key{}, numbers{})
			t.filled.Add(-1)
		}
	}
}
