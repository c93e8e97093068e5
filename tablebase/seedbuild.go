package tablebase

import (
	"context"
)

// differences are the tables of one number of seeds: for each board what the
// side to move gets more of its seeds than the other, by best play, and the
// plies that it takes the winner at most to have that in store, without a
// capture before.
//
// A cycle shares the seeds on the board equally, so it is worth 0, and whoever
// can do better must do so in finitely many turns: the value v > 0 is a game of
// reachability, as in the awari tables (J. W. Romein and H. E. Bal, "Solving
// Awari with Parallel Retrograde Analysis", 2003). So the values are settled
// from the highest down: those of v and −v are carried back over the turns that
// take nothing, until no board follows any more; what is left at last is 0.
type differences struct {
	values []int8
	plies  []uint8
}

// seedSolver computes the differences of a number of seeds.
type seedSolver struct {
	*sower
	differences
	seeds   int
	smaller []differences // by number of seeds
	threads int
	done    func(places int) // may be nil

	captures []int8  // what the best capture gives, or noCapture
	open     []uint8 // turns without a capture that are not settled yet
	most     int     // plies
}

const noCapture = -128

// solve fills the table of a number of seeds; those of fewer must be there.
func (s *sower) solve(ctx context.Context, smaller []differences, threads int, done func(places int)) (differences, error) {
	seeds := len(smaller)
	n := distributions(seeds)
	r := &seedSolver{
		sower: s, differences: differences{make([]int8, n), make([]uint8, n)}, seeds: seeds, smaller: smaller,
		threads: threads, done: done, captures: make([]int8, n), open: make([]uint8, n),
	}
	if seeds == 0 {
		return r.differences, nil
	}
	r.lookAll(ctx)
	for v := seeds; v > 0; v-- {
		if err := r.settle(ctx, int8(v)); err != nil {
			return differences{}, err
		}
	}
	if r.most > 255 {
		return differences{}, refuse("%d seeds: a difference takes %d plies, which a byte does not hold", seeds, r.most)
	}
	return r.differences, context.Cause(ctx)
}

// lookAll takes the captures of every board and counts the other turns.
func (r *seedSolver) lookAll(ctx context.Context) {
	turns := make([][]turn, r.threads)
	parallel(ctx, r.threads, len(r.values), 1<<12, func(worker, from, to int) {
		b := boardAt(from, r.seeds)
		for place := from; place < to; place++ {
			r.captures[place], r.open[place], turns[worker] = r.lookAt(&b, turns[worker])
			b.next()
		}
		if r.done != nil {
			r.done(to - from)
		}
	})
}

func (r *seedSolver) lookAt(b *board, buffer []turn) (best int8, open uint8, _ []turn) {
	best = noCapture
	buffer = r.turns(buffer[:0], b)
	for i := range buffer {
		t := &buffer[i]
		if t.taken == 0 {
			open++
			continue
		}
		v := int8(t.taken)
		if left := r.seeds - t.taken; left > 0 {
			v -= r.smaller[left].values[t.place()]
		}
		best = max(best, v)
	}
	return best, open, buffer
}

// settle finds the boards with the values v and −v, ply by ply.
func (r *seedSolver) settle(ctx context.Context, v int8) error {
	news, captured := r.begin(v)
	c := r.newCarrier(v)
	for plies := 1; ; plies++ {
		next := c.carry(ctx, news, plies)
		if plies == 1 {
			next = append(next, captured...)
		}
		if len(next) == 0 || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		news, r.most = next, max(r.most, plies)
	}
}

// begin settles the boards that need no turn without a capture: starved is those
// where no turn is left, and captured those where a capture decides.
func (r *seedSolver) begin(v int8) (starved, captured []uint32) {
	for place, best := range r.captures {
		if r.values[place] != 0 {
			continue
		}
		switch open := r.open[place]; {
		case best == v:
			r.values[place], r.plies[place] = v, 1
			captured = append(captured, uint32(place))
		case open == 0 && best == -v:
			r.values[place], r.plies[place] = -v, 1
			captured = append(captured, uint32(place))
		case open == 0 && best == noCapture:
			r.values[place] = -v // the most seeds of all come first
			starved = append(starved, uint32(place))
		}
	}
	return starved, captured
}

// carrier takes news back over the turns that lead to them, in two steps, so
// that no write needs a lock: first workers look for the places before, sorted
// by shards of the table, then each shard is written to by one of them.
type carrier struct {
	*seedSolver
	v        int8
	perShard int
	won      [][][]uint32 // by worker and shard: places with a turn that wins
	closed   [][][]uint32 // and with a turn that loses
	buffers  [][]uint32   // by worker
	next     [][]uint32   // by shard: the places that are settled
}

func (r *seedSolver) newCarrier(v int8) *carrier {
	shards := 4 * r.threads
	c := &carrier{
		seedSolver: r, v: v, perShard: (len(r.values) + shards - 1) / shards,
		buffers: make([][]uint32, r.threads), next: make([][]uint32, shards),
	}
	for range r.threads {
		c.won = append(c.won, make([][]uint32, shards))
		c.closed = append(c.closed, make([][]uint32, shards))
	}
	return c
}

// carry gives the places that are settled with so many plies because the news
// are settled.
func (c *carrier) carry(ctx context.Context, news []uint32, plies int) []uint32 {
	const atOnce = 1 << 18 // bounds the lists; chosen
	for len(news) > 0 {
		part := news[:min(len(news), atOnce)]
		news = news[len(part):]
		parallel(ctx, c.threads, len(part), 1<<10, func(worker, from, to int) {
			for _, place := range part[from:to] {
				c.look(worker, int(place))
			}
		})
		parallel(ctx, c.threads, len(c.next), 1, func(_, shard, _ int) { c.apply(shard, plies) })
	}
	var all []uint32
	for shard := range c.next {
		all = append(all, c.next[shard]...)
		c.next[shard] = c.next[shard][:0]
	}
	return all
}

func (c *carrier) look(worker, place int) {
	b := boardAt(place, c.seeds)
	before := c.before(c.buffers[worker][:0], &b)
	c.buffers[worker] = before
	list := c.closed[worker]
	if c.values[place] < 0 {
		list = c.won[worker]
	}
	for _, p := range before {
		shard := int(p) / c.perShard
		list[shard] = append(list[shard], p)
	}
}

func (c *carrier) apply(shard, plies int) {
	settle := func(place uint32, value int8) {
		c.values[place], c.plies[place] = value, uint8(plies)
		c.next[shard] = append(c.next[shard], place)
	}
	for worker := range c.won {
		for _, place := range c.won[worker][shard] {
			if c.values[place] == 0 {
				settle(place, c.v)
			}
		}
		for _, place := range c.closed[worker][shard] {
			c.open[place]--
			if c.open[place] == 0 && c.values[place] == 0 && c.captures[place] <= -c.v {
				settle(place, -c.v)
			}
		}
		c.won[worker][shard], c.closed[worker][shard] = c.won[worker][shard][:0], c.closed[worker][shard][:0]
	}
}
