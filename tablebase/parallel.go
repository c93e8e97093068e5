package tablebase

import (
	"context"
	"sync"
	"sync/atomic"
)

// parallel calls f with parts of 0 … n, from as many goroutines as there are
// threads; worker is 0 … threads − 1.
func parallel(ctx context.Context, threads, n, chunk int, f func(worker, from, to int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range threads {
		group.Go(func() {
			for ctx.Err() == nil {
				end := int(next.Add(int64(chunk)))
				if end-chunk >= n {
					return
				}
				f(worker, end-chunk, min(end, n))
			}
		})
	}
	group.Wait()
}

// parallelEach calls f with each of 0 … n − 1, in the same way. A thread takes so
// few at once that all end together, and so many that they seldom wait for each
// other (chosen).
func parallelEach(ctx context.Context, threads, n int, f func(worker, i int)) {
	parallel(ctx, threads, n, max(1, min(64, n/(8*threads))), func(worker, from, to int) {
		for i := from; i < to; i++ {
			f(worker, i)
		}
	})
}
