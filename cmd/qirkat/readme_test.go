package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"qirkat/bench"
	"qirkat/movegen"
)

const repository = "../.."

// readme is a document of the repository.
func readme(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(repository, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestReadmeExamples runs every console block of the documents: a line that
// begins with "$ " is a command, one that begins with "> " is typed to it, and
// the others are what it prints.
func TestReadmeExamples(t *testing.T) {
	for _, path := range []string{"README.md", "movegen/README.md"} {
		for _, block := range consoleBlocks(readme(t, path)) {
			for _, e := range examples(block) {
				t.Run(path+"/"+e.command, func(t *testing.T) { e.run(t) })
			}
		}
	}
}

func consoleBlocks(text string) []string {
	var blocks []string
	for _, m := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		blocks = append(blocks, m[1])
	}
	return blocks
}

// example is a command with what is typed to it and what it prints.
type example struct {
	command string
	lines   []string
}

func examples(block string) []example {
	var list []example
	for line := range strings.Lines(block) {
		line = strings.TrimSuffix(line, "\n")
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			list = append(list, example{command: command})
			continue
		}
		e := &list[len(list)-1]
		e.lines = append(e.lines, line)
	}
	return list
}

// run carries out the command and compares line by line.
func (e example) run(t *testing.T) {
	args, ok := strings.CutPrefix(e.command, "qirkat")
	if !ok {
		args, ok = strings.CutPrefix(e.command, "go run ./cmd/qirkat")
	}
	if !ok {
		t.Fatalf("%q: want a command that begins with qirkat", e.command)
	}
	words := splitWords(args)
	if testing.Short() && len(words) > 0 && words[0] == "bench" {
		words = append(words, "--depth", "1")
	}
	in, typed := io.Pipe()
	printed, out := io.Pipe()
	both := &lockedWriter{w: out}
	go func() {
		if code := run(words, in, both, both); code != done {
			_, _ = fmt.Fprintf(both, "exit code %d\n", code)
		}
		_ = in.Close()
		_ = out.Close()
	}()
	c := conversation{t: t, typed: typed, printed: make(chan string, 1000)}
	go c.listen(printed)
	for _, line := range e.lines {
		text, isTyped := strings.CutPrefix(line, "> ")
		switch {
		case isTyped:
			c.typeLine(text)
		case line == "…":
			c.skipped = true
		default:
			c.expect(line)
		}
	}
	c.end()
}

// lockedWriter lets standard output and standard error share a pipe.
type lockedWriter struct {
	mu sync.Mutex
	w  io.Writer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.w.Write(p)
}

// conversation is a running command.
type conversation struct {
	t       *testing.T
	typed   *io.PipeWriter
	printed chan string // lines, without blanks at their ends; closed at the end
	skipped bool        // … was read: what comes may be skipped, up to a line that fits
}

// listen takes what is printed, so that the command never waits for the test.
func (c *conversation) listen(out io.Reader) {
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		c.printed <- strings.TrimRight(lines.Text(), " ")
	}
	close(c.printed)
}

func (c *conversation) typeLine(text string) {
	if _, err := io.WriteString(c.typed, text+"\n"); err != nil {
		c.t.Fatalf("typing %q: %v", text, err)
	}
}

// next is the next line that was printed; ok is false at the end.
func (c *conversation) next() (line string, ok bool) {
	select {
	case line, ok = <-c.printed:
		return line, ok
	case <-time.After(2 * time.Minute):
		c.t.Fatal("no answer for two minutes")
		return "", false
	}
}

// expect compares the next line, or with skipped the next one that fits.
func (c *conversation) expect(want string) {
	for {
		got, ok := c.next()
		switch {
		case !ok:
			c.t.Fatalf("the output ended, want %q", want)
		case pattern(want).MatchString(got):
			c.skipped = false
			return
		case !c.skipped:
			c.t.Fatalf("got  %q\nwant %q", got, want)
		}
	}
}

// end closes the input: nothing more may be printed, unless it is to be skipped.
func (c *conversation) end() {
	_ = c.typed.Close()
	for {
		line, ok := c.next()
		if !ok {
			return
		}
		if !c.skipped {
			c.t.Fatalf("at the end: %q", line)
		}
	}
}

// pattern is a line in which … stands for any text.
func pattern(line string) *regexp.Regexp {
	return regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, " ")), "…", ".*") + "$")
}

