package movegen

// Unique appends moves to a list, each once. It is kept by its user from one
// list to the next, so that its memory is used again; the zero value is ready.
type Unique struct {
	start int     // where the list begins in dst
	slots []int32 // hash table of places in the list, counted from 1
	long  bool    // the list has outgrown fewMoves, and the table is in use
}

// fewMoves is how long a list is searched from end to end: shorter than that
// a hash table does not pay (chosen).
const fewMoves = 24

// Begin starts a list at the end of dst.
func (u *Unique) Begin(dst []Move) { u.start, u.long = len(dst), false }

// Add appends m unless the list has it.
func (u *Unique) Add(dst []Move, m Move) []Move {
	n := len(dst) - u.start
	if n < fewMoves {
		for i := range dst[u.start:] {
			if dst[u.start+i] == m {
				return dst
			}
		}
		return append(dst, m)
	}
	if !u.long || 2*n > len(u.slots) {
		u.rebuild(dst)
	}
	if slot := u.find(dst, m); u.slots[slot] == 0 {
		dst = append(dst, m)
		u.slots[slot] = int32(len(dst) - u.start)
	}
	return dst
}

// rebuild makes the table at least four times as long as the list and fills it.
func (u *Unique) rebuild(dst []Move) {
	u.long = true
	list := dst[u.start:]
	size := 128
	for size < 4*len(list) {
		size *= 2
	}
	if cap(u.slots) < size {
		u.slots = make([]int32, size)
	} else {
		u.slots = u.slots[:size]
		clear(u.slots)
	}
	for i, m := range list {
		u.slots[u.find(dst, m)] = int32(i + 1)
	}
}

// find is the slot of m, or the empty one where it belongs.
func (u *Unique) find(dst []Move, m Move) int {
	mask := len(u.slots) - 1
	for slot := int(m.Hash()>>32) & mask; ; slot = (slot + 1) & mask {
		i := u.slots[slot]
		if i == 0 || dst[u.start+int(i)-1] == m {
			return slot
		}
	}
}

// Hash mixes the move to a number of which every bit counts.
func (m Move) Hash() uint64 {
	h := uint64(m.From)*0x9e3779b97f4a7c15 ^ uint64(m.To)*0xc2b2ae3d27d4eb4f
	h = (h^h>>29)*0xbf58476d1ce4e5b9 ^ uint64(m.Taken)*0x94d049bb133111eb ^ uint64(m.Huff)*0xd6e8feb86659fd93
	h ^= h >> 32
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}
