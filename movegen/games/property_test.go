package games_test

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"qirkat/movegen"
)

// How many positions of random games are looked at for properties.
const (
	properPerVariant     = 1000
	properPerCombination = 150
)

func TestProperties(t *testing.T) {
	for _, r := range variants(t) {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			r.play(t, properPerVariant, newWitness(r).see)
		})
	}
	for _, r := range distinct(combinations(t)) {
		t.Run(r.String(), func(t *testing.T) {
			t.Parallel()
			r.play(t, properPerCombination, newWitness(r).see)
		})
	}
}

// witness remembers the positions seen under one set of rules.
type witness struct {
	rules rules
	fresh movegen.Game      // is set to one position after the other
	alone movegen.Game      // likewise: a position of the game without its history
	keys  map[string]uint64 // by rows, side and state
	texts map[uint64]string // and the other way round
}

func newWitness(r rules) *witness {
	return &witness{r, r.game(), r.game(), make(map[string]uint64), make(map[uint64]string)}
}

// see checks all that must hold in a position.
func (w *witness) see(g *game) error {
	for _, check := range []func(*game) error{
		w.invariants, w.setAgain, w.keyIsThePosition, w.movesAreDistinct, w.makeAndUnmake, w.keyAskedLate,
		w.noisyMovesAreMoves, w.cloneIsIndependent, w.stalled, w.canRepeat, w.turnedRound, w.mostTaken,
	} {
		if err := check(g); err != nil {
			return err
		}
	}
	return nil
}

// mostTaken: where a game counts captures without a list of moves, it agrees with
// the list.
func (w *witness) mostTaken(g *game) error {
	p, ok := g.Game.(interface {
		MostTaken(pieces [2]movegen.Set, turn movegen.Side) int
		Pieces(movegen.Side) movegen.Set
	})
	if !ok {
		return nil
	}
	want := 0
	for _, m := range g.Moves(nil) {
		want = max(want, m.Taken.Len())
	}
	if has := p.MostTaken([2]movegen.Set{p.Pieces(movegen.White), p.Pieces(movegen.Black)}, g.Turn()); has != want {
		return fmt.Errorf("MostTaken = %d, want %d", has, want)
	}
	return nil
}

func (w *witness) invariants(g *game) error { return g.Check() }

// setAgain: the position text gives the same position, and the order of the
// moves depends on the position alone, not on how it came about.
func (w *witness) setAgain(g *game) error {
	text := g.String()
	if err := w.fresh.Set(text); err != nil {
		return fmt.Errorf("its own text is refused: %w", err)
	}
	switch {
	case w.fresh.String() != text:
		return fmt.Errorf("set again it is %q", w.fresh)
	case w.fresh.Key() != g.Key():
		return fmt.Errorf("Key() = %x, set again %x", g.Key(), w.fresh.Key())
	case w.fresh.Turn() != g.Turn():
		return fmt.Errorf("Turn() = %s, set again %s", g.Turn(), w.fresh.Turn())
	case !slices.Equal(w.fresh.Moves(nil), g.list):
		return fmt.Errorf("Moves() = %v, set again %v", g.list, w.fresh.Moves(nil))
	}
	return w.fresh.Check()
}

// keyIsThePosition: equal keys are equal rows, side and state.
func (w *witness) keyIsThePosition(g *game) error {
	text := position(g.String())
	key := g.Key()
	if known, ok := w.keys[text]; ok && known != key {
		return fmt.Errorf("Key() = %x, before it was %x", key, known)
	}
	if known, ok := w.texts[key]; ok && known != text {
		return fmt.Errorf("Key() = %x, as of %q", key, known)
	}
	w.keys[text], w.texts[key] = key, text
	return nil
}

// movesAreDistinct: no two moves are equal or share a text, and each is read
// back from its text. Moves appends.
func (w *witness) movesAreDistinct(g *game) error {
	before := movegen.Move{From: 1, Taken: 2}
	if again := g.Moves([]movegen.Move{before}); again[0] != before || !slices.Equal(again[1:], g.list) {
		return errors.New("Moves does not append the same moves to a list that has one")
	}
	texts := make(map[string]movegen.Move, len(g.list))
	values := make(map[movegen.Move]bool, len(g.list))
	for i, m := range g.list {
		text := g.Text(m)
		if other, ok := texts[text]; ok {
			return fmt.Errorf("the moves %+v and %+v have the text %s", other, m, text)
		}
		if values[m] {
			return fmt.Errorf("the move %s is listed twice", text)
		}
		texts[text], values[m] = m, true
		if i%(1+len(g.list)/100) != 0 {
			continue
		}
		if found, err := g.Find(text); err != nil || found != m {
			return fmt.Errorf("Find(%q) = %s (%+v), want %+v", text, g.found(found, err), found, m)
		}
	}
	return nil
}

