package solve

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"os"

	"github.com/klauspost/compress/zstd"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// A certificate file holds, in this order, numbers little-endian:
//
//	magic    "QirkatPf"
//	version  uint32
//	length   uint32, of the header
//	text     JSON of a Header
//	body     a zstd frame
//	check    uint32, CRC-32C of all before it
//
// The body has, for each proof of the header, its positions by rising key. A
// position is three numbers in the variable length of encoding/binary: what the
// first word of its key is more than that of the one before; its second word,
// or, where the first number is 0, what that is more than the one before; and in
// the proof of a win the bound on the plies.
const (
	certificateMagic   = "QirkatPf"
	certificateVersion = 1
)

// Header says what a certificate proves, and by what.
type Header struct {
	Variant  string            `json:"variant"`
	Options  map[string]string `json:"options"` // every switch of the variant's family
	Position string            `json:"position"`
	// Pieces is the number up to which positions are looked up in tables, and
	// Tables are those tables.
	Pieces int                `json:"pieces"`
	Tables []tablebase.FileID `json:"tables"`
	Proofs []Proof            `json:"proofs"`
	// Nodes and Seconds are what the search took.
	Nodes   uint64  `json:"nodes"`
	Seconds float64 `json:"seconds"`
}

// Proof is a claim with the number of positions that prove it.
type Proof struct {
	Claim     Claim `json:"claim"`
	Positions int   `json:"positions"`
}

// Claim is what a proof can prove of a position.
type Claim string

// The claims. The last is for a search only: whatever the value is.
const (
	WhiteWins  Claim = "white-wins"
	BlackWins  Claim = "black-wins"
	WhiteDraws Claim = "white-draws" // at least
	BlackDraws Claim = "black-draws"
	Value      Claim = "value"
)

// Claims lists them.
var Claims = []Claim{WhiteWins, BlackWins, WhiteDraws, BlackDraws, Value}

// wins is the claim that a side wins.
func wins(s movegen.Side) Claim { return [...]Claim{WhiteWins, BlackWins}[s&1] }

// draws is the claim that a side draws at least.
func draws(s movegen.Side) Claim { return [...]Claim{WhiteDraws, BlackDraws}[s&1] }

// reads tells a claim of a proof apart: whose win it is about, and whether it
// says that there is one.
func (c Claim) reads() (attacker movegen.Side, wins, ok bool) {
	switch c {
	case WhiteWins:
		return movegen.White, true, true
	case BlackWins:
		return movegen.Black, true, true
	case WhiteDraws:
		return movegen.Black, false, true
	case BlackDraws:
		return movegen.White, false, true
	}
	return movegen.None, false, false
}

// certificate is a header with the positions of its proofs.
type certificate struct {
	Header
	sets [][]ranked // by proof, sorted by key; the bounds of a draw are 0
}

// A FileError says which certificate or state of a search cannot be used, and why.
type FileError struct{ Path, Reason string }

func (e *FileError) Error() string { return fmt.Sprintf("%s: %s", e.Path, e.Reason) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// encode gives the bytes of a certificate file.
func (c *certificate) encode() ([]byte, error) {
	var body []byte
	for i := range c.Proofs {
		body = appendSet(body, c.sets[i], c.Proofs[i].Claim)
	}
	return pack(certificateMagic, certificateVersion, &c.Header, body)
}

// pack makes a file of a header and a body, with a magic word and a version in
// front and a checksum behind.
func pack(magic string, version uint32, header any, body []byte) ([]byte, error) {
	data, err := packHead(magic, version, header)
	if err != nil {
		return nil, err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBetterCompression), zstd.WithEncoderCRC(false))
	if err != nil {
		return nil, err
	}
	defer func() { _ = encoder.Close() }()
	data = encoder.EncodeAll(body, data)
	return binary.LittleEndian.AppendUint32(data, crc32.Checksum(data, castagnoli)), nil
}

// packHead makes what comes before the body.
func packHead(magic string, version uint32, header any) ([]byte, error) {
	text, err := json.Marshal(header)
	if err != nil {
		return nil, err
	}
	data := binary.LittleEndian.AppendUint32([]byte(magic), version)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(text)))
	return append(data, text...), nil
}

