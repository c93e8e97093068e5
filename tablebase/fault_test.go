//go:build unix

package tablebase

import (
	"errors"
	"os"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

// TestCutInUse cuts a file at several lengths while it is mapped: a look-up gives
// an error, the search goes on without tables, and the process lives.
func TestCutInUse(t *testing.T) {
	v := variant(t, "al-manqala", nil)
	dir := t.TempDir()
	build(t, v, dir, 8)
	path := newSower(v).fileName(dir, 8)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(whole) < 3*os.Getpagesize() {
		t.Fatalf("the file has %d bytes, want some pages", len(whole))
	}
	g := games.New(v)
	if err := g.Set("1,1,1,0,0,0,1/1,1,1,0,0,0,1 w 45,45 0 1"); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{0, 1, os.Getpagesize(), len(whole) / 2, len(whole) - 100} {
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		tables, refused, err := Open(dir, v)
		if err != nil || len(refused) > 0 {
			t.Fatal(err, refused)
		}
		if err := os.Truncate(path, int64(n)); err != nil {
			t.Fatal(err)
		}
		f := tables.seeds[7]
		failed := 0
		for i := range f.blocks() {
			var bad *FileError
			if _, err := f.block(nil, i); errors.As(err, &bad) {
				failed++
			} else if err != nil {
				t.Errorf("cut to %d bytes, block %d: %v, want a *FileError", n, i, err)
			}
		}
		if failed == 0 {
			t.Errorf("cut to %d bytes of %d, all blocks are read", n, len(whole))
		}
		if moves := g.Moves(nil); n <= 1 {
			if got := tables.NewProber().Player(g, MaxSeeds).Root(append([]movegen.Move(nil), moves...)); len(got) != len(moves) {
				t.Errorf("cut to %d bytes, %d moves are left, want all %d", n, len(got), len(moves))
			}
		}
		if err := tables.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestOtherPanics: what is no fault of a file is not taken for one.
func TestOtherPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("block of a file without data does not panic")
		}
	}()
	_, _ = new(file).block(nil, 0)
}