// splitWords splits a command line at blanks outside single quotes.
func splitWords(line string) []string {
	var words []string
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		words = append(words, m[1]+m[2])
	}
	return words
}

// TestReadmeVariants compares the tables with what qirkat variants prints.
func TestReadmeVariants(t *testing.T) {
	const begin, end = "<!-- qirkat variants -->\n", "<!-- end -->"
	text := readme(t, "README.md")
	_, rest, found := strings.Cut(text, begin)
	table, _, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("README.md: the marks %q and %q are missing", begin, end)
	}
	if table == variantTables() {
		return
	}
	if !*update {
		t.Fatal("README.md: the tables of variants are not what qirkat variants prints; run with -update")
	}
	text = strings.Replace(text, begin+table+end, begin+variantTables()+end, 1)
	if err := os.WriteFile(filepath.Join(repository, "README.md"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestReadmePlaces looks up every function that the way of a go command names,
// and every file that the documents name.
func TestReadmePlaces(t *testing.T) {
	text := readme(t, "README.md")
	for _, line := range regexp.MustCompile(`(?m)^\d\. .*$`).FindAllString(text, -1) {
		file := ""
		for _, m := range regexp.MustCompile("`([a-z/]+\\.go)`|`([A-Za-z]+)`").FindAllStringSubmatch(line, -1) {
			if m[1] != "" {
				file = m[1]
				continue
			}
			if code := readme(t, file); !regexp.MustCompile(`(?m)^func (\([^)]*\) )?` + m[2] + `\(`).MatchString(code) {
				t.Errorf("README.md: %s has no function %s", file, m[2])
			}
		}
	}
	for _, m := range regexp.MustCompile("\\]\\(([^)#:]+)\\)|`([a-z/]+\\.go)`").FindAllStringSubmatch(text, -1) {
		readme(t, m[1]+m[2])
	}
}

// TestRuleBookStarts looks for the start position of every named variant.
func TestRuleBookStarts(t *testing.T) {
	text := readme(t, "movegen/README.md")
	for _, v := range movegen.Variants {
		named := !regexp.MustCompile(`\dx\d$`).MatchString(v.Name)
		if named && !strings.Contains(text, "`"+v.Start+"`") {
			t.Errorf("movegen/README.md: the start %q of %s is missing", v.Start, v.Name)
		}
	}
}

// TestReadmeCommands compares the table of commands with the program's.
func TestReadmeCommands(t *testing.T) {
	text := readme(t, "README.md")
	for _, c := range newRoot().Commands() {
		if c.Name() != "help" && !strings.Contains(text, "| `qirkat "+strings.ReplaceAll(c.Use, "|", `\|`)+"`") {
			t.Errorf("README.md: the command %q is missing", c.Use)
		}
	}
}

// TestBenchReadmeTests looks up the tests that bench/README.md says to run.
func TestBenchReadmeTests(t *testing.T) {
	for _, m := range regexp.MustCompile("`go test \\./(\\S+) -run (\\w+) -long`").FindAllStringSubmatch(readme(t, "bench/README.md"), -1) {
		files, err := filepath.Glob(filepath.Join(repository, m[1], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		found, long := false, false
		for _, path := range files {
			code, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			found = found || regexp.MustCompile(`(?m)^func Test\w*`+m[2]).Match(code)
			long = long || strings.Contains(string(code), `flag.Bool("long"`)
		}
		if !found || !long {
			t.Errorf("bench/README.md: %s: test found %t, flag found %t", m[0], found, long)
		}
	}
}

// TestReadmeBench counts the positions of the benchmark.
func TestReadmeBench(t *testing.T) {
	positions, err := bench.Positions()
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("a search of %d fixed positions", len(positions)); !strings.Contains(readme(t, "README.md"), want) {
		t.Errorf("README.md: want %q", want)
	}
}

// TestCIRunsTheReadmesTests: what .ci/run calls is what README.md says.
func TestCIRunsTheReadmesTests(t *testing.T) {
	const command = "go test ./..."
	for _, path := range []string{"README.md", ".ci/run"} {
		if !strings.Contains(readme(t, path), command) {
			t.Errorf("%s: does not call %q", path, command)
		}
	}
	if bash, err := exec.LookPath("bash"); err == nil {
		if out, err := exec.Command(bash, "-n", filepath.Join(repository, ".ci", "run")).CombinedOutput(); err != nil {
			t.Errorf(".ci/run: %v\n%s", err, out)
		}
	}
}
