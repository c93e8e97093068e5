package slow

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// game gives the rules of a variant; switches are written Name=value.
func game(t *testing.T, variant, switches string) *Game {
	t.Helper()
	options := make(map[string]string)
	for s := range strings.FieldsSeq(switches) {
		name, value, _ := strings.Cut(s, "=")
		options[name] = value
	}
	g, err := New(variant, options)
	if err != nil {
		t.Fatalf("New(%q, %v): %v", variant, options, err)
	}
	return g
}

// texts joins the canonical texts of all legal turns.
func texts(g *Game, fen string) string {
	var all []string
	for _, turn := range g.Turns(fen) {
		all = append(all, turn.Text)
	}
	return strings.Join(all, " ")
}

// perftNodes is the largest count of the table that the test checks; all rows
// up to 2,000,000 were checked once, which takes two minutes.
const perftNodes = 20_000

func TestPerft(t *testing.T) {
	data, err := os.ReadFile("../testdata/perft.tsv")
	if err != nil {
		t.Fatal(err)
	}
	switchNames := strings.NewReplacer("true", "on", "false", "off", "-", "")
	checked := 0
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		variant, switches, fen := cells[0], switchNames.Replace(cells[1]), cells[2]
		depth, depthErr := strconv.Atoi(cells[3])
		want, wantErr := strconv.Atoi(cells[4])
		if depthErr != nil || wantErr != nil {
			t.Fatalf("perft.tsv line %d: %q: want numbers in the last two columns", i+2, line)
		}
		if want > perftNodes {
			continue
		}
		checked++
		t.Run(fmt.Sprintf("line %d", i+2), func(t *testing.T) {
			t.Parallel()
			g := game(t, variant, switches)
			if fen == "startpos" {
				fen = g.Start()
			}
			if got := g.Perft(fen, depth); got != want {
				t.Errorf("%s %s: Perft(%q, %d) = %d, want %d\n%s",
					variant, switches, fen, depth, got, want, divided(g, fen, depth))
			}
		})
	}
	if checked == 0 {
		t.Error("perft.tsv has no row to check")
	}
}

// divided lists the count behind every move.
func divided(g *Game, fen string, depth int) string {
	var b strings.Builder
	for _, turn := range g.Turns(fen) {
		fmt.Fprintf(&b, "%s %d\n", turn.Text, g.Perft(turn.Next, depth-1))
	}
	return b.String()
}

func TestStart(t *testing.T) {
	for variant, want := range map[string]string{
		"alquerque":     "bbbbb/bbbbb/bb1ww/wwwww/wwwww w - 0 1",
		"quirkat":       "bbbbb/bbbbb/bb1ww/wwwww/wwwww b - 0 1",
		"fanorona":      "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1",
		"fanorona-vela": "bbbbbbbbb/bbbbbbbbb/bwbw1bwbw/wwwwwwwww/wwwwwwwww w - 0 1",
		"fanorona-telo": "bbb/b1w/www w - 0 1",
		"fanorona-5x3":  "bbbbb/bw1bw/wwwww w - 0 1",
		"fanorona-7x3":  "bbbbbbb/bwb1wbw/wwwwwww w - 0 1",
		"al-manqala":    "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1",
	} {
		if got := game(t, variant, "").Start(); got != want {
			t.Errorf("%s: Start() = %q, want %q", variant, got, want)
		}
	}
}

func TestNewRefusesUnknownNames(t *testing.T) {
	for _, c := range []struct{ variant, name, value string }{
		{"chess", "", ""},
		{"fanorona-9x9", "", ""}, // 81 points
		{"fanorona-4x5", "", ""},
		{"alquerque", "FirstMove", "free"},
		{"alquerque", "Huffing", "yes"},
		{"fanorona", "FirstMove", "on"},
		{"al-manqala", "Huffing", "on"},
	} {
		options := make(map[string]string)
		if c.name != "" {
			options[c.name] = c.value
		}
		if _, err := New(c.variant, options); err == nil {
			t.Errorf("New(%q, %v) gives no error", c.variant, options)
		}
	}
}

