package match

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"qirkat/match/stats"
)

// crew is engines that are never started.
func crew(n int) []Engine {
	var list []Engine
	for i := range n {
		list = append(list, Engine{Name: string(rune('A' + i)), Command: "none", Limits: Limits{Nodes: 1}})
	}
	return list
}

// stronger is a result by which the engine that comes first in the alphabet
// wins.
func stronger(j Job) Record { return resultOf(j, j.Players[0].Name < j.Players[1].Name) }

func resultOf(j Job, firstWins bool) Record {
	r := Record{
		ID: j.ID, Round: j.Round, Pair: j.Pair, Series: j.Series, Variant: j.Variant, Opening: j.Opening,
		Players: [2]string{j.Players[0].Name, j.Players[1].Name}, Result: P2Win, Reason: "captured",
	}
	if firstWins {
		r.Result = P1Win
	}
	return r
}

// playAll plays a schedule with made-up results, several games at a time, which
// end in an order by chance.
func playAll(t *testing.T, s *Schedule, seed uint64, result func(Job) Record) []Job {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	var all, running []Job
	for {
		for len(running) < 3 {
			j, ok := s.Next()
			if !ok {
				break
			}
			running = append(running, j)
			all = append(all, j)
		}
		if len(running) == 0 {
			break
		}
		i := random.IntN(len(running))
		if added, err := s.Add(result(running[i])); err != nil || !added {
			t.Fatalf("game %s: added %v, %v", running[i].ID, added, err)
		}
		running = slices.Delete(running, i, i+1)
	}
	if !s.Done() {
		t.Fatal("there are games left")
	}
	return all
}

func TestRoundRobin(t *testing.T) {
	for _, n := range []int{2, 3, 4, 7} {
		c := config(t, func(c *Config) { c.Rounds, c.Games = 3, 2 }, crew(n)...)
		jobs := playAll(t, NewSchedule(c), 1, stronger)
		if want := 3 * 2 * n * (n - 1) / 2; len(jobs) != want {
			t.Fatalf("%d engines: %d games, want %d", n, len(jobs), want)
		}
		first, ids := map[string]int{}, map[string]bool{}
		for _, j := range jobs {
			first[j.Players[0].Name+j.Players[1].Name]++
			ids[j.ID] = true
		}
		if len(ids) != len(jobs) {
			t.Errorf("%d IDs for %d games", len(ids), len(jobs))
		}
		for pair, k := range first {
			if k != 3 {
				t.Errorf("%d engines: %s have these colours %d times, want 3", n, pair, k)
			}
		}
	}
}

func TestGauntlet(t *testing.T) {
	c := config(t, func(c *Config) { c.Kind, c.Challengers = Gauntlet, 2 }, crew(5)...)
	for _, j := range playAll(t, NewSchedule(c), 1, stronger) {
		a, b := j.Players[0].Name, j.Players[1].Name
		if (a > "B") == (b > "B") {
			t.Errorf("%s meets %s", a, b)
		}
	}
}

// TestSwiss: nobody meets twice while it can be avoided, and the best is first.
func TestSwiss(t *testing.T) {
	for _, n := range []int{8, 9} {
		c := config(t, func(c *Config) { c.Kind, c.Rounds = Swiss, 5 }, crew(n)...)
		s := NewSchedule(c)
		jobs := playAll(t, s, 1, stronger)
		met, played := map[string]int{}, map[string]int{}
		for _, j := range jobs {
			a, b := j.Players[0].Name, j.Players[1].Name
			met[min(a, b)+max(a, b)]++
			played[fmt.Sprint(j.Round, a)]++
			played[fmt.Sprint(j.Round, b)]++
		}
		for pair, games := range met {
			if games != 2 {
				t.Errorf("%d engines: %s met in %d games, want 2", n, pair, games)
			}
		}
		for who, games := range played {
			if games != 2 {
				t.Errorf("%d engines: %s has %d games, want 2", n, who, games)
			}
		}
		if want := 5 * 2 * (n / 2); len(jobs) != want {
			t.Errorf("%d engines: %d games, want %d", n, len(jobs), want)
		}
		if s.Standings().Total(0).Score() != 1 {
			t.Errorf("%d engines: the best scored %v", n, s.Standings().Total(0))
		}
	}
}

