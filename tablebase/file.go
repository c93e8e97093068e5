package tablebase

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"sync"

	"github.com/edsrzf/mmap-go"
	"github.com/klauspost/compress/zstd"
)

// A file holds one kind of value of one material, in this order; numbers are
// little-endian.
//
//	magic    "QirkatTB"
//	version  uint32
//	length   uint32, of the header
//	text     JSON of a Header
//	check    uint32, CRC-32C of all before it
//	blocks   zstd frames
//	offsets  uint64 each: where each block begins, and where the last ends
//	checks   uint32 each: CRC-32C of each block as it is in the file
//	check    uint32, CRC-32C of the offsets and checks
//
// The blocks hold Header.Places values, BlockPlaces each and the last one what
// is left.
const (
	magic   = "QirkatTB"
	version = 1
)

// Kind is what a file holds for each place.
type Kind string

// The kinds of files.
const (
	// Distances holds a byte a place: a code of result and plies to the end.
	Distances Kind = "distance"
	// Results holds two bits a place: 0 draw, 1 win, 2 loss.
	Results Kind = "wdl"
	// Differences holds two bytes a place of Al-manqala: the final difference
	// of seeds as a signed byte, and the plies that it takes at most.
	Differences Kind = "difference"
)

// Header says what a file holds.
type Header struct {
	Variant string            `json:"variant"` // that it was built for
	Options map[string]string `json:"options"` // every switch of the variant's family
	Rules   string            `json:"rules"`   // the same for all rules with the same tables
	Kind    Kind              `json:"kind"`
	// State names what the places know of the turns before; empty if nothing.
	State    string `json:"state,omitempty"`
	Material string `json:"material"` // "LARGER-SMALLER" or a number of seeds

	Places      int `json:"places"`
	BlockPlaces int `json:"blockPlaces"` // a multiple of 4
	// Stored counts the places that are not filler: captures are.
	Stored int `json:"stored"`
	Counts
}

// Counts is what a table says of all positions of its material, without
// symmetry and with either side to move, captures included.
type Counts struct {
	Positions int `json:"positions"`
	Wins      int `json:"wins"` // of the side to move
	Draws     int `json:"draws"`
	Losses    int `json:"losses"`
	// Longest is the most plies of a win, in Al-manqala of a difference, and
	// LongestAt a position that takes them, if there is one.
	Longest   int    `json:"longest"`
	LongestAt string `json:"longestAt,omitempty"`
}

// FileError says which file cannot be used, and why.
type FileError struct {
	Path   string
	Reason string
}

func (e *FileError) Error() string { return fmt.Sprintf("table %s: %s", e.Path, e.Reason) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// blockBytes is the size of a block that holds so many places. With last steps it
// holds three columns: values, those without a step, and the step in a byte.
func (h *Header) blockBytes(places int) int {
	switch {
	case h.Kind == Differences:
		return 2 * places
	case h.Kind == Results && h.State != "":
		return (places+3)/4*2 + places
	case h.Kind == Results:
		return (places + 3) / 4
	case h.State != "":
		return 3 * places
	}
	return places
}

func (h *Header) blocks() int { return (h.Places + h.BlockPlaces - 1) / h.BlockPlaces }

// in is how many places a block holds.
func (h *Header) in(block int) int { return min(h.BlockPlaces, h.Places-block*h.BlockPlaces) }

// temporary begins the name of a file that is being written.
const temporary = ".writing-"

// clearLeftOver removes what builds have left over that were killed while they wrote.
func clearLeftOver(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, temporary+"*"))
	for _, path := range left {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}

// writeFile writes a file whole or not at all. A block is asked for with a buffer to append to,
// from several goroutines.
func writeFile(path string, h *Header, threads int, block func(dst []byte, i int) []byte) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("table %s: %w", path, err)
		}
	}()
	return WriteWhole(path, func(w *bufio.Writer) error { return h.write(w, threads, block) })
}

// WriteWhole has a file written whole or not at all: under another name first,
// which it gets rid of on an error.
func WriteWhole(path string, write func(*bufio.Writer) error) (err error) {
	if err := CheckTarget(path); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), temporary+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err := f.Chmod(0o644); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	w := bufio.NewWriterSize(f, 1<<20)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// encoder packs blocks, one for all files: to make one takes long. The best level
// would save 7 % and take ten times as much memory, 40 MiB for each thread.
var encoder = sync.OnceValue(func() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false))
	if err != nil {
		panic("tablebase: zstd: " + err.Error())
	}
	return e
})

func (h *Header) write(w *bufio.Writer, threads int, block func(dst []byte, i int) []byte) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	head := binary.LittleEndian.AppendUint32([]byte(magic), version)
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	head = append(head, text...)
	head = binary.LittleEndian.AppendUint32(head, crc32.Checksum(head, castagnoli))
	if _, err := w.Write(head); err != nil {
		return err
	}
	offset := uint64(len(head))
	offsets := binary.LittleEndian.AppendUint64(nil, offset)
	var checks []byte
	packed := make([][]byte, threads)
	raw := make([][]byte, threads)
	for first := 0; first < h.blocks(); first += threads {
		var group sync.WaitGroup
		n := min(threads, h.blocks()-first)
		for i := range n {
			group.Go(func() {
				raw[i] = block(raw[i][:0], first+i)
				packed[i] = encoder().EncodeAll(raw[i], packed[i][:0])
			})
		}
		group.Wait()
		for _, p := range packed[:n] {
			if _, err := w.Write(p); err != nil {
				return err
			}
			offset += uint64(len(p))
			offsets = binary.LittleEndian.AppendUint64(offsets, offset)
			checks = binary.LittleEndian.AppendUint32(checks, crc32.Checksum(p, castagnoli))
		}
	}
	offsets = append(offsets, checks...)
	offsets = binary.LittleEndian.AppendUint32(offsets, crc32.Checksum(offsets, castagnoli))
	_, err = w.Write(offsets)
	return err
}

