package main

import (
	"io"
	"strings"
	"sync"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"qirkat/match"
)

// liveTable is a progress bar of games at the bottom of a terminal, with the
// score, or the table of the engines, below it.
type liveTable struct {
	config *match.Config
	bars   *mpb.Progress
	bar    *mpb.Bar

	mu    sync.Mutex
	lines []string // below the bar; their number stays
}

// mostLines bounds the lines below the bar (chosen): a table that is longer
// than the terminal cannot be drawn over.
const mostLines = 16

func newLiveTable(out io.Writer, c *match.Config) *liveTable {
	t := &liveTable{config: c, lines: make([]string, 1)}
	if n := len(c.Engines); n > 2 {
		t.lines = make([]string, min(n+1, mostLines))
	}
	var fillers []mpb.BarFiller
	for i := range t.lines {
		fillers = append(fillers, mpb.BarFillerFunc(func(w io.Writer, _ decor.Statistics) error {
			t.mu.Lock()
			defer t.mu.Unlock()
			_, err := io.WriteString(w, t.lines[i]+"\n")
			return err
		}))
	}
	t.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(30), mpb.WithAutoRefresh())
	t.bar = t.bars.AddBar(0,
		mpb.PrependDecorators(decor.CountersNoUnit("games %d/%d ")),
		mpb.AppendDecorators(decor.Name(" time left "), decor.AverageETA(decor.ET_STYLE_GO)),
		mpb.BarBtmExtender(fillers...),
	)
	return t
}

// update counts a game.
func (t *liveTable) update(e match.Event) {
	text := e.Standing.Short(t.config)
	if len(t.config.Engines) > 2 {
		text = e.Standing.Table(t.config)
	}
	t.mu.Lock()
	copy(t.lines, strings.Split(text, "\n"))
	t.mu.Unlock()
	t.bar.SetTotal(int64(e.Known), false)
	t.bar.SetCurrent(int64(e.Played))
}

// above takes lines that are to stand above the table.
func (t *liveTable) above() io.Writer { return t.bars }

// finish takes the bar off.
func (t *liveTable) finish() {
	t.bar.Abort(true)
	t.bars.Wait()
}
