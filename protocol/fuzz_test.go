package protocol

import (
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"qirkat/movegen"
)

// touchesWorld finds lines that would open files or take much memory.
var touchesWorld = regexp.MustCompile(`(?i)file|hash[^\n]*[0-9]{3}`)

// FuzzLine throws lines at a server: it must not panic, hang or print a line
// that is none.
func FuzzLine(f *testing.F) {
	for _, seed := range []string{
		"uci\nisready\nucinewgame\nposition startpos moves c2c3 c4c2\ngo depth 2\nquery fen",
		"ugi\nsetoption name UCI_Variant value quirkat\nposition fen 5/5/1b1b1/1w3/5 w - 0 1\nquery legalmoves\nd\neval",
		"setoption name uci_variant value fanorona-vela\nposition startpos moves a1 0000\ngo perft 2\nstop\nperft 1",
		"setoption name UCI_Variant value al-manqala\nsetoption name SkipOrigin value TRUE\nmoves 1 g2\nquery points\nquery key",
		"setoption name UCI_Variant value alquerque-bell\nsetoption name MultiPiece value on\ngo nodes 200 searchmoves d3c3 x\nstop\nisready\nstop",
		"go wtime -1 btime 1.5 winc x movestogo 0\ngo infinite\ngo\nposition startpos\nstop\nquery islegal xc3:b2b3",
		"position fen startpos moves c2c3 moves\nposition startpos moves c2c3\r\nposition startpos\tmoves c2c3 c4c2",
		"debug on\nmoves c2c3\nquery\nqery\nhelp\nbench\nponderhit\n# x\n\n\x00\xff\u2028 \ngo mate 2 movetime 3\nquit",
		"position fen 5/5/2b2/5/w3w w rw:a2a1,h:c3 98 60 moves a1a2\ngo depth 300\nquery result\nquery reason",
		"setoption name Clear Hash\nsetoption name Move Overhead value 3\nsetoption name Hash value 2\nsetoption name EvalFil value\n",
	} {
		f.Add(seed)
	}
	out := &checker{}
	s, err := New(Config{Name: "Qirkat", Out: out, Err: os.Stderr})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, input string) {
		if touchesWorld.MatchString(input) {
			t.Skip()
		}
		s.choose(&movegen.Variants[0])
		s.uci, s.debug, s.leaving, out.bad = false, false, false, nil
		s.cfg.In = strings.NewReader(input)
		done := make(chan error)
		go func() { done <- s.Run() }()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(30 * time.Second):
			panic("the server hangs")
		}
		if out.bad != nil {
			t.Errorf("malformed lines %q", out.bad)
		}
		if err := s.board.game.Check(); err != nil {
			t.Error(err)
		}
	})
}

// checker looks at each line that is printed. Only one goroutine writes at a time.
type checker struct{ bad []string }

var (
	bestMoveLine = regexp.MustCompile(`^bestmove [^ ]+$`)
	infoLine     = regexp.MustCompile(`^info (string .+|depth \d+ seldepth \d+ multipv 1 score (cp|mate) -?\d+( lowerbound| upperbound)? nodes \d+ nps \d+ hashfull \d+ time \d+ pv( [^ ]+)+)$`)
)

func (c *checker) Write(p []byte) (int, error) {
	line, rest, ok := strings.Cut(string(p), "\n")
	word, _ := cut(line)
	switch {
	case !ok, rest != "", line == "",
		!utf8.ValidString(line),
		strings.ContainsFunc(line, unicode.IsControl),
		len(line) > 1<<20,
		word == "bestmove" && !bestMoveLine.MatchString(line),
		word == "info" && !infoLine.MatchString(line):
		c.bad = append(c.bad, string(p))
	}
	return len(p), nil
}
