package eval

import (
	"bytes"
	"compress/flate"
	"embed"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"strings"
	"sync"

	"qirkat/movegen"
)

// Layout says which patterns the evaluation of a variant has (M. Buro, "From
// Simple Features to Sophisticated Evaluation Functions", 1998; S. Lucas,
// "Learning to Play Othello with N-Tuple Systems", 2008). What stands on a
// window of 3×3 points is a number in base 3: digit i is 1 for an own piece on
// its i-th point, row by row, 2 for an enemy piece and 0 for none. Each number of
// each window of the board has an entry in a table of values; windows that a
// symmetry of the rules makes of each other share theirs. One more table goes by
// the numbers of pieces of both sides. There is a set of tables for each phase of
// the game, by the number of pieces on the board.
type Layout struct {
	Phases []int // pieces on the board from which on the next phase holds

	variant *movegen.Variant
	windows []window // row by row
	entries int      // of a phase
	most    int      // pieces of a side
}

// side is the width and height of a window, numbers is how many ways there are
// to fill one.
const (
	side    = 3
	numbers = 19683
)

// window is a place of the window on the board.
type window struct {
	points  []movegen.Point
	entries []int32 // by number
}

func (w *window) all() (s movegen.Set) {
	for _, p := range w.points {
		s |= movegen.Bit(p)
	}
	return s
}

// phases are those of the variants that have patterns (chosen).
var phases = map[string][]int{
	"alquerque-bell":      {10, 17},
	"alquerque-pritchard": {10, 17},
	"fanorona":            {12, 24},
	"quirkat":             {10, 17},
}

// PatternsOf is the layout of a variant; false where it has no patterns.
func PatternsOf(v *movegen.Variant) (*Layout, bool) {
	p, ok := phases[v.Name]
	if !ok {
		return nil, false
	}
	return NewLayout(v, p), true
}

// NewLayout lays the windows out on the board of a variant.
func NewLayout(v *movegen.Variant, phases []int) *Layout {
	l := &Layout{Phases: phases, variant: v}
	for _, n := range v.StartPieces() {
		l.most = max(l.most, n)
	}
	l.entries = (l.most + 1) * (l.most + 1)
	for r := range v.Size.H - side + 1 {
		for c := range v.Size.W - side + 1 {
			var w window
			for i := range side * side {
				w.points = append(w.points, v.Size.At(c+i%side, r+i/side))
			}
			l.windows = append(l.windows, w)
		}
	}
	l.share(v.Symmetries())
	return l
}

// share numbers the entries, one for all that symmetries make of each other.
func (l *Layout) share(symmetries []movegen.Symmetry) {
	places := map[movegen.Set]int{}
	for i := range l.windows {
		places[l.windows[i].all()] = i
	}
	for i := range l.windows {
		w := &l.windows[i]
		first := i
		var images [][]int // on the first of the windows that the window becomes: what its digits are worth there
		for _, s := range symmetries {
			to, ok := places[s.Image(w.all())]
			if !ok || to > first {
				continue
			}
			if to < first {
				first, images = to, nil
			}
			var worth []int
			for _, p := range w.points {
				worth = append(worth, pow3(slices.Index(l.windows[to].points, s[p])))
			}
			images = append(images, worth)
		}
		w.entries = make([]int32, numbers)
		for n := range w.entries {
			least := len(w.entries)
			for _, worth := range images {
				number := 0
				for k, rest := 0, n; rest > 0; k, rest = k+1, rest/3 {
					number += rest % 3 * worth[k]
				}
				least = min(least, number)
			}
			if first < i || least < n {
				w.entries[n] = l.windows[first].entries[least]
				continue
			}
			w.entries[n] = int32(l.entries)
			l.entries++
		}
	}
}

func pow3(n int) int {
	p := 1
	for range n {
		p *= 3
	}
	return p
}

// Entries is the number of values of the patterns, of all phases.
func (l *Layout) Entries() int { return (len(l.Phases) + 1) * l.entries }

// Phase is the phase of a position with so many pieces.
func (l *Layout) Phase(pieces int) int {
	phase := 0
	for phase < len(l.Phases) && pieces >= l.Phases[phase] {
		phase++
	}
	return phase
}

// Of appends the entries of a position for the side to move, with the board
// turned so that it plays upwards. This is the slow way, for those who fit.
func (l *Layout) Of(dst []int32, own, enemy movegen.Set) []int32 {
	first := int32(l.Phase((own | enemy).Len()) * l.entries)
	dst = append(dst, first+int32(own.Len()*(l.most+1)+enemy.Len()))
	for i := range l.windows {
		w := &l.windows[i]
		number := 0
		for _, p := range slices.Backward(w.points) {
			number *= 3
			switch {
			case own.Has(p):
				number++
			case enemy.Has(p):
				number += 2
			}
		}
		dst = append(dst, first+w.entries[number])
	}
	return dst
}

