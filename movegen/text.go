package movegen

import (
	"fmt"
	"strconv"
	"strings"
)

// TextError says which field of a position text cannot be, and what could.
type TextError struct {
	Field string // "row 3", "SIDE", "STATE", …
	Text  string // what was read
	Want  string // what is wrong with it, and what would be right
}

func (e *TextError) Error() string {
	return fmt.Sprintf("position: %s %q: %s", e.Field, Shorten(e.Text), e.Want)
}

// Fields is a position text taken apart.
type Fields struct {
	Rows   string
	Turn   Side
	State  string // or the stores
	Quiet  int    // plies in a row without a capture
	Number int    // of the move pair, from 1
}

// maxCount bounds the numbers of a position text; no game comes near it.
const maxCount = 1_000_000

// ParseFields takes a position text apart, of which the third field has a name;
// the last two fields may be missing.
func ParseFields(text, third string) (Fields, error) {
	f := Fields{Number: 1}
	words := strings.Split(text, " ")
	for _, w := range words {
		if w == "" {
			return f, &TextError{"blanks of", text, "want single blanks between the fields ROWS SIDE " + third + " QUIET MOVE"}
		}
	}
	if len(words) < 3 || len(words) > 5 {
		return f, &TextError{"fields of", text, fmt.Sprintf("got %d, want ROWS SIDE %s QUIET MOVE, the last two optional", len(words), third)}
	}
	f.Rows, f.State = words[0], words[2]
	switch words[1] {
	case "w":
		f.Turn = White
	case "b":
		f.Turn = Black
	default:
		return f, &TextError{"SIDE", words[1], "want w or b"}
	}
	var err error
	if len(words) > 3 {
		if f.Quiet, err = parseCount("QUIET", words[3], 0); err != nil {
			return f, err
		}
	}
	if len(words) > 4 {
		if f.Number, err = parseCount("MOVE", words[4], 1); err != nil {
			return f, err
		}
	}
	return f, nil
}

func parseCount(field, text string, least int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || strconv.Itoa(n) != text || n < least || n > maxCount {
		return 0, &TextError{field, text, fmt.Sprintf("want a number from %d to %d", least, maxCount)}
	}
	return n, nil
}

// String joins the fields to a position text.
func (f Fields) String() string {
	return fmt.Sprintf("%s %s %s %d %d", f.Rows, f.Turn.Letter(), f.State, min(f.Quiet, maxCount), min(f.Number, maxCount))
}

// ParsePieces reads the rows of a board game, top row first. A side may have
// at most as many pieces as most says.
func (z Size) ParsePieces(rows string, most [2]int) (pieces [2]Set, err error) {
	lines := strings.Split(rows, "/")
	if len(lines) != z.H {
		return pieces, &TextError{"ROWS", rows, fmt.Sprintf("got %d rows, want %d", len(lines), z.H)}
	}
	for i, line := range lines {
		bad := func(format string, args ...any) error {
			return &TextError{fmt.Sprintf("row %d of %q,", z.H-i, Shorten(rows)), line, fmt.Sprintf(format, args...)}
		}
		column, digit := 0, false
		for _, letter := range line {
			p := z.At(column, z.H-1-i)
			wasDigit := digit
			digit = letter >= '0' && letter <= '9'
			switch {
			case letter == '0':
				return pieces, bad("a 0 counts no point, want b, w or a digit from 1")
			case digit && wasDigit:
				return pieces, bad("a number follows a number, want one number for a run of empty points")
			case digit:
				column += int(letter - '0')
				continue
			case column >= z.W:
				return pieces, bad("more than %d points", z.W)
			case letter == 'w':
				pieces[White] |= Bit(p)
			case letter == 'b':
				pieces[Black] |= Bit(p)
			default:
				return pieces, bad("unknown piece %q, want b, w or a digit", letter)
			}
			column++
		}
		if column != z.W {
			return pieces, bad("%d points, want %d", column, z.W)
		}
	}
	for side, set := range pieces {
		if set.Len() > most[side] {
			return pieces, &TextError{"ROWS", rows, fmt.Sprintf("%s has %d pieces, the variant has at most %d", Side(side), set.Len(), most[side])}
		}
	}
	if pieces[White]|pieces[Black] == 0 {
		return pieces, &TextError{"ROWS", rows, "no piece at all"}
	}
	return pieces, nil
}

