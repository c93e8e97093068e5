package solve

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/edsrzf/mmap-go"
	"github.com/klauspost/compress/zstd"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// A search that is stopped leaves a file behind, named like the certificate with
// ".state" behind it and made up alike: the proofs that are done, and the table
// of the search for the next. An entry is its key as in a certificate's body, in
// no order, and four numbers. A table can be as large as the memory, so it is
// written and read an entry at a time.
const (
	stateMagic   = "QirkatSt"
	stateVersion = 2
)

// stateHeader says what was searched for.
type stateHeader struct {
	Header
	Wanted  Claim `json:"wanted"`
	Sets    int   `json:"sets"` // bytes of the positions of the proofs
	Entries int   `json:"entries"`
}

func (p *prover) statePath() string { return p.Path + ".state" }

// save writes the state, where there is a certificate to go on with, and gives
// the error that stopped the search, or that of the file.
func (p *prover) save(cert *certificate, stopped error) error {
	if p.Path == "" {
		return stopped
	}
	h := stateHeader{Header: cert.Header, Wanted: p.Claim}
	h.Nodes, h.Seconds = p.nodes, (p.before + time.Since(p.begin)).Seconds()
	var sets []byte
	for i := range cert.Proofs {
		sets = appendSet(sets, cert.sets[i], cert.Proofs[i].Claim)
	}
	h.Sets = len(sets)
	entries := func(func(k key, n numbers)) {}
	if p.team != nil {
		entries = p.team.table.each
	}
	entries(func(key, numbers) { h.Entries++ })
	if err := tablebase.WriteWhole(p.statePath(), func(w *bufio.Writer) error { return writeState(w, &h, sets, entries) }); err != nil {
		return err
	}
	return stopped
}

func writeState(w io.Writer, h *stateHeader, sets []byte, entries func(func(k key, n numbers))) error {
	head, err := packHead(stateMagic, stateVersion, h)
	if err != nil {
		return err
	}
	sum := crc32.New(castagnoli)
	summed := io.MultiWriter(w, sum)
	if _, err := summed.Write(head); err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(summed, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return err
	}
	body := bufio.NewWriterSize(encoder, 1<<20)
	_, _ = body.Write(sets) // an error stays until Flush
	var entry []byte
	entries(func(k key, n numbers) {
		entry = appendEntry(entry[:0], k, n)
		_, _ = body.Write(entry)
	})
	if err := errors.Join(body.Flush(), encoder.Close()); err != nil {
		return err
	}
	return binary.Write(w, binary.LittleEndian, sum.Sum32())
}

// appendEntry appends an entry of the table as a state has it.
func appendEntry(dst []byte, k key, n numbers) []byte {
	for _, v := range []uint64{k.a, k.b, uint64(n.proof), uint64(n.disproof), uint64(n.work), uint64(n.plies)} {
		dst = binary.AppendUvarint(dst, v)
	}
	return dst
}

// savedTable are the entries of a table in a file.
type savedTable struct {
	path    string
	file    mmap.MMap
	decoder *zstd.Decoder
	body    *bufio.Reader
	entries int
}

// close gives the file back.
func (s *savedTable) close() {
	if s != nil && s.file != nil {
		s.decoder.Close()
		_ = s.file.Unmap()
		s.file = nil
	}
}

// forget removes the state of a search that is done.
func (p *prover) forget() error {
	if err := os.Remove(p.statePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resume reads what an earlier search has left: the proofs go into the
// certificate, and the table is given; nil if there is none.
func (p *prover) resume(cert *certificate) (t *savedTable, err error) {
	if p.Path == "" {
		return nil, nil
	}
	path := p.statePath()
	if err := tablebase.CheckFile(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	data, err := mmap.Map(f, mmap.RDONLY, 0)
	_ = f.Close()
	if err != nil {
		return nil, &FileError{path, "not a state of a search of this program: remove it"}
	}
	defer func() {
		if err != nil {
			_ = data.Unmap()
		}
	}()
	var h stateHeader
	packed, reason := unwrap(data, stateMagic, stateVersion, "a state of a search", &h)
	if reason == "" {
		reason = p.foreign(&h)
	}
	if reason != "" {
		return nil, &FileError{path, reason + ", or remove it"}
	}
	decoder, err := zstd.NewReader(bytes.NewReader(packed), zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	body := bufio.NewReaderSize(decoder, 1<<20)
	sets, err := io.ReadAll(io.LimitReader(body, int64(h.Sets)))
	for _, proof := range h.Proofs {
		set, rest, ok := readSet(sets, proof.Positions, proof.Claim)
		if !ok || err != nil {
			decoder.Close()
			return nil, &FileError{path, "the positions make no sense: remove it"}
		}
		cert.Proofs, cert.sets, sets = append(cert.Proofs, proof), append(cert.sets, set), rest
	}
	p.nodes, p.before = h.Nodes, time.Duration(h.Seconds*float64(time.Second))
	return &savedTable{path, data, decoder, body, h.Entries}, nil
}

// foreign says how a state is that of another search.
func (p *prover) foreign(h *stateHeader) string {
	mine := p.header()
	switch {
	case h.Variant != mine.Variant || fmt.Sprint(h.Options) != fmt.Sprint(mine.Options):
		return fmt.Sprintf("it is of a search of %s, want the same", movegen.RulesText(h.Variant, h.Options))
	case h.Position != mine.Position:
		return fmt.Sprintf("it is of a search of %q, want the same", h.Position)
	case h.Wanted != p.Claim:
		return fmt.Sprintf("it is of a search for %s, want the same", h.Wanted)
	case slices.ContainsFunc(h.Tables, func(f tablebase.FileID) bool { return !slices.Contains(mine.Tables, f) }):
		return "it is of a search with other tables, want the same"
	case len(h.Proofs) > 0 && len(h.Tables) < len(mine.Tables):
		return "one of its proofs is done without some of these tables, want the same"
	case len(h.Proofs) > len(p.attackers()):
		return "its proofs make no sense, want another"
	}
	return ""
}

// into fills the table of a team, and gives the file back. The error is a *FileError.
func (s *savedTable) into(t *team) error {
	if s == nil {
		return nil
	}
	defer s.close()
	t.table.reserve(s.entries)
	for range s.entries {
		var v [6]uint64
		for i := range v {
			n, err := binary.ReadUvarint(s.body)
			if err != nil {
				return &FileError{s.path, "the entries make no sense: remove it"}
			}
			v[i] = n
		}
		t.table.put(key{v[0], v[1]}, numbers{uint32(v[2]), uint32(v[3]), uint32(v[4]), uint16(v[5])})
	}
	return nil
}
