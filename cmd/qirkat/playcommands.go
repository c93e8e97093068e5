package main

import (
	"slices"
	"strings"

	"qirkat/movegen"
)

// playCommand is what a person can type beside moves.
type playCommand struct {
	name, args, help string
	run              func(m *session, args []string)
}

// playCommands is the table of commands.
func playCommands() []playCommand {
	return []playCommand{
		{"moves", "[BEGINNING]", "list the legal moves, or those that begin so", (*session).listMoves},
		{"huff", "[POINT]", "list the turns that huff a piece first", (*session).listHuffs},
		{"hint", "", "ask the engine for a move", (*session).hint},
		{"undo", "", "take back your last turn and what followed", (*session).undo},
		{"side", "first|second|white|black|both|none", "change the side that you play", (*session).changeSide},
		{"level", "N|TIME|NAME", "change how well the engine plays: plies, a time, or " + strings.Join(weakNames(), ", "), (*session).changeLevel},
		{"board", "", "draw the board again", (*session).drawBoard},
		{"fen", "", "print the position text", (*session).printPosition},
		{"resign", "", "give the game up", (*session).resign},
		{"help", "", "print this list", (*session).help},
		{"quit", "", "leave", func(m *session, _ []string) { m.leaving = true }},
	}
}

func commandNames() []string {
	var names []string
	for _, c := range playCommands() {
		names = append(names, c.name)
	}
	return names
}

func (m *session) help([]string) {
	m.say("A move is typed as it is listed; its beginning is enough where no other move\nbegins so. Commands:\n")
	for _, c := range playCommands() {
		m.say("  %-44s %s\n", strings.TrimSpace(c.name+" "+c.args), c.help)
	}
}

func (m *session) listMoves(args []string) {
	fits := withPrefix(m.legal(), strings.Join(args, ""))
	if m.over() || len(fits) == 0 {
		m.say("There is no such move.\n")
		return
	}
	m.say("%s\n", columns(fits))
}

func (m *session) listHuffs(args []string) {
	point := "x" + strings.TrimPrefix(strings.Join(args, ""), "x")
	fits := withPrefix(m.legal(), point)
	switch {
	case !m.game.Variant().Huffing:
		m.say("There is no huffing in this game: a capture that is possible must be made.\n")
	case m.over() || len(fits) == 0:
		m.say("There is nothing to huff there now.\n")
	default:
		m.say("%s\n", columns(fits))
	}
}

func (m *session) hint([]string) {
	if m.over() {
		m.say("The game is over.\n")
		return
	}
	found := m.search(m.evaluation.of(m.game.Clone()), m.level.Limits)
	m.say("Hint: %s (%s). Expected: %s\n", m.game.Text(found.Best), scoreWords(found.Score),
		strings.Join(texts(m.game, found.PV), " "))
}

// undo takes back turns until it is the person's turn again, at least one of
// the person's.
func (m *session) undo([]string) {
	if m.resigned {
		m.resigned = false
		m.say("The game goes on.\n")
		return
	}
	if !slices.ContainsFunc(m.played, func(s movegen.Side) bool { return m.person[s] }) {
		m.say("There is no turn of yours to take back.\n")
		return
	}
	for taken := false; !taken; {
		taken = m.person[m.played[len(m.played)-1]]
		m.takeBack()
	}
}

func (m *session) changeSide(args []string) {
	word := strings.ToLower(strings.Join(args, ""))
	if !slices.Contains(sideWords, word) {
		m.say("side %q: want %s.\n", word, strings.Join(sideWords, ", "))
		return
	}
	m.seat(word)
	m.say("%s.\n", m.seating())
}

func (m *session) changeLevel(args []string) {
	if err := m.level.Set(strings.Join(args, "")); err != nil {
		m.say("%v.\n", err)
		return
	}
	m.say("The engine thinks %s.\n", m.level.words())
}

func (m *session) drawBoard([]string) { m.say("\n%s\n", m.game.Draw()) }

func (m *session) printPosition([]string) { m.say("%s\n", m.game) }

func (m *session) resign([]string) {
	if m.over() {
		m.say("The game is over already.\n")
		return
	}
	m.resigned = true
	m.tellEnd()
}
