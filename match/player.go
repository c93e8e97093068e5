package match

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"qirkat/match/process"
	"qirkat/movegen"
)

// The protocols.
const (
	ProtocolUGI  = "ugi"
	ProtocolUCI  = "uci"
	ProtocolAuto = "auto" // UGI is tried first
)

const (
	defaultTimeout = Duration(10 * time.Second)
	autoTimeout    = 2 * time.Second        // for an answer to "ugi" of one that may not know it
	quitGrace      = 500 * time.Millisecond // to leave after "quit"
)

// variantOption is the option that chooses the game.
const variantOption = "UCI_Variant"

// fault is what a player did wrong, on the way to the record.
type fault struct {
	reason, detail string
	late           time.Duration // how late it was noticed that time was up
}

func (f *fault) Error() string { return f.reason + ": " + f.detail }

// faultOf turns what a process did into the reason of a lost game.
func faultOf(err error) error {
	var f *process.Fault
	if !errors.As(err, &f) {
		return err
	}
	switch f.Kind {
	case process.Crash:
		return &fault{reason: ReasonCrash, detail: f.Detail}
	case process.Hang:
		return &fault{reason: ReasonHang, detail: f.Detail}
	}
	return &fault{reason: ReasonProtocol, detail: f.Detail}
}

// player is a running engine.
type player struct {
	spec     Engine
	process  *process.Process
	protocol string
	options  map[string]string // those it declared: small letters to its own spelling
	types    map[string]string // … and to what follows the name
	variant  string            // in force
	mute     bool              // it does not answer queries
	broken   bool              // it is not to play again

	mu   sync.Mutex
	info string // the last line with a score
}

// startPlayer starts an engine, goes through the handshake and sets its
// options. The error is a *fault, or one of the context, or says which option
// the engine does not know, or which value of one it does not take.
func startPlayer(ctx context.Context, launcher *process.Launcher, spec Engine, place process.Config) (*player, error) {
	p := &player{spec: spec}
	protocols := []string{spec.Protocol}
	if spec.Protocol == ProtocolAuto {
		protocols = []string{ProtocolUGI, ProtocolUCI}
	}
	var err error
	for i, protocol := range protocols {
		if p.process == nil {
			place.Path, place.Args, place.Dir, place.Env = spec.Command, spec.Args, spec.Dir, spec.Env
			place.Passed = p.passed
			if p.process, err = launcher.Start(place); err != nil {
				return nil, faultOf(err)
			}
		}
		timeout := time.Duration(spec.Timeout)
		if i < len(protocols)-1 {
			timeout = min(timeout, autoTimeout)
		}
		if err = p.handshake(ctx, protocol, timeout); err == nil {
			p.protocol = protocol
			break
		}
		var f *fault
		if errors.As(err, &f) && f.reason == ReasonCrash {
			p.process.Close("", 0)
			p.process = nil
		}
	}
	if err == nil {
		err = p.setOptions()
	}
	if err == nil {
		err = p.ready(ctx)
	}
	if err != nil {
		if p.process != nil {
			p.process.Close("", 0)
		}
		return nil, err
	}
	return p, nil
}

// passed takes the lines "info", which come in the hundreds and of which only
// the last with a score is wanted.
func (p *player) passed(l process.Line) bool {
	if !strings.HasPrefix(l.Text, "info ") {
		return false
	}
	if strings.Contains(l.Text, " score ") {
		p.mu.Lock()
		p.info = l.Text
		p.mu.Unlock()
	}
	return true
}

// takeInfo gives the last line with a score and forgets it.
func (p *player) takeInfo() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.info
	p.info = ""
	return text
}

func (p *player) send(lines ...string) error {
	_, err := p.process.Send(lines...)
	return faultOf(err)
}

