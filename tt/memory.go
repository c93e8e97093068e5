package tt

import (
	"fmt"

	"github.com/shirou/gopsutil/v4/mem"
)

// allocate maps memory outside the heap: a slice that cannot be had would end
// the program, a mapping gives an error. Systems promise more than they have,
// so what is available is asked first.
func allocate(size int) ([]byte, error) {
	if m, err := mem.VirtualMemory(); err == nil && uint64(size) > m.Available {
		return nil, fmt.Errorf("hash: %d MiB cannot be had, %d MiB are available", size>>20, m.Available>>20)
	}
	memory, err := mapMemory(size)
	if err != nil {
		return nil, fmt.Errorf("hash: %d MiB cannot be had: %w", size>>20, err)
	}
	adviseLargePages(memory)
	return memory, nil
}
