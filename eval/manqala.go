package eval

import (
	"math/bits"

	"qirkat/movegen/manqala"
)

// The features of Al-manqala, house 1 being the first from the owner's left.
const (
	store = iota
	lateStore
	house1
	house2
	house3
	house4
	house5
	house6
	house7
	sowable
	lateSowable
	canTake
	canLose
	stranded
	heavy
	starvation
	manqalaFeatures
)

var manqalaTable = []Feature{
	store:       {"store", "seeds taken, own less the opponent's"},
	lateStore:   {"late-store", "store times the part of all seeds that is taken"},
	house1:      {"house-1", "seeds in the first house from the left, own less the opponent's"},
	house2:      {"house-2", "seeds in the second house, own less the opponent's"},
	house3:      {"house-3", "seeds in the third house, own less the opponent's"},
	house4:      {"house-4", "seeds in the fourth house, own less the opponent's"},
	house5:      {"house-5", "seeds in the fifth house, own less the opponent's"},
	house6:      {"house-6", "seeds in the sixth house, own less the opponent's"},
	house7:      {"house-7", "seeds in the seventh house, own less the opponent's"},
	sowable:     {"mobility", "houses that hold seeds, own less the opponent's"},
	lateSowable: {"late-mobility", "mobility times the part of all seeds that is taken"},
	canTake:     {"targets", "houses, on both rows, where an own sowing would end with a capture now"},
	canLose:     {"open", "houses, on both rows, where a sowing of the opponent would end with a capture now"},
	stranded:    {"stranded", "seeds in houses whose sowing does not reach the other row, own less the opponent's"},
	heavy:       {"heavy", "houses of twelve seeds or more, own less the opponent's"},
	starvation:  {"starvation", "where a row is nearly empty: seeds stranded on the other side, which the rule of feeding puts at stake, the opponent's less own"},
}

// Chosen by how well results were explained (logistic regression on 3,000
// games): a row that is nearly empty, and a heavy house, in seeds.
const (
	hungry     = 1
	heavySeeds = 12
)

// manqalaEval is the evaluation of a position of Al-manqala.
type manqalaEval struct {
	position *manqala.Position
	weights  counts
	// Where the sowing of a house with so many seeds ends, by the mover's
	// count of the track: bit 0 to 13 for a house that gets one seed of it, 16
	// to 29 for one that gets two. A sowing of more laps is not looked at.
	ends [rowHouses][256]uint32
}

const (
	rowHouses = 7
	allSeeds  = 98
)

func newManqala(p *manqala.Position, w counts) *manqalaEval {
	e := &manqalaEval{position: p, weights: w}
	for house := range e.ends {
		for seeds := 1; seeds <= allSeeds; seeds++ {
			switch last, added := p.Sown(house, seeds); {
			case last == house:
			case added == 1:
				e.ends[house][seeds] = 1 << last
			case added == 2:
				e.ends[house][seeds] = 1 << (16 + last)
			}
		}
	}
	return e
}

// Eval is the score in centipieces for the side to move.
func (e *manqalaEval) Eval() int {
	var c counts
	return held(e.count(&c))
}

// Features appends the counts for the side to move.
func (e *manqalaEval) Features(dst []int32) []int32 {
	var c counts
	e.count(&c)
	return append(dst, c[:manqalaFeatures]...)
}

// Terms are the features one by one.
func (e *manqalaEval) Terms() []Term {
	var c counts
	e.count(&c)
	return terms(manqalaTable, &c, &e.weights)
}

func (e *manqalaEval) count(c *counts) int32 {
	us := e.position.Turn() & 1
	own, other := row(e.position.Row(us)), row(e.position.Row(us^1))
	ownStore, otherStore := int32(e.position.Store(us)), int32(e.position.Store(us^1))
	w := &e.weights
	sum := int32(0)
	var ends, otherEnds uint32
	house, weight := c[house1:house7+1], w[house1:house7+1]
	for i, a, b := 0, own, other; i < rowHouses; i++ {
		house[i] = int32(uint8(a)) - int32(uint8(b))
		sum += house[i] * weight[i]
		ends |= e.ends[i][uint8(a)]
		otherEnds |= e.ends[i][uint8(b)]
		a, b = a>>8, b>>8
	}
	ahead, taken := ownStore-otherStore, ownStore+otherStore
	moreHouses := more(own.atLeast(1), other.atLeast(1))
	ripe, otherRipe := own.ripe(), other.ripe()
	ownStranded, otherStranded := own.stranded(), other.stranded()
	sum += c.put(w, store, ahead) +
		c.put(w, lateStore, ahead*taken/allSeeds) +
		c.put(w, sowable, moreHouses) +
		c.put(w, lateSowable, moreHouses*taken/allSeeds) +
		c.put(w, canTake, int32(bits.OnesCount32(ends&(ripe|otherRipe<<rowHouses)))) +
		c.put(w, canLose, int32(bits.OnesCount32(otherEnds&(otherRipe|ripe<<rowHouses)))) +
		c.put(w, stranded, ownStranded-otherStranded) +
		c.put(w, heavy, more(own.atLeast(heavySeeds), other.atLeast(heavySeeds)))
	if own.total() <= hungry || other.total() <= hungry {
		sum += c.put(w, starvation, atStake(own, otherStranded)-atStake(other, ownStranded))
	}
	return sum
}

// atStake is what a row may win by running empty: the seeds stranded on the
// other side, if it is nearly empty.
func atStake(r row, stranded int32) int32 {
	if r.total() <= hungry {
		return stranded
	}
	return 0
}

// more is how many more houses one mark has than another.
func more(own, other row) int32 {
	return int32(bits.OnesCount64(uint64(own|(high&^other)>>1))) - rowHouses
}

// row is seven houses, a byte each, from the owner's left.
type row uint64

// Marks are the high bits of the bytes of a row, free since 98 seeds are all.
const (
	low  = 0x01_01_01_01_01_01_01
	high = 0x80_80_80_80_80_80_80
)

// total is the number of seeds in the row.
func (r row) total() int32 { return int32(r * low << 8 >> 56) }

// atLeast marks the houses that hold n seeds or more.
func (r row) atLeast(n row) row { return (r + low*(0x80-n)) & high }

// stranded counts the seeds in houses that do not reach the other row: house 7
// needs one seed for it, house 1 seven.
func (r row) stranded() int32 {
	reaching := (r + 0x7f_7e_7d_7c_7b_7a_79) & high
	return (r &^ (reaching >> 7 * 0xff)).total()
}

// ripe are the houses that an added seed brings to two or four, bits 0 to 6,
// and those that two added seeds bring there, bits 16 to 22.
func (r row) ripe() uint32 {
	oneOrThree := (r ^ low) &^ (2 * low)
	noneOrTwo := r &^ (2 * low)
	return oneOrThree.empty() | noneOrTwo.empty()<<16
}

// empty are the houses without seeds, as bits 0 to 6.
func (r row) empty() uint32 {
	const gather = 0x01_02_04_08_10_20_40_80 // brings the lowest bits of the bytes together
	return uint32((high &^ r.atLeast(1) >> 7) * gather >> 56)
}
