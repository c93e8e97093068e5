package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"qirkat/engine"
	"qirkat/movegen"
	"qirkat/movegen/games"
)

// recorder keeps what is written and notes every write that is not one line.
type recorder struct {
	mu    sync.Mutex
	text  strings.Builder
	bad   []string
	heard chan string // gets each line too, unless nil
}

func (r *recorder) Write(p []byte) (int, error) {
	r.mu.Lock()
	line, rest, ok := strings.Cut(string(p), "\n")
	if !ok || rest != "" {
		r.bad = append(r.bad, fmt.Sprintf("%q is not one line", p))
	}
	r.text.Write(p)
	r.mu.Unlock()
	if r.heard != nil {
		r.heard <- line
	}
	return len(p), nil
}

func (r *recorder) take() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	text := r.text.String()
	r.text.Reset()
	return text
}

// run serves a whole input and gives the output.
func run(t *testing.T, input io.Reader) string {
	t.Helper()
	out := new(recorder)
	s, err := New(Config{Name: "Qirkat", In: input, Out: out, Err: io.Discard})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(); err != nil {
		t.Errorf("Run: %v", err)
	}
	if out.bad != nil {
		t.Error(out.bad)
	}
	return out.take()
}

func TestLongLines(t *testing.T) {
	mega := func(text string, n int) string { return strings.Repeat(text, n<<20/len(text)) }
	tests := []struct {
		name, line, want string
	}{
		{"command", mega("x", 1), `info string unknown command "x+…": did you mean ".*"\?`},
		{"blanks", mega(" ", 1), ``},
		{"moves that are none", "position startpos moves " + mega("0000 ", 1), `info string illegal move "0000": .*`},
		{"one move", "position startpos moves " + mega("a1", 1), `info string illegal move "(a1)+…": .*`},
		{"position text", "position fen " + mega("b", 1) + " w - 0 1", `info string position: ROWS "b+…".{1,200}`},
		{"fields", "position fen " + mega("b ", 1), `info string position: .*"b b [b ]*…".{1,200}`},
		{"variant", "setoption name UCI_Variant value " + mega("q", 1), `info string unknown variant .*`},
		{"option", "setoption name " + mega("q", 1), `info string setoption: no option .*`},
		{"number", "setoption name Hash value " + mega("1", 1), `info string option Hash: "1+…": .*`},
		{"query", "query " + mega("q", 1), `info string unknown query "q+…".*`},
		{"islegal", "query islegal " + mega("a1", 1), `response false`},
		{"searchmoves", "go depth 1 searchmoves " + mega("c3c4 ", 1), `(info string go: searchmoves: .*\n){2}(info .*\n)*bestmove ....`},
		{"limits", "go nodes 9 " + mega("depth x ", 1), `(info string go: depth "x": .*\n){10}info string go: … and 131062 more\n(info .*\n)*bestmove ....`},
		{"perft", "perft " + mega("9", 1), `Nodes searched: \d+|info string perft: stopped, 0 of 4 moves counted\nNodes searched: 0`},
		{"over the limit", mega("x", 17), `info string line of more than 16 MiB: not read`},
		{"far over the limit", mega("x", 40), `info string line of more than 16 MiB: not read`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := run(t, strings.NewReader(tt.line+"\nstop\nisready\n"))
			// What a search or a perft that was stopped says may come behind.
			got = strings.Replace(got, "readyok\n", "", 1)
			if !regexp.MustCompile(`^` + tt.want + `\n?$`).MatchString(got) {
				t.Errorf("got %s, want %s", movegen.Shorten(got), tt.want)
			}
			if len(got) > 64<<10 {
				t.Errorf("%d bytes of answer", len(got))
			}
		})
	}
}

