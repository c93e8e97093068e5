package solve

import (
	"context"
	"slices"
)

// A closure becomes a closed set: positions in which the attacker has not won,
// each with all moves of the attacker, and one of the defender, leading into the
// set again or to where a table says that the attacker does not win. Whoever
// stays in it never loses, by whatever path it was reached, so it needs no word
// about repetition.
//
// It is made from the disproofs of the search, which can be wrong: where one is
// missing the search is asked again, and where that finds a proof, the positions
// that relied on the disproof are looked at again, and no others.
type closure struct {
	*team
	place map[key]int32
	nodes []closedNode
	links []link
	todo  []int32 // places of nodes to be looked at
	lost  []int32 // places of nodes that turned out to be won by the attacker
}

type closedNode struct {
	key
	above  int32 // the first of the links to the nodes that rely on it; −1: none
	choice int32 // of the defender: a place, or one of the following
	won    bool  // by the attacker
}

const (
	noChoice      = -1
	settledChoice = -2 // a move to a position that a table knows
)

// link says that a node relies on another, from which a list of links begins.
type link struct{ node, next int32 }

// closedSet makes a closed set with a position, or finds that the attacker wins
// there after all: then the set is nil.
func (t *team) closedSet(ctx context.Context, root *position, told func(done, todo int)) ([]key, error) {
	s := t.members[0]
	c := &closure{team: t, place: make(map[key]int32)}
	start := c.add(s.canonical(root))
	for round := 0; ; round++ {
		switch {
		case c.nodes[start].won:
			return nil, nil
		case len(c.lost) > 0:
			i := c.lost[len(c.lost)-1]
			c.lost = c.lost[:len(c.lost)-1]
			c.spread(i)
		case len(c.todo) > 0:
			i := c.todo[len(c.todo)-1]
			c.todo = c.todo[:len(c.todo)-1]
			if err := c.look(ctx, s, i); err != nil {
				return nil, err
			}
		default:
			return c.reached(s, start), nil
		}
		if round&63 == 0 {
			told(len(c.nodes)-len(c.todo), len(c.todo))
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
		}
	}
}

// add gives the place of a position.
func (c *closure) add(k key) int32 {
	i, ok := c.place[k]
	if !ok {
		i = int32(len(c.nodes))
		c.place[k] = i
		c.nodes = append(c.nodes, closedNode{key: k, above: noChoice, choice: noChoice})
		c.todo = append(c.todo, i)
	}
	return i
}

// rely notes that a node needs another.
func (c *closure) rely(node, on int32) {
	c.links = append(c.links, link{node, c.nodes[on].above})
	c.nodes[on].above = int32(len(c.links) - 1)
}

// win notes that the attacker wins in a node.
func (c *closure) win(i int32, plies uint16) {
	if n := &c.nodes[i]; !n.won {
		n.won = true
		c.lost = append(c.lost, i)
		proven := provenNumbers
		proven.plies, proven.work = plies, 1
		if has, ok := c.table.find(n.key); !ok || !has.proven() {
			c.table.put(n.key, proven)
		}
	}
}

// spread looks at the nodes again that relied on one that is won.
func (c *closure) spread(i int32) {
	won, _ := c.table.find(c.nodes[i].key)
	for l := c.nodes[i].above; l != noChoice; l = c.links[l].next {
		n := c.links[l].node
		switch p := c.nodes[n].position(); {
		case c.nodes[n].won:
		case p.turn == c.attacker:
			c.win(n, won.plies+1)
		case c.nodes[n].choice == i:
			c.nodes[n].choice = noChoice
			c.todo = append(c.todo, n)
		}
	}
}

// look adds what a node needs to the set.
func (c *closure) look(ctx context.Context, s *searcher, i int32) error {
	if c.nodes[i].won || c.nodes[i].choice != noChoice {
		return nil
	}
	p := c.nodes[i].position()
	if p.turn != c.attacker {
		return c.choose(ctx, s, i, &p)
	}
	list := s.childrenOf(&p)
	if len(list) == 0 && attackerWins(s.end(&p), true) {
		c.win(i, 0)
		return nil
	}
	for j := range list {
		ch := &list[j]
		if known, ok := c.place[ch.key]; ch.proven() || ok && !ch.fixed && c.nodes[known].won {
			c.win(i, ch.plies+1)
			return nil
		}
	}
	for j := range list {
		if !list[j].fixed {
			c.rely(i, c.add(list[j].key))
		}
	}
	return nil
}

// choose finds a move for the defender: best one that a table knows, then one
// into the set, then one that the search has disproven or disproves now.
func (c *closure) choose(ctx context.Context, s *searcher, i int32, p *position) error {
	list := s.childrenOf(p)
	if len(list) == 0 {
		if attackerWins(s.end(p), false) {
			c.win(i, 0)
		} else {
			c.nodes[i].choice = settledChoice
		}
		return nil
	}
	for j := range list {
		if list[j].fixed && list[j].disproven() {
			c.nodes[i].choice = settledChoice
			return nil
		}
	}
	for j := range list {
		if known, ok := c.place[list[j].key]; ok && !list[j].proven() && !c.nodes[known].won {
			c.take(i, known)
			return nil
		}
	}
	if c.takeDisproven(i, list) {
		return nil
	}
	n, err := c.decide(ctx, p, 1)
	if err != nil {
		return err
	}
	if n.disproven() {
		list = s.childrenOf(p)
		if c.takeDisproven(i, list) {
			return nil
		}
		// The table had no room for it. One after the other, then.
		list = slices.Clone(list)
		for j := range list {
			n, err := c.decide(ctx, &list[j].position, 1)
			if err != nil {
				return err
			}
			if n.disproven() {
				c.take(i, c.add(list[j].key))
				return nil
			}
		}
	}
	plies := n.plies
	for _, ch := range s.childrenOf(p) {
		plies = max(plies, ch.plies+1)
	}
	c.win(i, plies)
	return nil
}

// takeDisproven chooses a move whose disproof took the least work, if there is
// one.
func (c *closure) takeDisproven(i int32, list []child) bool {
	best := -1
	for j := range list {
		known, ok := c.place[list[j].key]
		if list[j].disproven() && !(ok && c.nodes[known].won) && (best < 0 || list[j].work < list[best].work) {
			best = j
		}
	}
	if best < 0 {
		return false
	}
	c.take(i, c.add(list[best].key))
	return true
}

// take makes a move of the defender the choice of a node.
func (c *closure) take(node, choice int32) {
	c.nodes[node].choice = choice
	c.rely(node, choice)
}

// reached gives the positions that the choices lead to, sorted.
func (c *closure) reached(s *searcher, start int32) []key {
	seen := make([]bool, len(c.nodes))
	seen[start] = true
	stack, list := []int32{start}, []key{}
	visit := func(i int32) {
		if !seen[i] {
			seen[i] = true
			stack = append(stack, i)
		}
	}
	for len(stack) > 0 {
		n := &c.nodes[stack[len(stack)-1]]
		stack = stack[:len(stack)-1]
		list = append(list, n.key)
		if n.key.position().turn != c.attacker {
			if n.choice >= 0 {
				visit(n.choice)
			}
			continue
		}
		p := n.position()
		for _, ch := range s.childrenOf(&p) {
			if !ch.fixed {
				visit(c.place[ch.key])
			}
		}
	}
	slices.SortFunc(list, key.compare)
	return list
}
