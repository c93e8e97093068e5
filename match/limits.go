package match

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration is a time in a file or on a command line: a number with a unit, as
// in "1.5s", or of milliseconds.
type Duration time.Duration

// UnmarshalText reads a duration of 0 or more.
func (d *Duration) UnmarshalText(text []byte) error {
	v, err := parseDuration(string(text), time.Millisecond)
	*d = Duration(v)
	return err
}

// MarshalText writes it with its unit.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// parseDuration reads a time with a unit, or a number of units.
func parseDuration(text string, unit time.Duration) (time.Duration, error) {
	v, err := time.ParseDuration(text)
	if n, plain := strconv.ParseFloat(text, 64); plain == nil {
		v, err = time.Duration(n*float64(unit)), nil
		if n > 1e9 { // of seconds: 30 years
			err = errors.New("too long")
		}
	}
	if err != nil || v < 0 {
		return 0, fmt.Errorf("time %q: want a time such as 100ms, 2s or 1m30s", text)
	}
	return v, nil
}

// TimeControl is a clock: Time for Moves moves (0: for the whole game), and an
// Increment after each move. The zero value is none.
type TimeControl struct {
	Moves           int
	Time, Increment time.Duration
}

// UnmarshalText reads moves/time+increment, where moves/ and +increment may be
// left out. Times are in seconds or have a unit: "40/60+0.6", "10ms+1ms".
func (c *TimeControl) UnmarshalText(text []byte) error {
	wrong := func(why string) error {
		return fmt.Errorf("tc %q: %s, want [moves/]time[+increment] in seconds or with units, such as 40/60+0.6 or 10ms+1ms", text, why)
	}
	var read TimeControl
	rest := string(text)
	if moves, after, found := strings.Cut(rest, "/"); found {
		n, err := strconv.Atoi(moves)
		if err != nil || n < 1 {
			return wrong("moves " + strconv.Quote(moves))
		}
		read.Moves, rest = n, after
	}
	base, increment, found := strings.Cut(rest, "+")
	var err error
	if read.Time, err = parseDuration(base, time.Second); err != nil || read.Time <= 0 {
		return wrong("time " + strconv.Quote(base))
	}
	if found {
		if read.Increment, err = parseDuration(increment, time.Second); err != nil {
			return wrong("increment " + strconv.Quote(increment))
		}
	}
	*c = read
	return nil
}

// MarshalText writes it as UnmarshalText reads it, in seconds.
func (c TimeControl) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

func (c TimeControl) String() string {
	if c == (TimeControl{}) {
		return ""
	}
	text := seconds(c.Time)
	if c.Moves > 0 {
		text = strconv.Itoa(c.Moves) + "/" + text
	}
	if c.Increment > 0 {
		text += "+" + seconds(c.Increment)
	}
	return text
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

// Limits say how long an engine may think. Those that are set hold together.
type Limits struct {
	TC       TimeControl `toml:"tc" json:"tc,omitzero"`
	MoveTime Duration    `toml:"movetime" json:"movetime,omitzero"`
	Nodes    uint64      `toml:"nodes" json:"nodes,omitzero"`
	Depth    int         `toml:"depth" json:"depth,omitzero"` // plies
	// Margin is how much longer than allowed a move may take before it loses.
	Margin *Duration `toml:"margin" json:"margin,omitempty"`
	// Guard is how long a move may take where no time is limited.
	Guard Duration `toml:"guard" json:"guard,omitzero"`
}

// What holds where nothing else is said (chosen).
const (
	defaultMargin = Duration(20 * time.Millisecond)
	defaultGuard  = Duration(time.Minute)
)

// limited reports whether any limit is set.
func (l *Limits) limited() bool {
	return l.TC != (TimeControl{}) || l.MoveTime > 0 || l.Nodes > 0 || l.Depth > 0
}

// over fills what is not said from other limits. Limits on thinking are taken
// together: who sets one of them has no other.
func (l Limits) over(base Limits) Limits {
	if !l.limited() {
		l.TC, l.MoveTime, l.Nodes, l.Depth = base.TC, base.MoveTime, base.Nodes, base.Depth
	}
	if l.Margin == nil {
		l.Margin = base.Margin
	}
	if l.Guard == 0 {
		l.Guard = base.Guard
	}
	return l
}

// String is the tag TimeControl of a game: the limits, joined by blanks.
func (l Limits) String() string {
	var words []string
	if l.TC != (TimeControl{}) {
		words = append(words, l.TC.String())
	}
	if l.MoveTime > 0 {
		words = append(words, "movetime="+seconds(time.Duration(l.MoveTime)))
	}
	if l.Nodes > 0 {
		words = append(words, fmt.Sprintf("nodes=%d", l.Nodes))
	}
	if l.Depth > 0 {
		words = append(words, fmt.Sprintf("depth=%d", l.Depth))
	}
	return strings.Join(words, " ")
}

// clock is the time that a player has left. It runs from the moment at which
// the line "go" had been written until its answer is read.
type clock struct {
	limits Limits
	left   time.Duration
	moves  int // until the next time control
}

func newClock(l Limits) clock { return clock{limits: l, left: l.TC.Time, moves: l.TC.Moves} }

// allowed is the longest that the next move may take without a loss, the margin
// included; timed is false where that is the guard time.
func (c *clock) allowed() (most time.Duration, timed bool) {
	most = time.Duration(c.limits.Guard)
	margin := time.Duration(*c.limits.Margin)
	if c.limits.TC != (TimeControl{}) {
		most, timed = c.left+margin, true
	}
	if t := time.Duration(c.limits.MoveTime); t > 0 && (!timed || t+margin < most) {
		most, timed = t+margin, true
	}
	return most, timed
}

// spend counts a move that was in time.
func (c *clock) spend(took time.Duration) {
	tc := c.limits.TC
	if tc == (TimeControl{}) {
		return
	}
	c.left = max(0, c.left-took) + tc.Increment
	if tc.Moves > 0 {
		if c.moves--; c.moves == 0 {
			c.left += tc.Time
			c.moves = tc.Moves
		}
	}
}

// goLine is the command that asks the player of a clock for a move. The words
// for its clock and for the opponent's, in this order, depend on the protocol.
func goLine(own, other *clock, ownWord, otherWord string) string {
	text := []byte("go")
	word := func(name string, n int64) {
		text = append(append(append(append(text, ' '), name...), ' '), strconv.FormatInt(n, 10)...)
	}
	if tc := own.limits.TC; tc != (TimeControl{}) {
		word(ownWord+"time", own.left.Milliseconds())
		if other.limits.TC != (TimeControl{}) {
			word(otherWord+"time", other.left.Milliseconds())
		} else { // a front end would show none; some engines want one
			word(otherWord+"time", own.left.Milliseconds())
		}
		word(ownWord+"inc", tc.Increment.Milliseconds())
		word(otherWord+"inc", other.limits.TC.Increment.Milliseconds())
		if tc.Moves > 0 {
			word("movestogo", int64(own.moves))
		}
	}
	if t := own.limits.MoveTime; t > 0 {
		word("movetime", time.Duration(t).Milliseconds())
	}
	if own.limits.Nodes > 0 {
		word("nodes", int64(own.limits.Nodes))
	}
	if own.limits.Depth > 0 {
		word("depth", int64(own.limits.Depth))
	}
	return string(text)
}
