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
}

// A Series is one line. It has a hole at a NaN.
type Series struct {
	Name      string
	X, Y      []float64 // X rises
	Low, High []float64 // the band; nil for none
	Points    bool      // separate values: no line connects them, and each has a bar in place of the band
}

const mostMarkers = 45 // of a series: more would hide its line

// The dashes and the width of series, if letters have 7.2 points.
var dashes = [][]vg.Length{nil, {5, 1.6}, {1.4, 1.4}, {6, 1.4, 1.4, 1.4}, {9, 2.4}}

const (
	lineWidth = 1.15
	rim       = 1.0 // how much wider a line is than another that lies on it
)

func colorOf(i int) themed { return series[i%len(series)] }

func stroke(i int, text vg.Length) draw.LineStyle {
	s := draw.LineStyle{Color: colorOf(i), Width: lineWidth * text / 7.2}
	for _, d := range dashes[i%len(dashes)] {
		s.Dashes = append(s.Dashes, d*text/7.2)
	}
	return s
}

var gridStyle = draw.LineStyle{Color: grid, Width: 0.5}

// shapes are the forms of markers. Each of the first few series has its own.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.PyramidGlyph{},
	turnedGlyph{draw.BoxGlyph{}, math.Pi / 4}, turnedGlyph{draw.PyramidGlyph{}, math.Pi},
	turnedGlyph{draw.PyramidGlyph{}, math.Pi / 2}}

func marker(i int, text vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: colorOf(i), Radius: text * 0.3, Shape: shapes[i%len(shapes)]}
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

// keys explains the series. A series without a name has no key.
func (l *Lines) keys() (all []key) {
	for i, s := range l.Series {
		if s.Name == "" {
			continue
		}
		all = append(all, key{s.Name, func(sh *sheet, r vg.Rectangle) {
			y := r.Min.Y + r.Size().Y*0.45
			if s.Low != nil && !s.Points {
				sh.SetColor(colorOf(i).faint())
				sh.Fill(r.Path())
			}
			if !s.Points {
				sh.StrokeLine2(stroke(i, sh.text), r.Min.X, y, r.Max.X, y)
			}
			sh.DrawGlyph(marker(i, sh.text), vg.Point{X: r.Min.X + r.Size().X/2, Y: y})
		}})
	}
	return all
}

func (l *Lines) height(width, text vg.Length) vg.Length { return width*0.6 + text }

func (l *Lines) draw(s *sheet) {
	x, y := l.extents()
	l.X.whole = l.counted()
	if y.min > y.max {
		s.drawNothing()
		return
	}
	y.cover(0)
	if y.max > y.min {
		y.max += (y.max - y.min) * 0.03
	}
	x = l.margins(x)
	l.lines(s, x, y)
}

// counted reports whether all places are whole numbers. Then no tick is between them.
func (l *Lines) counted() bool {
	return !slices.ContainsFunc(l.Series, func(s Series) bool {
		return slices.ContainsFunc(s.X, func(x float64) bool { return x != math.Trunc(x) })
	})
}

func (l *Lines) extents() (x, y spread) {
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
	return x, y
}

// margins leaves a little room next to the data, so that no marker is on the axis.
func (l *Lines) margins(x spread) spread {
	if n := len(l.X.Names); n > 0 {
		return spread{-0.5, float64(n) - 0.5}
	}
	log := l.X.Log && x.min > 0
	x = x.widened(log)
	if log {
		part := math.Pow(x.max/x.min, 0.03)
		return spread{x.min / part, x.max * part}
	}
	part := (x.max - x.min) * 0.03
	return spread{x.min - part, x.max + part}
}

// lines draws the axes and the series.
func (l *Lines) lines(s *sheet, x, y spread) {
	ax, ay := l.X, l.Y
	below := s.label(ay.Label)
	ax.below = 0.7
	s.frame(below, &ax, &ay, x, y, func(c draw.Canvas, p *plot.Plot) {
		(&plotter.Grid{Horizontal: gridStyle}).Plot(c, p)
		b := brush{c, p, s.text}
		for i := range l.Series {
			for _, run := range l.Series[i].runs(p.Y.Min) {
				b.band(i, run)
			}
		}
		for i, s := range l.Series {
			under := l.under(i)
			for _, run := range s.runs(p.Y.Min) {
				b.rims(i, run, under[run.start:])
				b.stroke(i, run, 0)
			}
			if len(s.X) <= mostMarkers {
				b.markers(i, &s)
			}
		}
	})
}

// farthest is the largest absolute value that a chart shows.
const farthest = 1e15

