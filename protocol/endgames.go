package protocol

import (
	"fmt"
	"strconv"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/solve"
	"qirkat/tablebase"
)

const (
	defaultProbeDepth = 1
	defaultProbeLimit = tablebase.MaxSeeds
)

// endgames are the endgame tables of the rules in force, and how they are used.
type endgames struct {
	path         string // of the folder; empty: those that the program has
	depth, limit int
	due          bool              // they are to be opened for the rules in force
	open         *tablebase.Tables // nil: none, or due
	cold         bool              // the first look-ups would wait
	probers      []*tablebase.Prober
	used         int // probers of the search that is running

	strategy *solve.Strategy // of the start position; nil: none, or due
}

func newEndgames() endgames { return endgames{depth: defaultProbeDepth, limit: defaultProbeLimit} }

func (t *endgames) close() {
	if t.open != nil {
		_ = t.open.Close()
		t.open, t.cold, t.probers, t.strategy = nil, false, nil, nil
	}
}

// warm gets ready what should not be done on the clock.
func (t *endgames) warm() {
	if t.cold {
		t.open.Warm()
		t.cold = false
	}
}

// player asks the tables about a game; nil where there are none. Each thread of
// a search has its own.
func (t *endgames) player(g movegen.Game) engine.Tables {
	if t.open == nil || t.limit == 0 {
		return nil
	}
	if t.used == len(t.probers) {
		t.probers = append(t.probers, t.open.NewProber())
	}
	t.used++
	return t.probers[t.used-1].Player(g, t.limit)
}

// proven is the move that a proof of the game gives the winner; nil: none.
func (t *endgames) proven(g movegen.Game) *engine.Proven {
	if t.strategy == nil || t.limit == 0 {
		return nil
	}
	m, plies, ok := t.strategy.Move(g)
	if !ok {
		return nil
	}
	return &engine.Proven{Move: m, Plies: plies}
}

// changeTables closes the tables when the rules or the folder have changed. Those
// of the program take a while, and are opened when they are needed first; what
// is wrong with a folder is said at once.
func (s *Server) changeTables() {
	s.endgames.close()
	s.endgames.due = true
	if s.endgames.path != "" {
		s.needTables()
	}
}

// needTables opens the tables of the rules in force, if they are due. What cannot
// be used is said, and the engine plays on without it.
func (s *Server) needTables() {
	if !s.endgames.due {
		return
	}
	s.endgames.due = false
	open, refused, err := tablebase.Open(s.endgames.path, s.board.game.Variant())
	if err != nil {
		if s.endgames.path != "" {
			s.note("option TablePath: no tables: %v", err)
		}
		return
	}
	for _, r := range refused {
		s.note("option TablePath: %v", r)
	}
	if open.Empty() {
		if s.endgames.path != "" {
			s.note("option TablePath: %s has no tables of %s in these rules", movegen.Shorten(s.endgames.path), s.row.Name)
		}
		_ = open.Close()
		return
	}
	s.endgames.open, s.endgames.cold = open, true
	if s.endgames.strategy, err = solve.StrategyOf(s.board.game.Variant(), open); err != nil {
		s.note("proof: %v", err)
	}
}

// setTablePath takes other tables. Those in use stay where the folder is none.
func (s *Server) setTablePath(path string) error {
	if err := tablebase.CheckFolder(path); err != nil {
		return &CouldNotError{fmt.Errorf("option TablePath: %w", err)}
	}
	s.endgames.path = path
	s.changeTables()
	s.engine.Clear()
	return nil
}

func (s *Server) setProbeDepth(value string) error {
	s.endgames.depth, _ = strconv.Atoi(value)
	return nil
}

func (s *Server) setProbeLimit(value string) error {
	s.endgames.limit, _ = strconv.Atoi(value)
	return nil
}
