package games_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"qirkat/movegen"
)

// badPosition is a position text that cannot be; the error says so after
// "position: ".
type badPosition struct{ rules, text, want string }

// badPositions has all that section 1 of the rule book refuses, field by field.
func badPositions() []badPosition {
	return []badPosition{
		// The fields, and the blanks between them.
		{"alquerque", "",
			`blanks of "": want single blanks between the fields ROWS SIDE STATE QUIET MOVE`},
		{"alquerque", " ",
			`blanks of " ": want single blanks between the fields ROWS SIDE STATE QUIET MOVE`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww",
			`fields of "bbbbb/bbbbb/bb1ww/wwwww/wwwww": got 1, want ROWS SIDE STATE QUIET MOVE, the last two optional`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w",
			`fields of "bbbbb/bbbbb/bb1ww/wwwww/wwwww w": got 2, want ROWS SIDE STATE QUIET MOVE, the last two optional`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww  w - 0 1",
			`blanks of "bbbbb/bbbbb/bb1ww/wwwww/wwwww  w - 0 1": want single blanks between the fields ROWS SIDE STATE QUIET MOVE`},
		{"alquerque", " bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1",
			`blanks of " bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1": want single blanks between the fields ROWS SIDE STATE QUIET MOVE`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1 ",
			`blanks of "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1 ": want single blanks between the fields ROWS SIDE STATE QUIET MOVE`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1 x",
			`fields of "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1 x": got 6, want ROWS SIDE STATE QUIET MOVE, the last two optional`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww\tw - 0 1",
			`SIDE "-": want w or b`},
		// ROWS: their number, their length, their letters.
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww w - 0 1",
			`ROWS "bbbbb/bbbbb/bb1ww/wwwww": got 4 rows, want 5`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww/5 w - 0 1",
			`ROWS "bbbbb/bbbbb/bb1ww/wwwww/wwwww/5": got 6 rows, want 5`},
		{"alquerque", "//// w - 0 1",
			`row 5 of "////", "": 0 points, want 5`},
		{"alquerque", "bbbbb/bbbb/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bbbb/bb1ww/wwwww/wwwww", "bbbb": 4 points, want 5`},
		{"alquerque", "bbbbb/bbbbb1/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bbbbb1/bb1ww/wwwww/wwwww", "bbbbb1": 6 points, want 5`},
		{"alquerque", "bbbbb/bbbbbb/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bbbbbb/bb1ww/wwwww/wwwww", "bbbbbb": more than 5 points`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/9 w - 0 1",
			`row 1 of "bbbbb/bbbbb/bb1ww/wwwww/9", "9": 9 points, want 5`},
		{"alquerque", "bbbbb/bbxbb/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bbxbb/bb1ww/wwwww/wwwww", "bbxbb": unknown piece 'x', want b, w or a digit`},
		{"alquerque", "bbbbb/bbBbb/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bbBbb/bb1ww/wwwww/wwwww", "bbBbb": unknown piece 'B', want b, w or a digit`},
		{"alquerque", "bbbbb/bbébb/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bbébb/bb1ww/wwwww/wwwww", "bbébb": unknown piece 'é', want b, w or a digit`},
		{"alquerque", "bbbbb/bb\xffbb/bb1ww/wwwww/wwwww w - 0 1",
			"row 4 of \"bbbbb/bb\\xffbb/bb1ww/wwwww/wwwww\", \"bb\\xffbb\": unknown piece '�', want b, w or a digit"},
		{"alquerque", "bbbbb/bb٣/bb1ww/wwwww/wwwww w - 0 1",
			`row 4 of "bbbbb/bb٣/bb1ww/wwwww/wwwww", "bb٣": unknown piece '٣', want b, w or a digit`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/05 w - 0 1",
			`row 1 of "bbbbb/bbbbb/bb1ww/wwwww/05", "05": a 0 counts no point, want b, w or a digit from 1`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww0 w - 0 1",
			`row 1 of "bbbbb/bbbbb/bb1ww/wwwww/wwwww0", "wwwww0": a 0 counts no point, want b, w or a digit from 1`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/23 w - 0 1",
			`row 1 of "bbbbb/bbbbb/bb1ww/wwwww/23", "23": a number follows a number, want one number for a run of empty points`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/1111111111111111111111 w - 0 1",
			`row 1 of "bbbbb/bbbbb/bb1ww/wwwww/1111111111111111111111", "1111111111111111111111": a number follows a number, want one number for a run of empty points`},
		{"fanorona", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1",
			`row 5 of "bbbbb/bbbbb/bb1ww/wwwww/wwwww", "bbbbb": 5 points, want 9`},
		// ROWS: the pieces.
		{"alquerque", "5/5/5/5/5 w - 0 1",
			`ROWS "5/5/5/5/5": no piece at all`},
		{"alquerque", "wwwww/wwwww/bb1ww/wwwww/wwwww w - 0 1",
			`ROWS "wwwww/wwwww/bb1ww/wwwww/wwwww": White has 22 pieces, the variant has at most 12`},
		{"alquerque", "bbbbb/bbbbb/bb1bb/wwwww/wwwww w - 0 1",
			`ROWS "bbbbb/bbbbb/bb1bb/wwwww/wwwww": Black has 14 pieces, the variant has at most 12`},
		{"fanorona-telo", "bbb/bbw/1w1 w - 0 1",
			`ROWS "bbb/bbw/1w1": Black has 5 pieces, the variant has at most 4`},
		// SIDE, QUIET and MOVE.
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww x - 0 1",
			`SIDE "x": want w or b`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww W - 0 1",
			`SIDE "W": want w or b`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - -1 1",
			`QUIET "-1": want a number from 0 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 01 1",
			`QUIET "01": want a number from 0 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - +1 1",
			`QUIET "+1": want a number from 0 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 1.5 1",
			`QUIET "1.5": want a number from 0 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - x",
			`QUIET "x": want a number from 0 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 99999999999999999999 1",
			`QUIET "99999999999999999999": want a number from 0 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 0",
			`MOVE "0": want a number from 1 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 -1",
			`MOVE "-1": want a number from 1 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 01",
			`MOVE "01": want a number from 1 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1x",
			`MOVE "1x": want a number from 1 to 1000000`},
		{"alquerque", "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 18446744073709551617",
			`MOVE "18446744073709551617": want a number from 1 to 1000000`},
		// STATE: the words.
		{"alquerque-bell", "5/3b1/5/1w3/5 w x 0 1",
			`STATE token "x": want - or the tokens rw:, rb: and h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w -,h:d4 0 1",
			`STATE token "-": want - or the tokens rw:, rb: and h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w h:d4, 0 1",
			`STATE token "": want - or the tokens rw:, rb: and h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w RW:b1b2 0 1",
			`STATE token "RW:b1b2": want - or the tokens rw:, rb: and h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w h:d4,h:d4 0 1",
			`STATE token "h:d4": want each token once, in the order rw:, rb:, h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w h:d4,rw:b1b2 0 1",
			`STATE token "rw:b1b2": want each token once, in the order rw:, rb:, h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rb:d5d4,rw:b1b2 0 1",
			`STATE token "rw:b1b2": want each token once, in the order rw:, rb:, h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b1b2,rw:b1b2 0 1",
			`STATE token "rw:b1b2": want each token once, in the order rw:, rb:, h:`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw 0 1",
			`STATE token "rw": want points of the board behind the colon, such as rw:b2c2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw: 0 1",
			`STATE token "rw:": want points of the board behind the colon, such as rw:b2c2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b1 0 1",
			`STATE token "rw:b1": want the two points of a step`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b1b2b3 0 1",
			`STATE token "rw:b1b2b3": want the two points of a step`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b1b6 0 1",
			`STATE token "rw:b1b6": want points of the board behind the colon, such as rw:b2c2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:B1B2 0 1",
			`STATE token "rw:B1B2": want points of the board behind the colon, such as rw:b2c2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b1-b2 0 1",
			`STATE token "rw:b1-b2": want points of the board behind the colon, such as rw:b2c2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w h 0 1",
			`STATE token "h": want points of the board behind the colon, such as h:c3`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w h:d 0 1",
			`STATE token "h:d": want points of the board behind the colon, such as h:c3`},
		// STATE: a token of a rule that is not in force.
		{"alquerque", "5/3b1/5/1w3/5 w rw:b1b2 0 1",
			`STATE token "rw:b1b2": the rule no return is not in force`},
		{"alquerque", "5/3b1/5/1w3/5 w h:d4 0 1",
			`STATE token "h:d4": huffing is not in force`},
		{"alquerque-bell NoReturn=off", "5/3b1/5/1w3/5 w rw:b1b2 0 1",
			`STATE token "rw:b1b2": the rule no return is not in force`},
		{"quirkat Huffing=off", "5/3b1/5/1w3/5 w h:d4 0 1",
			`STATE token "h:d4": huffing is not in force`},
		{"fanorona", "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w h:a5 0 1",
			`STATE "h:a5": Fanorona has none, want -`},
		// STATE: a step that cannot have been.
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b2b3 0 1",
			`STATE token "rw:b2b3": no piece of White on b3`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:d5d4 0 1",
			`STATE token "rw:d5d4": no piece of White on d4`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b3b2 0 1",
			`STATE token "rw:b3b2": White has no step from b3 to b2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:b2b2 0 1",
			`STATE token "rw:b2b2": White has no step from b2 to b2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rw:d2b2 0 1",
			`STATE token "rw:d2b2": White has no step from d2 to b2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w rb:d3d4 0 1",
			`STATE token "rb:d3d4": Black has no step from d3 to d4`},
		{"alquerque-bell", "5/5/3b1/2w2/1b3 w rw:b1c2 0 1",
			`STATE token "rw:b1c2": White has no step from b1 to c2`},
		{"alquerque-bell", "ww3/3b1/5/5/5 b rw:a5b5 0 1",
			`STATE token "rw:a5b5": White has no step from a5 to b5`},
		{"alquerque-bell", "5/3b1/5/1w3/w4 b rw:a1b2 0 1",
			`STATE token "rw:a1b2": White moved last, so a1 must be empty`},
		{"alquerque-bell", "5/3b1/5/1w3/b4 b rw:a1b2 0 1",
			`STATE token "rw:a1b2": White moved last, so a1 must be empty`},
		// STATE: pieces that cannot be huffed.
		{"alquerque-bell", "5/3b1/5/1w3/5 w h:b2 0 1",
			`STATE token "h:b2": no piece of Black on b2`},
		{"alquerque-bell", "5/3b1/5/1w3/5 w h:c3 0 1",
			`STATE token "h:c3": no piece of Black on c3`},
		{"alquerque-bell", "5/3b1/5/1w1b1/5 w h:d4d2 0 1",
			`STATE token "h:d4d2": want the points once each, in the order a1, b1, …, a2`},
		{"alquerque-bell", "5/3b1/5/1w1b1/5 w h:d2d2 0 1",
			`STATE token "h:d2d2": want the points once each, in the order a1, b1, …, a2`},
		{"quirkat", "5/3b1/5/1w1b1/5 w h:d2d4 0 1",
			`STATE token "h:d2d4": only the piece that moved can be huffed, want one point`},
		// Al-manqala.
		{"al-manqala", "7,7,7,7,7,7,7 w 0,0 0 1",
			`ROWS "7,7,7,7,7,7,7": want two rows, a2 to g2 and a1 to g1, with / between them`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7/ w 0,0 0 1",
			`ROWS "7,7,7,7,7,7,7/7,7,7,7,7,7,7/": want two rows, a2 to g2 and a1 to g1, with / between them`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7 w 0,0 0 1",
			`row 1 "7,7,7,7,7,7": 6 numbers, want 7, joined by commas`},
		{"al-manqala", "7,7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1",
			`row 2 "7,7,7,7,7,7,7,7": 8 numbers, want 7, joined by commas`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,07 w 0,0 0 1",
			`row 1 "7,7,7,7,7,7,07": "07" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,-7 w 0,14 0 1",
			`row 1 "7,7,7,7,7,7,-7": "-7" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,,7,7,7 w 0,0 0 1",
			`row 1 "7,7,7,,7,7,7": "" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/x,7,7,7,7,7,7 w 0,0 0 1",
			`row 1 "x,7,7,7,7,7,7": "x" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/99,7,7,7,7,7,7 w 0,0 0 1",
			`row 1 "99,7,7,7,7,7,7": "99" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,9999999999999999999999 w 0,0 0 1",
			`row 1 "7,7,7,7,7,7,9999999999999999999999": "9999999999999999999999" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w - 0 1",
			`STORES "-": 1 numbers, want 2, joined by commas`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0 0 1",
			`STORES "0": 1 numbers, want 2, joined by commas`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0,0 0 1",
			`STORES "0,0,0": 3 numbers, want 2, joined by commas`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w ,0 0 1",
			`STORES ",0": "" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 00,0 0 1",
			`STORES "00,0": "00" is no number from 0 to 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,1 0 1",
			`ROWS and STORES "7,7,7,7,7,7,7/7,7,7,7,7,7,7 … 0,1": 99 seeds in all, want 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,6 w 0,0 0 1",
			`ROWS and STORES "7,7,7,7,7,7,7/7,7,7,7,7,7,6 … 0,0": 97 seeds in all, want 98`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 x 0,0 0 1",
			`SIDE "x": want w or b`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 0",
			`MOVE "0": want a number from 1 to 1000000`},
	}
}

func TestBadPositions(t *testing.T) {
	for _, c := range badPositions() {
		words := strings.Fields(c.rules)
		g := begun(t, rulesOf(t, words[0], words[1:]...))
		before := snap(g)
		err := g.Set(c.text)
		var field *movegen.TextError
		if !errors.As(err, &field) || err.Error() != "position: "+c.want {
			t.Errorf("%s: Set(%q)\n got %v\nwant position: %s", c.rules, c.text, err, c.want)
		}
		if after := snap(g); after != before {
			t.Errorf("%s: after Set(%q) %+v, before %+v", c.rules, c.text, after, before)
		}
		g.Unmake() // the turns before it stay, too
		g.Unmake()
		if got := strings.Fields(g.String())[0]; got != strings.Fields(g.Variant().Start)[0] {
			t.Errorf("%s: after Set(%q) the game began with %q", c.rules, c.text, got)
		}
	}
}

// begun is a game after two turns.
func begun(t *testing.T, r rules) *game {
	t.Helper()
	g, err := r.setUp(r.Start)
	if err != nil {
		t.Fatal(err)
	}
	g.play(g.list[0])
	g.play(g.list[0])
	return g
}

// The last two fields may be left out, and what is left out is 0 and 1.
func TestFieldsLeftOut(t *testing.T) {
	for _, c := range []struct{ rules, text, want string }{
		{"quirkat", "5/3b1/5/1w1b1/5 w h:d2", "5/3b1/5/1w1b1/5 w h:d2 0 1"},
		{"fanorona-telo", "3/2b/w2 b - 7", "3/2b/w2 b - 7 1"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,6 w 1,0", "7,7,7,7,7,7,7/7,7,7,7,7,7,6 w 1,0 0 1"},
	} {
		g := rulesOf(t, c.rules).game()
		if err := g.Set(c.text); err != nil || g.String() != c.want {
			t.Errorf("%s: Set(%q) gives %q, %v, want %q", c.rules, c.text, g, err, c.want)
		}
	}
}

// badMove is a move text that cannot be played, and the rule that it breaks;
// the error says so after the move.
type badMove struct {
	rules, position, text string
	why                   movegen.Why
	want                  string
}

// badMoves has every reason at least once.
func badMoves() []badMove {
	return []badMove{
		// A text that is no move.
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "", movegen.Unreadable,
			"not a move: it ends early, want points such as b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2", movegen.Unreadable,
			"not a move: a turn visits at least two points, such as b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b", movegen.Unreadable,
			`not a move: "b" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b9", movegen.Unreadable,
			"not a move: there is no point b9 on a 5x5 board"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2f3", movegen.Unreadable,
			"not a move: there is no point f3 on a 5x5 board"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b3+", movegen.Unreadable,
			"not a move: it ends early, want points such as b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "+b2b3", movegen.Unreadable,
			`not a move: "+b2b3" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "-b2b3", movegen.Unreadable,
			`not a move: "-b2b3" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b3-", movegen.Unreadable,
			"not a move: it ends early, want points such as b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2 b3", movegen.Unreadable,
			`not a move: " b3" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b3 ", movegen.Unreadable,
			`not a move: " " is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "0000", movegen.Unreadable,
			`not a move: "0000" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "pass", movegen.Unreadable,
			`not a move: "pass" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2é3", movegen.Unreadable,
			`not a move: "é3" is out of place, want points such as b2b3`},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2\xff3", movegen.Unreadable,
			"not a move: \"\\xff3\" is out of place, want points such as b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "x", movegen.Unreadable,
			"not a move: a huff is written as x, the point huffed, and then : and the turn, such as xc3:b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "xb", movegen.Unreadable,
			"not a move: a huff is written as x, the point huffed, and then : and the turn, such as xc3:b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "xz9:b2b3", movegen.Unreadable,
			"not a move: a huff is written as x, the point huffed, and then : and the turn, such as xc3:b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "xe5:", movegen.Unreadable,
			"not a move: a huff is written as x, the point huffed, and then : and the turn, such as xc3:b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "xe5b2b3", movegen.Unreadable,
			"not a move: a huff is written as x, the point huffed, and then : and the turn, such as xc3:b2b3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "xe5:xe5:b2b3", movegen.Unreadable,
			`not a move: "xe5:b2b3" is out of place, want points such as b2b3`},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "", movegen.Unreadable,
			"not a move: want a house a1 to g1, a number 1 to 7 or pass"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "0", movegen.Unreadable,
			"not a move: want a house a1 to g1, a number 1 to 7 or pass"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "8", movegen.Unreadable,
			"not a move: want a house a1 to g1, a number 1 to 7 or pass"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "h1", movegen.Unreadable,
			"not a move: want a house a1 to g1, a number 1 to 7 or pass"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "a1b1", movegen.Unreadable,
			"not a move: want a house a1 to g1, a number 1 to 7 or pass"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "１", movegen.Unreadable,
			"not a move: want a house a1 to g1, a number 1 to 7 or pass"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 b 0,0 0 1", "a3", movegen.Unreadable,
			"not a move: want a house g2 to a2, a number 1 to 7 or pass"},
		// The game is over.
		{"alquerque", "4w/5/5/5/5 b - 0 1", "a1a2", movegen.GameOver,
			"the game is over"},
		{"alquerque", "wbb2/bb3/b1b2/5/5 w - 1 5", "a5a4", movegen.GameOver,
			"the game is over"},
		{"alquerque Huffing=on", "4b/5/5/5/w4 b h:a1 1 1", "xa1:e5e4", movegen.GameOver,
			"the game is over: after the huff"},
		{"fanorona-telo", "3/1w1/3 b - 0 5", "a1a2", movegen.GameOver,
			"the game is over"},
		{"fanorona-dimy", "5/5/b4/bb3/wb3 w - 1 5", "a1a2", movegen.GameOver,
			"the game is over"},
		{"al-manqala", "0,0,0,0,0,0,1/1,0,0,0,0,0,0 w 50,46 0 9", "a1", movegen.GameOver,
			"the game is over"},
		{"al-manqala", "0,0,0,0,0,0,1/1,0,0,0,0,0,0 w 50,46 0 9", "pass", movegen.GameOver,
			"the game is over"},
		// The points.
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "a1a2", movegen.NoPiece,
			"no piece there: a1"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "e5e4", movegen.NotYours,
			"not a piece of the side to move: e5"},
		{"alquerque", "4b/5/5/1ww2/5 w - 0 1", "b2c2", movegen.Occupied,
			"the point is occupied: c2"},
		{"alquerque", "4b/5/w4/b4/w4 w - 0 1", "a1a3", movegen.Occupied,
			"the point is occupied: a3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b2", movegen.NoLine,
			"no line leads there: b2 to b2"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2c4", movegen.NoLine,
			"no line leads there: b2 to c4"},
		{"alquerque", "4b/5/5/w4/5 w - 0 1", "a2b3", movegen.NoLine,
			"no line leads there: a2 to b3"},
		{"alquerque", "4b/5/3w1/2b2/1w3 w - 0 1", "b1d3", movegen.NoLine,
			"no line leads there: b1 to d3"},
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "b2b4", movegen.NothingToJump,
			"no enemy piece to jump: on b3"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "b2b3", movegen.NoPiece,
			"no piece there: b2"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "c3b2", movegen.NotYours,
			"not a piece of the side to move: c3"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "a1a3", movegen.NoLine,
			"no line leads there: a1 to a3"},
		{"fanorona-telo", "3/1wb/w2 w - 0 1", "a1b2A", movegen.Occupied,
			"the point is occupied: on the way to b2"},
		{"fanorona-vela", "bbbbb4/9/b8/9/w8 b - 0 1", "a5b5", movegen.Occupied,
			"the point is occupied: b5"},
		// Directions, and the way back.
		{"alquerque-bell", "5/5/b4/2w2/5 w - 0 1", "c2c1", movegen.WrongDirection,
			"the direction is closed: c2 to c1"},
		{"alquerque-bell", "5/5/2w2/2b2/5 w - 0 1", "c3c1", movegen.WrongDirection,
			"the direction is closed: c3 to c1"},
		{"alquerque-bell", "w4/5/b4/2w2/5 w - 0 1", "a5b5", movegen.FarRow,
			"a piece on the far row does not step: a5"},
		{"alquerque-bell", "wb3/b4/5/5/5 w - 0 1", "a5a3", movegen.WrongDirection,
			"the direction is closed: a5 to a3"},
		{"alquerque NoBackward=on", "5/5/2w2/5/4b w - 0 1", "c3b2", movegen.WrongDirection,
			"the direction is closed: c3 to b2"},
		{"alquerque NoReturn=on", "4b/5/5/w4/5 w rw:a1a2 2 2", "a2a1", movegen.TakenBack,
			"no return: a step may not be taken back at once"},
		// Captures that are compulsory.
		{"alquerque", "5/3b1/5/1b3/w3w w - 0 1", "e1e2", movegen.CaptureCompulsory,
			"capture is compulsory: such as a1c3e5"},
		{"alquerque", "5/3b1/5/1b3/w3w w - 0 1", "a1c3", movegen.ChainGoesOn,
			"the piece can go on capturing and must: to e5"},
		{"alquerque", "5/3b1/5/1b3/w3w w - 0 1", "a1c3+e1e2", movegen.ChainGoesOn,
			"the piece can go on capturing and must"},
		{"quirkat Huffing=off", "5/b2b1/w4/1b3/w4 w - 0 1", "a3a5", movegen.MaximumCompulsory,
			"more pieces can be taken and must be: such as a1c3e5"},
		{"alquerque-modern MultiPiece=on", "4b/5/5/2b2/wbw2 w - 0 1", "c1c3", movegen.MultiCompulsory,
			"the turn opened a new jump that must be made: a1c1"},
		{"alquerque-modern MultiPiece=on", "5/4b/4w/2b2/wbw2 w - 0 1", "e3e5+c1c3", movegen.NoNewJump,
			"a further chain must begin with a jump that the turn opened: c1c3"},
		{"alquerque", "4b/5/5/1b1b1/w3w w - 0 1", "a1c3+e1c3", movegen.NoNewJump,
			"a further chain must begin with a jump that the turn opened: e1c3"},
		// Huffs.
		{"alquerque", "4b/5/5/1w3/5 w - 0 1", "xe5:b2b3", movegen.NoHuff,
			"no piece may be huffed there: e5"},
		{"alquerque Huffing=on", "4b/5/5/4w/w4 b h:a1 1 1", "xe2:e5e4", movegen.NoHuff,
			"no piece may be huffed there: e2"},
		{"alquerque Huffing=on", "4b/5/5/4w/w4 b h:a1 1 1", "xe2", movegen.NoHuff,
			"no piece may be huffed there: e2"},
		{"alquerque Huffing=on", "4b/5/5/4w/w4 b h:a1 1 1", "xa1", movegen.HuffAlone,
			"a huff goes on with a turn unless it takes the last enemy piece"},
		{"alquerque-bell", "5/5/5/5/bw2w b h:b1 1 1", "xb1:a1b1", movegen.HuffBlocks,
			"after the huff no legal turn is left"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "xc3:a1b2", movegen.NoHuff,
			"no piece may be huffed there: Fanorona knows no huffing"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "xc3", movegen.NoHuff,
			"no piece may be huffed there: Fanorona knows no huffing"},
		// Fanorona.
		{"fanorona-telo", "2b/3/w2 w - 0 1", "a1a2", movegen.CaptureCompulsory,
			"capture is compulsory: such as a1b2A"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "a1a2A", movegen.NothingTaken,
			"the step captures nothing that way: on the way to a2"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "a1b2W", movegen.NothingTaken,
			"the step captures nothing that way: on the way to b2"},
		{"fanorona-telo", "3/2b/w2 w - 0 1", "a1a2A", movegen.NothingTaken,
			"the step captures nothing that way: no capture is possible now"},
		{"fanorona-telo", "3/2b/w2 w - 0 1", "a1a2a3", movegen.NothingTaken,
			"the step captures nothing that way: no capture is possible now"},
		{"fanorona-telo", "2b/3/w2 w - 0 1", "a1b2+b2a1", movegen.NoNewJump,
			"a further chain must begin with a jump that the turn opened: Fanorona moves one piece a turn"},
		{"fanorona-dimy", "5/5/bw1b1/5/5 w - 0 1", "b3c3", movegen.Ambiguous,
			"approach or withdrawal must be said with A or W"},
		{"fanorona-dimy", "5/5/1w1b1/5/b4 w - 0 1", "b3c3Ab3A", movegen.VisitedTwice,
			"point visited twice: on the way to b3"},
		{"fanorona-dimy", "5/5/1w1b1/5/b4 w - 0 1", "b3c3Ad3A", movegen.SameDirection,
			"a capturing step must change direction: on the way to d3"},
		{"fanorona-dimy", "5/5/1w1b1/5/b4 w - 0 1", "b3c3Ac4A", movegen.NothingTaken,
			"the step captures nothing that way: on the way to c4"},
		{"fanorona-dimy FirstMove=single", "bbbbb/bbbb1/w1b2/5/1b2b w - 0 1", "a3b3Ab2A", movegen.SingleStep,
			"only one capturing step is allowed now: on the way to b2"},
		{"fanorona-vela", "bbbbb4/9/w1b6/9/1b7 w - 0 1", "a3b3Ab2A", movegen.SingleStep,
			"only one capturing step is allowed now: on the way to b2"},
		{"fanorona-vela", "bbbbb4/9/b8/9/w8 b - 0 1", "a3a4", movegen.MustOffer,
			"in the vela Black must leave a capture"},
		{"fanorona-vela", "bbbbb4/9/b8/9/w8 b - 0 1", "a3a2A", movegen.NoCaptureInVela,
			"in the vela Black may not capture"},
		{"fanorona-vela", "bbbbb4/9/b8/9/w8 b - 0 1", "a3a2a1", movegen.NoCaptureInVela,
			"in the vela Black may not capture"},
		// Al-manqala.
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "a2", movegen.NotYourHouse,
			"not a house of the side to move: a2"},
		{"al-manqala", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "pass", movegen.CannotPass,
			"there are seeds to sow, pass is not legal: such as a1"},
		{"al-manqala", "0,0,0,0,0,0,7/0,7,0,0,0,0,0 w 42,42 0 1", "a1", movegen.EmptyHouse,
			"the house is empty: a1"},
		{"al-manqala", "0,0,0,0,0,0,0/1,0,0,0,0,1,1 w 48,47 0 1", "f1", movegen.MustFeed,
			"the opponent must be fed: such as g1"},
		{"al-manqala", "0,0,0,0,0,0,1/0,0,0,0,0,0,0 w 48,49 3 9", "a1", movegen.MustPass,
			"there is no seed to sow, only pass is legal"},
	}
}

