// Command qirkat plays Alquerque, Quirkat, Fanorona and Al-manqala. Bare, it
// is an engine that speaks UGI or UCI on its standard input and output; its
// subcommands count, measure, analyse and play.
//
// The package parses arguments and wires the parts: one file a subcommand. The
// files start.go, usage.go and progress.go hold what several of them share.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
