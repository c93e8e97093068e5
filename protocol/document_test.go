package protocol

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"qirkat/movegen"
)

const document = "../PROTOCOL.md"

func readDocument(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestDocumentTranscripts runs the transcripts of PROTOCOL.md.
func TestDocumentTranscripts(t *testing.T) {
	text := readDocument(t)
	fence := regexp.MustCompile("(?s)\n```transcript\n(.*?\n)```\n")
	blocks := fence.FindAllStringSubmatchIndex(text, -1)
	if len(blocks) < 10 {
		t.Fatalf("%d transcripts found, want 10 or more", len(blocks))
	}
	for _, b := range blocks {
		line := 1 + strings.Count(text[:b[2]], "\n")
		t.Run(fmt.Sprintf("line %d", line), func(t *testing.T) {
			t.Parallel()
			// The lines keep their numbers in the document.
			if err := session(t.TempDir(), "PROTOCOL.md", line-1, text[b[2]:b[3]]); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestDocumentTables compares the tables of PROTOCOL.md with those that help
// prints; -update rewrites them.
func TestDocumentTables(t *testing.T) {
	old := readDocument(t)
	text := old
	for _, table := range newServer(t, nil).tables() {
		head := "<!-- table: " + table.title + " -->\n"
		before, rest, ok := strings.Cut(text, head)
		_, after, ok2 := strings.Cut(rest, "<!-- end -->")
		if !ok || !ok2 {
			t.Errorf("no place for the table %q", table.title)
			continue
		}
		text = before + head + table.markdown() + "<!-- end -->" + after
	}
	if text == old {
		return
	}
	if !*update {
		t.Fatal("the tables of PROTOCOL.md are not those of the program; go test -update rewrites them")
	}
	if err := os.WriteFile(document, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (t table) markdown() string {
	var b strings.Builder
	b.WriteString("\n| written | meaning |\n|---|---|\n")
	for _, r := range t.rows {
		fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(r[0], "|", "\\|"), strings.ReplaceAll(r[1], "|", "\\|"))
	}
	return b.String() + "\n"
}

// TestDocumentNames looks for every name of the tables, and every reason, in
// the text of PROTOCOL.md outside the tables made from the same rows.
func TestDocumentNames(t *testing.T) {
	text := regexp.MustCompile(`(?s)<!-- table.*?<!-- end -->`).ReplaceAllString(readDocument(t), "")
	var words []string
	words = append(words, CommandNames()...)
	words = append(words, names(optionTable())...)
	words = append(words, names(queryTable())...)
	for w := movegen.Legal + 1; w <= movegen.CannotPass; w++ {
		_, reason, _ := strings.Cut((&movegen.IllegalMove{Why: w}).Error(), ": ")
		words = append(words, "`"+reason+"`")
	}
	for r := movegen.NotOver; r <= movegen.Illegal; r++ {
		words = append(words, "`"+r.String()+"`")
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("%q is not explained in PROTOCOL.md", w)
		}
	}
}
