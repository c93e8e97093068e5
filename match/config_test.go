package match

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestExample: the example can be read, and shows every key.
func TestExample(t *testing.T) {
	path := filepath.Join(t.TempDir(), "example.toml")
	if err := os.WriteFile(path, []byte(Example), 0o600); err != nil {
		t.Fatal(err)
	}
	c := DefaultConfig()
	if err := c.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	if err := c.Complete(); err != nil {
		t.Fatal(err)
	}
	if c.Engines[0].Options["Hash"] != "64" || c.Engines[1].TC.Increment != 10*time.Millisecond || c.Resign.Moves != 4 {
		t.Errorf("%+v", c)
	}

	// The lines that are commented out can be read too.
	whole := regexp.MustCompile(`(?m)^# ([a-z0-9]+ *=|\[sprt\])`).ReplaceAllString(Example, "$1")
	if err := os.WriteFile(path, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	c = DefaultConfig()
	if err := c.ReadFile(path); err != nil {
		t.Fatalf("%v\n%s", err, whole)
	}
	if c.SPRT == nil || c.Each.Nodes != 10000 || c.Each.MoveTime == 0 || c.Record == "" || c.Openings.Order != OrderSequential {
		t.Errorf("%+v", c)
	}
}

func TestConfigRefuses(t *testing.T) {
	for _, c := range []struct {
		name, file, want string
	}{
		{"unknown key", "rounds = 2\nround = 3", `line 2: unknown key "round"`},
		{"unknown engine key", "[[engine]]\nnam = 'a'", `line 2: unknown key "engine.nam"`},
		{"wrong type", "rounds = 'two'", "line 1, column 10"},
		{"bad clock", "[each]\ntc = '5+x'", `tc "5+x"`},
		{"one engine", "[[engine]]\ncmd='a'", "1 engines: want two or more"},
		{"no limit", "[[engine]]\ncmd='a'\n[[engine]]\ncmd='b'", "engine 1: no limit"},
		{"no command", "[each]\nnodes=1\n[[engine]]\nname='a'\n[[engine]]\nname='b'", "engine 1: no cmd"},
		{"same name", "[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]", `engine 2: name "x": another one has it too`},
		{"protocol", "[each]\nnodes=1\ncmd='x'\nprotocol='usi'\n[[engine]]\n[[engine]]\nname='y'", `protocol "usi": want ugi, uci, auto`},
		{"kind", "kind='league'\n[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'", `kind "league": want`},
		{"variant", "variants=['chess']\n[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'", `unknown variant "chess"`},
		{"switch", "variants=['quirkat Hufing=on']\n[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'", `no rule switch "Hufing=on"`},
		{"vela", "vela=true\nvariants=['quirkat']\n[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'", "vela: the variant is quirkat, want fanorona alone"},
		{"points", "points=true\nvariants=['fanorona']\n[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'", "points: fanorona has no match points"},
		{"sprt", "[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'\n[sprt]\nelo0=5.0", "elo0 5, elo1 0: want elo0 below elo1"},
		{"rounds", "rounds=0\n[each]\nnodes=1\ncmd='x'\n[[engine]]\n[[engine]]\nname='y'", "rounds 0: want a whole number from 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "c.toml")
			if err := os.WriteFile(path, []byte(c.file), 0o600); err != nil {
				t.Fatal(err)
			}
			read := DefaultConfig()
			err := read.ReadFile(path)
			if err == nil {
				err = read.Complete()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("got %v, want one line with %q", err, c.want)
			}
		})
	}
}

func TestParseEngine(t *testing.T) {
	var e Engine
	if err := e.ParseEngine(`name=a,cmd=./x,arg=--variant,arg=a\,b,option.Hash=64,option.Clear Hash=,tc=10+0.1,env=A=b`); err != nil {
		t.Fatal(err)
	}
	if e.Args[1] != "a,b" || e.Options["Hash"] != "64" || e.Env[0] != "A=b" || e.TC.Time != 10*time.Second {
		t.Errorf("%+v", e)
	}
	for text, want := range map[string]string{
		"a":        `"a": want key=value with name, cmd`,
		"nam=a":    `unknown key "nam"`,
		"nodes=0":  `nodes "0": want a whole number from 1`,
		"depth=x":  `depth "x": want a whole number from 1`,
		"margin=x": `time "x"`,
		"tc=x":     `tc "x"`,
	} {
		if err := new(Engine).ParseEngine(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
