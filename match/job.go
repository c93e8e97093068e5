package match

import (
	"context"
	"strings"
	"time"

	"qirkat/movegen"
)

// Engine says how to run an engine, and how long it may think.
type Engine struct {
	Name     string          `toml:"name" json:"name"`
	Command  string          `toml:"cmd" json:"cmd"`
	Args     []string        `toml:"args" json:"args,omitempty"`
	Dir      string          `toml:"dir" json:"dir,omitempty"`
	Env      []string        `toml:"env" json:"env,omitempty"`           // NAME=value
	Protocol string          `toml:"protocol" json:"protocol,omitempty"` // ugi, uci, auto
	Restart  string          `toml:"restart" json:"restart,omitempty"`   // fault, always, never
	Options  map[string]Text `toml:"option" json:"options,omitempty"`
	// Timeout is how long it may take to answer anything but "go".
	Timeout Duration `toml:"timeout" json:"timeout,omitzero"`
	Limits
}

// Opening is where a game begins.
type Opening struct {
	Position string   `json:"position,omitempty"` // position text; empty: the start position
	Moves    []string `json:"moves,omitempty"`    // played from there
}

// String is the line of an opening file.
func (o Opening) String() string {
	start := "startpos"
	if o.Position != "" {
		start = o.Position
	}
	if len(o.Moves) == 0 {
		return start
	}
	return start + " moves " + strings.Join(o.Moves, " ")
}

// Job is a game to be played. It says all that a worker needs; to play it
// again is to play the same game, so a job may be given out twice, and the
// first record of its ID counts.
type Job struct {
	ID      string    `json:"id"`
	Event   string    `json:"event,omitempty"`
	Round   int       `json:"round"`            // from 1
	Pair    int       `json:"pair"`             // number of the opening in this meeting, from 1
	Series  int       `json:"series,omitempty"` // in a tournament of series, from 1
	Variant string    `json:"variant"`          // with its switches
	Players [2]Engine `json:"players"`          // the first player and the second
	Opening Opening   `json:"opening,omitempty"`
	Adjudication
}

// Record is the result of a job.
type Record struct {
	ID      string    `json:"id"`
	Round   int       `json:"round"`
	Pair    int       `json:"pair"`
	Series  int       `json:"series,omitempty"`
	Variant string    `json:"variant"`
	Players [2]string `json:"players"` // names of the first player and the second
	Opening Opening   `json:"opening"`
	TC      [2]string `json:"tc"` // limits of the first player and the second

	Plies  []Ply  `json:"plies"`
	Result Result `json:"result"`
	Reason string `json:"reason"`          // of the rule book, or one of ours below
	Points [2]int `json:"points,omitzero"` // match points of the first player and the second
	Fault  *Fault `json:"fault,omitempty"`
	Claims []Note `json:"claims,omitempty"` // where an engine disagreed with the judge

	Start time.Time `json:"start"`
	Took  Duration  `json:"took"`
	Late  int       `json:"late,omitempty"` // moves for which this program was late, and excused
}

// Ply is a move as it was played by an engine, and what it said of it.
type Ply struct {
	Move  string  `json:"move"`
	CP    *int    `json:"cp,omitempty"`   // centipieces for the mover
	Mate  int     `json:"mate,omitempty"` // as the engine counts; negative: it loses
	Depth int     `json:"depth,omitempty"`
	Nodes uint64  `json:"nodes,omitempty"`
	MS    float64 `json:"ms"` // milliseconds on the clock
}

// Fault is why a player lost without being beaten.
type Fault struct {
	Player int      `json:"player"` // 1 or 2
	Engine string   `json:"engine"`
	Reason string   `json:"reason"`
	Detail string   `json:"detail"`
	Late   Duration `json:"late,omitzero"` // how late this program noticed that time was up
	Lines  []string `json:"lines"`         // the last ones to and from it, with times in seconds
}

// Note is a remark about an engine.
type Note struct {
	Engine string `json:"engine"`
	Text   string `json:"text"`
}

// Result is a result as the protocol names it.
type Result string

// The results. Unfinished is of games that were read from a file.
const (
	P1Win      Result = "p1win"
	P2Win      Result = "p2win"
	Drawn      Result = "draw"
	Unfinished Result = "none"
)

// lostBy is the result when a player, 0 or 1, has lost.
func lostBy(player int) Result {
	if player == 0 {
		return P2Win
	}
	return P1Win
}

// Score is what a player, 0 or 1, got.
func (r Result) Score(player int) float64 {
	switch r {
	case lostBy(player):
		return 0
	case lostBy(1 - player):
		return 1
	}
	return 0.5
}

// The reasons of ours, besides those of the rule book.
const (
	ReasonIllegal  = "illegal"  // a move that is not legal
	ReasonTime     = "time"     // the clock ran out
	ReasonHang     = "hang"     // no answer
	ReasonCrash    = "crash"    // the engine ended, or did not start
	ReasonProtocol = "protocol" // an answer that is none, or a flood
	ReasonScore    = "score"    // drawn or resigned, as the engines agreed on the score
	ReasonLength   = "length"   // drawn at the greatest length
	ReasonTable    = "table"    // decided by an endgame table
)

// Adjudication says when a game is ended before its end. Zero values: never.
type Adjudication struct {
	Draw   ScoreRule `toml:"draw" json:"draw,omitzero"`
	Resign ScoreRule `toml:"resign" json:"resign,omitzero"`
	// Length is the number of plies at which a game is drawn.
	Length int `toml:"length" json:"length,omitzero"`
	// Tables is a folder of endgame tables that decide games, or [ProgramTables].
	Tables string `toml:"tables" json:"tables,omitzero"`
}

// ScoreRule ends a game when both engines have agreed on its score for a number
// of moves each.
type ScoreRule struct {
	From  int `toml:"from" json:"from,omitzero"`   // not before this number of plies
	Moves int `toml:"moves" json:"moves,omitzero"` // of each side in a row; 0: no such rule
	Score int `toml:"score" json:"score,omitzero"` // centipieces
}

// Tables says how positions end that an endgame table knows.
type Tables interface {
	// Probe gives the outcome of a position, and whether it is known.
	Probe(g movegen.Game) (o movegen.Outcome, known bool)
}

// Worker plays games. One worker plays one game at a time.
type Worker interface {
	// Play plays a game. The error says that it could not be played, which is
	// the fault of neither engine, or that the context was cancelled.
	Play(ctx context.Context, job Job) (Record, error)
	// Close ends what the worker keeps running.
	Close()
}
