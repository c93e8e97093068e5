package movegen

import (
	"strings"
	"testing"
)

// points reads names of points such as "a1 b2".
func points(t *testing.T, z Size, names string) Set {
	t.Helper()
	var s Set
	for name := range strings.FieldsSeq(names) {
		p, ok := z.ParsePoint(name)
		if !ok {
			t.Fatalf("no point %s on %s", name, z)
		}
		s |= Bit(p)
	}
	return s
}

// The board as it is drawn; \ and / are the diagonals, which meet in the
// strong points.
func TestDraw(t *testing.T) {
	const z5 = `
5  b---b---b---b---b
   | \ | / | \ | / |
4  b---b---b---b---b
   | / | \ | / | \ |
3  b---b---.---w---w
   | \ | / | \ | / |
2  w---w---w---w---w
   | / | \ | / | \ |
1  w---w---w---w---w
   a   b   c   d   e
`
	b := NewBoard(Size{5, 5})
	pieces, err := b.ParsePieces("bbbbb/bbbbb/bb1ww/wwwww/wwwww", [2]int{12, 12})
	if err != nil {
		t.Fatal(err)
	}
	if got := "\n" + b.Draw(pieces); got != z5 {
		t.Errorf("Draw = %s want %s", got, z5)
	}
	const z7x3 = `
3  .---.---.---.---.---.---.
   | \ | / | \ | / | \ | / |
2  .---.---.---.---.---.---.
   | / | \ | / | \ | / | \ |
1  .---.---.---.---.---.---.
   a   b   c   d   e   f   g
`
	if got := "\n" + NewBoard(Size{7, 3}).Draw([2]Set{}); got != z7x3 {
		t.Errorf("Draw = %s want %s", got, z7x3)
	}
}

// A point is strong if column + row is even; diagonals run through strong
// points only.
func TestLines(t *testing.T) {
	b := NewBoard(Size{5, 5})
	if want := points(t, b.Size, "a1 c1 e1 b2 d2 a3 c3 e3 b4 d4 a5 c5 e5"); b.Strong != want {
		t.Errorf("Strong = %s, want %s", b.Names(b.Strong), b.Names(want))
	}
	for from, want := range map[string]string{
		"a1": "b1 a2 b2",
		"b1": "a1 c1 b2",
		"c1": "b1 d1 b2 c2 d2",
		"a2": "a1 a3 b2",
		"b2": "a1 b1 c1 a2 c2 a3 b3 c3",
		"c2": "c1 b2 d2 c3",
		"c3": "b2 c2 d2 b3 d3 b4 c4 d4",
		"e3": "d2 e2 d3 d4 e4",
		"e5": "d4 e4 d5",
	} {
		p, _ := b.ParsePoint(from)
		if near := points(t, b.Size, want); b.Near[p] != near {
			t.Errorf("Near[%s] = %s, want %s", from, b.Names(b.Near[p]), b.Names(near))
		}
	}
}

// On every board: lines join neighbours both ways, one diagonal crosses each
// square, and a jump goes straight over two lines.
func TestLinesOfEveryBoard(t *testing.T) {
	for w := 3; w <= 9; w += 2 {
		for h := 3; h <= 9 && w*h <= 63; h += 2 {
			b := NewBoard(Size{w, h})
			ends := 0
			for from := range Point(w * h) {
				ends += b.Near[from].Len()
				for to := range Point(w * h) {
					if b.Near[from].Has(to) != b.Near[to].Has(from) {
						t.Errorf("%s: %s and %s are neighbours one way only", b.Size, b.Name(from), b.Name(to))
					}
					columns, rows := int(to)%w-int(from)%w, int(to)/w-int(from)/w
					far := max(columns, -columns, rows, -rows)
					straight := columns%2 == 0 && rows%2 == 0
					want := far == 2 && straight && b.Near[from].Has(Between(from, to)) && b.Near[Between(from, to)].Has(to)
					if got := b.Linked(from, to); got != want {
						t.Errorf("%s: Linked(%s, %s) = %v, want %v", b.Size, b.Name(from), b.Name(to), got, want)
					}
					if far > 1 && b.Near[from].Has(to) {
						t.Errorf("%s: %s and %s are neighbours", b.Size, b.Name(from), b.Name(to))
					}
				}
			}
			if want := (w-1)*h + w*(h-1) + (w-1)*(h-1); ends != 2*want {
				t.Errorf("%s: %d lines from point to point, want %d", b.Size, ends/2, want)
			}
			if len(b.Axes) != 4 {
				t.Errorf("%s: %d axes, want 4", b.Size, len(b.Axes))
			}
		}
	}
}

func TestFarRow(t *testing.T) {
	b := NewBoard(Size{9, 5})
	for side, want := range map[Side]string{
		White: "a5 b5 c5 d5 e5 f5 g5 h5 i5",
		Black: "a1 b1 c1 d1 e1 f1 g1 h1 i1",
	} {
		if got := b.FarRow(side); got != points(t, b.Size, want) {
			t.Errorf("FarRow(%s) = %s, want %s", side, b.Names(got), want)
		}
	}
}
