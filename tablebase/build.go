package tablebase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"qirkat/movegen"
)

// Config says which tables to build.
type Config struct {
	Variant *movegen.Variant
	Count   int    // the most pieces on the board, or seeds
	Dir     string // where the tables go, each family of rules in a folder
	Threads int    // goroutines that compute
	Memory  int64  // bytes that may be used

	OnPlan   func(places int) // may be nil; how many places there are to do
	OnPlaces func(places int) // may be nil; so many more are done; from any goroutine
	OnTable  func(Report)     // may be nil; a table is there
}

// Report tells of a table.
type Report struct {
	Header
	Took  time.Duration
	Found bool  // on disk, whole
	Bytes int64 // of its files
}

// Build computes all tables of so many pieces or seeds and writes them into
// files. Those on disk already are not computed again, so a build that was
// killed goes on with the table that it was at. An error that says that the
// build cannot be is a *RefusalError, and nothing has changed on disk then. It is
// an error if another build writes into the same folder.
func Build(ctx context.Context, c Config) error {
	// The memory in use, and not twice as much, is what the limit speaks of.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(c.Memory))
	if c.Variant.Family == movegen.Manqala {
		b := &seedBuilder{Config: c, sower: newSower(c.Variant)}
		return b.run(ctx)
	}
	r, err := newRules(c.Variant)
	if err != nil {
		return err
	}
	if least, most := r.leastPieces(), r.mostPieces(); c.Count < least || c.Count > most {
		return refuse("%d pieces: want %d to %d for %s", c.Count, least, most, c.Variant.Name)
	}
	if r.last != nil {
		return newStateBuilder(c, r).run(ctx)
	}
	return newBuilder(c, r).run(ctx)
}

func newBuilder(c Config, r *rules) *builder {
	b := &builder{Config: c, tables: newTables(r)}
	b.maker = b
	return b
}

func newTables(r *rules) *tables {
	return &tables{rules: r, indexes: newIndexes(r.geometry), list: make(map[Material]*table)}
}

// builder is the build of the tables of a board game.
type builder struct {
	Config
	*tables
	maker maker // of its tables; the builder itself, or one of tables with states
}

// maker makes the tables of a build.
type maker interface {
	// need is the memory in bytes that a table takes while it is computed.
	need(m Material) int64
	// all is the number of places of a table.
	all(m Material) int
	// make writes the files of a table; known says that its distances are there.
	make(ctx context.Context, m Material, known bool) error
}

func (b *builder) all(m Material) int { return b.places(m) * m.halves() }

