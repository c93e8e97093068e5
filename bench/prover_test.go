package bench

import (
	"strings"
	"testing"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/movegen/slow"
)

// A prover looks for wins by force at every turn of both sides, to an exact
// number of plies. It knows no evaluation, prunes nothing and orders nothing;
// it only remembers what it has seen.
//
// It looks at no repetition and at no quiet count. A shortest win repeats no
// position, and the suite has no position whose quiet count could end the game
// before the win.
type prover struct {
	walker
	side   movegen.Side // that is to win
	known  map[any]proof
	looked int // positions looked at
	most   int // of these, after which it gives up; 0: never
}

// A walker goes from position to position, by one of the two generators.
type walker interface {
	set(text string)
	key() any // of all that decides the future but for the counts
	turn() movegen.Side
	turns() int        // the number of legal turns
	text(i int) string // of one of them
	play(i int)
	back()
	winner() movegen.Side // where there are no turns
}

// proof is what is known of a position: a win within so many plies, and none
// within so many.
type proof struct{ won, open int }

// never is a number of plies beyond all that are looked for.
const never = 1 << 30

// shortest is the number of plies of the shortest win that the side to move can
// force, up to a most, and all moves that win so soon; 0 when there is none. It
// says no when the prover gave up.
func (p *prover) shortest(text string, most int) (plies int, moves []string, ok bool) {
	p.set(text)
	p.side = p.turn()
	p.known, p.looked = map[any]proof{}, 0
	for n := 1; n <= most && !p.tired(); n++ {
		for i := range p.turns() {
			if p.after(i, n) {
				moves = append(moves, p.text(i))
			}
		}
		if moves != nil {
			return n, moves, !p.tired()
		}
	}
	return 0, nil, !p.tired()
}

func (p *prover) tired() bool { return p.most > 0 && p.looked > p.most }

// after reports whether a turn wins within so many plies, this one included.
func (p *prover) after(i, plies int) bool {
	p.play(i)
	defer p.back()
	return p.wins(plies - 1)
}

// wins reports whether the position is won within so many plies, whatever the
// other side does.
func (p *prover) wins(plies int) bool {
	key := p.key()
	was, seen := p.known[key]
	switch {
	case seen && was.won <= plies:
		return true
	case seen && plies <= was.open || p.tired():
		return false
	case !seen:
		was = proof{won: never, open: -1}
	}
	p.looked++
	won := p.look(plies)
	if won {
		was.won = plies
	} else {
		was.open = plies
	}
	p.known[key] = was
	return won
}

func (p *prover) look(plies int) bool {
	turns := p.turns()
	if turns == 0 {
		return p.winner() == p.side
	}
	if plies == 0 {
		return false
	}
	ours := p.turn() == p.side
	for i := range turns {
		if p.after(i, plies) == ours {
			return ours // one good move is enough, one good answer too much
		}
	}
	return !ours
}

// slowWalker goes by the slow second implementation of the rules.
type slowWalker struct {
	rules *slow.Game
	first movegen.Side
	line  []slowPlace
}

type slowPlace struct {
	text  string
	turns []slow.Turn
}

func slowProver(t *testing.T, v *movegen.Variant) *prover {
	t.Helper()
	rules, err := slow.New(v.Name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &prover{walker: &slowWalker{rules: rules, first: v.First()}}
}

func (w *slowWalker) now() *slowPlace { return &w.line[len(w.line)-1] }

func (w *slowWalker) set(text string) { w.line = []slowPlace{{text: text}} }

// key leaves out the quiet count and the number of the move.
func (w *slowWalker) key() any { return strings.Join(strings.Fields(w.now().text)[:3], " ") }

func (w *slowWalker) turn() movegen.Side {
	if strings.Fields(w.now().text)[1] == movegen.Black.Letter() {
		return movegen.Black
	}
	return movegen.White
}

func (w *slowWalker) turns() int {
	now := w.now()
	now.turns = w.rules.Turns(now.text)
	return len(now.turns)
}

func (w *slowWalker) text(i int) string { return w.now().turns[i].Text }

func (w *slowWalker) play(i int) { w.line = append(w.line, slowPlace{text: w.now().turns[i].Next}) }

func (w *slowWalker) back() { w.line = w.line[:len(w.line)-1] }

func (w *slowWalker) winner() movegen.Side {
	switch result, _ := w.rules.Result([]string{w.now().text}); result {
	case "p1win":
		return w.first
	case "p2win":
		return w.first.Other()
	}
	return movegen.None
}

// fastWalker goes by the generator that the engine uses.
type fastWalker struct {
	movegen.Game
	lists [][]movegen.Move // of the positions of the line
}

func fastProver(v *movegen.Variant) *prover {
	return &prover{walker: &fastWalker{Game: games.New(v)}}
}

func (w *fastWalker) set(text string) {
	if err := w.Set(text); err != nil {
		panic("bench: " + err.Error()) // the game wrote it
	}
	w.lists = [][]movegen.Move{nil}
}

func (w *fastWalker) key() any { return w.Key() }

func (w *fastWalker) turn() movegen.Side { return w.Turn() }

func (w *fastWalker) turns() int {
	list := &w.lists[len(w.lists)-1]
	*list = w.Moves((*list)[:0])
	return len(*list)
}

func (w *fastWalker) text(i int) string { return w.Text(w.lists[len(w.lists)-1][i]) }

func (w *fastWalker) play(i int) {
	w.Make(w.lists[len(w.lists)-1][i])
	w.lists = append(w.lists, nil)
}

func (w *fastWalker) back() {
	w.Unmake()
	w.lists = w.lists[:len(w.lists)-1]
}

func (w *fastWalker) winner() movegen.Side { return w.Outcome().Winner }
