package strength

import (
	_ "embed"
	"math"

	"qirkat/engine"
	"qirkat/movegen"
)

//go:embed odds.toml
var oddsFile []byte

var oddsOf = read[Odds]("odds.toml", oddsFile)

// Odds say what a score is worth, by a logistic model fitted to games of the
// engine against itself. With them the side to move wins with the chance
// 1/(1+exp((Even−score)/Spread)), loses with that of the score turned round,
// and draws else.
type Odds struct {
	Even   float64 `toml:"even"`   // centipieces from which on a win is likelier than not
	Spread float64 `toml:"spread"` // centipieces in which the odds change e-fold
}

// OddsOf are the odds of a variant.
func OddsOf(v *movegen.Variant) Odds { return oddsOf[v.Name] }

// Chances are those of a score for the side to move, their sum is 1.
func (o Odds) Chances(s engine.Score) (win, draw, loss float64) {
	if n, proven := s.Plies(); proven {
		if n > 0 {
			return 1, 0, 0
		}
		return 0, 0, 1
	}
	win = 1 / (1 + math.Exp((o.Even-float64(s))/o.Spread))
	loss = 1 / (1 + math.Exp((o.Even+float64(s))/o.Spread))
	return win, 1 - win - loss, loss
}

// Permille are the chances in permille, their sum is 1000.
func (o Odds) Permille(s engine.Score) (win, draw, loss int) {
	w, _, l := o.Chances(s)
	win, loss = int(math.Round(1000*w)), int(math.Round(1000*l))
	if over := win + loss - 1000; over > 0 { // both were rounded up
		win -= over
	}
	return win, 1000 - win - loss, loss
}
