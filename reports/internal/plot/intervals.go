package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Intervals is a picture of several values with their intervals, one below the other, along a logarithmic axis.
type Intervals struct {
	Label         string // of the axis, with its unit
	Names         []string
	At, Low, High []float64 // At may be NaN
}

// Add adds a value, which may be NaN, with its interval.
func (v *Intervals) Add(name string, value, low, high float64) {
	v.Names, v.At, v.Low, v.High = append(v.Names, name), append(v.At, value), append(v.Low, low), append(v.High, high)
}

// keys explains bounds, if there are some.
func (v *Intervals) keys() []key {
	if !slices.ContainsFunc(v.At, math.IsNaN) {
		return nil
	}
	const bound = "no dot: none was seen, and the end is a bound; an arrow continues to 0"
	return []key{{bound, func(s *sheet, r vg.Rectangle) {
		left := vg.Point{X: r.Min.X, Y: (r.Min.Y + r.Max.Y) / 2}
		drawOpen(s.Canvas, v.style(s.text), s.text*0.5, left, vg.Point{X: r.Max.X, Y: left.Y})
	}}}
}

func (v *Intervals) style(text vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: series[0], Width: 1.3 * text / 7.2}
}

func (v *Intervals) height(_, text vg.Length) vg.Length {
	return text * (1.7*vg.Length(max(len(v.Names), 1)) + 4)
}

func (v *Intervals) draw(s *sheet) {
	if len(v.Names) == 0 {
		s.drawNothing()
		return
	}
	names, x := make([]string, len(v.Names)), nothing()
	for i := range names {
		names[len(names)-1-i] = v.Names[i] // the first is on top
		if x.cover(v.At[i], v.High[i]); v.Low[i] > 0 {
			x.cover(v.Low[i])
		}
	}
	s.frame(s.Canvas, &Axis{Label: v.Label, Log: true}, &Axis{Names: names}, x.widened(true),
		spread{-0.5, float64(len(names)) - 0.5},
		func(c draw.Canvas, p *plot.Plot) { v.plot(c, p, s.text) })
}

func (v *Intervals) plot(c draw.Canvas, p *plot.Plot, text vg.Length) {
	(&plotter.Grid{Vertical: gridStyle}).Plot(c, p)
	style := v.style(text)
	bars := plotter.XErrorBars{LineStyle: style, CapWidth: text * 0.5}
	at := plotter.Scatter{GlyphStyle: marker(0, text)}
	for i := range v.Names {
		if math.IsNaN(v.Low[i]) {
			continue
		}
		y, low := float64(len(v.Names)-1-i), max(v.Low[i], p.X.Min)
		if v.Low[i] < p.X.Min {
			openInterval(c, p, style, bars.CapWidth, plotter.XYs{{X: low, Y: y}, {X: v.High[i], Y: y}})
		} else {
			bars.XYs = append(bars.XYs, plotter.XY{X: low, Y: y})
			bars.XErrors = append(bars.XErrors, struct{ Low, High float64 }{High: v.High[i] - low})
		}
		if !math.IsNaN(v.At[i]) && v.At[i] >= p.X.Min {
			at.XYs = append(at.XYs, plotter.XY{X: v.At[i], Y: y})
		}
	}
	bars.Plot(c, p)
	at.Plot(c, p)
}

// openInterval draws with an arrow an interval that begins beyond the left edge, as one from 0 does on a logarithmic
// axis.
func openInterval(c draw.Canvas, p *plot.Plot, style draw.LineStyle, size vg.Length, ends plotter.XYs) {
	x, y := p.Transforms(&c)
	drawOpen(c, style, size, vg.Point{X: x(ends[0].X), Y: y(ends[0].Y)}, vg.Point{X: x(ends[1].X), Y: y(ends[1].Y)})
}

func drawOpen(c draw.Canvas, style draw.LineStyle, size vg.Length, start, to vg.Point) {
	c.StrokeLines(style, []vg.Point{start, to}, []vg.Point{{X: to.X, Y: to.Y - size/2}, {X: to.X, Y: to.Y + size/2}},
		[]vg.Point{{X: start.X + size, Y: start.Y - size/2}, start, {X: start.X + size, Y: start.Y + size/2}})
}
