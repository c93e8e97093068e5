package check

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"qirkat/match"
	"qirkat/match/process"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// items are all that is checked. The first one must pass for the others.
var items = []item{
	{"handshake", "ugi or uci is answered by id name, options and ugiok or uciok, isready by readyok", "", handshake},
	{"options", "every option line has a name, a type, and a default that is allowed", "", options},
	{"search", "go depth 1, nodes 100 and movetime 20 are answered by bestmove and a legal move, two words", "", search},
	{"movetime", "go movetime 100 is answered in time, four times in a row", "", moveTime},
	{"ready-in-search", "isready is answered while a search runs, which goes on", "", readyInSearch},
	{"stop", "stop ends go infinite, with one bestmove", "", stop},
	{"stop-idle", "stop without a search does nothing", "", stopIdle},
	{"unknown", "empty lines and unknown commands do no harm", "", unknown},
	{"carriage-return", "lines may end with a carriage return", "", carriageReturn},
	{"long-line", "a long game in one line is understood", "", longLine},
	{"game-over", "in a position where the game is over, go is answered at once by no move", "", gameOver},
	{"illegal-history", "an illegal move in the history does not end the engine", "", illegalHistory},
	{"games", "in random games every move it chooses is legal", "", randomGames},
	{"queries", "in random games gameover, p1turn, result and legalmoves are those of our rules", match.ProtocolUGI, queries},
	{"quit", "quit ends the engine, with exit code 0, also during a search", "", quit},
	{"end-of-input", "the end of the input ends the engine, also during a search", "", endOfInput},
}

func handshake(s *session) error {
	if !s.id {
		return errors.New("no line \"id name\"")
	}
	return nil
}

func options(s *session) error {
	for _, o := range s.options {
		if err := checkOption(o); err != nil {
			return fmt.Errorf("%q: %w", movegen.Shorten(o), err)
		}
	}
	return nil
}

// checkOption reads a line that declares an option.
func checkOption(line string) error {
	rest, ok := strings.CutPrefix(line, "option name ")
	if !ok {
		return errors.New("want option name NAME type TYPE")
	}
	name, rest, ok := strings.Cut(rest, " type ")
	if !ok || name == "" {
		return errors.New("want a name and a type")
	}
	kind, rest, _ := strings.Cut(rest, " ")
	words := strings.Fields(rest)
	value := func(key string) string {
		if i := slices.Index(words, key); i >= 0 && i+1 < len(words) {
			return words[i+1]
		}
		return ""
	}
	switch kind {
	case "button":
		return nil
	case "string":
		if !slices.Contains(words, "default") {
			return errors.New("no default")
		}
	case "check":
		if d := value("default"); d != "true" && d != "false" {
			return errors.New("want default true or false")
		}
	case "spin":
		var n [3]int
		for i, key := range []string{"min", "default", "max"} {
			var err error
			if n[i], err = strconv.Atoi(value(key)); err != nil {
				return fmt.Errorf("no %s", key)
			}
		}
		if n[1] < n[0] || n[1] > n[2] {
			return errors.New("the default is outside")
		}
	case "combo":
		parts := strings.Split(" "+rest, " var ")
		d := strings.TrimPrefix(strings.TrimSpace(parts[0]), "default ")
		if len(parts) < 2 || !slices.ContainsFunc(parts[1:], func(v string) bool { return strings.TrimSpace(v) == d }) {
			return errors.New("the default is not among the values")
		}
	default:
		return fmt.Errorf("type %q: want check, spin, combo, button or string", kind)
	}
	return nil
}

// eachVariant calls f with the start position of each variant.
func (s *session) eachVariant(f func(g movegen.Game) error) error {
	for _, text := range s.config.Variants {
		v, rules, err := match.ParseRules(text)
		if err != nil {
			return err
		}
		if err := s.newGame(rules); err != nil {
			return err
		}
		if err := f(games.New(v)); err != nil {
			return fmt.Errorf("%s: %w", rules, err)
		}
	}
	return nil
}

// firstVariant is where one is enough.
func (s *session) firstVariant() (movegen.Game, error) {
	v, rules, err := match.ParseRules(s.config.Variants[0])
	if err != nil {
		return nil, err
	}
	return games.New(v), s.newGame(rules)
}

// legal looks a move up in our rules.
func legal(g movegen.Game, move string) error {
	m, err := g.Find(move)
	if err != nil {
		return fmt.Errorf("bestmove %s in %q: %w", move, g, err)
	}
	if text := g.Text(m); text != move {
		return fmt.Errorf("bestmove %s in %q: want it written %s", move, g, text)
	}
	return nil
}

func search(s *session) error {
	return s.eachVariant(func(g movegen.Game) error {
		for _, limit := range []string{"depth 1", "nodes 100", "movetime 20"} {
			if err := s.send("position startpos", "go "+limit); err != nil {
				return err
			}
			move, err := s.best(s.config.Timeout)
			if err != nil {
				return fmt.Errorf("go %s: %w", limit, err)
			}
			if err := legal(g, move); err != nil {
				return err
			}
		}
		return nil
	})
}

