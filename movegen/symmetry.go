package movegen

// Symmetry is a map of the points of a board onto themselves: by point, the one
// that it becomes.
type Symmetry [64]Point

// Image is what a set becomes.
func (t *Symmetry) Image(s Set) Set {
	var image Set
	for ; s != 0; s = s.Rest() {
		image |= Bit(t[s.First()&63])
	}
	return image
}

// Symmetries are the maps of a rectangle onto itself, four, or eight of a square:
// the columns, the rows or both the other way round, then the same after columns
// and rows have changed places. The identity is the first; table files rely on the
// order.
func (z Size) Symmetries() []Symmetry {
	n := 4
	if z.W == z.H {
		n = 8
	}
	list := make([]Symmetry, n)
	for i := range list {
		for r := range z.H {
			for c := range z.W {
				x, y := c, r
				if i&1 != 0 {
					x = z.W - 1 - x
				}
				if i&2 != 0 {
					y = z.H - 1 - y
				}
				if i&4 != 0 {
					x, y = y, x
				}
				list[i][z.At(c, r)] = z.At(x, y)
			}
		}
	}
	return list
}

// Directed reports whether the rules close a direction to a piece, so that a
// position is another one upside down.
func (v *Variant) Directed() bool {
	return v.Family == Alquerque &&
		(v.StepDirections() != AllDirections || v.JumpDirections() != AllDirections || v.FarStepsOff)
}

// Symmetries are those of the board that the rules do not notice: with the same
// side to move, the image of a position has the images of its moves. The identity
// is the first. Al-manqala goes round one way, and has no other.
func (v *Variant) Symmetries() []Symmetry {
	list := v.Size.Symmetries()
	switch {
	case v.Family == Manqala:
		return list[:1]
	case v.Directed():
		return list[:2] // the columns the other way round
	}
	return list
}
