package tt

import "golang.org/x/sys/unix"

// adviseLargePages lets the system back the table with large pages: every
// probe is a random access, and with small pages most miss the address cache.
func adviseLargePages(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }
