package tablebase

import (
	"context"
	"errors"
	"os"
	"slices"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/alquerque"
	"qirkat/movegen/games"
)

// memoryRules are the rules with memory that the variants have, and with one
// switch alone.
var memoryRules = []struct {
	variant string
	options map[string]string
}{
	{"alquerque-bell", nil},
	{"alquerque-pritchard", switches("on", "off")},
	{"alquerque-pritchard", switches("off", "on")},
	{"quirkat", nil},
	{"quirkat", switches("off", "on")},
}

// TestStateIndex walks over all places, and from each to its position and back.
func TestStateIndex(t *testing.T) {
	for _, c := range memoryRules {
		r := rulesOf(t, c.variant, c.options)
		shared := newIndexes(r.geometry)
		for _, m := range r.materials(4) {
			places := 0
			for half := range m.halves() {
				x := r.stateIndex(shared, m.moving(half), m.waiting(half))
				places += x.size()
				next := 0
				for class := range x.sets {
					for rank := range x.block {
						pieces := x.pieces(class, rank)
						if pieces[0].Len() != m.moving(half) || pieces[1].Len() != m.waiting(half) || pieces[0]&pieces[1] != 0 {
							t.Fatalf("%s %s: class %d, rank %d is %x", r.name, m, class, rank, pieces)
						}
						for _, back := range x.backsOf(class) {
							if s := r.last.list[back]; back != 0 && (!pieces[1].Has(s.to) || pieces[1].Has(s.from)) {
								t.Fatalf("%s %s: the last step %v of %x", r.name, m, s, pieces)
							}
							foundClass, symmetry, foundRank := x.locate(pieces[0], pieces[1])
							if p := x.place(foundClass, foundRank, r.last.images[symmetry][back]); p != next {
								t.Fatalf("%s %s: place %d leads back to %d", r.name, m, next, p)
							}
							next++
						}
					}
				}
				if next != x.size() {
					t.Errorf("%s %s: %d places, want %d", r.name, m, next, x.size())
				}
			}
			if n := r.allPlaces(shared, m); n != places {
				t.Errorf("%s %s: allPlaces = %d, want %d", r.name, m, n, places)
			}
		}
	}
}

// TestStateCursor enters a table at every place: the cursor must be where one is
// that has walked there.
func TestStateCursor(t *testing.T) {
	r := rulesOf(t, "quirkat", nil)
	x, m := newIndexes(r.geometry), Material{Larger: 2, Smaller: 1}
	table := newStateTables(r, x).newTable(m)
	walking := newStateCursor(table, 0)
	for place := range r.allPlaces(x, m) {
		if c := newStateCursor(table, place); *c != *walking {
			t.Fatalf("at place %d the cursor is %+v, want %+v", place, *c, *walking)
		}
		walking.next()
	}
}

