// Package plot draws pictures of a tournament from its records: how Elo and the
// sequential test went, how long games were, and what colours were worth.
package plot

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"qirkat/match"
)

// Size of a picture (chosen).
const (
	width  = 8 * vg.Inch
	height = 5 * vg.Inch
)

// formats are the kinds of files that are written of each picture.
var formats = []string{"png", "svg"}

// Draw writes the pictures of a tournament into a folder, which is made if need
// be, and gives their names. A picture of which there is nothing to show is
// left out: Elo and the test are for two engines.
func Draw(folder string, c *match.Config, records []match.Record) ([]string, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	var names []string
	for _, picture := range []struct {
		name string
		draw func(*match.Config, []match.Record) (*plot.Plot, error)
	}{
		{"elo", elo}, {"llr", llr}, {"lengths", lengths}, {"colours", colours},
	} {
		p, err := picture.draw(c, records)
		if err != nil {
			return names, fmt.Errorf("picture %s: %w", picture.name, err)
		}
		if p == nil {
			continue
		}
		for _, format := range formats {
			path := filepath.Join(folder, picture.name+"."+format)
			if err := p.Save(width, height, path); err != nil {
				return names, err
			}
			names = append(names, path)
		}
	}
	return names, nil
}

func newPlot(title, x, y string) *plot.Plot {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.Title.Padding = vg.Points(8)
	p.Add(plotter.NewGrid())
	return p
}

// points are at most so many of a picture's width; more cannot be told apart.
const maxPoints = 1000

// walk counts the records one by one, and calls at up to maxPoints of them.
func walk(c *match.Config, records []match.Record, at func(games int, s *match.Standings)) {
	s := match.NewStandings(names(c))
	step := max(1, len(records)/maxPoints)
	for i, r := range records {
		s.Add(r)
		if (i+1)%step == 0 || i == len(records)-1 {
			at(i+1, s)
		}
	}
}

func names(c *match.Config) []string {
	var list []string
	for _, e := range c.Engines {
		list = append(list, e.Name)
	}
	return list
}

// elo is the difference of two engines over the games, with its 95 % band.
func elo(c *match.Config, records []match.Record) (*plot.Plot, error) {
	if len(c.Engines) != 2 || len(records) == 0 {
		return nil, nil
	}
	var value, low, high plotter.XYs
	walk(c, records, func(games int, s *match.Standings) {
		e := s.Between(0, 1)
		d := e.Sample().Elo()
		x := float64(games)
		value = append(value, plotter.XY{X: x, Y: d.Value})
		low = append(low, plotter.XY{X: x, Y: d.Low})
		high = append(high, plotter.XY{X: x, Y: d.High})
	})
	p := newPlot(fmt.Sprintf("Elo of %s against %s", c.Engines[0].Name, c.Engines[1].Name), "games", "Elo")
	outline := append(plotter.XYs{}, high...)
	for i := len(low) - 1; i >= 0; i-- {
		outline = append(outline, low[i])
	}
	band, err := plotter.NewPolygon(outline)
	if err != nil {
		return nil, err
	}
	band.Color, band.Width = color.NRGBA{R: 70, G: 130, B: 180, A: 60}, 0
	line, err := plotter.NewLine(value)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = plotutil.Color(2), vg.Points(1.5)
	p.Add(band, line)
	p.Legend.Add("Elo", line)
	p.Legend.Add("95 % interval", band)
	p.Legend.Top = true
	// The first games say little, and would hide what the others say.
	from := len(value) / 5
	p.Y.Max, p.Y.Min = high[from].Y, low[from].Y
	for i := from; i < len(value); i++ {
		p.Y.Max, p.Y.Min = max(p.Y.Max, high[i].Y), min(p.Y.Min, low[i].Y)
	}
	return p, nil
}

// llr is the log-likelihood ratio of the sequential test, with its bounds.
func llr(c *match.Config, records []match.Record) (*plot.Plot, error) {
	if c.SPRT == nil || len(records) == 0 {
		return nil, nil
	}
	var ratio plotter.XYs
	walk(c, records, func(games int, s *match.Standings) {
		e := s.Between(0, 1)
		ratio = append(ratio, plotter.XY{X: float64(games), Y: c.SPRT.LLR(e.Pairs.Sample())})
	})
	p := newPlot(fmt.Sprintf("SPRT of %s Elo %g against %g", c.SPRT.Model, c.SPRT.Elo1, c.SPRT.Elo0), "games", "log-likelihood ratio")
	line, err := plotter.NewLine(ratio)
	if err != nil {
		return nil, err
	}
	line.Color, line.Width = plotutil.Color(2), vg.Points(1.5)
	p.Add(line)
	lower, upper := c.SPRT.Bounds()
	for i, bound := range []float64{lower, upper} {
		b := plotter.NewFunction(func(float64) float64 { return bound })
		b.Color, b.Dashes = plotutil.Color(i), plotutil.Dashes(1)
		p.Add(b)
		p.Legend.Add([]string{"H0 accepted", "H1 accepted"}[i], b)
	}
	p.Legend.Top = true
	p.X.Min, p.X.Max = 0, float64(len(records))
	p.Y.Min, p.Y.Max = min(p.Y.Min, lower)-0.5, max(p.Y.Max, upper)+0.5
	return p, nil
}

// lengths is how many games had how many plies.
func lengths(_ *match.Config, records []match.Record) (*plot.Plot, error) {
	var plies plotter.Values
	for _, r := range records {
		plies = append(plies, float64(len(r.Opening.Moves)+len(r.Plies)))
	}
	if len(plies) == 0 {
		return nil, nil
	}
	p := newPlot("Length of the games", "plies", "games")
	const bins = 40
	bars, err := plotter.NewHist(plies, bins)
	if err != nil {
		return nil, err
	}
	bars.FillColor = plotutil.Color(2)
	p.Add(bars)
	return p, nil
}

// colours is what each engine scored as White and as Black, in percent.
func colours(c *match.Config, records []match.Record) (*plot.Plot, error) {
	if len(records) == 0 {
		return nil, nil
	}
	s := match.NewStandings(names(c))
	for _, r := range records {
		s.Add(r)
	}
	var white, black plotter.Values
	for _, e := range s.Summary(c).Engines {
		white, black = append(white, 100*e.White.Score()), append(black, 100*e.Black.Score())
	}
	p := newPlot("Score by colour", "", "percent")
	w := min(vg.Points(30), width/vg.Length(4*len(white)))
	for i, bars := range []plotter.Values{white, black} {
		b, err := plotter.NewBarChart(bars, w)
		if err != nil {
			return nil, err
		}
		b.Color, b.Offset = []color.Color{color.Gray{220}, color.Gray{60}}[i], w*vg.Length(2*i-1)/2
		b.LineStyle = draw.LineStyle{Color: color.Black, Width: vg.Points(0.5)}
		p.Add(b)
		p.Legend.Add([]string{"as White", "as Black"}[i], b)
	}
	p.NominalX(names(c)...)
	p.X.Min, p.X.Max = -0.5, float64(len(white))-0.5
	p.Y.Min, p.Y.Max = 0, 100
	p.Legend.Top = true
	return p, nil
}
