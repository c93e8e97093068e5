package solve

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
)

// A search that is stopped leaves a file behind, named like the certificate with
// ".state" behind it and made up alike: the proofs that are done, and the table
// of the search for the next. An entry is its key as in a certificate's body, in
// no order, and four numbers.
const (
	stateMagic   = "QirkatSt"
	stateVersion = 1
)

// stateHeader says what was searched for.
type stateHeader struct {
	Header
	Wanted  Claim `json:"wanted"`
	Entries int   `json:"entries"`
}

// savedTable are the entries of a table.
type savedTable struct {
	keys    []key
	numbers []numbers
}

func (p *prover) statePath() string { return p.Path + ".state" }

// save writes the state, where there is a certificate to go on with, and gives
// the error that stopped the search.
func (p *prover) save(cert *certificate, stopped error) error {
	if p.Path == "" {
		return stopped
	}
	h := stateHeader{Header: cert.Header, Wanted: p.Claim}
	h.Nodes, h.Seconds = p.nodes, (p.before + time.Since(p.begin)).Seconds()
	var body []byte
	for i := range cert.Proofs {
		body = appendSet(body, cert.sets[i], cert.Proofs[i].Claim)
	}
	if p.team != nil {
		p.team.table.each(func(k key, n numbers) {
			h.Entries++
			for _, v := range []uint64{k.a, k.b, uint64(n.proof), uint64(n.disproof), uint64(n.work), uint64(n.plies)} {
				body = binary.AppendUvarint(body, v)
			}
		})
	}
	data, err := pack(stateMagic, stateVersion, &h, body)
	if err == nil {
		err = writeWhole(p.statePath(), data)
	}
	if err != nil {
		return errors.Join(stopped, err)
	}
	return stopped
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
func (p *prover) resume(cert *certificate) (*savedTable, error) {
	if p.Path == "" {
		return nil, nil
	}
	path := p.statePath()
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var h stateHeader
	body, reason := unpack(data, stateMagic, stateVersion, "a state of a search", &h)
	if reason == "" {
		reason = p.foreign(&h)
	}
	if reason != "" {
		return nil, &FileError{path, reason + ", or remove it"}
	}
	for _, proof := range h.Proofs {
		set, rest, ok := readSet(body, proof.Positions, proof.Claim)
		if !ok {
			return nil, &FileError{path, "the positions make no sense: remove it"}
		}
		cert.Proofs, cert.sets, body = append(cert.Proofs, proof), append(cert.sets, set), rest
	}
	t := new(savedTable)
	for range h.Entries {
		var v [6]uint64
		for i := range v {
			n, length := binary.Uvarint(body)
			if length <= 0 {
				return nil, &FileError{path, "the entries make no sense: remove it"}
			}
			v[i], body = n, body[length:]
		}
		t.keys = append(t.keys, key{v[0], v[1]})
		t.numbers = append(t.numbers, numbers{uint32(v[2]), uint32(v[3]), uint32(v[4]), uint16(v[5])})
	}
	p.nodes, p.before = h.Nodes, time.Duration(h.Seconds*float64(time.Second))
	return t, nil
}

// foreign says how a state is that of another search.
func (p *prover) foreign(h *stateHeader) string {
	mine := p.header()
	switch {
	case h.Variant != mine.Variant || fmt.Sprint(h.Options) != fmt.Sprint(mine.Options):
		return fmt.Sprintf("it is of a search of %s with %v, want the same", h.Variant, h.Options)
	case h.Position != mine.Position:
		return fmt.Sprintf("it is of a search of %q, want the same", h.Position)
	case h.Wanted != p.Claim:
		return fmt.Sprintf("it is of a search for %s, want the same", h.Wanted)
	case h.Pieces != mine.Pieces || !slices.Equal(h.Tables, mine.Tables):
		return "it is of a search with other tables, want the same"
	case len(h.Proofs) > len(p.attackers()):
		return "its proofs make no sense, want another"
	}
	return ""
}

// into fills the table of a team.
func (s *savedTable) into(t *team) {
	if s == nil {
		return
	}
	for i, k := range s.keys {
		if t.table.crowded() {
			t.table.grow()
		}
		t.table.put(k, s.numbers[i])
	}
}
