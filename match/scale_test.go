//go:build unix

package match

import (
	"flag"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"qirkat/match/internal/fake"
	"qirkat/match/process"
)

// TestScale with -timed 10000 is the full run: it takes half an hour or so.
var timedGames = flag.Int("timed", 2, "games of TestScale at 10 ms and 1 ms a move")

// processorTime is what this program has used, and its children that ended.
func processorTime(t *testing.T, who int) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(who, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestScale tells the games a second at tiny limits, and the share of the
// processor that the runner takes of all; the share is bounded at 10 ms a move.
// At 10 ms and 1 ms a move, no well-behaved engine loses a game where this
// program was late; it may where it got no processor.
func TestScale(t *testing.T) {
	if testing.Short() {
		t.Skip("measures speed")
	}
	games, timed := 10, *timedGames
	if *long {
		games, timed = 1000, max(timed, 100)
	}
	for _, c := range []struct {
		limits string
		games  int
		most   float64 // share of the runner
	}{
		{"nodes=100", games, 1},
		{"movetime=10ms", timed, 0.10},
		{"tc=10ms+1ms,margin=20ms,option.Move Overhead=0", timed, 1},
	} {
		t.Run(c.limits, func(t *testing.T) {
			config := config(t, func(config *Config) {
				config.Rounds, config.Openings.Plies, config.Concurrency = c.games/2, 2, 2
			}, testEngine(t, fake.Ours, "a", c.limits+",option.Hash=1"), testEngine(t, fake.Ours, "b", c.limits+",option.Hash=1"))
			launcher, err := process.NewLauncher()
			if err != nil {
				t.Fatal(err)
			}
			defer launcher.Close()
			r := &Runner{Config: config, Schedule: NewSchedule(config)}
			for range config.Concurrency {
				r.Workers = append(r.Workers, NewLocal(launcher, nil, ""))
			}
			plies, late := 0, 0
			r.OnEvent = func(e Event) {
				switch e.Event {
				case EventGame:
					plies += len(e.Record.Plies)
					late += e.Record.Late
				case EventFault:
					f := e.Record.Fault
					if f.Reason != ReasonTime || time.Duration(f.Late) > punctual {
						t.Error(FaultReport(*e.Record))
					}
					t.Logf("%s of %s: %s", f.Reason, f.Engine, f.Detail)
				}
			}
			self, children := processorTime(t, unix.RUSAGE_SELF), processorTime(t, unix.RUSAGE_CHILDREN)
			begin := time.Now()
			finished, err := r.Run(t.Context(), nil)
			took := time.Since(begin)
			for _, w := range r.Workers {
				w.Close()
			}
			self, children = processorTime(t, unix.RUSAGE_SELF)-self, processorTime(t, unix.RUSAGE_CHILDREN)-children
			if !finished || err != nil {
				t.Fatal(finished, err)
			}
			share := float64(self) / float64(self+children)
			t.Logf("%.1f games a second, %.0f moves a second, the runner has %.1f %% of the processor time, %d moves excused; ended by %v",
				float64(c.games)/took.Seconds(), float64(plies)/took.Seconds(), 100*share, late, r.Schedule.Standings().Reasons())
			if *long && share > c.most { // few games are mostly the start of processes
				t.Errorf("the runner has %.1f %% of the processor time, want at most %.0f %%", 100*share, 100*c.most)
			}
		})
	}
}