// file is a table file, mapped into memory and shared with every process that
// does the same. It is safe for concurrent use.
type file struct {
	Header
	path    string
	data    []byte
	offsets []byte       // in data, the checks behind them
	unmap   func() error // nil: the data are part of the program

	resident []byte // all blocks unpacked, one after the other; nil unless Load was called
}

// decoder takes blocks apart. It limits what a wrong file may ask for.
var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<30))
	if err != nil {
		panic("tablebase: zstd: " + err.Error())
	}
	return d
})

// openFile maps a file and checks all but its blocks.
func openFile(path string) (*file, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // to open a pipe could take for ever
		return nil, &FileError{path, "no file, want a table of this program"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	bad := func(reason string) (*file, error) { return nil, &FileError{path, reason} }
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() == 0 {
		return bad("empty, want a table of this program")
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", path, err)
	}
	t := &file{path: path, data: data, unmap: data.Unmap}
	if reason := t.parse(); reason != "" {
		_ = data.Unmap()
		return bad(reason)
	}
	return t, nil
}

// parse reads the header and the offsets. It says what is wrong with them.
func (t *file) parse() string {
	const head = len(magic) + 8
	data := t.data
	if len(data) < head || !bytes.HasPrefix(data, []byte(magic)) {
		return "not a table of this program"
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v != version {
		return fmt.Sprintf("format version %d, want %d: build it again", v, version)
	}
	length := int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	if length > len(data)-head-4 {
		return "cut short in the header: build it again"
	}
	body := head + length + 4
	if crc32.Checksum(data[:body-4], castagnoli) != binary.LittleEndian.Uint32(data[body-4:]) {
		return "the header does not fit its checksum: build it again"
	}
	if err := json.Unmarshal(data[head:body-4], &t.Header); err != nil {
		return "the header cannot be read: " + err.Error()
	}
	h := &t.Header
	const most = 1 << 24
	if h.Places <= 0 || h.BlockPlaces <= 0 || h.BlockPlaces > most || h.BlockPlaces%4 != 0 {
		return "the header makes no sense: build it again"
	}
	tail := 8*(h.blocks()+1) + 4*h.blocks() + 4
	if tail < 0 || tail > len(data)-body {
		return "cut short: build it again"
	}
	t.offsets = data[len(data)-tail:]
	check := binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(t.offsets[:tail-4], castagnoli) != check {
		return "cut short or changed: the offsets do not fit their checksum: build it again"
	}
	previous := uint64(body)
	for i := range h.blocks() + 1 {
		at := binary.LittleEndian.Uint64(t.offsets[8*i:])
		if at < previous || i == 0 && at != previous {
			return "the offsets make no sense: build it again"
		}
		previous = at
	}
	if previous != uint64(len(data)-tail) {
		return "the offsets make no sense: build it again"
	}
	return ""
}

// fault is the panic of memory that cannot be read.
type fault interface {
	runtime.Error
	Addr() uintptr
}

// caught makes an error of a panic that a mapped file causes which has become
// shorter. It is deferred, with what SetPanicOnFault gave.
func (t *file) caught(before bool, err *error) {
	debug.SetPanicOnFault(before)
	switch r := recover().(type) {
	case nil:
	case fault:
		*err = &FileError{t.path, "cut short while in use, or it cannot be read: build it again"}
	default:
		panic(r)
	}
}

// block appends the bytes of a block to dst.
func (t *file) block(dst []byte, i int) (_ []byte, err error) {
	defer t.caught(debug.SetPanicOnFault(true), &err)
	from, to := binary.LittleEndian.Uint64(t.offsets[8*i:]), binary.LittleEndian.Uint64(t.offsets[8*i+8:])
	if from > to || to > uint64(len(t.data)) {
		return nil, &FileError{t.path, "changed while in use: build it again"}
	}
	packed, begin := t.data[from:to], len(dst)
	check := binary.LittleEndian.Uint32(t.offsets[8*(t.blocks()+1)+4*i:])
	if crc32.Checksum(packed, castagnoli) != check {
		return nil, &FileError{t.path, fmt.Sprintf("block %d does not fit its checksum: build it again", i)}
	}
	dst, err = decoder().DecodeAll(packed, dst)
	if err != nil {
		return nil, &FileError{t.path, fmt.Sprintf("block %d: %v: build it again", i, err)}
	}
	if len(dst)-begin != t.blockBytes(t.in(i)) {
		return nil, &FileError{t.path, fmt.Sprintf("block %d has %d bytes, want %d: build it again", i, len(dst)-begin, t.blockBytes(t.in(i)))}
	}
	return dst, nil
}

func (t *file) close() error {
	if t.unmap == nil {
		return nil
	}
	return t.unmap()
}
