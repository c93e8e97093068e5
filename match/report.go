package match

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"qirkat/match/stats"
)

// Report is how a tournament stands, for people.
func (s *Standings) Report(c *Config) string {
	var text strings.Builder
	if len(s.Names) == 2 {
		s.reportTwo(&text, c)
	} else {
		text.WriteString(s.Table(c))
		text.WriteByte('\n')
		text.WriteString(s.CrossTable())
	}
	if s.games > 0 {
		fmt.Fprintf(&text, "First player: %s\n", wdl(s.firsts))
		fmt.Fprintf(&text, "Ended by: %s\n", s.ends())
	}
	if s.late > 0 {
		fmt.Fprintf(&text, "This program was late for %d moves, and excused them.\n", s.late)
	}
	return text.String()
}

func (s *Standings) reportTwo(text *strings.Builder, c *Config) {
	e := s.Between(0, 1)
	sum := s.Summary(c)
	p := sum.Pair
	fmt.Fprintf(text, "Score of %s against %s: %s, %d games\n", s.Names[0], s.Names[1], wdl(e.Games()), s.games)
	fmt.Fprintf(text, "As White %s, as Black %s\n", wdl(e.Colours[0]), wdl(e.Colours[1]))
	if c.Vela {
		fmt.Fprintf(text, "Series: %s\n", wdl(*p.Series))
	}
	if c.Points {
		fmt.Fprintf(text, "Match points: %s %d, %s %d\n", s.Names[0], e.Points[0], s.Names[1], e.Points[1])
	}
	fmt.Fprintf(text, "Elo %s, normalized Elo %s, LOS %.1f %%\n", interval(p.Elo), interval(p.NormalizedElo), 100*p.LOS)
	if !c.Vela {
		fmt.Fprintf(text, "Pairs of 0 to 2 points: %v, pair ratio %.2f, draw ratio %.1f %%\n", [5]int(p.Pentanomial), p.PairRatio, 100*p.DrawRatio)
	}
	if sum.SPRT != nil {
		fmt.Fprintln(text, sum.SPRT)
	}
}

// String is the state of the test in one line, with its model.
func (t *SPRTSummary) String() string {
	return fmt.Sprintf("SPRT of %s Elo %g against %g, alpha %g, beta %g: LLR %.2f of %.2f to %.2f, %s",
		t.Model, t.Elo1, t.Elo0, t.Alpha, t.Beta, t.LLR, t.Lower, t.Upper, t.Decision)
}

// Short is the state of a tournament of two engines in a few words.
func (s *Standings) Short(c *Config) string {
	if len(s.Names) != 2 {
		return ""
	}
	sum := s.Summary(c)
	p := sum.Pair
	text := fmt.Sprintf("%s  Elo %s ± %s  LOS %.1f %%", wdl(sum.Engines[0].Games), tenths(p.Elo.Value), tenths(p.Elo.Error()), 100*p.LOS)
	if t := sum.SPRT; t != nil {
		text += fmt.Sprintf("  LLR %.2f of %.2f to %.2f", t.LLR, t.Lower, t.Upper)
	}
	return text
}

// wdl writes wins, draws and losses, and the score.
func wdl(t stats.Trinomial) string {
	return fmt.Sprintf("+%d =%d -%d (%.1f %%)", t.Wins, t.Draws, t.Losses, 100*t.Score())
}

func interval(e stats.Estimate) string {
	return fmt.Sprintf("%s [%s, %s]", tenths(e.Value), tenths(e.Low), tenths(e.High))
}

// tenths writes a number with one digit behind the point, and no minus before
// zero.
func tenths(x float64) string {
	return strings.Replace(fmt.Sprintf("%.1f", x), "-0.0", "0.0", 1)
}

