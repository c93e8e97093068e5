//go:build unix

package process

import (
	"os/exec"
	"syscall"
)

// nice is the niceness of a priority.
var nice = map[Priority]int{Idle: 19, Low: 10, Normal: 0, High: -5}

// attributes put the child in a process group of its own: Ctrl-C at the
// terminal then reaches the parent only, and Kill reaches grandchildren too.
func attributes(cmd *exec.Cmd) *syscall.SysProcAttr {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return cmd.SysProcAttr
}

// Kill ends the child and the processes it started at once.
func (p *Process) Kill() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL)
}
