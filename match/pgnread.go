package match

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"qirkat/movegen"
)

// PGNGame is a game as it stands in a file.
type PGNGame struct {
	Number int // in the file, from 1
	Line   int // of its first tag
	tags   [][2]string
	moves  []pgnMove
	result string // the word at its end
}

type pgnMove struct {
	text    string
	comment string
	line    int
}

// Tag is the value of a tag, or nothing.
func (g *PGNGame) Tag(name string) string {
	for _, t := range g.tags {
		if t[0] == name {
			return t[1]
		}
	}
	return ""
}

// PGNReader reads games of the PGN profile, and those that the UGI manager
// writes. Variations and numeric glyphs are passed over.
type PGNReader struct {
	in    *bufio.Reader
	read  int64
	line  int
	games int
}

// NewPGNReader reads games from a file.
func NewPGNReader(in io.Reader) *PGNReader {
	return &PGNReader{in: bufio.NewReader(in), line: 1}
}

// offset is the number of bytes read so far.
func (r *PGNReader) offset() int64 { return r.read }

func (r *PGNReader) byte() (byte, error) {
	c, err := r.in.ReadByte()
	if err == nil {
		r.read++
		if c == '\n' {
			r.line++
		}
	}
	return c, err
}

func (r *PGNReader) back() {
	_ = r.in.UnreadByte()
	r.read--
}

// errTornGame is of a game without its result.
var errTornGame = errors.New("the file ends in the middle of a game")

// Next is the next game, or io.EOF.
func (r *PGNReader) Next() (*PGNGame, error) {
	g := &PGNGame{}
	for {
		c, err := r.byte()
		switch {
		case errors.Is(err, io.EOF) && len(g.tags) == 0 && len(g.moves) == 0:
			return nil, io.EOF
		case errors.Is(err, io.EOF):
			return nil, fmt.Errorf("line %d: %w", r.line, errTornGame)
		case err != nil:
			return nil, err
		case c <= ' ' || c > 0x7e: // blanks, and a byte order mark
		case c == '[' && len(g.moves) == 0:
			if g.Line == 0 {
				g.Line = r.line
			}
			if err := r.tag(g); err != nil {
				return nil, err
			}
		case c == '{':
			text, err := r.until('}')
			if err != nil {
				return nil, err
			}
			if n := len(g.moves); n > 0 && g.moves[n-1].comment == "" { // the first one is the engine's
				g.moves[n-1].comment = text
			}
		case c == ';', c == '%':
			if _, err := r.until('\n'); err != nil {
				return nil, err
			}
		case c == '(':
			if err := r.variation(); err != nil {
				return nil, err
			}
		default:
			r.back()
			if r.word(g) {
				r.games++
				g.Number = r.games
				return g, nil
			}
		}
	}
}

// until reads up to a byte, which is taken off.
func (r *PGNReader) until(end byte) (string, error) {
	begun := r.line
	var text []byte
	for {
		c, err := r.byte()
		if errors.Is(err, io.EOF) && end == '\n' {
			return string(text), nil
		}
		if err != nil {
			return "", fmt.Errorf("line %d: %w", begun, errTornGame)
		}
		if c == end {
			return string(text), nil
		}
		text = append(text, c)
	}
}

func (r *PGNReader) variation() error {
	for depth := 1; depth > 0; {
		c, err := r.byte()
		if err != nil {
			return fmt.Errorf("line %d: %w", r.line, errTornGame)
		}
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		case '{':
			if _, err := r.until('}'); err != nil {
				return err
			}
		}
	}
	return nil
}

// tag reads [Name "value"], of which the bracket has been read.
func (r *PGNReader) tag(g *PGNGame) error {
	line := r.line
	var text []byte
	quoted := false
	for {
		c, err := r.byte()
		if err != nil {
			return fmt.Errorf("line %d: %w", line, errTornGame)
		}
		if c == '\n' {
			return fmt.Errorf(`line %d: tag %q: want [Name "value"]`, line, movegen.Shorten(string(text)))
		}
		if quoted && c == '\\' {
			if c, err = r.byte(); err != nil {
				return fmt.Errorf("line %d: %w", line, errTornGame)
			}
			text = append(text, c)
			continue
		}
		if c == '"' {
			quoted = !quoted
			c = '"'
		}
		if c == ']' && !quoted {
			break
		}
		text = append(text, c)
	}
	name, value, found := strings.Cut(string(text), ` "`)
	if !found || !strings.HasSuffix(value, `"`) {
		return fmt.Errorf(`line %d: tag %q: want [Name "value"]`, line, movegen.Shorten(string(text)))
	}
	g.tags = append(g.tags, [2]string{strings.TrimSpace(name), strings.TrimSuffix(value, `"`)})
	return nil
}