// FormatPieces writes the rows of a board game.
func (z Size) FormatPieces(pieces [2]Set) string {
	text := make([]byte, 0, (z.W+1)*z.H)
	for r := z.H - 1; r >= 0; r-- {
		gap := byte('0')
		flush := func() {
			if gap > '0' {
				text = append(text, gap)
			}
			gap = '0'
		}
		for c := range z.W {
			p := z.At(c, r)
			switch {
			case pieces[White].Has(p):
				flush()
				text = append(text, 'w')
			case pieces[Black].Has(p):
				flush()
				text = append(text, 'b')
			default:
				gap++
			}
		}
		flush()
		if r > 0 {
			text = append(text, '/')
		}
	}
	return string(text)
}

// ParsePoint reads a point such as "c3" or "C3".
func (z Size) ParsePoint(text string) (Point, bool) {
	if len(text) != 2 {
		return 0, false
	}
	c, r := int(text[0]|0x20)-'a', int(text[1])-'1'
	if !isLetter(text[0]) || !z.Has(c, r) {
		return 0, false
	}
	return z.At(c, r), true
}

// ParsePoints reads points that follow each other without a blank, in small
// letters, as [Size.Names] writes them. It is not ok without any.
func (z Size) ParsePoints(text string) (list []Point, ok bool) {
	for ; len(text) >= 2; text = text[2:] {
		p, ok := z.ParsePoint(text[:2])
		if !ok || text[0] < 'a' {
			return nil, false
		}
		list = append(list, p)
	}
	return list, text == "" && len(list) > 0
}

// Visit is a point of a path, with the mark of the capturing step that leads
// there in Fanorona: 'A', 'W', or 0.
type Visit struct {
	Point
	Mark byte
}

// Path is a move text of a board game taken apart.
type Path struct {
	Huffed Set       // the piece huffed first, or none
	Chains [][]Visit // the points visited, a chain each; none for a huff alone
}

// Marked reports whether a step of the path has a mark.
func (p *Path) Marked() bool {
	for _, chain := range p.Chains {
		for _, v := range chain {
			if v.Mark != 0 {
				return true
			}
		}
	}
	return false
}

// ParsePath reads a move text of a board game, leniently: "-", "x" and ":"
// between points are skipped, and capital letters are taken for small ones.
func (z Size) ParsePath(text string) (Path, *IllegalMove) {
	var path Path
	bad := func(why string, args ...any) (Path, *IllegalMove) {
		return Path{}, &IllegalMove{Text: text, Why: Unreadable, Detail: fmt.Sprintf(why, args...)}
	}
	rest := text
	if rest != "" && rest[0]|0x20 == 'x' {
		p, ok := Point(0), false
		if len(rest) >= 3 {
			p, ok = z.ParsePoint(rest[1:3])
		}
		if !ok || len(rest) == 4 || len(rest) > 3 && rest[3] != ':' {
			return bad("a huff is written as x, the point huffed, and then : and the turn, such as xc3:b2b3")
		}
		path.Huffed = Bit(p)
		if len(rest) == 3 {
			return path, nil
		}
		rest = rest[4:]
	}
	var chain []Visit
	expectPoint := true // a separator stands between two points
	for rest != "" {
		letter := rest[0]
		switch {
		case isLetter(letter) && len(rest) > 1 && isDigit(rest[1]):
			p, ok := z.ParsePoint(rest[:2])
			if !ok {
				return bad("there is no point %s on a %s board", rest[:2], z)
			}
			chain = append(chain, Visit{Point: p})
			rest, expectPoint = rest[2:], false
			continue
		case letter == '-' || letter == ':' || letter|0x20 == 'x':
			if len(chain) > 0 {
				rest, expectPoint = rest[1:], true
				continue
			}
		case expectPoint:
		case letter|0x20 == 'a' || letter|0x20 == 'w':
			if last := &chain[len(chain)-1]; len(chain) > 1 && last.Mark == 0 {
				last.Mark = letter &^ 0x20
				rest = rest[1:]
				continue
			}
		case letter == '+':
			path.Chains = append(path.Chains, chain)
			chain, rest, expectPoint = nil, rest[1:], true
			continue
		}
		return bad("%q is out of place, want points such as %s", Shorten(rest), z.example())
	}
	path.Chains = append(path.Chains, chain)
	if expectPoint {
		return bad("it ends early, want points such as %s", z.example())
	}
	for _, c := range path.Chains {
		if len(c) < 2 {
			return bad("a turn visits at least two points, such as %s", z.example())
		}
	}
	return path, nil
}

// example is a step that the board has.
func (z Size) example() string { return z.Name(z.At(1, 1)) + z.Name(z.At(1, 2)) }

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }
func isDigit(b byte) bool  { return b >= '0' && b <= '9' }
