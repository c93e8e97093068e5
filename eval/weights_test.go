package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"qirkat/movegen"
)

// fileOf is a good weights file of a variant.
func fileOf(v *movegen.Variant) string {
	var text strings.Builder
	for _, f := range Features(v) {
		text.WriteString(f.Name + " = 7\n")
	}
	return text.String()
}

func TestDefault(t *testing.T) {
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		w := Default(v) // panics on a bad file
		if w.values == (counts{}) {
			t.Errorf("%s: all weights are 0", v.Name)
		}
	}
	list, err := files.ReadDir("weights")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		name := strings.TrimSuffix(f.Name(), ".toml")
		if v, err := movegen.FindVariant(name); err != nil || v.Name != name {
			t.Errorf("weights/%s is of no variant", f.Name())
		}
	}
}

func TestSizesShareTheirWeights(t *testing.T) {
	shared := Default(variant(t, "fanorona", ""))
	if got := Default(variant(t, "fanorona-7x5", "")); got.values != shared.values {
		t.Errorf("fanorona-7x5 has the weights %v, want those of fanorona %v", got.values, shared.values)
	}
}

func TestName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.toml")
	v := variant(t, "fanorona-7x5", "")
	if err := os.WriteFile(path, []byte(fileOf(v)), 0o600); err != nil {
		t.Fatal(err)
	}
	w, err := Load(v, path)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.Name(); got != path {
		t.Errorf("Name() = %q, want %q", got, path)
	}
	if got, want := Default(v).Name(), "fanorona.toml (embedded)"; got != want {
		t.Errorf("Name() = %q, want %q", got, want)
	}
}

func TestLoad(t *testing.T) {
	v := variant(t, "alquerque", "")
	path := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(path, []byte("# mine\n"+fileOf(v)), 0o644); err != nil {
		t.Fatal(err)
	}
	w, err := Load(v, path)
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range New(position(t, v, "b4/5/2wb1/5/4w w -"), w).Terms() {
		if term.Weight != 7 {
			t.Errorf("weight of %s = %d, want 7", term.Name, term.Weight)
		}
	}
}

func TestLoadErrors(t *testing.T) {
	v := variant(t, "alquerque", "")
	good := fileOf(v)
	for _, c := range []struct {
		name, text string
		want       []string // parts of the message, besides the file's name
	}{
		{"one key missing", strings.Replace(good, "safe = 7\n", "", 1), []string{"features of alquerque: missing: safe"}},
		{"two keys missing", strings.NewReplacer("safe = 7\n", "", "huff = 7\n", "").Replace(good), []string{"safe, huff"}},
		{"empty", "", []string{"missing", "material, mobility", "huff"}},
		{"unknown keys", good + "safety = 3\nhuf = 1\n", []string{"unknown: huf, safety"}},
		{"unknown and missing", strings.Replace(good, "safe", "safety", 1), []string{"unknown: safety; missing: safe"}},
		{"weight too high", strings.Replace(good, "tempo = 7", "tempo = 5001", 1), []string{"outside -5000 to 5000: tempo = 5001"}},
		{"weights too low", strings.NewReplacer("tempo = 7", "tempo = -5001", "edge = 7", "edge = -9000000000000").Replace(good), []string{"edge = -9000000000000, tempo = -5001"}},
		{"beyond int64", strings.Replace(good, "tempo = 7", "tempo = 99999999999999999999", 1), []string{"line 9"}},
		{"syntax", "material = 100\nmobility 3\n", []string{"line 2, column"}},
		{"no value", "material = 100\nmobility = 3\nsafe =\n", []string{"line 3"}},
		{"fraction", strings.Replace(good, "safe = 7", "safe = 7.5", 1), []string{"line 3"}},
		{"text", strings.Replace(good, "safe = 7", "safe = \"7\"", 1), []string{"line 3"}},
		{"table", strings.Replace(good, "safe = 7", "safe = {a = 7}", 1), []string{"line 3"}},
		{"section", good + "[more]\nsafe = 3\n", []string{"line 14"}},
		{"twice", good + "safe = 8\n", []string{"safe"}},
		{"not text", "\xff\xfe\x00", []string{"line 1"}},
		{"too long", good + strings.Repeat("#", maxFile), []string{"longer than"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "mine.toml")
			if err := os.WriteFile(path, []byte(c.text), 0o644); err != nil {
				t.Fatal(err)
			}
			w, err := Load(v, path)
			if err == nil {
				t.Fatalf("Load took %q", c.text)
			}
			if w != nil {
				t.Error("weights beside an error")
			}
			for _, part := range append(c.want, path) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q, want %q in it", err, part)
				}
			}
		})
	}
}

func TestLoadRefusesOtherThanRegularFiles(t *testing.T) {
	v := variant(t, "alquerque", "")
	for _, path := range []string{t.TempDir(), os.DevNull, filepath.Join(t.TempDir(), "none.toml")} {
		if _, err := Load(v, path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("Load of %s: error %v, want one that names it", path, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	v, err := movegen.FindVariant("al-manqala")
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(fileOf(v)))
	f.Add([]byte("store = 100\nhouse-1 = -3 # seeds\n"))
	f.Add([]byte("[store]\na.b = 1\n"))
	f.Add([]byte("store = 0x7fffffffffffffff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		w, err := parse(v, "fuzz", text)
		if (w == nil) == (err == nil) {
			t.Fatalf("parse gives %v and %v", w, err)
		}
		if err != nil {
			if !strings.Contains(err.Error(), "fuzz") {
				t.Errorf("error %q does not name the file", err)
			}
			return
		}
		for _, n := range w.values {
			if n < -maxWeight || n > maxWeight {
				t.Errorf("weight %d from %q", n, text)
			}
		}
	})
}
