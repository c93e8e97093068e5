package tablebase

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"qirkat/movegen"
	"qirkat/movegen/alquerque"
	"qirkat/movegen/manqala"
)

// Tables are the tables of one game that a folder has. They are safe for
// concurrent use.
type Tables struct {
	*rules                        // of a board game, else nil
	*sower                        // of Al-manqala, else nil
	files  map[Material][2]*file  // distances, results; nil where there is none
	seeds  []*file                // by number of seeds, from 1; as far as there is no gap
	mu     sync.Mutex             // guards shared
	shared *indexes               // made when they are asked for: some take a while
	states map[[2]int]*stateIndex // the same, by pieces of the side to move and of the other
}

// CheckFolder reports a folder for Open that is not there, by a *RefusalError. An
// empty name is no folder, and right.
func CheckFolder(dir string) error {
	if dir == "" {
		return nil
	}
	const want = "want a folder that qirkat tb build wrote"
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("%q: no such folder, %s", movegen.Shorten(dir), want)
	case err != nil:
		return refuse("%q: %v, %s", movegen.Shorten(dir), reason(err), want)
	case !info.IsDir():
		return refuse("%q: no folder, %s", movegen.Shorten(dir), want)
	}
	return nil
}

// CheckFile reports what is there under a name and no file, but a folder, a device
// or a pipe, by a *RefusalError: to read it could take for ever, and a file that is
// written whole would take its place. That nothing is there is right.
func CheckFile(path string) error {
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return refuse("%q: %v, want a file", movegen.Shorten(path), reason(err))
	case !info.Mode().IsRegular():
		return refuse("%q: not a file, want one", movegen.Shorten(path))
	}
	return nil
}

// CheckTarget is CheckFile of a file that is to be written: its folder must be
// there.
func CheckTarget(path string) error {
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return refuse("%q: no such folder, want one for %q", movegen.Shorten(dir), movegen.Shorten(filepath.Base(path)))
	}
	return CheckFile(path)
}

// reason is what is wrong with a file, without its name.
func reason(err error) error {
	var failure *fs.PathError
	if errors.As(err, &failure) {
		return failure.Err
	}
	return err
}

// Open opens the tables of a variant in a folder that Build has filled, and where
// it has none those that the program brings along; an empty name is no folder. A
// file that cannot be used is left out, and refused says why, a line a file; so
// is a folder that CheckFolder reports. The error is a *RefusalError: there can be
// no tables of these rules.
func Open(dir string, v *movegen.Variant) (t *Tables, refused []error, err error) {
	if v.Family == movegen.Manqala {
		t = &Tables{sower: newSower(v)}
	} else {
		r, err := newRules(v)
		if err != nil {
			return nil, nil, err
		}
		t = &Tables{rules: r, files: make(map[Material][2]*file), shared: newIndexes(r.geometry), states: make(map[[2]int]*stateIndex)}
	}
	if err := CheckFolder(dir); err != nil {
		refused, dir = []error{err}, ""
	}
	if t.sower != nil {
		return t, append(refused, t.openSeeds(dir)...), nil
	}
	return t, append(refused, t.openPieces(dir)...), nil
}

func (t *Tables) openPieces(dir string) (refused []error) {
	for _, m := range t.materials(t.mostPieces()) {
		var pair [2]*file
		for i, k := range []Kind{Distances, Results} {
			f, err := t.openPlace(dir, func(dir string, open func(string) (*file, error)) (*file, error) {
				return t.rules.open(t.path(dir, m, k), t.shared, m, k, open)
			})
			switch {
			case err == nil:
				pair[i] = f
			case !errors.Is(err, fs.ErrNotExist):
				refused = append(refused, err)
			}
		}
		t.files[m] = pair
	}
	return refused
}

