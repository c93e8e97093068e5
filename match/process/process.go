// Package process runs engines as child processes: it starts them where and as
// the caller says, writes lines to them, reads their lines with the time at
// which each arrived, keeps the last lines both ways, and ends them. It knows
// no protocol.
//
// The one idea behind it: nothing that a child does can hold up or take down
// its parent. Writing to a child that does not read, a child that floods, prints
// no end of line, dies, or does not die when asked: each ends after a known time
// with a [Fault] that says so.
package process

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Priority is how eagerly the system runs a child.
type Priority string

// The priorities. A high one needs the right to it on some systems.
const (
	Idle   Priority = "idle"
	Low    Priority = "low"
	Normal Priority = "normal"
	High   Priority = "high"
)

// Priorities are all of them, from the lowest.
var Priorities = []Priority{Idle, Low, Normal, High}

// Config says what to start.
type Config struct {
	Path     string // of the program, looked up as a shell does
	Args     []string
	Dir      string   // working folder; empty: the parent's
	Env      []string // NAME=value, put above the parent's environment
	CPUs     []int    // processors that it may run on, from 0; none: all
	Priority Priority // empty: the parent's
	// WriteTimeout is how long the child may read nothing while the parent
	// writes; 0: 5 s (chosen).
	WriteTimeout time.Duration

	// Passed is called on the reader's goroutine with each line; those for
	// which it gives true are not handed to [Process.Next]. It may be nil.
	Passed func(Line) bool
}

// Limits on what a child may write (chosen).
const (
	maxLine  = 16 << 20 // bytes of a line
	maxFlood = 64 << 20 // bytes without being asked for anything
)

const (
	defaultWriteTimeout = 5 * time.Second
	history             = 40 // lines kept, both ways
)

// Line is a line of the conversation.
type Line struct {
	Text string
	At   time.Time // when it had been written, or read
	Sent bool      // by the parent
}

// Fault is what a child did wrong.
type Fault struct {
	Kind   Kind
	Detail string
}

func (f *Fault) Error() string {
	if f.Detail == "" {
		return string(f.Kind)
	}
	return string(f.Kind) + ": " + f.Detail
}

// Kind is a kind of fault.
type Kind string

// The kinds.
const (
	Crash Kind = "crash" // it ended, or could not be started
	Hang  Kind = "hang"  // it does not answer, or does not read
	Flood Kind = "flood" // it writes without end
)

// PlaceError is of processors or a priority that the system does not give: the
// child is not to blame.
type PlaceError struct{ error }

// Unwrap gives the cause.
func (e *PlaceError) Unwrap() error { return e.error }

// Process is a running child. Send and Next are for one goroutine.
type Process struct {
	cmd      *exec.Cmd
	in       *os.File
	lines    chan Line
	quit     chan struct{} // closed when nobody reads lines any more
	waited   chan struct{} // closed when the child has ended
	ended    chan struct{} // … and all that it wrote has been read
	cause    *Fault        // why no more lines come; set before lines is closed
	stderr   tail
	patience time.Duration // of Send
	flood    atomic.Int64  // bytes read since the last line was sent
	stuck    atomic.Bool   // it was killed because it did not read

	mu   sync.Mutex
	last []Line // a ring
	next int
}

// Start starts a child. The error is a *Fault or a *PlaceError.
func (l *Launcher) Start(c Config) (*Process, error) {
	p := &Process{
		lines: make(chan Line, 64), quit: make(chan struct{}),
		waited: make(chan struct{}), ended: make(chan struct{}),
		patience: cmp.Or(c.WriteTimeout, defaultWriteTimeout),
	}
	p.cmd = exec.Command(c.Path, c.Args...)
	p.cmd.Dir = c.Dir
	p.cmd.Env = append(os.Environ(), c.Env...)
	var ours, theirs [3]*os.File // standard input, output and error
	err := func() (err error) {
		for i := range ours {
			if theirs[i], ours[i], err = os.Pipe(); err != nil {
				return err
			}
			if i > 0 {
				theirs[i], ours[i] = ours[i], theirs[i]
			}
		}
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
		return l.start(p.cmd, c.CPUs, c.Priority)
	}()
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		for _, f := range ours {
			_ = f.Close()
		}
		if p.cmd.Process != nil {
			p.Kill()
			_ = p.cmd.Wait()
		}
		if place := (*PlaceError)(nil); errors.As(err, &place) {
			return nil, place
		}
		return nil, &Fault{Crash, "it cannot be started: " + err.Error()}
	}
	p.in = ours[0]
	go p.wait(ours[1])
	go p.read(ours[1], ours[2], c.Passed)
	return p, nil
}

// settle is how long after a child's end its last words are waited for, which
// its own children may keep from ending.
const settle = 200 * time.Millisecond

// wait waits for the child to end, and soon after gives up its output.
func (p *Process) wait(out *os.File) {
	_ = p.cmd.Wait()
	close(p.waited)
	select {
	case <-p.ended:
	case <-time.After(settle):
		_ = out.SetReadDeadline(time.Now())
		p.Kill() // its children
	}
}

