package strength

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// rules are a variant with rule switches, Name=Value.
func rules(t *testing.T, name string, switches ...[2]string) *movegen.Variant {
	t.Helper()
	v, err := movegen.FindVariant(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range switches {
		w, ok := movegen.FindSwitch(s[0])
		if !ok {
			t.Fatalf("no switch %s", s[0])
		}
		v = v.With(w, s[1])
	}
	return v
}

// positions calls see in so many positions of random games.
func positions(v *movegen.Variant, count int, see func(g movegen.Game, moves []movegen.Move)) {
	random := rand.New(rand.NewPCG(1, 2))
	for seen := 0; seen < count; {
		g := games.New(v)
		for !g.Outcome().Over() && seen < count {
			moves := g.Moves(nil)
			see(g, moves)
			seen++
			g.Make(moves[random.IntN(len(moves))])
		}
	}
}

// choice is the move that the engine plays under a handicap.
func choice(e *engine.Engine, g movegen.Game, h *Handicap, game uint64) movegen.Move {
	root := g.Clone()
	return e.Run(engine.Search{
		Game:   engine.Game{Position: root, Evaluator: eval.New(root, eval.Default(g.Variant()))},
		Limits: h.Limit(engine.Limits{}, root, Random(root, game)),
	}).Best
}

func newEngine(t *testing.T) *engine.Engine {
	t.Helper()
	e, err := engine.New(1)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func handicapOf(t *testing.T, level string) *Handicap {
	t.Helper()
	l, ok := FindLevel(level)
	if !ok {
		t.Fatalf("no level %s", level)
	}
	return l.Handicap
}

// isFault reports a turn that misses a capture which may then be huffed.
func isFault(m movegen.Move) bool { return m.Huff.Liable() != 0 }

// TestLevelsWithHuffing: where a missed capture can be huffed, legionnaire and
// centurion never miss one, also no part of one; the novice does, now and then.
func TestLevelsWithHuffing(t *testing.T) {
	for _, v := range []*movegen.Variant{
		rules(t, "quirkat"), rules(t, "quirkat", [2]string{"MultiPiece", "on"}),
		rules(t, "alquerque-bell"), rules(t, "alquerque-pritchard"), rules(t, "alquerque", [2]string{"Huffing", "on"}),
	} {
		e := newEngine(t)
		captures, missed := 0, 0
		positions(v, 300, func(g movegen.Game, moves []movegen.Move) {
			if !slices.ContainsFunc(moves, isFault) {
				return
			}
			captures++
			for _, level := range []string{"Legionnaire", "Centurion"} {
				if m := choice(e, g, handicapOf(t, level), 1); isFault(m) {
					t.Fatalf("%s: %s plays %s, a fault, in\n%s", v.Name, level, g.Text(m), g.Draw())
				}
			}
			if isFault(choice(e, g, handicapOf(t, "Novice"), 1)) {
				missed++
			}
		})
		if captures < 50 {
			t.Fatalf("%s: %d positions with a capture, want 50 or more", v.Name, captures)
		}
		if share := float64(missed) / float64(captures); math.Abs(share-0.2) > 0.1 {
			t.Errorf("%s: the novice missed %d of %d captures, want about a fifth", v.Name, missed, captures)
		}
	}
}

// TestNoviceWithoutHuffing: where a capture cannot be missed by the rules, the
// novice now and then takes less than there is; in Al-manqala, where nothing is
// compulsory, also nothing.
func TestNoviceWithoutHuffing(t *testing.T) {
	for _, name := range []string{"alquerque", "fanorona", "fanorona-dimy", "al-manqala"} {
		v := rules(t, name)
		e := newEngine(t)
		var choices, weaker [2]int // of the novice, of the legionnaire
		positions(v, 600, func(g movegen.Game, moves []movegen.Move) {
			takes := func(m movegen.Move) int { return m.Taken.Len() }
			most := takes(slices.MaxFunc(moves, func(a, b movegen.Move) int { return takes(a) - takes(b) }))
			if least := takes(slices.MinFunc(moves, func(a, b movegen.Move) int { return takes(a) - takes(b) })); least == most {
				return
			}
			for i, level := range []string{"Novice", "Legionnaire"} {
				m := choice(e, g, handicapOf(t, level), 2)
				choices[i]++
				if takes(m) < most {
					weaker[i]++
				}
			}
		})
		if choices[0] == 0 || weaker[0]*10 < choices[0] {
			t.Errorf("%s: the novice took less in %d of %d turns, want a tenth or more", name, weaker[0], choices[0])
		}
		if weaker[0] <= weaker[1] {
			t.Errorf("%s: the novice took less in %d turns, the legionnaire in %d, want fewer", name, weaker[0], weaker[1])
		}
	}
}

// TestLimit: the depth is the mean that was asked for, at depth 0 every move is
// as likely as the others, and given limits hold.
func TestLimit(t *testing.T) {
	g := games.New(rules(t, "alquerque"))
	moves := g.Moves(nil)
	const times = 4000
	sum, played := 0, map[movegen.Move]int{}
	for game := range uint64(times) {
		sum += (&Handicap{Depth: 3.25}).Limit(engine.Limits{}, g, Random(g, game)).Depth
		l := (&Handicap{}).Limit(engine.Limits{}, g, Random(g, game))
		if len(l.SearchMoves) != 1 || l.Depth != 1 {
			t.Fatalf("at random: %d moves, depth %d, want 1 and 1", len(l.SearchMoves), l.Depth)
		}
		played[l.SearchMoves[0]]++
	}
	if mean := float64(sum) / times; math.Abs(mean-3.25) > 0.05 {
		t.Errorf("mean depth %.2f, want 3.25", mean)
	}
	for _, m := range moves {
		if share := float64(played[m]) / times; math.Abs(share*float64(len(moves))-1) > 0.2 {
			t.Errorf("%s played in %.0f %% of the games, want one of %d", g.Text(m), 100*share, len(moves))
		}
	}
	given := engine.Limits{Depth: 2, Nodes: 7, SearchMoves: moves[1:3]}
	for game := range uint64(20) {
		l := (&Handicap{Depth: 9}).Limit(given, g, Random(g, game))
		if l.Depth != 2 || l.Nodes != 7 || !slices.Equal(l.SearchMoves, given.SearchMoves) {
			t.Fatalf("limits %+v, want those given, %+v", l, given)
		}
		if l = (&Handicap{}).Limit(given, g, Random(g, game)); !slices.Contains(given.SearchMoves, l.SearchMoves[0]) {
			t.Fatalf("searches %v, want one of %v", l.SearchMoves, given.SearchMoves)
		}
	}
}

// TestRandomGames: the same game is played the same way again, another one is not.
func TestRandomGames(t *testing.T) {
	v := rules(t, "quirkat")
	e := newEngine(t)
	h := &Handicap{Depth: 0.5}
	game := func(number uint64) (line []movegen.Move) {
		e.Clear()
		for g := games.New(v); !g.Outcome().Over(); g.Make(line[len(line)-1]) {
			line = append(line, choice(e, g, h, number))
		}
		return line
	}
	if !slices.Equal(game(1), game(1)) {
		t.Error("game 1 was played in two ways")
	}
	if slices.Equal(game(1), game(2)) {
		t.Error("games 1 and 2 are the same")
	}
}

// TestLadders: every variant has a ladder that climbs, and a number of Elo
// comes back from its depth.
func TestLadders(t *testing.T) {
	if len(ladders) != len(movegen.Variants) {
		t.Errorf("ladder.toml has %d rows, want one for each of %d variants", len(ladders), len(movegen.Variants))
	}
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		l := LadderOf(v)
		if len(l) < 2 {
			t.Errorf("%s has no ladder", v.Name)
			continue
		}
		for i := 1; i < len(l); i++ {
			if l[i] <= l[i-1] {
				t.Errorf("%s: %d Elo has depth %.3f, want more than %.3f", v.Name, i*Step, l[i], l[i-1])
			}
		}
		for elo := range l.Top() {
			if got := l.Elo(l.At(elo).Depth); got != elo {
				t.Errorf("%s: depth of %d Elo is that of %d", v.Name, elo, got)
			}
		}
		if elo := l.SkillElo(MaxSkill - 1); elo >= l.Top() || l.SkillElo(0) != 0 {
			t.Errorf("%s: skills reach from %d to %d Elo, want from 0 to below %d", v.Name, l.SkillElo(0), elo, l.Top())
		}
	}
}

// TestOdds: chances sum up to one, rise with the score, are the same turned
// round, and are certain where the end is proven.
func TestOdds(t *testing.T) {
	if len(oddsOf) != len(movegen.Variants) {
		t.Errorf("odds.toml has %d rows, want one for each of %d variants", len(oddsOf), len(movegen.Variants))
	}
	for i := range movegen.Variants {
		v := &movegen.Variants[i]
		o := OddsOf(v)
		if o.Even < 0 || o.Spread <= 0 {
			t.Errorf("%s: odds %+v, want an even score not below 0 and a spread above", v.Name, o)
			continue
		}
		last := -1
		for s := engine.Score(-1000); s <= 1000; s += 10 {
			win, draw, loss := o.Permille(s)
			if win+draw+loss != 1000 || draw < 0 || win < last {
				t.Errorf("%s: %d centipieces: %d %d %d after %d", v.Name, s, win, draw, loss, last)
			}
			if w, _, l := o.Permille(-s); max(w-loss, loss-w, l-win, win-l) > 1 {
				t.Errorf("%s: %d centipieces: %d and %d, turned round %d and %d", v.Name, s, win, loss, w, l)
			}
			last = win
		}
	}
	o := Odds{Even: 100, Spread: 50}
	if win, draw, loss := o.Permille(engine.Win - 3); win != 1000 || draw != 0 || loss != 0 {
		t.Errorf("a proven win: %d %d %d", win, draw, loss)
	}
	if win, draw, loss := o.Permille(5 - engine.Win); win != 0 || draw != 0 || loss != 1000 {
		t.Errorf("a proven loss: %d %d %d", win, draw, loss)
	}
	if win, _, _ := o.Permille(100); win != 500 {
		t.Errorf("win %d permille at the even score, want 500", win)
	}
}
