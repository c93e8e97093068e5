package tt

import "golang.org/x/sys/unix"

// adviseLargePages lets the system back the table with large pages: every
// probe is a random access, and with small pages most miss the address cache.
func adviseLargePages(memory []byte) { _ = unix.Madvise(memory, unix.MADV_HUGEPAGE) }

// wipe makes the memory zero. The system takes the pages back and gives zeroed
// ones when they are used again, which costs nothing now.
func wipe(memory []byte) {
	if unix.Madvise(memory, unix.MADV_DONTNEED) != nil {
		clear(memory)
	}
}