// TestStateVerifyFinds changes one byte of a table with states at a time, in each
// of its columns: the verifier must see.
func TestStateVerifyFinds(t *testing.T) {
	v, r := variant(t, "alquerque-bell", nil), rulesOf(t, "alquerque-bell", nil)
	dir, m := t.TempDir(), Material{Larger: 1, Smaller: 1}
	build(t, v, dir, 2)
	path := r.path(dir, m, Distances)
	f, err := openFile(path)
	if err != nil {
		t.Fatal(err)
	}
	right, err := f.block(nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	h := f.Header
	if err := f.close(); err != nil {
		t.Fatal(err)
	}
	place := slices.IndexFunc(right[2*h.Places:], func(step byte) bool { return step != 0 })
	if place < 0 {
		t.Fatal("no entry has a step that alone is the best")
	}
	for column := range 3 {
		for _, wrong := range []byte{0, 3, 8} {
			data := append([]byte(nil), right...)
			at := column*h.Places + place
			if data[at] = wrong; wrong == right[at] {
				continue
			}
			if err := writeFile(path, &h, 1, func(dst []byte, _ int) []byte { return append(dst, data...) }); err != nil {
				t.Fatal(err)
			}
			_, err = Verify(context.Background(), VerifyConfig{Variant: v, Dir: dir, Threads: 2})
			var found *WrongError
			if !errors.As(err, &found) {
				t.Errorf("column %d, %d for %d: Verify = %v, want a *WrongError", column, wrong, right[at], err)
			}
		}
	}
}

// TestStateResults looks all states of two pieces up in the file of results, once
// from the file and once from memory, and compares them with the distances.
func TestStateResults(t *testing.T) {
	for _, c := range memoryRules {
		v := variant(t, c.variant, c.options)
		dir := t.TempDir()
		build(t, v, dir, 2)
		s := newSolver(t, v)
		exact, _, err := Open(dir, v)
		if err != nil {
			t.Fatal(err)
		}
		for _, position := range allPositions(exact.rules, 2) {
			s.add(position)
		}
		results := t.TempDir()
		if err := os.CopyFS(results, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		if err := os.Remove(exact.path(results, Material{Larger: 1, Smaller: 1}, Distances)); err != nil {
			t.Fatal(err)
		}
		rough, _, err := Open(results, v)
		if err != nil {
			t.Fatal(err)
		}
		loaded, _, err := Open(results, v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := loaded.Load(context.Background(), 1); err != nil {
			t.Fatal(err)
		}
		g := games.New(v)
		p, rp, lp := exact.NewProber(), rough.NewProber(), loaded.NewProber()
		unknown := 0
		for position := range s.next {
			if err := g.Set(position); err != nil {
				t.Fatal(err)
			}
			want, err1 := p.Probe(g)
			got, err2 := rp.Probe(g)
			same, err3 := lp.Probe(g)
			if err := errors.Join(err1, err2, err3); err != nil || got.Result != want.Result || same != got {
				t.Fatalf("%s: Probe(%s) = %v, %v and %v, %v", v.Name, position, want, got, same, err)
			}
			if got.Plies < 0 {
				unknown++
			}
			if looked, err := look(p, g.(*alquerque.Position)); err != nil || looked != want.Value {
				t.Fatalf("%s: Look(%s) = %v, %v, want %v", v.Name, position, looked, err, want.Value)
			}
		}
		if unknown == 0 {
			t.Errorf("%s: no result is without its distance", v.Name)
		}
		for _, tables := range []*Tables{exact, rough, loaded} {
			if err := tables.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}

// look looks a position up by its parts.
func look(p *Prober, on *alquerque.Position) (Value, error) {
	var pieces [2]movegen.Set
	var last LastSteps
	for side := range movegen.None {
		pieces[side] = on.Pieces(side)
		if from, to := on.LastStep(side); from != 0 {
			last[side].From, last[side].To = from.First(), to.First()
		}
	}
	return p.Look(pieces, on.Turn(), last, on.Liable())
}

// TestStateDecides has the same pieces with other states: each has a value of its
// own.
func TestStateDecides(t *testing.T) {
	v := variant(t, "quirkat", nil)
	dir := t.TempDir()
	build(t, v, dir, 3)
	tables, _, err := Open(dir, v)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tables.Close() }()
	g, p := games.New(v), tables.NewProber()
	for _, c := range []struct{ position, want string }{
		{"5/5/5/5/b2w1 w - 0 1", "win in 11"},
		{"5/5/5/5/b2w1 w rb:b1a1 0 1", "win in 11"},
		{"5/5/5/5/b2w1 w rw:c1d1 0 1", "draw"},
		{"5/5/5/5/b2w1 w rw:c1d1,rb:b1a1 0 1", "win in 31"},
		{"5/5/5/5/w1b1w b - 0 1", "loss in 16"},
		{"5/5/5/5/w1b1w b h:a1 0 1", "loss in 30"},
	} {
		if err := g.Set(c.position); err != nil {
			t.Fatal(err)
		}
		if a, err := p.Probe(g); err != nil || a.Value.String() != c.want {
			t.Errorf("Probe(%s) = %s, %v, want %s", c.position, a.Value, err, c.want)
		}
		if n := testing.AllocsPerRun(100, func() { _, _ = p.Probe(g) }); n > 0 {
			t.Errorf("Probe(%s) allocates %v times", c.position, n)
		}
	}
}
