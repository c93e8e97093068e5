// Package solve owns proofs of the value of a position: the search that finds
// them, the certificates that hold them, and the check of a certificate. It
// leaves rules to movegen and the endgame to the tables of tablebase, and knows
// nothing of the engine's search.
//
// The one idea behind it: who wins is decided by one question for each side, can
// it force a win? A yes is a set of positions with bounds that go down to the
// end; a no is a set of positions that the other side can stay in for ever. Both
// can be checked position by position, by somebody who has not searched.
//
// A newcomer reads it in this order: position.go and moves.go (positions as
// keys), table.go, search.go and team.go (the search), proof.go and closed.go (its
// result as a set of positions), certificate.go (files), check.go, state.go.
// docs/tables.md tells the rest.
package solve

import (
	"context"
	"errors"
	"time"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/tablebase"
)

// Config says what to prove.
type Config struct {
	Variant  *movegen.Variant
	Position string // position text; empty: the start
	Claim    Claim
	Dir      string // of tables, besides those of the program; may be empty
	Threads  int
	Memory   int64  // bytes for the table of the search
	Path     string // of the certificate; empty: none is written
	// Pieces is the most pieces of a position that is looked up in tables; 0: as
	// many as there are tables of; or NoTables.
	Pieces int

	OnRefused  func(error)    // may be nil; a table cannot be used
	OnProgress func(Progress) // may be nil; about every second
	OnCheck    func() (plan, checked func(positions int))
}

// NoTables is a number of Pieces.
const NoTables = -1

// Progress tells how far a proof is.
type Progress struct {
	Attacker        movegen.Side
	Proof, Disproof uint32 // numbers of the position, while it is searched for
	Nodes           uint64
	// Done and Todo count positions of the certificate, once it is being made.
	Done, Todo int
	Took       time.Duration
}

// Outcome is a proof that was found and checked.
type Outcome struct {
	*Report
	// Holds says that the claim is proven, and not its contrary. For Value it is
	// true.
	Holds bool
	Bytes int // of the certificate
	Took  time.Duration
}

// Solve looks for a proof of a claim, or of its contrary, makes a certificate of
// it and checks that. If the context ends before, the search is saved beside the
// certificate, and goes on from there when Solve is called again. The errors are
// a *tablebase.RefusalError, a *movegen.TextError, a *FileError, that of the
// context, and those of files.
func Solve(ctx context.Context, c Config) (*Outcome, error) {
	p, err := newProver(&c)
	if err != nil {
		return nil, err
	}
	defer p.close()
	if p.tables != nil {
		if _, err := p.tables.Load(ctx, c.Threads); err != nil {
			return nil, err
		}
	}
	if p.hints != nil {
		if _, err := p.hints.Load(ctx, c.Threads); err != nil {
			return nil, err
		}
	}
	defer func() { p.team.free() }()
	cert := &certificate{Header: p.header()}
	state, err := p.resume(cert)
	if err != nil {
		return nil, err
	}
	defer state.close()
	for _, attacker := range p.left(cert) {
		won, set, err := p.prove(ctx, attacker, state)
		if err != nil {
			return nil, p.save(cert, err)
		}
		state = nil
		claim := draws(attacker.Other())
		if won {
			claim = wins(attacker)
		}
		cert.Proofs = append(cert.Proofs, Proof{claim, len(set)})
		cert.sets = append(cert.sets, set)
		if won {
			// A draw of the winner says nothing more.
			cert.Proofs, cert.sets = cert.Proofs[len(cert.Proofs)-1:], cert.sets[len(cert.sets)-1:]
			break
		}
	}
	cert.Nodes, cert.Seconds = p.nodes, (p.before + time.Since(p.begin)).Seconds()
	p.team.free()
	p.team = nil
	o, err := p.finish(ctx, cert)
	if err != nil && ctx.Err() != nil {
		err = p.save(cert, err)
	}
	return o, err
}

// prover is one call of Solve.
type prover struct {
	*Config
	rules  *rules
	tables *tablebase.Tables // nil: none
	// hints are tables of the rules without no return, or without huffing too,
	// which give guesses of positions of up to so many pieces; nil: none.
	hints    *tablebase.Tables
	hinted   int
	most     int // pieces that are asked for; 0: as many as there are tables of
	position position
	begin    time.Time
	before   time.Duration // taken by earlier calls that were stopped
	nodes    uint64        // of the attackers that are done, and of earlier calls
	team     *team         // at work
}

