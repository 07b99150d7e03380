package plots

import (
	"math"

	"gonum.org/v1/plot"
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

// stroke returns the line of the i-th series.
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
		all = append(all, key{s.Name, func(sh *sheet, at vg.Rectangle) {
			y := at.Min.Y + at.Size().Y*0.45
			if s.Low != nil {
				sh.FillPolygon(series[i%len(series)].faint(), []vg.Point{at.Min, {X: at.Max.X, Y: at.Min.Y}, at.Max, {X: at.Min.X, Y: at.Max.Y}})
			}
			sh.StrokeLine2(stroke(i, sh.text), at.Min.X, y, at.Max.X, y)
			if !l.Steps {
				sh.marker(i, vg.Point{X: at.Min.X + at.Size().X/2, Y: y})
			}
		}})
	}
	for _, m := range l.Marks {
		all = append(all, key{m.Name, func(sh *sheet, at vg.Rectangle) {
			x := at.Min.X + at.Size().X/2
			sh.StrokeLine2(markStyle(sh.text), x, at.Min.Y-sh.text*0.2, x, at.Max.Y+sh.text*0.1)
		}})
	}
	return all
}

func markStyle(text vg.Length) draw.LineStyle {
	return draw.LineStyle{Color: black, Width: 0.9 * text / 7.2, Dashes: []vg.Length{3 * text / 7.2, 2 * text / 7.2}}
}

// spreads describes what the data cover.
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
	x, y := l.spreads()
	if y.min > y.max {
		s.none()
		return
	}
	p := plot.New()
	p.BackgroundColor = nil
	below := draw.Crop(s.Canvas, 0, -s.text*0.4, 0, -s.text*1.9)
	s.FillText(styled(s.text, black), vg.Point{X: s.Min.X, Y: s.Max.Y - s.text}, fitted(l.Y.Label, s.Size().X, s.text))
	if !l.Y.Log || y.min <= 0 {
		y.cover(l.Floor)
		if y.max > y.min {
			y.max += (y.max - y.min) * 0.03
		}
	}
	frame(p, below, s.text, &l.X, &l.Y, l.margins(x), y)
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) { l.plot(c, p, s.text) }))
	p.Draw(below)
}

// frame readies both axes. How much room there is along the one hangs on the labels of the other.
func frame(p *plot.Plot, c draw.Canvas, text vg.Length, ax, ay *Axis, x, y spread) {
	p.X.Padding = 0
	p.X.Tick.Marker = plot.ConstantTicks{}
	ay.ready(&p.Y, y, c.Size().Y-text*3, text, true)
	ax.ready(&p.X, x, p.DataCanvas(c).Size().X, text, false)
	ay.ready(&p.Y, y, p.DataCanvas(c).Size().Y, text, true)
}

// drawn makes a plotter of a function.
type drawn func(draw.Canvas, *plot.Plot)

// Plot is of plot.Plotter.
func (d drawn) Plot(c draw.Canvas, p *plot.Plot) { d(c, p) }

// none says that there is nothing to draw.
func (s *sheet) none() {
	style := styled(s.text, soft)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	s.FillText(style, s.Center(), fitted("There is nothing to draw.", s.Size().X, s.text))
}

// farthest is as far from 0 as anything is drawn.
const farthest = 1e15

// has reports whether a series has a point: all of it is a number, and none is endless.
func (s *Series) has(i int) bool {
	all := []float64{s.X[i], s.Y[i]}
	if s.Low != nil {
		all = append(all, s.Low[i], s.High[i])
	}
	for _, v := range all {
		if !(math.Abs(v) <= farthest) { // which no NaN is
			return false
		}
	}
	return true
}

// margins leaves a little place beside the data, so that no marker stands on the axis.
func (l *Lines) margins(x spread) spread {
	if n := len(l.X.Names); n > 0 {
		return spread{-0.5, float64(n) - 0.5}
	}
	log := l.X.Log && x.min > 0
	x = x.sane(log)
	switch {
	case l.Steps && log:
		return x
	case l.Steps:
		return spread{min(x.min, 0), x.max}
	case log:
		by := math.Pow(x.max/x.min, 0.03)
		return spread{x.min / by, x.max * by}
	}
	by := (x.max - x.min) * 0.03
	return spread{x.min - by, x.max + by}
}

