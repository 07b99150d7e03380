package plot

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// An Axis describes one edge of a picture.
type Axis struct {
	Label string    // with its unit
	Log   bool      // if all values are above 0
	Ticks []float64 // the measured values: a logarithmic axis names those that have room
	Names []string  // of places 0, 1, 2 and so on, if no number varies

	whole bool      // all values are whole numbers
	below vg.Length // the distance to the data, in letters: half of a marker at 0 is below 0
}

// A spread is the range of an axis that data cover.
type spread struct{ min, max float64 }

// cover widens the spread to values. It ignores what is not a finite number.
func (r *spread) cover(values ...float64) {
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			r.min, r.max = min(r.min, v), max(r.max, v)
		}
	}
}

func nothing() spread { return spread{math.Inf(1), math.Inf(-1)} }

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

// prepare sets the scale, the ticks and the style of an axis of gonum with this room.
func (a *Axis) prepare(g *plot.Axis, r spread, room, text vg.Length, upright bool) {
	log := a.Log && r.min > 0
	r = r.widened(log)
	g.Min, g.Max = r.min, r.max
	if log {
		g.Scale = plot.LogScale{}
	}
	g.Padding, g.Width, g.Color = a.below*text, 0.6, soft
	g.Tick.Length, g.Tick.Width, g.Tick.Color = text*0.35, 0.6, soft
	g.Tick.Label = aligned(text, black, draw.XCenter, draw.YTop)
	if upright {
		g.Tick.Label = aligned(text, black, draw.XRight, draw.YCenter)
	}
	switch measured := a.measured(r, room, text); {
	case a.Names != nil:
		g.Tick.Marker = named(a, g, room, text, upright)
	case log && len(measured) > 1:
		g.Tick.Marker = measured
	case log:
		g.Tick.Marker = fittest(r, room, text, upright, decades)
	case a.whole:
		g.Tick.Marker = fittest(r, room, text, upright, steps(1))
	default:
		g.Tick.Marker = fittest(r, room, text, upright, steps(0))
	}
	if !upright {
		g.Label.Text = fitText(a.Label, room, text)
		g.Label.TextStyle = aligned(text, black, draw.XCenter, draw.YBottom)
		g.Label.Padding = text * 0.3
	}
}

// measured returns a tick for each measured value, if there are few, for a logarithmic axis below the data. A tick too
// close to the one before has no label.
func (a *Axis) measured(r spread, room, text vg.Length) (all plot.ConstantTicks) {
	end := vg.Length(math.Inf(-1)) // of the label before
	for _, v := range a.Ticks {
		if v < r.min || v > r.max || len(a.Ticks) > mostMarkers {
			continue
		}
		t, label := plot.Tick{Value: v}, decimal(v, -1)
		half := widthOf(label, text) / 2
		if at := room * vg.Length(math.Log(v/r.min)/math.Log(r.max/r.min)); at-half >= end {
			t.Label, end = label, at+half+text*0.5
		}
		all = append(all, t)
	}
	return all
}

// A ticker returns at most n ticks, and perhaps small ones between them.
type ticker func(r spread, n int) []plot.Tick

// fittest returns the most ticks whose labels have room.
func fittest(r spread, room, text vg.Length, upright bool, ticks ticker) plot.ConstantTicks {
	for most := 9; most > 2; most-- {
		if all := ticks(r, most); fits(all, room, text, upright) {
			return all
		}
	}
	short := func(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
	return plot.ConstantTicks{{Value: r.min, Label: short(r.min)}, {Value: r.max, Label: short(r.max)}}
}

// fits reports whether labels keep apart, if each is as wide as the widest.
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

// steps returns a ticker of even steps, each 1, 2 or 5 times a power of ten and not below least.
func steps(least float64) ticker {
	return func(r spread, most int) (all []plot.Tick) {
		unit := math.Pow(10, math.Floor(math.Log10((r.max-r.min)/float64(most))))
		factors := []float64{1, 2, 5, 10}
		i := slices.IndexFunc(factors, func(n float64) bool { return (r.max-r.min)/(unit*n) <= float64(most) })
		step := max(least, unit*factors[max(i, 0)])
		places := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
		for i := math.Ceil(r.min/step - 1e-9); i*step <= r.max+step*1e-9; i++ {
			all = append(all, plot.Tick{Value: min(max(i*step, r.min), r.max), Label: decimal(i*step, places)})
		}
		return all
	}
}

// decimal returns a number with a count of decimal places, or with a power of ten if it would be long.
func decimal(v float64, places int) string {
	if v == 0 {
		return "0"
	}
	if text := strconv.FormatFloat(v, 'f', places, 64); len(text) < 8 {
		return strings.Replace(text, "-", "−", 1)
	}
	return strings.ReplaceAll(strconv.FormatFloat(v, 'g', 4, 64), "-", "−")
}

// decades returns ticks at powers of ten, and between them if these are few. Ticks without a label are small.
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

// named returns a tick for each place, or for some if places are narrower than letters are high. It cuts names that are
// too long. Below an axis it turns names upright if they don't fit.
func named(a *Axis, g *plot.Axis, room, text vg.Length, upright bool) (all plot.ConstantTicks) {
	names := a.Names
	each := room / vg.Length(max(len(names), 1))
	need, most := text*1.25, text*24
	if !upright {
		need, most = widest(names, text)+text*0.6, room
		if need > each {
			g.Tick.Label.Rotation, g.Tick.Label.XAlign, g.Tick.Label.YAlign = math.Pi/2, draw.XRight, draw.YCenter
			need, most = text*1.25, 9*text
			g.Tick.Length += text * 0.3 // gonum lifts labels by their descent, upright ones too
		}
	}
	for i := 0; i < len(names); i += someOf(need, each) {
		all = append(all, plot.Tick{Value: float64(i), Label: fitText(names[i], most, text)})
	}
	return all
}

// someOf returns the number of places from a name to the next, from the width of a place and the need of a name.
func someOf(need, each vg.Length) int { return max(1, int(math.Ceil(float64(need/each)-1e-9))) }

func widest(names []string, text vg.Length) (w vg.Length) {
	for _, n := range names {
		w = max(w, widthOf(n, text))
	}
	return w
}

// frame draws a plot with its axes into a part of the sheet. The labels of one axis take room from the other.
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

// label writes the name of the values above them, and returns the room below.
func (s *sheet) label(text string) draw.Canvas {
	s.FillText(styled(s.text, black), vg.Point{X: s.Min.X, Y: s.Max.Y - s.text}, fitText(text, s.Size().X, s.text))
	return draw.Crop(s.Canvas, 0, -s.text*0.4, 0, -s.text*1.9)
}

func (s *sheet) drawNothing() {
	style := aligned(s.text, soft, draw.XCenter, draw.YCenter)
	s.FillText(style, s.Center(), fitText("There is nothing to draw.", s.Size().X, s.text))
}
