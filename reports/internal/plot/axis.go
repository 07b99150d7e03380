package plot

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Axis is what is drawn along one edge of a picture.
type Axis struct {
	Label string    // with its unit
	Log   bool      // where all of it is above 0
	Ticks []float64 // what was measured: where it is logarithmic these are named if they have room
	Names []string  // of places 0, 1, 2 and so on, where it is no number that varies
	Wide  bool      // names beside it may be long

	whole bool // there are whole numbers only

	below vg.Length // how far it is from the data, in letters: of a marker at 0 half is below 0
}

// A spread is the range of an axis that data cover.
type spread struct{ min, max float64 }

// cover widens the spread to a value, if it is one.
func (r *spread) cover(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			r.min, r.max = min(r.min, v), max(r.max, v)
		}
	}
}

func nothing() spread { return spread{math.Inf(1), math.Inf(-1)} }

// widened returns a spread that is not empty, whatever the data are.
func (r spread) widened(log bool) spread {
	switch {
	case r.min > r.max:
		return spread{map[bool]float64{true: 0.1}[log], 1}
	case r.min < r.max:
		return r
	case log:
		return spread{r.min / 2, r.max * 2}
	case r.min == 0:
		return spread{0, 1}
	}
	half := math.Abs(r.min) / 2
	return spread{r.min - half, r.max + half}
}

// prepare sets the scale, the ticks and the style of an axis of gonum that has so much room.
func (a *Axis) prepare(g *plot.Axis, r spread, room, text vg.Length, upright bool) {
	log := a.Log && r.min > 0
	r = r.widened(log)
	g.Min, g.Max = r.min, r.max
	if log {
		g.Scale = plot.LogScale{}
	}
	g.Padding, g.Width, g.Color = a.below*text, 0.6, soft
	g.Tick.Length, g.Tick.Width, g.Tick.Color = text*0.35, 0.6, soft
	style := styled(text, black)
	style.XAlign, style.YAlign = draw.XCenter, draw.YTop
	if upright {
		style.XAlign, style.YAlign = draw.XRight, draw.YCenter
	}
	g.Tick.Label = style
	switch {
	case a.Names != nil:
		g.Tick.Marker = named(a, g, room, text, upright)
	case log && len(a.measured(r, room, text)) > 1:
		g.Tick.Marker = a.measured(r, room, text)
	case log:
		g.Tick.Marker = fittest(r, room, text, upright, decades)
	case a.whole:
		g.Tick.Marker = fittest(r, room, text, upright, wholly)
	default:
		g.Tick.Marker = fittest(r, room, text, upright, evenly)
	}
	if !upright {
		g.Label.Text = fitText(a.Label, room, text)
		g.Label.TextStyle = styled(text, black)
		g.Label.TextStyle.XAlign, g.Label.TextStyle.YAlign = draw.XCenter, draw.YBottom
		g.Label.Padding = text * 0.3
	}
}

// measured returns a tick for each value that was measured, which are few; those that stand too close to the one before have
// no label. The axis is logarithmic, and lies below.
func (a *Axis) measured(r spread, room, text vg.Length) (all plot.ConstantTicks) {
	end := vg.Length(math.Inf(-1)) // of the label before
	for _, v := range a.Ticks {
		if v < r.min || v > r.max || len(a.Ticks) > mostMarkers {
			continue
		}
		t := plot.Tick{Value: v}
		label := decimal(v, -1)
		half := widthOf(label, text) / 2
		if at := room * vg.Length(math.Log(v/r.min)/math.Log(r.max/r.min)); at-half >= end {
			t.Label, end = label, at+half+text*0.5
		}
		all = append(all, t)
	}
	return all
}

// fittest returns the most ticks whose labels have room.
func fittest(r spread, room, text vg.Length, upright bool, ticks func(r spread, most int) []plot.Tick) plot.ConstantTicks {
	for most := 9; most > 2; most-- {
		if all := ticks(r, most); fits(all, room, text, upright) {
			return all
		}
	}
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	return plot.ConstantTicks{{Value: r.min, Label: short(r.min)}, {Value: r.max, Label: short(r.max)}}
}

// fits reports whether labels stand apart, as wide as the widest of them.
func fits(all []plot.Tick, room, text vg.Length, upright bool) bool {
	labels, need := 0, vg.Length(0)
	for _, t := range all {
		if t.Label != "" {
			labels++
			need = max(need, widthOf(t.Label, text)+text*0.9)
		}
	}
	if upright {
		need = text * 1.4
	}
	return labels >= 2 && vg.Length(labels)*need <= room+need/2
}

// evenly returns ticks at even steps of 1, 2 or 5 times a power of ten, up to so many.
func evenly(r spread, most int) []plot.Tick { return atSteps(r, stepOf(r, most)) }

// wholly returns such ticks at whole numbers.
func wholly(r spread, most int) []plot.Tick { return atSteps(r, max(1, stepOf(r, most))) }

