package manqala

import (
	"testing"

	"qirkat/movegen"
)

// Sown tells what a walk round the track tells.
func TestSown(t *testing.T) {
	v, err := movegen.FindVariant("al-manqala")
	if err != nil {
		t.Fatal(err)
	}
	s, _ := movegen.FindSwitch("SkipOrigin")
	for _, skip := range s.Values {
		p := New(v.With(s, skip))
		for house := range rowHouses {
			for seeds := 1; seeds <= allSeeds; seeds++ {
				var got [houses]int
				at := house
				for hand := seeds; hand > 0; {
					at = (at + 1) % houses
					if at != house || skip == "off" {
						got[at]++
						hand--
					}
				}
				if last, added := p.Sown(house, seeds); last != at || added != got[at] {
					t.Errorf("SkipOrigin=%s: Sown(%d, %d) = %d, %d, want %d, %d", skip, house, seeds, last, added, at, got[at])
				}
			}
		}
	}
}

// Each side counts its houses from its own left.
func TestHouses(t *testing.T) {
	v, err := movegen.FindVariant("al-manqala")
	if err != nil {
		t.Fatal(err)
	}
	p := New(v)
	if err := p.Set("1,2,3,4,5,6,7/8,9,10,11,12,13,0 w 3,4 0 1"); err != nil {
		t.Fatal(err)
	}
	for house, want := range []int{8, 9, 10, 11, 12, 13, 0} {
		if got := p.Seeds(movegen.White, house); got != want {
			t.Errorf("White's house %d has %d seeds, want %d", house, got, want)
		}
	}
	for house, want := range []int{7, 6, 5, 4, 3, 2, 1} {
		if got := p.Seeds(movegen.Black, house); got != want {
			t.Errorf("Black's house %d has %d seeds, want %d", house, got, want)
		}
	}
	if p.Store(movegen.White) != 3 || p.Store(movegen.Black) != 4 {
		t.Errorf("stores %d, %d, want 3, 4", p.Store(movegen.White), p.Store(movegen.Black))
	}
	const northRow = 1<<48 | 2<<40 | 3<<32 | 4<<24 | 5<<16 | 6<<8 | 7
	if got := p.Row(movegen.Black); got != northRow {
		t.Errorf("Row(Black) = %#x, want %#x", got, northRow)
	}
}
