package solve

import (
	"context"
	"slices"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

// TestLostProof makes the set of a win with a table that knows that the start is
// proven, and of all other positions that they are disproven.
func TestLostProof(t *testing.T) {
	v := variant(t, "fanorona-telo")
	r, err := newRules(v)
	if err != nil {
		t.Fatal(err)
	}
	m := newMover(r)
	start, err := m.read(v.Start)
	if err != nil {
		t.Fatal(err)
	}
	team, err := newTeam(r, nil, nil, movegen.White, memory, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range newExhaustive(t, v, v.Start).texts {
		if text += " 0 1"; games.New(v).Set(text) != nil { // a side has no pieces
			continue
		}
		p, err := m.read(text)
		if err != nil {
			t.Fatal(err)
		}
		team.table.put(m.canonical(&p), disprovenNumbers)
	}
	team.table.put(m.canonical(&start), provenNumbers)
	set, err := team.winningSet(context.Background(), &start, func(int, int) {})
	if err != nil || len(set) < 2 {
		t.Fatalf("a set of %d positions, %v", len(set), err)
	}
	s := team.members[0]
	for _, n := range set {
		p := n.position()
		least, most := uint16(unranked), uint16(0)
		for _, ch := range s.childrenOf(&p) {
			plies := uint16(unranked)
			if i, ok := slices.BinarySearchFunc(set, ch.key, func(n ranked, k key) int { return n.key.compare(k) }); ch.fixed && ch.proven() {
				plies = ch.plies
			} else if ok && !ch.fixed {
				plies = set[i].plies
			}
			least, most = min(least, plies), max(most, plies)
		}
		next := least
		if p.turn != movegen.White {
			next = most
		}
		if len(s.childrenOf(&p)) > 0 && next >= n.plies {
			t.Errorf("%v in %d plies leads to %d", n.key, n.plies, next)
		}
	}
}

// TestWrongDisproofs gives the search a table in which every position is
// disproven, or a third of them. Of that a closed set is made where the attacker
// does not win, and none where it does; and each set is closed. A search without
// patience leaves all but the start in doubt.
func TestWrongDisproofs(t *testing.T) {
	v := variant(t, "fanorona-telo")
	r, err := newRules(v)
	if err != nil {
		t.Fatal(err)
	}
	e := newExhaustive(t, v, v.Start)
	m := newMover(r)
	var positions []position
	var texts []string
	for _, text := range e.texts {
		text += " 0 1"
		if games.New(v).Set(text) != nil { // a side has no pieces
			continue
		}
		p, err := m.read(text)
		if err != nil {
			t.Fatal(err)
		}
		positions, texts = append(positions, p), append(texts, text)
	}
	sets := 0
	for side := range movegen.Side(2) {
		for i := 0; i < len(positions); i += 7 {
			team, err := newTeam(r, nil, nil, side, memory, 1)
			if err != nil {
				t.Fatal(err)
			}
			if i%2 == 1 {
				team.patience = 1
			}
			for j := range positions {
				wrong := disprovenNumbers
				wrong.work = uint32((i + j) * 7919 % 101)
				if i%3 > 0 && wrong.work%3 > 0 {
					continue
				}
				team.table.put(m.canonical(&positions[j]), wrong)
			}
			list, err := team.closedSet(context.Background(), &positions[i], func(int, int) {})
			if err != nil {
				t.Fatal(err)
			}
			if won := e.won[side][e.place[cut(texts[i])]]; won != (list == nil) {
				t.Fatalf("%s: a closed set of %d positions, want none: %t", texts[i], len(list), won)
			}
			for _, k := range list {
				sets++
				if reason := open(team, list, k); reason != "" {
					p := k.position()
					text, _ := (&checker{variant: v}).text(&p)
					t.Fatalf("%s: %s: %s", texts[i], text, reason)
				}
			}
			team.free()
		}
	}
	if sets == 0 {
		t.Error("no set was made")
	}
}

// atStart begins a closed set with the start of fanorona-telo.
func atStart(t *testing.T, attacker movegen.Side) (c *closure, start position) {
	t.Helper()
	v := variant(t, "fanorona-telo")
	r, err := newRules(v)
	if err != nil {
		t.Fatal(err)
	}
	start, err = newMover(r).read(v.Start)
	if err != nil {
		t.Fatal(err)
	}
	team, err := newTeam(r, nil, nil, attacker, memory, 1)
	if err != nil {
		t.Fatal(err)
	}
	c = team.newClosure(&start)
	return c, start
}

// TestDoubtForgets takes positions out of the set of which the table still says
// that the attacker does not win: nobody may believe that again.
func TestDoubtForgets(t *testing.T) {
	c, start := atStart(t, movegen.White)
	defer c.team.free()
	s := c.members[0]
	for _, child := range slices.Clone(s.childrenOf(&start)) {
		if child.fixed {
			continue
		}
		i := c.add(child.key)
		c.table.put(child.key, disprovenNumbers)
		c.doubt(i)
		if n, ok := c.table.find(child.key); ok && n.disproven() {
			t.Errorf("%v is disproven still", child.key)
		}
	}
	if len(c.nodes) == 1 {
		t.Error("nothing was in doubt")
	}
}

// TestBoundGrows looks at the start, whoever is to move there: the searches from
// other positions may take more nodes each time, so that all of them end at last.
func TestBoundGrows(t *testing.T) {
	for attacker := range movegen.Side(2) {
		c, _ := atStart(t, attacker)
		for range 100 {
			before := c.most
			c.nodes[startPlace].choice, c.nodes[startPlace].won = noChoice, false
			if err := c.look(t.Context(), c.members[0], startPlace); err != nil {
				t.Fatal(err)
			}
			if want := min(2*before, unbounded); c.most != want {
				t.Fatalf("attacker %v: searches may take %d nodes after %d, want %d", attacker, c.most, before, want)
			}
		}
		c.team.free()
	}
}

// open says what is missing for a set to be closed at one of its positions.
func open(t *team, set []key, k key) string {
	p := k.position()
	s := t.members[0]
	list := s.childrenOf(&p)
	if len(list) == 0 && attackerWins(s.end(&p), p.turn == t.attacker) {
		return "the attacker has won"
	}
	inside := 0
	for _, ch := range list {
		_, in := slices.BinarySearchFunc(set, ch.key, key.compare)
		if ch.fixed && ch.disproven() || !ch.fixed && in {
			inside++
		}
	}
	switch {
	case p.turn == t.attacker && inside < len(list):
		return "the attacker leaves the set"
	case p.turn != t.attacker && inside == 0 && len(list) > 0:
		return "the defender cannot stay in the set"
	}
	return ""
}