var resultWords = []string{"1-0", "0-1", "1/2-1/2", "*"}

// word reads a move, a move number or the result; at the result the game ends.
func (r *PGNReader) word(g *PGNGame) (ends bool) {
	line := r.line
	var text []byte
	for {
		c, err := r.byte()
		if err != nil {
			break
		}
		if c <= ' ' || c == '{' || c == '(' || c == ')' || c == ';' {
			r.back()
			break
		}
		text = append(text, c)
	}
	word := string(text)
	if slices.Contains(resultWords, word) {
		g.result = word
		return true
	}
	if digits := strings.TrimLeft(word, "0123456789"); len(digits) < len(word) && strings.HasPrefix(digits, ".") {
		word = strings.TrimLeft(digits, ".") // a move may follow without a blank
	}
	if word != "" && word[0] != '$' {
		g.moves = append(g.moves, pgnMove{text: word, line: line})
	}
	if len(text) == 0 { // a bracket that closes nothing
		_, _ = r.byte()
	}
	return false
}

// adjudicated are the reasons of the UGI manager.
var adjudicated = map[string]string{
	"Out of time": ReasonTime, "Resigned": ReasonScore, "Crashed": ReasonCrash, "Illegal move": ReasonIllegal,
	"Maximum game length": ReasonLength, "Gameover mismatch": ReasonProtocol, "Result mismatch": ReasonProtocol,
}

// Record replays the game with our rules. The rules are those of its tags, or
// where it has none, the ones given. The error says what does not hold: an
// illegal move, or a tag that disagrees.
func (g *PGNGame) Record(rules string) (Record, error) {
	wrong := func(format string, args ...any) error {
		return fmt.Errorf("game %d, line %d: %w", g.Number, g.Line, fmt.Errorf(format, args...))
	}
	if name := g.Tag(tagGameType); name != "" {
		rules = strings.TrimSpace(name + " " + g.Tag(tagRules))
	}
	if rules == "" {
		return Record{}, wrong("no tag %s: say which variant it is", tagGameType)
	}
	v, canonical, err := ParseRules(rules)
	if err != nil {
		return Record{}, wrong("%w", err)
	}
	r := Record{Variant: canonical, Reason: g.Tag(tagReason), Plies: []Ply{}, Result: Unfinished}
	id := g.Tag(tagGameID)
	r.ID = id[strings.LastIndex(id, "/")+1:]
	r.Round, _ = strconv.Atoi(g.Tag(tagRound))
	r.Pair, _ = strconv.Atoi(g.Tag(tagPair))
	r.Series, _ = strconv.Atoi(g.Tag(tagSeries))
	r.TC = [2]string{g.Tag(tagTC), g.Tag(tagTC)}
	for i, side := range []movegen.Side{v.First(), v.First().Other()} {
		if own := g.Tag(side.String() + tagTC); own != "" {
			r.TC[i] = own
		}
	}
	if position := g.Tag(tagFEN); position != startWord {
		r.Opening.Position = position
	}
	if r.Reason == "" && g.Tag(tagAdjudicated) != "" {
		known, ok := adjudicated[g.Tag(tagAdjudicated)]
		if !ok {
			known = strings.ToLower(g.Tag(tagAdjudicated))
		}
		r.Reason = known
	}
	if err := g.players(&r, v.First()); err != nil {
		return r, wrong("%w", err)
	}
	if err := g.replay(&r, v); err != nil {
		return r, fmt.Errorf("game %d, %w", g.Number, err)
	}
	return r, nil
}

