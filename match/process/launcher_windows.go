package process

import (
	"fmt"
	"os/exec"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Launcher starts children. On Windows the parent puts itself in a job object
// that dies with it: children are born into that job, and end when the parent
// does.
type Launcher struct {
	job windows.Handle
	mu  sync.Mutex // affinity is the parent's while a child is born
}

// NewLauncher is a launcher without children.
func NewLauncher() (*Launcher, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return nil, fmt.Errorf("job object: %w", err)
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, windows.CurrentProcess())
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return nil, fmt.Errorf("job object: %w", err)
	}
	return &Launcher{job: job}, nil
}

// Close leaves the job open: closing it would end this process too.
func (*Launcher) Close() {}

var classes = map[Priority]uint32{
	Idle: windows.IDLE_PRIORITY_CLASS, Low: windows.BELOW_NORMAL_PRIORITY_CLASS,
	Normal: windows.NORMAL_PRIORITY_CLASS, High: windows.ABOVE_NORMAL_PRIORITY_CLASS,
}

func (l *Launcher) start(cmd *exec.Cmd, cpus []int, priority Priority) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | classes[priority]}
	if len(cpus) == 0 {
		return cmd.Start()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	before, err := affinity()
	if err != nil {
		return &PlaceError{err}
	}
	var during uintptr
	for _, c := range cpus {
		during |= 1 << c
	}
	if err := setAffinity(during); err != nil {
		return &PlaceError{fmt.Errorf("processors %v: %w", cpus, err)}
	}
	err = cmd.Start()
	if back := setAffinity(before); err == nil {
		err = back
	}
	return err
}

var (
	kernel32        = windows.NewLazySystemDLL("kernel32.dll")
	getAffinityMask = kernel32.NewProc("GetProcessAffinityMask")
	setAffinityMask = kernel32.NewProc("SetProcessAffinityMask")
)

func affinity() (uintptr, error) {
	var process, system uintptr
	ok, _, err := getAffinityMask.Call(uintptr(windows.CurrentProcess()), uintptr(unsafe.Pointer(&process)), uintptr(unsafe.Pointer(&system)))
	if ok == 0 {
		return 0, fmt.Errorf("affinity: %w", err)
	}
	return process, nil
}

func setAffinity(mask uintptr) error {
	if ok, _, err := setAffinityMask.Call(uintptr(windows.CurrentProcess()), mask); ok == 0 {
		return fmt.Errorf("affinity: %w", err)
	}
	return nil
}

// CPUs are the processors that this process may run on.
func CPUs() ([]int, error) {
	mask, err := affinity()
	if err != nil {
		return nil, err
	}
	var list []int
	for c := range int(unsafe.Sizeof(mask)) * 8 {
		if mask>>c&1 != 0 {
			list = append(list, c)
		}
	}
	return list, nil
}

// Kill ends the child at once.
func (p *Process) Kill() { _ = p.cmd.Process.Kill() }
