package alquerque

import (
	"slices"

	"qirkat/movegen"
)

// turns appends the turns that begin with a huff, or without one: those that
// are right, and where captures are compulsory by huffing also the faults.
func (p *Position) turns(dst []movegen.Move, own, enemy, huffed movegen.Set) []movegen.Move {
	begin := len(dst)
	dst = p.right(dst, own, enemy, huffed)
	if p.rules.Huffing && len(dst) > begin && dst[begin].Taken != 0 {
		dst = p.faults(dst, begin, own, enemy, huffed)
	}
	return dst
}

// faults appends the turns outside the right ones, which stand in dst from
// begin: every step, and every way to stop a chain. Each leaves pieces open to
// a huff.
func (p *Position) faults(dst []movegen.Move, begin int, own, enemy, huffed movegen.Set) []movegen.Move {
	end := len(dst)
	w := p.begin(own, enemy, huffed)
	dst = p.steps(dst, own, w.empty, 0)
	for i := end; i < len(dst); i++ {
		t := turn{own: own, enemy: enemy, moved: 1}
		t.movers[0] = mover{dst[i].From.First(), dst[i].To.First()}
		dst[i].Huff = movegen.NewHuff(huffed, w.liable(&t))
	}
	p.unique.Begin(dst)
	f := faultyTurns{walker: w, unique: &p.unique, begin: begin, end: end}
	return f.walk(dst, &w.start)
}

// faultyTurns collects turns that stop short of what was right.
type faultyTurns struct {
	*walker
	unique     *movegen.Unique
	begin, end int // where the right turns stand in dst
}

func (f *faultyTurns) walk(dst []movegen.Move, t *turn) []movegen.Move {
	first := len(f.hops)
	f.hops = f.next(f.hops, t)
	if t.moved > 0 {
		if m := f.move(t); !slices.Contains(dst[f.begin:f.end], m) {
			m.Huff = movegen.NewHuff(f.huffed, f.liable(t))
			dst = f.unique.Add(dst, m)
		}
	}
	var n turn // declared here, or each would be allocated
	for i := first; i < len(f.hops); i++ {
		n = t.play(f.hops[i])
		dst = f.walk(dst, &n)
	}
	f.hops = f.hops[:first]
	return dst
}

// liable are the pieces that the opponent may huff after a faulty turn. "The
// one that moved" is taken where it now stands. Of those that could capture:
// after a chain that stopped early only the piece that stopped, while it can
// still jump; after any other fault each that could jump before the turn, where
// it now stands. With multi-piece, a piece whose chain was over may have got a
// new jump from a later chain: it stopped early too.
func (w *walker) liable(t *turn) movegen.Set {
	var began, now, capturersNow movegen.Set
	for _, m := range t.movers[:t.moved] {
		began |= movegen.Bit(m.from)
		now |= movegen.Bit(m.now)
		if w.jumpers.Has(m.from) {
			capturersNow |= movegen.Bit(m.now)
		}
	}
	if w.rules.HuffMoved {
		return now
	}
	if t.taken != 0 {
		if stopped := now & w.ways.canJump(t.own, t.enemy, w.rules.board.All&^(t.own|t.enemy)); stopped != 0 {
			return stopped
		}
	}
	return w.jumpers&^began | capturersNow
}
