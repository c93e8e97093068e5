package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"qirkat/movegen"
)

// The PGN profile: docs/match.md says what each tag means.
const (
	tagEvent       = "Event"
	tagSite        = "Site"
	tagDate        = "Date"
	tagRound       = "Round"
	tagWhite       = "White"
	tagBlack       = "Black"
	tagResult      = "Result"
	tagGameID      = "GameId"
	tagGameType    = "GameType"
	tagRules       = "RuleOptions"
	tagFirst       = "FirstPlayer"
	tagFEN         = "FEN"
	tagOpening     = "Opening"
	tagTC          = "TimeControl"
	tagTermination = "Termination"
	tagReason      = "ResultReason"
	tagPlyCount    = "PlyCount"
	tagPoints      = "MatchPoints"
	tagPair        = "Pair"
	tagSeries      = "Series"

	// What the UGI manager writes.
	tagAdjudicated = "Adjudicated"
	tagWinner      = "Winner"
	startWord      = "startpos"
)

// termination is the tag of that name for a reason.
func termination(reason string) string {
	switch reason {
	case ReasonTime:
		return "time forfeit"
	case ReasonIllegal, ReasonProtocol:
		return "rules infraction"
	case ReasonCrash, ReasonHang:
		return "abandoned"
	case ReasonScore, ReasonLength, ReasonTable:
		return "adjudication"
	}
	return "normal"
}

// pgnResult is a result for White.
func pgnResult(r Result, first movegen.Side) string {
	switch {
	case r == Unfinished:
		return "*"
	case r == Drawn:
		return "1/2-1/2"
	case (r == P1Win) == (first == movegen.White):
		return "1-0"
	}
	return "0-1"
}

// FormatPGN writes a record as a game of the PGN profile, an empty line at its
// end. The identity is that of the tournament.
func FormatPGN(r Record, event, tournament string) (string, error) {
	v, canonical, err := ParseRules(r.Variant)
	if err != nil {
		return "", err
	}
	first := v.First()
	g, err := Opening{Position: r.Opening.Position}.board(v)
	if err != nil {
		return "", err
	}
	white, black := 0, 1
	if first == movegen.Black {
		white, black = 1, 0
	}
	var text strings.Builder
	tag := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&text, "[%s \"%s\"]\n", name, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value))
		}
	}
	_, switches, _ := strings.Cut(canonical, " ")
	tag(tagEvent, orQuestion(event))
	tag(tagSite, "qirkat match")
	tag(tagDate, r.Start.Format("2006.01.02"))
	tag(tagRound, strconv.Itoa(r.Round))
	tag(tagWhite, r.Players[white])
	tag(tagBlack, r.Players[black])
	tag(tagResult, pgnResult(r.Result, first))
	tag(tagGameID, strings.TrimPrefix(tournament+"/"+r.ID, "/"))
	tag(tagGameType, v.Name)
	tag(tagRules, switches)
	tag(tagFirst, first.String())
	tag(tagFEN, r.Opening.Position)
	tag(tagOpening, strings.Join(r.Opening.Moves, " "))
	if r.TC[0] == r.TC[1] {
		tag(tagTC, r.TC[0])
	} else {
		tag(tagWhite+tagTC, r.TC[white])
		tag(tagBlack+tagTC, r.TC[black])
	}
	tag(tagTermination, termination(r.Reason))
	tag(tagReason, r.Reason)
	tag(tagPlyCount, strconv.Itoa(len(r.Opening.Moves)+len(r.Plies)))
	if v.Family == movegen.Alquerque {
		tag(tagPoints, fmt.Sprintf("%d %d", r.Points[0], r.Points[1]))
	}
	tag(tagPair, strconv.Itoa(r.Pair))
	if r.Series > 0 {
		tag(tagSeries, strconv.Itoa(r.Series))
	}
	text.WriteByte('\n')

	w := wrapper{out: &text}
	number, second := moveNumber(g), g.Turn() != first
	for i := range len(r.Opening.Moves) + len(r.Plies) {
		if !second {
			w.word(strconv.Itoa(number) + ".")
		} else if i == 0 {
			w.word(strconv.Itoa(number) + "...")
		}
		if i < len(r.Opening.Moves) {
			w.word(r.Opening.Moves[i])
			w.word("{book}")
		} else {
			p := r.Plies[i-len(r.Opening.Moves)]
			w.word(p.Move)
			w.word("{" + p.comment() + "}")
		}
		if second {
			number++
		}
		second = !second
	}
	if r.Fault != nil {
		w.word("{" + strings.NewReplacer("{", "(", "}", ")", "\n", " ").Replace(r.Fault.Engine+": "+r.Fault.Reason+": "+r.Fault.Detail) + "}")
	}
	w.word(pgnResult(r.Result, first))
	text.WriteString("\n\n")
	return text.String(), nil
}

