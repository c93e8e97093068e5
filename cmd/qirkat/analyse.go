package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/tt"
)

// analyseFlags is what the command line of analyse says.
type analyseFlags struct {
	start
	depth, nodes, hash int
	lines, threads     int
	moveTime           time.Duration
	asJSON             bool
}

// defaultMoveTime is how long analyse thinks when no limit is given (chosen).
const defaultMoveTime = 5 * time.Second

func newAnalyse() *cobra.Command {
	f := new(analyseFlags)
	cmd := &cobra.Command{
		Use:   "analyse VARIANT",
		Short: "Search a position and print what is found",
		Long: `Search a position and print the lines that the protocol prints, or one JSON
object a line. The search ends at the first limit that it reaches; without one
it takes 5 seconds.`,
		Example: "  qirkat analyse fanorona --depth 8\n  qirkat analyse quirkat --fen 'bbb2/b2b1/b3b/1w1b1/www1w w - 0 11' --movetime 2s --json",
		Args:    arguments("VARIANT"),
		RunE:    f.run,
	}
	f.start.flags(cmd)
	flags := cmd.Flags()
	flags.Var(number{&f.depth, 1, maxDepth}, "depth", "search so many plies deep")
	flags.Var(thinkingTime{&f.moveTime}, "movetime", "search so long: milliseconds, or with a unit as in 2s")
	flags.Var(number{&f.nodes, 1, 1 << 40}, "nodes", "search so many nodes")
	hashFlag(cmd, &f.hash)
	f.lines, f.threads = 1, 1
	flags.Var(number{&f.lines, 1, 256}, "multipv", "look for so many best lines")
	flags.Var(number{&f.threads, 1, 256}, "threads", "search with so many threads")
	flags.BoolVar(&f.asJSON, "json", false, "print a JSON object a line")
	return cmd
}

func (f *analyseFlags) run(cmd *cobra.Command, args []string) error {
	g, err := f.game(args[0])
	if err != nil {
		return err
	}
	if f.depth == 0 && f.nodes == 0 && f.moveTime == 0 {
		f.moveTime = defaultMoveTime
	}
	if f.asJSON {
		return f.printJSON(cmd, g)
	}
	server, err := newServer(cmd, "")
	if err != nil {
		return err
	}
	for _, line := range f.commands(g.Variant().Name) {
		if err := server.Command(line); err != nil {
			return err
		}
	}
	return nil
}

// commands are the lines of the protocol that ask for the analysis.
func (f *analyseFlags) commands(variant string) []string {
	lines := []string{
		fmt.Sprintf("setoption name Hash value %d", f.hash),
		fmt.Sprintf("setoption name MultiPV value %d", f.lines),
		fmt.Sprintf("setoption name Threads value %d", f.threads),
		"setoption name UCI_Variant value " + variant,
	}
	for _, o := range f.options {
		name, value, _ := strings.Cut(o, "=")
		lines = append(lines, fmt.Sprintf("setoption name %s value %s", name, value))
	}
	if f.fen != "" {
		lines = append(lines, "position fen "+f.fen)
	}
	search := "go"
	if f.depth > 0 {
		search += fmt.Sprintf(" depth %d", f.depth)
	}
	if f.nodes > 0 {
		search += fmt.Sprintf(" nodes %d", f.nodes)
	}
	if f.moveTime > 0 {
		search += fmt.Sprintf(" movetime %d", f.moveTime.Milliseconds())
	}
	return append(lines, search)
}

// report is a search report as JSON tells it; one of CP and Mate is given.
type report struct {
	Line     int      `json:"multipv"`
	Depth    int      `json:"depth"`
	SelDepth int      `json:"seldepth"`
	CP       *int     `json:"cp,omitempty"`
	Mate     *int     `json:"mate,omitempty"` // plies; negative: the side to move loses
	Bound    string   `json:"bound"`
	Nodes    uint64   `json:"nodes"`
	NPS      uint64   `json:"nps"`
	HashFull int      `json:"hashfull"`
	MS       int64    `json:"ms"`
	PV       []string `json:"pv"`
}

var boundWords = map[engine.Bound]string{tt.Exact: "exact", tt.Lower: "lower", tt.Upper: "upper"}

func newReport(g movegen.Game, i engine.Info) report {
	r := report{
		Line: i.Line, Depth: i.Depth, SelDepth: i.SelDepth, Bound: boundWords[i.Bound], Nodes: i.Nodes,
		NPS: uint64(perSecond(i.Nodes, i.Time)), HashFull: i.HashFull, MS: i.Time.Milliseconds(), PV: texts(g, i.PV),
	}
	if plies, proven := i.Score.Plies(); proven {
		r.Mate = &plies
	} else {
		cp := int(i.Score)
		r.CP = &cp
	}
	return r
}

// texts are the move texts of a line of play that begins on the board, up to
// the end of the game.
func texts(g movegen.Game, line []movegen.Move) []string {
	var list []string
	for _, m := range line {
		list = append(list, g.Text(m))
		g.Make(m)
		if g.Outcome().Over() {
			break
		}
	}
	for range list {
		g.Unmake()
	}
	return list
}

func (f *analyseFlags) printJSON(cmd *cobra.Command, g movegen.Game) error {
	e, err := engine.New(f.hash)
	if err != nil {
		return err
	}
	e.SetThreads(f.threads)
	evaluation := newEvaluation(g.Variant())
	out := json.NewEncoder(cmd.OutOrStdout())
	found := e.Run(engine.Search{
		Game:    evaluation.of(g.Clone()),
		Another: func() engine.Game { return evaluation.of(g.Clone()) },
		Lines:   f.lines,
		Limits: engine.Limits{
			Depth: f.depth, Nodes: uint64(f.nodes), MoveTime: f.moveTime, HasMoveTime: f.moveTime > 0,
		},
		OnInfo: func(i engine.Info) { _ = out.Encode(newReport(g, i)) },
	})
	end := struct {
		Best   *string `json:"bestmove"` // null when the game is over
		Reason string  `json:"reason,omitempty"`
	}{}
	if found.Found {
		best := g.Text(found.Best)
		end.Best = &best
	} else {
		end.Reason = g.Outcome().Reason.String()
	}
	return out.Encode(end)
}
