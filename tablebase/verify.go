package tablebase

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"

	"qirkat/movegen"
	"qirkat/movegen/slow"
)

// VerifyConfig says what to check.
type VerifyConfig struct {
	Variant *movegen.Variant
	Dir     string
	Count   int // the most pieces or seeds; 0: all that is there
	Threads int
	// Sample checks about so many places of each table, spread evenly; 0: all.
	Sample int

	OnPlan   func(places int) // may be nil; how many places there are to check
	OnPlaces func(places int) // may be nil; so many more are checked; from any goroutine
}

// A WrongError is a value that does not follow from those after it.
type WrongError struct {
	Position  string
	Has, Want string
}

func (e *WrongError) Error() string {
	return fmt.Sprintf("%s: the table says %s, its moves say %s", e.Position, e.Has, e.Want)
}

// Verify recomputes values from those of the positions that one move leads to,
// with the slow generator, which shares no code with the one that built the
// tables. Distances make that enough: whatever satisfies it is right, for a
// distance cannot go down for ever. It gives the number of places checked. The
// error is a *WrongError, or that of a file.
func Verify(ctx context.Context, c VerifyConfig) (checked int, err error) {
	if c.Variant.Family == movegen.Manqala {
		return verifySeeds(ctx, &c)
	}
	r, err := newRules(c.Variant)
	if err != nil {
		return 0, err
	}
	const memory = 2 << 30 // bytes, for tables that may be wanted again; chosen
	config := Config{Variant: c.Variant, Dir: c.Dir, Threads: c.Threads, Memory: memory}
	game, err := slow.New(c.Variant.Name, options(c.Variant))
	if err != nil {
		return 0, err
	}
	b := newBuilder(config, r)
	var list []Material
	total := 0
	for _, m := range r.materials(r.mostPieces()) {
		if c.Count > 0 && m.pieces() > c.Count {
			continue
		}
		h, err := b.existing(m, Distances)
		if err != nil {
			return 0, err
		}
		if h != nil {
			list = append(list, m)
			total += len(sample(h.Places, c.Sample))
		}
	}
	if list == nil {
		return 0, refuse("%s has no distances of %s: nothing to verify", c.Dir, c.Variant.Name)
	}
	if c.OnPlan != nil {
		c.OnPlan(total)
	}
	for _, m := range list {
		n, err := b.verify(ctx, m, game, &c)
		checked += n
		if err != nil {
			return checked, err
		}
	}
	return checked, nil
}

// verify checks a table and gives the number of its places checked.
func (b *builder) verify(ctx context.Context, m Material, game *slow.Game, c *VerifyConfig) (checked int, err error) {
	if err := b.bring(ctx, m); err != nil {
		return 0, err
	}
	if _, err := b.loadAll(ctx, []Material{m}); err != nil {
		return 0, err
	}
	checked, err = c.each(ctx, b.all(m), func(place int) error { return b.check(m, place, game) })
	if err != nil {
		return checked, err
	}
	return checked, b.verifyResults(m)
}

// sample lists so many of n places, spread evenly; all for 0.
func sample(n, want int) []int {
	if want == 0 || want > n {
		want = n
	}
	list := make([]int, want)
	for i := range list {
		list[i] = i * (n / want)
		if want < n {
			list[i] += i * (n % want) / want
		}
	}
	return list
}

// each checks places, or a sample of them, on all threads, until one is wrong.
func (c *VerifyConfig) each(ctx context.Context, places int, check func(place int) error) (checked int, err error) {
	list := sample(places, c.Sample)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var count atomic.Int64
	parallel(ctx, c.Threads, len(list), 1<<8, func(_, from, to int) {
		for _, place := range list[from:to] {
			if err := check(place); err != nil {
				cancel(err)
				return
			}
			count.Add(1)
		}
		if c.OnPlaces != nil {
			c.OnPlaces(to - from)
		}
	})
	return int(count.Load()), context.Cause(ctx)
}

// compare compares the value of a position with what its moves lead to.
func (r *rules) compare(position string, has Value, game *slow.Game, value func(position string) (Value, error)) error {
	want := Value{}
	list := game.Next(position)
	for i, next := range list {
		v, err := value(next)
		if err != nil {
			return err
		}
		if v = v.before(); i == 0 || v.better(want) {
			want = v
		}
	}
	if list == nil {
		want = slowEnd(position, game, r.variant.First())
	}
	if has != want {
		return &WrongError{position, has.String(), want.String()}
	}
	return nil
}

// slowEnd is the value of a position without a move.
func slowEnd(position string, game *slow.Game, first movegen.Side) Value {
	result, _ := game.Result([]string{position})
	firstMoves := strings.Fields(position)[1] == first.Letter()
	switch {
	case result == "draw":
		return Value{}
	case result == "p1win" == firstMoves:
		return Value{Win, 0}
	}
	return Value{Loss, 0}
}

// verifyResults compares the file of results, if there is one, with a table of
// distances.
func (b *builder) verifyResults(m Material) error {
	f, err := b.openOn(m, Results)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.close() }()
	want := b.blocks(m, &f.Header)
	var got, expected []byte
	for i := range f.blocks() {
		if got, err = f.block(got[:0], i); err != nil {
			return err
		}
		if expected = want(expected[:0], i); string(got) != string(expected) {
			return &FileError{f.path, fmt.Sprintf("block %d is not what the distances say: build it again", i)}
		}
	}
	return nil
}
