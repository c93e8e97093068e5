package eval

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
)

// randomPatterns are patterns of a variant with values at random.
func randomPatterns(v *movegen.Variant) (*Layout, []int16) {
	l, _ := PatternsOf(v)
	random := rand.New(rand.NewPCG(3, 4))
	values := make([]int16, l.Entries())
	for i := range values {
		values[i] = int16(random.IntN(101) - 50)
	}
	return l, values
}

// eachLayout calls f with each variant that has patterns.
func eachLayout(t *testing.T, f func(t *testing.T, v *movegen.Variant)) {
	for name := range phases {
		t.Run(name, func(t *testing.T) { f(t, variant(t, name, "")) })
	}
}

// TestPatternsLookUpRight compares the fast way with the entries one by one.
func TestPatternsLookUpRight(t *testing.T) {
	eachLayout(t, func(t *testing.T, v *movegen.Variant) {
		l, values := randomPatterns(v)
		p := newPatterns(l, values)
		points := v.Size.W * v.Size.H
		walk(t, v, 2000, func(g movegen.Game) {
			b := g.(interface {
				Pieces(s movegen.Side) movegen.Set
			})
			own, enemy := b.Pieces(g.Turn()), b.Pieces(g.Turn().Other())
			got := p.value(own, enemy, g.Turn())
			if g.Turn() == movegen.Black {
				own, enemy = own.Turned(points), enemy.Turned(points)
			}
			want := int32(0)
			for _, entry := range l.Of(nil, own, enemy) {
				want += int32(values[entry])
			}
			if got != want {
				t.Fatalf("value = %d, want %d in\n%s%s", got, want, g.Draw(), g)
			}
		})
	})
}

// TestPatternsAreSymmetric turns positions as the rules allow: the same entries
// are found.
func TestPatternsAreSymmetric(t *testing.T) {
	eachLayout(t, func(t *testing.T, v *movegen.Variant) {
		l, _ := PatternsOf(v)
		walk(t, v, 300, func(g movegen.Game) {
			b := g.(interface {
				Pieces(s movegen.Side) movegen.Set
			})
			own, enemy := b.Pieces(movegen.White), b.Pieces(movegen.Black)
			want := l.Of(nil, own, enemy)
			slices.Sort(want)
			for i, turn := range v.Symmetries() {
				got := l.Of(nil, turn.Image(own), turn.Image(enemy))
				if slices.Sort(got); !slices.Equal(got, want) {
					t.Fatalf("symmetry %d has other entries than\n%s%s", i, g.Draw(), g)
				}
			}
		})
	})
}

func TestPatternFiles(t *testing.T) {
	total := 0
	eachLayout(t, func(t *testing.T, v *movegen.Variant) {
		if patternsOf(v) == nil {
			t.Error("no file")
		}
	})
	list, err := patternFiles.ReadDir("patterns")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range list {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		total += int(info.Size())
		if _, ok := phases[strings.TrimSuffix(f.Name(), ".bin")]; !ok {
			t.Errorf("patterns/%s is of no variant with patterns", f.Name())
		}
	}
	if most := 1 << 20; total > most {
		t.Errorf("the files have %d bytes, want at most %d", total, most)
	}
}

func TestPatternsAreReadAsWritten(t *testing.T) {
	l, values := randomPatterns(variant(t, "fanorona", ""))
	var file bytes.Buffer
	if err := WritePatterns(&file, l, values); err != nil {
		t.Fatal(err)
	}
	got, err := readPatterns(l, file.Bytes())
	if err != nil || !slices.Equal(got, values) {
		t.Fatalf("other values than written, error %v", err)
	}
	if err := WritePatterns(&file, l, values[1:]); err == nil {
		t.Error("values of another number were written")
	}
	good := file.Bytes()
	changed := slices.Clone(good)
	changed[len(patternMagic)+4]++ // of the checksum
	other, _ := randomPatterns(variant(t, "quirkat", ""))
	for _, c := range []struct {
		name   string
		layout *Layout
		file   []byte
		want   string
	}{
		{"empty", l, nil, "patterns: not a file of patterns of this version"},
		{"another version", l, bytes.Replace(good, []byte("1\n"), []byte("2\n"), 1), "patterns: not a file of patterns of this version"},
		{"cut", l, good[:len(good)/2], "patterns: unexpected EOF"},
		{"changed", l, changed, "patterns: checksum does not match"},
		{"of another variant", other, good, "patterns: 317244 values, want "},
	} {
		if _, err := readPatterns(c.layout, c.file); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestPatternsBelongToTheirRules: a switch that closes directions makes other
// rules, which have no patterns.
func TestPatternsBelongToTheirRules(t *testing.T) {
	for _, c := range []struct {
		variant, option string
		want            bool
	}{
		{"fanorona", "", true}, {"fanorona-7x5", "", false}, {"quirkat", "", true}, {"alquerque-bell", "", true},
		{"alquerque-bell", "NoBackward=on", true}, {"alquerque-pritchard", "NoBackward=on", false}, {"alquerque-modern", "", false},
		{"quirkat", "NoBackward=on", false}, {"quirkat", "Huffing=off", true}, {"al-manqala", "", false},
	} {
		if got := Default(variant(t, c.variant, c.option)).patterns != nil; got != c.want {
			t.Errorf("%s %s: patterns %v, want %v", c.variant, c.option, got, c.want)
		}
	}
}
