package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/rs/zerolog"

	"qirkat/engine"
	"qirkat/eval"
	"qirkat/movegen"
	"qirkat/strength"
	"qirkat/tt"
)

// search carries out `go`. Whatever its words are, it ends in one bestmove;
// only `go perft` ends in the count.
func (s *Server) search(args string) error {
	r := s.parseGo(args)
	wrong := append(r.remarks.all(), r.asides.all()...)
	if len(r.moves) > 0 && r.SearchMoves == nil {
		wrong = append(wrong, errors.New("go: searchmoves: no legal move among them, all are searched"))
	}
	if s.strict && wrong != nil {
		return wrong[0]
	}
	for _, remark := range wrong {
		s.note("%v", remark)
	}
	if r.isPerft {
		s.perft(r.perft)
		return nil
	}
	if o := s.board.outcome(); o.Over() {
		s.note("the game is over: %s", o.Reason)
		s.out.line(s.reporter(nil).best(engine.Result{}))
		return nil
	}
	if s.debug {
		s.note("go: %s", r)
	}
	root := s.board.game.Clone()
	origin := root.Clone()
	s.log.Info().Stringer("position", root).Stringer("limits", r).Msg("go")
	start := root.String()
	report := s.reporter(root.Clone())
	report.ponder = s.ponder
	if s.wdl {
		odds := strength.OddsOf(s.row)
		report.odds = &odds
	}
	j := s.begin("search", s.engine.Stop)
	s.needTables()
	weights := s.weights
	handicap, words := s.play.handicap(s.row)
	evaluated := func(g movegen.Game) engine.Game {
		own := engine.Game{Position: g, Evaluator: eval.New(g, weights)}
		if handicap == nil {
			own.Tables = s.endgames.player(g)
		}
		return own
	}
	another := func() engine.Game { return evaluated(origin.Clone()) }
	limits := r.Limits
	limits.ProbeDepth = s.endgames.depth
	if limits.Analysis = s.play.analyse; !limits.Analysis {
		limits.Contempt = s.contempt
	}
	if handicap != nil {
		limits = handicap.Limit(limits, root, strength.Random(root, s.play.game))
		another = nil
	}
	var proven *engine.Proven
	if handicap == nil && s.lines == 1 && !limits.Analysis && !limits.Infinite && limits.Mate == 0 && limits.SearchMoves == nil {
		if p := s.endgames.proven(root); p != nil {
			words += fmt.Sprintf("; the win is proven, in %d plies at most", p.Plies)
			limits.SearchMoves = []movegen.Move{p.Move}
			if limits.HasMoveTime || limits.Clock != nil {
				proven = p
			}
		}
	}
	report.searching = remark("%s", s.identity(words))
	s.endgames.used = 0
	s.engine.Start(engine.Search{
		Game:      evaluated(root),
		Another:   another,
		Limits:    limits,
		Lines:     s.lines,
		Proven:    proven,
		OnCurrent: func(c engine.Current) { s.out.line(report.current(c)) },
		OnInfo: func(i engine.Info) {
			if report.searching != "" {
				s.out.line(report.searching)
				report.searching = ""
			}
			if line, isNew := report.info(i); isNew {
				s.out.line(line)
			}
		},
		OnBest:  func(result engine.Result) { s.end(j, report.best(result)) },
		OnPanic: func(why any) { s.crash("go from "+start, why) },
	})
	return nil
}

// reporter writes the results of one search. It has its own copy of the
// position, on which it plays the lines that it writes.
type reporter struct {
	game   movegen.Game
	uci    bool
	ponder bool           // the answer expected is named
	odds   *strength.Odds // nil: chances are not said
	log    zerolog.Logger
	buf    []byte
	last   engine.Info

	searching string // what searches, said before the first report
}

func (s *Server) reporter(g movegen.Game) *reporter {
	return &reporter{game: g, uci: s.uci, log: s.log}
}

// info is the line of a report. The report at the end of a search is not new
// when the last iteration had said the same.
func (r *reporter) info(i engine.Info) (line string, isNew bool) {
	if l := &r.last; i.Line == l.Line && i.Nodes == l.Nodes && i.Depth == l.Depth && i.Score == l.Score && i.Bound == l.Bound && slices.Equal(i.PV, l.PV) {
		return "", false
	}
	r.last = i
	b := append(r.buf[:0], "info"...)
	b = number(b, " depth ", int64(i.Depth))
	b = number(b, " seldepth ", int64(i.SelDepth))
	b = number(b, " multipv ", int64(i.Line))
	b = append(b, " score "...)
	b = r.score(b, i.Score)
	switch i.Bound {
	case tt.Lower:
		b = append(b, " lowerbound"...)
	case tt.Upper:
		b = append(b, " upperbound"...)
	}
	if r.odds != nil {
		win, draw, loss := r.odds.Permille(i.Score)
		b = number(number(number(b, " wdl ", int64(win)), " ", int64(draw)), " ", int64(loss))
	}
	b = number(b, " nodes ", int64(i.Nodes))
	b = number(b, " nps ", int64(float64(i.Nodes)/max(i.Time.Seconds(), 1e-6)))
	b = number(b, " hashfull ", int64(i.HashFull))
	if i.TableHits > 0 {
		b = number(b, " tbhits ", int64(i.TableHits))
	}
	b = number(b, " time ", i.Time.Milliseconds())
	b = append(b, " pv"...)
	b = r.line(b, i.PV)
	r.buf = b
	r.log.Info().Int("depth", i.Depth).Int("score", int(i.Score)).Uint64("nodes", i.Nodes).Dur("time", i.Time).Msg("info")
	return string(b), true
}

// current is the line of a move of the root that is being searched.
func (r *reporter) current(c engine.Current) string {
	return fmt.Sprintf("info depth %d currmove %s currmovenumber %d", c.Depth, r.game.Text(c.Move), c.Number)
}

// score writes centipieces, or the distance of a proven win or loss: in moves
// of the winner for UCI, in plies for UGI.
func (r *reporter) score(b []byte, s engine.Score) []byte {
	n, proven := s.Plies()
	switch {
	case !proven:
		return number(b, "cp ", int64(s))
	case r.uci && n > 0:
		n = (n + 1) / 2
	case r.uci:
		n = -((1 - n) / 2)
	}
	return number(b, "mate ", int64(n))
}

// line writes the texts of moves that follow each other, up to the end of the
// game.
func (r *reporter) line(b []byte, moves []movegen.Move) []byte {
	played := 0
	for _, m := range moves {
		b = append(append(b, ' '), r.game.Text(m)...)
		r.game.Make(m)
		played++
		if r.game.Outcome().Over() {
			break
		}
	}
	for range played {
		r.game.Unmake()
	}
	return b
}

// best is the line that ends a search: two words, for a finished game too.
func (r *reporter) best(result engine.Result) string {
	move := "0000"
	switch {
	case result.Found:
		move = r.game.Text(result.Best)
	case r.uci:
		move = "(none)"
	}
	r.log.Info().Str("move", move).Msg("bestmove")
	line := "bestmove " + move
	if r.uci && r.ponder && result.Found && len(result.PV) > 1 && result.PV[0] == result.Best {
		r.game.Make(result.Best)
		if !r.game.Outcome().Over() {
			line += " ponder " + r.game.Text(result.PV[1])
		}
		r.game.Unmake()
	}
	return line
}

// number appends a label and a number.
func number(b []byte, label string, n int64) []byte {
	return strconv.AppendInt(append(b, label...), n, 10)
}