// await reads lines until one that is wanted.
func (p *player) await(ctx context.Context, what string, timeout time.Duration, wanted func(string) bool) (string, error) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	for {
		line, err := p.process.Next(timer.C, ctx.Done())
		switch {
		case errors.Is(err, process.ErrTimeout) && ctx.Err() != nil:
			return "", ctx.Err()
		case errors.Is(err, process.ErrTimeout):
			return "", &fault{reason: ReasonHang, detail: fmt.Sprintf("no %q within %v", what, timeout)}
		case err != nil:
			return "", faultOf(err)
		case wanted(line.Text):
			return line.Text, nil
		}
	}
}

func (p *player) handshake(ctx context.Context, protocol string, timeout time.Duration) error {
	if err := p.send(protocol); err != nil {
		return err
	}
	p.options, p.types = map[string]string{}, map[string]string{}
	_, err := p.await(ctx, protocol+"ok", timeout, func(line string) bool {
		if rest, ok := strings.CutPrefix(line, "option name "); ok {
			name, declared, _ := strings.Cut(rest, " type ")
			p.options[strings.ToLower(name)], p.types[strings.ToLower(name)] = name, declared
		}
		return strings.TrimSpace(line) == protocol+"ok"
	})
	return err
}

// UnknownOptionError is of an option that an engine does not declare.
type UnknownOptionError struct{ Engine, Option, Nearest string }

func (e *UnknownOptionError) Error() string {
	text := fmt.Sprintf("engine %q has no option %q", e.Engine, e.Option)
	if e.Nearest != "" {
		text += fmt.Sprintf(", did you mean %q?", e.Nearest)
	}
	return text
}

// option is an option as the engine spells it.
func (p *player) option(name string) (string, error) {
	if own, ok := p.options[strings.ToLower(name)]; ok {
		return own, nil
	}
	e := &UnknownOptionError{Engine: p.spec.Name, Option: name}
	if known := slices.Sorted(maps.Values(p.options)); len(known) > 0 {
		e.Nearest = movegen.Nearest(name, known)
	}
	return "", e
}

// OptionValueError is of a value that an option, as declared, does not take.
type OptionValueError struct{ Engine, Option, Value, Want string }

func (e *OptionValueError) Error() string {
	return fmt.Sprintf("engine %q: option %s %q: want %s", e.Engine, e.Option, e.Value, e.Want)
}

// checkValue looks whether a declaration, the words behind "type", allows a
// value. It gives what would be right, or nothing where the value is, or where
// the declaration says too little to know.
func checkValue(declared, value string) (want string) {
	words := strings.Fields(declared)
	if len(words) == 0 {
		return ""
	}
	switch words[0] {
	case "spin":
		n, err := strconv.ParseInt(value, 10, 64)
		wrong := err != nil
		want = "a whole number"
		for i, w := range words[:len(words)-1] {
			bound, err := strconv.ParseInt(words[i+1], 10, 64)
			switch {
			case err != nil:
			case w == "min":
				want += fmt.Sprintf(" from %d", bound)
				wrong = wrong || n < bound
			case w == "max":
				want += fmt.Sprintf(" to %d", bound)
				wrong = wrong || n > bound
			}
		}
		if wrong {
			return want
		}
	case "combo":
		choices := strings.Split(" "+strings.Join(words, " "), " var ")[1:]
		for _, c := range choices {
			if strings.EqualFold(c, value) {
				return ""
			}
		}
		return strings.Join(choices, ", ")
	}
	return ""
}

func setOption(name, value string) string {
	if value == "" {
		return "setoption name " + name
	}
	return "setoption name " + name + " value " + value
}

// setOptions sends the options of the configuration, in the order of their
// names.
func (p *player) setOptions() error {
	for _, name := range slices.Sorted(maps.Keys(p.spec.Options)) {
		own, err := p.option(name)
		if err != nil {
			return err
		}
		value := string(p.spec.Options[name])
		// The variant may have switches behind it, which no choice names.
		if want := checkValue(p.types[strings.ToLower(own)], value); want != "" && !strings.EqualFold(own, variantOption) {
			return &OptionValueError{p.spec.Name, own, value, want}
		}
		if err := p.send(setOption(own, value)); err != nil {
			return err
		}
	}
	return nil
}

