package match

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"qirkat/movegen"
)

// FuzzPGN: whatever is in a file, reading it ends, and what is read of a game
// that holds can be written and read again.
func FuzzPGN(f *testing.F) {
	f.Add(managerPGN, "quirkat")
	f.Add("[White \"a\"]\n[Black \"b\"]\n[Result \"*\"]\n[GameType \"alquerque\"]\n[FirstPlayer \"White\"]\n1. c2c3 {+0.10/3 0.1 7} c4c2 *", "")
	f.Add("[Result \"*\"] {", "")
	f.Add("(((", "fanorona")
	f.Fuzz(func(t *testing.T, text, rules string) {
		reader := NewPGNReader(strings.NewReader(text))
		for {
			g, err := reader.Next()
			if err != nil {
				return
			}
			r, err := g.Record(rules)
			if err != nil {
				continue
			}
			if r.Players[0] == r.Players[1] || strings.ContainsAny(strings.Join(r.Players[:], ""), "\r\n") {
				continue
			}
			written, err := FormatPGN(r, "", "")
			if err != nil {
				t.Fatal(err)
			}
			again, err := NewPGNReader(strings.NewReader(written)).Next()
			if err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
			if _, err := again.Record(""); err != nil {
				t.Fatalf("%v\n%s", err, written)
			}
		}
	})
}

// FuzzOpenings: an opening that is read is written as a line that is read so.
func FuzzOpenings(f *testing.F) {
	f.Add("startpos moves c2c3 c4c2", uint8(0))
	f.Add("bbbbb/bb1bb/bb1ww/wwbww/wwwww w - 0 2 moves c1c3", uint8(4))
	f.Fuzz(func(t *testing.T, text string, variant uint8) {
		v := &movegen.Variants[int(variant)%len(movegen.Variants)]
		list, err := ReadOpenings(strings.NewReader(text), v)
		if err != nil {
			return
		}
		for _, o := range list {
			again, err := parseOpening(o.String(), v)
			if err != nil || again.String() != o.String() {
				t.Fatalf("%q is read %q: %v", o, again, err)
			}
		}
	})
}

// FuzzEngine: what is said of an engine survives the record.
func FuzzEngine(f *testing.F) {
	f.Add(`name=a,cmd=./x,arg=a\,b,option.Hash=64,tc=40/10+0.1,margin=5ms`)
	f.Fuzz(func(t *testing.T, text string) {
		var e, again Engine
		if e.ParseEngine(text) != nil {
			return
		}
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(line, &again); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if twice, _ := json.Marshal(again); !bytes.Equal(line, twice) {
			t.Fatalf("%s is read %s", line, twice)
		}
	})
}

// FuzzJournal: no file is too broken to be refused.
func FuzzJournal(f *testing.F) {
	f.Add([]byte(`{"format":"qirkat match","version":1,"config":{}}` + "\n" + `{"id":"1"}` + "\n{"))
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _, whole, err := readJournal(bytes.NewReader(text))
		if err != nil {
			return
		}
		if whole > int64(len(text)) || whole > 0 && text[whole-1] != '\n' {
			t.Fatalf("%d bytes are whole", whole)
		}
		if _, _, _, err := readJournal(bytes.NewReader(text[:whole])); err != nil && !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
	})
}
