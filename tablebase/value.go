package tablebase

import "fmt"

// Result is what best play makes of a position for the side to move.
type Result int8

// The results.
const (
	Loss Result = iota - 1
	Draw
	Win
)

func (r Result) String() string { return [...]string{"loss", "draw", "win"}[r+1] }

// Value is the worth of a position of a board game for the side to move.
type Value struct {
	Result
	// Plies to the end of the game when the winner plays for the shortest win
	// and the loser for the longest; 0 for a draw. -1: the table does not know.
	// Where it knows of some moves only, a win may come sooner.
	Plies int
}

func (v Value) String() string {
	if v.Result == Draw || v.Plies < 0 {
		return v.Result.String()
	}
	return fmt.Sprintf("%s in %d", v.Result, v.Plies)
}

// A code is a Value in a byte. 0 is a draw, and during a build also a position
// not decided yet.
type code = uint8

// coding says what a code stands for. Where no side on turn can have won
// already, a win takes an odd number of plies and a loss an even one, and a code
// of 1 + plies says both. In the other games a code is 1 + 2·plies for a win and
// 2 + 2·plies for a loss.
type coding struct {
	values [256]Value
	before [256]code  // the value before the move that leads to a code, for who makes it
	order  [256]int16 // the better for the side to move, the higher
	win    [256]code  // by plies; 0 where there is none
	loss   [256]code
	most   int // plies: what takes longer has no code, and is given this one
}

func newCoding(bothParities bool) *coding {
	c := new(coding)
	for i := 1; i < 256; i++ {
		v := Value{Win, i - 1}
		if bothParities {
			v.Plies = (i - 1) / 2
		}
		if i%2 == 1 != bothParities {
			v.Result = Loss
		}
		if v.Plies > 253 {
			break
		}
		c.values[i] = v
		c.most = v.Plies
		if v.Result == Win {
			c.win[v.Plies], c.order[i] = code(i), int16(512-v.Plies)
		} else {
			c.loss[v.Plies], c.order[i] = code(i), int16(v.Plies-512)
		}
	}
	for i, v := range c.values {
		switch v.Result {
		case Win:
			c.before[i] = c.lossIn(v.Plies + 1)
		case Loss:
			c.before[i] = c.winIn(v.Plies + 1)
		case Draw:
		}
	}
	return c
}

// winIn and lossIn are the codes of a win and a loss, the longest that there is
// for those that take longer.
func (c *coding) winIn(plies int) code { return longest(&c.win, plies) }

func (c *coding) lossIn(plies int) code { return longest(&c.loss, plies) }

func longest(codes *[256]code, plies int) code {
	for ; plies > 255 || codes[plies] == 0; plies-- {
	}
	return codes[plies]
}

// before is the value of the position before a move, as far as this move goes,
// for the side that makes it.
func (v Value) before() Value {
	switch {
	case v.Result == Draw:
		return v
	case v.Plies < 0:
		return Value{-v.Result, v.Plies}
	}
	return Value{-v.Result, v.Plies + 1}
}

// better reports whether the side to move would rather have v than w: a win
// soon, a loss late.
func (v Value) better(w Value) bool {
	if v.Result != w.Result {
		return v.Result > w.Result
	}
	if v.Result == Win {
		return w.later(v)
	}
	return v.later(w)
}

// later reports whether v takes longer than w. What is not known may take longest.
func (v Value) later(w Value) bool { return w.Plies >= 0 && (v.Plies < 0 || v.Plies > w.Plies) }

// withoutPlies is a value of which only the result is known.
func withoutPlies(r Result) Value {
	if r == Draw {
		return Value{}
	}
	return Value{r, -1}
}

// packResult is a result in two bits: 0 a draw, 1 a win, 2 a loss.
func packResult(r Result) byte { return byte(r+3) % 3 }

// unpackResult undoes packResult; 3 does not occur, and is a draw.
func unpackResult(bits byte) Result { return [4]Result{Draw, Win, Loss, Draw}[bits&3] }
