// Package book answers what is known of a position before the search begins.
package book

import "qirkat/movegen"

// Reader looks up moves by the key of a position.
type Reader interface {
	// Probe gives a known move of the position, as its place in the list of
	// legal moves; ok is false when the book has none.
	Probe(key uint64, moves []movegen.Move) (place int, ok bool)
}

// Empty is the book without a move.
type Empty struct{}

// Probe finds nothing.
func (Empty) Probe(uint64, []movegen.Move) (int, bool) { return 0, false }
