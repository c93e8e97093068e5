package tablebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"qirkat/movegen/slow"
)

// differencePlaces is the number of boards of a block: 16 KiB unpacked.
const differencePlaces = 1 << 13

// seedBuilder is the build of the tables of Al-manqala.
type seedBuilder struct {
	Config
	*sower
	list []differences // by number of seeds; the plies are kept of the last only
}

// need is the memory in bytes that the table of so many seeds takes while it is
// computed.
func (*seedBuilder) need(seeds int) int64 {
	n := 5 * distributions(seeds) // values, plies, captures, open; and lists
	for fewer := range seeds {
		n += distributions(fewer)
	}
	return int64(n) + 128<<20 // the program, its buffers, and the garbage of a while
}

func (b *seedBuilder) run(ctx context.Context) error {
	if b.Count < 1 || b.Count > MaxSeeds {
		return refuse("%d seeds: want 1 to %d", b.Count, MaxSeeds)
	}
	if need := b.need(b.Count); need > b.Memory {
		return refuse("%s of memory: the table of %d seeds needs %s", gibibytes(b.Memory), b.Count, gibibytes(need))
	}
	leave, err := enterFolders(filepath.Join(b.Dir, b.name()))
	if err != nil {
		return err
	}
	defer leave()
	total := 0
	for seeds := 1; seeds <= b.Count; seeds++ {
		total += distributions(seeds)
	}
	if b.OnPlan != nil {
		b.OnPlan(total)
	}
	b.list = []differences{emptyBoard()}
	for seeds := 1; seeds <= b.Count; seeds++ {
		if err := b.table(ctx, seeds); err != nil {
			return err
		}
		b.list[seeds].plies = nil
	}
	return nil
}

// emptyBoard is the table of no seeds.
func emptyBoard() differences { return differences{values: []int8{0}, plies: []uint8{0}} }

// table computes the table of so many seeds, or reads it.
func (b *seedBuilder) table(ctx context.Context, seeds int) error {
	begin := time.Now()
	path := b.path(seeds)
	f, err := b.openOn(seeds)
	report := Report{Found: err == nil}
	switch {
	case err == nil:
		defer func() { _ = f.close() }()
		d, err := readDifferences(f)
		if err != nil {
			return err
		}
		b.list = append(b.list, d)
		report.Header = f.Header
		if b.OnPlaces != nil {
			b.OnPlaces(distributions(seeds))
		}
	case errors.Is(err, fs.ErrNotExist):
		d, err := b.solve(ctx, b.list, b.Threads, b.OnPlaces)
		if err != nil {
			return err
		}
		b.list = append(b.list, d)
		h := b.header(seeds, &d)
		if err := writeFile(path, h, b.Threads, d.blocks(h)); err != nil {
			return err
		}
		report.Header = *h
	default:
		return err
	}
	report.Took = time.Since(begin)
	if info, err := os.Stat(path); err == nil {
		report.Bytes = info.Size()
	}
	if b.OnTable != nil {
		b.OnTable(report)
	}
	return nil
}

func (b *seedBuilder) path(seeds int) string { return b.fileName(b.Dir, seeds) }

// fileName is the name of the file of so many seeds.
func (s *sower) fileName(dir string, seeds int) string {
	return filepath.Join(dir, s.name(), strconv.Itoa(seeds)+"."+string(Differences))
}

// openOn opens a file on disk.
func (b *seedBuilder) openOn(seeds int) (*file, error) { return b.open(b.path(seeds), seeds, openFile) }

// open opens the file of so many seeds, by a function that opens files.
func (s *sower) open(path string, seeds int, open func(path string) (*file, error)) (*file, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	reason := ""
	switch h := &f.Header; {
	case h.Rules != s.name():
		reason = fmt.Sprintf("it has the rules %s, want %s", h.Rules, s.name())
	case h.Kind != Differences || h.Material != strconv.Itoa(seeds):
		reason = fmt.Sprintf("it has the material %s and the kind %s, want %d and %s", h.Material, h.Kind, seeds, Differences)
	case h.Places != distributions(seeds):
		reason = fmt.Sprintf("%d places, want %d: build it again", h.Places, distributions(seeds))
	}
	if reason != "" {
		_ = f.close()
		return nil, &FileError{f.path, reason}
	}
	return f, nil
}

func (b *seedBuilder) header(seeds int, d *differences) *Header {
	h := &Header{
		Variant: b.Variant.Name, Options: options(b.Variant), Rules: b.name(), Kind: Differences,
		Material: strconv.Itoa(seeds), Places: len(d.values), BlockPlaces: differencePlaces, Stored: len(d.values),
	}
	h.Positions = len(d.values)
	longest := -1
	for place, v := range d.values {
		switch {
		case v > 0:
			h.Wins++
		case v < 0:
			h.Losses++
		default:
			h.Draws++
		}
		if plies := int(d.plies[place]); plies > h.Longest {
			h.Longest, longest = plies, place
		}
	}
	if longest >= 0 {
		at := boardAt(longest, seeds)
		h.LongestAt = at.text()
	}
	return h
}