func (t *Tables) openSeeds(dir string) (refused []error) {
	for seeds := 1; seeds <= MaxSeeds; seeds++ {
		f, err := t.openPlace(dir, func(dir string, open func(string) (*file, error)) (*file, error) {
			return t.sower.open(t.fileName(dir, seeds), seeds, open)
		})
		if err != nil {
			if !errors.Is(err, fs.ErrNotExist) {
				refused = append(refused, err)
			}
			break
		}
		t.seeds = append(t.seeds, f)
	}
	return refused
}

// openPlace opens a file in a folder, or where it has none, in the program.
func (*Tables) openPlace(dir string, open func(dir string, open func(string) (*file, error)) (*file, error)) (*file, error) {
	if dir != "" {
		if f, err := open(dir, openFile); !errors.Is(err, fs.ErrNotExist) {
			return f, err
		}
	}
	return open(embeddedFolder, openEmbedded)
}

// all lists the files.
func (t *Tables) all() []*file {
	list := t.seeds
	for _, pair := range t.files {
		for _, f := range pair {
			if f != nil {
				list = append(list, f)
			}
		}
	}
	return list
}

// Empty reports whether there is no file.
func (t *Tables) Empty() bool { return len(t.all()) == 0 }

// Close gives the files back. Probers must not be used any more.
func (t *Tables) Close() error {
	var failures []error
	for _, f := range t.all() {
		failures = append(failures, f.close())
	}
	return errors.Join(failures...)
}

// ErrNoTable says that a position is in no table that was opened.
var ErrNoTable = errors.New("no table has the position")

// Answer is what the tables say of a position for the side to move.
type Answer struct {
	Value // in Al-manqala the plies until the difference is in store
	// Difference is, in Al-manqala, what the side to move will have more than
	// the other in the end, stores included.
	Difference int
}

// Prober looks positions up. It is not safe for concurrent use; each goroutine
// makes its own.
type Prober struct {
	*Tables
	generator generator
	moves     []movegen.Move // a stack for the captures that are played
	opened    [MaxPieces][MaxPieces/2 + 1][2]opened
	halves    [MaxPieces][MaxPieces]openedHalf // of tables with states, by pieces of the side to move and of the other
	blocks    [cachedBlocks]cached
}

// opened is a material that was asked for, by larger, smaller and vela.
type opened struct {
	*file
	index *index
}

// material opens a material when it is asked for first; its file is nil where
// there is none.
func (p *Prober) material(m Material) *opened {
	vela := 0
	if m.Vela {
		vela = 1
	}
	if m.Larger >= MaxPieces || m.Smaller > MaxPieces/2 {
		return &opened{}
	}
	o := &p.opened[m.Larger][m.Smaller][vela]
	if o.index != nil {
		return o
	}
	o.file = p.preferred(m)
	if o.file != nil {
		p.mu.Lock()
		o.index = p.shared.index(m)
		p.mu.Unlock()
	}
	return o
}

// cachedBlocks is how many blocks a prober keeps unpacked, 32 MiB at most; chosen
// so that all results of 5×5 boards with up to 8 pieces have room.
const cachedBlocks = 1 << 11

// cached is an unpacked block.
type cached struct {
	file  *file
	block int
	data  []byte
}

// NewProber makes a prober.
func (t *Tables) NewProber() *Prober {
	p := &Prober{Tables: t}
	if t.rules != nil {
		p.generator = t.generator()
	}
	return p
}

// Warm makes what the first look-ups would wait for.
func (t *Tables) Warm() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for m, pair := range t.files {
		switch {
		case pair[0] == nil && pair[1] == nil:
		case t.last != nil:
			for half := range m.halves() {
				t.sharedHalf(m.moving(half), m.waiting(half))
			}
		default:
			t.shared.index(m)
		}
	}
}

// Probe looks the position of a game up. Where only results are on disk the
// plies are −1. The error is ErrNoTable, or that of a file.
func (p *Prober) Probe(g movegen.Game) (Answer, error) {
	if m, ok := g.(*manqala.Position); ok {
		return p.probeSeeds(m)
	}
	if p.last != nil {
		v, err := p.valueOf(p, p.stateOf(g.(*alquerque.Position)))
		return Answer{Value: v}, err
	}
	on := g.(interface {
		Pieces(s movegen.Side) movegen.Set
	})
	v, err := p.probe([2]movegen.Set{on.Pieces(movegen.White), on.Pieces(movegen.Black)}, g.Turn())
	return Answer{Value: v}, err
}