// canRepeat: CanRepeat says yes only where a move leads to one of the last
// positions, and always then where steps go both ways.
func (w *witness) canRepeat(g *game) error {
	for _, n := range []int{3, 6, longestGame} {
		seen := make(map[string]bool)
		for _, text := range g.history[max(0, len(g.history)-1-n):] {
			seen[position(text)] = true
		}
		leads := false
		for _, m := range g.list {
			g.Make(m)
			leads = leads || seen[position(g.String())]
			g.Unmake()
		}
		if can := g.CanRepeat(n); can && !leads || leads && !can && w.overlooksNoRepeat() {
			return fmt.Errorf("CanRepeat(%d) = %t, a move that repeats a position: %t", n, can, leads)
		}
	}
	return nil
}

// overlooksNoRepeat: with no return and with huffing, tokens would have to be
// compared; sowing never leads back at once.
func (w *witness) overlooksNoRepeat() bool {
	return w.rules.Family != movegen.Manqala && !w.rules.NoReturn && !w.rules.Huffing
}

// position is a position text without its counts.
func position(text string) string { return strings.Join(strings.Fields(text)[:3], " ") }

// snapshot is all that a position shows.
type snapshot struct {
	text    string
	key     uint64
	turn    movegen.Side
	outcome movegen.Outcome
	cycle   movegen.Outcome
	p1, p2  int
	stalled bool
}

func snap(g movegen.Game) snapshot {
	p1, p2 := g.Points()
	return snapshot{g.String(), g.Key(), g.Turn(), g.Outcome(), g.Cycle(), p1, p2, g.Stalled(longestGame)}
}

// makeAndUnmake: a move made and taken back leaves no trace. After a move the
// incremental key is the fresh one.
func (w *witness) makeAndUnmake(g *game) error {
	before := snap(g)
	var list, replies []movegen.Move
	for i := range everyNth(len(g.list), 30) {
		m := g.list[i]
		g.Make(m)
		err := g.Check()
		if err == nil {
			err = w.setAgain(&game{Game: g.Game, list: g.Moves(nil)})
		}
		if replies = g.Moves(replies[:0]); err == nil && len(replies) > 0 {
			g.Make(replies[len(replies)/2])
			err = g.Check()
			g.Unmake()
		}
		g.Unmake()
		if err != nil {
			return fmt.Errorf("after %s: %w", g.Text(m), err)
		}
		if after := snap(g); after != before {
			return fmt.Errorf("%s made and taken back: %+v, before %+v", g.Text(m), after, before)
		}
		if list = g.Moves(list[:0]); !slices.Equal(list, g.list) {
			return fmt.Errorf("%s made and taken back: Moves() = %v, before %v", g.Text(m), list, g.list)
		}
	}
	return g.Check()
}

// keyAskedLate: the key is right also where it was not asked for at the turns
// before, and other turns were made and taken back meanwhile.
func (w *witness) keyAskedLate(g *game) error {
	text := g.String()
	random := movegen.SplitMix(g.Key())
	var list []movegen.Move
	plies := 0
	var played []string
	for range 12 {
		list = g.Moves(list[:0])
		if back := plies > 0 && random.Next()%3 == 0; back || len(list) == 0 {
			if plies == 0 {
				return nil
			}
			g.Unmake()
			plies--
			played = append(played, "back")
			continue
		}
		m := list[random.Next()%uint64(len(list))]
		played = append(played, g.Text(m))
		g.Make(m)
		plies++
	}
	err := w.fresh.Set(g.String())
	if err == nil && g.Key() != w.fresh.Key() {
		err = fmt.Errorf("after %s the key is %x, want %x", strings.Join(played, " "), g.Key(), w.fresh.Key())
	}
	for range plies {
		g.Unmake()
	}
	if err == nil && g.String() != text {
		err = fmt.Errorf("after %s taken back %q, want %q", strings.Join(played, " "), g, text)
	}
	return err
}

