// Package games leads from a variant to its game: the table of families.
package games

import (
	"qirkat/movegen"
	"qirkat/movegen/alquerque"
	"qirkat/movegen/fanorona"
	"qirkat/movegen/manqala"
)

var families = map[movegen.Family]func(*movegen.Variant) movegen.Game{
	movegen.Alquerque: func(v *movegen.Variant) movegen.Game { return alquerque.New(v) },
	movegen.Fanorona:  func(v *movegen.Variant) movegen.Game { return fanorona.New(v) },
	movegen.Manqala:   func(v *movegen.Variant) movegen.Game { return manqala.New(v) },
}

// New is the start position of a variant.
func New(v *movegen.Variant) movegen.Game { return families[v.Family](v) }