// blocks gives the blocks of a file: first the differences of its boards, then
// the plies.
func (d *differences) blocks(h *Header) func(dst []byte, i int) []byte {
	return func(dst []byte, i int) []byte {
		from, to := i*h.BlockPlaces, i*h.BlockPlaces+h.in(i)
		for _, v := range d.values[from:to] {
			dst = append(dst, byte(v))
		}
		return append(dst, d.plies[from:to]...)
	}
}

func readDifferences(f *file) (d differences, err error) {
	var block []byte
	for i := range f.blocks() {
		if block, err = f.block(block[:0], i); err != nil {
			return d, err
		}
		n := f.in(i)
		for _, v := range block[:n] {
			d.values = append(d.values, int8(v))
		}
		d.plies = append(d.plies, block[n:]...)
	}
	return d, nil
}

// text is the position text with White to move and stores as equal as they can
// be.
func (b *board) text() string {
	var upper, lower [rowHouses]string
	for i, n := range b {
		if i < rowHouses {
			lower[i] = strconv.Itoa(int(n))
		} else {
			upper[houses-1-i] = strconv.Itoa(int(n))
		}
	}
	const all = 98
	stores := all - b.seeds()
	return fmt.Sprintf("%s/%s w %d,%d 0 1", strings.Join(upper[:], ","), strings.Join(lower[:], ","), (stores+1)/2, stores/2)
}

// readBoard reads the houses of a position text, as the side to move counts
// them, and what this side has more in store than the other.
func readBoard(position string) (b board, lead int) {
	fields := strings.Fields(position)
	upper, lower, _ := strings.Cut(fields[0], "/")
	number := func(text string) int {
		n, _ := strconv.Atoi(text)
		return n
	}
	for i, text := range strings.Split(lower, ",") {
		b[i] = uint8(number(text))
	}
	for i, text := range strings.Split(upper, ",") {
		b[houses-1-i] = uint8(number(text))
	}
	white, black, _ := strings.Cut(fields[2], ",")
	lead = number(white) - number(black)
	if fields[1] == "b" {
		return b.turned(), -lead
	}
	return b, lead
}

// verifySeeds is Verify for Al-manqala. A value that is not 0 has plies, which
// go down along the best turns: so no circle of boards can hold each other up.
func verifySeeds(ctx context.Context, c *VerifyConfig) (checked int, err error) {
	b := &seedBuilder{
		Config: Config{Variant: c.Variant, Dir: c.Dir, Threads: c.Threads},
		sower:  newSower(c.Variant), list: []differences{emptyBoard()},
	}
	game, err := slow.New(c.Variant.Name, options(c.Variant))
	if err != nil {
		return 0, err
	}
	total, most := 0, 0
	for seeds := 1; seeds <= MaxSeeds && (c.Count == 0 || seeds <= c.Count); seeds++ {
		f, err := b.openOn(seeds)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return 0, err
		}
		most = seeds
		total += len(sample(f.Places, c.Sample))
		_ = f.close()
	}
	if most == 0 {
		return 0, refuse("%s has no differences of %s: nothing to verify", c.Dir, c.Variant.Name)
	}
	if c.OnPlan != nil {
		c.OnPlan(total)
	}
	for seeds := 1; seeds <= most; seeds++ {
		if err := b.table(ctx, seeds); err != nil {
			return checked, err
		}
		n, err := b.verify(ctx, seeds, game, c)
		checked += n
		if err != nil {
			return checked, err
		}
	}
	return checked, nil
}

func (b *seedBuilder) verify(ctx context.Context, seeds int, game *slow.Game, c *VerifyConfig) (checked int, err error) {
	return c.each(ctx, len(b.list[seeds].values), func(place int) error { return b.check(seeds, place, game) })
}

// check compares a board with what its turns lead to.
func (b *seedBuilder) check(seeds, place int, game *slow.Game) error {
	at := boardAt(place, seeds)
	position := at.text()
	_, lead := readBoard(position)
	turns := game.Turns(position)
	want, plies := -seeds, 0 // starved
	for i, t := range turns {
		next, nextLead := readBoard(t.Next)
		left, to := next.seeds(), next.place()
		v, p := -lead-nextLead-int(b.list[left].values[to]), 1
		if left == seeds {
			p += int(b.list[left].plies[to])
		}
		switch {
		case i == 0 || v > want:
			want, plies = v, p
		case v == want && v > 0:
			plies = min(plies, p)
		case v == want:
			plies = max(plies, p)
		}
	}
	if want == 0 {
		plies = 0
	}
	if d := &b.list[seeds]; int(d.values[place]) != want || int(d.plies[place]) != plies {
		return &WrongError{
			position, fmt.Sprintf("%+d in %d", d.values[place], d.plies[place]), fmt.Sprintf("%+d in %d", want, plies),
		}
	}
	return nil
}
