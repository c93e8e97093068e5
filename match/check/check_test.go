package check

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"qirkat/match/internal/fake"
)

var long = flag.Bool("long", false, "check our engine in every variant, with more games, and broken ones at every item")

// TestMain makes this program an engine when it is asked to be one.
func TestMain(m *testing.M) {
	if fake.Run() {
		return
	}
	// Most of the time is spent waiting.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// run checks this program as one of the engines for tests.
func run(t *testing.T, kind string, c Config) (failed map[string]string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c.Command, c.Args = self, []string{fake.Argument + kind}
	failed = map[string]string{}
	seen := 0
	passed, err := Run(t.Context(), c, func(r Result) {
		seen++
		if !r.Passed {
			failed[r.Item] = r.Why
		}
		if len(r.Transcript) == 0 {
			t.Errorf("%s: no transcript", r.Item)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if passed != (len(failed) == 0) {
		t.Errorf("passed %v with %d failures", passed, len(failed))
	}
	want := len(items) - 1 // queries are not for UCI
	if len(c.Items) > 0 {
		want = 1 + len(c.Items)
	}
	if seen < want && failed["handshake"] == "" {
		t.Errorf("%d items were checked", seen)
	}
	return failed
}

// quick is enough for a broken engine.
func quick() Config {
	return Config{Protocol: "auto", Variants: []string{"alquerque"}, Games: 1, Timeout: 2 * time.Second, Margin: 150 * time.Millisecond}
}

// TestOurs: our own engine passes, in both protocols.
func TestOurs(t *testing.T) {
	for _, protocol := range []string{"ugi", "uci"} {
		c := Config{Protocol: protocol, Games: 1, Timeout: 10 * time.Second, Margin: 500 * time.Millisecond}
		if *long {
			c.Games = 20
		} else {
			c.Variants = []string{"alquerque", "quirkat Huffing=off", "quirkat", "fanorona-dimy", "al-manqala"}
		}
		if failed := run(t, fake.Ours, c); len(failed) > 0 {
			t.Errorf("%s: %v", protocol, failed)
		}
	}
}

func TestHonest(t *testing.T) {
	for _, kind := range []string{fake.Honest, fake.UCI} {
		c := quick()
		c.Timeout = 2 * time.Second
		if failed := run(t, kind, c); len(failed) > 0 {
			t.Errorf("%s: %v", kind, failed)
		}
	}
}

// TestBroken: every broken engine is caught, at the item that asks for what it
// cannot do.
func TestBroken(t *testing.T) {
	caughtBy := map[string]string{
		"mute": "handshake", "stillborn": "handshake", "bad-option": "options",
		"hang": "search", "deaf": "search", "crash": "search", "illegal": "search", "empty": "search", "claim": "search",
		"flood": "search", "endless-line": "search", "no-newline": "search", "forker": "search", "one-word": "search",
		"slow": "movetime", "busy": "ready-in-search", "no-stop": "stop", "chatty-stop": "stop-idle",
		"no-cr": "carriage-return", "short-line": "long-line", "last-word": "game-over", "over-illegal": "illegal-history",
		"wrong-rules": "games", "liar": "queries", "no-query": "queries", "immortal": "quit", "no-eof": "end-of-input",
	}
	for name, what := range fake.Broken {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			item := caughtBy[name]
			if item == "" {
				t.Fatal("no expectation")
			}
			c := quick()
			if !*long && item != "handshake" {
				c.Items = []string{item}
			}
			failed := run(t, name, c)
			if _, caught := failed[item]; !caught {
				t.Errorf("it %s, and passes %q; it fails %v", what, item, failed)
			}
			// One fault must not spoil what has nothing to do with it.
			if spoilt := len(failed); spoilt > 9 {
				t.Errorf("%d items fail: %v", spoilt, failed)
			}
		})
	}
}

func TestCheckOption(t *testing.T) {
	for line, good := range map[string]bool{
		"option name Hash type spin default 16 min 1 max 65536": true,
		"option name Clear Hash type button":                    true,
		"option name A type combo default x y var x y var z":    true,
		"option name File type string default <empty>":          true,
		"option name Ponder type check default false":           true,
		"option name Hash type spin default 0 min 1 max 65536":  false,
		"option name Hash type spin default 1 min 1":            false,
		"option name A type combo default x var y":              false,
		"option name A type combo default x":                    false,
		"option name A":                                         false,
		"option name A type number default 3":                   false,
		"option name B type check default no":                   false,
		"option name C type string":                             false,
		"option Hash type button":                               false,
	} {
		if err := checkOption(line); (err == nil) != good {
			t.Errorf("%q: %v", line, err)
		}
	}
}

// TestItems: names are single words, and docs/match.md explains each.
func TestItems(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "match.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, i := range Items() {
		if strings.ContainsAny(i[0], " \t") || slices.Contains(names, i[0]) {
			t.Errorf("item %q", i[0])
		}
		names = append(names, i[0])
		if !strings.Contains(string(text), "| `"+i[0]+"` | "+i[1]+" |") {
			t.Errorf("docs/match.md: item %q is missing", i[0])
		}
	}
}

func TestPrint(t *testing.T) {
	var out bytes.Buffer
	Print(&out, Result{Item: "stop", What: "it stops", Passed: true, Transcript: []string{"a"}}, false)
	Print(&out, Result{Item: "quit", What: "it ends", Why: "it stays", Transcript: []string{"b"}}, false)
	Print(&out, Result{Item: "stop", What: "it stops", Passed: true, Transcript: []string{"c"}}, true)
	want := "pass  stop: it stops\nFAIL  quit: it ends\n      it stays\n      b\npass  stop: it stops\n      c\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", &out, want)
	}
}
