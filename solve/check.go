package solve

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"qirkat/movegen"
	"qirkat/movegen/games"
	"qirkat/movegen/slow"
	"qirkat/tablebase"
)

// CheckConfig says what to check.
type CheckConfig struct {
	Path    string // of the certificate
	Dir     string // of tables, besides those of the program; may be empty
	Threads int

	OnPlan      func(positions int) // may be nil
	OnPositions func(positions int) // may be nil; so many more are checked; from any goroutine
}

// Report is what a certificate has proven.
type Report struct {
	Header
	// Plies bound the way to the end of a win, -1 where tables without distances
	// are used; 0 for a draw.
	Plies int
	// Quiet says that a win needs no word about the quiet count: on its way that
	// never ends the game.
	Quiet bool
}

// Value is what the proofs say of the position.
func (r *Report) Value() string {
	proven := make(map[Claim]bool)
	for _, p := range r.Proofs {
		proven[p.Claim] = true
	}
	text := ""
	switch {
	case proven[WhiteWins]:
		text = "White wins"
	case proven[BlackWins]:
		text = "Black wins"
	case proven[WhiteDraws] && proven[BlackDraws]:
		return "draw"
	case proven[WhiteDraws]:
		return "White draws at least"
	case proven[BlackDraws]:
		return "Black draws at least"
	}
	if !r.Quiet {
		text += ", without the quiet draw"
	}
	return text
}

// Check checks a certificate: it takes every position as text, lists the moves
// with the slow generator of movegen/slow, which shares no code with the one that
// the search used, and looks for where they lead among the positions of the
// certificate and in the tables. The tables are trusted; tablebase.Verify
// verifies them. The errors are a *FileError, a *WrongError, a
// *tablebase.RefusalError, and those of files.
func Check(ctx context.Context, c CheckConfig) (*Report, error) {
	cert, err := readCertificate(c.Path)
	if err != nil {
		return nil, err
	}
	return cert.check(ctx, &c)
}

// A WrongError is a position of a certificate that proves nothing.
type WrongError struct{ Path, Position, Reason string }

func (e *WrongError) Error() string {
	return fmt.Sprintf("certificate %s: %s: %s", e.Path, e.Position, e.Reason)
}

