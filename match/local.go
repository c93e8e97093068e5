package match

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"qirkat/match/process"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// The restart policies.
const (
	RestartFault  = "fault"  // an engine is started anew after a fault of its own
	RestartAlways = "always" // … before every game
	RestartNever  = "never"  // a fault that needs it ends the tournament
)

// Local is a worker that runs the engines on this machine. It keeps those of
// its last game.
type Local struct {
	launcher *process.Launcher
	place    process.Config // processors and priority of its engines
	players  []*player
	opened   *endgames // of the last game that asked for tables, or nil
}

// NewLocal is a worker whose engines run on some processors (none: on all) at
// some priority.
func NewLocal(launcher *process.Launcher, cpus []int, priority process.Priority) *Local {
	return &Local{launcher: launcher, place: process.Config{CPUs: cpus, Priority: priority}}
}

// Close ends the engines.
func (l *Local) Close() {
	for _, p := range l.players {
		p.close(false)
	}
	l.players = nil
	l.closeEndgames()
}

// Try starts an engine and plays nothing: what is wrong with its command or
// its options is found before the first game. Variants are spelled as
// [ParseRules] gives them. The error says which engine.
func (l *Local) Try(ctx context.Context, e Engine, variants []string) error {
	p, err := startPlayer(ctx, l.launcher, e, l.place)
	var unknown *UnknownOptionError
	var value *OptionValueError
	var place *process.PlaceError
	switch {
	case errors.As(err, &unknown), errors.As(err, &value), errors.As(err, &place):
		return err
	case err != nil:
		return fmt.Errorf("engine %q: %w", e.Name, err)
	}
	defer p.close(false)
	if _, err := p.option(variantOption); err != nil && len(variants) > 1 {
		return fmt.Errorf("engine %q has no option %s: it cannot play %s", e.Name, variantOption, strings.Join(variants, ", "))
	}
	for _, text := range variants {
		if err := p.newGame(ctx, text); err != nil {
			if errors.As(err, &unknown) {
				return err
			}
			return fmt.Errorf("engine %q: %w", e.Name, err)
		}
	}
	return nil
}

// seat finds or starts the two engines of a game, and ends those of the last
// one that do not play. The fault is that of a player who could not be started.
func (l *Local) seat(ctx context.Context, job *Job) (pair [2]*player, loser int, err error) {
	var kept []*player
	for _, p := range l.players {
		place := -1
		for i, e := range job.Players {
			if pair[i] == nil && e.Name == p.spec.Name && e.Restart != RestartAlways && !p.gone() {
				place = i
			}
		}
		if place < 0 {
			p.close(p.gone())
			continue
		}
		pair[place] = p
		kept = append(kept, p)
	}
	l.players = kept
	for i, e := range job.Players {
		if pair[i] != nil {
			continue
		}
		p, err := startPlayer(ctx, l.launcher, e, l.place)
		if err != nil {
			return pair, i, err
		}
		pair[i] = p
		l.players = append(l.players, p)
	}
	return pair, 0, nil
}

// drop ends an engine that is at fault.
func (l *Local) drop(p *player) {
	for i, q := range l.players {
		if p == q {
			l.players = append(l.players[:i], l.players[i+1:]...)
			break
		}
	}
	p.close(true)
}

// game is a game while it is played.
type game struct {
	job      *Job
	rules    string
	board    movegen.Game
	first    movegen.Side
	players  [2]*player
	clocks   [2]clock
	position strings.Builder // the line "position" so far
	plies    int             // the opening included
	judge    adjudicator
	record   Record
}

// Play plays a game.
func (l *Local) Play(ctx context.Context, job Job) (Record, error) {
	g := &game{job: &job}
	if err := g.setUp(); err != nil {
		return Record{}, err
	}
	g.judge = adjudicator{rules: job.Adjudication}
	if folder := job.Adjudication.Tables; folder != "" {
		g.judge.tables = l.endgames(folder, &job, g.board.Variant())
	}
	players, loser, err := l.seat(ctx, &job)
	g.players = players
	if err == nil {
		for i, p := range players {
			if err = p.newGame(ctx, g.rules); err != nil {
				loser = i
				break
			}
		}
	}
	if err == nil {
		loser, err = g.play(ctx)
	}
	if err == nil {
		loser, err = g.askClaims(ctx)
	}
	g.record.Took = Duration(time.Since(g.record.Start))
	var f *fault
	switch {
	case err == nil:
		g.record.Points[0], g.record.Points[1] = g.board.Points()
	case errors.As(err, &f):
		g.lose(loser, f)
		if p := players[loser]; p != nil {
			l.drop(p)
		}
		if job.Players[loser].Restart == RestartNever {
			return g.record, &StoppedError{Engine: job.Players[loser].Name, Fault: g.record.Fault}
		}
	default:
		for _, p := range players { // in the middle of something
			if p != nil {
				l.drop(p)
			}
		}
		return Record{}, err
	}
	return g.record, nil
}

// StoppedError is of a tournament that an engine ended which may not be started
// again. The record of the game comes with it.
type StoppedError struct {
	Engine string
	Fault  *Fault
}

func (e *StoppedError) Error() string {
	return fmt.Sprintf("engine %q may not be started again (restart = %q) after its fault: %s: %s", e.Engine, RestartNever, e.Fault.Reason, e.Fault.Detail)
}