// players reads who played and who won. Our files name them by colour; those of
// the UGI manager name the first player first, by tags of any name, and their
// result is the first player's.
func (g *PGNGame) players(r *Record, first movegen.Side) error {
	ours := g.Tag(tagFirst) != ""
	if ours {
		if g.Tag(tagFirst) != first.String() {
			return fmt.Errorf("%s %q, want %q", tagFirst, g.Tag(tagFirst), first)
		}
		r.Players = [2]string{g.Tag(first.String()), g.Tag(first.Other().String())}
	} else {
		for i, t := range g.tags {
			if t[0] == tagResult && i >= 2 {
				r.Players = [2]string{g.tags[i-2][1], g.tags[i-1][1]}
			}
		}
	}
	if r.Players[0] == "" || r.Players[1] == "" {
		return errors.New("the names of the players are missing")
	}
	if t := g.Tag(tagResult); t != g.result {
		return fmt.Errorf("the tag %s is %q, the game ends with %q", tagResult, t, g.result)
	}
	side := first
	if !ours {
		side = movegen.White // of whom "1-0" speaks is the first player
	}
	for _, result := range []Result{P1Win, P2Win, Drawn, Unfinished} {
		if pgnResult(result, side) == g.result {
			r.Result = result
		}
	}
	if w := g.Tag(tagWinner); w != "" && r.Players[0] != r.Players[1] {
		if r.Result != P1Win && w == r.Players[0] || r.Result != P2Win && w == r.Players[1] {
			return fmt.Errorf("%s %q, the result is %q", tagWinner, w, g.result)
		}
	}
	return nil
}

// replay plays the moves, and compares the end with what the tags say.
func (g *PGNGame) replay(r *Record, v *movegen.Variant) error {
	b, err := Opening{Position: r.Opening.Position}.board(v)
	if err != nil {
		return fmt.Errorf("line %d: %s %q: %w", g.Line, tagFEN, r.Opening.Position, err)
	}
	book := len(strings.Fields(g.Tag(tagOpening)))
	for i, m := range g.moves {
		if o := b.Outcome(); o.Over() {
			return fmt.Errorf("line %d: move %q: the game is over before it: %s", m.line, m.text, o.Reason)
		}
		move, err := b.Find(m.text)
		if err != nil {
			return fmt.Errorf("line %d: %w", m.line, err)
		}
		if text := b.Text(move); i < book {
			r.Opening.Moves = append(r.Opening.Moves, text)
		} else {
			p := Ply{Move: text}
			p.readComment(m.comment)
			r.Plies = append(r.Plies, p)
		}
		b.Make(move)
	}
	wrong := func(tag, got, want string) error {
		return fmt.Errorf("line %d: %s %q, the rules say %q", g.Line, tag, got, want)
	}
	if n := g.Tag(tagPlyCount); n != "" && n != strconv.Itoa(len(g.moves)) {
		return wrong(tagPlyCount, n, strconv.Itoa(len(g.moves)))
	}
	o := b.Outcome()
	if !o.Over() {
		if slices.Contains(ruleReasons, r.Reason) {
			return wrong(tagReason, r.Reason, o.Reason.String())
		}
		if r.Reason == "" && r.Result != Unfinished {
			return wrong(tagResult, string(r.Result), string(Unfinished))
		}
		_, _ = fmt.Sscanf(g.Tag(tagPoints), "%d %d", &r.Points[0], &r.Points[1])
		return nil
	}
	if r.Reason == "" {
		r.Reason = o.Reason.String()
	}
	if want := Result(o.Result(v.First())); r.Result != want {
		return wrong(tagResult, string(r.Result), string(want))
	}
	if want := o.Reason.String(); r.Reason != want {
		return wrong(tagReason, r.Reason, want)
	}
	r.Points[0], r.Points[1] = b.Points()
	if got, want := g.Tag(tagPoints), fmt.Sprintf("%d %d", r.Points[0], r.Points[1]); got != "" && got != want {
		return wrong(tagPoints, got, want)
	}
	return nil
}

// ruleReasons are the reasons that only the rules give.
var ruleReasons = func() []string {
	var words []string
	for r := movegen.Captured; r < movegen.Illegal; r++ {
		words = append(words, r.String())
	}
	return words
}()
