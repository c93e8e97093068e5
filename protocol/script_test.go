package protocol

import (
	"bufio"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the expectations of scripts and the tables of PROTOCOL.md")

// TestMain makes this program the command qirkat of the scripts: words on the
// command line are one command, without them it serves the protocol.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"qirkat": func() {
		s, err := New(Config{
			Name: "Qirkat", Version: "test", In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Bench: fakeBench,
		})
		if err == nil && len(os.Args) > 1 {
			err = s.Command(strings.Join(os.Args[1:], " "))
		} else if err == nil {
			err = s.Run()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}})
}

// fakeBench stands for the real one, which lives in a package above this one.
// The word slow makes it take some time, the word long very much, the word fail
// an error.
func fakeBench(out, _ io.Writer, args []string) error {
	switch strings.Join(args, " ") {
	case "slow":
		time.Sleep(time.Second)
	case "long":
		time.Sleep(time.Minute)
	case "fail":
		return errors.New("no such position")
	}
	fmt.Fprintln(out, "Nodes searched  : 12")
	fmt.Fprint(out, "12 nodes 1.5 M nps")
	return nil
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"session": func(ts *testscript.TestScript, neg bool, args []string) {
				if neg || len(args) != 1 {
					ts.Fatalf("usage: session transcript")
				}
				ts.Check(session(ts.MkAbs("."), args[0], 0, ts.ReadFile(args[0])))
			},
		},
	})
}

// session holds a conversation with a process, as a transcript has it: a line
// that begins with "> " is sent once all lines of output before it have been
// read. In a line of output … stands for any text, and alone on a line for any
// number of lines. At the end of the transcript the input is closed, and what
// the process still says must be there too. The first line has the number
// before plus one.
func session(dir, name string, before int, transcript string) error {
	cmd := exec.Command("qirkat")
	cmd.Dir = dir
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	heard := make(chan string, 1000)
	go func() {
		defer close(heard)
		for r := bufio.NewScanner(out); r.Scan(); {
			heard <- r.Text()
		}
	}()
	err = converse(in, heard, name, before, transcript)
	in.Close()
	if err != nil {
		_ = cmd.Process.Kill()
	}
	for range heard {
	}
	if failed := cmd.Wait(); err == nil && failed != nil {
		err = fmt.Errorf("%s: %w", name, failed)
	}
	if err == nil && stderr.Len() > 0 {
		err = fmt.Errorf("%s: standard error has %q", name, stderr.String())
	}
	return err
}

func converse(in io.WriteCloser, heard <-chan string, name string, before int, transcript string) error {
	skipping := false
	hear := func(where, want string) error {
		pattern := linePattern(want)
		for {
			select {
			case line, ok := <-heard:
				switch {
				case !ok:
					return fmt.Errorf("%s: the process ended, want %q", where, want)
				case pattern.MatchString(line):
					skipping = false
					return nil
				case !skipping:
					return fmt.Errorf("%s: got  %q\nwant %q", where, line, want)
				}
			case <-time.After(20 * time.Second):
				return fmt.Errorf("%s: nothing came, want %q", where, want)
			}
		}
	}
	number := before
	for line := range strings.Lines(transcript) {
		number++
		line = strings.TrimSuffix(line, "\n")
		where := fmt.Sprintf("%s:%d", name, number)
		switch {
		case strings.HasPrefix(line, ">"):
			if _, err := io.WriteString(in, strings.TrimPrefix(strings.TrimPrefix(line, ">"), " ")+"\n"); err != nil {
				return fmt.Errorf("%s: %w", where, err)
			}
		case line == "…":
			skipping = true
		default:
			if err := hear(where, line); err != nil {
				return err
			}
		}
	}
	in.Close()
	for line := range heard {
		if !skipping {
			return fmt.Errorf("%s: at the end the process said %q", name, line)
		}
	}
	return nil
}

// linePattern matches the lines that a line of a transcript stands for.
func linePattern(line string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(line), "…", ".*") + "$")
}