// unpack undoes pack: it reads the header and gives the body. what is the kind
// of file, for the reason why it cannot be read.
func unpack(data []byte, magic string, version uint32, what string, header any) (body []byte, reason string) {
	packed, reason := unwrap(data, magic, version, what, header)
	if reason != "" {
		return nil, reason
	}
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(64<<30))
	if err != nil {
		return nil, err.Error()
	}
	defer decoder.Close()
	if body, err = decoder.DecodeAll(packed, nil); err != nil {
		return nil, "the positions cannot be unpacked: " + err.Error()
	}
	return body, ""
}

// unwrap reads the header and gives the body as it is packed.
func unwrap(data []byte, magic string, version uint32, what string, header any) (packed []byte, reason string) {
	head := len(magic) + 8
	if len(data) < head+4 || !bytes.HasPrefix(data, []byte(magic)) {
		return nil, "not " + what + " of this program"
	}
	if v := binary.LittleEndian.Uint32(data[len(magic):]); v != version {
		return nil, fmt.Sprintf("format version %d, want %d: solve it again", v, version)
	}
	rest, check := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(rest, castagnoli) != check {
		return nil, "cut short or changed: it does not fit its checksum, solve it again"
	}
	length := int(binary.LittleEndian.Uint32(data[len(magic)+4:]))
	if length > len(rest)-head {
		return nil, "the header makes no sense: solve it again"
	}
	d := json.NewDecoder(bytes.NewReader(rest[head : head+length]))
	d.DisallowUnknownFields()
	if err := d.Decode(header); err != nil {
		return nil, "the header cannot be read: " + err.Error()
	}
	return rest[head+length:], ""
}

func appendSet(dst []byte, set []ranked, c Claim) []byte {
	_, won, _ := c.reads()
	var last key
	for _, r := range set {
		dst = binary.AppendUvarint(dst, r.a-last.a)
		b := r.b
		if r.a == last.a {
			b -= last.b
		}
		dst = binary.AppendUvarint(dst, b)
		if won {
			dst = binary.AppendUvarint(dst, uint64(r.plies))
		}
		last = r.key
	}
	return dst
}

// readSet undoes appendSet. It says no where the bytes are none of it.
func readSet(data []byte, n int, c Claim) (set []ranked, rest []byte, ok bool) {
	_, won, _ := c.reads()
	if n < 0 || n > len(data)/2 {
		return nil, nil, false
	}
	set = make([]ranked, n)
	var last key
	ok = true
	number := func() uint64 {
		v, length := binary.Uvarint(data)
		if length <= 0 {
			ok = false
			return 0
		}
		data = data[length:]
		return v
	}
	for i := range set {
		k := key{a: last.a + number()}
		k.b = number()
		if k.a == last.a {
			k.b += last.b
		}
		set[i].key = k
		if won {
			plies := number()
			ok = ok && plies < unranked
			set[i].plies = uint16(plies)
		}
		if !ok || i > 0 && !last.less(k) {
			return nil, nil, false
		}
		last = k
	}
	return set, data, true
}

// readCertificate reads a file. The errors are a *FileError, a
// *tablebase.RefusalError of what is no file, and those of opening it.
func readCertificate(path string) (*certificate, error) {
	if err := tablebase.CheckFile(path); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parseCertificate(path, data)
}

// parseCertificate reads what a file holds. The errors are a *FileError.
func parseCertificate(path string, data []byte) (*certificate, error) {
	c := new(certificate)
	body, reason := unpack(data, certificateMagic, certificateVersion, "a certificate", &c.Header)
	if reason != "" {
		return nil, &FileError{path, reason}
	}
	for _, p := range c.Proofs {
		if _, _, ok := p.Claim.reads(); !ok {
			return nil, &FileError{path, fmt.Sprintf("the claim %q is none", p.Claim)}
		}
		set, rest, ok := readSet(body, p.Positions, p.Claim)
		if !ok {
			return nil, &FileError{path, "the positions make no sense: solve it again"}
		}
		c.sets, body = append(c.sets, set), rest
	}
	if len(c.Proofs) == 0 || len(body) > 0 {
		return nil, &FileError{path, "the header does not fit the positions: solve it again"}
	}
	return c, nil
}

func writeWhole(path string, data []byte) error {
	return tablebase.WriteWhole(path, func(w *bufio.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
