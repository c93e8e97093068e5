package match

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// lock keeps others away from a file until it is closed, or this program ends.
// It is a byte far behind the end that is locked, so that the file can be read.
func lock(f *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	err := windows.LockFileEx(windows.Handle(f.Fd()), flags, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return errLocked
	}
	return err
}
