// Package movegen owns the rules: boards, sides, moves, the table of variants
// with their switches, and the text of positions and moves. It knows no search
// and no evaluation, and imports nothing of ours.
//
// The one idea behind it: rules are data. A board is the lines drawn on it, a
// variant is one row of parameters ([Variants]), and each family of games (the
// folders alquerque, fanorona and manqala) reads those and makes a [Game] of
// them. The folder games has the table that leads from a row to its family.
package movegen

// Side is a player: White or Black.
type Side uint8

// The two sides. None stands where no side is meant, as the winner of a draw.
const (
	White Side = iota
	Black
	None
)

// Other is the opponent.
func (s Side) Other() Side { return s ^ 1 }

// Letter is the side in position text, "w" or "b".
func (s Side) Letter() string {
	if s == White {
		return "w"
	}
	return "b"
}

func (s Side) String() string {
	switch s {
	case White:
		return "White"
	case Black:
		return "Black"
	}
	return "none"
}

// Move is one legal turn, in the sense of the rule book's "one move or two?":
// two turns are the same move exactly when their Move values are equal.
type Move struct {
	From, To Set  // points where own pieces start and end; From alone: the house sown
	Taken    Set  // enemy pieces captured; in Al-manqala the houses emptied by it
	Huff     Huff // what the turn has to do with huffing
}

// Gain is the number of pieces (in Al-manqala houses) that the turn removes.
func (m Move) Gain() int { return m.Taken.Len() + m.Huff.Huffed().Len() }

// Huff packs the two things that tell turns apart where huffing is on: the
// piece that the turn huffs first, and the pieces of its own that it leaves
// open to a huff (the state token h:). It holds points 0 to 31, enough for the
// 5×5 boards that know huffing.
type Huff uint64

// NewHuff packs the piece huffed and the pieces liable to be huffed in answer.
func NewHuff(huffed, liable Set) Huff { return Huff(huffed | liable<<32) }

// Huffed is the piece that the turn removes before it begins, or none.
func (h Huff) Huffed() Set { return Set(h & (1<<32 - 1)) }

// Liable are the pieces that may be huffed on the opponent's next turn.
func (h Huff) Liable() Set { return Set(h >> 32) }

// Game is a position of one game under one set of rules, with the turns that
// led to it. It is not safe for concurrent use.
type Game interface {
	// Moves appends the legal moves to dst. The order depends on the position
	// alone, so a place in the list can stand for a move.
	Moves(dst []Move) []Move
	// Noisy appends the moves that quiescence follows, none when all is quiet:
	// those that take or huff, and leave nothing open to a huff.
	// Forced says that the side to move cannot do as well by standing still.
	Noisy(dst []Move) (moves []Move, forced bool)
	// NeverForced says that Noisy gives no forced moves in this game.
	NeverForced() bool
	// MayRefuse says that in this game a move that Noisy gives as forced may be
	// left undone, at a price.
	MayRefuse() bool
	// Make plays a move that Moves or Noisy gave; Unmake takes back the last.
	Make(m Move)
	Unmake()
	// Key hashes all that decides the legal moves from here on: pieces or
	// seeds, side, no-return and huff tokens.
	Key() uint64
	// Turn is the side to move.
	Turn() Side
	// Outcome says whether and how the game has ended.
	Outcome() Outcome
	// Stalled reports whether the game ends here by the quiet count or by
	// repetition, where to have occurred among the last n plies counts as
	// well. A game is over exactly when it has no moves or is Stalled(0).
	Stalled(n int) bool
	// CanRepeat reports whether the side to move has a step that leads to a
	// position which occurred among the last n plies. It may overlook one.
	CanRepeat(n int) bool
	// QuietLeft is the number of plies without a capture after which the game
	// ends; very large where the rules know no such end.
	QuietLeft() int
	// Cycle is what an endless cycle through this position gives.
	Cycle() Outcome

	// Set puts the position of a text on the board and forgets the turns that
	// led to the old one. On an error, a *TextError, the old one stays.
	Set(position string) error
	// String is the position text.
	String() string
	// Text is the canonical text of a legal move.
	Text(m Move) string
	// Find reads a move text, leniently. The error is an *IllegalMove.
	Find(text string) (Move, error)
	// Points are the match points of a finished game, for the first player
	// and the second.
	Points() (p1, p2 int)
	// Draw is the board as a picture of several lines.
	Draw() string
	// Variant is the row and the rules in force.
	Variant() *Variant
	// Clone is an independent copy, history included.
	Clone() Game
	// Check reports every broken invariant of the position; nil when all hold.
	Check() error
}
