package tablebase

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
	"testing"

	"qirkat/movegen/games"
)

// TestEmbedded compares the tables of the program with a new build, those of few
// pieces or all, and looks at their size.
func TestEmbedded(t *testing.T) {
	const most = 4 << 20 // bytes
	alquerque, huffing, quirkat, seeds := 4, 4, 4, 6
	if *long {
		alquerque, huffing, quirkat, seeds = 8, 5, 6, 8
	}
	dir := t.TempDir()
	build(t, variant(t, "alquerque", nil), dir, alquerque)
	build(t, variant(t, "alquerque-bell", nil), dir, huffing)
	build(t, variant(t, "alquerque-pritchard", nil), dir, huffing)
	build(t, variant(t, "quirkat", nil), dir, quirkat)
	build(t, variant(t, "fanorona-telo", nil), dir, 8)
	for _, name := range []string{"fanorona-5x3", "fanorona-3x5", "fanorona-7x3", "fanorona-3x7", "fanorona-3x9", "fanorona-5x7"} {
		build(t, variant(t, name, nil), dir, 4)
	}
	build(t, variant(t, "al-manqala", nil), dir, seeds)
	fresh := contents(t, dir)
	size, compared := 0, 0
	err := fs.WalkDir(embedded, embeddedFolder, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := embedded.ReadFile(name)
		size += len(data)
		if want, ok := fresh[strings.TrimPrefix(name, embeddedFolder+"/")]; ok {
			compared++
			if string(data) != want {
				t.Errorf("%s is not what a build makes: build it again", path.Base(name))
			}
		}
		return err
	})
	if err != nil || size > most || compared < 56 {
		t.Errorf("%d bytes, want %d at most; %d files compared; %v", size, most, compared, err)
	}
}

// TestEmbeddedUse looks positions up without a folder.
func TestEmbeddedUse(t *testing.T) {
	for _, c := range []struct{ variant, position, want string }{
		{"alquerque", "1b3/bw3/b4/4w/1w3 w - 0 1", "win in 63"},
		{"alquerque-modern", "5/5/5/2b2/1w1w1 w - 0 1", "win in 31"},
		{"alquerque", "5/bbbb1/5/5/1wwww w - 0 1", "draw"},
		{"fanorona-telo", "bbb/b1w/www w - 0 1", "win in 11"},
		{"al-manqala", "1,0,0,0,0,0,1/0,1,0,0,0,0,0 w 48,47 0 1", "loss in 22 by -2"},
	} {
		v := variant(t, c.variant, nil)
		tables, refused, err := Open("", v)
		if err != nil || refused != nil || tables.Empty() {
			t.Fatal(c.variant, err, refused)
		}
		g := games.New(v)
		if err := g.Set(c.position); err != nil {
			t.Fatal(err)
		}
		a, err := tables.NewProber().Probe(g)
		got := a.String()
		if a.Difference != 0 {
			got += " by " + strconv.Itoa(a.Difference)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: Probe(%s) = %s, %v, want %s", c.variant, c.position, got, err, c.want)
		}
	}
}