// ends counts the reasons, the most frequent first.
func (s *Standings) ends() string {
	var words []string
	for reason := range s.reasons {
		words = append(words, reason)
	}
	slices.SortFunc(words, func(a, b string) int {
		if s.reasons[a] != s.reasons[b] {
			return s.reasons[b] - s.reasons[a]
		}
		return strings.Compare(a, b)
	})
	for i, reason := range words {
		words[i] = fmt.Sprintf("%s %d", reason, s.reasons[reason])
	}
	return strings.Join(words, ", ")
}

// ranking is the order of the engines: by match points where those count, else
// by rating.
func (s *Standings) ranking(c *Config, ratings []stats.Estimate) []int {
	order := make([]int, len(s.Names))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c.Points {
			return s.MatchPoints(b) - s.MatchPoints(a)
		}
		switch {
		case ratings[a].Value > ratings[b].Value:
			return -1
		case ratings[a].Value < ratings[b].Value:
			return 1
		}
		return 0
	})
	return order
}

// Table ranks the engines, with joint ratings and their 95 % intervals.
func (s *Standings) Table(c *Config) string {
	ratings := s.Ratings()
	head := []string{"rank", "engine", "Elo", "±", "games", "+", "=", "-", "score"}
	if c.Points {
		head = append(head, "match points")
	}
	table := [][]string{head}
	for rank, i := range s.ranking(c, ratings) {
		t := s.Total(i)
		row := []string{
			strconv.Itoa(rank + 1), s.Names[i], tenths(ratings[i].Value), tenths(ratings[i].Error()),
			strconv.Itoa(t.Games()), strconv.Itoa(t.Wins), strconv.Itoa(t.Draws), strconv.Itoa(t.Losses), fmt.Sprintf("%.1f %%", 100*t.Score()),
		}
		if c.Points {
			row = append(row, strconv.Itoa(s.MatchPoints(i)))
		}
		table = append(table, row)
	}
	return align(table)
}

// CrossTable has what each engine scored against each: wins, draws and losses.
func (s *Standings) CrossTable() string {
	table := [][]string{{""}}
	for i := range s.Names {
		table[0] = append(table[0], strconv.Itoa(i+1))
	}
	for a, name := range s.Names {
		row := []string{fmt.Sprintf("%d %s", a+1, name)}
		for b := range s.Names {
			cell := ""
			if e := s.Between(a, b); a != b && e.Games() != (stats.Trinomial{}) {
				t := e.Games()
				cell = fmt.Sprintf("+%d =%d -%d", t.Wins, t.Draws, t.Losses)
			}
			row = append(row, cell)
		}
		table = append(table, row)
	}
	return align(table)
}

// align sets columns: names to the left, the others to the right.
func align(table [][]string) string {
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var text strings.Builder
	for _, row := range table {
		var line strings.Builder
		for i, cell := range row {
			gap := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i > 0 {
				line.WriteString("  ")
			}
			if left := i == 0 && len(table[0]) > 0 && table[0][0] == "" || table[0][i] == "engine"; left {
				line.WriteString(cell + gap)
			} else {
				line.WriteString(gap + cell)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return text.String()
}

// FaultReport tells of a forfeit: whose fault it was, and the last lines to and
// from the engine.
func FaultReport(r Record) string {
	f := r.Fault
	var text strings.Builder
	fmt.Fprintf(&text, "Fault of %s (player %d) in game %s of %s: %s: %s\n", f.Engine, f.Player, r.ID, r.Variant, f.Reason, f.Detail)
	for _, l := range f.Lines {
		fmt.Fprintf(&text, "    %s\n", l)
	}
	return text.String()
}

// GameLine tells of a finished game in one line.
func GameLine(r Record, played, known int) string {
	result := map[Result]string{P1Win: r.Players[0] + " wins", P2Win: r.Players[1] + " wins", Drawn: "draw"}[r.Result]
	return fmt.Sprintf("%d/%d  %s: %s against %s, %s: %s (%s, %d plies)",
		played, known, r.ID, r.Players[0], r.Players[1], r.Variant, result, r.Reason, len(r.Opening.Moves)+len(r.Plies))
}
