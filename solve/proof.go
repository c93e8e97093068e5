package solve

import (
	"context"
	"errors"
	"slices"
)

// ranked is a position of a win with a bound on the plies to the end, or to a
// table that does not know the distance. One move of the attacker, or every move
// of the defender, leads to a smaller bound; so no line of play comes back.
type ranked struct {
	key
	plies uint16
}

// winningSet makes of the proofs of the search a set of positions with bounds.
// Proofs that the table has lost are searched for again.
func (t *team) winningSet(ctx context.Context, root *position, told func(done, todo int)) ([]ranked, error) {
	const rounds = 100 // far more than were ever needed
	for range rounds {
		w := &winning{team: t, place: make(map[key]int32)}
		if err := w.collect(ctx, root, told); err != nil {
			return nil, err
		}
		w.rank()
		if w.nodes[0].plies != unranked {
			return w.reached(), nil
		}
		// Proofs that were found at different times rest on each other. Those
		// have to be found anew.
		for i := range w.nodes {
			if w.nodes[i].plies == unranked {
				t.table.forget(w.nodes[i].key)
			}
		}
	}
	return nil, errors.New("the proof does not come to an end: more --memory may help")
}

// winning is a winning set in the making.
type winning struct {
	*team
	place map[key]int32
	nodes []ranked
	todo  []int32
}

const unranked = 1<<16 - 1

func (w *winning) add(k key) {
	if _, ok := w.place[k]; !ok {
		i := int32(len(w.nodes))
		w.place[k] = i
		w.nodes = append(w.nodes, ranked{k, unranked})
		w.todo = append(w.todo, i)
	}
}

// collect adds what the win in a position needs: the proven move with the least
// bound for the attacker, all moves for the defender.
func (w *winning) collect(ctx context.Context, root *position, told func(done, todo int)) error {
	s := w.members[0]
	w.add(s.canonical(root))
	for round := 0; len(w.todo) > 0; round++ {
		if round&1023 == 0 {
			told(len(w.nodes)-len(w.todo), len(w.todo))
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		i := w.todo[len(w.todo)-1]
		w.todo = w.todo[:len(w.todo)-1]
		p := w.nodes[i].position()
		list := s.childrenOf(&p)
		if p.turn != w.attacker {
			for j := range list {
				if !list[j].fixed {
					w.add(list[j].key)
				}
			}
			continue
		}
		best := shortest(list)
		if best == nil && len(list) > 0 {
			n, err := w.decide(ctx, &p, 1, unbounded)
			if err != nil {
				return err
			}
			if !n.proven() {
				// Disproofs of other paths stand in the way of a proof that was
				// lost. The closed set finds out which of them are wrong.
				set, err := w.closedSet(ctx, &p, told)
				if err != nil {
					return err
				}
				if set != nil {
					return errors.New("a proven position is not won: this is an error of the program")
				}
			}
			if best, err = w.refresh(ctx, s, &p); err != nil {
				return err
			}
		}
		if best != nil && !best.fixed {
			w.add(best.key)
		}
	}
	return nil
}

// refresh finds a proven move of a position that has one.
func (w *winning) refresh(ctx context.Context, s *searcher, p *position) (*child, error) {
	list := slices.Clone(s.childrenOf(p))
	best := shortest(list)
	for j := range list {
		if best != nil {
			break
		}
		n, err := w.decide(ctx, &list[j].position, 1, unbounded)
		if err != nil {
			return nil, err
		}
		list[j].numbers = n
		best = shortest(list)
	}
	return best, nil
}

// shortest is the proven position with the least bound, nil if none is proven.
func shortest(list []child) *child {
	var best *child
	for j := range list {
		if c := &list[j]; c.proven() && (best == nil || c.plies < best.plies || c.plies == best.plies && c.fixed && !best.fixed) {
			best = c
		}
	}
	return best
}

// rank gives every node the least bound that the others allow, from the end
// backwards.
func (w *winning) rank() {
	s := w.members[0]
	open := make([]int32, len(w.nodes))  // moves of the defender without a bound
	above := make([]int32, len(w.nodes)) // the first of the links to the nodes before
	var links []link
	var level [][]int32
	reach := func(i int32, plies int) {
		for len(level) <= plies {
			level = append(level, nil)
		}
		level[plies] = append(level[plies], i)
	}
	for i := range above {
		above[i] = -1
	}
	for i := range w.nodes {
		p := w.nodes[i].position()
		attacks := p.turn == w.attacker
		list := s.childrenOf(&p)
		end := -1 // the bound that settled moves give
		for j := range list {
			c := &list[j]
			if n, ok := w.place[c.key]; !c.fixed && ok {
				links = append(links, link{int32(i), above[n]})
				above[n] = int32(len(links) - 1)
				open[i]++
			} else if !c.fixed || c.disproven() {
				open[i] += 1 << 16 // never
			} else if plies := int(c.plies) + 1; end < 0 || attacks == (plies < end) {
				end = plies
			}
		}
		switch {
		case len(list) == 0:
			reach(int32(i), 0)
		case end >= 0 && (attacks || open[i] == 0):
			reach(int32(i), end)
		}
	}
	for plies := 0; plies < len(level) && plies < unranked; plies++ {
		for _, i := range level[plies] {
			if w.nodes[i].plies != unranked {
				continue
			}
			w.nodes[i].plies = uint16(plies)
			for l := above[i]; l >= 0; l = links[l].next {
				n := links[l].node
				if open[n]--; w.nodes[n].plies == unranked && (w.nodes[n].position().turn == w.attacker || open[n] == 0) {
					reach(n, max(plies, w.settledPlies(s, n))+1)
				}
			}
		}
	}
}

// settledPlies is, for a node of the defender, the longest of its moves that a
// table knows.
func (w *winning) settledPlies(s *searcher, i int32) int {
	p := w.nodes[i].position()
	if p.turn == w.attacker {
		return 0
	}
	most := 0
	for _, c := range s.childrenOf(&p) {
		if c.fixed {
			most = max(most, int(c.plies))
		}
	}
	return most
}

// reached gives the nodes that the shortest wins lead to, sorted.
func (w *winning) reached() []ranked {
	s := w.members[0]
	seen := make([]bool, len(w.nodes))
	seen[0] = true
	stack, list := []int32{0}, []ranked{}
	for len(stack) > 0 {
		n := w.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		list = append(list, n)
		p := n.position()
		best, bound := int32(-1), int(unranked)
		for _, c := range s.childrenOf(&p) {
			i, ok := w.place[c.key]
			switch {
			case c.fixed && c.proven():
				if int(c.plies) < bound || int(c.plies) == bound && best >= 0 {
					best, bound = -1, int(c.plies)
				}
			case c.fixed || !ok:
			case p.turn != w.attacker:
				if !seen[i] {
					seen[i] = true
					stack = append(stack, i)
				}
			case int(w.nodes[i].plies) < bound:
				best, bound = i, int(w.nodes[i].plies)
			}
		}
		if p.turn == w.attacker && best >= 0 && !seen[best] {
			seen[best] = true
			stack = append(stack, best)
		}
	}
	slices.SortFunc(list, func(a, b ranked) int { return a.key.compare(b.key) })
	return list
}