// QuietCount is the number of plies in a row without a capture, which the
// tables know nothing of.
func (p *Prober) QuietCount(g movegen.Game) int {
	return g.(interface{ QuietCount() int }).QuietCount()
}

// probe gives the value of a position. Captures are played out, so the tables
// that they lead to are asked.
func (p *Prober) probe(pieces [2]movegen.Set, turn movegen.Side) (Value, error) {
	us, them := turn&1, turn&1^1
	switch {
	case pieces[us] == 0:
		return Value{Loss, 0}, nil
	case pieces[them] == 0:
		return Value{Win, 0}, nil
	case !p.generator.CanCapture(pieces, turn):
		return p.stored(pieces, turn)
	}
	p.generator.Place(pieces, turn)
	begin := len(p.moves)
	p.moves = p.generator.Moves(p.moves)
	defer func() { p.moves = p.moves[:begin] }()
	var best Value
	for i := begin; i < len(p.moves); i++ {
		m := &p.moves[i]
		next := pieces
		next[us] = next[us]&^m.From | m.To
		next[them] &^= m.Taken
		v, err := p.probe(next, them)
		if err != nil {
			return Value{}, err
		}
		if v = v.before(); i == begin || v.better(best) {
			best = v
		}
	}
	return best, nil
}

// stored reads the value of a position without a capture.
func (p *Prober) stored(pieces [2]movegen.Set, turn movegen.Side) (Value, error) {
	l := p.locate(pieces, turn)
	o := p.material(l.Material)
	f := o.file
	if f == nil {
		return Value{}, fmt.Errorf("%w: there is none of the material %s", ErrNoTable, l.Material)
	}
	place := l.half*o.index.size() + o.index.place(l.larger, l.smaller)
	data, n, err := p.find(f, place)
	if err != nil {
		return Value{}, err
	}
	if f.Kind == Distances {
		return p.coding.values[data[n]], nil
	}
	return withoutPlies(unpackResult(data[n/4] >> (n % 4 * 2))), nil
}

func (p *Prober) probeSeeds(g *manqala.Position) (Answer, error) {
	us, them := g.Turn()&1, g.Turn()&1^1
	b := boardOf(g.Row(us), g.Row(them))
	seeds := b.seeds()
	answer := Answer{Difference: g.Store(us) - g.Store(them)}
	if seeds > len(p.seeds) {
		return Answer{}, fmt.Errorf("%w: there is none of %d seeds", ErrNoTable, seeds)
	}
	if seeds > 0 {
		f := p.seeds[seeds-1]
		data, n, err := p.find(f, b.place())
		if err != nil {
			return Answer{}, err
		}
		answer.Difference += int(int8(data[n]))
		answer.Plies = int(data[len(data)/2+n])
	}
	answer.Result = resultOf(answer.Difference)
	return answer, nil
}

// resultOf is the result for the side that has so many seeds more in the end.
func resultOf(difference int) Result {
	switch {
	case difference > 0:
		return Win
	case difference < 0:
		return Loss
	}
	return Draw
}

// find gives the unpacked block of a place, from the cache or from the file, and
// where the place is in it.
func (p *Prober) find(f *file, place int) (data []byte, in int, err error) {
	if f.resident != nil {
		return f.resident, place, nil
	}
	block := place / f.BlockPlaces
	c := &p.blocks[(block+f.Places)%cachedBlocks]
	if c.file != f || c.block != block {
		data, err := f.block(c.data[:0], block)
		if err != nil {
			*c = cached{}
			return nil, 0, err
		}
		*c = cached{f, block, data}
	}
	return c.data, place % f.BlockPlaces, nil
}