// TestSwissOfTwo: when all have met, they meet again.
func TestSwissOfTwo(t *testing.T) {
	c := config(t, func(c *Config) { c.Kind, c.Rounds = Swiss, 4 }, crew(3)...)
	if jobs := playAll(t, NewSchedule(c), 1, stronger); len(jobs) != 8 {
		t.Errorf("%d games, want 8", len(jobs))
	}
}

func TestKnockout(t *testing.T) {
	for _, n := range []int{2, 3, 5, 8} {
		c := config(t, func(c *Config) { c.Kind = Knockout }, crew(n)...)
		jobs := playAll(t, NewSchedule(c), 1, stronger)
		if want := 2 * (n - 1); len(jobs) != want {
			t.Errorf("%d engines: %d games, want %d", n, len(jobs), want)
		}
		last := jobs[len(jobs)-1]
		if names := last.Players[0].Name + last.Players[1].Name; names != "AB" && names != "BA" {
			t.Errorf("%d engines: the final is %s", n, names)
		}
	}
	// Who is even plays on: here the first player always wins, so each pair of
	// games is shared, and at last the one that was listed first goes on.
	c := config(t, func(c *Config) { c.Kind = Knockout }, crew(2)...)
	if jobs := playAll(t, NewSchedule(c), 1, func(j Job) Record { return resultOf(j, true) }); len(jobs) != 2+2*maxTieBreaks {
		t.Errorf("%d games, want %d", len(jobs), 2+2*maxTieBreaks)
	}
}

// TestOrder: the same jobs, with the same openings, whatever the order in which
// the games end; and going on from any number of records gives the rest.
func TestOrder(t *testing.T) {
	book := []Opening{{Moves: []string{"c2c3"}}, {Moves: []string{"b2c3"}}, {Moves: []string{"d2c3"}}}
	for _, kind := range []string{RoundRobin, Gauntlet, Swiss, Knockout, "vela"} {
		t.Run(kind, func(t *testing.T) {
			c := config(t, func(c *Config) {
				c.Kind, c.Rounds, c.Games, c.Openings.Order, c.Seed = kind, 3, 4, OrderRandom, 99
				c.Variants = []string{"alquerque", "quirkat"}
				if c.Vela = kind == "vela"; c.Vela {
					c.Kind, c.Variants = RoundRobin, nil
				}
			}, crew(5)...)
			c.Book = map[string][]Opening{"alquerque": book}
			describe := func(jobs []Job) map[string]string {
				m := map[string]string{}
				for _, j := range jobs {
					m[j.ID] = fmt.Sprint(j.Round, j.Pair, j.Variant, j.Players[0].Name, j.Players[1].Name, j.Opening)
				}
				return m
			}
			first := playAll(t, NewSchedule(c), 1, stronger)
			want := describe(first)
			if known := NewSchedule(c).Known(); (kind == RoundRobin || kind == Gauntlet || kind == "vela") && known != len(first) {
				t.Errorf("%d games are known beforehand, want %d", known, len(first))
			}
			for seed := range uint64(20) {
				s := NewSchedule(c)
				jobs := playAll(t, s, seed+2, stronger)
				if got := describe(jobs); fmt.Sprint(got) != fmt.Sprint(want) {
					t.Fatalf("seed %d: %v, want %v", seed, got, want)
				}
				// Go on after some of them.
				half := NewSchedule(c)
				for _, j := range jobs[:int(seed)*len(jobs)/20] {
					if _, err := half.Add(stronger(j)); err != nil {
						t.Fatal(err)
					}
				}
				rest := playAll(t, half, seed+50, stronger)
				if total := int(seed)*len(jobs)/20 + len(rest); total != len(jobs) {
					t.Fatalf("seed %d: %d games in all, want %d", seed, total, len(jobs))
				}
				if got, want := fmt.Sprint(half.Standings().Summary(c)), fmt.Sprint(s.Standings().Summary(c)); got != want {
					t.Fatalf("seed %d: %v, want %v", seed, got, want)
				}
			}
		})
	}
}

