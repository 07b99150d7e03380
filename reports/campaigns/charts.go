package campaigns

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// ChartFigures are the figures that a survey must count for Charts.
var ChartFigures = []string{"wait-median", "wait-max"}

// Charts draws what a survey found. Which pictures there are follows from the cells: shares along an axis, a map over two,
// tiles for a matrix of locks and faults; survival, waits and availability. Figures beyond ChartFigures have one each.
// Settings, properties and figures are named by labels, where they are given.
func Charts(s *campaign.Survey, labels Labels) []*plot.Picture {
	c := &charts{s: s, whole: s.Whole(), labels: labels}
	if axes, ok := s.Job.Axes(); ok {
		for _, a := range axes {
			c.axes = append(c.axes, scaleOf(s.Job.Scenario, a, labels.ofSetting(s.Job.Scenario, a.Key)))
		}
	}
	switch rows := matrixOf(s.Job); {
	case rows != nil:
		c.tiles(rows)
	case len(c.axes) > 0:
		c.slices = c.slicesOf()
		c.shares()
		c.maps()
	case len(s.Cells) > 1:
		c.perCell()
	default:
		c.intervals()
	}
	c.survival()
	c.waits()
	c.availability()
	for i, name := range s.Figures[min(len(ChartFigures), len(s.Figures)):] {
		c.figure(name, len(ChartFigures)+i)
	}
	return c.all
}

// charts is a set of pictures in the making.
type charts struct {
	s      *campaign.Survey
	whole  campaign.Counts
	axes   []scale
	slices []slice // of a grid
	labels Labels
	all    []*plot.Picture
}

// A scale is an axis of a grid as a picture has it.
type scale struct {
	campaign.Axis
	words  string // what it is
	label  string // with its unit
	number bool
	at     []float64 // where each value stands
	order  []int     // of the values, by where they stand
}

// scaleOf finds out whether it is a number that varies, and its unit.
func scaleOf(s *scenarios.Scenario, a campaign.Axis, words string) scale {
	k, _ := scenarios.Lookup(s, a.Key)
	words = layout.Plain(words)
	c := scale{Axis: a, words: words, label: words, number: true}
	var most int64
	for i, v := range a.Values {
		t, at := *s, int64(i)
		if err := t.Set(a.Key + "=" + string(v)); err == nil {
			if n, is := k.Number(&t); is {
				at = n
			} else {
				c.number = false
			}
		}
		most = max(most, at, -at)
		c.at, c.order = append(c.at, float64(at)), append(c.order, i)
	}
	if !c.number {
		for i := range c.at {
			c.at[i] = float64(i)
		}
		return c
	}
	unit, by := unitOf(k.Form, most)
	if unit != "" {
		c.label += " [" + unit + "]"
	}
	for i := range c.at {
		c.at[i] /= by
	}
	slices.SortStableFunc(c.order, func(i, j int) int { return cmp.Compare(c.at[i], c.at[j]) })
	return c
}

// unitOf returns the unit in which a setting of a form reads well, and how many of what is counted are one of it.
func unitOf(form string, most int64) (unit string, by float64) {
	switch {
	case strings.HasPrefix(form, "time"):
		return secondsOr(most)
	case strings.HasPrefix(form, "rate"):
		return "ppm", 1e3
	case strings.HasPrefix(form, "share"):
		return "%", 1e4
	}
	return "", 1
}

// secondsOr returns the unit for times up to one.
func secondsOr(most int64) (unit string, by float64) {
	switch {
	case most >= 1e9 || most == 0:
		return "s", 1e9
	case most >= 1e6:
		return "ms", 1e6
	}
	return "µs", 1e3
}

// axis returns the scale to a picture. It is logarithmic where the values span much and none of them is 0.
func (c *scale) axis() plot.Axis {
	if !c.number {
		return plot.Axis{Label: c.label, Names: c.names()}
	}
	least, most := slices.Min(c.at), slices.Max(c.at)
	return plot.Axis{Label: c.label, Log: least > 0 && most/least >= 30}
}

// valueText returns a value of the scale in a few letters.
func (c *scale) valueText(i int) string {
	if !c.number {
		return c.words + " " + layout.Plain(string(c.Values[i]))
	}
	unit := ""
	if _, after, ok := strings.Cut(c.label, " ["); ok {
		unit = " " + strings.TrimSuffix(after, "]")
	}
	return c.words + " " + shortNumber(c.at[i]) + unit
}

