package engine

// Technique is a way to spend the nodes of a search where they matter. Each can
// be switched off, to measure what it gains. A set of them is their sum.
type Technique uint32

// The techniques, in the order in which a node meets them.
const (
	AspirationWindow Technique = 1 << iota
	ReverseFutility
	ProbCut
	SingularExtension
	LateMovePruning
	Futility
	LateMoveReduction
	ButterflyHistory
	ContinuationHistory
	CaptureHistory
	UpcomingRepetition
)

// Techniques names them.
var Techniques = []struct {
	Technique  Technique
	Name, Help string
}{
	{AspirationWindow, "aspiration-window", "begin an iteration with a window around the score of the one before"},
	{ReverseFutility, "reverse-futility", "cut a node that stands far above the window"},
	{ProbCut, "prob-cut", "cut a node in which a shallow search of a capture ends far above the window"},
	{SingularExtension, "singular-extension", "search the table's move deeper where all others are worse, and cut where they are good enough"},
	{LateMovePruning, "late-move-pruning", "leave out the last quiet moves near the leaves"},
	{Futility, "futility", "leave out quiet moves where the node stands far below the window"},
	{LateMoveReduction, "late-move-reduction", "search late moves less deep, and again if they are good"},
	{ButterflyHistory, "butterfly-history", "sort quiet moves by how they did"},
	{ContinuationHistory, "continuation-history", "sort quiet moves also by how they did after the two moves before"},
	{CaptureHistory, "capture-history", "sort captures of the same gain by how they did"},
	{UpcomingRepetition, "upcoming-repetition", "take a draw for sure where a step leads back to a position before"},
}

// uses reports whether a technique is switched on.
func (w *worker) uses(t Technique) bool { return w.without&t == 0 }