func (b *builder) run(ctx context.Context) error {
	list := b.materials(b.Count)
	total := 0
	for _, m := range list {
		if need := b.maker.need(m); need > b.Memory {
			return refuse("%s of memory: the table %s needs %s", gibibytes(b.Memory), m, gibibytes(need))
		}
		total += b.maker.all(m)
	}
	var folders []string
	for _, m := range list {
		if path := filepath.Join(b.Dir, b.folder(m)); !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	leave, err := enterFolders(folders...)
	if err != nil {
		return err
	}
	defer leave()
	if b.OnPlan != nil {
		b.OnPlan(total)
	}
	for _, m := range list {
		if err := b.table(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// lockName is the name of the file that a build holds in a folder that it writes
// into.
const lockName = ".lock"

var errLocked = errors.New("another qirkat tb build is writing there, want another folder, or wait until it has ended")

// enterFolders makes folders for tables ready, and keeps other builds out of them
// until leave is called: they would take files that are being written for left over.
func enterFolders(paths ...string) (leave func(), err error) {
	var entered []func()
	leave = func() {
		for _, leave := range entered {
			leave()
		}
	}
	for _, path := range paths {
		one, err := enterFolder(path)
		if err != nil {
			leave()
			return nil, err
		}
		entered = append(entered, one)
	}
	return leave, nil
}

func enterFolder(path string) (leave func(), err error) {
	if err := os.MkdirAll(path, 0o755); err != nil {
		return nil, err
	}
	leave, err = lock(filepath.Join(path, lockName))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := clearLeftOver(path); err != nil {
		leave()
		return nil, err
	}
	return leave, nil
}

// gibibytes is a size in the unit of the flag --memory.
func gibibytes(n int64) string { return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30)) }

// places is the number of places of a half.
func (r *rules) places(m Material) int {
	return r.countClasses(m.Larger) * choose[m.Smaller][r.points-m.Larger]
}

// need is the memory in bytes that a table takes while it is computed, with the
// smaller ones that it looks into.
func (b *builder) need(m Material) int64 {
	// values, open, ranks of news; present, news, sets, steps of the larger side
	perPlace, perBlock := 2*2+1, 2*32+48+1+9+4+4*5*m.Larger
	sets := choose[m.Larger][b.points]
	n := b.places(m)*perPlace + sets*4 + b.countClasses(m.Larger)*perBlock
	for _, a := range b.after(m) {
		n += b.places(a)*a.halves()*9/8 + choose[a.Larger][b.points]*6
	}
	return int64(n) + 128<<20 // the program, its buffers, and the garbage of a while
}

// table builds a table, or takes what is on disk.
func (b *builder) table(ctx context.Context, m Material) error {
	begin := time.Now()
	report := Report{Found: true}
	distances, err := b.existing(m, Distances)
	if err != nil {
		return err
	}
	results, err := b.existing(m, Results)
	if err != nil {
		return err
	}
	if distances == nil || results == nil {
		report.Found = false
		if err := b.maker.make(ctx, m, distances != nil); err != nil {
			return err
		}
		if distances, err = b.existing(m, Distances); err != nil {
			return err
		}
	} else if b.OnPlaces != nil {
		b.OnPlaces(b.maker.all(m))
	}
	report.Header, report.Took = *distances, time.Since(begin)
	for _, k := range []Kind{Distances, Results} {
		if info, err := os.Stat(b.path(b.Dir, m, k)); err == nil {
			report.Bytes += info.Size()
		}
	}
	if b.OnTable != nil {
		b.OnTable(report)
	}
	return nil
}

// make computes a table, or reads its distances where they are known, and
// writes the files.
func (b *builder) make(ctx context.Context, m Material, known bool) error {
	if err := b.bring(ctx, m); err != nil {
		return err
	}
	if known {
		if err := b.load(ctx, m); err != nil {
			return err
		}
	} else {
		t := &table{index: b.index(m), Material: m}
		if err := b.fill(ctx, t, b.Threads, b.progress(m)); err != nil {
			return err
		}
		if err := b.write(m, Distances); err != nil {
			return err
		}
	}
	return b.write(m, Results)
}

// progress turns passes over the places of a table into places done.
func (b *builder) progress(m Material) func(int) {
	if b.OnPlaces == nil {
		return nil
	}
	return func(places int) { b.OnPlaces(places * m.halves() / fillPasses) }
}

// bring has the tables that captures lead to in memory, and drops others for
// which there is no room: to fill in the captures of a table again takes time.
func (b *builder) bring(ctx context.Context, m Material) error {
	after := b.after(m)
	used := b.need(m)
	for have := range b.list {
		size := int64(b.places(have) * have.halves() * 9 / 8) // values, and a bit each
		switch {
		case slices.Contains(after, have):
		case used+size > b.Memory:
			b.drop(have)
		default:
			used += size
		}
	}
	for _, a := range after {
		if b.list[a] == nil {
			if err := b.load(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// load reads a table into memory and fills in its captures, which needs those
// that they lead to: what was not in memory before is dropped again.
func (b *builder) load(ctx context.Context, m Material) error {
	var extra []Material
	for _, a := range b.after(m) {
		if b.list[a] == nil {
			if err := b.load(ctx, a); err != nil {
				return err
			}
			extra = append(extra, a)
		}
	}
	f, err := b.openOn(m, Distances)
	if err != nil {
		return err
	}
	defer func() { _ = f.close() }()
	t := &table{index: b.index(m), Material: m}
	if err := t.read(f); err != nil {
		return err
	}
	b.add(t)
	b.newRetrograde(ctx, t, b.Threads, nil).forceCaptures()
	for _, a := range extra {
		b.drop(a)
	}
	return context.Cause(ctx)
}

// read takes the values of a file.
func (m *table) read(f *file) error {
	if f.Places != m.size()*m.halves() {
		return &FileError{f.path, fmt.Sprintf("%d places, want %d: build it again", f.Places, m.size()*m.halves())}
	}
	all := make([]code, 0, f.Places)
	for i := range f.blocks() {
		var err error
		if all, err = f.block(all, i); err != nil {
			return err
		}
	}
	for half := range m.halves() {
		m.values[half] = all[half*m.size() : (half+1)*m.size()]
	}
	return nil
}

// folder is the name of the folder of a material: the vela ends in normal play,
// which has its own.
func (r *rules) folder(m Material) string {
	if r.vela && !m.Vela {
		return "fanorona-" + r.size.String()
	}
	return r.name
}

// path is the name of the file of a material and a kind.
func (r *rules) path(dir string, m Material, k Kind) string {
	return filepath.Join(dir, r.folder(m), m.String()+"."+string(k))
}

// open opens the file of a material and a kind, by a function that opens files.
func (r *rules) open(path string, m Material, k Kind, open func(path string) (*file, error)) (*file, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	if reason := r.foreign(&f.Header, m, k); reason != "" {
		_ = f.close()
		return nil, &FileError{f.path, reason}
	}
	return f, nil
}

// openOn opens a file on disk.
func (b *builder) openOn(m Material, k Kind) (*file, error) {
	return b.open(b.path(b.Dir, m, k), m, k, openFile)
}

// existing is the header of a file that is there, nil if none is.
func (b *builder) existing(m Material, k Kind) (*Header, error) {
	f, err := b.openOn(m, k)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.close() }()
	h := f.Header
	return &h, nil
}

// foreign says why a file is not the one of a material and a kind; empty when
// it is.
func (r *rules) foreign(h *Header, m Material, k Kind) string {
	switch {
	case h.Rules != r.folder(m):
		return fmt.Sprintf("it has the rules %s, want %s", h.Rules, r.folder(m))
	case (h.State != "") != (r.last != nil && r.variant.NoReturn):
		return "it does not know the state that its rules have: build it again"
	case h.Material != m.String() || h.Kind != k:
		return fmt.Sprintf("it has the material %s and the kind %s, want %s and %s", h.Material, h.Kind, m, k)
	}
	return ""
}

// write writes a file of a table that is in memory.
func (b *builder) write(m Material, k Kind) error {
	t := b.list[m]
	h := b.header(t, k)
	return writeFile(b.path(b.Dir, m, k), h, b.Threads, b.blocks(t, h))
}

// Places of a block: 16 KiB of either kind unpacked. Blocks of 64 KiB save 1 % of
// a file, up to 6 % of a small one, and take four times as long to unpack.
const (
	distancePlaces = 1 << 14
	resultPlaces   = 1 << 16
)

func (b *builder) header(t *table, k Kind) *Header {
	h := &Header{
		Variant: b.Variant.Name, Options: options(b.Variant), Rules: b.folder(t.Material), Kind: k,
		Material: t.Material.String(), Places: t.size() * t.halves(), BlockPlaces: distancePlaces,
	}
	if k == Results {
		h.BlockPlaces = resultPlaces
	}
	h.Counts, h.Stored = b.count(t)
	return h
}

// options are the switches of a variant's family as the rules have them.
func options(v *movegen.Variant) map[string]string {
	set := make(map[string]string)
	for i := range movegen.Switches {
		if s := &movegen.Switches[i]; s.Family == v.Family {
			set[s.Name] = s.InForce(&v.Rules)
		}
	}
	return set
}

// count counts the positions of a table, and the places that are stored.
func (b *builder) count(t *table) (c Counts, stored int) {
	longest := code(0)
	for half := range t.halves() {
		var of [256]int // positions by code
		for class, orbit := range t.orbits {
			for _, v := range t.values[half][class*t.block : (class+1)*t.block] {
				of[v] += int(orbit)
			}
		}
		for v, n := range of {
			value := b.coding.values[v]
			switch value.Result {
			case Win:
				c.Wins += n
				if n > 0 && value.Plies > c.Longest {
					c.Longest, longest = value.Plies, code(v)
				}
			case Loss:
				c.Losses += n
			case Draw:
				c.Draws += n
			}
		}
		stored += t.size()
		for _, word := range t.captures[half] {
			stored -= bits.OnesCount64(word)
		}
	}
	c.Positions = c.Wins + c.Draws + c.Losses
	for half := range t.halves() {
		if place := bytes.IndexByte(t.values[half], longest); longest != 0 && place >= 0 {
			c.LongestAt = b.text(t, half*t.size()+place)
			break
		}
	}
	return c, stored
}

// text is the position text of a place, the places of the second half counted
// behind those of the first.
func (b *builder) text(t *table, place int) string {
	larger, smaller := t.position(place % t.size())
	return b.fen(t.pieces(larger, smaller), t.mover(place/t.size()))
}

// fen is the text of a position without a token.
func (r *rules) fen(pieces [2]movegen.Set, turn movegen.Side) string {
	return movegen.Fields{Rows: r.size.FormatPieces(pieces), Turn: turn, State: "-", Number: 1}.String()
}

// blocks gives the blocks of a file. A place whose side to move captures is
// filled up with the value before it, which costs the least room.
func (b *builder) blocks(t *table, h *Header) func(dst []byte, i int) []byte {
	return func(dst []byte, i int) []byte {
		last, begin := code(0), len(dst)
		for n := range h.in(i) {
			half, place := (i*h.BlockPlaces+n)/t.size(), (i*h.BlockPlaces+n)%t.size()
			if !t.captures[half].has(place) {
				last = t.values[half][place]
			}
			if h.Kind == Distances {
				dst = append(dst, last)
				continue
			}
			if n%4 == 0 {
				dst = append(dst, 0)
			}
			dst[begin+n/4] |= packResult(b.coding.values[last].Result) << (n % 4 * 2)
		}
		return dst
	}
}

// packResult is a result in two bits: 0 a draw, 1 a win, 2 a loss.
func packResult(r Result) byte { return byte(r+3) % 3 }

// unpackResult undoes packResult; 3 does not occur, and is a draw.
func unpackResult(bits byte) Result { return [4]Result{Draw, Win, Loss, Draw}[bits&3] }
