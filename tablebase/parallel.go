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
