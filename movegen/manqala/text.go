package manqala

import (
	"fmt"
	"strconv"
	"strings"

	"qirkat/movegen"
)

// String is the position text.
func (p *Position) String() string {
	return movegen.Fields{
		Rows:   p.north() + "/" + p.south(),
		Turn:   p.turn,
		State:  fmt.Sprintf("%d,%d", p.Store(movegen.White), p.Store(movegen.Black)),
		Quiet:  int(p.quiet),
		Number: p.Number(p.rules.First()),
	}.String()
}

// north and south are the rows as South sees them, from left to right.
func (p *Position) north() string {
	var text [rowHouses]string
	for house := range rowHouses {
		text[rowHouses-1-house] = strconv.Itoa(p.Seeds(movegen.Black, house))
	}
	return strings.Join(text[:], ",")
}

func (p *Position) south() string {
	var text [rowHouses]string
	for house := range rowHouses {
		text[house] = strconv.Itoa(p.Seeds(movegen.White, house))
	}
	return strings.Join(text[:], ",")
}

// Set puts the position of a text on the board. On an error the old one stays.
func (p *Position) Set(text string) error {
	f, err := movegen.ParseFields(text, "STORES")
	if err != nil {
		return err
	}
	north, south, ok := strings.Cut(f.Rows, "/")
	if !ok || strings.Contains(south, "/") {
		return &movegen.TextError{Field: "ROWS", Text: f.Rows, Want: "want two rows, a2 to g2 and a1 to g1, with / between them"}
	}
	upper, err := parseNumbers("row 2", north, rowHouses)
	if err != nil {
		return err
	}
	lower, err := parseNumbers("row 1", south, rowHouses)
	if err != nil {
		return err
	}
	stores, err := parseNumbers("STORES", f.State, 2)
	if err != nil {
		return err
	}
	total := stores[0] + stores[1]
	var rows [2]row
	for house := range rowHouses {
		rows[movegen.White] = rows[movegen.White].with(house, lower[house])
		rows[movegen.Black] = rows[movegen.Black].with(house, upper[rowHouses-1-house])
		total += lower[house] + upper[house]
	}
	if total != allSeeds {
		return &movegen.TextError{Field: "ROWS and STORES", Text: f.Rows + " … " + f.State, Want: fmt.Sprintf("%d seeds in all, want %d", total, allSeeds)}
	}
	us, them := f.Turn, f.Turn.Other()
	s := state{
		own: rows[us], other: rows[them], ownStore: uint8(stores[us]), otherStore: uint8(stores[them]),
		turn: us, quiet: int32(f.Quiet),
	}
	p.Start(s, s.freshKey(), f)
	p.state = &p.Current().State
	return nil
}

// parseNumbers reads numbers of seeds, joined by commas.
func parseNumbers(field, text string, count int) ([]int, error) {
	words := strings.Split(text, ",")
	if len(words) != count {
		return nil, &movegen.TextError{Field: field, Text: text, Want: fmt.Sprintf("%d numbers, want %d, joined by commas", len(words), count)}
	}
	numbers := make([]int, count)
	for i, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || strconv.Itoa(n) != w || n < 0 || n > allSeeds {
			return nil, &movegen.TextError{Field: field, Text: text, Want: fmt.Sprintf("%q is no number from 0 to %d", movegen.Shorten(w), allSeeds)}
		}
		numbers[i] = n
	}
	return numbers, nil
}

const passText = "pass"

// Text is the canonical text of a legal move: the house as South names it.
func (p *Position) Text(m movegen.Move) string {
	if m == pass {
		return passText
	}
	return houseName(trackPlace(p.turn, int(m.From.First())))
}

// houseName is the name of a place of the track, counted by South.
func houseName(place int) string {
	if place < rowHouses {
		return string(rune('a'+place)) + "1"
	}
	return string(rune('a'+houses-1-place)) + "2"
}

// Find reads a move text: a house, its number from the mover's own left, or
// pass. The error is a *movegen.IllegalMove.
func (p *Position) Find(text string) (movegen.Move, error) {
	m, why, detail := p.read(text)
	if why != movegen.Legal {
		return movegen.Move{}, &movegen.IllegalMove{Text: text, Why: why, Detail: detail}
	}
	return m, nil
}

func (p *Position) read(text string) (m movegen.Move, why movegen.Why, detail string) {
	list := p.Moves(nil)
	word := strings.ToLower(text)
	us := p.turn & 1
	if word == passText {
		switch {
		case len(list) == 0:
			return m, movegen.GameOver, ""
		case list[0] != pass:
			return m, movegen.CannotPass, "such as " + p.Text(list[0])
		}
		return pass, movegen.Legal, ""
	}
	place, ok := p.place(word)
	switch {
	case !ok:
		return m, movegen.Unreadable, fmt.Sprintf("want a house %s to %s, a number 1 to 7 or pass",
			houseName(rowHouses*int(us)), houseName(rowHouses*int(us)+rowHouses-1))
	case len(list) == 0:
		return m, movegen.GameOver, ""
	case place/rowHouses != int(us):
		return m, movegen.NotYourHouse, houseName(place)
	case list[0] == pass:
		return m, movegen.MustPass, ""
	case p.own.seeds(place%rowHouses) == 0:
		return m, movegen.EmptyHouse, houseName(place)
	}
	for _, legal := range list {
		if legal.From == 1<<(place%rowHouses) {
			return legal, movegen.Legal, ""
		}
	}
	return m, movegen.MustFeed, "such as " + p.Text(list[0])
}

// place is the place on the track that a text names for the side to move.
func (p *Position) place(word string) (int, bool) {
	if len(word) == 1 && word[0] >= '1' && word[0] <= '7' {
		return trackPlace(p.turn, int(word[0]-'1')), true
	}
	for place := range houses {
		if houseName(place) == word {
			return place, true
		}
	}
	return 0, false
}

// Draw is the board as a picture of several lines, Black's row on top.
func (p *Position) Draw() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Black's store %d\n  ", p.Store(movegen.Black))
	for house := rowHouses - 1; house >= 0; house-- {
		fmt.Fprintf(&text, " %2d", p.Seeds(movegen.Black, house))
	}
	text.WriteString("  2\n  ")
	for house := range rowHouses {
		fmt.Fprintf(&text, " %2d", p.Seeds(movegen.White, house))
	}
	text.WriteString("  1\n  ")
	for house := range rowHouses {
		fmt.Fprintf(&text, "  %c", 'a'+house)
	}
	fmt.Fprintf(&text, "\nWhite's store %d\n", p.Store(movegen.White))
	return text.String()
}
