package main

import (
	"os"

	"qirkat/match"
	"qirkat/match/plot"
)

// drawPlots draws the pictures of a tournament from its record.
func drawPlots(c *match.Config) error {
	f, err := os.Open(c.Record)
	if err != nil {
		return err
	}
	defer f.Close()
	_, records, err := match.ReadJournal(f)
	if err != nil {
		return err
	}
	_, err = plot.Draw(c.Plot, c, records)
	return err
}
