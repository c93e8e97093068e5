//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMatchSignals: Ctrl-C once finishes the games that run, twice gives them
// up; with the record the tournament goes on.
func TestMatchSignals(t *testing.T) {
	for _, c := range []struct {
		name, limits string
		times        int
		most         time.Duration
	}{
		{"once", "nodes=20", 1, 10 * time.Second},
		{"twice", "movetime=2s", 2, 3 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			record := filepath.Join(t.TempDir(), "r.jsonl")
			cmd := exec.Command("qirkat", "match", "--engine", "name=a,cmd=qirkat", "--engine", "name=b,cmd=qirkat",
				"--each", c.limits+",option.Hash=1", "--rounds", "10000", "--concurrency", "2", "--record", record, "--json")
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			var complaint bytes.Buffer
			cmd.Stderr = &complaint
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			lines.Buffer(nil, 1<<20)
			started, ended, end := 0, 0, false
			var asked time.Time
			for lines.Scan() {
				switch text := lines.Text(); {
				case strings.HasPrefix(text, `{"event":"start"`):
					if started++; started == 2 {
						time.Sleep(50 * time.Millisecond)
						asked = time.Now()
						for range c.times {
							if err := cmd.Process.Signal(os.Interrupt); err != nil {
								t.Fatal(err)
							}
							time.Sleep(50 * time.Millisecond)
						}
					}
				case strings.HasPrefix(text, `{"event":"game"`):
					ended++
				case strings.HasPrefix(text, `{"event":"end"`):
					end = true
				}
			}
			err = cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != killed+int(syscall.SIGINT) || complaint.Len() > 0 {
				t.Errorf("%v, %q", err, &complaint)
			}
			if took := time.Since(asked); took > c.most {
				t.Errorf("took %v, want at most %v", took, c.most)
			}
			if c.times == 1 && started != ended || c.times == 2 && ended != 0 || !end {
				t.Errorf("%d games begun, %d finished, end %v", started, ended, end)
			}
			text, err := os.ReadFile(record)
			if err != nil {
				t.Fatal(err)
			}
			if n := bytes.Count(text, []byte("\n")); n != 1+ended {
				t.Errorf("%d lines of the record, want %d", n, 1+ended)
			}
		})
	}
}

// TestMatchBlocked: Ctrl-C twice stops also where nobody reads what is shown.
func TestMatchBlocked(t *testing.T) {
	record := filepath.Join(t.TempDir(), "r.jsonl")
	cmd := exec.Command("qirkat", "match", "--engine", "name=a,cmd=qirkat", "--engine", "name=b,cmd=qirkat",
		"--each", "nodes=1,option.Hash=1", "--rounds", "10000", "--json", "--record", record)
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	if _, err := in.Write(make([]byte, 60<<10)); err != nil { // of the 64 KiB that a pipe holds
		t.Fatal(err)
	}
	cmd.Stdout = in
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = in.Close()
	for lines, still := 0, 0; still < 10; still++ { // till games have ended and no more do
		time.Sleep(100 * time.Millisecond)
		text, err := os.ReadFile(record)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			t.Fatal(err)
		}
		if n := bytes.Count(text, []byte("\n")); n != lines || n < 2 {
			lines, still = n, 0
		}
	}
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	late := time.AfterFunc(5*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != killed+int(syscall.SIGINT) {
		t.Errorf("%v, want exit code 130", err)
	}
}
