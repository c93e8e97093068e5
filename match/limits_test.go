package match

import (
	"strings"
	"testing"
	"time"
)

func TestTimeControl(t *testing.T) {
	for text, want := range map[string]TimeControl{
		"40/60+0.6": {40, time.Minute, 600 * time.Millisecond},
		"10ms+1ms":  {0, 10 * time.Millisecond, time.Millisecond},
		"5":         {0, 5 * time.Second, 0},
		"1m30s+2s":  {0, 90 * time.Second, 2 * time.Second},
	} {
		var got TimeControl
		if err := got.UnmarshalText([]byte(text)); err != nil || got != want {
			t.Errorf("%q: %v, %v, want %v", text, got, err, want)
		}
		var again TimeControl
		if err := again.UnmarshalText([]byte(got.String())); err != nil || again != want {
			t.Errorf("%q is written %q, which is %v, %v", text, got, again, err)
		}
	}
	for _, text := range []string{"", "0", "-1", "40/", "0/5", "x/5", "5+", "5+x", "5+-1", "1e99", "inf", "nan"} {
		var tc TimeControl
		if err := tc.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), "want [moves/]time[+increment]") {
			t.Errorf("%q: %v, %v", text, tc, err)
		}
	}
}

func limitsOf(t *testing.T, text string) Limits {
	t.Helper()
	var e Engine
	if err := e.ParseEngine(text); err != nil {
		t.Fatal(err)
	}
	return e.over(DefaultConfig().Each).Limits
}

func TestClock(t *testing.T) {
	c := newClock(limitsOf(t, "tc=2/1+0.1,margin=0"))
	for _, step := range []struct{ took, left time.Duration }{
		{300 * time.Millisecond, 800 * time.Millisecond},
		{800 * time.Millisecond, 1100 * time.Millisecond}, // the second move brings another second
		{100 * time.Millisecond, 1100 * time.Millisecond},
	} {
		if most, timed := c.allowed(); !timed || most != c.left {
			t.Errorf("allowed %v, want %v", most, c.left)
		}
		c.spend(step.took)
		if c.left != step.left {
			t.Errorf("left %v, want %v", c.left, step.left)
		}
	}
	for text, want := range map[string]time.Duration{
		"tc=1,margin=50ms":                        1050 * time.Millisecond,
		"tc=10,movetime=100ms,margin=20":          120 * time.Millisecond,
		"tc=0.05,movetime=100ms,margin=20":        70 * time.Millisecond,
		"nodes=5,guard=3s":                        3 * time.Second,
		"depth=5":                                 time.Minute,
		"nodes=5,movetime=1s,guard=3s,margin=0ms": time.Second,
	} {
		c := newClock(limitsOf(t, text))
		if most, timed := c.allowed(); most != want || timed != (strings.Contains(text, "time=") || strings.Contains(text, "tc=")) {
			t.Errorf("%s: allowed %v, %v, want %v", text, most, timed, want)
		}
	}
}

func TestGoLine(t *testing.T) {
	for _, c := range []struct{ own, other, want string }{
		{"tc=1+0.01", "tc=2", "go p1time 1000 p2time 2000 p1inc 10 p2inc 0"},
		{"tc=40/1", "nodes=5", "go p1time 1000 p2time 1000 p1inc 0 p2inc 0 movestogo 40"},
		{"movetime=50ms,nodes=7", "tc=2", "go movetime 50 nodes 7"},
		{"depth=3", "depth=4", "go depth 3"},
		{"tc=1,depth=9,nodes=8,movetime=5", "tc=1", "go p1time 1000 p2time 1000 p1inc 0 p2inc 0 movetime 5 nodes 8 depth 9"},
	} {
		own, other := newClock(limitsOf(t, c.own)), newClock(limitsOf(t, c.other))
		if got := goLine(&own, &other, "p1", "p2"); got != c.want {
			t.Errorf("%s against %s: %q, want %q", c.own, c.other, got, c.want)
		}
	}
}

// TestLimitsOver: an engine with a limit of its own has no other.
func TestLimitsOver(t *testing.T) {
	base := limitsOf(t, "tc=1+1,depth=4,margin=5ms,guard=9s")
	if got := limitsOf(t, "nodes=5").over(base); got.TC != (TimeControl{}) || got.Depth != 0 || got.Nodes != 5 {
		t.Errorf("got %v", got)
	}
	if got := (Limits{}).over(base); got.TC != base.TC || got.Depth != 4 || *got.Margin != Duration(5*time.Millisecond) || got.Guard != base.Guard {
		t.Errorf("got %v", got)
	}
}

// TestAlarm: it is final after two punctual rings in a row, and not before.
func TestAlarm(t *testing.T) {
	for _, c := range []struct {
		name string
		late []int // milliseconds, ring by ring
		want int   // the ring that is final; 0: none of them
	}{
		{"punctual", []int{0, 0}, 2},
		{"late once", []int{5, 0, 0}, 3},
		{"late, punctual, late", []int{5, 0, 9, 1}, 0},
		{"always late", []int{5, 5, 5, 5, 5}, 0},
		{"asleep", []int{2000}, 1},
	} {
		now := time.Now()
		a := newAlarm(now)
		got := 0
		for i, ms := range c.late {
			if got == 0 && a.final(a.due.Add(time.Duration(ms)*time.Millisecond)) {
				got = i + 1
			}
		}
		a.timer.Stop()
		if got != c.want {
			t.Errorf("%s: ring %d was final, want %d", c.name, got, c.want)
		}
	}
}

// TestAlarmRings: a late ring winds it for more than twice as long as it was
// late.
func TestAlarmRings(t *testing.T) {
	a := newAlarm(time.Now())
	<-a.timer.C
	begin := time.Now()
	if a.final(a.due.Add(20 * time.Millisecond)) {
		t.Fatal("it is final at once")
	}
	<-a.timer.C
	if waited := time.Since(begin); waited < 42*time.Millisecond {
		t.Errorf("waited %v, want 42ms", waited)
	}
}