// TestTurns has one sentence of the rule book a row, and all the turns that it
// leaves in a position.
func TestTurns(t *testing.T) {
	for _, c := range []struct {
		sentence          string
		variant, switches string
		fen               string
		want              string
	}{
		// Section 2: lines, steps and directions.
		{"from a strong point there are diagonal lines too",
			"alquerque", "", "4b/5/5/1w3/5 w - 0 1",
			"b2a1 b2a2 b2a3 b2b1 b2b3 b2c1 b2c2 b2c3"},
		{"from another point there are none",
			"alquerque", "", "4b/5/5/w4/5 w - 0 1", "a2a1 a2a3 a2b2"},
		{"step directions of Bell: forward, sideways",
			"alquerque-bell", "", "5/5/b4/2w2/5 w - 0 1", "c2b2 c2c3 c2d2"},
		{"forward is down for Black",
			"alquerque-bell", "", "5/5/2b2/5/w4 b - 0 1", "c3b2 c3b3 c3c2 c3d2 c3d3"},
		{"far row of Bell: steps never, jumps sideways only",
			"alquerque-bell", "", "1bw2/2b2/5/5/b4 w - 0 1", "c5a5"},
		{"far row of Pritchard: steps never, jumps in its jump directions",
			"alquerque-pritchard", "", "1bw2/2b2/5/5/b4 w - 0 1", "c5a5 c5c3"},
		{"no backward: steps and jumps go forward or sideways only",
			"alquerque", "NoBackward=on", "5/5/2w2/2b2/b4 w - 0 1", "c3b3 c3b4 c3c4 c3d3 c3d4"},
		{"no backward: a piece on the far row therefore goes sideways only",
			"alquerque", "NoBackward=on", "2w2/2b2/5/5/b4 w - 0 1", "c5b5 c5d5"},
		{"no backward leaves the far row of Pritchard closed to steps",
			"alquerque-pritchard", "NoBackward=on", "1bw2/2b2/5/5/b4 w - 0 1", "c5a5"},
		{"NoBackward=off opens nothing that the variant closes",
			"alquerque-bell", "NoBackward=off", "5/5/b4/2w2/5 w - 0 1", "c2b2 c2c3 c2d2"},
		{"no return: from A to B may not step from B to A",
			"alquerque", "NoReturn=on", "4b/5/5/w4/5 w rw:a1a2 2 2", "a2a3 a2b2"},
		{"no return binds its own side only",
			"alquerque", "NoReturn=on", "b4/5/5/w4/5 w rb:a4a5 2 2", "a2a1 a2a3 a2b2"},

		// Captures with huffing off.
		{"the legal moves are the captures if there is one",
			"alquerque", "", "4b/5/5/1b3/w3w w - 0 1", "a1c3"},
		{"after a jump the same piece goes on while it can jump",
			"alquerque", "", "5/3b1/5/1b3/w3w w - 0 1", "a1c3e5"},
		{"the point the mover left is empty during its chain",
			"alquerque", "", "2b2/3bb/2wb1/5/b4 w - 0 1", "c3e3e5c3"},
		{"jump directions of Bell: forward, sideways",
			"alquerque-bell", "Huffing=off", "5/5/2wb1/2b2/5 w - 0 1", "c3e3"},
		{"jump directions of Pritchard: all",
			"alquerque-pritchard", "Huffing=off", "5/5/2wb1/2b2/5 w - 0 1", "c3c1 c3e3"},
		{"without maximum any capture may be chosen",
			"alquerque", "", "5/b2b1/w4/1b3/w4 w - 0 1", "a1c3e5 a3a5 a3c1"},
		{"maximum: only those that remove the most pieces",
			"quirkat", "Huffing=off", "5/b2b1/w4/1b3/w4 w - 0 1", "a1c3e5"},

		// Multi-piece.
		{"such a jump must be made, as the first jump of a new chain",
			"alquerque-modern", "MultiPiece=on", "4b/5/5/2b2/wbw2 w - 0 1", "c1c3+a1c1"},
		{"jumps that already existed before the turn do not count",
			"alquerque-modern", "MultiPiece=on", "5/4b/4w/2b2/wbw2 w - 0 1", "c1c3+a1c1 e3e5"},
		{"another or the same piece of the mover",
			"alquerque", "MultiPiece=on", "2b2/3w1/2ww1/1b1w1/w1w1w b - 0 1", "c5e3+b2d4+e3c3"},
		{"with huffing the turn may end after any jump",
			"alquerque", "Huffing=on MultiPiece=on", "4b/5/5/2b2/wbw2 w - 0 1",
			"a1a2 a1b2 c1b2 c1c3 c1c3+a1c1 c1d1 c1d2"},

		// Huffing.
		{"every step is legal, and every chain may stop after any jump",
			"alquerque", "Huffing=on", "5/3b1/5/1b3/w4 w - 0 1", "a1a2 a1b1 a1c3 a1c3e5"},
		{"the opponent may begin with a huff, then plays a normal turn",
			"alquerque", "Huffing=on", "4b/5/5/4w/w4 b h:a1 1 1",
			"e5d4 e5d5 e5e4 xa1:e5d4 xa1:e5d5 xa1:e5e4"},
		{"if the huff takes the last enemy piece the text is the huff alone",
			"alquerque", "Huffing=on", "4b/5/5/5/w4 b h:a1 1 1", "e5d4 e5d5 e5e4 xa1"},
		{"a huff that leaves the huffing side no legal move is not legal",
			"alquerque-bell", "", "5/5/5/5/bw2w b h:b1 1 1", "a1c1"},

		// Section 3.
		{"paika: a step that captures nothing",
			"fanorona-telo", "", "3/2b/w2 w - 0 1", "a1a2 a1b1 a1b2"},
		{"paika is legal only when no capture exists",
			"fanorona-telo", "", "2b/3/w2 w - 0 1", "a1b2A"},
		{"if both are possible the player picks one; never onto a point it stood on",
			"fanorona-dimy", "", "5/5/bw1b1/5/5 w - 0 1", "b3c3A b3c3W"},
		{"each step in another direction than the step just before",
			"fanorona-dimy", "", "5/5/bw2b/5/5 w - 0 1", "b3c3W"},
		{"the same piece may go on capturing (it need not)",
			"fanorona-dimy", "", "5/5/w1b2/5/1b3 w - 0 1", "a3b3A a3b3Ab2A"},
		{"vela: Black's legal moves are its steps",
			"fanorona-vela", "", "bbbbbb3/9/9/9/w8 b - 0 1",
			"a5a4 a5b4 b5b4 c5b4 c5c4 c5d4 d5d4 e5d4 e5e4 e5f4 f5f4 f5g5"},
		{"vela: if some steps leave White a capture only those are legal",
			"fanorona-vela", "", "bbbbb4/9/b8/9/w8 b - 0 1",
			"a5a4 a5b4 b5b4 c5b4 c5c4 c5d4 d5d4 e5d4 e5e4 e5f4 e5f5"},
		{"vela: White must capture if it can, one step",
			"fanorona-vela", "FirstMove=free", "bbbbb4/9/w1b6/9/1b7 w - 0 1",
			"a3a4A a3b3A a3b4A"},
		{"vela: otherwise White plays a paika",
			"fanorona-vela", "", "bbbbbb3/9/9/9/w8 w - 0 1", "a1a2 a1b1 a1b2"},

		// Section 4.
		{"non-empty houses of one's own; texts are points as White sees them",
			"al-manqala", "", "1,0,0,0,0,0,2/1,0,0,0,0,0,0 b 47,47 0 1", "a2 g2"},
		{"feeding: you must choose a move after which that row is not empty",
			"al-manqala", "", "0,0,0,0,0,0,0/1,0,0,0,0,1,1 w 48,47 0 1", "g1"},
		{"feeding: if there is none the game is over",
			"al-manqala", "", "0,0,0,0,0,0,0/1,0,0,0,0,0,0 w 48,49 0 1", ""},
		{"if your own row is empty while the other has seeds you pass",
			"al-manqala", "", "0,0,0,0,0,0,1/0,0,0,0,0,0,0 w 48,49 3 9", "pass"},
		{"the first to 50 or more wins at once",
			"al-manqala", "", "0,0,0,0,0,0,1/1,0,0,0,0,0,0 w 50,46 0 9", ""},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			if got := texts(game(t, c.variant, c.switches), c.fen); got != c.want {
				t.Errorf("%s %s: Turns(%q)\n got %s\nwant %s", c.variant, c.switches, c.fen, got, c.want)
			}
		})
	}
}

