//go:build unix

package tt

import "golang.org/x/sys/unix"

// mapMemory asks the system for zeroed pages.
func mapMemory(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func release(memory []byte) { _ = unix.Munmap(memory) }
