package plots

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Intervals is a picture of one value with its interval for each of several things, one below the other.
type Intervals struct {
	X             Axis
	Names         []string
	At, Low, High []float64 // At may be NaN
}

func (v *Intervals) keys() []key { return nil }

func (v *Intervals) height(_, text vg.Length) vg.Length {
	return text * (1.7*vg.Length(max(len(v.Names), 1)) + 4)
}

func (v *Intervals) draw(s *sheet) {
	if len(v.Names) == 0 {
		s.none()
		return
	}
	p := plot.New()
	p.BackgroundColor = nil
	names, x := make([]string, len(v.Names)), nothing()
	for i := range names {
		names[len(names)-1-i] = v.Names[i] // the first is on top
		if x.cover(v.At[i], v.High[i]); !v.X.Log {
			x.cover(0, v.Low[i])
		} else if v.Low[i] > 0 {
			x.cover(v.Low[i])
		}
	}
	if x = x.sane(v.X.Log); !v.X.Log {
		x.max += (x.max - x.min) * 0.03
	}
	frame(p, s.Canvas, s.text, &v.X, &Axis{Names: names}, x, spread{-0.5, float64(len(names)) - 0.5})
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) { v.plot(c, p, s.text) }))
	p.Draw(s.Canvas)
}

func (v *Intervals) plot(c draw.Canvas, p *plot.Plot, text vg.Length) {
	tx, ty := p.Transforms(&c)
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if !t.IsMinor() {
			c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.5}, tx(t.Value), c.Min.Y, tx(t.Value), c.Max.Y)
		}
	}
	bar := draw.LineStyle{Color: series[0], Width: 1.3 * text / 7.2}
	for i := range v.Names {
		y := ty(float64(len(v.Names) - 1 - i))
		if math.IsNaN(v.Low[i]) {
			continue
		}
		from, to := tx(max(v.Low[i], p.X.Min)), tx(v.High[i])
		c.StrokeLine2(bar, from, y, to, y)
		for _, end := range []vg.Length{from, to} {
			c.StrokeLine2(bar, end, y-text*0.25, end, y+text*0.25)
		}
		if at := v.At[i]; !math.IsNaN(at) && at >= p.X.Min {
			(&sheet{c, text}).marker(0, vg.Point{X: tx(at), Y: y})
		}
	}
}