// setVariant chooses the game, and its rule switches one by one. An engine
// without the option plays one game only, and is left to it.
func (p *player) setVariant(canonical string) error {
	if p.variant == canonical {
		return nil
	}
	for _, o := range RuleOptions(p.variant, canonical) {
		own, err := p.option(o[0])
		if err != nil && o[0] == variantOption {
			continue
		}
		if err != nil {
			return err
		}
		if err := p.send(setOption(own, o[1])); err != nil {
			return err
		}
	}
	p.variant = canonical
	return nil
}

func (p *player) ready(ctx context.Context) error {
	if err := p.send("isready"); err != nil {
		return err
	}
	_, err := p.await(ctx, "readyok", time.Duration(p.spec.Timeout), func(line string) bool {
		return strings.TrimSpace(line) == "readyok"
	})
	return err
}

// newGame tells the engine that another game begins, and waits until it is
// ready for it.
func (p *player) newGame(ctx context.Context, canonical string) error {
	if err := p.setVariant(canonical); err != nil {
		return err
	}
	if err := p.send(p.protocol + "newgame"); err != nil {
		return err
	}
	return p.ready(ctx)
}

// clockWords are the words for the clocks of a side to move and of the other.
func (p *player) clockWords(turn, first movegen.Side) (own, other string) {
	switch {
	case p.protocol == ProtocolUCI:
		return turn.Letter(), turn.Other().Letter()
	case turn == first:
		return "p1", "p2"
	}
	return "p2", "p1"
}

// thought is the answer to "go".
type thought struct {
	move string
	took time.Duration
	late bool // it came after its time, but so did this program
	info string
}

// think asks for a move. The error is a *fault or one of the context.
func (p *player) think(ctx context.Context, position, goLine string, c *clock) (thought, error) {
	p.takeInfo()
	begin, err := p.process.Send(position, goLine)
	if err != nil {
		return thought{}, faultOf(err)
	}
	allowed, timed := c.allowed()
	a := newAlarm(begin.Add(allowed))
	defer a.timer.Stop()
	for {
		line, err := p.process.Next(a.timer.C, ctx.Done())
		switch {
		case errors.Is(err, process.ErrTimeout) && ctx.Err() != nil:
			return thought{}, ctx.Err()
		case errors.Is(err, process.ErrTimeout) && a.final(time.Now()):
			return thought{}, p.tooLong(c, allowed, timed, a)
		case errors.Is(err, process.ErrTimeout):
			continue
		case err != nil:
			return thought{}, faultOf(err)
		}
		words := strings.Fields(line.Text)
		if len(words) == 0 || words[0] != "bestmove" {
			continue
		}
		t := thought{took: max(0, line.At.Sub(begin)), info: p.takeInfo()}
		if t.took > allowed { // and yet the alarm was not final: this program was late too
			t.took, t.late = allowed, true
		}
		if len(words) < 2 {
			return t, &fault{reason: ReasonProtocol, detail: fmt.Sprintf("%q: want a move behind bestmove", line.Text)}
		}
		t.move = words[1]
		return t, nil
	}
}

func (p *player) tooLong(c *clock, allowed time.Duration, timed bool, a *alarm) error {
	if !timed {
		return &fault{reason: ReasonHang, detail: fmt.Sprintf("no answer within the guard time, %v", time.Duration(c.limits.Guard))}
	}
	text := fmt.Sprintf("no answer within %v, the margin included; this program noticed that %v late", allowed, a.last)
	if a.worst > punctual {
		text += fmt.Sprintf(", after it had been late by up to %v and waited longer", a.worst)
	}
	return &fault{reason: ReasonTime, detail: text, late: a.last}
}

// alarm ends the time of a move. A busy machine may let this program wait for a
// processor, and then most likely the engine too: so the alarm is final only
// where this program was punctual, twice in a row. What an engine had written
// in time has been read by then.
type alarm struct {
	timer       *time.Timer
	due         time.Time     // of the next ring
	first       bool          // the last ring was punctual
	last, worst time.Duration // how late it rang
}

