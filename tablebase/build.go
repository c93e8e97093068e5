package tablebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// Config says which tables to build.
type Config struct {
	Variant *movegen.Variant
	Count   int // the most pieces on the board, or seeds
	// Material is, in place of a number of pieces, the one table that is wanted, such
	// as 4-3; it is built with all that it needs.
	Material string
	Dir      string // where the tables go, each family of rules in a folder
	Threads  int    // goroutines that compute
	Memory   int64  // bytes that may be used

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
	b := newBuilder(c, r)
	if c.Material != "" {
		m, err := r.parseMaterial(c.Material)
		if err != nil {
			return err
		}
		return b.run(ctx, r.needed(m))
	}
	if least, most := r.leastPieces(), r.mostPieces(); c.Count < least || c.Count > most {
		return refuse("%d pieces: want %d to %d for %s", c.Count, least, most, c.Variant.Name)
	}
	return b.run(ctx, r.materials(c.Count))
}

// builder is the build of the tables of a board game.
type builder struct {
	Config
	*rules
	*indexes
	store
}

func newBuilder(c Config, r *rules) *builder {
	x := newIndexes(r.geometry)
	if r.last != nil {
		return &builder{c, r, x, newStateTables(r, x)}
	}
	return &builder{c, r, x, newTables(r, x)}
}

// store has tables of one kind in memory: those of positions, or those with states.
type store interface {
	// need is the memory in bytes that a table takes while it is computed, with those
	// that turns lead to; room is what it takes once it is there.
	need(m Material) int64
	room(m Material) int64
	// loaded lists the tables that are there, in any order; drop takes one away.
	loaded() []Material
	drop(m Material)
	// read adds a table from its file of distances, and fills in the captures that
	// the file leaves out. Those that turns lead to must be there.
	read(ctx context.Context, m Material, f *file, threads int) error
	// fill computes a table and adds it. Those that turns lead to must be there.
	fill(ctx context.Context, m Material, threads int, done func(places int)) error
	// count sets the counts of a header, and the places that are stored.
	count(m Material, h *Header)
	// blocks gives the blocks of a file that has such a header.
	blocks(m Material, h *Header) func(dst []byte, i int) []byte
	// check compares a place with what its moves lead to. It is safe for concurrent
	// use.
	check(m Material, place int, game *slow.Game) error
}

// all is the number of places of a table.
func (b *builder) all(m Material) int { return b.allPlaces(b.indexes, m) }

