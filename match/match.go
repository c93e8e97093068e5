// Package match owns tournaments: which games are to be played, playing them
// between engines that speak UGI or UCI, with our rules as the judge, and the
// record of what happened.
//
// The one idea behind it: a game is a [Job], which says all that is needed to
// play it, and its result is a [Record]. Jobs follow from the configuration and
// the records so far, records are written down as soon as a game is over, and
// nothing else is remembered. So a tournament that was interrupted goes on by
// reading its records, whoever plays the games and in whatever order.
//
// The way of a game: [Schedule] gives out a job, [Runner] hands it to a
// [Worker], [Local] plays it with two child processes (package process), and
// the record comes back to the runner, which writes it to the [Journal], tells
// the schedule, and counts it in the [Standings].
package match
