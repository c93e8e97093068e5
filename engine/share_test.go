package engine

import "testing"

// TestLead: the deepest iteration leads, the first of its depth.
func TestLead(t *testing.T) {
	var l lead
	l.Store(&reached{})
	first := &reached{depth: 5, score: 1}
	for _, r := range []*reached{{depth: 3}, first, {depth: 5, score: 2}, {depth: 4}} {
		l.offer(r)
	}
	if l.Load() != first {
		t.Errorf("%+v leads, want %+v", *l.Load(), *first)
	}
	w := newWorker()
	w.lead = &l
	for iteration, want := range map[int]bool{4: true, 5: true, 6: false} {
		if w.iteration = iteration; w.overtaken() != want {
			t.Errorf("iteration %d: overtaken is %t", iteration, !want)
		}
	}
}