// run builds tables, each of which comes after those that it needs.
func (b *builder) run(ctx context.Context, list []Material) error {
	total := 0
	for _, m := range list {
		if need := b.need(m); need > b.Memory {
			return refuse("%s of memory: the table %s needs %s", gibibytes(b.Memory), m, gibibytes(need))
		}
		total += b.all(m)
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

// programMemory is what the program itself takes in bytes, its buffers, and the
// garbage of a while.
const programMemory = 128 << 20

// gibibytes is a size in the unit of the flag --memory.
func gibibytes(n int64) string { return fmt.Sprintf("%.2f GiB", float64(n)/(1<<30)) }

// places is the number of places of a half of a table of positions.
func (r *rules) places(m Material) int {
	return r.countClasses(m.Larger) * choose[m.Smaller][r.points-m.Larger]
}

// allPlaces is the number of places of a table.
func (r *rules) allPlaces(x *indexes, m Material) int {
	if r.last != nil {
		return r.statePlaces(x, m)
	}
	return r.places(m) * m.halves()
}

// table builds a table, or takes what is on disk.
func (b *builder) table(ctx context.Context, m Material) error {
	begin := time.Now()
	distances, err := b.existing(m, Distances)
	if err != nil {
		return err
	}
	results, err := b.existing(m, Results)
	if err != nil {
		return err
	}
	known := distances != nil
	report := Report{Found: known && results != nil}
	if !report.Found {
		if err := b.make(ctx, m, known); err != nil {
			return err
		}
		if distances, err = b.existing(m, Distances); err != nil {
			return err
		}
	}
	if known && b.OnPlaces != nil {
		b.OnPlaces(b.all(m))
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
		return b.write(m, Results)
	}
	if err := b.fill(ctx, m, b.Threads, b.OnPlaces); err != nil {
		return err
	}
	if err := b.write(m, Distances); err != nil {
		return err
	}
	return b.write(m, Results)
}

// bring has the tables that turns lead to in memory, and drops others for which
// there is no room: to fill in the captures of a table again takes time.
func (b *builder) bring(ctx context.Context, m Material) error {
	leads := b.leads(m)
	used := b.need(m)
	for _, have := range b.loaded() {
		switch room := b.room(have); {
		case slices.Contains(leads, have):
		case used+room > b.Memory:
			b.drop(have)
		default:
			used += room
		}
	}
	_, err := b.loadAll(ctx, leads)
	return err
}

// load reads a table into memory, which needs those that its turns lead to: what
// was not there before is dropped again.
func (b *builder) load(ctx context.Context, m Material) error {
	added, err := b.loadAll(ctx, b.leads(m))
	if err != nil {
		return err
	}
	f, err := b.openOn(m, Distances)
	if err != nil {
		return err
	}
	defer func() { _ = f.close() }()
	if err := b.read(ctx, m, f, b.Threads); err != nil {
		return err
	}
	for _, a := range added {
		b.drop(a)
	}
	return context.Cause(ctx)
}

// loadAll reads tables that are not in memory, and lists them.
func (b *builder) loadAll(ctx context.Context, list []Material) (added []Material, err error) {
	for _, m := range list {
		if slices.Contains(b.loaded(), m) {
			continue
		}
		if err := b.load(ctx, m); err != nil {
			return nil, err
		}
		added = append(added, m)
	}
	return added, nil
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
func (r *rules) open(path string, x *indexes, m Material, k Kind, open func(path string) (*file, error)) (*file, error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	if reason := r.foreign(&f.Header, x, m, k); reason != "" {
		_ = f.close()
		return nil, &FileError{f.path, reason}
	}
	return f, nil
}

// openOn opens a file on disk.
func (b *builder) openOn(m Material, k Kind) (*file, error) {
	return b.open(b.path(b.Dir, m, k), b.indexes, m, k, openFile)
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
func (r *rules) foreign(h *Header, x *indexes, m Material, k Kind) string {
	switch {
	case h.Rules != r.folder(m):
		return fmt.Sprintf("it has the rules %s, want %s", h.Rules, r.folder(m))
	case h.State != r.stateName():
		return "it does not know the state that its rules have: build it again"
	case h.Material != m.String() || h.Kind != k:
		return fmt.Sprintf("it has the material %s and the kind %s, want %s and %s", h.Material, h.Kind, m, k)
	}
	if places := r.allPlaces(x, m); h.Places != places {
		return fmt.Sprintf("%d places, want %d: build it again", h.Places, places)
	}
	return ""
}

// write writes a file of a table that is in memory.
func (b *builder) write(m Material, k Kind) error {
	h := b.header(m, k)
	return writeFile(b.path(b.Dir, m, k), h, b.Threads, b.blocks(m, h))
}

// Places of a block: 16 KiB of either kind unpacked. Blocks of 64 KiB save 1 % of
// a file, up to 6 % of a small one, and take four times as long to unpack.
const (
	distancePlaces = 1 << 14
	resultPlaces   = 1 << 16
)

func (b *builder) header(m Material, k Kind) *Header {
	h := &Header{
		Variant: b.Variant.Name, Options: options(b.Variant), Rules: b.folder(m), State: b.stateName(), Kind: k,
		Material: m.String(), Places: b.all(m), BlockPlaces: distancePlaces,
	}
	if k == Results {
		h.BlockPlaces = resultPlaces
	}
	b.count(m, h)
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
