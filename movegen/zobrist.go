package movegen

// Keys are the random numbers of the hash (A. L. Zobrist, "A New Hashing
// Method with Application for Game Playing", 1970): one for every piece on
// every point, one for Black to move, and those of the state tokens. They are
// the same in every run, so that keys can stand in files.
var Keys = newZobrist()

// Zobrist is a table of random numbers, by side and point where both count.
type Zobrist struct {
	Piece    [2][64]uint64
	StepFrom [2][64]uint64 // the no-return token: where the side's last step began
	StepTo   [2][64]uint64 // and where it ended
	Liable   [64]uint64    // the huff token
	Black    uint64        // Black is to move
}

func newZobrist() (z Zobrist) {
	r := SplitMix(0x9e3779b97f4a7c15)
	for s := range z.Piece {
		for p := range z.Piece[s] {
			z.Piece[s][p] = r.Next()
			z.StepFrom[s][p] = r.Next()
			z.StepTo[s][p] = r.Next()
		}
	}
	for p := range z.Liable {
		z.Liable[p] = r.Next()
	}
	z.Black = r.Next()
	return z
}

// Pieces is the key of a set of pieces of one side.
func (z *Zobrist) Pieces(s Side, set Set) uint64 {
	var key uint64
	for ; set != 0; set = set.Rest() {
		key ^= z.Piece[s&1][set.First()&63]
	}
	return key
}

// SplitMix is a random number generator (G. Steele, D. Lea, C. Flood, "Fast
// Splittable Pseudorandom Number Generators", 2014); its value is its state.
type SplitMix uint64

// Next gives the next random number.
func (s *SplitMix) Next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}
