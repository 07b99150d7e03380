package plot

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Panels is a picture of several Lines side by side, which have the same series and the same axes, so that one can compare them.
type Panels struct {
	Titles []string
	Lines  []*Lines // of each title
}

// keys are those of the first: all have the same.
func (p *Panels) keys() []key {
	if len(p.Lines) == 0 {
		return nil
	}
	return p.Lines[0].keys()
}

// grid returns how many panels stand side by side, so that each is wide enough for its letters, and in how many rows.
func (p *Panels) grid(width, text vg.Length) (columns, rows int) {
	most := max(int(width/(text*14)), 1)
	rows = max((len(p.Lines)+most-1)/most, 1)
	columns = max((len(p.Lines)+rows-1)/rows, 1)
	return columns, (len(p.Lines) + columns - 1) / columns
}

func (p *Panels) height(width, text vg.Length) vg.Length {
	if len(p.Lines) == 0 {
		return width * 0.6
	}
	columns, rows := p.grid(width, text)
	return vg.Length(rows)*(width/vg.Length(columns)*0.55+text*3) + text*2.5
}

func (p *Panels) draw(s *sheet) {
	if len(p.Lines) == 0 {
		s.drawNothing()
		return
	}
	x, y := nothing(), nothing()
	for _, l := range p.Lines {
		lx, ly := l.spreads()
		x.cover(lx.min, lx.max)
		y.cover(ly.min, ly.max)
	}
	text := s.text
	columns, rows := p.grid(s.Size().X, text)
	for text > s.text/2 && (s.Size().Y-text*3)/vg.Length(rows) < text*8 { // a slide has no more room
		text *= 0.95
		columns, rows = p.grid(s.Size().X, text)
	}
	s = &sheet{s.Canvas, text}
	ax, ay := p.Lines[0].X, p.Lines[0].Y
	s.FillText(styled(s.text, black), vg.Point{X: s.Min.X, Y: s.Max.Y - s.text}, fitText(ay.Label, s.Size().X, s.text))
	under := styled(s.text, black)
	under.XAlign = draw.XCenter
	s.FillText(under, vg.Point{X: s.Center().X, Y: s.Min.Y + s.text*0.1}, fitText(ax.Label, s.Size().X, s.text))
	all := draw.Crop(s.Canvas, 0, 0, s.text*1.2, -s.text*1.6)
	w, h := all.Size().X/vg.Length(columns), all.Size().Y/vg.Length(rows)
	for i, l := range p.Lines {
		left, top := all.Min.X+w*vg.Length(i%columns), all.Max.Y-h*vg.Length(i/columns)
		one := *l
		one.X.Label, one.Y.Label, one.over = "", p.Titles[i], &[2]spread{x, y}
		one.draw(&sheet{draw.Canvas{Canvas: s.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: top - h + s.text*0.3}, Max: vg.Point{X: left + w - s.text*0.6, Y: top},
		}}, s.text})
	}
}

// extents returns what the data cover, here or in all panels.
func (l *Lines) extents() (x, y spread) {
	if l.over != nil {
		return l.over[0], l.over[1]
	}
	return l.spreads()
}

// under returns for each place of the i-th series how many later series are the same there and at a neighbouring place. It is
// drawn that much wider there, so that its rim shows on both sides of those that are drawn over it.
func (l *Lines) under(i int) []int {
	s := &l.Series[i]
	count := make([]int, len(s.X))
	for _, o := range l.Series[i+1:] {
		same := func(k int) bool {
			return k >= 0 && k < len(s.X) && k < len(o.X) && s.has(k) && o.has(k) && s.X[k] == o.X[k] && math.Abs(s.Y[k]-o.Y[k]) <= 1e-9*math.Abs(s.Y[k])
		}
		for k := range count {
			if same(k) && (same(k-1) || same(k+1) || len(s.X) == 1) {
				count[k]++
			}
		}
	}
	return count
}

// rims draws the stretches of a run of the i-th series that other series will be drawn over.
func (l *Lines) rims(c draw.Canvas, p *plot.Plot, i int, run [2]int, under []int, text vg.Length) {
	for from := run[0]; from < run[1]-1; {
		wide, to := min(under[from], under[from+1]), from+1
		for to+1 < run[1] && min(under[to], under[to+1]) == wide {
			to++
		}
		if wide > 0 {
			l.stroke(c, p, i, [2]int{from, to + 1}, vg.Length(wide)*rim*text/7.2, text)
		}
		from = to
	}
}

// stroke draws a run of the i-th series, so much wider than usual.
func (l *Lines) stroke(c draw.Canvas, p *plot.Plot, i int, run [2]int, wider, text vg.Length) {
	s := &l.Series[i]
	line := plotter.Line{XYs: within(p, s.X[run[0]:run[1]], s.Y[run[0]:run[1]]), LineStyle: stroke(i, text)}
	if line.Width += wider; wider > 0 {
		line.Dashes = nil
	}
	if l.Steps {
		line.StepStyle = plotter.PostStep
	}
	line.Plot(c, p)
}

// rim is by how much a line is wider than another one that lies on it, and a marker larger, at letters of 7.2 points.
const rim = 1.0