// The file of patterns: a line with the version, the number of values and their checksum, then
// the values, compressed: 16 bits each, all low halves before all high ones.
const patternMagic = "qirkat patterns 1\n"

// WritePatterns writes the values of the entries of a layout, in centipieces.
func WritePatterns(w io.Writer, l *Layout, values []int16) error {
	if len(values) != l.Entries() {
		return fmt.Errorf("patterns: %d values, want %d", len(values), l.Entries())
	}
	plain := make([]byte, 2*len(values))
	for i, v := range values {
		plain[i], plain[len(values)+i] = byte(v), byte(v>>8)
	}
	var file bytes.Buffer
	file.WriteString(patternMagic)
	head := binary.LittleEndian.AppendUint32(nil, uint32(len(values)))
	file.Write(binary.LittleEndian.AppendUint32(head, crc32.ChecksumIEEE(plain)))
	packer, err := flate.NewWriter(&file, flate.BestCompression)
	if err != nil {
		return err
	}
	if _, err := packer.Write(plain); err != nil {
		return err
	}
	if err := packer.Close(); err != nil {
		return err
	}
	_, err = w.Write(file.Bytes())
	return err
}

// readPatterns reads what WritePatterns wrote.
func readPatterns(l *Layout, file []byte) ([]int16, error) {
	rest, ok := bytes.CutPrefix(file, []byte(patternMagic))
	if !ok || len(rest) < 8 {
		return nil, errors.New("patterns: not a file of patterns of this version")
	}
	n := l.Entries()
	if got := binary.LittleEndian.Uint32(rest); got != uint32(n) {
		return nil, fmt.Errorf("patterns: %d values, want %d", got, n)
	}
	plain := make([]byte, 2*n)
	unpacker := flate.NewReader(bytes.NewReader(rest[8:]))
	if _, err := io.ReadFull(unpacker, plain); err != nil {
		return nil, fmt.Errorf("patterns: %w", err)
	}
	if k, err := unpacker.Read(make([]byte, 1)); k != 0 || err != io.EOF {
		return nil, errors.New("patterns: more values than there should be")
	}
	if binary.LittleEndian.Uint32(rest[4:]) != crc32.ChecksumIEEE(plain) {
		return nil, errors.New("patterns: checksum does not match")
	}
	values := make([]int16, n)
	for i := range values {
		values[i] = int16(uint16(plain[i]) | uint16(plain[n+i])<<8)
	}
	return values, nil
}

//go:embed patterns/*.bin
var patternFiles embed.FS

// patterns are the patterns of a variant, ready to be looked up. The numbers of
// the windows side by side lie in lanes of 16 bits of two words, so that three
// rows add up in all lanes at once. Windows in the right half of the board see
// their rows from the right, and where no direction is closed those in the upper
// half from above, so that they find their entries in the tables of their
// mirror images.
type patterns struct {
	width, height uint8
	row           uint64      // the points of a row
	codes         [][2]uint64 // by the own pieces on a row: the parts of the numbers, in lanes
	phase         []uint8     // by pieces on the board
	tables        [][]*values // by phase and row of windows
	upper         int         // the first row of windows that is seen from above
	balance       [][]int16   // by phase: by own pieces times stride, and enemy pieces
	stride        int
	turn          int // points of the board that is turned for Black; 0: it need not be
}

// values are the tables of the windows of a row of windows, from the edge to
// the middle, with room for what 16 bits may say so that no index needs a check.
type values [3*numbers + 1<<16]int16

// patternsOf are the embedded patterns of a variant; nil where it has none.
func patternsOf(v *movegen.Variant) *patterns {
	load, ok := embedded[v.Name]
	if !ok {
		return nil
	}
	if plain := plainRow(v.Name); v.StepDirections() != plain.StepDirections() || v.JumpDirections() != plain.JumpDirections() {
		return nil
	}
	return load()
}

func plainRow(name string) *movegen.Variant {
	v, err := movegen.FindVariant(name)
	if err != nil {
		panic("eval: " + err.Error())
	}
	return v
}

// embedded reads the patterns of a variant once, when they are first needed.
var embedded = func() map[string]func() *patterns {
	m := map[string]func() *patterns{}
	for name := range phases {
		m[name] = sync.OnceValue(func() *patterns {
			l, _ := PatternsOf(plainRow(name))
			file, err := patternFiles.ReadFile("patterns/" + strings.ToLower(name) + ".bin")
			if err != nil {
				return nil // still to be made
			}
			values, err := readPatterns(l, file)
			if err != nil {
				panic("eval: " + name + ": " + err.Error())
			}
			return newPatterns(l, values)
		})
	}
	return m
}()

