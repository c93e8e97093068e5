package movegen

import "testing"

// The result is the first player's, who need not be White; the reasons are the
// words of section 5.
func TestResult(t *testing.T) {
	for _, c := range []struct {
		outcome Outcome
		first   Side
		result  string
		reason  string
	}{
		{Outcome{}, White, "none", "none"},
		{Win(White, Captured), White, "p1win", "captured"},
		{Win(White, Captured), Black, "p2win", "captured"},
		{Win(Black, DoubleBlock), White, "p2win", "double-block"},
		{Win(Black, Blocked), Black, "p1win", "blocked"},
		{Draw(Repetition), White, "draw", "repetition"},
		{Draw(Quiet), Black, "draw", "quiet"},
		{Win(White, Majority), White, "p1win", "majority"},
		{Draw(Empty), White, "draw", "empty"},
		{Win(Black, Starved), White, "p2win", "starved"},
		{Draw(Cycle), White, "draw", "cycle"},
		{Win(Black, Illegal), White, "p2win", "illegal"},
	} {
		if got := c.outcome.Result(c.first); got != c.result || c.outcome.Reason.String() != c.reason {
			t.Errorf("%+v, first %s: %s %s, want %s %s", c.outcome, c.first, got, c.outcome.Reason, c.result, c.reason)
		}
		if c.outcome.Over() != (c.result != "none") {
			t.Errorf("%+v: Over() = %v", c.outcome, c.outcome.Over())
		}
	}
}