// TestNext has one sentence of the rule book a row, and the position after a
// turn in which it shows.
func TestNext(t *testing.T) {
	for _, c := range []struct {
		sentence          string
		variant, switches string
		fen, move         string
		want              string
	}{
		// Section 1: position text.
		{"the token is written after every step, also where the way back is closed anyway",
			"alquerque-bell", "", "5/5/b4/2w2/5 w - 0 1", "c2c3", "5/5/b1w2/5/5 b rw:c2c3 1 1"},
		{"the token is written if the rule set has the rule",
			"alquerque", "", "4b/5/5/w4/5 w - 0 1", "a2a3", "4b/5/w4/5/5 b - 1 1"},
		{"until that side's next turn",
			"alquerque", "NoReturn=on", "4b/5/5/w4/5 b rw:a1a2 1 1", "e5e4",
			"5/4b/5/w4/5 w rw:a1a2,rb:e5e4 2 2"},
		{"while the piece still stands there",
			"alquerque", "NoReturn=on", "5/1b3/2w2/5/w4 b rw:c2c3 1 1", "b4d2",
			"5/5/5/3b1/w4 w - 0 2"},
		{"MOVE goes up by one after the second player's turn",
			"quirkat", "", "4b/5/5/w4/5 w - 0 1", "a2a3", "4b/5/w4/5/5 b rw:a2a3 1 2"},
		{"a turn with a capture or a huff sets the quiet count to 0",
			"alquerque", "Huffing=on", "4b/5/5/4w/w4 b h:a1 3 1", "xa1:e5e4", "5/4b/5/4w/5 w - 0 2"},

		// Section 2: huffing.
		{"it may also let it pass: then the right is gone",
			"alquerque", "Huffing=on", "4b/5/5/4w/w4 b h:a1 3 1", "e5e4", "5/4b/5/4w/w4 w - 4 2"},
		{"one that could capture in the position before the faulty move",
			"alquerque", "Huffing=on", "4b/5/5/1b3/w3w w - 0 1", "e1e2", "4b/5/5/1b2w/w4 b h:a1 1 1"},
		{"a piece that itself moved is taken where it now stands",
			"alquerque", "Huffing=on", "4b/5/5/1b3/w3w w - 0 1", "a1a2", "4b/5/5/wb3/4w b h:a2 1 1"},
		{"the one that moved: the piece that made the faulty move",
			"quirkat", "", "4b/5/5/1b3/w3w w - 0 1", "e1e2", "4b/5/5/1b2w/w4 b rw:e1e2,h:e2 1 2"},
		{"after a chain that stopped early only the piece that stopped",
			"alquerque", "Huffing=on", "5/3bb/4w/1b3/w4 w - 0 1", "a1c3", "5/3bb/2w1w/5/5 b h:c3 0 1"},
		{"a chain played to its end is no fault",
			"alquerque", "Huffing=on", "5/3b1/5/1b3/w3w w - 0 1", "a1c3e5", "4w/5/5/5/4w b - 0 1"},
		{"with maximum a complete but too short capture is a fault too",
			"quirkat", "", "5/b2b1/w4/1b3/w4 w - 0 1", "a3a5", "w4/3b1/5/1b3/w4 b h:a5 0 2"},
		{"also a jump of multi-piece that was left out: any that could jump before",
			"alquerque", "Huffing=on MultiPiece=on", "4b/5/5/2b2/wbw2 w - 0 1", "c1c3",
			"4b/5/2w2/5/wb3 b h:c3 0 1"},
		{"any piece that moved, with multi-piece",
			"quirkat", "MultiPiece=on", "2b2/3w1/2ww1/1b1w1/w1w1w b - 0 1", "c5e3+b2d4",
			"5/3b1/3wb/3w1/w1w1w w h:e3d4 0 1"},
		// The next two are read from the table of move counts: "the piece that
		// stopped, while it can still jump" is any piece that captured in the
		// turn and can jump when it is over.
		{"the pieces that stopped, while they can still jump, after a chain that stopped early",
			"alquerque-pritchard", "MultiPiece=on",
			"bbbbb/b1bbb/bbwww/w1wbw/wwwww b rw:b2c3,h:e1c3 1 2", "d2b2+d4d2",
			"bbbbb/b1b1b/bbw1w/wb1bw/wwwww w rw:b2c3,h:b2d2 0 3"},
		{"the pieces that stopped, while they can still jump, after a jump left out",
			"alquerque-pritchard", "MultiPiece=on",
			"bbbbb/b1bbb/bbwww/w1wbw/wwwww b rw:b2c3,h:e1c3 1 2", "d4b2+d2d4",
			"bbbbb/b1bbb/bb2w/wbw1w/wwwww w h:b2 0 3"},
		{"the huff is the whole move if it takes the last enemy piece",
			"alquerque", "Huffing=on", "4b/5/5/5/w4 b h:a1 1 1", "xa1", "4b/5/5/5/5 w - 0 2"},
		{"the token of a huffed piece goes with it",
			"quirkat", "", "4b/5/5/4w/w4 b rw:e1e2,h:e2 1 1", "xe2:e5e4", "5/4b/5/5/w4 w rb:e5e4 0 1"},
		{"the start of the turn is after a huff: no fault when the capture went with it",
			"alquerque", "Huffing=on", "5/5/4b/4w/w4 b h:e2 1 1", "xe2:e3e4", "5/4b/5/5/w4 w - 0 2"},
		{"without that huff the same step is a fault",
			"alquerque", "Huffing=on", "5/5/4b/4w/w4 b h:e2 1 1", "e3e4", "5/4b/5/4w/w4 w h:e4 2 2"},

		// Multi-piece.
		{"the chains of one turn are one turn",
			"alquerque", "MultiPiece=on", "2b2/3w1/2ww1/1b1w1/w1w1w b - 0 1", "c5e3+b2d4+e3c3",
			"5/3b1/2b2/3w1/w1w1w w - 0 2"},

		// Section 3.
		{"approach: that piece and all enemy pieces behind it without a gap",
			"fanorona", "", "9/9/w1bb1b3/9/9 w - 0 1", "a3b3A", "9/9/1w3b3/9/9 b - 0 1"},
		{"withdrawal: that one and all behind it without a gap",
			"fanorona", "", "9/9/b1bbw4/9/9 w - 0 1", "e3f3W", "9/9/b4w3/9/9 b - 0 1"},
		{"vela: Black may not capture, whatever its steps touch",
			"fanorona-vela", "", "bbbbbb3/9/w8/9/9 b - 0 1", "a5a4", "1bbbbb3/b8/w8/9/9 w - 1 2"},
		{"vela: exactly one piece, the nearest",
			"fanorona-vela", "", "bbbbb4/b8/b8/9/w8 w - 0 1", "a1a2A", "bbbbb4/b8/9/w8/9 b - 0 1"},
		{"when Black is down to 5 the normal rules hold",
			"fanorona-vela", "", "bbb6/b8/b8/9/w8 w - 0 1", "a1a2A", "1bb6/9/9/w8/9 b - 0 1"},

		// Section 4.
		{"counter-clockwise: South to the right, then up into North's row",
			"al-manqala", "", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 w 0,0 0 1", "a1",
			"7,7,7,7,7,7,8/0,8,8,8,8,8,8 b 0,0 1 1"},
		{"North's row from South's right to left, and round again",
			"al-manqala", "", "7,7,7,7,7,7,7/7,7,7,7,7,7,7 b 0,0 0 1", "g2",
			"8,8,8,8,8,8,0/8,7,7,7,7,7,7 w 0,0 1 2"},
		{"with 14 seeds or more the emptied house is sown too",
			"al-manqala", "", "0,0,0,0,0,0,1/14,0,0,0,0,0,0 w 40,43 0 1", "a1",
			"1,1,1,1,1,1,2/1,1,1,1,1,1,1 b 40,43 1 1"},
		{"parameter SkipOrigin: it is not",
			"al-manqala", "SkipOrigin=on", "0,0,0,0,0,0,1/14,0,0,0,0,0,0 w 40,43 0 1", "a1",
			"1,1,1,1,1,1,2/0,0,1,1,1,1,1 b 42,43 0 1"},
		{"then the house before it on the track, on both rows",
			"al-manqala", "", "1,0,0,0,0,0,1/0,0,0,0,0,2,3 w 45,46 0 1", "f1",
			"1,0,0,0,0,0,0/0,0,0,0,0,0,0 b 51,46 0 1"},
		{"backwards without a gap",
			"al-manqala", "", "1,0,0,0,0,0,1/0,0,0,0,2,1,2 w 46,45 0 1", "e1",
			"1,0,0,0,0,0,1/0,0,0,0,0,2,3 b 46,45 1 1"},
		{"a pass changes nothing but the counts",
			"al-manqala", "", "0,0,0,0,0,0,1/0,0,0,0,0,0,0 w 48,49 3 9", "pass",
			"0,0,0,0,0,0,1/0,0,0,0,0,0,0 b 48,49 4 9"},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			g := game(t, c.variant, c.switches)
			for _, turn := range g.Turns(c.fen) {
				if turn.Text != c.move {
					continue
				}
				if turn.Next != c.want {
					t.Errorf("%s %s: after %s on %q\n got %q\nwant %q",
						c.variant, c.switches, c.move, c.fen, turn.Next, c.want)
				}
				return
			}
			t.Errorf("%s %s: Turns(%q) = %s, want %s among them",
				c.variant, c.switches, c.fen, texts(g, c.fen), c.move)
		})
	}
}

