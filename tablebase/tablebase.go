// Package tablebase owns endgame tables: what best play makes of every position
// with few pieces, or few seeds. It builds them, writes and reads their files,
// verifies them and looks positions up. It knows the rules only through the
// games of movegen, and no search.
//
// The one idea behind it: a position with few pieces is a number (index.go). A
// table is an array over these numbers, filled by retrograde analysis from the
// end of the game backwards, and kept in blocks that are packed on their own.
//
// A newcomer reads the board games in this order: rules.go (which rules have
// tables, and what they ignore), geometry.go and index.go (positions as
// numbers), material.go, value.go, table.go, retrograde.go (the build), build.go
// and file.go (files), probe.go, verify.go. Rules with memory have tables with
// states: state.go, stateindex.go, stateretrograde.go, statebuild.go, stateprobe.go
// and stateverify.go. Al-manqala has seeds.go (boards as numbers, turns),
// seedbuild.go and seedfile.go. docs/tables.md tells the rest.
package tablebase