// setUp puts the opening on the board.
func (g *game) setUp() error {
	v, canonical, err := ParseRules(g.job.Variant)
	if err != nil {
		return err
	}
	g.rules, g.first = canonical, v.First()
	if g.board, err = g.job.Opening.board(v); err != nil {
		return err
	}
	g.plies = len(g.job.Opening.Moves)
	g.position.WriteString("position ")
	if g.job.Opening.Position == "" {
		g.position.WriteString("startpos")
	} else {
		g.position.WriteString("fen " + g.job.Opening.Position)
	}
	for i, m := range g.job.Opening.Moves {
		g.addMove(m, i == 0)
	}
	j := g.job
	g.record = Record{
		ID: j.ID, Round: j.Round, Pair: j.Pair, Series: j.Series, Variant: canonical, Opening: j.Opening,
		Result: Unfinished, Start: time.Now(), Plies: []Ply{},
	}
	for i, e := range j.Players {
		g.record.Players[i], g.record.TC[i] = e.Name, e.Limits.String()
		g.clocks[i] = newClock(e.Limits)
	}
	return nil
}

func (g *game) addMove(text string, begins bool) {
	if begins {
		g.position.WriteString(" moves")
	}
	g.position.WriteString(" " + text)
}

// mover is the player to move, 0 or 1.
func (g *game) mover() int {
	if g.board.Turn() == g.first {
		return 0
	}
	return 1
}

// play lets the players move in turn until the game is over. The error is a
// *fault of the player it gives, or one of the context.
func (g *game) play(ctx context.Context) (loser int, err error) {
	for {
		if o := g.board.Outcome(); o.Over() {
			g.record.Result, g.record.Reason = Result(o.Result(g.first)), o.Reason.String()
			return 0, nil
		}
		i := g.mover()
		ply, late, err := g.ply(ctx, i)
		if err != nil {
			return i, err
		}
		if late {
			g.record.Late++
		}
		g.record.Plies = append(g.record.Plies, ply)
		g.plies++
		if g.board.Outcome().Over() {
			continue
		}
		if result, reason := g.judge.played(i, ply, g.plies, g.board); result != Unfinished {
			g.record.Result, g.record.Reason = result, reason
			return 0, nil
		}
	}
}

// ply lets one player move.
func (g *game) ply(ctx context.Context, i int) (ply Ply, late bool, err error) {
	p, turn := g.players[i], g.board.Turn()
	own, other := p.clockWords(turn, g.first)
	t, err := p.think(ctx, g.position.String(), goLine(&g.clocks[i], &g.clocks[1-i], own, other), &g.clocks[i])
	if err != nil {
		return ply, false, err
	}
	g.clocks[i].spend(t.took)
	m, err := g.board.Find(t.move)
	if err != nil {
		return ply, false, &fault{reason: ReasonIllegal, detail: fmt.Sprintf("%v; the position is %q", err, g.board)}
	}
	ply.Move = g.board.Text(m)
	t.describe(&ply)
	g.board.Make(m)
	g.addMove(ply.Move, g.plies == 0)
	return ply, t.late, nil
}

// askClaims asks the engines how they see the end, where the rules made it.
func (g *game) askClaims(ctx context.Context) (loser int, err error) {
	o := g.board.Outcome()
	if !o.Over() {
		return 0, nil
	}
	for i, p := range g.players {
		text, err := p.claim(ctx, g.position.String(), o, g.first)
		var f *fault
		switch {
		case errors.As(err, &f): // the game is over: a fault now costs nothing
			text = f.Error()
			p.broken = true
		case err != nil:
			return i, err
		}
		if text != "" {
			g.record.Claims = append(g.record.Claims, Note{p.spec.Name, text})
		}
	}
	return 0, nil
}

// lose writes down that a player is at fault.
func (g *game) lose(player int, f *fault) {
	g.record.Result, g.record.Reason = lostBy(player), f.reason
	g.record.Fault = &Fault{
		Player: player + 1, Engine: g.job.Players[player].Name, Reason: f.reason, Detail: f.detail,
		Late: Duration(f.late), Lines: []string{},
	}
	if p := g.players[player]; p != nil {
		g.record.Fault.Lines = p.transcript(g.record.Start)
	}
	g.record.Points[player] = forfeitPoints(g.board, player)
}

// forfeitPoints are the match points of a player at fault: the rule book has
// none, so it counts as having lost all its pieces (chosen: a fault must not
// cost less than the worst defeat).
func forfeitPoints(g movegen.Game, player int) int {
	v := g.Variant()
	if v.Family != movegen.Alquerque {
		return 0
	}
	enemy := v.First()
	if player == 0 {
		enemy = enemy.Other()
	}
	rows, _, _ := strings.Cut(g.String(), " ")
	return -2 - strings.Count(rows, enemy.Letter())
}

// board sets up the position of an opening.
func (o Opening) board(v *movegen.Variant) (movegen.Game, error) {
	g := games.New(v)
	if o.Position != "" {
		if err := g.Set(o.Position); err != nil {
			return nil, err
		}
	}
	for _, text := range o.Moves {
		m, err := g.Find(text)
		if err != nil {
			return nil, err
		}
		if g.Outcome().Over() {
			return nil, fmt.Errorf("the game is over before %s: %s", text, g.Outcome().Reason)
		}
		g.Make(m)
	}
	if o := g.Outcome(); o.Over() {
		return nil, fmt.Errorf("the game is over: %s", o.Reason)
	}
	return g, nil
}
