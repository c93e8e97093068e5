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

	mu   sync.Mutex
	text string
}

func newLiveTable(out io.Writer, c *match.Config) *liveTable {
	t := &liveTable{config: c}
	t.bars = mpb.New(mpb.WithOutput(out), mpb.WithWidth(30))
	t.bar = t.bars.AddBar(0,
		mpb.PrependDecorators(decor.CountersNoUnit("games %d/%d ")),
		mpb.AppendDecorators(decor.Name(" time left "), decor.AverageETA(decor.ET_STYLE_GO)),
		mpb.BarBtmExtender(mpb.BarFillerFunc(t.fill)),
	)
	return t
}

// fill writes the lines below the bar.
func (t *liveTable) fill(w io.Writer, _ decor.Statistics) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, err := io.WriteString(w, t.text)
	return err
}

// update counts a game.
func (t *liveTable) update(e match.Event) {
	text := e.Standing.Short(t.config) + "\n"
	if len(t.config.Engines) > 2 {
		text = e.Standing.Table(t.config)
	}
	t.mu.Lock()
	t.text = strings.TrimSuffix(text, "\n") + "\n"
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
