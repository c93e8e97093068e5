package games_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"qirkat/movegen"
)

// A mirror shows a position to the other side: the board turned by half, white
// for black; or, where the sides have different rules (the vela), the board
// from behind, left for right.
type mirror struct {
	movegen.Size
	swap bool // the colours
}

// turnedRound: what the mirror shows has the same moves and ends the same way.
func (w *witness) turnedRound(g *game) error {
	for _, m := range w.rules.mirrors() {
		if err := w.mirrored(g, m); err != nil {
			return fmt.Errorf("colours swapped %v: %w", m.swap, err)
		}
	}
	return nil
}

// mirrors are those under which nothing changes. Al-manqala is played round
// and round, so it has no left and right.
func (r rules) mirrors() []mirror {
	switch {
	case r.Vela:
		return []mirror{{r.Size, false}}
	case r.Family == movegen.Manqala:
		return []mirror{{r.Size, true}}
	}
	return []mirror{{r.Size, true}, {r.Size, false}}
}

func (w *witness) mirrored(g *game, m mirror) error {
	plain := w.alone
	if err := plain.Set(g.String()); err != nil {
		return err
	}
	text := m.position(g.String())
	if err := w.fresh.Set(text); err != nil {
		return fmt.Errorf("mirrored: %w", err)
	}
	want := make(map[movegen.Move]bool, len(g.list))
	for _, move := range g.list {
		want[m.move(move)] = true
	}
	list := w.fresh.Moves(nil)
	for _, move := range list {
		if !want[move] {
			return fmt.Errorf("the mirrored position %q has the move %s, this one has no such", text, w.fresh.Text(move))
		}
	}
	if len(list) != len(g.list) {
		return fmt.Errorf("the mirrored position %q has %d moves, want %d", text, len(list), len(g.list))
	}
	o, shown := plain.Outcome(), w.fresh.Outcome()
	p1, p2 := plain.Points()
	shown1, shown2 := w.fresh.Points()
	if m.swap {
		p1, p2 = p2, p1
		if o.Over() && o.Winner != movegen.None {
			o.Winner = o.Winner.Other()
		}
	}
	if shown != o || shown1 != p1 || shown2 != p2 {
		return fmt.Errorf("the mirrored position %q ends %v %d %d, want %v %d %d", text, shown, shown1, shown2, o, p1, p2)
	}
	for i := range everyNth(len(g.list), 10) {
		plain.Make(g.list[i])
		w.fresh.Make(m.move(g.list[i]))
		// The second player's turn ends the move pair: its number differs.
		after, reflected := withoutNumber(m.position(plain.String())), withoutNumber(w.fresh.String())
		plain.Unmake()
		w.fresh.Unmake()
		if after != reflected {
			return fmt.Errorf("after %s the mirrored position is %q, want %q", plain.Text(g.list[i]), reflected, after)
		}
	}
	return nil
}

func withoutNumber(position string) string { return position[:strings.LastIndex(position, " ")] }

// position mirrors a position text.
func (m mirror) position(text string) string {
	fields := strings.Fields(text)
	if strings.Contains(fields[0], ",") {
		return m.houses(fields)
	}
	rows := strings.Split(fields[0], "/")
	for i, row := range rows {
		letters := []byte(row)
		slices.Reverse(letters)
		rows[i] = m.colours(string(letters))
	}
	if m.swap {
		slices.Reverse(rows)
	}
	fields[0] = strings.Join(rows, "/")
	fields[1] = m.colours(fields[1])
	if fields[2] != "-" {
		fields[2] = m.state(fields[2])
	}
	return strings.Join(fields, " ")
}

// colours swaps w and b in a text that has no points.
func (m mirror) colours(text string) string {
	if !m.swap {
		return text
	}
	return strings.NewReplacer("w", "b", "b", "w").Replace(text)
}

// state mirrors the tokens, and puts them and their points in order again.
func (m mirror) state(text string) string {
	var back, huff []string
	for token := range strings.SplitSeq(text, ",") {
		name, names, _ := strings.Cut(token, ":")
		var points []string
		for ; names != ""; names = names[2:] {
			points = append(points, m.point(names[:2]))
		}
		if name == "h" {
			slices.SortFunc(points, func(p, q string) int {
				return strings.Compare(p[1:]+p[:1], q[1:]+q[:1])
			})
			huff = []string{"h:" + strings.Join(points, "")}
		} else {
			back = append(back, m.colours(name)+":"+strings.Join(points, ""))
		}
	}
	slices.Sort(back)
	slices.Reverse(back) // rw before rb
	return strings.Join(append(back, huff...), ",")
}

func (m mirror) point(name string) string {
	column, row := byte('a'+m.W-1)-(name[0]-'a'), name[1]
	if m.swap {
		row = byte('0'+m.H+1) - (row - '0')
	}
	return string([]byte{column, row})
}

// houses turns Al-manqala's board round.
func (m mirror) houses(fields []string) string {
	reverse := func(list, separator string) string {
		words := strings.Split(list, separator)
		slices.Reverse(words)
		return strings.Join(words, separator)
	}
	rows := strings.Split(reverse(fields[0], "/"), "/")
	fields[0] = reverse(rows[0], ",") + "/" + reverse(rows[1], ",")
	fields[1] = m.colours(fields[1])
	fields[2] = reverse(fields[2], ",")
	return strings.Join(fields, " ")
}

// move mirrors a move.
func (m mirror) move(move movegen.Move) movegen.Move {
	return movegen.Move{
		From: m.set(move.From), To: m.set(move.To), Taken: m.set(move.Taken),
		Huff: movegen.NewHuff(m.set(move.Huff.Huffed()), m.set(move.Huff.Liable())),
	}
}

func (m mirror) set(s movegen.Set) movegen.Set {
	n := m.W * m.H
	if m.H == 2 { // houses are counted from the mover's left
		return s
	}
	turned := movegen.Set(bits.Reverse64(uint64(s)) >> (64 - n))
	if m.swap {
		return turned
	}
	var reflected movegen.Set // rows turned one by one are columns reflected
	for r := range m.H {
		reflected |= turned >> (r * m.W) & (1<<m.W - 1) << ((m.H - 1 - r) * m.W)
	}
	return reflected
}
