package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestOutputCannotBeWritten ends with exit code 1 and a line, whoever writes.
func TestOutputCannotBeWritten(t *testing.T) {
	for _, line := range []string{
		"", "d", "go depth 1", "help", "--help", "help bench", "--version", "version", "variants", "variants --json",
		"completion zsh", "perft alquerque 1", "analyse alquerque --depth 1", "analyse alquerque --depth 1 --json",
		"play alquerque", "play fanorona-telo --side none --level 1", "bench --variant fanorona-telo --depth 1",
	} {
		t.Run(line, func(t *testing.T) {
			var stderr strings.Builder
			if code := run(strings.Fields(line), strings.NewReader("isready\nquit\n"), full{}, &stderr); code != couldNot {
				t.Errorf("exit code %d, want %d", code, couldNot)
			}
			if text := stderr.String(); strings.Count(text, "no space left") != 1 || !strings.HasSuffix(text, "no space left\n") {
				t.Errorf("standard error has %q", text)
			}
		})
	}
}

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestInterruptedProfile writes the profile and tells of the signal.
func TestInterruptedProfile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs signals")
	}
	for signal, want := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143} {
		folder := t.TempDir()
		cmd := exec.Command("qirkat", "bench", "--depth", "30", "--profile", "cpu", "--profile-dir", folder)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		profile := filepath.Join(folder, "cpu.pprof")
		for range 1000 { // it is made just before the signals are caught
			if _, err := os.Stat(profile); err == nil {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(200 * time.Millisecond)
		_ = cmd.Process.Signal(signal)
		_ = cmd.Wait()
		if got := cmd.ProcessState.ExitCode(); got != want {
			t.Errorf("%v: exit code %d, want %d", signal, got, want)
		}
		if info, err := os.Stat(profile); err != nil || info.Size() == 0 || !strings.Contains(stderr.String(), "cpu profile written to the folder "+folder) {
			t.Errorf("%v: no profile: %v, %s", signal, err, stderr.String())
		}
	}
}

// TestStoppedSolve tells how to go on, where there is a state to go on from.
func TestStoppedSolve(t *testing.T) {
	var out strings.Builder
	stopped := &signalError{syscall.SIGINT}
	for _, f := range []*solveFlags{{}, {out: "proof"}} {
		if err := solveError(&out, stopped, f); !errors.Is(err, stopped) {
			t.Errorf("error %v, want that of the signal", err)
		}
	}
	if got, want := out.String(), "stopped: start it again to go on\n"; got != want {
		t.Errorf("told %q, want %q", got, want)
	}
}
