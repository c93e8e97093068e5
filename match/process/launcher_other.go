//go:build unix && !linux

package process

import (
	"errors"
	"fmt"
	"os/exec"

	"golang.org/x/sys/unix"
)

// Launcher starts children. On this system nothing but the end of their input
// tells them that the parent was killed.
type Launcher struct{}

// NewLauncher is a launcher without children.
func NewLauncher() (*Launcher, error) { return &Launcher{}, nil }

// Close has nothing to do.
func (*Launcher) Close() {}

func (*Launcher) start(cmd *exec.Cmd, cpus []int, priority Priority) error {
	if len(cpus) > 0 {
		return errNoAffinity
	}
	attributes(cmd)
	if err := cmd.Start(); err != nil {
		return err
	}
	if priority == "" {
		return nil
	}
	if err := unix.Setpriority(unix.PRIO_PROCESS, cmd.Process.Pid, nice[priority]); err != nil {
		return &PlaceError{fmt.Errorf("priority %s: %w", priority, err)}
	}
	return nil
}

var errNoAffinity error = &PlaceError{errors.New("affinity: this system has none")}

// CPUs are the processors that this process may run on.
func CPUs() ([]int, error) { return nil, errNoAffinity }