func TestBadMoves(t *testing.T) {
	reached := make(map[movegen.Why]bool)
	for _, c := range badMoves() {
		words := strings.Fields(c.rules)
		g, err := rulesOf(t, words[0], words[1:]...).setUp(c.position)
		if err != nil {
			t.Fatal(err)
		}
		before := snap(g)
		m, err := g.Find(c.text)
		var illegal *movegen.IllegalMove
		if !errors.As(err, &illegal) {
			t.Errorf("%s, %q: Find(%q) = %s, want %s", c.rules, c.position, c.text, g.found(m, err), c.want)
			continue
		}
		reached[illegal.Why] = true
		_, got, _ := strings.Cut(err.Error(), `": `)
		if illegal.Why != c.why || got != c.want || illegal.Text != c.text {
			t.Errorf("%s, %q: Find(%q)\n got %v (Why %d)\nwant …%s (Why %d)", c.rules, c.position, c.text, err, illegal.Why, c.want, c.why)
		}
		if after := snap(g); after != before || !slices.Equal(g.Moves(nil), g.list) {
			t.Errorf("%s: after Find(%q) %+v, before %+v", c.rules, c.text, after, before)
		}
	}
	for why := movegen.Unreadable; why <= movegen.CannotPass; why++ {
		if !reached[why] {
			t.Errorf("no row has the reason %d", why)
		}
	}
}

