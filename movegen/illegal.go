package movegen

import (
	"fmt"
	"unicode/utf8"
)

// IllegalMove is the error for a move text that cannot be played, with the
// rule that it breaks.
type IllegalMove struct {
	Text   string
	Why    Why
	Detail string // the points in question, or what would be right
}

func (e *IllegalMove) Error() string {
	text := fmt.Sprintf("illegal move %q: %s", Shorten(e.Text), whyWords[e.Why])
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}

// Shorten cuts a text that is too long to be quoted whole.
func Shorten(text string) string {
	const most = 60
	if len(text) <= most {
		return text
	}
	end := most
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// Why is the reason for which a move is illegal.
type Why uint8

// The reasons. Legal is none; Unreadable is a text that is no move at all.
const (
	Legal Why = iota
	Unreadable
	GameOver
	NoPiece
	NotYours
	Occupied
	NoLine
	NothingToJump
	WrongDirection
	FarRow
	TakenBack
	CaptureCompulsory
	ChainGoesOn
	MaximumCompulsory
	MultiCompulsory
	NoNewJump
	NoHuff
	HuffAlone
	HuffBlocks
	VisitedTwice
	SameDirection
	NothingTaken
	SingleStep
	Ambiguous
	MustOffer
	NoCaptureInVela
	EmptyHouse
	NotYourHouse
	MustFeed
	MustPass
	CannotPass
)

var whyWords = [...]string{
	Unreadable:        "not a move",
	GameOver:          "the game is over",
	NoPiece:           "no piece there",
	NotYours:          "not a piece of the side to move",
	Occupied:          "the point is occupied",
	NoLine:            "no line leads there",
	NothingToJump:     "no enemy piece to jump",
	WrongDirection:    "the direction is closed",
	FarRow:            "a piece on the far row does not step",
	TakenBack:         "no return: a step may not be taken back at once",
	CaptureCompulsory: "capture is compulsory",
	ChainGoesOn:       "the piece can go on capturing and must",
	MaximumCompulsory: "more pieces can be taken and must be",
	MultiCompulsory:   "the turn opened a new jump that must be made",
	NoNewJump:         "a further chain must begin with a jump that the turn opened",
	NoHuff:            "no piece may be huffed there",
	HuffAlone:         "a huff goes on with a turn unless it takes the last enemy piece",
	HuffBlocks:        "after the huff no legal turn is left",
	VisitedTwice:      "point visited twice",
	SameDirection:     "a capturing step must change direction",
	NothingTaken:      "the step captures nothing that way",
	SingleStep:        "only one capturing step is allowed now",
	Ambiguous:         "approach or withdrawal must be said with A or W",
	MustOffer:         "in the vela Black must leave a capture",
	NoCaptureInVela:   "in the vela Black may not capture",
	EmptyHouse:        "the house is empty",
	NotYourHouse:      "not a house of the side to move",
	MustFeed:          "the opponent must be fed",
	MustPass:          "there is no seed to sow, only pass is legal",
	CannotPass:        "there are seeds to sow, pass is not legal",
}
