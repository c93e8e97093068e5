//go:build unix

package match

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// lock keeps others away from a file until it is closed, or this program ends.
func lock(f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return errLocked
	}
	return err
}
