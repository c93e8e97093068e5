package pages

import "golang.org/x/sys/unix"

// adviseLarge lets the system back memory with large pages: each look into a
// large table is a random access, and with small pages most miss the address
// cache.
func adviseLarge(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }
