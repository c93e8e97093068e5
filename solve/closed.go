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
// that relied on the disproof are looked at again, and no others. Where the search
// takes too long, they are looked at again as well, since the defender may have a
// better move in one of them; this goes back as far as it must, in the end to the
// start, and each time that it comes there a search may take longer.
type closure struct {
	*team
	place map[key]int32
	nodes []closedNode
	links []link
	needs []int32 // lists of places, each with noChoice at its end
	todo  []int32 // places of nodes to be looked at
	lost  []int32 // places of nodes that turned out to be won by the attacker
	// budget is the number of nodes that a search may take, and most what it may
	// become.
	budget, most uint64
	// broken counts the choices that were taken back since todo was last swept,
	// and work the positions looked at and searched since then.
	broken int
	work   uint64
}

type closedNode struct {
	key
	above int32 // the first of the links to the nodes that rely on it; −1: none
	// choice is, of the defender, the place that its move leads to; of the
	// attacker, where the list of its moves begins in needs; or one of the
	// following.
	choice  int32
	won     bool // by the attacker
	doubted bool // the search could not tell
}

const (
	noChoice      = -1 // yet
	settledChoice = -2 // a move to a position that a table knows
)

// startPlace is the place of the position that the set is made for.
const startPlace = 0

// link says that a node relies on another, from which a list of links begins.
type link struct{ node, next int32 }

func (t *team) newClosure(root *position) *closure {
	c := &closure{team: t, place: make(map[key]int32), budget: t.patience, most: 256 * t.patience}
	c.add(t.members[0].canonical(root))
	return c
}

// closedSet makes a closed set with a position, or finds that the attacker wins
// there after all: then the set is nil.
func (t *team) closedSet(ctx context.Context, root *position, told func(done, todo int)) ([]key, error) {
	s := t.members[0]
	c := t.newClosure(root)
	for round := 0; ; round++ {
		switch {
		case c.nodes[startPlace].won:
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
			list := c.sweep()
			if len(c.todo) == 0 {
				slices.SortFunc(list, key.compare)
				return list, nil
			}
		}
		if c.broken > 0 && len(c.lost) == 0 && 4*c.work > uint64(len(c.nodes)) {
			c.sweep()
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
	}
	if n := &c.nodes[i]; !ok || n.doubted {
		n.doubted = false
		c.todo = append(c.todo, i)
	}
	return i
}

// known gives the place of a position that the set has, as far as it is made.
func (c *closure) known(ch *child) (int32, bool) {
	i, ok := c.place[ch.key]
	return i, ok && !ch.fixed && !c.nodes[i].won && !c.nodes[i].doubted
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
		c.broken++
		c.lost = append(c.lost, i)
		if has, ok := c.table.find(n.key); !ok || !has.proven() {
			c.prove(n.key, plies)
		}
	}
}

// prove lets the search know that the attacker wins in a position.
func (c *closure) prove(k key, plies uint16) {
	proven := provenNumbers
	proven.plies, proven.work = plies, 1
	c.table.put(k, proven)
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

// doubt takes a node out of the set: the search could not tell who wins in it,
// whatever it has said before. The moves of the defender that lead to it are chosen
// anew.
func (c *closure) doubt(i int32) {
	c.broken++
	c.release(i)
	if i == startPlace {
		c.todo = append(c.todo, i)
	} else {
		c.nodes[i].doubted = true
	}
	for l := c.nodes[i].above; l != noChoice; l = c.links[l].next {
		n := c.links[l].node
		switch p := c.nodes[n].position(); {
		case c.nodes[n].won || c.nodes[n].choice == noChoice:
		case p.turn == c.attacker:
			c.doubt(n)
		case c.nodes[n].choice == i:
			c.release(n)
			c.todo = append(c.todo, n)
		}
	}
}

// release takes the choice of a node back.
func (c *closure) release(i int32) {
	c.nodes[i].choice = noChoice
	c.table.forget(c.nodes[i].key)
}

// look adds what a node needs to the set.
func (c *closure) look(ctx context.Context, s *searcher, i int32) error {
	if c.nodes[i].won || c.nodes[i].choice != noChoice {
		return nil
	}
	c.work++
	if i == startPlace {
		c.most = min(2*c.most, unbounded)
	}
	p := c.nodes[i].position()
	if p.turn != c.attacker {
		return c.choose(ctx, s, i, &p)
	}
	if i == startPlace {
		n, err := c.ask(ctx, i, &p)
		if err != nil {
			return err
		}
		if n.proven() {
			c.win(i, n.plies)
			return nil
		}
	}
	list := slices.Clone(s.childrenOf(&p))
	if len(list) == 0 && attackerWins(s.end(&p), true) {
		c.win(i, 0)
		return nil
	}
	for j := range list {
		if ch := &list[j]; ch.proven() || c.isWon(ch) {
			c.win(i, ch.plies+1)
			return nil
		}
	}
	for j := range list {
		ch := &list[j]
		if _, ok := c.known(ch); ch.decided() || ok {
			continue
		}
		n, err := c.ask(ctx, i, &ch.position)
		switch {
		case err != nil:
			return err
		case n.proven():
			c.win(i, n.plies+1)
			return nil
		case !n.decided():
			c.doubt(i)
			return nil
		}
	}
	begin := int32(len(c.needs))
	for j := range list {
		if !list[j].fixed {
			on := c.add(list[j].key)
			c.rely(i, on)
			c.needs = append(c.needs, on)
		}
	}
	c.needs = append(c.needs, noChoice)
	c.hold(i, begin)
	return nil
}

// isWon reports whether a position is a node that the attacker wins.
func (c *closure) isWon(ch *child) bool {
	i, ok := c.place[ch.key]
	return ok && !ch.fixed && c.nodes[i].won
}

// hold notes the choice of a node, and lets the search believe in it.
func (c *closure) hold(i, choice int32) {
	n := &c.nodes[i]
	n.choice = choice
	if has, ok := c.table.find(n.key); !ok || !has.disproven() {
		disproven := disprovenNumbers
		disproven.work = has.work + 1
		c.table.put(n.key, disproven)
	}
}

// choose finds a move for the defender: best one that a table knows, then one
// into the set, then one that the search has disproven or disproves now.
func (c *closure) choose(ctx context.Context, s *searcher, i int32, p *position) error {
	list := s.childrenOf(p)
	if len(list) == 0 {
		if attackerWins(s.end(p), false) {
			c.win(i, 0)
		} else {
			c.hold(i, settledChoice)
		}
		return nil
	}
	for j := range list {
		if list[j].fixed && list[j].disproven() {
			c.hold(i, settledChoice)
			return nil
		}
	}
	for j := range list {
		if known, ok := c.known(&list[j]); ok && !list[j].proven() {
			c.take(i, known)
			return nil
		}
	}
	for {
		if c.takeDisproven(i, s.childrenOf(p)) {
			return nil
		}
		n, err := c.again(ctx, s, i, p)
		switch {
		case err != nil:
			return err
		case !n.decided():
			c.doubt(i)
			return nil
		case n.proven():
			plies := n.plies
			for _, ch := range s.childrenOf(p) {
				plies = max(plies, ch.plies+1)
			}
			c.win(i, plies)
			return nil
		}
	}
}

// again decides a position anew: its disproof in the table, if there is one, no
// longer holds.
func (c *closure) again(ctx context.Context, s *searcher, i int32, p *position) (numbers, error) {
	for _, ch := range s.childrenOf(p) {
		if c.isWon(&ch) && !ch.proven() { // the table has lost it
			c.prove(ch.key, ch.plies)
		}
	}
	if n, ok := c.table.find(c.nodes[i].key); ok && n.disproven() {
		c.table.forget(c.nodes[i].key)
	}
	return c.ask(ctx, i, p)
}

// ask searches a position for a node. For the start there is no bound; else the
// bound is twice as large after each search that it has stopped, and goes down
// again with each other. How large it may become doubles each time that the start
// is looked at.
func (c *closure) ask(ctx context.Context, i int32, p *position) (numbers, error) {
	budget, members, before := c.budget, 1, c.team.nodes.Load()
	if i == startPlace {
		budget, members = unbounded, len(c.members)
	}
	n, err := c.decide(ctx, p, members, budget)
	c.work += c.team.nodes.Load() - before
	if n.decided() {
		c.budget = max(c.patience, c.budget/2)
	} else {
		c.budget = min(2*c.budget, c.most)
	}
	return n, err
}

// takeDisproven chooses a move whose disproof took the least work, if there is
// one.
func (c *closure) takeDisproven(i int32, list []child) bool {
	best := -1
	for j := range list {
		if list[j].disproven() && !c.isWon(&list[j]) && (best < 0 || list[j].work < list[best].work) {
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
	c.hold(node, choice)
	c.rely(node, choice)
}

// sweep gives the positions that the choices lead to, and leaves those among them
// without a choice to be looked at, and no others.
func (c *closure) sweep() []key {
	seen := make([]bool, len(c.nodes))
	seen[startPlace] = true
	stack, list := []int32{startPlace}, []key{}
	visit := func(i int32) {
		if !seen[i] {
			seen[i] = true
			stack = append(stack, i)
		}
	}
	var open []int32
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		n := &c.nodes[i]
		list = append(list, n.key)
		switch {
		case n.choice == noChoice:
			open = append(open, i)
		case n.choice == settledChoice:
		case n.key.position().turn != c.attacker:
			visit(n.choice)
		default:
			for j := n.choice; c.needs[j] != noChoice; j++ {
				visit(c.needs[j])
			}
		}
	}
	slices.Reverse(open)
	c.todo = open
	c.broken, c.work = 0, 0
	return list
}