// noisyMovesAreMoves: Noisy has, in some order, the moves that take or huff a
// piece and leave none open to a huff.
func (w *witness) noisyMovesAreMoves(g *game) error {
	wanted := make(map[movegen.Move]bool)
	for _, m := range g.list {
		if (m.Taken != 0 || m.Huff.Huffed() != 0) && m.Huff.Liable() == 0 {
			wanted[m] = true
		}
	}
	noisy, forced := g.Noisy(nil)
	for _, m := range noisy {
		if !wanted[m] {
			return fmt.Errorf("Noisy() has %s, which is quiet, a fault, not legal or there twice", g.Text(m))
		}
		delete(wanted, m)
	}
	for m := range wanted {
		return fmt.Errorf("Noisy() does not have %s", g.Text(m))
	}
	if forced && len(noisy) == 0 {
		return errors.New("forced, but no move is noisy")
	}
	return nil
}

// cloneIsIndependent: what is played on a copy does not show on the other.
func (w *witness) cloneIsIndependent(g *game) error {
	if len(g.list) == 0 || len(g.moves)%4 != 0 {
		return nil // it costs much
	}
	before := snap(g)
	c := g.Clone()
	if got := snap(c); got != before {
		return fmt.Errorf("Clone() = %+v, want %+v", got, before)
	}
	first, last := g.list[0], g.list[len(g.list)-1]
	c.Make(first)
	after := snap(c)
	if got := snap(g); got != before {
		return fmt.Errorf("after %s on a clone: %+v, before %+v", g.Text(first), got, before)
	}
	g.Make(last)
	g.Moves(nil)
	if got := snap(c); got != after {
		return fmt.Errorf("after %s on the original the clone is %+v, before %+v", g.Text(last), got, after)
	}
	g.Unmake()
	for range len(g.moves) + 1 {
		c.Unmake() // its history is its own
	}
	if got := c.String(); got != g.history[0] {
		return fmt.Errorf("a clone taken back to the start is %q, want %q", got, g.history[0])
	}
	if got := snap(g); got != before {
		return fmt.Errorf("after turns taken back on a clone: %+v, before %+v", got, before)
	}
	return nil
}

// stalled: Stalled looks for the quiet count, and for the position among the
// last plies and often enough among all.
func (w *witness) stalled(g *game) error {
	position := func(text string) string { return strings.Join(strings.Fields(text)[:3], " ") }
	now := len(g.history) - 1
	rules := g.Variant().Rules
	quiet, err := strconv.Atoi(strings.Fields(g.history[now])[3])
	if err != nil {
		return err
	}
	for _, plies := range []int{0, 1, 3, 4, 7, 8, 20, longestGame} {
		want := rules.Quiet > 0 && quiet >= rules.Quiet
		seen := 0
		for i, text := range g.history {
			if position(text) == position(g.history[now]) {
				seen++
				want = want || i < now && i >= now-plies
			}
		}
		want = want || rules.Repetition > 0 && seen >= rules.Repetition
		if got := g.Stalled(plies); got != want {
			return fmt.Errorf("Stalled(%d) = %v, want %v", plies, got, want)
		}
	}
	if over := g.Outcome().Over(); over != (len(g.list) == 0 || g.Stalled(0)) {
		return fmt.Errorf("over is %v with %d moves, Stalled(0) = %v", over, len(g.list), g.Stalled(0))
	}
	return nil
}

// Al-manqala's endless cycle shares the seeds: what Cycle gives in any position
// is what the slow generator gives when the quiet count is full.
func TestCycleSharesTheSeeds(t *testing.T) {
	r := rulesOf(t, "al-manqala")
	s := r.slow(t)
	r.play(t, properPerVariant, func(g *game) error {
		fields := strings.Fields(g.String())
		fields[3] = "100"
		want, reason := s.Result([]string{strings.Join(fields, " ")})
		if got := g.Cycle(); reason == "cycle" && (got.Result(movegen.White) != want || got.Reason != movegen.Cycle) {
			return fmt.Errorf("Cycle() = %s %s, want %s cycle", got.Result(movegen.White), got.Reason, want)
		}
		return nil
	})
}

// Keys are the same in every run and every version, so that they can stand in
// files (books, tables).
func TestKeysStay(t *testing.T) {
	for name, want := range map[string]uint64{
		"alquerque":  0x4be3b515eacd794b,
		"quirkat":    0xc06dd9ac3d6f2515,
		"fanorona":   0x4296bdf2a5704408,
		"al-manqala": 0xb3608a8388f6a24a,
	} {
		if got := rulesOf(t, name).game().Key(); got != want {
			t.Errorf("%s: the key of the start is %#x, want %#x: files with keys become unreadable", name, got, want)
		}
	}
}