// TestResult has one sentence of the rule book a row, on how a game ends.
func TestResult(t *testing.T) {
	quietly := func(fen string, times int) []string {
		var history []string
		for range times {
			history = append(history, fen, "b4/5/5/w4/5 b - 9 9")
		}
		return append(history, fen)
	}
	one := func(fen string) []string { return []string{fen} }
	for _, c := range []struct {
		sentence          string
		variant, switches string
		history           []string
		result, reason    string
		p1, p2            int
	}{
		{"a side that lost all its pieces gets -2 - (enemy pieces left)",
			"alquerque", "", one("4w/5/5/5/5 b - 0 1"), "p1win", "captured", 0, -3},
		{"the first player of Quirkat is Black",
			"quirkat", "", one("4w/5/5/5/5 b - 0 1"), "p2win", "captured", -3, 0},
		{"a side that is blocked gets -2 + (own pieces - enemy pieces)",
			"alquerque", "", one("wbb2/bb3/b1b2/5/5 w - 1 5"), "p2win", "blocked", -7, 0},
		{"a blocked side's points can be above 0",
			"alquerque-bell", "", one("wwwww/5/5/1b3/5 w - 1 5"), "p2win", "blocked", 2, 0},
		{"double block by piece count: equal is a draw",
			"alquerque-bell", "", one("w4/5/5/5/b4 w - 1 5"), "draw", "double-block", 0, 0},
		{"double block by piece count: the side with more pieces wins",
			"alquerque-bell", "", one("ww3/5/5/5/b4 w - 1 5"), "p1win", "double-block", 0, -3},
		{"double block as a loss of the side to move",
			"alquerque", "NoBackward=on", one("wwwww/5/5/5/bbbbb w - 1 5"), "p2win", "double-block", -2, 0},
		{"the third occurrence is a draw",
			"alquerque", "", quietly("4b/5/5/w4/5 w - 0 1", 2), "draw", "repetition", 0, 0},
		{"the second is not",
			"alquerque", "", quietly("4b/5/5/w4/5 w - 0 1", 1), "none", "", 0, 0},
		{"repetition is off in Quirkat",
			"quirkat", "", quietly("4b/5/5/w4/5 w - 0 1", 2), "none", "", 0, 0},
		{"repetition counts positions with the same STATE",
			"alquerque", "NoReturn=on",
			append(quietly("4b/5/5/w4/5 w - 0 1", 2), "4b/5/5/w4/5 w rw:a1a2 4 5"), "none", "", 0, 0},
		{"100 quiet plies",
			"alquerque", "", one("4b/5/5/w4/5 w - 100 60"), "draw", "quiet", 0, 0},
		{"99 are not enough",
			"alquerque", "", one("4b/5/5/w4/5 w - 99 60"), "none", "", 0, 0},
		{"50 in Quirkat",
			"quirkat", "", one("4b/5/5/w4/5 w - 50 60"), "draw", "quiet", 0, 0},
		{"blocked is looked at before quiet",
			"alquerque", "", one("wbb2/bb3/b1b2/5/5 w - 100 60"), "p2win", "blocked", -7, 0},

		{"Fanorona: a side without pieces has lost; no match points",
			"fanorona-telo", "", one("3/1w1/3 b - 0 5"), "p1win", "captured", 0, 0},
		{"Fanorona: so has a side on turn that cannot move",
			"fanorona-dimy", "", one("5/5/b4/bb3/wb3 w - 1 5"), "p2win", "blocked", 0, 0},
		{"Fanorona: 100 quiet plies",
			"fanorona-telo", "", one("2b/3/w2 w - 100 60"), "draw", "quiet", 0, 0},

		{"the first to 50 or more wins at once",
			"al-manqala", "", one("0,0,0,0,0,0,1/1,0,0,0,0,0,0 w 46,50 0 9"), "p2win", "majority", 0, 0},
		{"both rows empty without a majority is a draw",
			"al-manqala", "", one("0,0,0,0,0,0,0/0,0,0,0,0,0,0 w 49,49 0 9"), "draw", "empty", 0, 0},
		{"the player with the empty row takes all seeds on the board",
			"al-manqala", "", one("0,0,0,0,0,0,0/2,0,0,0,0,0,0 w 48,48 0 9"), "p2win", "starved", 0, 0},
		{"endless cycle: the larger store wins",
			"al-manqala", "", one("1,0,0,0,0,0,0/1,0,0,0,0,0,0 w 49,47 100 80"), "p1win", "cycle", 0, 0},
		{"endless cycle at the third occurrence of a position",
			"al-manqala", "", slices.Repeat(one("1,0,0,0,0,0,0/1,0,0,0,0,0,0 w 48,48 9 80"), 3), "draw", "cycle", 0, 0},
	} {
		t.Run(c.sentence, func(t *testing.T) {
			g := game(t, c.variant, c.switches)
			result, reason := g.Result(c.history)
			if result != c.result || reason != c.reason {
				t.Errorf("%s %s: Result(%q) = %q, %q, want %q, %q",
					c.variant, c.switches, c.history, result, reason, c.result, c.reason)
			}
			if p1, p2 := g.Points(c.history); p1 != c.p1 || p2 != c.p2 {
				t.Errorf("%s %s: Points(%q) = %d, %d, want %d, %d",
					c.variant, c.switches, c.history, p1, p2, c.p1, c.p2)
			}
		})
	}
}