func (l *Lines) plot(c draw.Canvas, p *plot.Plot, text vg.Length) {
	tx, ty := p.Transforms(&c)
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if !t.IsMinor() {
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.5}, c.Min.X, ty(t.Value), c.Max.X, ty(t.Value))
		}
	}
	for _, m := range l.Marks {
		c.StrokeLine2(markStyle(text), tx(m.X), c.Min.Y, tx(m.X), c.Max.Y)
	}
	at := func(x, y float64) vg.Point { // no axis has a place for what lies beyond it
		return vg.Point{X: tx(min(max(x, p.X.Min), p.X.Max)), Y: ty(min(max(y, p.Y.Min), p.Y.Max))}
	}
	for i, s := range l.Series {
		for _, run := range s.runs(p.Y.Min) {
			s.band(c, i, run, text, l.Steps, at)
		}
	}
	for i, s := range l.Series {
		for _, run := range s.runs(p.Y.Min) {
			c.StrokeLines(stroke(i, text), s.path(run, s.Y, l.Steps, at))
		}
		s.points(&sheet{c, text}, i, l.Steps, p.Y.Min, at)
	}
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

// path returns the points of a line.
func (s *Series) path(run [2]int, y []float64, steps bool, at func(x, y float64) vg.Point) (points []vg.Point) {
	for i := run[0]; i < run[1]; i++ {
		if steps && i > run[0] {
			points = append(points, at(s.X[i], y[i-1]))
		}
		points = append(points, at(s.X[i], y[i]))
	}
	return points
}

// band fills what lies between low and high. One point alone has a bar.
func (s *Series) band(c draw.Canvas, i int, run [2]int, text vg.Length, steps bool, at func(x, y float64) vg.Point) {
	if s.Low == nil {
		return
	}
	low, high := s.path(run, s.Low, steps, at), s.path(run, s.High, steps, at)
	if len(low) == 1 {
		c.StrokeLine2(draw.LineStyle{Color: series[i%len(series)], Width: lineWidth * text / 7.2}, low[0].X, low[0].Y, high[0].X, high[0].Y)
		return
	}
	for k := len(high) - 1; k >= 0; k-- {
		low = append(low, high[k])
	}
	c.FillPolygon(series[i%len(series)].faint(), low)
}

// points draws the markers of a series, and its ticks.
func (s *Series) points(sh *sheet, i int, steps bool, least float64, at func(x, y float64) vg.Point) {
	if !steps && len(s.X) <= mostMarkers {
		for k := range s.Y {
			if s.has(k) && s.Y[k] >= least {
				sh.marker(i, at(s.X[k], s.Y[k]))
			}
		}
	}
	k := 0
	for _, x := range s.Ticks { // which a series with holes has not
		for k+1 < len(s.X) && s.X[k+1] <= x {
			k++
		}
		p := at(x, s.Y[k])
		sh.StrokeLine2(draw.LineStyle{Color: series[i%len(series)], Width: 0.8 * sh.text / 7.2}, p.X, p.Y-sh.text*0.25, p.X, p.Y+sh.text*0.25)
	}
}

// marker draws the marker of the i-th series: each of the first few has a form of its own.
func (s *sheet) marker(i int, at vg.Point) {
	r := s.text * 0.27
	corners := [][]vg.Point{
		nil, {{X: -r, Y: -r}, {X: r, Y: -r}, {X: r, Y: r}, {X: -r, Y: r}}, {{X: -1.2 * r, Y: -r}, {X: 1.2 * r, Y: -r}, {Y: 1.2 * r}},
		{{Y: -1.4 * r}, {X: 1.4 * r}, {Y: 1.4 * r}, {X: -1.4 * r}}, {{X: -1.2 * r, Y: r}, {X: 1.2 * r, Y: r}, {Y: -1.2 * r}},
	}
	s.SetColor(series[i%len(series)])
	var p vg.Path
	for k, corner := range corners[i%len(corners)] {
		to := at.Add(corner)
		if k == 0 {
			p.Move(to)
		} else {
			p.Line(to)
		}
	}
	if p == nil {
		p.Move(vg.Point{X: at.X + r, Y: at.Y})
		p.Arc(at, r, 0, 2*math.Pi)
	}
	p.Close()
	s.Fill(p)
}
