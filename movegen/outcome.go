package movegen

// Outcome says whether the game has ended, who won, and why. The zero value
// is a game that goes on.
type Outcome struct {
	Reason Reason // NotOver while the game goes on
	Winner Side   // None for a draw; without meaning while the game goes on
}

// Over reports whether the game has ended.
func (o Outcome) Over() bool { return o.Reason != NotOver }

// Reason says how a game ended (rule book, section 5).
type Reason uint8

// The reasons, in the order in which the board games and then Al-manqala look
// at them. Illegal is a game ended by an illegal move.
const (
	NotOver Reason = iota
	Captured
	DoubleBlock
	Blocked
	Repetition
	Quiet
	Majority
	Empty
	Starved
	Cycle
	Illegal
)

var reasonWords = [...]string{
	NotOver: "none", Captured: "captured", DoubleBlock: "double-block", Blocked: "blocked",
	Repetition: "repetition", Quiet: "quiet", Majority: "majority", Empty: "empty",
	Starved: "starved", Cycle: "cycle", Illegal: "illegal",
}

// String is the reason as the protocol prints it.
func (r Reason) String() string { return reasonWords[r] }

// Win is a game won by a side; Draw one that nobody won.
func Win(s Side, r Reason) Outcome { return Outcome{r, s} }

// Draw is a game that nobody won.
func Draw(r Reason) Outcome { return Outcome{r, None} }

// Result is the outcome for the first player: "p1win", "p2win", "draw" or, as
// long as the game goes on, "none".
func (o Outcome) Result(first Side) string {
	switch {
	case !o.Over():
		return "none"
	case o.Winner == None:
		return "draw"
	case o.Winner == first:
		return "p1win"
	}
	return "p2win"
}