// Turns that start on the same points, end on the same points, remove the same
// pieces and leave the same STATE are one move; its text is the smallest.
func TestPathsOfOneMove(t *testing.T) {
	turns := game(t, "alquerque", "").Turns("2b2/3bb/2wb1/5/b4 w - 0 1")
	want := []string{"c3e3e5c3", "c3e5e3c3"}
	if len(turns) != 1 || turns[0].Text != want[0] || !slices.Equal(turns[0].Paths, want) {
		t.Errorf("Turns = %v, want one move with the paths %v", turns, want)
	}
}

// The same points and the same pieces, but another piece to be huffed, so
// another STATE: two moves. The piece from c3, which could jump before the
// turn, is on a3 or on c5; the one from a1 could not.
func TestStateTellsMovesApart(t *testing.T) {
	g := game(t, "alquerque-bell", "MultiPiece=on")
	const fen = "bb1bb/b1bwb/1bw2/wbwbw/wwwww w rw:e3d4,rb:a3b2 0 3"
	for move, want := range map[string]string{
		"c3a3+a1c3c5": "bbwbb/b2wb/w4/w1wbw/1wwww b h:c1d1a3d4 0 3",
		"c3c5+a1c3a3": "bbwbb/b2wb/w4/w1wbw/1wwww b h:c1d1d4c5 0 3",
	} {
		i := slices.IndexFunc(g.Turns(fen), func(t Turn) bool { return t.Text == move })
		if i < 0 {
			t.Errorf("Turns(%q) = %s, want %s among them", fen, texts(g, fen), move)
			continue
		}
		if got := g.Turns(fen)[i].Next; got != want {
			t.Errorf("after %s on %q\n got %q\nwant %q", move, fen, got, want)
		}
	}
}

