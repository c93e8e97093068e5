package match

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"qirkat/match/internal/fake"
	"qirkat/match/process"
)

var long = flag.Bool("long", false, "run what takes minutes")

// TestMain makes this program an engine or a tournament when it is asked to be
// one.
func TestMain(m *testing.M) {
	if fake.Run() {
		return
	}
	if folder := os.Getenv(tournamentVariable); folder != "" {
		runTournament(folder)
	}
	// Most of the time is spent waiting for engines that do not answer.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// testEngine is this program as an engine.
func testEngine(t testing.TB, kind, name, limits string) Engine {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	e := Engine{Name: name, Command: self, Env: []string{fake.Variable + "=" + kind}}
	if err := e.ParseEngine(limits); err != nil {
		t.Fatal(err)
	}
	return e
}

// config is a tournament of engines, complete.
func config(t testing.TB, change func(*Config), engines ...Engine) *Config {
	t.Helper()
	c := DefaultConfig()
	c.Engines = engines
	c.Each.Timeout = Duration(20 * time.Second)
	if change != nil {
		change(c)
	}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	if err := c.loadOpenings(t.Context()); err != nil {
		t.Fatal(err)
	}
	return c
}

// local is a worker on this machine.
func local(t testing.TB) *Local {
	t.Helper()
	launcher, err := process.NewLauncher()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(launcher.Close)
	l := NewLocal(launcher, nil, "")
	t.Cleanup(l.Close)
	return l
}

// play plays all games of a schedule on one worker.
func play(t testing.TB, c *Config) []Record {
	t.Helper()
	l := local(t)
	s := NewSchedule(c)
	var records []Record
	for job, ok := s.Next(); ok; job, ok = s.Next() {
		r, err := l.Play(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Add(r); err != nil {
			t.Fatal(err)
		}
		records = append(records, r)
	}
	return records
}

// TestFaults: every broken engine loses the game with the right reason, against
// an honest one and within seconds, and the worker plays on.
func TestFaults(t *testing.T) {
	want := map[string]string{
		"mute": ReasonHang, "stillborn": ReasonCrash, "hang": ReasonHang, "deaf": ReasonHang, "crash": ReasonCrash,
		"illegal": ReasonIllegal, "empty": ReasonProtocol, "claim": ReasonIllegal, "flood": ReasonHang,
		"endless-line": ReasonProtocol, "no-newline": ReasonHang, "slow": ReasonTime, "wrong-rules": ReasonIllegal,
		"forker": ReasonCrash,
		// These play well, and have their fault elsewhere.
		"liar": "", "no-query": "", "no-stop": "", "busy": "", "chatty-stop": "", "no-eof": "", "immortal": "", "no-cr": "",
		"short-line": "", "last-word": "", "over-illegal": "", "one-word": "", "bad-option": "",
	}
	for name, what := range fake.Broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reason, known := want[name]
			if !known {
				t.Fatal("no expectation")
			}
			limits := "protocol=ugi,nodes=1"
			switch name {
			case "slow":
				limits = "protocol=ugi,movetime=30ms"
			case "hang", "deaf", "flood", "no-newline", "endless-line":
				limits += ",guard=1s"
			case "mute", "no-query":
				limits += ",timeout=1s"
			}
			broken := testEngine(t, name, "broken", limits)
			c := config(t, nil, broken, testEngine(t, fake.Honest, "honest", "nodes=1"))
			begin := time.Now()
			records := play(t, c)
			if took := time.Since(begin); took > 30*time.Second {
				t.Errorf("took %v", took)
			}
			faults := 0
			for _, r := range records {
				if r.Fault == nil {
					continue
				}
				faults++
				player := r.Fault.Player - 1
				if r.Fault.Engine != "broken" || r.Players[player] != "broken" {
					t.Errorf("the fault is of %s:\n%s", r.Fault.Engine, FaultReport(r))
				}
				// Which comes first, the bound of the output or of the time,
				// depends on how busy the machine is.
				either := (name == "endless-line" || name == "flood") && (r.Reason == ReasonHang || r.Reason == ReasonProtocol)
				if r.Result != lostBy(player) || r.Reason != reason && !either {
					t.Errorf("it %s: %s, %s, want a loss by %q\n%s", what, r.Result, r.Reason, reason, FaultReport(r))
				}
				if r.Points[player] >= -2 || r.Points[1-player] != 0 {
					t.Errorf("match points %v, player %d is at fault", r.Points, player+1)
				}
			}
			if (faults > 0) != (reason != "") {
				t.Errorf("it %s: %d faults in %d games", what, faults, len(records))
			}
			claims := 0
			for _, r := range records {
				for _, n := range r.Claims {
					if n.Engine != "broken" {
						t.Errorf("%v", n)
					}
					claims++
				}
			}
			if (name == "liar" || name == "no-query") != (claims > 0) {
				t.Errorf("%d claims", claims)
			}
		})
	}
}

