package solve

import (
	"context"
	"sync"
	"sync/atomic"

	"qirkat/movegen"
	"qirkat/tablebase"
)

// team are searchers that share a table. All of them begin at the root; marks
// keep them apart (T. Kaneko, "Parallel Depth First Proof Number Search", 2010).
type team struct {
	attacker movegen.Side
	table    *table
	known    *reach // of the tables that decide
	hinted   *reach // of those that give a first guess
	patience uint64 // nodes of the least search for a closed set
	sums     bool   // disproof numbers add up in full: a disproof is looked for
	halt     atomic.Bool
	root     atomic.Uint64 // its proof and disproof numbers
	nodes    atomic.Uint64
	members  []*searcher
	// done and todo count the positions of a certificate in the making.
	done, todo atomic.Int64
	// marks count, by hash, the searchers below a position; nil for one alone.
	marks []atomic.Int32
	alone atomic.Int32
}

func newTeam(r *rules, tables, hints *tablebase.Tables, attacker movegen.Side, memory int64, threads int) (*team, error) {
	table, err := newTable(memory)
	if err != nil {
		return nil, err
	}
	t := &team{attacker: attacker, table: table, known: reachOf(tables), hinted: reachOf(hints), patience: 1000} // chosen
	if threads > 1 {
		t.marks = make([]atomic.Int32, 1<<14)
	}
	for range threads {
		s := &searcher{mover: newMover(r), team: t}
		if tables != nil {
			s.prober = tables.NewProber()
		}
		if hints != nil {
			s.hints = hints.NewProber()
		}
		t.members = append(t.members, s)
	}
	return t, nil
}

// free gives the memory of the table back; the team must not be used any more.
func (t *team) free() {
	if t != nil {
		t.table.free()
	}
}

// mark is the count of searchers below a position.
func (t *team) mark(k key) *atomic.Int32 {
	if t.marks == nil {
		return &t.alone
	}
	return &t.marks[(k.a^k.b*0x9e3779b97f4a7c15)>>40&uint64(len(t.marks)-1)]
}

// enter marks a position that a searcher goes to.
func (t *team) enter(k key) *atomic.Int32 {
	m := t.mark(k)
	m.Add(1)
	return m
}

// seen is the number by which a child is chosen: the more searchers are there
// already, the larger.
func (t *team) seen(c *child, n uint32) uint32 {
	if t.marks == nil || c.fixed || n == 0 || n >= infinite/2 {
		return n
	}
	return n + (n/2+1)*uint32(max(0, t.mark(c.key).Load()))
}

// unbounded is a number of nodes that no search comes to.
const unbounded = 1 << 62

// decide searches a position with so many members until it is decided, or so many
// nodes are spent. The error is that of the context or of the tables.
func (t *team) decide(ctx context.Context, p *position, members int, nodes uint64) (numbers, error) {
	until := t.nodes.Load() + nodes
	for _, s := range t.members[:members] {
		s.until = until
	}
	for {
		t.halt.Store(false)
		release := context.AfterFunc(ctx, func() { t.halt.Store(true) })
		found := make([]numbers, members)
		if members == 1 {
			found[0] = t.members[0].decide(p)
		} else {
			var group sync.WaitGroup
			for i, s := range t.members[:members] {
				group.Go(func() {
					found[i] = s.decide(p)
					t.halt.Store(true)
				})
			}
			group.Wait()
		}
		release()
		for i, s := range t.members[:members] {
			if s.err != nil {
				return numbers{}, s.err
			}
			if found[i].decided() {
				return found[i], nil
			}
		}
		if err := ctx.Err(); err != nil {
			return numbers{}, context.Cause(ctx)
		}
		if t.nodes.Load() >= until {
			return found[0], nil
		}
		if t.table.crowded() {
			t.table.grow()
		}
	}
}
