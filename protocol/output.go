package protocol

import (
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"qirkat/movegen"
)

const (
	maxWaiting = 16 << 20    // bytes of output that may wait to be read (chosen)
	grace      = time.Second // without any line being read, until the server leaves (chosen)
	forever    = time.Duration(math.MaxInt64)
)

var errUnread = errors.New("standard output: nobody reads it, lines are lost")

// output is the one writer to standard output: a line is one write. Lines wait
// in a queue, which a goroutine empties that lives as long as there are some:
// whoever has something to say never waits for the peer to read it.
type output struct {
	w    io.Writer
	most int // maxWaiting, less in tests

	mu      sync.Mutex // never held while w writes
	log     zerolog.Logger
	queue   [][]byte
	waiting int           // bytes that are not written yet
	written int           // lines so far
	busy    chan struct{} // closed when the queue is empty; nil while it is
	err     error         // of writing; nothing is written behind it
	room    sync.Cond     // waiting has become less
}

func newOutput(w io.Writer) *output {
	o := &output{w: w, most: maxWaiting}
	o.room.L = &o.mu
	return o
}

func (o *output) line(text string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.write(text)
}

func (o *output) linef(format string, args ...any) { o.line(fmt.Sprintf(format, args...)) }

// write needs the lock.
func (o *output) write(text string) {
	o.log.Debug().Str("out", movegen.Shorten(text)).Send()
	if o.err != nil {
		return
	}
	o.queue = append(o.queue, append([]byte(text), '\n'))
	o.waiting += len(text) + 1
	if o.busy == nil {
		o.busy = make(chan struct{})
		go o.drain()
	}
}

// drain writes until the queue is empty.
func (o *output) drain() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) > 0 {
		line := o.queue[0]
		o.queue = o.queue[1:]
		o.mu.Unlock()
		_, err := o.w.Write(line)
		o.mu.Lock()
		o.written++
		o.waiting -= len(line)
		if err != nil {
			o.err, o.queue, o.waiting = fmt.Errorf("standard output: %w", err), nil, 0
		}
		o.room.Broadcast()
	}
	close(o.busy)
	o.busy, o.queue = nil, nil
}

// flush waits until all is written, as long as a line is written now and then.
func (o *output) flush(patience time.Duration) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.busy != nil {
		busy, written := o.busy, o.written
		o.mu.Unlock()
		select {
		case <-busy:
		case <-time.After(patience):
		}
		o.mu.Lock()
		if o.busy == busy && o.written == written {
			return errUnread
		}
	}
	return o.err
}

// waitForRoom waits while too much output is unread, and says whether any can
// be written at all.
func (o *output) waitForRoom() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for o.waiting > o.most {
		o.room.Wait()
	}
	return o.err == nil
}

func (o *output) setLog(log zerolog.Logger) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.log = log
}

// lineWriter passes whole lines on to the output, so that another's lines
// cannot come in between. The last line stays back until it is asked for: it
// may be the end of a job.
type lineWriter struct {
	out  *output
	rest string
}

func (w *lineWriter) Write(p []byte) (int, error) {
	w.rest += string(p)
	for {
		line, rest, ok := strings.Cut(w.rest, "\n")
		if !ok || rest == "" {
			return len(p), nil
		}
		w.out.line(line)
		w.rest = rest
	}
}

// last is the line that stayed back, if there is one.
func (w *lineWriter) last() []string {
	if w.rest == "" {
		return nil
	}
	return []string{strings.TrimSuffix(w.rest, "\n")}
}