func newProver(c *Config) (*prover, error) {
	if c.Path != "" {
		if err := tablebase.CheckTarget(c.Path); err != nil {
			return nil, err
		}
	}
	r, err := newRules(c.Variant)
	if err != nil {
		return nil, err
	}
	p := &prover{Config: c, rules: r, most: c.Pieces, begin: time.Now()}
	if c.Position == "" {
		c.Position = c.Variant.Start
	}
	g := games.New(c.Variant)
	if err := g.Set(c.Position); err != nil {
		return nil, err
	}
	c.Position = g.String()
	p.position, err = newMover(r).read(c.Position)
	if err != nil {
		return nil, err
	}
	if c.Pieces == NoTables {
		p.Pieces = 0
		return p, nil
	}
	if err := tablebase.CheckFolder(c.Dir); err != nil {
		return nil, err
	}
	p.tables, p.Pieces, err = p.open(r.variant)
	for _, like := range r.alike() {
		if err == nil {
			err = p.openHints(like)
		}
	}
	if err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

// open opens the tables of some rules, up to as many pieces as are wanted and
// there; nil if there are none.
func (p *prover) open(v *movegen.Variant) (t *tablebase.Tables, pieces int, err error) {
	t, refused, err := tablebase.Open(p.Dir, v)
	if err != nil {
		return nil, 0, err
	}
	for _, e := range refused {
		if p.OnRefused != nil {
			p.OnRefused(e)
		}
	}
	most := p.most
	if most == 0 {
		most = tablebase.MaxPieces
	}
	files := t.Files(most)
	if files == nil {
		return nil, 0, t.Close()
	}
	if err := t.Keep(files); err != nil {
		return nil, 0, errors.Join(err, t.Close())
	}
	return t, mostPieces(files), nil
}

// openHints opens tables of some rules for guesses, if they go further than those
// that are there.
func (p *prover) openHints(v *movegen.Variant) error {
	t, pieces, err := p.open(v)
	if t == nil {
		return err
	}
	if pieces > p.hinted {
		p.hints, t, p.hinted = t, p.hints, pieces
	}
	if t == nil {
		return nil
	}
	return t.Close()
}

// mostPieces is the most pieces of a list of tables.
func mostPieces(files []tablebase.FileID) int {
	most := 0
	for i := range files {
		most = max(most, files[i].Pieces())
	}
	return most
}

func (p *prover) close() {
	for _, t := range []*tablebase.Tables{p.tables, p.hints} {
		if t != nil {
			_ = t.Close()
		}
	}
}

func (p *prover) header() Header {
	h := Header{Variant: p.Variant.Name, Options: options(p.Variant), Position: p.Config.Position, Pieces: p.Pieces}
	if p.Pieces > 0 {
		h.Tables = p.tables.Files(p.Pieces)
	}
	return h
}

// attackers are the sides whose win decides the claim, in the order in which
// they are looked at.
func (p *prover) attackers() []movegen.Side {
	if attacker, _, ok := p.Claim.reads(); ok {
		return []movegen.Side{attacker}
	}
	return []movegen.Side{p.position.turn, p.position.turn.Other()}
}

// left are those that are still to be looked at: nobody once a win is proven.
func (p *prover) left(cert *certificate) []movegen.Side {
	for _, proof := range cert.Proofs {
		if _, won, _ := proof.Claim.reads(); won {
			return nil
		}
	}
	return p.attackers()[len(cert.Proofs):]
}

// prove finds out whether a side wins, and gives the positions that prove it.
// state is what an earlier search has left, or nil.
func (p *prover) prove(ctx context.Context, attacker movegen.Side, state *savedTable) (won bool, set []ranked, err error) {
	p.team.free()
	p.team = nil
	t, err := newTeam(p.rules, p.tables, p.hints, attacker, p.Memory, p.Threads)
	if err != nil {
		return false, nil, err
	}
	_, win, one := p.Claim.reads()
	t.sums = one && !win
	p.team = t
	if err := state.into(t); err != nil {
		return false, nil, err
	}
	if wins, _, ok := t.members[0].settled(&p.position); ok {
		return wins, nil, nil
	}
	stop := p.report(t)
	defer func() {
		stop()
		p.nodes += t.nodes.Load()
	}()
	n, err := t.decide(ctx, &p.position, p.Threads, unbounded)
	if err != nil {
		return false, nil, err
	}
	told := func(done, todo int) {
		t.done.Store(int64(done))
		t.todo.Store(int64(todo))
	}
	if !n.proven() {
		keys, err := t.closedSet(ctx, &p.position, told)
		if err != nil {
			return false, nil, err
		}
		if keys != nil {
			set := make([]ranked, len(keys))
			for i, k := range keys {
				set[i].key = k
			}
			return false, set, nil
		}
	}
	set, err = t.winningSet(ctx, &p.position, told)
	return true, set, err
}

// report calls OnProgress until it is stopped.
func (p *prover) report(t *team) (stop func()) {
	if p.OnProgress == nil {
		return func() {}
	}
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			select {
			case <-end:
				return
			case <-tick.C:
				root := t.root.Load()
				p.OnProgress(Progress{
					Attacker: t.attacker, Proof: uint32(root), Disproof: uint32(root >> 32),
					Nodes: p.nodes + t.nodes.Load(), Done: int(t.done.Load()), Todo: int(t.todo.Load()),
					Took: p.before + time.Since(p.begin),
				})
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// finish checks a certificate and writes it.
func (p *prover) finish(ctx context.Context, cert *certificate) (*Outcome, error) {
	data, err := cert.encode()
	if err != nil {
		return nil, err
	}
	config := &CheckConfig{Path: p.Path, Dir: p.Dir, Threads: p.Threads}
	if p.OnCheck != nil {
		config.OnPlan, config.OnPositions = p.OnCheck()
	}
	r, err := cert.check(ctx, config)
	if err != nil {
		return nil, err
	}
	if p.Path != "" {
		if err := writeWhole(p.Path, data); err != nil {
			return nil, err
		}
		if err := p.forget(); err != nil {
			return nil, err
		}
	}
	o := &Outcome{Report: r, Bytes: len(data), Took: p.before + time.Since(p.begin), Holds: true}
	if p.Claim != Value {
		o.Holds = cert.Proofs[0].Claim == p.Claim
	}
	return o, nil
}
