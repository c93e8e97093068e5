package process

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"qirkat/match/internal/fake"
)

// TestMain makes this program an engine when it is asked to be one.
func TestMain(m *testing.M) {
	if fake.Run() {
		return
	}
	os.Exit(m.Run())
}

func start(t *testing.T, kind string, change func(*Config)) *Process {
	t.Helper()
	launcher, err := NewLauncher()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(launcher.Close)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Path: self, Args: []string{fake.Argument + kind}}
	if change != nil {
		change(&c)
	}
	p, err := launcher.Start(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close("quit", time.Second) })
	return p
}

// ask sends a line and waits for one that begins as is wanted.
func ask(t *testing.T, p *Process, line, want string) Line {
	t.Helper()
	if _, err := p.Send(line); err != nil {
		t.Fatal(err)
	}
	timeout := time.After(time.Minute)
	for {
		l, err := p.Next(timeout, nil)
		if err != nil {
			t.Fatalf("no %q: %v", want, err)
		}
		if strings.HasPrefix(l.Text, want) {
			return l
		}
	}
}

func TestConversation(t *testing.T) {
	passed := 0 // counted by the reader, which is done with a line before the next comes
	p := start(t, fake.Honest, func(c *Config) {
		c.Passed = func(l Line) bool {
			if strings.HasPrefix(l.Text, "info") {
				passed++
			}
			return strings.HasPrefix(l.Text, "info")
		}
	})
	before := time.Now()
	l := ask(t, p, "isready", "readyok")
	if l.Sent || l.At.Before(before) || l.At.After(time.Now()) {
		t.Errorf("%+v", l)
	}
	ask(t, p, "go depth 1", "bestmove ")
	if passed != 1 {
		t.Errorf("%d lines were passed over, want 1", passed)
	}
	if _, err := p.Next(time.After(20*time.Millisecond), nil); !errors.Is(err, ErrTimeout) {
		t.Errorf("nothing more: %v", err)
	}
	var texts []string
	for _, l := range p.History() {
		texts = append(texts, fmt.Sprint(l.Sent, " ", l.Text))
	}
	if got := strings.Join(texts, "; "); !strings.HasPrefix(got, "true isready; false readyok; true go depth 1; false info ") {
		t.Errorf("history %s", got)
	}
	for i := range 100 {
		ask(t, p, "isready", "readyok")
		if n := len(p.History()); i > 50 && n != history {
			t.Fatalf("%d lines of history, want %d", n, history)
		}
	}
	p.Close("quit", 5*time.Second)
	if p.ExitCode() != 0 {
		t.Errorf("exit code %d", p.ExitCode())
	}
}

// TestFaults: each comes in time, and says what it is.
func TestFaults(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		kind   string
		lines  []string
		want   Kind
		detail string
	}{
		{"crash", []string{"go", "go", "go"}, Crash, "it ended, exit status 3; its last words on standard error: division by zero"},
		{"deaf", []string{"go", "go", "go", long}, Hang, "it does not read its standard input"},
		{"endless-line", []string{"go", "go", "go"}, Flood, "a line has more than 16 MiB"},
		{"flood", []string{"go", "go", "go"}, Flood, "more than 64 MiB were written unasked"},
		{"stillborn", nil, Crash, "it ended, exit status 2"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			p := start(t, c.kind, func(c *Config) {
				c.WriteTimeout = 500 * time.Millisecond
				c.Passed = func(Line) bool { return true }
			})
			for _, l := range c.lines {
				if _, err := p.Send(l); err != nil {
					break
				}
			}
			_, err := p.Next(time.After(30*time.Second), nil)
			var f *Fault
			if !errors.As(err, &f) || f.Kind != c.want || f.Detail != c.detail {
				t.Errorf("got %v, want %s: %s", err, c.want, c.detail)
			}
			if _, err := p.Send("isready"); !errors.As(err, &f) {
				t.Errorf("sent to the dead: %v", err)
			}
		})
	}
	launcher, err := NewLauncher()
	if err != nil {
		t.Fatal(err)
	}
	defer launcher.Close()
	var f *Fault
	if _, err := launcher.Start(Config{Path: "no such program"}); !errors.As(err, &f) || f.Kind != Crash {
		t.Errorf("no program: %v", err)
	}
}

// TestClose ends what does not want to.
func TestClose(t *testing.T) {
	for _, kind := range []string{"immortal", "no-eof", "flood"} {
		p := start(t, kind, nil)
		_, _ = p.Send("go", "go", "go")
		begin := time.Now()
		p.Close("", 200*time.Millisecond)
		if took := time.Since(begin); took > 3*time.Second {
			t.Errorf("%s: took %v", kind, took)
		}
	}
}

// TestPlace: processors and priority are those of every thread; the working
// folder and the environment are as they were set.
func TestPlace(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("looks into /proc")
	}
	cpus, err := CPUs()
	if err != nil {
		t.Fatal(err)
	}
	last := cpus[len(cpus)-1]
	folder := t.TempDir()
	p := start(t, fake.Ours, func(c *Config) {
		c.CPUs, c.Priority, c.Dir, c.Env = []int{last}, Idle, folder, []string{"QIRKAT_TEST_MARK=here"}
	})
	ask(t, p, "isready", "readyok")
	if got, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", p.Pid())); err != nil || got != folder {
		t.Errorf("working folder %q, want %q: %v", got, folder, err)
	}
	if env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.Pid())); err != nil || !strings.Contains(string(env), "QIRKAT_TEST_MARK=here\x00") {
		t.Errorf("the environment lacks what was set: %v", err)
	}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", p.Pid()))
	if err != nil || len(tasks) == 0 {
		t.Fatal(tasks, err)
	}
	for _, task := range tasks {
		status, err := os.ReadFile(filepath.Join(task, "status"))
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("Cpus_allowed_list:\t%d\n", last); !strings.Contains(string(status), want) {
			t.Errorf("%s: want %q in %s", task, want, status)
		}
		stat, err := os.ReadFile(filepath.Join(task, "stat"))
		if err != nil {
			t.Fatal(err)
		}
		_, fields, _ := strings.Cut(string(stat), ") ")
		if niceness := strings.Fields(fields)[16]; niceness != "19" {
			t.Errorf("%s: niceness %s, want 19", task, niceness)
		}
	}
	now, err := CPUs()
	if err != nil || fmt.Sprint(now) != fmt.Sprint(cpus) {
		t.Errorf("the parent now has processors %v, before %v: %v", now, cpus, err)
	}
}