func moveTime(s *session) error {
	if _, err := s.firstVariant(); err != nil {
		return err
	}
	for range 4 {
		const allowed = 100 * time.Millisecond
		if err := s.send("position startpos", "go movetime 100"); err != nil {
			return err
		}
		begin := time.Now()
		if _, err := s.best(allowed + s.config.Timeout); err != nil {
			return err
		}
		if took := time.Since(begin); took > allowed+s.config.Margin {
			return fmt.Errorf("go movetime 100: %v, want at most %v", took.Round(time.Millisecond), allowed+s.config.Margin)
		}
	}
	return nil
}

// infinite begins a search without end.
func (s *session) infinite() (movegen.Game, error) {
	g, err := s.firstVariant()
	if err != nil {
		return nil, err
	}
	return g, s.send("position startpos", "go infinite")
}

// stopped ends it.
func (s *session) stopped(g movegen.Game) error {
	if err := s.send("stop"); err != nil {
		return err
	}
	move, err := s.best(s.config.Timeout)
	if err != nil {
		return err
	}
	return legal(g, move)
}

func readyInSearch(s *session) error {
	g, err := s.infinite()
	if err != nil {
		return err
	}
	if err := s.ready(); err != nil {
		return err
	}
	if err := s.quiet("the search ended by itself"); err != nil {
		return err
	}
	return s.stopped(g)
}

func stop(s *session) error {
	g, err := s.infinite()
	if err != nil {
		return err
	}
	if err := s.quiet("the search ended by itself"); err != nil {
		return err
	}
	if err := s.stopped(g); err != nil {
		return err
	}
	return s.quiet("after the bestmove")
}

func stopIdle(s *session) error {
	if _, err := s.firstVariant(); err != nil {
		return err
	}
	if err := s.send("stop"); err != nil {
		return err
	}
	if err := s.quiet("stop without a search was answered"); err != nil {
		return err
	}
	return s.ready()
}

func unknown(s *session) error {
	if err := s.send("", "   ", "xyzzy", "joho debug on", "setoption name NoSuchOption value 1"); err != nil {
		return err
	}
	return s.ready()
}

func carriageReturn(s *session) error {
	g, err := s.firstVariant()
	if err != nil {
		return err
	}
	if err := s.send("isready\r", "position startpos\r", "go depth 1\r"); err != nil {
		return err
	}
	if _, err := s.wait("readyok", s.config.Timeout, func(line string) bool { return line == "readyok" }); err != nil {
		return err
	}
	move, err := s.best(s.config.Timeout)
	if err != nil {
		return err
	}
	return legal(g, move)
}

// longLine sends the longest of some games that avoid captures, up to a
// position in which it goes on.
func longLine(s *session) error {
	g, err := s.firstVariant()
	if err != nil {
		return err
	}
	const plies, tries = 400, 100
	var longest []string
	for seed := range uint64(tries) {
		random := rand.New(rand.NewPCG(seed, 2))
		try := games.New(g.Variant())
		var line []string
		for len(line) < plies {
			list := try.Moves(nil)
			if len(list) == 0 {
				break
			}
			m := quietest(list, random)
			line = append(line, try.Text(m))
			try.Make(m)
			if len(line) > len(longest) && !try.Outcome().Over() {
				longest, g = slices.Clone(line), try.Clone()
			}
		}
	}
	if err := s.send(positionLine(longest), "go depth 1"); err != nil {
		return err
	}
	move, err := s.best(s.config.Timeout)
	if err != nil {
		return err
	}
	return legal(g, move)
}

// quietest is a move by chance, of those that take the least.
func quietest(list []movegen.Move, random *rand.Rand) movegen.Move {
	random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return slices.MinFunc(list, func(a, b movegen.Move) int { return a.Gain() - b.Gain() })
}

func noMove(move string) error {
	if move != "0000" && move != "(none)" {
		return fmt.Errorf("bestmove %s, but the game is over: want 0000 or (none)", move)
	}
	return nil
}

// randomGame plays moves by chance to the end. It calls at in every position,
// before the move.
func randomGame(v *movegen.Variant, seed uint64, at func(g movegen.Game, line []string) error) error {
	random := rand.New(rand.NewPCG(seed, 9))
	g := games.New(v)
	var line []string
	for {
		if err := at(g, line); err != nil {
			return err
		}
		if g.Outcome().Over() {
			return nil
		}
		list := g.Moves(nil)
		m := list[random.IntN(len(list))]
		line = append(line, g.Text(m))
		g.Make(m)
	}
}

func positionLine(line []string) string {
	if len(line) == 0 {
		return "position startpos"
	}
	return "position startpos moves " + strings.Join(line, " ")
}