func (c *certificate) check(ctx context.Context, config *CheckConfig) (*Report, error) {
	bad := func(format string, args ...any) (*Report, error) {
		return nil, &FileError{config.Path, fmt.Sprintf(format, args...)}
	}
	v, err := movegen.FindVariant(c.Variant)
	if err != nil {
		return bad("%v", err)
	}
	for name, value := range c.Options {
		s, ok := movegen.FindSwitch(name)
		if !ok || s.Family != v.Family || !slices.Contains(s.Values, value) {
			return bad("the option %s=%s is none of %s", name, value, v.Name)
		}
		v = v.With(s, value)
	}
	if _, err := newRules(v); err != nil {
		return bad("%v", err)
	}
	game, err := slow.New(v.Name, options(v))
	if err != nil {
		return bad("%v", err)
	}
	k := &checker{CheckConfig: config, certificate: c, variant: v, game: game, steps: stepsOf(v), number: make(map[step]uint8)}
	for i, s := range k.steps {
		k.number[s] = uint8(i)
	}
	if k.symmetries, err = k.findSymmetries(); err != nil {
		return nil, err
	}
	tables, err := c.openTables(config.Dir, v)
	if err != nil {
		return nil, err
	}
	if tables != nil {
		defer func() { _ = tables.Close() }()
		if _, err := tables.Load(ctx, config.Threads); err != nil {
			return nil, err
		}
		k.tables = tables
	}
	k.known = reachOf(tables)
	if config.OnPlan != nil {
		n := 0
		for _, s := range c.sets {
			n += len(s)
		}
		config.OnPlan(n)
	}
	r := &Report{Header: c.Header, Quiet: true}
	for i, p := range c.Proofs {
		if err := k.checkProof(ctx, p.Claim, c.sets[i], r); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// options are the switches of the variant's family, as they are in force.
func options(v *movegen.Variant) map[string]string {
	m := make(map[string]string)
	for i := range movegen.Switches {
		if s := &movegen.Switches[i]; s.Family == v.Family {
			m[s.Name] = s.InForce(&v.Rules)
		}
	}
	return m
}

// openTables opens the tables that the header names, and none but those; nil if
// there are none.
func (h *Header) openTables(dir string, v *movegen.Variant) (*tablebase.Tables, error) {
	if most := mostPieces(h.Tables); h.Pieces != most {
		return nil, refuse("the proof names tables of up to %d pieces, not of %d", most, h.Pieces)
	}
	if len(h.Tables) == 0 {
		return nil, nil
	}
	if err := tablebase.CheckFolder(dir); err != nil {
		return nil, err
	}
	t, refused, err := tablebase.Open(dir, v)
	if err != nil {
		return nil, err
	}
	if err := t.Keep(h.Tables); err != nil {
		_ = t.Close()
		if len(refused) > 0 {
			return nil, refused[0]
		}
		return nil, refuse("the proof uses tables of up to %d pieces, and %v: want --tables FOLDER with those that qirkat tb build wrote for %s", h.Pieces, err, movegen.RulesText(h.Variant, h.Options))
	}
	return t, nil
}

// checker checks one certificate. It has symmetries and keys of its own.
type checker struct {
	*CheckConfig
	*certificate
	variant    *movegen.Variant
	game       *slow.Game
	tables     *tablebase.Tables // nil: none
	known      *reach            // of the tables
	symmetries [][]movegen.Point
	steps      []step
	number     map[step]uint8
}

// proofCheck is the check of one proof.
type proofCheck struct {
	*checker
	attacker movegen.Side
	wins     bool
	set      []ranked
	// quiet bounds, by place, the plies to the next capture or to the end, of a
	// win; unknownQuiet where tables without distances leave it open, or it is
	// more than the rules allow.
	quiet []uint16
}

const unknownQuiet = 1<<16 - 1

func (k *checker) checkProof(ctx context.Context, claim Claim, set []ranked, r *Report) error {
	attacker, won, _ := claim.reads()
	c := &proofCheck{checker: k, attacker: attacker, wins: won, set: set}
	order := make([]int32, len(set))
	for i := range order {
		order[i] = int32(i)
	}
	if won {
		c.quiet = make([]uint16, len(set))
		slices.SortStableFunc(order, func(a, b int32) int { return int(set[a].plies) - int(set[b].plies) })
	}
	for len(order) > 0 {
		// The positions of one bound rely on smaller bounds only.
		n := len(order)
		if won {
			n = slices.IndexFunc(order, func(i int32) bool { return set[i].plies != set[order[0]].plies })
			if n < 0 {
				n = len(order)
			}
		}
		if err := c.each(ctx, order[:n]); err != nil {
			return err
		}
		order = order[n:]
	}
	return c.checkRoot(r)
}

// each checks positions on all threads.
func (c *proofCheck) each(ctx context.Context, list []int32) error {
	const part = 64
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var group sync.WaitGroup
	for range max(1, min(c.Threads, len(list)/part)) {
		group.Go(func() {
			w := &checkWorker{proofCheck: c}
			if c.tables != nil {
				w.prober = c.tables.NewProber()
			}
			for ctx.Err() == nil {
				to := int(next.Add(part))
				if to-part >= len(list) {
					return
				}
				for _, i := range list[to-part : min(to, len(list))] {
					if err := w.check(i); err != nil {
						cancel(err)
						return
					}
				}
				if c.OnPositions != nil {
					c.OnPositions(min(to, len(list)) - to + part)
				}
			}
		})
	}
	group.Wait()
	return context.Cause(ctx)
}

// checkRoot looks the position of the header up.
func (c *proofCheck) checkRoot(r *Report) error {
	w := &checkWorker{proofCheck: c}
	if c.tables != nil {
		w.prober = c.tables.NewProber()
	}
	f, err := movegen.ParseFields(c.Position, "STATE")
	if err == nil {
		err = games.New(c.variant).Set(c.Position)
	}
	if err != nil {
		return &FileError{c.Path, err.Error()}
	}
	at, reason := w.find(c.Position)
	if reason == "" && c.wins != at.attackerWins && at.place < 0 {
		reason = "the tables say otherwise"
	}
	if reason != "" {
		return &WrongError{c.Path, c.Position, reason}
	}
	if c.wins {
		if at.place >= 0 {
			at.quiet = c.quiet[at.place]
		}
		r.Plies = at.plies
		if slices.ContainsFunc(c.Tables, func(f tablebase.FileID) bool { return f.Kind != tablebase.Distances }) {
			r.Plies = -1
		}
		r.Quiet = c.variant.Quiet == 0 || at.quiet != unknownQuiet && f.Quiet+int(at.quiet) <= c.variant.Quiet
	}
	return nil
}

// checkWorker checks for one goroutine.
type checkWorker struct {
	*proofCheck
	prober *tablebase.Prober
}

func (w *checkWorker) check(i int32) error {
	p := w.set[i].position()
	text, err := w.text(&p)
	if err == "" {
		err = w.follow(i, text, p.turn)
	}
	if err == "" {
		return nil
	}
	if text == "" {
		text = fmt.Sprintf("position %d", i)
	}
	return &WrongError{w.Path, text, err}
}

// text writes a position of a key, or says why it is none.
func (k *checker) text(p *position) (text, reason string) {
	all := movegen.Set(1)<<(k.variant.Size.W*k.variant.Size.H) - 1
	white, black := p.pieces[movegen.White], p.pieces[movegen.Black]
	most := k.variant.StartPieces()
	if (white|black)&^all != 0 || white&black != 0 || white.Len() > most[0] || black.Len() > most[1] {
		return "", "no position of the board"
	}
	var tokens []string
	for s, name := range []string{"rw:", "rb:"} {
		b := int(p.back[s])
		if b == 0 {
			continue
		}
		if b >= len(k.steps) || !p.pieces[s].Has(k.steps[b].to) {
			return "", "a last step that cannot be"
		}
		tokens = append(tokens, name+k.variant.Size.Name(k.steps[b].from)+k.variant.Size.Name(k.steps[b].to))
	}
	if p.liable != 0 {
		if !k.variant.Huffing || p.liable&^p.pieces[p.turn.Other()] != 0 {
			return "", "a right to huff that cannot be"
		}
		tokens = append(tokens, "h:"+k.variant.Size.Names(p.liable))
	}
	state := "-"
	if tokens != nil {
		state = strings.Join(tokens, ",")
	}
	return k.variant.Size.FormatPieces(p.pieces) + " " + p.turn.Letter() + " " + state + " 0 1", ""
}

// follow plays every move of a position of the set and says what is wrong.
func (w *checkWorker) follow(i int32, text string, turn movegen.Side) (reason string) {
	bound := int(w.set[i].plies)
	turns := w.game.Turns(text)
	if len(turns) == 0 {
		if w.wins != w.over(text) {
			return "the game has ended here otherwise"
		}
		return ""
	}
	chooses := w.wins == (turn == w.attacker) // the side that needs one move
	quiet, found := -1, false
	for _, t := range turns {
		at, reason := w.find(t.Next)
		ok := reason == "" && (at.attackerWins == w.wins || at.place >= 0)
		if ok && w.wins && at.plies >= bound {
			ok, reason = false, fmt.Sprintf("after %s the bound of plies does not go down", t.Text)
		}
		if !ok && !chooses {
			if reason == "" {
				reason = "a table says otherwise"
			}
			return t.Text + ": " + reason
		}
		if !ok {
			continue
		}
		found = true
		if w.wins {
			if at.place >= 0 {
				at.quiet = w.quiet[at.place]
			}
			q := w.quietAfter(text, t.Next, at)
			if quiet < 0 || chooses == (q < quiet) {
				quiet = q
			}
		} else if chooses {
			return ""
		}
	}
	if !found {
		return "no move leads on in the proof"
	}
	if w.wins {
		w.quiet[i] = uint16(quiet)
	}
	return ""
}

// quietAfter bounds the plies to the next capture from before a move that leads
// to somewhere.
func (w *checkWorker) quietAfter(before, after string, at found) int {
	limit := w.variant.Quiet
	switch {
	case limit == 0:
		return 0
	case at.quiet == unknownQuiet || int(at.quiet) > limit:
		return unknownQuiet
	case pieces(before) > pieces(after):
		return 1
	}
	return min(int(at.quiet)+1, unknownQuiet)
}

// pieces counts the pieces of a position text.
func pieces(text string) int {
	rows, _, _ := strings.Cut(text, " ")
	return strings.Count(rows, "w") + strings.Count(rows, "b")
}

// over reports whether a position without a move is a win of the attacker.
func (w *checkWorker) over(text string) bool {
	result, _ := w.game.Result([]string{text})
	first := w.variant.First()
	return result == "p1win" && first == w.attacker || result == "p2win" && first != w.attacker
}

// found is what is known of where a move leads.
type found struct {
	place        int // in the set; −1: a table or the end of the game knows it
	attackerWins bool
	plies        int    // a bound, of a win
	quiet        uint16 // of a table
}

// find looks a position text up, in the tables and in the set.
func (w *checkWorker) find(text string) (at found, reason string) {
	p, err := w.parse(text)
	if err != nil {
		return at, err.Error()
	}
	white, black := p.pieces[movegen.White], p.pieces[movegen.Black]
	if white == 0 || black == 0 {
		return found{place: -1, attackerWins: p.pieces[w.attacker.Other()] == 0}, ""
	}
	if w.known.has(&p) {
		return w.ask(&p)
	}
	i, ok := w.lookUp(&p)
	if !ok && (p.liable != 0 || p.back[p.turn] != 0) {
		q := w.withoutMeaning(p)
		i, ok = w.lookUp(&q)
	}
	switch {
	case ok:
		return found{place: i, plies: int(w.set[i].plies)}, ""
	case w.known.hasCaptures(&p):
		return w.ask(&p)
	}
	return at, outside
}

// outside is what is wrong with a position that nothing is known of.
const outside = "not in the certificate"

// ask looks a position up in the tables.
func (w *checkWorker) ask(p *position) (at found, reason string) {
	v, err := w.prober.Look(p.pieces, p.turn, w.lastSteps(p), p.liable)
	switch {
	case errors.Is(err, tablebase.ErrNoTable):
		return at, outside
	case err != nil:
		return at, err.Error()
	}
	at = found{place: -1, attackerWins: attackerWins(v.Result, p.turn == w.attacker), plies: v.Plies, quiet: uint16(v.Plies)}
	if v.Plies < 0 {
		at.plies, at.quiet = 0, unknownQuiet
	}
	return at, ""
}

func (w *checkWorker) lookUp(p *position) (int, bool) {
	return slices.BinarySearchFunc(w.set, w.least(p), func(r ranked, k key) int { return r.key.compare(k) })
}

// lastSteps are the last steps of a position as tables want them.
func (k *checker) lastSteps(p *position) (last tablebase.LastSteps) {
	for side, n := range p.back {
		last[side].From, last[side].To = k.steps[n].from, k.steps[n].to
	}
	return last
}

// withoutMeaning is a position without those pieces that may be huffed, and that
// last step of the side to move, without which that side has the same turns.
func (w *checkWorker) withoutMeaning(p position) position {
	turns := w.turns(&p)
	some := p
	for h := p.liable; h != 0; h = h.Rest() {
		huff := "x" + w.variant.Size.Name(h.First())
		if !slices.ContainsFunc(turns, func(t slow.Turn) bool { return strings.HasPrefix(t.Text, huff) }) {
			some.liable &^= h.Lowest()
		}
	}
	less := some
	less.back[p.turn] = 0
	same := func(a, b slow.Turn) bool { return a.Text == b.Text && a.Next == b.Next }
	for _, q := range []position{less, some} {
		if slices.EqualFunc(turns, w.turns(&q), same) {
			return q
		}
	}
	return p
}

// turns lists the turns of a position.
func (w *checkWorker) turns(p *position) []slow.Turn {
	text, _ := w.text(p)
	return w.game.Turns(text)
}

// parse reads a position text. Of the last steps it keeps those whose way back
// is open by the directions.
func (k *checker) parse(text string) (p position, err error) {
	fields := strings.Fields(text)
	if p.pieces, err = k.variant.Size.ParsePieces(fields[0], k.variant.StartPieces()); err != nil {
		return p, err
	}
	if fields[1] == movegen.Black.Letter() {
		p.turn = movegen.Black
	}
	if fields[2] == "-" {
		return p, nil
	}
	for token := range strings.SplitSeq(fields[2], ",") {
		name, points, _ := strings.Cut(token, ":")
		side := movegen.White
		switch name {
		case "rw":
		case "rb":
			side = movegen.Black
		case "h":
			list, ok := k.variant.Size.ParsePoints(points)
			if !ok {
				return p, fmt.Errorf("the state names no points in %q", token)
			}
			for _, piece := range list {
				p.liable |= movegen.Bit(piece)
			}
			continue
		default:
			return p, fmt.Errorf("the state %q is not one that a proof knows", token)
		}
		from, ok1 := k.variant.Size.ParsePoint(points[:2])
		to, ok2 := k.variant.Size.ParsePoint(points[2:])
		if !ok1 || !ok2 {
			return p, fmt.Errorf("the state %q names no step", token)
		}
		if k.returnOpen(side, step{from, to}) {
			p.back[side] = k.number[step{from, to}]
		}
	}
	return p, nil
}

// returnOpen reports whether the directions leave the way back of a step open.
func (k *checker) returnOpen(side movegen.Side, s step) bool {
	z := k.variant.Size
	rows := int(s.from)/z.W - int(s.to)/z.W
	far := z.H - 1
	if side == movegen.Black {
		rows, far = -rows, 0
	}
	way := movegen.Sideways
	switch {
	case rows > 0:
		way = movegen.Forward
	case rows < 0:
		way = movegen.Backward
	}
	return k.variant.StepDirections()&way != 0 && !(k.variant.FarStepsOff && int(s.to)/z.W == far)
}

// least is the least key that symmetries make of a position.
func (k *checker) least(p *position) key {
	least := p.key()
	for _, t := range k.symmetries {
		q := k.image(p, t)
		if image := q.key(); image.less(least) {
			least = image
		}
	}
	return least
}

// image is a position with its points moved.
func (k *checker) image(p *position, t []movegen.Point) position {
	q := position{turn: p.turn}
	for s := range q.pieces {
		for rest := p.pieces[s]; rest != 0; rest = rest.Rest() {
			q.pieces[s] |= movegen.Bit(t[rest.First()])
		}
		if b := p.back[s]; b != 0 {
			q.back[s] = k.number[step{t[k.steps[b].from], t[k.steps[b].to]}]
		}
	}
	for rest := p.liable; rest != 0; rest = rest.Rest() {
		q.liable |= movegen.Bit(t[rest.First()])
	}
	return q
}

// findSymmetries lists the maps of the board that the rules do not notice, but
// for the identity: the mirror of columns, and where no direction counts those of
// rows and, on a square, diagonals. The slow generator has to agree, on positions
// of the certificate.
func (k *checker) findSymmetries() ([][]movegen.Point, error) {
	z := k.variant.Size
	free := k.variant.Family == movegen.Fanorona ||
		k.variant.StepDirections() == movegen.AllDirections && k.variant.JumpDirections() == movegen.AllDirections && !k.variant.FarStepsOff
	var list [][]movegen.Point
	for i := 1; i < 8; i++ {
		flipColumns, flipRows, swap := i&1 != 0, i&2 != 0, i&4 != 0
		if (flipRows || swap) && !free || swap && z.W != z.H {
			continue
		}
		t := make([]movegen.Point, z.W*z.H)
		for r := range z.H {
			for c := range z.W {
				x, y := c, r
				if swap {
					x, y = y, x
				}
				if flipColumns {
					x = z.W - 1 - x
				}
				if flipRows {
					y = z.H - 1 - y
				}
				t[z.At(c, r)] = z.At(x, y)
			}
		}
		list = append(list, t)
	}
	const samples = 100 // of each proof, for each symmetry; chosen
	for _, set := range k.sets {
		for i := 0; i < len(set); i += 1 + len(set)/samples {
			for _, t := range list {
				p := set[i].position()
				if text, reason := k.text(&p); reason == "" && !k.alike(&p, text, t) {
					return nil, &WrongError{k.Path, text, "its mirror image has other moves: this is an error of the program"}
				}
			}
		}
	}
	return list, nil
}

// alike reports whether the moves of a position and of its image lead to
// positions that are images of each other.
func (k *checker) alike(p *position, text string, t []movegen.Point) bool {
	image := k.image(p, t)
	other, reason := k.text(&image)
	if reason != "" {
		return false
	}
	var a, b []key
	for _, turn := range k.game.Turns(text) {
		if next, err := k.parse(turn.Next); err == nil {
			moved := k.image(&next, t)
			a = append(a, moved.key())
		}
	}
	for _, turn := range k.game.Turns(other) {
		if next, err := k.parse(turn.Next); err == nil {
			b = append(b, next.key())
		}
	}
	slices.SortFunc(a, key.compare)
	slices.SortFunc(b, key.compare)
	return slices.Equal(a, b)
}