// shortNumber writes a number with four digits, and a large one in full: nobody reads 2e+04 as 20000.
func shortNumber(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// names returns the values in their order.
func (c *scale) names() (all []string) {
	for _, i := range c.order {
		all = append(all, layout.Plain(string(c.Values[i])))
	}
	return all
}

// places returns where the values stand, in their order.
func (c *scale) places() (all []float64) {
	for _, i := range c.order {
		all = append(all, c.at[i])
	}
	return all
}

func (c *charts) add(name, title, caption string, table [][]string, d plot.Drawing) {
	c.all = append(c.all, &plot.Picture{Name: name, Title: title, Caption: layout.Plain(c.s.Job.Scenario.ID) + ": " + caption, Table: table, Drawing: d})
}

// breaks returns the places of the properties that ever broke.
func (c *charts) breaks() (all []int) {
	for i, p := range c.whole.Properties {
		if p.Violated > 0 {
			all = append(all, i)
		}
	}
	return all
}

// bandOf returns a share in per cent with its interval, where runs that were cut short may have gone either way.
func bandOf(f campaign.Frequency) (share, low, high float64) {
	if f.Runs == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	b := banded(f)
	return 100 * f.Share(), 100 * b.Low, 100 * b.High
}

// number writes a number into a table; nothing where there is none. Nanoseconds are written in full.
func number(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return ""
	case math.Abs(v) >= 1:
		return strconv.FormatFloat(stats.Round(v), 'f', -1, 64)
	}
	return strconv.FormatFloat(stats.Round(v), 'g', -1, 64)
}

// countsOf writes the numbers of a frequency into a table.
func countsOf(f campaign.Frequency) []string {
	share, low, high := bandOf(f)
	return []string{strconv.Itoa(f.Runs), strconv.Itoa(f.Violated), strconv.Itoa(f.Unknown), number(share / 100), number(low / 100), number(high / 100)}
}

var countHeads = []string{"runs", "violated", "unknown", "share", "low", "high"}

// runsText describes how many runs a point stands for.
func runsText(all []campaign.Counts) string {
	least, most := math.MaxInt, 0
	for _, c := range all {
		least, most = min(least, c.Runs), max(most, c.Runs)
	}
	if least == most {
		return fmt.Sprintf("n = %s", layout.Grouped(most))
	}
	return fmt.Sprintf("n = %s to %s", layout.Grouped(least), layout.Grouped(most))
}

func (c *charts) seedsText() string {
	return fmt.Sprintf("seeds from %d on", c.s.Job.First)
}

// shares draws how often each property breaks along the first axis.
func (c *charts) shares() {
	broken := c.breaks()
	if len(broken) == 0 {
		c.unbroken()
		return
	}
	a := &c.axes[0]
	y := plot.Axis{Label: "runs in which it breaks [%]"}
	if len(broken) == 1 {
		y.Label = "runs in which " + c.property(broken[0]) + " breaks [%]"
	}
	l := &plot.Lines{X: a.axis(), Y: y}
	table := [][]string{slices.Concat([]string{"property", a.Key}, c.others(), countHeads)}
	for _, x := range c.slices {
		p := plot.Panel{Marks: c.marks(&x)}
		for _, i := range broken {
			s := plot.Series{Name: c.property(i), X: a.places()}
			for _, k := range a.order {
				f := x.along[k].Properties[i]
				share, low, high := bandOf(f)
				s.Y, s.Low, s.High = append(s.Y, share), append(s.Low, low), append(s.High, high)
				table = append(table, slices.Concat([]string{f.Name, string(a.Values[k])}, x.values, countsOf(f)))
			}
			p.Series = append(p.Series, s)
		}
		l.Panels = append(l.Panels, p)
	}
	how := c.arrange(l)
	caption := fmt.Sprintf("share of runs in which a property breaks; %s a point%s, %s; bands: Wilson, 95 %%.", runsText(c.s.Cells), how, c.seedsText())
	c.add("violations", "How often each property breaks, against the "+a.words, caption+c.silent(), table, l)
}

// property returns the name of a property, or the label that it has.
func (c *charts) property(i int) string { return layout.Plain(c.labels.of(c.whole.Properties[i].Name)) }

