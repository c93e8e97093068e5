package manqala

// Sown says where the last seed falls when a house with so many seeds is sown,
// as the mover counts the track, and how many seeds of the sowing that house
// gets.
func (p *Position) Sown(house, seeds int) (last, added int) {
	l := p.rules.land[house][seeds]
	return int(l.last), int(l.seeds)
}

// Sow gives both rows after a sowing of a house, captures included, and the
// seeds taken. Rows are as Row gives them, the mover's own first.
func (p *Position) Sow(own, other uint64, house int) (ownAfter, otherAfter uint64, taken int) {
	before, opposite := row(own), row(other)
	seeds := before.seeds(house)
	s := &p.rules.sow[house][seeds]
	set := p.rules.taken(before, opposite, house, seeds)
	after, across := before.without(house)+s.own, opposite+s.other
	ownTaken, otherTaken := after.keep(set), across.keep(set>>rowHouses)
	return uint64(after - ownTaken), uint64(across - otherTaken), (ownTaken + otherTaken).total()
}

// SownRows are what the seeds of a house add to both rows when it is sown,
// the mover's own first.
func (p *Position) SownRows(house, seeds int) (own, other uint64) {
	s := &p.rules.sow[house][seeds]
	return uint64(s.own), uint64(s.other)
}

// QuietCount is the number of plies in a row without a capture.
func (p *Position) QuietCount() int { return int(p.quiet) }
