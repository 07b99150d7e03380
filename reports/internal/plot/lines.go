package plot

import (
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines is a picture of values along an axis, with bands.
type Lines struct {
	X, Y   Axis
	Series []Series
	Marks  []Mark
	Floor  float64 // the axis of values goes down to it at least, unless it is logarithmic
	Steps  bool    // each value stands until the next

	over *[2]spread // what the data of all panels cover, where it is one of several
}

// A Series is one line. Where a value is NaN it has a hole.
type Series struct {
	Name      string
	X, Y      []float64 // X rises
	Low, High []float64 // the band; nil for none
	Ticks     []float64 // where small ticks stand on the line
}

// A Mark is a line across, at a place.
type Mark struct {
	X    float64
	Name string
}

const mostMarkers = 45 // of a series: more would hide its line

// The dashes and the width of series.
var dashes = [][]vg.Length{nil, {5, 1.6}, {1.4, 1.4}, {6, 1.4, 1.4, 1.4}, {9, 2.4}}

const lineWidth = 1.15

func stroke(i int, text vg.Length) draw.LineStyle {
	s := draw.LineStyle{Color: series[i%len(series)], Width: lineWidth * text / 7.2}
	for _, d := range dashes[i%len(dashes)] {
		s.Dashes = append(s.Dashes, d*text/7.2)
	}
	return s
}

func (l *Lines) height(width, text vg.Length) vg.Length { return width*0.6 + text }

// keys explains series, unless there is only one and no word for it, and marks.
func (l *Lines) keys() (all []key) {
	for i, s := range l.Series {
		if s.Name == "" {
			continue
		}
		all = append(all, key{s.Name, func(sh *sheet, r vg.Rectangle) {
			y := r.Min.Y + r.Size().Y*0.45
			if s.Low != nil {
				sh.SetColor(series[i%len(series)].faint())
				sh.Fill(r.Path())
			}
			sh.StrokeLine2(stroke(i, sh.text), r.Min.X, y, r.Max.X, y)
			if !l.Steps {
				sh.DrawGlyph(marker(i, sh.text), vg.Point{X: r.Min.X + r.Size().X/2, Y: y})
			}
		}})
	}
	for _, m := range l.Marks {
		all = append(all, key{m.Name, func(sh *sheet, r vg.Rectangle) {
			x := r.Min.X + r.Size().X/2
			sh.StrokeLine2(markStyle(sh.text), x, r.Min.Y-sh.text*0.2, x, r.Max.Y+sh.text*0.1)
		}})
	}
	return all
}

func markStyle(text vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: black, Width: 0.9 * text / 7.2, Dashes: []vg.Length{3 * text / 7.2, 2 * text / 7.2}}
}

func (l *Lines) spreads() (x, y spread) {
	x, y = nothing(), nothing()
	for _, s := range l.Series {
		for i, v := range s.Y {
			if !s.has(i) {
				continue
			}
			x.cover(s.X[i])
			y.cover(v)
			if s.Low != nil {
				y.cover(s.Low[i], s.High[i])
			}
		}
	}
	for _, m := range l.Marks {
		x.cover(m.X)
	}
	return x, y
}

func (l *Lines) draw(s *sheet) {
	x, y := l.extents()
	if y.min > y.max {
		s.drawNothing()
		return
	}
	below := s.label(l.Y.Label)
	if !l.Y.Log || y.min <= 0 {
		y.cover(l.Floor)
		if y.max > y.min {
			y.max += (y.max - y.min) * 0.03
		}
	}
	s.frame(below, &l.X, &l.Y, l.margins(x), y, func(c draw.Canvas, p *plot.Plot) { l.plot(c, p, s.text) })
}

// farthest is as far from 0 as anything is drawn.
const farthest = 1e15

// has reports whether a series has a point: all its values are numbers, and none is infinite.
func (s *Series) has(i int) bool {
	all := []float64{s.X[i], s.Y[i]}
	if s.Low != nil {
		all = append(all, s.Low[i], s.High[i])
	}
	return !slices.ContainsFunc(all, func(v float64) bool { return !(math.Abs(v) <= farthest) }) // which no NaN is
}

// margins leaves a little room beside the data, so that no marker stands on the axis.
func (l *Lines) margins(x spread) spread {
	if n := len(l.X.Names); n > 0 {
		return spread{-0.5, float64(n) - 0.5}
	}
	log := l.X.Log && x.min > 0
	x = x.widened(log)
	switch {
	case l.Steps && log:
		return x
	case l.Steps:
		return spread{min(x.min, 0), x.max}
	case log:
		part := math.Pow(x.max/x.min, 0.03)
		return spread{x.min / part, x.max * part}
	}
	part := (x.max - x.min) * 0.03
	return spread{x.min - part, x.max + part}
}