// TestNoChildIsLeft: a process that a broken engine started ends too.
func TestNoChildIsLeft(t *testing.T) {
	if _, err := os.Stat("/proc/self/environ"); err != nil {
		t.Skip("no /proc")
	}
	mark := "QIRKAT_TEST_MARK=" + t.TempDir()
	for _, name := range []string{"forker", "immortal", "deaf"} {
		e := testEngine(t, name, name, "nodes=1,guard=1s,env="+mark)
		func() {
			launcher, err := process.NewLauncher()
			if err != nil {
				t.Fatal(err)
			}
			defer launcher.Close()
			l := NewLocal(launcher, nil, "")
			defer l.Close()
			s := NewSchedule(config(t, nil, e, testEngine(t, fake.Honest, "honest", "nodes=1,env="+mark)))
			job, _ := s.Next()
			if _, err := l.Play(t.Context(), job); err != nil {
				t.Fatal(err)
			}
		}()
		if left := processesWith(t, mark); len(left) > 0 {
			t.Errorf("%s: processes %v are left", name, left)
		}
	}
}

// processesWith are those that have a word in their environment.
func processesWith(t testing.TB, word string) []string {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/environ")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range list {
		if text, err := os.ReadFile(path); err == nil && strings.Contains(string(text), word) {
			found = append(found, filepath.Base(filepath.Dir(path)))
		}
	}
	return found
}

// TestEngines plays whole games of every variant with ours, over UGI and UCI.
func TestEngines(t *testing.T) {
	c := config(t, func(c *Config) {
		c.Variants = []string{"alquerque", "quirkat Huffing=off", "quirkat", "fanorona-dimy", "fanorona-vela", "al-manqala SkipOrigin=on"}
		c.Openings.Plies = 1
	}, testEngine(t, fake.Ours, "ugi", "nodes=50,protocol=ugi,option.Hash=1"), testEngine(t, fake.Ours, "uci", "nodes=50,protocol=uci,option.Hash=1"))
	for _, r := range play(t, c) {
		if r.Fault != nil || r.Claims != nil || r.Result == Unfinished {
			t.Errorf("%+v", r)
		}
		for _, p := range r.Plies {
			if p.Depth == 0 || p.Nodes == 0 || p.CP == nil && p.Mate == 0 {
				t.Fatalf("game %s: %+v has no score", r.ID, p)
			}
		}
	}
}

// TestAuto: an engine that does not know UGI is asked in UCI.
func TestAuto(t *testing.T) {
	c := config(t, nil, testEngine(t, fake.UCI, "uci", "nodes=1,timeout=300ms"), testEngine(t, fake.Honest, "ugi", "nodes=1"))
	for _, r := range play(t, c) {
		if r.Fault != nil {
			t.Error(FaultReport(r))
		}
	}
}

// TestTry: what is wrong with an engine is found before the first game.
func TestTry(t *testing.T) {
	for _, c := range []struct{ name, kind, more, want string }{
		{"command", fake.Honest, "cmd=/no/such/engine", `engine "e": crash: it cannot be started: `},
		{"option", fake.Ours, "option.Hsh=1", `engine "e" has no option "Hsh", did you mean "Hash"?`},
		{"switch", fake.Honest, "", `engine "e" has no option "Huffing", did you mean "UCI_Variant"?`},
		{"silent", "mute", "timeout=200ms", `engine "e": hang: no "uciok" within 200ms`},
		{"good", fake.Ours, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := testEngine(t, c.kind, "e", "nodes=1,"+strings.TrimPrefix(c.more+",", ",")+"protocol=auto")
			complete := config(t, nil, e, testEngine(t, fake.Honest, "f", "nodes=1"))
			err := local(t).Try(t.Context(), complete.Engines[0], []string{"quirkat Huffing=off"})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestCheckValue: values that a declaration does not allow are told apart.
func TestCheckValue(t *testing.T) {
	const spin, combo = "spin default 16 min 1 max 64", "combo default a var a var B c"
	for _, c := range []struct{ declared, value, want string }{
		{spin, "1", ""}, {spin, "64", ""}, {"spin default 3", "-5", ""},
		{spin, "0", "a whole number from 1 to 64"}, {spin, "65", "a whole number from 1 to 64"},
		{spin, "abc", "a whole number from 1 to 64"}, {spin, "", "a whole number from 1 to 64"},
		{combo, "b C", ""}, {combo, "c", "a, B c"}, {"combo default x", "x", ""},
		{"string default", "any", ""}, {"", "any", ""},
	} {
		if got := checkValue(c.declared, c.value); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.declared, c.value, got, c.want)
		}
	}
}

// TestCancel: a game that is given up leaves no record, and soon.
func TestCancel(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	c := config(t, nil, testEngine(t, "hang", "a", "nodes=1"), testEngine(t, fake.Honest, "b", "nodes=1"))
	job, _ := NewSchedule(c).Next()
	begin := time.Now()
	if r, err := local(t).Play(ctx, job); err == nil {
		t.Errorf("got a record: %+v", r)
	}
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("took %v", took)
	}
}
