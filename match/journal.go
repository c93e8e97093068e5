package match

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Journal is the record of a tournament on disk: a line of JSON for the
// configuration, and one for each game that is over, in the order in which they
// ended. A line is written in one piece as soon as its game is over, so the
// death of this program loses none; a death of the machine may lose those of
// the last second.
type Journal struct {
	mu    sync.Mutex
	file  *os.File
	dirty bool
	done  chan struct{}
	sync  sync.WaitGroup
}

// header is the first line.
type header struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	ID      string    `json:"id"` // of the tournament: when it began
	Begun   time.Time `json:"begun"`
	Config  *Config   `json:"config"`
}

const (
	journalFormat  = "qirkat match"
	journalVersion = 1
)

// ErrExists is of a record that is there already.
var ErrExists = errors.New("it exists already")

// CreateJournal begins a record. The error is ErrExists where there is a file
// of that name.
func CreateJournal(path string, c *Config) (*Journal, string, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR|os.O_APPEND, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil, "", fmt.Errorf("record %s: %w", path, ErrExists)
	}
	if err != nil {
		return nil, "", err
	}
	if err := lock(f); err != nil {
		_ = f.Close()
		return nil, "", fmt.Errorf("record %s: %w", path, err)
	}
	j := newJournal(f)
	begun := time.Now()
	h := header{journalFormat, journalVersion, begun.UTC().Format("20060102T150405.000"), begun, c}
	if err := j.write(h); err != nil {
		_ = j.Close()
		return nil, "", err
	}
	return j, h.ID, nil
}

// OpenJournal goes on with a record: it gives the configuration, the identity
// of the tournament, and the games that have been played. A last line that was
// not written to its end is cut off. The file belongs to one program at a time.
func OpenJournal(path string) (j *Journal, c *Config, id string, records []Record, err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		return nil, nil, "", nil, err
	}
	h, records, err := takeOver(f)
	if err != nil {
		_ = f.Close()
		return nil, nil, "", nil, fmt.Errorf("record %s: %w", path, err)
	}
	h.Config.Record = path
	return newJournal(f), h.Config, h.ID, records, nil
}

// takeOver locks a record, reads it, and cuts off what is not whole.
func takeOver(f *os.File) (header, []Record, error) {
	if err := lock(f); err != nil {
		return header{}, nil, err
	}
	h, records, whole, err := readJournal(f)
	if err != nil {
		return header{}, nil, err
	}
	return h, records, f.Truncate(whole)
}

// ReadJournal reads a record and changes nothing.
func ReadJournal(in io.Reader) (*Config, []Record, error) {
	h, records, _, err := readJournal(in)
	return h.Config, records, err
}

// readJournal gives also the length of the lines that are whole.
func readJournal(in io.Reader) (h header, records []Record, whole int64, err error) {
	r := bufio.NewReaderSize(in, 1<<20)
	for n := 1; ; n++ {
		line, readErr := r.ReadBytes('\n')
		if errors.Is(readErr, io.EOF) { // what is left has no end
			if n == 1 {
				return h, nil, 0, errors.New("no line of a configuration, want a record of qirkat match")
			}
			return h, records, whole, nil
		}
		if readErr != nil {
			return h, nil, 0, readErr
		}
		if n == 1 {
			if err := json.Unmarshal(line, &h); err != nil || h.Format != journalFormat || h.Config == nil {
				return h, nil, 0, errors.New("line 1: not a configuration, want a record of qirkat match")
			}
			if h.Version != journalVersion {
				return h, nil, 0, fmt.Errorf("line 1: version %d, want %d", h.Version, journalVersion)
			}
		} else {
			var record Record
			if err := json.Unmarshal(line, &record); err != nil {
				return h, nil, 0, fmt.Errorf("line %d: %w", n, err)
			}
			if r := record.Result; r != P1Win && r != P2Win && r != Drawn {
				return h, nil, 0, fmt.Errorf("line %d: result %q: want %s, %s, %s", n, r, P1Win, P2Win, Drawn)
			}
			records = append(records, record)
		}
		whole += int64(len(line))
	}
}

func newJournal(f *os.File) *Journal {
	j := &Journal{file: f, done: make(chan struct{})}
	j.sync.Go(func() {
		for tick := time.NewTicker(time.Second); ; {
			select {
			case <-tick.C:
				_ = j.flush() // Close tells of a lasting failure
			case <-j.done:
				tick.Stop()
				return
			}
		}
	})
	return j
}

// Add writes a game down.
func (j *Journal) Add(r Record) error { return j.write(r) }

func (j *Journal) write(v any) error {
	var line bytes.Buffer
	e := json.NewEncoder(&line)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.dirty = true
	if _, err := j.file.Write(line.Bytes()); err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// flush brings what was written to the disk.
func (j *Journal) flush() error {
	j.mu.Lock()
	dirty := j.dirty
	j.dirty = false
	j.mu.Unlock()
	if !dirty {
		return nil
	}
	return j.file.Sync()
}

// Close brings all to the disk.
func (j *Journal) Close() error {
	close(j.done)
	j.sync.Wait()
	return errors.Join(j.flush(), j.file.Close())
}

// errLocked is of a record that is in use.
var errLocked = errors.New("another qirkat match is writing to it")
