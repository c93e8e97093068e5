package main

import (
	"fmt"
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress writes lines to standard error and, where that is a terminal, keeps
// a bar below them.
type progress struct {
	out io.Writer
	bar *progressbar.ProgressBar // nil where there is no terminal
}

// newProgress is the progress of so many parts of a work.
func newProgress(out io.Writer, parts int, what string) *progress {
	p := &progress{out: out}
	if isTerminal(out) {
		p.bar = progressbar.NewOptions(parts,
			progressbar.OptionSetWriter(out),
			progressbar.OptionSetDescription(what),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionShowCount(),
			progressbar.OptionSetWidth(30),
		)
	}
	return p
}

// line writes a line above the bar.
func (p *progress) line(text string) {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
	_, _ = fmt.Fprintln(p.out, text)
	if p.bar != nil {
		_ = p.bar.RenderBlank()
	}
}

// step counts a part that is done.
func (p *progress) step() {
	if p.bar != nil {
		_ = p.bar.Add(1)
	}
}

// finish takes the bar off the terminal.
func (p *progress) finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// isTerminal reports whether a reader or writer is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