// read hands on the lines until the output ends, and then waits for the child.
func (p *Process) read(out, stderr *os.File, passed func(Line) bool) {
	defer close(p.ended)
	said := make(chan struct{})
	go func() {
		_, _ = io.Copy(&p.stderr, stderr)
		close(said)
	}()
	r := bufio.NewReaderSize(out, 64<<10)
	var why error
	for why == nil {
		var text []byte
		text, why = p.line(r)
		at := time.Now()
		text = bytes.TrimRight(text, "\r\n")
		if len(text) == 0 {
			continue
		}
		l := Line{Text: string(text), At: at}
		p.remember(l)
		if why != nil || passed != nil && passed(l) {
			continue
		}
		select {
		case p.lines <- l:
		case <-p.quit: // the rest is read, so that the child can write it and end
			passed = func(Line) bool { return true }
		}
	}
	_ = out.Close()
	p.cause = p.find(why, said)
	p.Kill()
	<-p.waited
	close(p.lines)
	_ = stderr.Close()
}

// find says what made the output end.
func (p *Process) find(why error, said <-chan struct{}) *Fault {
	var fault *Fault
	if errors.As(why, &fault) {
		return fault
	}
	fault = &Fault{Kind: Crash}
	select {
	case <-p.waited:
		fault.Detail = "it ended, " + p.cmd.ProcessState.String()
	case <-time.After(settle):
		fault.Detail = "it closed its standard output"
	}
	if p.stuck.Load() {
		return &Fault{Hang, "it does not read its standard input"}
	}
	select {
	case <-said:
	case <-time.After(settle):
	}
	if words := p.stderr.String(); words != "" {
		fault.Detail += "; its last words on standard error: " + words
	}
	return fault
}

// line is the next line; at the end of the output what was written of one.
func (p *Process) line(r *bufio.Reader) ([]byte, error) {
	var whole []byte
	for {
		part, err := r.ReadSlice('\n')
		if p.flood.Add(int64(len(part))) > maxFlood {
			return nil, &Fault{Flood, fmt.Sprintf("more than %d MiB were written unasked", maxFlood>>20)}
		}
		if whole == nil && err == nil {
			return part, nil
		}
		whole = append(whole, part...)
		switch {
		case len(whole) > maxLine:
			return nil, &Fault{Flood, fmt.Sprintf("a line has more than %d MiB", maxLine>>20)}
		case errors.Is(err, bufio.ErrBufferFull):
		default:
			return whole, err
		}
	}
}

func (p *Process) remember(l Line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.last) < history {
		p.last = append(p.last, l)
		return
	}
	p.last[p.next] = l
	p.next = (p.next + 1) % history
}

// History are the last lines both ways, the oldest first.
func (p *Process) History() []Line {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append(append([]Line{}, p.last[p.next:]...), p.last[:p.next]...)
}

// Send writes lines in one piece, and gives the time at which they had been
// written. The error is a *Fault.
func (p *Process) Send(lines ...string) (time.Time, error) {
	text := strings.Join(lines, "\n") + "\n"
	p.flood.Store(0)
	watchdog := time.AfterFunc(p.patience, func() {
		p.stuck.Store(true)
		p.Kill()
	})
	begun := time.Now()
	for _, l := range lines { // first, as an answer may come before the write is over
		p.remember(Line{Text: l, At: begun, Sent: true})
	}
	_, err := io.WriteString(p.in, text)
	at := time.Now()
	watchdog.Stop()
	if err != nil {
		return at, p.why()
	}
	return at, nil
}

// why waits for the reader to have found out why the child is gone.
func (p *Process) why() error {
	for range p.lines { // until it is closed
	}
	return p.cause
}

// CloseInput ends the child's input.
func (p *Process) CloseInput() { _ = p.in.Close() }

// ErrTimeout is of a line that did not come in time.
var ErrTimeout = errors.New("no answer in time")

// Next is the next line, and waits for it until a timer or a channel of the
// caller's says otherwise; then the error is ErrTimeout. Other errors are
// *Faults.
func (p *Process) Next(timeout <-chan time.Time, stop <-chan struct{}) (Line, error) {
	select {
	case l, ok := <-p.lines:
		if !ok {
			return Line{}, p.cause
		}
		return l, nil
	default:
	}
	select {
	case l, ok := <-p.lines:
		if !ok {
			return Line{}, p.cause
		}
		return l, nil
	case <-timeout:
	case <-stop:
	}
	return Line{}, ErrTimeout
}

// Pid is the number of the process.
func (p *Process) Pid() int { return p.cmd.Process.Pid }

// ExitCode is that of a child that has ended; -1 when a signal ended it.
func (p *Process) ExitCode() int { return p.cmd.ProcessState.ExitCode() }

// Ended is closed when the child has ended.
func (p *Process) Ended() <-chan struct{} { return p.ended }

// Close ends the child: by a last line, such as "quit", and the end of its
// input, and after the grace by force. It returns when the child has ended.
func (p *Process) Close(last string, grace time.Duration) {
	select {
	case <-p.quit:
	default:
		close(p.quit)
	}
	if last != "" && grace > 0 {
		watchdog := time.AfterFunc(grace, p.Kill)
		_, _ = io.WriteString(p.in, last+"\n")
		watchdog.Stop()
	}
	p.CloseInput()
	if grace > 0 {
		timer := time.NewTimer(grace)
		defer timer.Stop()
		select {
		case <-p.ended:
			return
		case <-timer.C:
		}
	}
	p.Kill()
	<-p.ended
}

// tail keeps the end of what a child says on standard error.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 2 << 10 // bytes

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if len(t.text) > 2*maxTail {
		t.text = append(t.text[:0], t.text[len(t.text)-maxTail:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.TrimSpace(string(t.text[max(0, len(t.text)-maxTail):]))
}
