package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"strings"

	"github.com/peterh/liner"
)

// lineReader asks a person for lines. At the end of the input it gives io.EOF.
type lineReader interface {
	read(prompt string) (string, error)
	close()
}

// newLineReader edits and completes lines where both streams are the terminal.
func newLineReader(in io.Reader, out io.Writer, complete func(line string) []string) lineReader {
	if c, ok := out.(*checkedWriter); ok {
		out = c.Writer
	}
	if in != os.Stdin || out != os.Stdout || !isTerminal(in) || !isTerminal(out) {
		return &plainReader{bufio.NewReader(in), out}
	}
	state := liner.NewLiner()
	state.SetCompleter(complete)
	state.SetCtrlCAborts(true)
	return &terminalReader{state}
}

// terminalReader reads with history and completion.
type terminalReader struct{ state *liner.State }

func (r *terminalReader) read(prompt string) (string, error) {
	line, err := r.state.Prompt(prompt)
	if errors.Is(err, liner.ErrPromptAborted) {
		return "", io.EOF
	}
	if err == nil && strings.TrimSpace(line) != "" {
		r.state.AppendHistory(line)
	}
	return line, err
}

func (r *terminalReader) close() { _ = r.state.Close() }

// plainReader reads from a pipe or a file, and repeats what it read so that the
// output tells the whole story.
type plainReader struct {
	in  *bufio.Reader
	out io.Writer
}

func (r *plainReader) read(prompt string) (string, error) {
	line, err := r.in.ReadString('\n')
	if err != nil && line == "" {
		return "", err
	}
	line = strings.TrimRight(line, "\r\n")
	_, _ = io.WriteString(r.out, prompt+line+"\n")
	return line, nil
}

func (r *plainReader) close() {}
