package main

import (
	"bytes"
	"errors"
	"regexp"
	"testing"
)

// TestProtocolBench: the command of the protocol takes the same words and
// refuses the same ones.
func TestProtocolBench(t *testing.T) {
	var out, lines bytes.Buffer
	if err := protocolBench(&out, &lines, []string{"--variant", "fanorona-telo", "--depth", "2"}); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^Nodes searched  : \d+\n\d+ nodes \d+ nps\n$`).MatchString(out.String()) {
		t.Errorf("printed %q", &out)
	}
	if n := bytes.Count(lines.Bytes(), []byte(" fanorona-telo ")); n < 8 {
		t.Errorf("%d lines of positions, want 8:\n%s", n, &lines)
	}

	err := protocolBench(&out, &lines, []string{"--dpth", "2"})
	var use *usageError
	if want := "unknown flag --dpth, did you mean --depth?"; !errors.As(err, &use) || err.Error() != want {
		t.Errorf("got the error %v, want %q", err, want)
	}
}
