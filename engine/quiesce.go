package engine

import (
	"qirkat/movegen"
	"qirkat/tt"
)

// quiesce follows captures until the position is quiet enough to be judged by
// its evaluation. Where a capture is forced, standing still is no choice and
// proves nothing, so every capture is followed; where it may be refused, that
// all of them lose proves nothing either.
func (w *worker) quiesce(alpha, beta Score, ply int, turn movegen.Side) Score {
	w.seldepth = max(w.seldepth, ply)
	if ply >= MaxPly {
		return Score(w.Eval())
	}
	best := -infinite
	if w.neverForced {
		// most often this is enough, and no moves need be listed
		if o := w.Outcome(); o.Over() {
			return final(o, turn, ply)
		}
		if best = Score(w.Eval()); best >= beta {
			return best
		}
	}
	start := len(w.moves)
	var forced bool
	w.moves, forced = w.Noisy(w.moves)
	n := len(w.moves) - start
	if !w.neverForced && !forced {
		if n == 0 {
			if o := w.Outcome(); o.Over() {
				return final(o, turn, ply)
			}
		}
		best = Score(w.Eval())
	}
	if n == 0 || best >= beta {
		w.moves = w.moves[:start]
		return best
	}
	alpha = max(alpha, best)
	w.grow()
	w.rankNoisy(start)
	for i := range n {
		m := w.moves[start+w.pick(start, i)]
		w.Make(m)
		w.count()
		s := w.quiet(alpha, beta, ply+1, turn)
		w.Unmake()
		if w.stopped() {
			break
		}
		if s > best {
			best = s
			alpha = max(alpha, s)
			if s >= beta {
				break
			}
		}
	}
	w.moves = w.moves[:start]
	if best < -decided && w.mayRefuse && !w.stopped() {
		// all captures lose, but none has to be made
		best = max(best, Score(w.Eval())-refusal)
	}
	return best
}

// refusal is what it costs to leave a forced move undone, in centipieces: the
// enemy takes a piece for it.
const refusal = 100

// quiet is the quiescence score after a move, for the side that made it.
func (w *worker) quiet(alpha, beta Score, ply int, turn movegen.Side) Score {
	w.frames[ply].length = 0
	if w.stopped() {
		return 0
	}
	next := w.Turn()
	sign := Score(1)
	if next != turn {
		sign, alpha, beta = -1, -beta, -alpha
	}
	return sign * w.quiesce(alpha, beta, ply, next)
}

// rankNoisy fills the keys of the captures from start on, by gain.
func (w *worker) rankNoisy(start int) {
	moves := w.moves[start:]
	keys := w.keys[start:len(w.moves)]
	for i := range moves {
		keys[i] = key(moves[i].Gain(), i)
	}
	w.sort(start, tt.NoPlace)
}
