package tt

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/shirou/gopsutil/v4/mem"

	"qirkat/tt/pages"
)

// allocate maps memory outside the heap. Systems promise more than they have, so
// what is available is asked first.
func allocate(size int) ([]byte, error) {
	if m, err := mem.VirtualMemory(); err == nil && uint64(size) > m.Available {
		return nil, fmt.Errorf("hash: %d MiB cannot be had, %d MiB are available", size>>20, m.Available>>20)
	}
	memory, err := pages.Map(size)
	if err != nil {
		return nil, fmt.Errorf("hash: %w", err)
	}
	wipe(memory)
	return memory, nil
}

// wipe makes the memory zero, on all processors. In new memory it lays hold of
// every page: a search would have to wait for them, now and then for tens of
// milliseconds.
func wipe(memory []byte) {
	const least = 4 << 20 // bytes that are worth a goroutine (chosen)
	part := max(least, (len(memory)-1)/runtime.GOMAXPROCS(0)+1)
	var parts sync.WaitGroup
	for len(memory) > part {
		some := memory[:part]
		memory = memory[part:]
		parts.Go(func() { clear(some) })
	}
	clear(memory)
	parts.Wait()
}