// newPatterns lays values out to be looked up.
func newPatterns(l *Layout, from []int16) *patterns {
	z := l.variant.Size
	p := &patterns{width: uint8(z.W), height: uint8(z.H), row: 1<<z.W - 1, stride: l.most + 1, upper: (z.H - 1) / 2}
	if l.variant.Directed() {
		p.turn, p.upper = z.W*z.H, z.H
	}
	lanes := z.W - side + 1
	if lanes != 3 && lanes != 7 {
		panic("eval: patterns are for boards of 5 and of 9 columns")
	}
	for row := range 1 << z.W {
		var code [2]uint64
		for lane := range lanes {
			n := uint64(row>>lane&1 + row>>(lane+1)&1*3 + row>>(lane+2)&1*9)
			if lane > lanes/2 {
				n = uint64(row>>lane&1*9 + row>>(lane+1)&1*3 + row>>(lane+2)&1)
			}
			code[lane/4] |= n << (lane % 4 * 16)
		}
		p.codes = append(p.codes, code)
	}
	for pieces := range z.W*z.H + 1 {
		p.phase = append(p.phase, uint8(l.Phase(pieces)))
	}
	for phase := range len(l.Phases) + 1 {
		first := from[phase*l.entries:]
		p.balance = append(p.balance, first[:p.stride*p.stride])
		var tables []*values
		for r := range z.H - side + 1 {
			if r >= p.upper {
				tables = append(tables, tables[z.H-side-r])
				continue
			}
			t := new(values)
			for c := range lanes/2 + 1 {
				for n, entry := range l.windows[r*lanes+c].entries {
					t[c*numbers+n] = first[entry]
				}
			}
			tables = append(tables, t)
		}
		p.tables = append(p.tables, tables)
	}
	return p
}

// value is what the patterns say of a position for the side to move, in
// centipieces.
func (p *patterns) value(own, enemy movegen.Set, turn movegen.Side) int32 {
	if p == nil {
		return 0
	}
	if p.turn != 0 && turn == movegen.Black {
		own, enemy = own.Turned(p.turn), enemy.Turned(p.turn)
	}
	phase := p.phase[(own | enemy).Len()]
	sum := int32(p.balance[phase][own.Len()*p.stride+enemy.Len()])
	tables := p.tables[phase]
	if p.width == 5 {
		return sum + p.narrow(own, enemy, tables)
	}
	return sum + p.wide(own, enemy, tables)
}

// narrow adds up the windows of a board of five columns.
func (p *patterns) narrow(own, enemy movegen.Set, tables []*values) (sum int32) {
	var a, b, c uint64 // the last three rows
	for r := range int(p.height) {
		a, b, c = b, c, p.codes[uint64(own)&p.row][0]+2*p.codes[uint64(enemy)&p.row][0]
		own, enemy = own.Down(p.width), enemy.Down(p.width)
		if r < side-1 {
			continue
		}
		n, t := a+27*b+729*c, tables[r-side+1]
		if r-side+1 >= p.upper {
			n = c + 27*b + 729*a
		}
		sum += int32(t[n&0xffff]) + int32(t[n>>16&0xffff+numbers]) + int32(t[n>>32&0xffff])
	}
	return sum
}

// wide adds up the windows of a board of nine columns.
func (p *patterns) wide(own, enemy movegen.Set, tables []*values) (sum int32) {
	var a, b, c, d, e, f uint64 // both words of the last three rows
	for r := range int(p.height) {
		mine, theirs := &p.codes[uint64(own)&p.row], &p.codes[uint64(enemy)&p.row]
		own, enemy = own.Down(p.width), enemy.Down(p.width)
		a, b, c = b, c, mine[0]+2*theirs[0]
		d, e, f = e, f, mine[1]+2*theirs[1]
		if r < side-1 {
			continue
		}
		n, m := a+27*b+729*c, d+27*e+729*f
		if r-side+1 >= p.upper {
			n, m = c+27*b+729*a, f+27*e+729*d
		}
		t := tables[r-side+1]
		sum += int32(t[n&0xffff]) + int32(t[n>>16&0xffff+numbers]) + int32(t[n>>32&0xffff+2*numbers]) + int32(t[n>>48+3*numbers]) +
			int32(t[m&0xffff+2*numbers]) + int32(t[m>>16&0xffff+numbers]) + int32(t[m>>32&0xffff])
	}
	return sum
}

// Plain are the weights without the patterns, to measure what those gain.
func (w *Weights) Plain() *Weights {
	plain := *w
	plain.patterns = nil
	return &plain
}