func stepOf(r spread, most int) float64 {
	step := math.Pow(10, math.Floor(math.Log10((r.max-r.min)/float64(most))))
	for _, n := range []float64{1, 2, 5, 10} {
		if (r.max-r.min)/(step*n) <= float64(most) {
			return step * n
		}
	}
	return step
}

func atSteps(r spread, step float64) (all []plot.Tick) {
	places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	for i := math.Ceil(r.min/step - 1e-9); i*step <= r.max+step*1e-9; i++ {
		all = append(all, plot.Tick{Value: min(max(i*step, r.min), r.max), Label: decimal(i*step, places)})
	}
	return all
}

// decimal returns a number with so many places, or with a power of ten where it would be long.
func decimal(v float64, places int) string {
	if v == 0 {
		return "0"
	}
	if text := strconv.FormatFloat(v, 'f', places, 64); len(text) < 8 {
		return strings.Replace(text, "-", "−", 1)
	}
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 4, 64), "-", "−")
}

// decades returns ticks at powers of ten, and between them where these are few; those that have no label are small.
func decades(r spread, most int) (all []plot.Tick) {
	low, high := math.Floor(math.Log10(r.min)), math.Ceil(math.Log10(r.max))
	every := max(1, math.Ceil((high-low)/float64(most)))
	between := high-low <= float64(most)/2
	for d := low; d <= high; d++ {
		for digit := 1.0; digit < 10; digit++ {
			t := plot.Tick{Value: digit * math.Pow(10, d)}
			if t.Value < r.min*(1-1e-9) || t.Value > r.max*(1+1e-9) {
				continue
			}
			if digit == 1 && math.Mod(d-low, every) == 0 || between && (digit == 2 || digit == 5) {
				t.Label = decimal(t.Value, max(0, int(-d)))
			}
			if t.Label != "" || high-low < 8 {
				t.Value = min(max(t.Value, r.min), r.max)
				all = append(all, t)
			}
		}
	}
	return all
}

// named returns a tick for each place. Where names have no room they are cut, and where they have none at all only every so
// many are named; below an axis they stand upright if they must.
func named(a *Axis, g *plot.Axis, room, text vg.Length, upright bool) (all plot.ConstantTicks) {
	names := a.Names
	each := room / vg.Length(max(len(names), 1))
	need, most := text*1.25, text*13
	if a.Wide {
		most = text * 24
	}
	if !upright {
		need, most = widest(names, text)+text*0.6, room
		if need > each {
			g.Tick.Label.Rotation, g.Tick.Label.XAlign, g.Tick.Label.YAlign = math.Pi/2, draw.XRight, draw.YCenter
			need, most = text*1.25, 9*text
			g.Tick.Length += text * 0.3 // gonum lifts labels by what lies below their line, also those that stand upright
		}
	}
	for i := 0; i < len(names); i += someOf(need, each) {
		all = append(all, plot.Tick{Value: float64(i), Label: fitText(names[i], most, text)})
	}
	return all
}

// someOf returns how many places there are from a name to the next where each place is so wide, and a name needs more.
func someOf(need, each vg.Length) int { return max(1, int(math.Ceil(float64(need/each)-1e-9))) }

func widest(names []string, text vg.Length) (w vg.Length) {
	for _, n := range names {
		w = max(w, widthOf(n, text))
	}
	return w
}

// frame draws a plot with its axes into a part of the sheet. How much room one axis has depends on the labels of the other.
func (s *sheet) frame(c draw.Canvas, ax, ay *Axis, x, y spread, inside drawn) {
	p := plot.New()
	p.BackgroundColor = nil
	p.X.Padding = 0
	p.X.Tick.Marker = plot.ConstantTicks{}
	ay.prepare(&p.Y, y, c.Size().Y-s.text*3, s.text, true)
	ax.prepare(&p.X, x, p.DataCanvas(c).Size().X, s.text, false)
	ay.prepare(&p.Y, y, p.DataCanvas(c).Size().Y, s.text, true)
	p.Add(inside)
	p.Draw(c)
}

// A drawn is a function as a plotter.
type drawn func(draw.Canvas, *plot.Plot)

// Plot implements plot.Plotter.
func (d drawn) Plot(c draw.Canvas, p *plot.Plot) { d(c, p) }

// label writes what the values are above them, and returns the room below.
func (s *sheet) label(text string) draw.Canvas {
	s.FillText(styled(s.text, black), vg.Point{X: s.Min.X, Y: s.Max.Y - s.text}, fitText(text, s.Size().X, s.text))
	return draw.Crop(s.Canvas, 0, -s.text*0.4, 0, -s.text*1.9)
}

func (s *sheet) drawNothing() {
	style := styled(s.text, soft)
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	s.FillText(style, s.Center(), fitText("There is nothing to draw.", s.Size().X, s.text))
}
