package tt

import (
	"math/rand/v2"
	"sync"
	"testing"
)

func newTable(t *testing.T) *Table {
	t.Helper()
	table, err := New(1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(table.Free)
	return table
}

func TestStoreAndProbe(t *testing.T) {
	table := newTable(t)
	for _, e := range []Entry{
		{Place: 0, Score: 0, Depth: 0, Bound: Exact},
		{Place: 65534, Score: -32768, Depth: 255, Bound: Lower},
		{Place: NoPlace, Score: 32767, Depth: 1, Bound: Upper},
		{Place: 7, Score: -1, Depth: 127, Bound: Exact},
	} {
		const key = 0x0123456789abcdef
		table.NextAge()
		table.Clear()
		if _, ok := table.Probe(key); ok {
			t.Fatal("an empty table knows a position")
		}
		table.Store(key, e)
		if got, ok := table.Probe(key); !ok || got != e {
			t.Errorf("Probe = %+v, %t, want %+v", got, ok, e)
		}
		if _, ok := table.Probe(key ^ 1); ok {
			t.Error("another key of the same bucket is known")
		}
	}
}

// TestKeepsTheMove: a search that found no best move does not forget the old one.
func TestKeepsTheMove(t *testing.T) {
	table := newTable(t)
	table.Store(1, Entry{Place: 5, Depth: 3, Bound: Exact})
	table.Store(1, Entry{Place: NoPlace, Depth: 4, Bound: Upper})
	if e, _ := table.Probe(1); e.Place != 5 || e.Depth != 4 {
		t.Errorf("Probe = %+v, want place 5 at depth 4", e)
	}
}

// TestReplacement: of a full bucket the shallow entry goes, and an old one
// before a young one.
func TestReplacement(t *testing.T) {
	table := newTable(t)
	for key := range uint64(4) { // small keys share the first bucket
		table.Store(key+1, Entry{Depth: 10 + int(key), Bound: Exact})
	}
	table.Store(5, Entry{Depth: 1, Bound: Exact})
	if _, ok := table.Probe(1); ok {
		t.Error("the shallowest entry was kept")
	}
	if _, ok := table.Probe(4); !ok {
		t.Error("the deepest entry is gone")
	}
	table.NextAge()
	table.NextAge()
	for key := range uint64(3) {
		table.Store(key+11, Entry{Depth: 2, Bound: Exact})
	}
	for key := range uint64(3) {
		if _, ok := table.Probe(key + 11); !ok {
			t.Errorf("entry %d of this search gave way to one of an older search", key)
		}
	}
}

func TestHashFull(t *testing.T) {
	table := newTable(t)
	if n := table.HashFull(); n != 0 {
		t.Errorf("an empty table is %d ‰ full", n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1 << 20 {
		table.Store(random.Uint64(), Entry{Bound: Exact})
	}
	if n := table.HashFull(); n < 990 {
		t.Errorf("a full table is %d ‰ full", n)
	}
	table.NextAge()
	if n := table.HashFull(); n != 0 {
		t.Errorf("a table of old entries is %d ‰ full", n)
	}
}

// TestSharedTable: what one goroutine stores is never read as something else
// by another, and the race detector has nothing to say.
func TestSharedTable(t *testing.T) {
	table := newTable(t)
	var workers sync.WaitGroup
	for w := range uint64(4) {
		workers.Go(func() {
			random := rand.New(rand.NewPCG(w, 3))
			for range 50_000 {
				key := random.Uint64N(64) << 40
				// The entry of a key says which key it belongs to.
				if e, ok := table.Probe(key); ok && e.Place != int(key>>40) {
					t.Errorf("key %#x has the entry of %#x", key, e.Place)
					return
				}
				table.Store(key, Entry{Place: int(key >> 40), Depth: random.IntN(100), Bound: Lower})
			}
		})
	}
	workers.Wait()
}

func TestTooLarge(t *testing.T) {
	if _, err := New(1 << 26); err == nil { // 64 TiB
		t.Error("64 TiB were had")
	}
}

func BenchmarkProbeStore(b *testing.B) {
	table, err := New(24)
	if err != nil {
		b.Fatal(err)
	}
	defer table.Free()
	random := rand.New(rand.NewPCG(5, 6))
	for b.Loop() {
		key := random.Uint64()
		table.Probe(key)
		table.Store(key, Entry{Depth: 3, Bound: Exact})
	}
}
