package slow

// velaLeft is the number of pieces that Black is left with after the vela.
const velaLeft = 5

// inVela: while Black has more than 5 pieces (section 3, Vela). When Black is
// down to 5 the normal rules hold from the next ply on.
func (f *fanorona) inVela(p *position) bool {
	return f.vela && p.count(black) > velaLeft
}

// addOffers adds the moves of Black: it may not capture, its legal moves are
// its steps, whatever they touch. If some steps leave White a capture, only
// those are legal.
func (f *fanorona) addOffers(t *fanoronaTurns, p position) {
	steps, offers := fanoronaTurns{limit: t.limit}, fanoronaTurns{limit: t.limit}
	f.addPaikas(&steps, p)
	for _, s := range steps.turns {
		if f.canCapture(&s.next.points, white) {
			offers.turns = append(offers.turns, s)
		}
	}
	if len(offers.turns) == 0 {
		offers = steps
	}
	t.turns = offers.turns
}

// addSingleCaptures adds the captures of White, exactly one piece and one step:
// the nearest enemy piece ahead or behind.
func (f *fanorona) addSingleCaptures(t *fanoronaTurns, p position) {
	for from := range f.size() {
		for d := range directions {
			if p.points[from] != white || !f.open(&p.points, from, d) {
				continue
			}
			to := f.next[from][d]
			for _, way := range []byte{approach, withdrawal} {
				taken := f.taken(&p.points, from, d, way, black)
				if len(taken) == 0 {
					continue
				}
				points := p.points
				points[from], points[to] = empty, white
				points[taken[0]] = empty
				path := f.name(from) + f.name(to) + string(rune(way))
				t.add(fanoronaMove{from, to, points}, path, f.after(p, points, true))
			}
		}
	}
}