// TestLongLineMemory reads a line without an end in bounded memory.
func TestLongLineMemory(t *testing.T) {
	if raceDetector {
		t.Skip("slow under the race detector, and one goroutine")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	in := newLines(io.LimitReader(endless{}, 100<<20))
	if _, err := in.next(); !errors.Is(err, errLongLine) {
		t.Errorf("next: %v, want %v", err, errLongLine)
	}
	if _, err := in.next(); !errors.Is(err, io.EOF) {
		t.Errorf("next: %v, want the end", err)
	}
	runtime.ReadMemStats(&after)
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 6*maxLine>>20 {
		t.Errorf("%d MiB were allocated for one line", used)
	}
}

type endless struct{}

func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestReadError(t *testing.T) {
	broken := errors.New("broken")
	in := io.MultiReader(strings.NewReader("isready\ngo infinite\n"), errReader{broken})
	out := new(recorder)
	s := newServer(t, out)
	s.cfg.In = in
	if err := s.Run(); !errors.Is(err, broken) {
		t.Errorf("Run: %v, want %v", err, broken)
	}
	if got := strings.Count(out.take(), "bestmove"); got != 1 {
		t.Errorf("%d best moves, want 1", got)
	}
}

type errReader struct{ err error }

func (r errReader) Read([]byte) (int, error) { return 0, r.err }

func TestCutAt(t *testing.T) {
	tests := []struct {
		text, before, after string
		found               bool
	}{
		{"", "", "", false},
		{"moves", "", "", true},
		{"moves a b", "", "a b", true},
		{" x  y \t moves\ta ", "x  y", "a", true},
		{"xmoves movesx", "xmoves movesx", "", false},
		{"xmoves moves", "xmoves", "", true},
		{"x moves y moves z", "x", "y moves z", true},
	}
	for _, tt := range tests {
		before, after, found := cutAt(tt.text, "moves")
		if before != tt.before || after != tt.after || found != tt.found {
			t.Errorf("cutAt(%q) = %q, %q, %v, want %q, %q, %v", tt.text, before, after, found, tt.before, tt.after, tt.found)
		}
	}
}

func TestScore(t *testing.T) {
	tests := []struct {
		score    engine.Score
		uci, ugi string
	}{
		{0, "cp 0", "cp 0"},
		{-250, "cp -250", "cp -250"},
		{engine.MaxEval, "cp 29680", "cp 29680"},
		{engine.Win - 1, "mate 1", "mate 1"},
		{engine.Win - 2, "mate 1", "mate 2"}, // the opponent's own turn may end its game
		{engine.Win - 3, "mate 2", "mate 3"},
		{-engine.Win, "mate 0", "mate 0"},
		{1 - engine.Win, "mate -1", "mate -1"},
		{2 - engine.Win, "mate -1", "mate -2"},
		{4 - engine.Win, "mate -2", "mate -4"},
	}
	for _, tt := range tests {
		for uci, want := range map[bool]string{true: tt.uci, false: tt.ugi} {
			r := reporter{uci: uci}
			if got := string(r.score(nil, tt.score)); got != want {
				t.Errorf("score(%d) = %q, want %q (UCI %v)", tt.score, got, want, uci)
			}
		}
	}
}

// TestLineEnds writes no move behind the end of the game.
func TestLineEnds(t *testing.T) {
	v, err := movegen.FindVariant("alquerque")
	if err != nil {
		t.Fatal(err)
	}
	g := games.New(v)
	if err := g.Set("5/5/2b2/5/w3w w - 98 60"); err != nil {
		t.Fatal(err)
	}
	var line []movegen.Move
	c := g.Clone()
	for range 5 {
		m := c.Moves(nil)[0]
		line = append(line, m)
		c.Make(m)
	}
	r := reporter{game: g}
	before := g.String()
	if got := len(strings.Fields(string(r.line(nil, line)))); got != 2 {
		t.Errorf("%d moves written, want the 2 up to the quiet draw", got)
	}
	if g.String() != before {
		t.Errorf("the position is %s, want %s", g, before)
	}
}

// TestStopLatency stops a search and waits for the answer.
func TestStopLatency(t *testing.T) {
	const most = 30 * time.Millisecond // other tests run beside this one
	out := &recorder{heard: make(chan string, 10_000)}
	s := newServer(t, out)
	for _, variant := range []string{"quirkat", "fanorona", "al-manqala"} {
		var times []time.Duration
		for range 9 {
			s.mustServe(t, "setoption name UCI_Variant value "+variant)
			s.mustServe(t, "go infinite")
			time.Sleep(20 * time.Millisecond)
			start := time.Now()
			s.mustServe(t, "stop")
			for !strings.HasPrefix(<-out.heard, "bestmove") {
			}
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		t.Logf("%s: stopped after %v (median), %v (longest)", variant, times[4], times[8])
		if times[4] > most && !raceDetector {
			t.Errorf("%s: stopped after %v, want at most %v", variant, times[4], most)
		}
	}
}

// TestEveryGoIsAnswered begins and stops searches as fast as it can.
func TestEveryGoIsAnswered(t *testing.T) {
	out := new(recorder)
	s := newServer(t, out)
	const games = 300
	for i := range games {
		s.mustServe(t, []string{"go infinite", "go depth 1", "go", "go nodes 1", "go movetime 1"}[i%5])
		s.mustServe(t, "stop")
		s.mustServe(t, "stop")
		s.mustServe(t, "position startpos moves c2c3")
	}
	s.leave()
	if err := s.out.flush(forever); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.take(), "bestmove "); got != games {
		t.Errorf("%d best moves for %d searches", got, games)
	}
}

// TestIdleAfterBestMove sends the next position as soon as the best move is
// there: it is never refused.
func TestIdleAfterBestMove(t *testing.T) {
	out := &recorder{heard: make(chan string, 10_000)}
	s := newServer(t, out)
	for range 300 {
		s.mustServe(t, "go nodes 50")
		for !strings.HasPrefix(<-out.heard, "bestmove") {
		}
		s.mustServe(t, "position startpos moves c2c3")
		s.mustServe(t, "position startpos")
	}
}

func TestEvalFile(t *testing.T) {
	embedded, err := os.ReadFile(filepath.Join("..", "eval", "weights", "alquerque.toml"))
	if err != nil {
		t.Fatal(err)
	}
	changed := regexp.MustCompile(`(?m)^material\s*=.*$`).ReplaceAll(embedded, []byte("material = 321"))
	path := filepath.Join(t.TempDir(), "my own weights.toml")
	if err := os.WriteFile(path, changed, 0o644); err != nil {
		t.Fatal(err)
	}
	out := new(recorder)
	s := newServer(t, out)
	check := func(after string, want bool) {
		t.Helper()
		s.mustServe(t, "eval")
		if err := s.out.flush(forever); err != nil {
			t.Fatal(err)
		}
		if got := regexp.MustCompile(`(?m)^material +0 +321 `).MatchString(out.take()); got != want {
			t.Errorf("own weights after %s: %v, want %v", after, got, want)
		}
	}
	s.mustServe(t, "setoption name EvalFile value "+path)
	check("EvalFile", true)
	s.mustServe(t, "setoption name NoReturn value on")
	check("a rule switch", true)
	s.mustServe(t, "setoption name UCI_Variant value alquerque")
	check("the variant in force", true)
	if s.serve("setoption name EvalFile value no such file") == nil {
		t.Error("a missing file is no error")
	}
	check("a missing file", true)
	s.mustServe(t, "setoption name EvalFile value <empty>")
	check("<empty>", false)
	s.mustServe(t, "setoption name EvalFile value "+path)
	s.mustServe(t, "setoption name EvalFile value")
	check("an empty value", false)
	s.mustServe(t, "setoption name EvalFile value "+path)
	s.mustServe(t, "setoption name UCI_Variant value quirkat")
	if err := s.out.flush(forever); err != nil {
		t.Fatal(err)
	}
	if got := out.take(); !strings.Contains(got, "option UCI_Variant: NoReturn, EvalFile set back, ") {
		t.Errorf("another variant says %q", got)
	}
	s.mustServe(t, "setoption name UCI_Variant value alquerque")
	check("another variant", false)
}

// TestCrash says what happened and ends with exit code 1.
func TestCrash(t *testing.T) {
	var stderr bytes.Buffer
	code := make(chan int, 1)
	s := newServer(t, io.Discard)
	s.cfg.Err = &stderr
	s.cfg.Bench = func(_, _ io.Writer, _ []string) error { panic("a fault") }
	s.exit = func(c int) { code <- c }
	s.mustServe(t, "position startpos moves c2c3")
	s.mustServe(t, "bench fast")
	if got := <-code; got != 1 {
		t.Errorf("exit code %d, want 1", got)
	}
	if text := stderr.String(); !strings.HasPrefix(text, "Qirkat: panic: a fault\nat: bench fast\ngame: alquerque startpos moves c2c3\n") || !strings.Contains(text, "goroutine") {
		t.Errorf("standard error has %q", text)
	}
}

// TestHashUnderLimit asks for more memory than the process may have: it says
// so and goes on with the table that it has.
func TestHashUnderLimit(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("needs sh and its ulimit -v")
	}
	if raceDetector {
		t.Skip("the race detector needs more than the limit")
	}
	cmd := exec.Command(shell, "-c", "ulimit -v 4000000 && exec qirkat")
	cmd.Stdin = strings.NewReader("setoption name Hash value 32\nsetoption name Hash value 8192\nsetoption name Hash value 65536\n" +
		"isready\ngo depth 5 nodes 99999\nsetoption name Hash value 64\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	lines := strings.Split(string(out), "\n")
	refused := regexp.MustCompile(`^info string hash: \d+ MiB cannot be had`)
	if len(lines) < 4 || !refused.MatchString(lines[0]) || !refused.MatchString(lines[1]) || lines[2] != "readyok" {
		t.Errorf("got %q", lines)
	}
	if strings.Count(string(out), "bestmove ") != 1 {
		t.Errorf("no best move in %q", lines)
	}
}

// TestIdle waits for input without using the processor.
func TestIdle(t *testing.T) {
	used := func(wait time.Duration) time.Duration {
		cmd := exec.Command("qirkat")
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(in, "go depth 1")
		time.Sleep(wait)
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	const wait = time.Second
	short, long := used(10*time.Millisecond), used(wait)
	t.Logf("%v of processor time for a short life, %v for one of %v", short, long, wait)
	if long > short+wait/4 {
		t.Errorf("an idle second cost %v", long-short)
	}
}
