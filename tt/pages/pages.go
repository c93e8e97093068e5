// Package pages owns memory for large tables: outside the heap, in large pages
// where the system has them. A page takes room once it is written to, so a table
// may ask for more than it comes to need.
package pages

import "fmt"

// Map gives so many bytes of zeroed memory. A slice that cannot be had would end
// the program, a mapping gives an error.
func Map(size int) ([]byte, error) {
	memory, err := mapPages(size)
	if err != nil {
		return nil, fmt.Errorf("%d MiB cannot be had: %w", size>>20, err)
	}
	adviseLarge(memory)
	return memory, nil
}

// Unmap gives back what Map gave; it must not be used any more.
func Unmap(memory []byte) { unmapPages(memory) }