// The letters of Fanorona's captures mean nothing elsewhere.
func TestLettersAreFanoronas(t *testing.T) {
	g, err := rulesOf(t, "alquerque").setUp("5/3b1/5/1b3/w4 w - 0 1")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"a1c3A", "a1c3Ae5W"} {
		if m, err := g.Find(text); err == nil {
			t.Errorf("Find(%q) = %s, want an error", text, g.Text(m))
		}
	}
}

// An error quotes no more than a line of what it was given.
func TestErrorsAreShort(t *testing.T) {
	const aLine, muchText = 500, 20_000
	for _, r := range []rules{rulesOf(t, "alquerque-bell"), rulesOf(t, "fanorona"), rulesOf(t, "al-manqala")} {
		g := r.game()
		rows, rest, _ := strings.Cut(r.Start, " ")
		longest := make(map[string]int) // by what was read
		for _, piece := range []string{"b", "b2", "!", "/", ",", " ", "9", "é", "7,"} {
			much := strings.Repeat(piece, muchText)
			for where, position := range map[string]string{
				"all": much, "ROWS": much + " " + rest, "STATE": rows + " w " + much, "MOVE": r.Start + much,
			} {
				if err := g.Set(position); err != nil {
					longest[where] = max(longest[where], len(err.Error()))
				}
			}
			if _, err := g.Find(much); err != nil {
				longest["a move"] = max(longest["a move"], len(err.Error()))
			}
		}
		for where, length := range longest {
			if length > aLine {
				t.Errorf("%s: an error of %d bytes after much text as %s", r, length, where)
			}
		}
	}
}
