package protocol

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"qirkat/movegen"
)

const (
	maxLine    = 16 << 20 // bytes of a line of input (chosen)
	keepLine   = 1 << 20  // bytes of buffer that are kept between lines (chosen)
	maxMessage = 1000     // bytes of an info string (chosen)
)

var errLongLine = fmt.Errorf("line of more than %d MiB: not read", maxLine>>20)

// lines reads lines of any length up to maxLine in bounded memory.
type lines struct {
	r     *bufio.Reader
	buf   []byte
	begun bool
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 1<<16)} }

// next is the next line; its end may be missing at the end of the input. Of a
// line that is too long nothing is given but errLongLine.
func (l *lines) next() (string, error) {
	if cap(l.buf) > keepLine {
		l.buf = nil
	}
	l.buf = l.buf[:0]
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if long = long || len(l.buf)+len(part) > maxLine; !long {
			l.buf = append(l.buf, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case long:
			return "", errLongLine
		case err != nil && len(l.buf) == 0:
			return "", err
		default:
			return l.unmarked(string(l.buf)), nil
		}
	}
}

// unmarked takes the byte order mark off the first line, which some systems
// write in front of piped text.
func (l *lines) unmarked(line string) string {
	if !l.begun {
		l.begun = true
		return strings.TrimPrefix(line, "\ufeff")
	}
	return line
}

// clean makes a message fit to be a line: foreign text may be in it.
func clean(text string) string {
	if len(text) > maxMessage {
		text = text[:maxMessage] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
}

// cut takes the first word off a text. Blanks around both parts are gone.
func cut(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexFunc(text, unicode.IsSpace); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}

// cutAt parts a text at the first place where a word stands by itself. What
// stands before keeps the blanks inside.
func cutAt(text, word string) (before, after string, found bool) {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return strings.TrimSpace(text), "", false
		}
		i += from
		from = i + len(word)
		before, after := text[:i], text[from:]
		if strings.TrimRightFunc(before, unicode.IsSpace) != before || before == "" {
			if strings.TrimLeftFunc(after, unicode.IsSpace) != after || after == "" {
				return strings.TrimSpace(before), strings.TrimSpace(after), true
			}
		}
	}
}

// named is a row of one of the tables.
type named interface{ rowName() string }

func names[T named](rows []T) []string {
	list := make([]string, len(rows))
	for i, r := range rows {
		list[i] = r.rowName()
	}
	return list
}

// didYouMean quotes a word and names the nearest right one.
func didYouMean(word string, known []string) string {
	word = movegen.Shorten(word)
	return fmt.Sprintf("%q: did you mean %q?", word, movegen.Nearest(word, known))
}