func (l *Lines) plot(c draw.Canvas, p *plot.Plot, text vg.Length) {
	(&plotter.Grid{Horizontal: gridStyle}).Plot(c, p)
	for _, m := range l.Marks {
		line(c, p, markStyle(text), plotter.XYs{{X: m.X, Y: p.Y.Min}, {X: m.X, Y: p.Y.Max}})
	}
	for i, s := range l.Series {
		for _, run := range s.runs(p.Y.Min) {
			s.band(c, p, i, run, text, l.Steps)
		}
	}
	for i, s := range l.Series {
		under := l.under(i)
		for _, run := range s.runs(p.Y.Min) {
			l.rims(c, p, i, run, under, text)
			l.stroke(c, p, i, run, 0, text)
		}
		s.points(c, p, i, text, l.Steps, under)
	}
}

// gridStyle is the style of the lines through the ticks.
var gridStyle = draw.LineStyle{Color: grid, Width: 0.5}

func line(c draw.Canvas, p *plot.Plot, style draw.LineStyle, points plotter.XYs) {
	(&plotter.Line{XYs: points, LineStyle: style}).Plot(c, p)
}

// within returns points, each moved to the edge of the axes if it lies beyond: an axis has no place for it.
func within(p *plot.Plot, x, y []float64) plotter.XYs {
	points := make(plotter.XYs, len(x))
	for i := range x {
		points[i].X, points[i].Y = min(max(x[i], p.X.Min), p.X.Max), min(max(y[i], p.Y.Min), p.Y.Max)
	}
	return points
}

// runs returns the ranges of a series that have no hole. What lies below the axis, as 0 does where that is logarithmic, is
// a hole too.
func (s *Series) runs(least float64) (all [][2]int) {
	from := -1
	for i := 0; i <= len(s.Y); i++ {
		ok := i < len(s.Y) && s.has(i) && s.Y[i] >= least
		switch {
		case ok && from < 0:
			from = i
		case !ok && from >= 0:
			all, from = append(all, [2]int{from, i}), -1
		}
	}
	return all
}

// band fills what lies between low and high. A point alone has a bar.
func (s *Series) band(c draw.Canvas, p *plot.Plot, i int, run [2]int, text vg.Length, steps bool) {
	if s.Low == nil {
		return
	}
	low, high := within(p, s.X[run[0]:run[1]], s.Low[run[0]:run[1]]), within(p, s.X[run[0]:run[1]], s.High[run[0]:run[1]])
	if len(low) == 1 {
		line(c, p, draw.LineStyle{Color: series[i%len(series)], Width: lineWidth * text / 7.2}, plotter.XYs{low[0], high[0]})
		return
	}
	if steps {
		low, high = stepped(low), stepped(high)
	}
	slices.Reverse(high)
	(&plotter.Polygon{XYs: []plotter.XYs{append(low, high...)}, Color: series[i%len(series)].faint()}).Plot(c, p)
}

func stepped(points plotter.XYs) (all plotter.XYs) {
	for i, p := range points {
		if i > 0 {
			all = append(all, plotter.XY{X: p.X, Y: points[i-1].Y})
		}
		all = append(all, p)
	}
	return all
}

func (s *Series) points(c draw.Canvas, p *plot.Plot, i int, text vg.Length, steps bool, under []int) {
	for k := range s.Y {
		if !steps && len(s.X) <= mostMarkers && s.has(k) && s.Y[k] >= p.Y.Min {
			mark := marker(i, text)
			mark.Radius += rim * text / 7.2 * vg.Length(under[k])
			(&plotter.Scatter{XYs: within(p, s.X[k:k+1], s.Y[k:k+1]), GlyphStyle: mark}).Plot(c, p)
		}
	}
	k := 0
	toX, toY := p.Transforms(&c)
	for _, tick := range s.Ticks { // a series with holes has no ticks
		for k+1 < len(s.X) && s.X[k+1] <= tick {
			k++
		}
		x, y := toX(tick), toY(s.Y[k])
		c.StrokeLine2(draw.LineStyle{Color: series[i%len(series)], Width: 0.8 * text / 7.2}, x, y-text*0.25, x, y+text*0.25)
	}
}

// A turnedGlyph is a glyph, turned by an angle.
type turnedGlyph struct {
	draw.GlyphDrawer
	angle float64
}

// DrawGlyph implements draw.GlyphDrawer.
func (g turnedGlyph) DrawGlyph(c *draw.Canvas, s draw.GlyphStyle, p vg.Point) {
	c.Push()
	c.Translate(p)
	c.Rotate(g.angle)
	g.GlyphDrawer.DrawGlyph(c, s, vg.Point{})
	c.Pop()
}

// shapes are the forms of markers: of the first few series each has its own.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{},
	turnedGlyph{draw.BoxGlyph{}, math.Pi / 4}, turnedGlyph{draw.PyramidGlyph{}, math.Pi}}

func marker(i int, text vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: series[i%len(series)], Radius: text * 0.3, Shape: shapes[i%len(shapes)]}
}
