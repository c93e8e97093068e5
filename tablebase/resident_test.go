package tablebase

import (
	"slices"
	"testing"

	"qirkat/movegen/games"
)

// TestLoad: tables in memory say what those on disk say, and know how far they go.
func TestLoad(t *testing.T) {
	v, dir := variant(t, "fanorona-5x3", nil), t.TempDir()
	build(t, v, dir, 4)
	disk, _, err := Open(dir, v)
	if err != nil {
		t.Fatal(err)
	}
	memory, _, err := Open(dir, v)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := memory.Load(t.Context(), 2); n == 0 || err != nil {
		t.Fatalf("Load = %d, %v", n, err)
	}
	for _, c := range []struct {
		white, black  int
		all, captures bool
	}{{2, 2, true, true}, {1, 3, true, true}, {3, 2, false, true}, {3, 3, false, false}, {2, 4, false, false}} {
		if all, captures := memory.Covers(c.white, c.black); all != c.all || captures != c.captures {
			t.Errorf("Covers(%d, %d) = %t, %t, want %t, %t", c.white, c.black, all, captures, c.all, c.captures)
		}
	}
	if got := len(memory.Files(3)); got != 2 {
		t.Errorf("Files(3) lists %d files, want those of 1-1 and 2-1", got)
	}
	if !slices.Equal(disk.Files(4), memory.Files(4)) {
		t.Errorf("Files = %v and %v", disk.Files(4), memory.Files(4))
	}
	a, b := disk.NewProber(), memory.NewProber()
	for _, position := range allPositions(disk.rules, 4) {
		g := games.New(v)
		if err := g.Set(position); err != nil {
			t.Fatal(err)
		}
		want, err1 := a.Probe(g)
		got, err2 := b.Probe(g)
		if err1 != nil || err2 != nil || got != want {
			t.Fatalf("%s: %v, %v on disk and %v, %v in memory", position, want, err1, got, err2)
		}
	}
}
