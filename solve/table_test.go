package solve

import (
	"bufio"
	"bytes"
	"testing"
)

// TestTableGrows fills a table until it is as large as it may be, and looks for
// what was there before each step. Each bucket becomes four, so none is too full.
func TestTableGrows(t *testing.T) {
	table, err := newTable(firstBuckets * 16 * int64(bucketBytes))
	if err != nil {
		t.Fatal(err)
	}
	defer table.free()
	keyOf := func(i int) key { return key{uint64(i) * 0x9e3779b97f4a7c15 & pieceMask, uint64(i) + 1} }
	n, sizes := 0, 1
	for len(table.buckets) < len(table.all) {
		for ; !table.crowded(); n++ {
			table.put(keyOf(n), numbers{proof: uint32(n + 1), disproof: 2, work: 3, plies: 4})
		}
		was, lost := table.filled.Load(), 0
		for i := range n {
			if _, ok := table.find(keyOf(i)); !ok {
				lost++
			}
		}
		table.grow()
		sizes++
		if table.filled.Load() != was {
			t.Errorf("%d entries after growing, want %d", table.filled.Load(), was)
		}
		for i := range n {
			if found, ok := table.find(keyOf(i)); !ok {
				lost--
			} else if found != (numbers{uint32(i + 1), 2, 3, 4}) {
				t.Fatalf("find(%d) = %v", i, found)
			}
		}
		if lost != 0 {
			t.Errorf("%d entries lost by growing", -lost)
		}
	}
	if sizes < 3 {
		t.Errorf("it grew %d times only", sizes-1)
	}
}

// TestTableComesBack: what a table holds is all there when another of its size has
// read it in the order in which a state has it.
func TestTableComesBack(t *testing.T) {
	const bytesOfBoth = firstBuckets * 16 * int64(bucketBytes)
	saved, err := newTable(bytesOfBoth)
	if err != nil {
		t.Fatal(err)
	}
	defer saved.free()
	saved.buckets = saved.all
	for i := range 8 * firstBuckets {
		saved.put(key{uint64(i) * 0x9e3779b97f4a7c15 & pieceMask, uint64(i) + 1}, numbers{proof: uint32(i + 1), disproof: 2, work: 3, plies: 4})
	}
	var body []byte
	entries := 0
	saved.each(func(k key, n numbers) {
		entries++
		body = appendEntry(body, k, n)
	})
	read, err := newTable(bytesOfBoth)
	if err != nil {
		t.Fatal(err)
	}
	defer read.free()
	state := &savedTable{body: bufio.NewReader(bytes.NewReader(body)), entries: entries}
	if err := state.into(&team{table: read}); err != nil {
		t.Fatal(err)
	}
	lost := 0
	saved.each(func(k key, n numbers) {
		if has, ok := read.find(k); !ok || has != n {
			lost++
		}
	})
	if lost > 0 || entries < 6*firstBuckets {
		t.Errorf("%d of %d entries are not there", lost, entries)
	}
}

// TestProofStays: a proof does not give way to other numbers of its position.
func TestProofStays(t *testing.T) {
	table, err := newTable(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	defer table.free()
	k, proven := key{1, 2}, numbers{disproof: infinite, work: 5, plies: 7}
	for _, n := range []numbers{{proof: 3, disproof: 4}, proven, {proof: 3, disproof: 4}, disprovenNumbers} {
		table.put(k, n)
	}
	if n, ok := table.find(k); !ok || n != proven {
		t.Errorf("find = %v, %t, want %v", n, ok, proven)
	}
	table.forget(k)
	if _, ok := table.find(k); ok {
		t.Error("it was not forgotten")
	}
}
