package protocol

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// stuck is a peer that does not read until it is let go.
type stuck struct {
	recorder
	free chan struct{}
}

func (s *stuck) Write(p []byte) (int, error) {
	<-s.free
	return s.recorder.Write(p)
}

// TestStuckOutput reads and obeys while nobody reads the answers, which come in
// order as soon as somebody does.
func TestStuckOutput(t *testing.T) {
	out := &stuck{free: make(chan struct{})}
	s := newServer(t, out)
	const times = 50
	for range times {
		s.mustServe(t, "go infinite")
		s.mustServe(t, "isready")
		s.mustServe(t, "stop")
		s.mustServe(t, "position startpos moves c2c3")
		s.mustServe(t, "query p2turn")
		s.mustServe(t, "position startpos")
	}
	close(out.free)
	if err := s.out.flush(forever); err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(out.take()) {
		if word, _ := cut(line); word != "info" {
			got = append(got, word)
		}
	}
	if want := strings.Repeat("readyok bestmove response ", times); strings.Join(got, " ")+" " != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestStuckOutputIsLeft ends although nobody reads the answers.
func TestStuckOutputIsLeft(t *testing.T) {
	for _, end := range []string{"quit\n", ""} {
		out := &stuck{free: make(chan struct{})}
		s := newServer(t, out)
		s.cfg.In = strings.NewReader("uci\ngo infinite\n" + end)
		start := time.Now()
		if err := s.Run(); !errors.Is(err, errUnread) {
			t.Errorf("end %q: Run: %v, want %v", end, err, errUnread)
		}
		if took := time.Since(start); took > grace+2*time.Second {
			t.Errorf("end %q: Run took %v", end, took)
		}
		close(out.free)
	}
}

// TestUnreadOutputIsBounded reads no more when too much is unread.
func TestUnreadOutputIsBounded(t *testing.T) {
	out := &stuck{free: make(chan struct{})}
	s := newServer(t, out)
	s.out.most = 100 << 10
	in, feed := io.Pipe()
	s.cfg.In = in
	done := make(chan error, 1)
	go func() { done <- s.Run() }()
	fed := make(chan struct{})
	const lines = 1000 // of 4 KiB or so of answer
	go func() {
		for range lines {
			fmt.Fprint(feed, strings.Repeat(" ", 1000), "help\n") // more than the reader's buffer in all
		}
		feed.Close()
		close(fed)
	}()
	select {
	case <-fed:
		t.Error("all was read")
	case <-time.After(500 * time.Millisecond):
	}
	close(out.free)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := strings.Count(out.take(), "Options\n"); got != lines {
		t.Errorf("%d answers, want %d", got, lines)
	}
}

// TestBrokenOutput ends at the first line that cannot be written.
func TestBrokenOutput(t *testing.T) {
	broken := errors.New("broken")
	s := newServer(t, errWriter{broken})
	in, feed := io.Pipe()
	s.cfg.In = in
	done := make(chan error, 1)
	go func() { done <- s.Run() }()
	go func() {
		for {
			if _, err := fmt.Fprintln(feed, "isready"); err != nil {
				return
			}
		}
	}()
	if err := <-done; !errors.Is(err, broken) {
		t.Errorf("Run: %v, want %v", err, broken)
	}
	in.Close()
	var could *CouldNotError
	if err := newServer(t, errWriter{broken}).Command("d"); !errors.As(err, &could) || !errors.Is(err, broken) {
		t.Errorf("Command: %v, want %v", err, broken)
	}
}

type errWriter struct{ err error }

func (w errWriter) Write([]byte) (int, error) { return 0, w.err }

// TestBenchAtEnd finishes a bench at the end of the input, and breaks it off at
// quit.
func TestBenchAtEnd(t *testing.T) {
	for end, want := range map[string]bool{"": true, "quit\n": false} {
		out := new(recorder)
		s := newServer(t, out)
		s.cfg.Bench = fakeBench
		s.cfg.In = strings.NewReader("bench slow\n" + end)
		if err := s.Run(); err != nil {
			t.Error(err)
		}
		if got := strings.Contains(out.take(), "Nodes searched"); got != want {
			t.Errorf("end %q: bench finished: %v, want %v", end, got, want)
		}
	}
}

// TestStrictCommand refuses a command line of which not all can be read.
func TestStrictCommand(t *testing.T) {
	for line, want := range map[string]string{
		"go dept 3":                    `go: unknown word "dept": did you mean "depth"?`,
		"go depth x":                   `go: depth "x": want a whole number of plies from 1`,
		"go depth 1 searchmoves c3c4":  `go: searchmoves: illegal move "c3c4": no piece there: c3`,
		"go btime 1000":                `go: no clock of the side to move, White`,
		"setoption name Hash value 65": ``,
	} {
		out := new(recorder)
		err := newServer(t, out).Command(line)
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%s: %v, want %s", line, err, want)
		}
		if text := out.take(); text != "" {
			t.Errorf("%s: printed %q", line, text)
		}
	}
}

// TestLogSwitchesItselfOff says once that a log cannot be written.
func TestLogSwitchesItselfOff(t *testing.T) {
	var said strings.Builder
	l := &logWriter{w: errWriter{errors.New("disk full")}, stderr: &said}
	for range 3 {
		if n, err := l.Write([]byte("line")); n != 4 || err != nil {
			t.Errorf("Write = %d, %v", n, err)
		}
	}
	if want := "the log is switched off: disk full\n"; said.String() != want {
		t.Errorf("said %q, want %q", said.String(), want)
	}
}
