package match

import (
	"qirkat/match/stats"
)

// Standings count the results of a tournament.
type Standings struct {
	Names      []string
	encounters map[[2]int]*Encounter
	order      [][2]int
	firsts     stats.Trinomial // of all games, from the first player's view
	reasons    map[string]int
	games      int
	late       int
}

// Encounter is what two engines scored against each other, from the view of A.
type Encounter struct {
	A, B    int                // places in Names
	Colours [2]stats.Trinomial // where A was White, and where it was Black
	Pairs   stats.Pentanomial
	Points  [2]int        // match points of A and B
	Series  map[int]Score // by number, where games make series
	halves  map[half]float64
}

// Score is the points of a series, of A and B.
type Score struct{ A, B float64 }

// half is a pair of games of which one has been played.
type half struct {
	variant string
	pair    int
}

// NewStandings are those of engines that have not played.
func NewStandings(names []string) *Standings {
	return &Standings{Names: names, encounters: map[[2]int]*Encounter{}, reasons: map[string]int{}}
}

// Add counts a record. Those of engines that are not among Names are passed
// over.
func (s *Standings) Add(r Record) {
	place := [2]int{-1, -1}
	for i, n := range s.Names {
		for player := range 2 {
			if r.Players[player] == n {
				place[player] = i
			}
		}
	}
	if place[0] < 0 || place[1] < 0 || r.Result == Unfinished {
		return
	}
	s.games++
	s.late += r.Late
	s.reasons[r.Reason]++
	s.firsts = s.firsts.Plus(counted(r.Result.Score(0)))

	key := [2]int{min(place[0], place[1]), max(place[0], place[1])}
	e := s.encounters[key]
	if e == nil {
		e = &Encounter{A: key[0], B: key[1], Series: map[int]Score{}, halves: map[half]float64{}}
		s.encounters[key] = e
		s.order = append(s.order, key)
	}
	a := 0 // the player that is A
	if place[0] != e.A {
		a = 1
	}
	score := r.Result.Score(a)
	colour := a
	if v, _, err := ParseRules(r.Variant); err == nil && v.First().Letter() == "b" {
		colour = 1 - a
	}
	e.Colours[colour] = e.Colours[colour].Plus(counted(score))
	e.Points[0] += r.Points[a]
	e.Points[1] += r.Points[1-a]
	if r.Series > 0 { // its rounds are no pairs
		x := e.Series[r.Series]
		e.Series[r.Series] = Score{x.A + score, x.B + 1 - score}
		return
	}
	h := half{r.Variant, r.Pair}
	if other, waits := e.halves[h]; waits {
		e.Pairs[int(2*(score+other))]++
		delete(e.halves, h)
	} else {
		e.halves[h] = score
	}
}

// counted is one game.
func counted(score float64) stats.Trinomial {
	switch score {
	case 1:
		return stats.Trinomial{Wins: 1}
	case 0:
		return stats.Trinomial{Losses: 1}
	}
	return stats.Trinomial{Draws: 1}
}

// Games is the number of games counted.
func (s *Standings) Games() int { return s.games }

// Late is the number of moves for which this program was late and excused them.
func (s *Standings) Late() int { return s.late }

// Firsts are all games from the view of the first player.
func (s *Standings) Firsts() stats.Trinomial { return s.firsts }

// Reasons counts how games ended.
func (s *Standings) Reasons() map[string]int { return s.reasons }

// Encounters are those that have been played, in the order of their first game.
func (s *Standings) Encounters() []*Encounter {
	list := make([]*Encounter, len(s.order))
	for i, key := range s.order {
		list[i] = s.encounters[key]
	}
	return list
}

// Between is the encounter of two engines from the view of the first.
func (s *Standings) Between(a, b int) Encounter {
	e := s.encounters[[2]int{min(a, b), max(a, b)}]
	switch {
	case e == nil:
		return Encounter{A: a, B: b}
	case e.A == a:
		return *e
	}
	return Encounter{
		A: a, B: b, Colours: [2]stats.Trinomial{e.Colours[1].Turned(), e.Colours[0].Turned()},
		Pairs: e.Pairs.Turned(), Points: [2]int{e.Points[1], e.Points[0]}, Series: turned(e.Series),
	}
}

func turned(s map[int]Score) map[int]Score {
	t := map[int]Score{}
	for i, x := range s {
		t[i] = Score{x.B, x.A}
	}
	return t
}

// Games are all games of the encounter.
func (e *Encounter) Games() stats.Trinomial { return e.Colours[0].Plus(e.Colours[1]) }

// Sample is what estimates are made of: the pairs, where there are any.
func (e *Encounter) Sample() stats.Sample {
	if e.Pairs.Pairs() > 0 {
		return e.Pairs.Sample()
	}
	return e.Games().Sample()
}

// SeriesScore counts the series won by A, drawn, and won by B.
func (e *Encounter) SeriesScore() stats.Trinomial {
	var t stats.Trinomial
	for _, x := range e.Series {
		switch {
		case x.A > x.B:
			t.Wins++
		case x.A < x.B:
			t.Losses++
		default:
			t.Draws++
		}
	}
	return t
}

// Total are all games of an engine.
func (s *Standings) Total(engine int) stats.Trinomial {
	var t stats.Trinomial
	for _, e := range s.encounters {
		switch engine {
		case e.A:
			t = t.Plus(e.Games())
		case e.B:
			t = t.Plus(e.Games().Turned())
		}
	}
	return t
}

// MatchPoints are those of an engine.
func (s *Standings) MatchPoints(engine int) int {
	points := 0
	for _, e := range s.encounters {
		switch engine {
		case e.A:
			points += e.Points[0]
		case e.B:
			points += e.Points[1]
		}
	}
	return points
}

// Ratings are the joint ratings of all engines.
func (s *Standings) Ratings() []stats.Estimate {
	var meetings []stats.Meeting
	for _, e := range s.Encounters() {
		meetings = append(meetings, stats.Meeting{A: e.A, B: e.B, Games: e.Games(), Pairs: e.Pairs})
	}
	return stats.Ratings(len(s.Names), meetings)
}
