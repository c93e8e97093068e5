//go:build unix

package pages

import "golang.org/x/sys/unix"

// mapPages asks the system for zeroed pages.
func mapPages(size int) ([]byte, error) {
	return unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
}

func unmapPages(memory []byte) { _ = unix.Munmap(memory) }
