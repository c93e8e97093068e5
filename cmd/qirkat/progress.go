package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress writes lines to standard error and, where that is a terminal, keeps
// a bar below them from when there is a plan.
type progress struct {
	out     io.Writer
	options []progressbar.Option
	bar     *progressbar.ProgressBar // nil without a plan, and where there is no terminal
}

// newProgress is a progress that shows how many parts of a work are done.
func newProgress(out io.Writer, what string) *progress {
	return newBar(out, what, progressbar.OptionShowCount())
}

// newRate is a progress that shows how many parts, of a unit, are done in a
// second, and the time left.
func newRate(out io.Writer, what, unit string) *progress {
	return newBar(out, what,
		progressbar.OptionShowIts(),
		progressbar.OptionSetItsString(unit),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
	)
}

func newBar(out io.Writer, what string, options ...progressbar.Option) *progress {
	return &progress{out: out, options: append([]progressbar.Option{
		progressbar.OptionSetWriter(out),
		progressbar.OptionSetDescription(what),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionSetWidth(30),
	}, options...)}
}

// plan begins the bar: there are so many parts.
func (p *progress) plan(parts int) {
	if isTerminal(p.out) {
		p.bar = progressbar.NewOptions(parts, p.options...)
	}
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
func (p *progress) step() { p.add(1) }

// add counts so many parts that are done.
func (p *progress) add(n int) {
	if p.bar != nil {
		_ = p.bar.Add(n)
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
