package tablebase

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

// contents are the files below a folder.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: there is a file %s", what, name)
		}
	}
	for name, data := range want {
		if got[name] != data {
			t.Errorf("%s: %s is another file", what, name)
		}
	}
}

// TestBuildAgain builds the same tables with other numbers of threads, after a
// stop in the middle, and with files missing: the files are always the same.
func TestBuildAgain(t *testing.T) {
	for _, c := range []struct {
		variant string
		options map[string]string
		count   int
	}{
		{"alquerque", nil, 5},
		{"alquerque-pritchard", nil, 4},
		{"quirkat", switches("off", "on"), 4},
		{"fanorona-5x3", nil, 5},
		{"al-manqala", nil, 6},
	} {
		v := variant(t, c.variant, c.options)
		config := Config{Variant: v, Count: c.count, Dir: t.TempDir(), Threads: 1, Memory: 1 << 30}
		if err := Build(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		want := contents(t, config.Dir)

		config.Dir, config.Threads = t.TempDir(), 5
		if err := Build(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		same(t, c.variant+" with 5 threads", contents(t, config.Dir), want)

		config.Dir = t.TempDir()
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(context.Background())
		tables := 0
		config.OnTable = func(Report) { tables++ }
		config.OnPlaces = func(int) {
			if tables > 2 {
				cancel(stop)
			}
		}
		if err := Build(ctx, config); !errors.Is(err, stop) {
			t.Errorf("%s: Build that was stopped = %v", c.variant, err)
		}
		if got := contents(t, config.Dir); len(got) == 0 || len(got) >= len(want) {
			t.Errorf("%s: stopped, there are %d files of %d", c.variant, len(got), len(want))
		}
		config.OnTable, config.OnPlaces = nil, nil
		leftOver := filepath.Join(config.Dir, "left")
		for name := range contents(t, config.Dir) {
			leftOver = filepath.Join(config.Dir, filepath.Dir(name), temporary+"3-2.wdl.123")
		}
		if err := os.WriteFile(leftOver, []byte("of a build that was killed"), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := Build(context.Background(), config); err != nil {
				t.Fatal(err)
			}
			same(t, c.variant+" gone on with", contents(t, config.Dir), want)
			for name := range want {
				if strings.HasSuffix(name, ".wdl") || strings.HasPrefix(filepath.Base(name), "3") {
					if err := os.Remove(filepath.Join(config.Dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
}

// TestBuildAlone begins a build while another one writes into the folder: it must
// be told, and leave the files of the other alone.
func TestBuildAlone(t *testing.T) {
	for _, c := range []struct{ variant, folder string }{{"alquerque", "alquerque-5x5"}, {"al-manqala", "al-manqala"}} {
		config := Config{Variant: variant(t, c.variant, nil), Count: 3, Dir: t.TempDir(), Threads: 1, Memory: 1 << 30}
		second := config
		being := filepath.Join(config.Dir, c.folder, temporary+"1-1.wdl.123")
		config.OnPlan = func(int) {
			if err := os.WriteFile(being, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			err := Build(context.Background(), second)
			if !errors.Is(err, errLocked) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: the second Build = %v, want %v", c.variant, err, errLocked)
			}
			if _, err := os.Stat(being); err != nil {
				t.Errorf("%s: a file that is being written is gone: %v", c.variant, err)
			}
		}
		if err := Build(context.Background(), config); err != nil {
			t.Fatal(err)
		}
		if err := Build(context.Background(), second); err != nil {
			t.Errorf("%s: after the first, Build = %v", c.variant, err)
		}
		for name := range contents(t, config.Dir) {
			if strings.HasPrefix(filepath.Base(name), ".") {
				t.Errorf("%s: %s is left over", c.variant, name)
			}
		}
	}
}

// TestRefused asks for what cannot be: it must be said, and nothing written.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		variant string
		options map[string]string
		count   int
		memory  int64
		want    string
	}{
		{"quirkat", nil, 9, 1 << 30, "9 pieces: want 2 to 8 for quirkat"},
		{"alquerque-bell", nil, 8, 1 << 30, "1.00 GiB of memory: the table "},
		{"fanorona-telo", nil, 9, 1 << 30, "9 pieces: want 2 to 8 for fanorona-telo"},
		{"alquerque", nil, 1, 1 << 30, "1 pieces: want 2 to 16 for alquerque"},
		{"fanorona", nil, 7, 1 << 30, "1.00 GiB of memory: the table "},
		{"al-manqala", nil, 25, 1 << 30, "25 seeds: want 1 to 24"},
		{"al-manqala", nil, 18, 1 << 30, "1.00 GiB of memory: the table of 18 seeds needs "},
	} {
		dir := t.TempDir()
		err := Build(context.Background(), Config{Variant: variant(t, c.variant, c.options), Count: c.count, Dir: dir, Threads: 1, Memory: c.memory})
		var refusal *RefusalError
		if !errors.As(err, &refusal) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("Build(%s, %d) = %v, want %s", c.variant, c.count, err, c.want)
		}
		if got := contents(t, dir); len(got) > 0 {
			t.Errorf("Build(%s, %d): there are %d files", c.variant, c.count, len(got))
		}
	}
}

// TestDamagedFiles cuts a file at every length and changes every byte of it: no
// reader may take it for a table, or crash.
func TestDamagedFiles(t *testing.T) {
	v := variant(t, "fanorona-telo", nil)
	dir := t.TempDir()
	build(t, v, dir, 3)
	name := filepath.Join(dir, "fanorona-3x3", "2-1.distance")
	whole, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	rejected := func(data []byte) bool {
		if err := os.WriteFile(name, data, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := openFile(name)
		if err != nil {
			var bad *FileError
			if !errors.As(err, &bad) || strings.Contains(err.Error(), "\n") {
				t.Errorf("openFile: %v", err)
			}
			return true
		}
		defer func() { _ = f.close() }()
		for i := range f.blocks() {
			if _, err := f.block(nil, i); err != nil {
				return true
			}
		}
		return false
	}
	if rejected(whole) {
		t.Fatal("the file is rejected as it is")
	}
	for n := range whole {
		if !rejected(whole[:n]) {
			t.Errorf("cut to %d bytes of %d, the file is taken", n, len(whole))
		}
		changed := bytes.Clone(whole)
		changed[n] ^= 0x10
		if !rejected(changed) {
			t.Errorf("with byte %d changed, the file is taken", n)
		}
	}
	if !rejected(append(bytes.Clone(whole), 0)) {
		t.Error("with a byte more, the file is taken")
	}
}

// shorten takes the last place from a file of distances.
func shorten(t *testing.T, path string) {
	t.Helper()
	f, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data, err := f.block(nil, 0)
	h := f.Header
	if err := errors.Join(err, f.close()); err != nil {
		t.Fatal(err)
	}
	h.Places--
	if err := writeFile(path, &h, 1, func(dst []byte, _ int) []byte { return append(dst, data[:h.Places]...) }); err != nil {
		t.Fatal(err)
	}
}

// TestForeignFiles puts a file where another belongs: the other tables are used
// without it.
func TestForeignFiles(t *testing.T) {
	telo, single := variant(t, "fanorona-telo", nil), variant(t, "fanorona-telo", map[string]string{"FirstMove": "single"})
	dir := t.TempDir()
	build(t, telo, dir, 4)
	build(t, single, dir, 3)
	move := func(from, to string) {
		data, err := os.ReadFile(filepath.Join(dir, from))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, to), data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	move("fanorona-3x3-single/2-1.distance", "fanorona-3x3/2-1.distance")
	move("fanorona-3x3/2-2.wdl", "fanorona-3x3/3-1.wdl")
	shorten(t, filepath.Join(dir, "fanorona-3x3", "1-1.distance"))
	tables, refused, err := Open(dir, telo)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tables.Close() }()
	var got []string
	for _, r := range refused {
		got = append(got, strings.TrimPrefix(r.Error(), "table "+filepath.Join(dir, "fanorona-3x3")+string(filepath.Separator)))
	}
	want := []string{
		"1-1.distance: 23 places, want 24: build it again",
		"2-1.distance: it has the rules fanorona-3x3-single, want fanorona-3x3",
		"3-1.wdl: it has the material 2-2 and the kind wdl, want 3-1 and wdl",
	}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("Open refuses %q, want %q", got, want)
	}
	g, p := games.New(telo), tables.NewProber()
	for _, c := range []struct{ position, want string }{
		{"2b/3/w1w w - 0 1", "win"}, // from 2-1.wdl, without plies
		{"2b/1w1/wb1 w - 0 1", "win in "},
	} {
		if err := g.Set(c.position); err != nil {
			t.Fatal(err)
		}
		answer, err := p.Probe(g)
		got := answer.Value.String()
		if err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("Probe(%s) = %s, want %s", c.position, got, c.want)
		}
	}
}

// TestVerifyFinds changes one value of a table at a time: the verifier must see.
func TestVerifyFinds(t *testing.T) {
	v, r := variant(t, "alquerque", nil), rulesOf(t, "alquerque", nil)
	dir := t.TempDir()
	build(t, v, dir, 4)
	for _, m := range []Material{{Larger: 1, Smaller: 1}, {Larger: 2, Smaller: 1}, {Larger: 2, Smaller: 2}} {
		path := r.path(dir, m, Distances)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := openFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data, err := f.block(nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		h, table := f.Header, &table{index: newIndexes(r.geometry).index(m), Material: m}
		if err := f.close(); err != nil {
			t.Fatal(err)
		}
		place := len(data) / 2
		for r.generator().CanCapture(table.pieces(table.position(place%table.size())), m.mover(place/table.size())) {
			place++
		}
		right := data[place]
		for _, wrong := range []code{0, 2, 3, right + 2} {
			if data[place] = wrong; wrong == right {
				continue
			}
			if err := writeFile(path, &h, 1, func(dst []byte, _ int) []byte { return append(dst, data...) }); err != nil {
				t.Fatal(err)
			}
			_, err = Verify(context.Background(), VerifyConfig{Variant: v, Dir: dir, Count: m.pieces(), Threads: 2})
			var found *WrongError
			if !errors.As(err, &found) {
				t.Errorf("%s, code %d for %d: Verify = %v, want a *WrongError", m, wrong, right, err)
			}
		}
		if err := os.WriteFile(path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLine follows a longest win to its end.
func TestLine(t *testing.T) {
	v := variant(t, "alquerque", nil)
	dir := t.TempDir()
	longest := Report{}
	for _, r := range build(t, v, dir, 4) {
		if r.Longest > longest.Longest {
			longest = r
		}
	}
	tables, _, err := Open(dir, v)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tables.Close() }()
	g, p := games.New(v), tables.NewProber()
	if err := g.Set(longest.LongestAt); err != nil {
		t.Fatal(err)
	}
	winner := g.Turn()
	line, err := p.Line(g, 200)
	if err != nil || len(line) != longest.Longest {
		t.Fatalf("Line(%s) has %d plies, %v, want %d", longest.LongestAt, len(line), err, longest.Longest)
	}
	for _, m := range line {
		g.Make(m)
	}
	if o := g.Outcome(); o.Winner != winner || o.Reason != movegen.Captured && o.Reason != movegen.Blocked {
		t.Errorf("the line of %s ends with %v", longest.LongestAt, o)
	}
}

// FuzzFile has files read that are none, and files that were changed behind
// right checksums: an error at worst.
func FuzzFile(f *testing.F) {
	v, err := movegen.FindVariant("fanorona-telo")
	if err != nil {
		f.Fatal(err)
	}
	dir := f.TempDir()
	if err := Build(context.Background(), Config{Variant: v, Count: 3, Dir: dir, Threads: 1, Memory: 1 << 30}); err != nil {
		f.Fatal(err)
	}
	for _, data := range contents(f, dir) {
		f.Add([]byte(data), uint16(0), byte(0), false)
		f.Add([]byte(data), uint16(20), byte('x'), true)
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint16, value byte, mend bool) {
		data = bytes.Clone(data)
		if int(at) < len(data) {
			data[at] = value
		}
		if mend {
			mendChecks(data)
		}
		table := &file{path: "fuzz", data: data}
		if table.parse() != "" {
			return
		}
		for i := range min(table.blocks(), 4) {
			if block, err := table.block(nil, i); err == nil && len(block) != table.blockBytes(table.in(i)) {
				t.Errorf("block %d has %d bytes", i, len(block))
			}
		}
	})
}

// mendChecks makes the checksums of the header right, so that what is behind
// them is looked at.
func mendChecks(data []byte) {
	const head = len(magic) + 8
	if len(data) < head+4 {
		return
	}
	length := int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	if end := head + length; length <= len(data)-head-4 {
		binary.LittleEndian.PutUint32(data[end:], crc32.Checksum(data[:end], castagnoli))
	}
}
