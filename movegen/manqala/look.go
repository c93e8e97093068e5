package manqala

// Sown says where the last seed falls when a house with so many seeds is sown,
// as the mover counts the track, and how many seeds of the sowing that house
// gets.
func (p *Position) Sown(house, seeds int) (last, added int) {
	l := p.rules.land[house][seeds]
	return int(l.last), int(l.seeds)
}