// FirstMove=single: while the enemy still has all its pieces of the start no
// chain goes past its first step.
func TestFirstMove(t *testing.T) {
	const (
		all     = "bbbbb/bbbb1/w1b2/5/1b2b w - 0 1" // 12 black pieces
		oneLess = "bbbbb/bbbb1/w1b2/5/1b3 w - 0 1"
	)
	single, free := game(t, "fanorona-dimy", "FirstMove=single"), game(t, "fanorona-dimy", "")
	if got, want := texts(single, all), "a3a2W a3b3A"; got != want {
		t.Errorf("single: Turns(%q) = %s, want %s", all, got, want)
	}
	if got := texts(single, oneLess); !strings.Contains(got, "a3b3Ab2A ") {
		t.Errorf("single: Turns(%q) = %s, want a3b3Ab2A among them", oneLess, got)
	}
	if got := texts(free, all); !strings.Contains(got, "a3b3Ab2A ") {
		t.Errorf("free: Turns(%q) = %s, want a3b3Ab2A among them", all, got)
	}
}

// The limit on paths loses no move and no small path: with it the search finds
// what it finds without.
func TestFanoronaPathLimit(t *testing.T) {
	const noLimit, seed = 1 << 30, 1
	random := rand.New(rand.NewSource(seed))
	for _, variant := range []string{"fanorona-dimy", "fanorona-7x7"} {
		f, err := newFanorona(variant)
		if err != nil {
			t.Fatal(err)
		}
		f.singleFirst = false
		for range 200 {
			p := position{side: white, move: 1}
			for at := range f.size() {
				p.points[at] = []byte{white, black, empty, empty}[random.Intn(4)]
			}
			every := f.legal(p, noLimit)
			for _, limit := range []int{1, 3} {
				some := f.legal(p, limit)
				if len(some) != len(every) {
					t.Fatalf("seed %d: %q: %d moves with limit %d, %d without",
						seed, f.text(p), len(some), limit, len(every))
				}
				for i := range some {
					paths := slices.Sorted(slices.Values(every[i].paths))
					paths = paths[:min(limit, len(paths))]
					if some[i].next != every[i].next || !slices.Equal(some[i].paths, paths) {
						t.Fatalf("seed %d: %q: paths %v with limit %d, want %v",
							seed, f.text(p), some[i].paths, limit, paths)
					}
				}
			}
		}
	}
}

// TestNextIsThatOfTurns compares Next with Turns, along games at random.
func TestNextIsThatOfTurns(t *testing.T) {
	for _, variant := range []string{"alquerque-bell", "quirkat", "fanorona", "fanorona-vela", "al-manqala"} {
		g := game(t, variant, "")
		random := rand.New(rand.NewSource(1))
		for fen, ply := g.Start(), 0; ply < 40; ply++ {
			turns := g.Turns(fen)
			var want []string
			for _, turn := range turns {
				want = append(want, turn.Next)
			}
			got := g.Next(fen)
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: Next(%q) = %q, want %q", variant, fen, got, want)
			}
			if len(turns) == 0 {
				break
			}
			fen = turns[random.Intn(len(turns))].Next
		}
	}
}
