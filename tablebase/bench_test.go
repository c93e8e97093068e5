package tablebase

import (
	"context"
	"testing"
	"time"
)

// BenchmarkBuild says how many places that are stored a second are computed by
// one goroutine: those that are no captures, after symmetry.
func BenchmarkBuild(b *testing.B) {
	pieces := 7
	if *long {
		pieces = 8
	}
	v := variant(b, "alquerque", nil)
	r, err := newRules(v)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		ts := newTables(r, newIndexes(r.geometry))
		stored, places := 0, 0
		var took time.Duration
		for _, m := range r.materials(pieces) {
			begin := time.Now()
			if err := ts.fill(context.Background(), m, 1, nil); err != nil {
				b.Fatal(err)
			}
			if m.pieces() == pieces {
				took += time.Since(begin)
				var h Header
				ts.count(m, &h)
				stored += h.Stored
				places += r.places(m) * m.halves()
			}
		}
		b.ReportMetric(float64(stored)/took.Seconds(), "stored/s")
		b.ReportMetric(float64(places)/took.Seconds(), "places/s")
	}
}
