//go:build unix

package tablebase

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock makes a file that keeps other builds away until unlock is called, which
// removes it, or this program ends.
func lock(path string) (unlock func(), err error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return nil, err
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			_ = f.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				return nil, errLocked
			}
			return nil, err
		}
		if isStill(f, path) {
			return func() { _ = os.Remove(path); _ = f.Close() }, nil
		}
		_ = f.Close()
	}
}

// isStill reports whether a file has its name yet: the build before may have
// removed it after it was opened.
func isStill(f *os.File, path string) bool {
	own, err := f.Stat()
	if err != nil {
		return false
	}
	named, err := os.Stat(path)
	return err == nil && os.SameFile(own, named)
}