// has reports whether a series has the i-th point: all its values are finite numbers.
func (s *Series) has(i int) bool {
	all := []float64{s.X[i], s.Y[i]}
	if s.Low != nil {
		all = append(all, s.Low[i], s.High[i])
	}
	return !slices.ContainsFunc(all, func(v float64) bool { return !(math.Abs(v) <= farthest) }) // which no NaN is
}

// A run is a part of a series without a hole. Each of separate values is one.
type run struct {
	Series
	start int // its place in the whole
}

// runs returns the runs of a series. A value below the axis is a hole too, as 0 is on a logarithmic one.
func (s *Series) runs(least float64) (all []run) {
	start := -1
	for i := 0; i <= len(s.Y); i++ {
		ok := i < len(s.Y) && s.has(i) && s.Y[i] >= least
		if start >= 0 && (!ok || s.Points) {
			r := run{Series{X: s.X[start:i], Y: s.Y[start:i]}, start}
			if s.Low != nil {
				r.Low, r.High = s.Low[start:i], s.High[start:i]
			}
			all, start = append(all, r), -1
		}
		if ok && start < 0 {
			start = i
		}
	}
	return all
}

// under returns, for each place of the i-th series, how many later series are the same there and at a neighbouring
// place. The series is wider by that number there, so that its rim shows on both sides of the series over it.
func (l *Lines) under(i int) []int {
	s := &l.Series[i]
	count := make([]int, len(s.X))
	for _, o := range l.Series[i+1:] {
		same := func(k int) bool {
			return k >= 0 && k < len(s.X) && k < len(o.X) && s.has(k) && o.has(k) && s.X[k] == o.X[k] &&
				math.Abs(s.Y[k]-o.Y[k]) <= 1e-9*math.Abs(s.Y[k])
		}
		for k := range count {
			if same(k) && (same(k-1) || same(k+1) || len(s.X) == 1) {
				count[k]++
			}
		}
	}
	return count
}

type brush struct {
	draw.Canvas
	p    *plot.Plot
	text vg.Length
}

// within returns points, each moved to the edge of the axes if it lies beyond.
func (b *brush) within(x, y []float64) (points plotter.XYs) {
	for i := range x {
		inX, inY := min(max(x[i], b.p.X.Min), b.p.X.Max), min(max(y[i], b.p.Y.Min), b.p.Y.Max)
		points = append(points, plotter.XY{X: inX, Y: inY})
	}
	return points
}

// band fills the area between low and high. A single point has a bar.
func (b *brush) band(i int, r run) {
	if r.Low == nil {
		return
	}
	low, high := b.within(r.X, r.Low), b.within(r.X, r.High)
	if len(low) == 1 {
		style := draw.LineStyle{Color: colorOf(i), Width: lineWidth * b.text / 7.2}
		line(b.Canvas, b.p, style, plotter.XYs{low[0], high[0]})
		return
	}
	slices.Reverse(high)
	(&plotter.Polygon{XYs: []plotter.XYs{append(low, high...)}, Color: colorOf(i).faint()}).Plot(b.Canvas, b.p)
}

// rims draws the stretches of a run that other series will cover.
func (b *brush) rims(i int, r run, under []int) {
	for start := 0; start < len(r.X)-1; {
		wide, end := min(under[start], under[start+1]), start+1
		for end+1 < len(r.X) && min(under[end], under[end+1]) == wide {
			end++
		}
		if wide > 0 {
			part := run{Series: Series{X: r.X[start : end+1], Y: r.Y[start : end+1]}}
			b.stroke(i, part, vg.Length(wide)*rim*b.text/7.2)
		}
		start = end
	}
}

func (b *brush) stroke(i int, r run, wider vg.Length) {
	line := plotter.Line{XYs: b.within(r.X, r.Y), LineStyle: stroke(i, b.text)}
	if line.Width += wider; wider > 0 {
		line.Dashes = nil
	}
	line.Plot(b.Canvas, b.p)
}

func line(c draw.Canvas, p *plot.Plot, style draw.LineStyle, points plotter.XYs) {
	(&plotter.Line{XYs: points, LineStyle: style}).Plot(c, p)
}

func (b *brush) markers(i int, s *Series) {
	for k := range s.Y {
		if s.has(k) && s.Y[k] >= b.p.Y.Min {
			(&plotter.Scatter{XYs: b.within(s.X[k:k+1], s.Y[k:k+1]), GlyphStyle: marker(i, b.text)}).Plot(b.Canvas, b.p)
		}
	}
}
