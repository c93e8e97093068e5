package process

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// Launcher starts children. On Linux they are killed by the kernel when the
// parent ends in whatever way; that signal comes when the *thread* ends that
// started them, and processors and priority are inherited from that thread,
// before the child has any. So a launcher keeps a thread for each priority, on
// which all of its children are started.
type Launcher struct {
	mu      sync.Mutex
	threads map[Priority]chan func()
}

// NewLauncher is a launcher without children.
func NewLauncher() (*Launcher, error) {
	return &Launcher{threads: map[Priority]chan func(){}}, nil
}

// Close ends the threads, and with them every child that is still there.
func (l *Launcher) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.threads {
		close(t)
	}
	clear(l.threads)
}

// thread is the one for a priority.
func (l *Launcher) thread(priority Priority) (chan func(), error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if t := l.threads[priority]; t != nil {
		return t, nil
	}
	work, ready := make(chan func()), make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with its work
		if priority != "" {
			if err := unix.Setpriority(unix.PRIO_PROCESS, unix.Gettid(), nice[priority]); err != nil {
				ready <- &PlaceError{fmt.Errorf("priority %s: %w", priority, err)}
				return
			}
		}
		ready <- nil
		for f := range work {
			f()
		}
	}()
	if err := <-ready; err != nil {
		return nil, err
	}
	l.threads[priority] = work
	return work, nil
}

func (l *Launcher) start(cmd *exec.Cmd, cpus []int, priority Priority) error {
	attributes(cmd).Pdeathsig = syscall.SIGKILL
	thread, err := l.thread(priority)
	if err != nil {
		return err
	}
	started := make(chan error)
	thread <- func() { started <- startOn(cmd, cpus) }
	return <-started
}

// startOn starts a child on some processors, which it inherits from the thread.
func startOn(cmd *exec.Cmd, cpus []int) error {
	if len(cpus) == 0 {
		return cmd.Start()
	}
	var before unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return &PlaceError{fmt.Errorf("affinity: %w", err)}
	}
	err := moveTo(cpus)
	if err == nil {
		err = cmd.Start()
	}
	if back := unix.SchedSetaffinity(0, &before); err == nil && back != nil {
		err = &PlaceError{fmt.Errorf("affinity: %w", back)}
	}
	return err
}

// moveTo moves the thread to some processors. The system takes those that are
// there and drops the others, so what it took is looked at.
func moveTo(cpus []int) error {
	var wanted, got unix.CPUSet
	for _, c := range cpus {
		wanted.Set(c)
	}
	refused := unix.SchedSetaffinity(0, &wanted)
	if err := unix.SchedGetaffinity(0, &got); err != nil {
		return &PlaceError{fmt.Errorf("affinity: %w", err)}
	}
	for _, c := range cpus {
		if refused != nil || !got.IsSet(c) {
			return &PlaceError{fmt.Errorf("affinity: processors %v: want those of this machine, of which there are %d, from 0", cpus, runtime.NumCPU())}
		}
	}
	return nil
}

// CPUs are the processors that this process may run on.
func CPUs() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("affinity: %w", err)
	}
	var list []int
	for c := range len(set) * 64 {
		if set.IsSet(c) {
			list = append(list, c)
		}
	}
	return list, nil
}
