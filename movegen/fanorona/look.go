package fanorona

import "qirkat/movegen"

// AfterVela is how many pieces Black keeps for the normal rules to return.
const AfterVela = afterVela

// CanCapture reports whether a side on turn could capture. In the vela Black
// may not.
func (p *Position) CanCapture(pieces [2]movegen.Set, turn movegen.Side) bool {
	if turn == movegen.Black && p.rules.Vela && pieces[movegen.Black].Len() > afterVela {
		return false
	}
	return p.rules.canCapture(pieces[turn&1], pieces[turn&1^1])
}

// QuietCount is the number of plies in a row without a capture.
func (p *Position) QuietCount() int { return int(p.quiet) }
