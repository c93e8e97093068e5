package protocol

import (
	"errors"
	"fmt"
	"strings"
	"unicode"

	"qirkat/movegen"
	"qirkat/movegen/games"
)

// board is the game that queries and searches are about.
type board struct {
	game  movegen.Game
	spare movegen.Game // where the next game is built before it is known to be good

	// illegal is the move that ended the game, lost by the side to move.
	illegal error

	// given are the words of `position` that led to this game, so that the same
	// words with more moves behind them need only the new moves; empty when the
	// game came about in another way. A manager sends the whole game several
	// times a ply.
	given    string
	hasMoves bool // given has the word moves
}

// newBoard is the start position of a variant with its rules.
func newBoard(v *movegen.Variant) board {
	g := games.New(v)
	return board{game: g, spare: g.Clone()}
}

// reset puts the start position on the board.
func (b *board) reset() { *b = newBoard(b.game.Variant()) }

// outcome is that of the game, an illegal move looked at.
func (b *board) outcome() movegen.Outcome {
	if b.illegal != nil {
		return movegen.Win(b.game.Turn().Other(), movegen.Illegal)
	}
	return b.game.Outcome()
}

// legal lists the legal moves; none after an illegal one.
func (b *board) legal() []movegen.Move {
	if b.illegal != nil {
		return nil
	}
	return b.game.Moves(nil)
}

// position carries out `position (startpos | fen …) [moves …]`. A position
// that cannot be is refused and changes nothing. A move that cannot be ends the
// game where it stands.
func (s *Server) position(args string) error {
	b := &s.board
	if rest, ok := b.more(args); ok {
		b.given = args
		return s.playOn(rest)
	}
	start, moves, hasMoves, err := s.parsePosition(args)
	if err != nil {
		return err
	}
	if err := b.spare.Set(start); err != nil {
		return err
	}
	b.game, b.spare = b.spare, b.game
	b.illegal, b.given, b.hasMoves = nil, args, hasMoves
	return s.playOn(moves)
}

// more gives the moves that the words of a new `position` add to those that
// led to the game on the board; ok is false when they do not begin alike.
func (b *board) more(args string) (moves string, ok bool) {
	rest, ok := strings.CutPrefix(args, b.given)
	if !ok || b.given == "" {
		return "", false
	}
	if rest == "" {
		return "", true
	}
	moves = strings.TrimLeftFunc(rest, unicode.IsSpace)
	if moves == rest {
		return "", false // a longer last word
	}
	if !b.hasMoves {
		word, after := cut(moves)
		if word != movesWord {
			return "", false
		}
		moves, b.hasMoves = after, true
	}
	return moves, true
}

const (
	startWord = "startpos"
	fenWord   = "fen"
	movesWord = "moves"
)

// parsePosition takes the words of `position` apart into the position text,
// its blanks as they came, and the moves. `fen startpos` is what a manager
// makes of an opening line that begins so.
func (s *Server) parsePosition(args string) (start, moves string, hasMoves bool, err error) {
	word, rest := cut(args)
	start, moves, hasMoves = cutAt(rest, movesWord)
	switch {
	case word == startWord && start == "", word == fenWord && start == startWord:
		return s.row.Start, moves, hasMoves, nil
	case word == startWord:
		return "", "", false, fmt.Errorf("position: unknown word %q behind startpos, want moves", movegen.Shorten(start))
	case word == fenWord && start == "":
		return "", "", false, errors.New("position: fen: no position text behind it")
	case word == fenWord && strings.ContainsFunc(start, unicode.IsControl):
		what := "control character"
		if strings.Contains(start, "\t") {
			what = "tab"
		}
		return "", "", false, fmt.Errorf("position: %s in %q: want single blanks between the fields", what, movegen.Shorten(start))
	case word == fenWord:
		return start, moves, hasMoves, nil
	case word == "":
		return "", "", false, errors.New("position: want startpos or fen TEXT")
	}
	return "", "", false, fmt.Errorf("position: unknown word %s want startpos or fen TEXT", didYouMean(word, []string{startWord, fenWord}))
}

// playOn plays moves on the board. A second word `moves` among them is passed
// over: a manager puts its own behind an opening line that has one.
func (s *Server) playOn(moves string) error {
	b := &s.board
	if b.illegal != nil {
		return b.illegal
	}
	played := 0
	for word := range strings.FieldsSeq(moves) {
		if word == movesWord {
			continue
		}
		m, err := b.game.Find(word)
		if err != nil {
			b.illegal = err
			return err
		}
		b.game.Make(m)
		played++
	}
	if s.debug {
		s.note("position: %d moves played", played)
	}
	return nil
}

// moves carries out `moves M…` on the board.
func (s *Server) moves(args string) error {
	switch {
	case args == "":
		return errors.New("moves: want one move or more")
	case s.board.illegal != nil:
		return fmt.Errorf("moves: the game is over since an %w", s.board.illegal)
	}
	s.board.given = ""
	return s.playOn(args)
}