func orQuestion(text string) string {
	if text == "" {
		return "?"
	}
	return text
}

// moveNumber is the number of the move pair.
func moveNumber(g movegen.Game) int {
	fields := strings.Fields(g.String())
	n, _ := strconv.Atoi(fields[len(fields)-1])
	return n
}

// comment is what the engine said of a ply: score/depth time nodes, the score
// in pieces for the mover, the time in seconds.
func (p Ply) comment() string {
	score := "?"
	switch {
	case p.Mate > 0:
		score = fmt.Sprintf("+M%d", p.Mate)
	case p.Mate < 0:
		score = fmt.Sprintf("-M%d", -p.Mate)
	case p.CP != nil:
		score = fmt.Sprintf("%+.2f", float64(*p.CP)/100)
	}
	return fmt.Sprintf("%s/%d %.4f %d", score, p.Depth, p.MS/1000, p.Nodes)
}

// readComment reads what comment wrote; other comments leave the ply as it is.
func (p *Ply) readComment(text string) {
	words := strings.Fields(text)
	if len(words) != 3 {
		return
	}
	score, depth, found := strings.Cut(words[0], "/")
	d, depthErr := strconv.Atoi(depth)
	s, timeErr := strconv.ParseFloat(words[1], 64)
	n, nodesErr := strconv.ParseUint(words[2], 10, 64)
	if !found || depthErr != nil || timeErr != nil || nodesErr != nil {
		return
	}
	p.Depth, p.MS, p.Nodes = d, math.Round(s*1e6)/1000, n
	sign, mate, isMate := strings.Cut(score, "M")
	if isMate {
		p.Mate, _ = strconv.Atoi(sign + mate)
	} else if pieces, err := strconv.ParseFloat(score, 64); err == nil {
		cp := int(math.Round(pieces * 100))
		p.CP = &cp
	}
}

// wrapper breaks lines between words.
type wrapper struct {
	out    *strings.Builder
	column int
}

func (w *wrapper) word(text string) {
	const width = 80
	switch {
	case w.column == 0:
	case w.column+1+len(text) > width:
		w.out.WriteByte('\n')
		w.column = 0
	default:
		w.out.WriteByte(' ')
		w.column++
	}
	w.out.WriteString(text)
	w.column += len(text)
}

// PGNWriter appends games to a file, each in one piece.
type PGNWriter struct {
	file              *os.File
	event, tournament string
	known             map[string]bool // by identity
}

// NewPGNWriter opens a file to append to. Where a tournament goes on, a last
// game that was not written to its end is cut off, and games that are there
// already are not written again.
func NewPGNWriter(path, event, tournament string, goesOn bool) (*PGNWriter, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	w := &PGNWriter{file: f, event: event, tournament: tournament, known: map[string]bool{}}
	if !goesOn {
		if err := w.endLine(); err != nil {
			_ = f.Close()
			return nil, err
		}
		return w, nil
	}
	text, err := io.ReadAll(f)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	r := NewPGNReader(bytes.NewReader(text))
	var whole int64
	for {
		g, err := r.Next()
		if err != nil {
			break
		}
		w.known[g.Tag(tagGameID)] = true
		whole = r.offset()
	}
	if torn := text[whole:]; len(bytes.TrimSpace(torn)) > 0 {
		if err := f.Truncate(whole); err != nil {
			_ = f.Close()
			return nil, err
		}
		if _, err := f.WriteString("\n\n"); err != nil {
			_ = f.Close()
			return nil, err
		}
	}
	if err := w.endLine(); err != nil {
		_ = f.Close()
		return nil, err
	}
	return w, nil
}

// endLine ends a last line that has no end, as of a file that came from
// elsewhere: the tags of the next game are to begin a line.
func (w *PGNWriter) endLine() error {
	info, err := w.file.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return err
	}
	last := make([]byte, 1)
	if _, err := w.file.ReadAt(last, info.Size()-1); err != nil {
		return err
	}
	if last[0] == '\n' {
		return nil
	}
	_, err = w.file.WriteString("\n\n")
	return err
}

// Add writes a game, unless it is there.
func (w *PGNWriter) Add(r Record) error {
	if w.known[w.tournament+"/"+r.ID] {
		return nil
	}
	text, err := FormatPGN(r, w.event, w.tournament)
	if err != nil {
		return err
	}
	if _, err := w.file.WriteString(text); err != nil {
		return fmt.Errorf("pgn: %w", err)
	}
	return nil
}

// Close closes the file.
func (w *PGNWriter) Close() error { return errors.Join(w.file.Sync(), w.file.Close()) }