const (
	punctual = time.Millisecond     // so late may a ring be (chosen; an idle machine takes a tenth)
	settle   = 2 * time.Millisecond // from a punctual ring to the final one
	patience = time.Second          // after so late a ring nothing can be known, and it is final
)

func newAlarm(due time.Time) *alarm {
	return &alarm{timer: time.NewTimer(time.Until(due)), due: due}
}

// final looks at a ring that was heard at a time. If it is not final, the alarm
// is wound again.
func (a *alarm) final(heard time.Time) bool {
	a.last = heard.Sub(a.due)
	a.worst = max(a.worst, a.last)
	wait := settle
	switch {
	case a.worst > patience, a.first && a.last <= punctual:
		return true
	case a.last <= punctual:
		a.first = true
	default:
		a.first = false
		wait += 2 * a.last
	}
	a.due = heard.Add(wait)
	a.timer.Reset(wait)
	return false
}

// describe reads the last info line into a ply.
func (t *thought) describe(p *Ply) {
	p.MS = float64(t.took.Microseconds()) / 1000
	words := strings.Fields(t.info)
	for i := 1; i+1 < len(words); i++ {
		switch words[i] {
		case "depth":
			p.Depth, _ = strconv.Atoi(words[i+1])
		case "nodes":
			p.Nodes, _ = strconv.ParseUint(words[i+1], 10, 64)
		case "cp":
			if n, err := strconv.Atoi(words[i+1]); err == nil {
				p.CP = &n
			}
		case "mate":
			if p.Mate, _ = strconv.Atoi(words[i+1]); p.Mate == 0 { // mated on the board
				p.Mate = -1
			}
		case "string", "pv":
			return
		}
	}
}

// claim asks a UGI engine how it sees the end of the game, and gives what
// differs from the judge. No answer is one remark a process.
func (p *player) claim(ctx context.Context, position string, want movegen.Outcome, first movegen.Side) (string, error) {
	if p.protocol != ProtocolUGI || p.mute {
		return "", nil
	}
	if err := p.send(position); err != nil {
		return "", err
	}
	var wrong []string
	for _, q := range []struct{ query, want string }{
		{"gameover", strconv.FormatBool(want.Over())},
		{"result", want.Result(first)},
	} {
		if err := p.send("query " + q.query); err != nil {
			return "", err
		}
		line, err := p.await(ctx, "response", time.Duration(p.spec.Timeout), func(line string) bool {
			return strings.HasPrefix(line, "response")
		})
		var f *fault
		if errors.As(err, &f) && f.reason == ReasonHang {
			p.mute = true
			return fmt.Sprintf("no response to %q", "query "+q.query), nil
		}
		if err != nil {
			return "", err
		}
		if got := strings.TrimSpace(strings.TrimPrefix(line, "response")); got != q.want {
			wrong = append(wrong, fmt.Sprintf("%s %q, the judge says %q", q.query, movegen.Shorten(got), q.want))
		}
	}
	return strings.Join(wrong, "; "), nil
}

// transcript are the last lines both ways, with the seconds since a moment.
func (p *player) transcript(since time.Time) []string {
	var lines []string
	for _, l := range p.process.History() {
		arrow := "<"
		if l.Sent {
			arrow = ">"
		}
		lines = append(lines, fmt.Sprintf("%+.6f %s %s", l.At.Sub(since).Seconds(), arrow, movegen.Shorten(l.Text)))
	}
	return lines
}

// gone reports whether the engine cannot play again.
func (p *player) gone() bool {
	select {
	case <-p.process.Ended():
		return true
	default:
		return p.broken
	}
}

// close ends the engine; one at fault is not asked to leave.
func (p *player) close(kill bool) {
	if kill {
		p.process.Close("", 0)
		return
	}
	p.process.Close("quit", quitGrace)
}