// unbroken draws that nothing broke: of one cell each property, of a grid each cell.
func (c *charts) unbroken() {
	if len(c.s.Cells) == 1 {
		c.intervals()
	} else {
		c.perCell()
	}
	c.all[len(c.all)-1].Caption += fmt.Sprintf(" Nothing broke anywhere in the grid of %s runs.", layout.Grouped(c.whole.Runs))
}

// silent names the properties that never broke.
func (c *charts) silent() string {
	var names []string
	for _, p := range c.whole.Properties {
		if p.Violated == 0 {
			names = append(names, layout.Plain(c.labels.of(p.Name)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" Never broke: %s.", layout.List(names))
}

// marks are the bounds that can be computed along the first axis, in a slice. Those of several slices are not told in the legend,
// which the slices share.
func (c *charts) marks(x *slice) (all []plot.Mark) {
	a := &c.axes[0]
	if !a.number {
		return nil
	}
	for _, b := range c.bounds(a) {
		at, shown := b.at(x.scenario)
		if at < slices.Min(a.at) || at > slices.Max(a.at) {
			continue
		}
		name := "computed bound of " + c.labels.of(b.Property)
		if len(c.slices) == 1 {
			name += ", " + shown
		}
		all = append(all, plot.Mark{X: at, Name: name})
	}
	return all
}

// A computedBound is a bound by its formula, with its place on a scale.
type computedBound struct {
	scenarios.Bound
	setting scenarios.Setting
	scale   *scale
}

// bounds returns the bounds of the scenario that are about the setting of a scale, and have a formula.
func (c *charts) bounds(a *scale) (all []computedBound) {
	s := c.s.Job.Scenario
	k, _ := scenarios.Lookup(s, a.Key)
	for _, b := range s.Bounds {
		if o, _ := scenarios.Lookup(s, b.Setting); o.Key == k.Key && b.Formula != scenarios.NoBound {
			all = append(all, computedBound{b, k, a})
		}
	}
	return all
}

func (r *computedBound) at(s *scenarios.Scenario) (at float64, shown string) {
	_, by := unitOf(r.setting.Form, mostOf(r.scale, s, r.setting))
	shown = r.Formula.Compute(r.setting, s)
	return float64(r.Formula.Bound(s.Lock.Rules)) / by, shown
}

func mostOf(a *scale, s *scenarios.Scenario, k scenarios.Setting) (most int64) {
	for _, v := range a.Values {
		t := *s
		if err := t.Set(a.Key + "=" + string(v)); err == nil {
			n, _ := k.Number(&t)
			most = max(most, n, -n)
		}
	}
	return most
}

// maps draws each property that breaks over the two axes of a grid that has two.
func (c *charts) maps() {
	if len(c.axes) != 2 {
		return
	}
	x, y := &c.axes[0], &c.axes[1]
	bounds := c.lines(x, y)
	for _, i := range c.breaks() {
		name, words := c.whole.Properties[i].Name, c.property(i)
		h := &plot.Heat{X: plot.Axis{Label: x.words, Names: x.names()}, Y: plot.Axis{Label: y.words, Names: y.names()}, Bounds: bounds[name]}
		table := [][]string{slices.Concat([]string{x.Key, y.Key}, countHeads)}
		for _, r := range y.order {
			var row []float64
			for _, k := range x.order {
				cell := &c.s.Cells[k*len(y.Values)+r]
				share, _, _ := bandOf(cell.Properties[i])
				row = append(row, share/100)
				table = append(table, slices.Concat([]string{string(x.Values[k]), string(y.Values[r])}, countsOf(cell.Properties[i])))
			}
			h.Share = append(h.Share, row)
		}
		caption := fmt.Sprintf("share of runs in which %s breaks; %s a cell, %s. At 95 %% a share of 50 %% stands for %s (Wilson).",
			words, runsText(c.s.Cells), c.seedsText(), aboutHalf(c.s.Cells))
		if len(h.Bounds) > 0 {
			caption += " The line is the bound as it is computed, a safe one."
		}
		c.add("map-"+name, "How often "+words+" breaks, over "+x.words+" and "+y.words, caption, table, h)
	}
}

// aboutHalf describes how wide intervals are in the middle.
func aboutHalf(all []campaign.Counts) string {
	n := 0
	for _, c := range all {
		if n == 0 || c.Runs > 0 && c.Runs < n {
			n = c.Runs
		}
	}
	in := stats.Wilson(n/2, n, stats.Confidence)
	return stats.ShowPerCent(in.Low) + " to " + stats.ShowPerCent(in.High)
}

// lines are the computed bounds over a map, by property: for each value of one axis, where along the other it lies.
func (c *charts) lines(x, y *scale) map[string][]plot.Bound {
	all := map[string][]plot.Bound{}
	for _, along := range []struct{ of, by *scale }{{x, y}, {y, x}} {
		if !along.of.number {
			continue
		}
		for _, b := range c.bounds(along.of) {
			line := plot.Bound{Name: "computed bound of " + c.labels.of(b.Property)}
			for place, i := range along.by.order {
				t := *c.s.Job.Scenario
				if err := t.Set(along.by.Key + "=" + string(along.by.Values[i])); err != nil {
					continue
				}
				at, _ := b.at(&t)
				line.X, line.Y = append(line.X, between(along.of.places(), at)), append(line.Y, float64(place))
			}
			if along.of == y {
				line.X, line.Y = line.Y, line.X
			}
			line = reaching(line, along.of == y)
			all[b.Property] = append(all[b.Property], line)
		}
	}
	return all
}

// reaching draws a line on to the edge of the map, half a place beyond its first value and its last.
func reaching(l plot.Bound, across bool) plot.Bound {
	n := len(l.X)
	if n == 0 {
		return l
	}
	before, after := [2]float64{l.X[0], l.Y[0]}, [2]float64{l.X[n-1], l.Y[n-1]}
	if across {
		before[0], after[0] = before[0]-0.5, after[0]+0.5
	} else {
		before[1], after[1] = before[1]-0.5, after[1]+0.5
	}
	l.X = slices.Concat([]float64{before[0]}, l.X, []float64{after[0]})
	l.Y = slices.Concat([]float64{before[1]}, l.Y, []float64{after[1]})
	return l
}

// between returns where a number lies among others that rise, as a place: 1.5 is halfway from the second to the third.
func between(all []float64, v float64) float64 {
	i, _ := slices.BinarySearch(all, v)
	i = min(max(i, 1), len(all)-1)
	if len(all) < 2 {
		return 0
	}
	place := float64(i-1) + (v-all[i-1])/(all[i]-all[i-1])
	return min(max(place, -1), float64(len(all)))
}

// intervals draws how often each property breaks in all runs.
func (c *charts) intervals() {
	v := &plot.Intervals{X: plot.Axis{Label: "runs in which it breaks [%]"}}
	table := [][]string{slices.Concat([]string{"property"}, countHeads)}
	for _, f := range c.whole.Properties {
		share, low, high := bandOf(f)
		v.Names, v.At, v.Low, v.High = append(v.Names, layout.Plain(c.labels.of(f.Name))), append(v.At, share), append(v.Low, low), append(v.High, high)
		table = append(table, slices.Concat([]string{f.Name}, countsOf(f)))
	}
	c.add("violations", "How often each property breaks",
		fmt.Sprintf("share of runs in which a property breaks; n = %s, %s; intervals: Wilson, 95 %%.", layout.Grouped(c.whole.Runs), c.seedsText()), table, v)
}

// cellsDrawn is how many cells a picture has a line for.
const cellsDrawn = 40

// perCell draws the share of runs that break any property, by cell.
func (c *charts) perCell() {
	v := &plot.Intervals{X: plot.Axis{Label: "runs in which any property breaks [%]"}}
	table := [][]string{slices.Concat([]string{"cell"}, countHeads)}
	drawn := evenlyOf(countTo(len(c.s.Cells)), cellsDrawn)
	for i, cell := range c.s.Cells {
		f := campaign.Frequency{Count: stats.Count{Violated: cell.Broken, Runs: cell.Runs}}
		share, low, high := bandOf(f)
		if slices.Contains(drawn, i) {
			v.Names, v.At, v.Low, v.High = append(v.Names, layout.Plain(cell.Cell.String())), append(v.At, share), append(v.Low, low), append(v.High, high)
		}
		table = append(table, slices.Concat([]string{cell.Cell.String()}, countsOf(f)))
	}
	some := ""
	if len(drawn) < len(c.s.Cells) {
		some = fmt.Sprintf(" (%d of %s; the data has all)", len(drawn), layout.Grouped(len(c.s.Cells)))
	}
	c.add("violations", "How often any property breaks, by cell",
		fmt.Sprintf("share of runs in which any property breaks; %s a cell%s, %s; intervals: Wilson, 95 %%.", runsText(c.s.Cells), some, c.seedsText()), table, v)
}
