package plot

import (
	"image"
	_ "image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qirkat/match"
	"qirkat/match/stats"
)

// tournament is made up: A wins two games of three.
func tournament(engines []string, games int, test *stats.SPRT) (*match.Config, []match.Record) {
	c := match.DefaultConfig()
	c.SPRT = test
	for _, n := range engines {
		c.Engines = append(c.Engines, match.Engine{Name: n})
	}
	var records []match.Record
	for i := range games {
		r := match.Record{
			Pair: i/2 + 1, Variant: "alquerque", Players: [2]string{engines[i%2], engines[1-i%2]},
			Plies: make([]match.Ply, 20+i%30), Result: match.Drawn, Reason: "quiet",
		}
		if i%3 != 0 {
			r.Result = []match.Result{match.P1Win, match.P2Win}[i%2]
		}
		records = append(records, r)
	}
	return c, records
}

func TestDraw(t *testing.T) {
	test := &stats.SPRT{Elo0: 0, Elo1: 10, Alpha: 0.05, Beta: 0.05, Model: stats.Normalized}
	for _, c := range []struct {
		name    string
		engines []string
		games   int
		test    *stats.SPRT
		want    string
	}{
		{"two engines", []string{"A", "B"}, 3000, test, "elo llr lengths colours"},
		{"no test", []string{"A", "B"}, 100, nil, "elo lengths colours"},
		{"one game", []string{"A", "B"}, 1, test, "elo llr lengths colours"},
		{"three engines", []string{"A", "B", "C"}, 50, nil, "lengths colours"},
		{"no game", []string{"A", "B"}, 0, test, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "pictures", "new")
			config, records := tournament(c.engines, c.games, c.test)
			paths, err := Draw(folder, config, records)
			if err != nil {
				t.Fatal(err)
			}
			var want []string
			for _, name := range strings.Fields(c.want) {
				want = append(want, filepath.Join(folder, name+".png"), filepath.Join(folder, name+".svg"))
			}
			if strings.Join(paths, " ") != strings.Join(want, " ") {
				t.Fatalf("%v, want %v", paths, want)
			}
			for _, path := range paths {
				check(t, path)
			}
		})
	}
}

// check looks for something drawn: more than one colour, or a path.
func check(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, ".svg") {
		if !strings.Contains(string(text), "<path") || strings.Contains(string(text), "NaN") {
			t.Errorf("%s: no path in it, or one that leads nowhere", path)
		}
		return
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for x := range picture.Bounds().Dx() {
		for y := range picture.Bounds().Dy() {
			seen[picture.At(x, y)] = true
		}
	}
	if len(seen) < 5 {
		t.Errorf("%s: %d colours", path, len(seen))
	}
}