func TestScheduleRefuses(t *testing.T) {
	s := NewSchedule(config(t, nil, crew(2)...))
	j, _ := s.Next()
	if added, err := s.Add(stronger(j)); !added || err != nil {
		t.Error(added, err)
	}
	if added, err := s.Add(stronger(j)); added || err != nil {
		t.Errorf("the same game: added %v, %v", added, err)
	}
	if _, err := s.Add(Record{ID: "1-9.1.1"}); err == nil {
		t.Error("a game of another tournament was added")
	}
}

// TestVela follows the rule book: after a decided round the loser is White in a
// vela round, after a vela round or a draw comes a normal one.
func TestVela(t *testing.T) {
	c := config(t, func(c *Config) { c.Vela, c.Games = true, 6 }, crew(2)...)
	rounds := map[int][]string{}
	result := func(j Job) Record {
		rounds[j.Series] = append(rounds[j.Series], j.Variant+" "+j.Players[0].Name)
		r := stronger(j) // A wins, but for the fourth round of each series
		if len(rounds[j.Series]) == 4 {
			r.Result = Drawn
		}
		return r
	}
	s := NewSchedule(c)
	jobs := playAll(t, s, 1, result)
	if len(jobs) != 12 {
		t.Fatalf("%d rounds, want two series of 6", len(jobs))
	}
	want := map[int][]string{
		1: {"fanorona A", "fanorona-vela B", "fanorona B", "fanorona-vela B", "fanorona A", "fanorona-vela B"},
		2: {"fanorona B", "fanorona-vela B", "fanorona A", "fanorona-vela B", "fanorona B", "fanorona-vela B"},
	}
	for i := range want {
		if !slices.Equal(rounds[i], want[i]) {
			t.Errorf("series %d: %q, want %q", i, rounds[i], want[i])
		}
	}
	e := s.Standings().Between(0, 1)
	if e.Series[1] != (Score{5.5, 0.5}) || e.SeriesScore() != (stats.Trinomial{Wins: 2}) || e.Pairs.Pairs() != 0 {
		t.Errorf("series %v, pairs %v", e.Series, e.Pairs)
	}

	// Draws only: normal rounds only, with colours in turn.
	rounds = map[int][]string{}
	playAll(t, NewSchedule(c), 1, func(j Job) Record {
		r := result(j)
		r.Result = Drawn
		return r
	})
	if got := fmt.Sprint(rounds[1]); got != "[fanorona A fanorona B fanorona A fanorona B fanorona A fanorona B]" {
		t.Errorf("drawn rounds: %s", got)
	}
}

// TestStandings: pairs are found whatever the order, and colours are those of
// the board, not of who begins.
func TestStandings(t *testing.T) {
	c := config(t, func(c *Config) { c.Rounds, c.Variants = 3, []string{"quirkat"} }, crew(2)...)
	s := NewSchedule(c)
	playAll(t, s, 5, func(j Job) Record { // A wins as first player, and draws as second; in pair 3 it loses
		r := stronger(j)
		switch {
		case j.Pair == 3:
			r = resultOf(j, j.Players[0].Name == "B")
		case j.Players[1].Name == "A":
			r.Result = Drawn
		}
		r.Points = [2]int{-1, -2}
		return r
	})
	e := s.Standings().Between(0, 1)
	if want := (stats.Pentanomial{1, 0, 0, 2, 0}); e.Pairs != want {
		t.Errorf("pairs %v, want %v", e.Pairs, want)
	}
	// In Quirkat the first player is Black.
	if want := [2]stats.Trinomial{{Draws: 2, Losses: 1}, {Wins: 2, Losses: 1}}; e.Colours != want {
		t.Errorf("as White and Black %v, want %v", e.Colours, want)
	}
	turned := s.Standings().Between(1, 0)
	if turned.Pairs != e.Pairs.Turned() || turned.Colours[0] != e.Colours[1].Turned() || turned.Points != [2]int{-9, -9} {
		t.Errorf("turned %+v", turned)
	}
}
