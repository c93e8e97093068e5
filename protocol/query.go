package protocol

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"qirkat/movegen"
)

// query is a row of the table of queries.
type query struct {
	name, args, help string
	answer           func(b *board, args string) string
}

func (q query) rowName() string { return q.name }

// queryTable lists the queries; the first four are what a UGI manager asks.
func queryTable() []query {
	return []query{
		{"gameover", "", "whether the game has ended: true, false", func(b *board, _ string) string {
			return strconv.FormatBool(b.outcome().Over())
		}},
		{"p1turn", "", "whether the first player is to move: true, false", func(b *board, _ string) string {
			return strconv.FormatBool(b.game.Turn() == b.game.Variant().First())
		}},
		{"p2turn", "", "whether the second player is to move: true, false", func(b *board, _ string) string {
			return strconv.FormatBool(b.game.Turn() != b.game.Variant().First())
		}},
		{"result", "", "p1win, p2win, draw, none", func(b *board, _ string) string {
			return b.outcome().Result(b.game.Variant().First())
		}},
		{"reason", "", "how the game ended: a word of the rule book, or none", func(b *board, _ string) string {
			return b.outcome().Reason.String()
		}},
		{"points", "", "match points of the first and of the second player", points},
		{"fen", "", "the position text", func(b *board, _ string) string { return b.game.String() }},
		{"legalmoves", "", "the legal moves; nothing when there is none", legalMoves},
		{"islegal", "M", "whether a move is legal: true, false", func(b *board, move string) string {
			_, err := b.game.Find(move)
			return strconv.FormatBool(err == nil && b.illegal == nil)
		}},
		{"variant", "", "the name of the variant", func(b *board, _ string) string { return b.game.Variant().Name }},
		{"key", "", "the key of the position, 16 hexadecimal digits", func(b *board, _ string) string {
			return fmt.Sprintf("%016x", b.game.Key())
		}},
	}
}

// query answers a question about the position on the board, also during a
// search.
func (s *Server) query(args string) error {
	word, rest := cut(args)
	table := queryTable()
	if word == "" {
		return errors.New("query: want " + strings.Join(names(table), ", "))
	}
	for _, q := range table {
		if q.name != word {
			continue
		}
		if q.args != "" && rest == "" {
			return fmt.Errorf("query %s: want a move behind it", word)
		}
		s.out.line(strings.TrimSpace("response " + q.answer(&s.board, rest)))
		return nil
	}
	return fmt.Errorf("unknown query %s", didYouMean(word, names(table)))
}

// points are 0 and 0 after an illegal move: the rule book gives none for it.
func points(b *board, _ string) string {
	p1, p2 := 0, 0
	if b.illegal == nil {
		p1, p2 = b.game.Points()
	}
	return fmt.Sprintf("%d %d", p1, p2)
}

func legalMoves(b *board, _ string) string {
	return strings.Join(moveTexts(b.game, b.legal()), " ")
}

// moveTexts are the texts of moves that are all legal in one position.
func moveTexts(g movegen.Game, moves []movegen.Move) []string {
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = g.Text(m)
	}
	return list
}
