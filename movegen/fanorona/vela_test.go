package fanorona

import (
	"testing"

	"qirkat/movegen"
)

// The piece count says which phase it is: the vela lasts while Black has more
// than five pieces.
func TestInVela(t *testing.T) {
	for _, c := range []struct {
		variant, position string
		want              bool
	}{
		{"fanorona-vela", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1", true},
		{"fanorona-vela", "bbbbbb3/9/9/9/w8 b - 0 1", true},
		{"fanorona-vela", "bbbbb4/9/9/9/w8 b - 0 1", false},
		{"fanorona-vela", "bbbbb4/9/9/9/wwwwww3 w - 0 1", false},
		{"fanorona", "bbbbbb3/9/9/9/w8 b - 0 1", false},
	} {
		v, err := movegen.FindVariant(c.variant)
		if err != nil {
			t.Fatal(err)
		}
		p := New(v)
		if err := p.Set(c.position); err != nil {
			t.Fatal(err)
		}
		if got := p.InVela(); got != c.want {
			t.Errorf("%s, %q: InVela() = %v, want %v", c.variant, c.position, got, c.want)
		}
	}
}
