package tablebase

import "testing"

// TestBetter orders values from the worst to the best: a distance that is not
// known may be the longest.
func TestBetter(t *testing.T) {
	order := []Value{{Loss, 2}, {Loss, 40}, {Loss, -1}, {Draw, 0}, {Win, -1}, {Win, 41}, {Win, 1}}
	for i, v := range order {
		for j, w := range order {
			if got := v.better(w); got != (i > j) {
				t.Errorf("%v better than %v: %t, want %t", v, w, got, i > j)
			}
		}
	}
}