func gameOver(s *session) error {
	return s.eachVariant(func(g movegen.Game) error {
		for seed := range uint64(2) {
			if err := randomGame(g.Variant(), seed, func(g movegen.Game, line []string) error {
				if !g.Outcome().Over() {
					return nil
				}
				if err := s.send(positionLine(line), "go depth 3"); err != nil {
					return err
				}
				move, err := s.best(s.config.Timeout)
				if err != nil {
					return err
				}
				return noMove(move)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

func illegalHistory(s *session) error {
	g, err := s.firstVariant()
	if err != nil {
		return err
	}
	first := g.Text(g.Moves(nil)[0])
	for _, moves := range []string{"a1a1", first + " z9z9", "0000", first + " " + first} {
		if err := s.send("position startpos moves " + moves); err != nil {
			return err
		}
		if err := s.ready(); err != nil {
			return fmt.Errorf("after moves %s: %w", moves, err)
		}
	}
	if err := s.send("position startpos", "go depth 1"); err != nil {
		return err
	}
	move, err := s.best(s.config.Timeout)
	if err != nil {
		return err
	}
	return legal(g, move)
}

func randomGames(s *session) error {
	return s.eachVariant(func(g movegen.Game) error {
		for seed := range uint64(s.config.Games) {
			if err := randomGame(g.Variant(), seed, func(g movegen.Game, line []string) error {
				if g.Outcome().Over() {
					return nil
				}
				if err := s.send(positionLine(line), "go depth 1"); err != nil {
					return err
				}
				move, err := s.best(s.config.Timeout)
				if err != nil {
					return err
				}
				return legal(g, move)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// queries asks what the UGI manager asks, and for the legal moves. That query
// is not one of the manager's: an engine need not know it.
func queries(s *session) error {
	asksMoves := true
	return s.eachVariant(func(g movegen.Game) error {
		first := g.Variant().First()
		for seed := range uint64(s.config.Games) {
			if err := randomGame(g.Variant(), seed, func(g movegen.Game, line []string) error {
				if err := s.send(positionLine(line)); err != nil {
					return err
				}
				o := g.Outcome()
				where := fmt.Sprintf("in %q", g)
				for _, q := range [][2]string{
					{"gameover", strconv.FormatBool(o.Over())},
					{"p1turn", strconv.FormatBool(g.Turn() == first)},
					{"result", o.Result(first)},
				} {
					if err := s.askFor(q[0], q[1], where); err != nil {
						return err
					}
				}
				if !asksMoves {
					return nil
				}
				return s.compareMoves(g, &asksMoves)
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

// compareMoves compares the legal moves, where the engine lists them.
func (s *session) compareMoves(g movegen.Game, asks *bool) error {
	if err := s.send("query legalmoves", "isready"); err != nil {
		return err
	}
	answer, answered := "", false
	if _, err := s.wait("readyok", s.config.Timeout, func(line string) bool {
		if rest, ok := strings.CutPrefix(line, "response"); ok {
			answer, answered = rest, true
		}
		return line == "readyok"
	}); err != nil {
		return err
	}
	if *asks = answered; !answered {
		return nil
	}
	var want []string
	for _, m := range g.Moves(nil) {
		want = append(want, g.Text(m))
	}
	got := strings.Fields(answer)
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("query legalmoves: %s, want %s, in %q", strings.Join(got, " "), strings.Join(want, " "), g)
	}
	return nil
}

// ends reads what is still said until the engine ends.
func (s *session) ends(why string) error {
	timer := time.NewTimer(s.config.Timeout)
	defer timer.Stop()
	for {
		l, err := s.process.Next(timer.C, s.process.Ended())
		if err == nil {
			s.note(l)
			continue
		}
		select {
		case <-s.process.Ended():
			return nil
		case <-timer.C:
		default:
			if !errors.Is(err, process.ErrTimeout) { // its output has ended, so it will too
				<-s.process.Ended()
				return nil
			}
		}
		return fmt.Errorf("%s: the engine is still there after %v", why, s.config.Timeout)
	}
}

func quit(s *session) error {
	if err := s.send("quit"); err != nil {
		return err
	}
	if err := s.ends("quit"); err != nil {
		return err
	}
	if code := s.process.ExitCode(); code != 0 {
		return fmt.Errorf("quit: exit code %d, want 0", code)
	}
	return s.again("quit during a search", func() error { return s.send("quit") })
}

func endOfInput(s *session) error {
	s.process.CloseInput()
	if err := s.ends("end of input"); err != nil {
		return err
	}
	return s.again("end of input during a search", func() error {
		s.process.CloseInput()
		return nil
	})
}

// again starts the engine once more, lets it search, and ends it.
func (s *session) again(why string, end func() error) error {
	if err := s.start(); err != nil {
		return err
	}
	if _, err := s.infinite(); err != nil {
		return err
	}
	if err := end(); err != nil {
		return err
	}
	return s.ends(why)
}
