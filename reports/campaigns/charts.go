package campaigns

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// chartFigures are the figures that a survey must count for charts.
var chartFigures = []string{"wait-median", "wait-max"}

// drawCharts draws what a survey found. Which pictures there are follows from the cells: shares along an axis, a map over two,
// tiles for a matrix of locks and faults; survival, waits and availability. Figures beyond chartFigures have one each.
// Settings, properties and figures are named by labels, where they are given.
func drawCharts(s *campaign.Survey, labels Labels) []*plot.Picture {
	c := &charts{s: s, whole: s.Whole(), labels: labels}
	if axes, ok := s.Job.Axes(); ok {
		for _, a := range axes {
			c.axes = append(c.axes, scaleOf(s.Job.Scenario, a, labels.ofSetting(s.Job.Scenario, a.Key)))
		}
	}
	switch locks, classes := s.Job.LocksAndFaults(); {
	case locks != nil:
		c.tiles(locks, classes)
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
	for i, name := range s.Figures[min(len(chartFigures), len(s.Figures)):] {
		c.figure(name, len(chartFigures)+i)
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

func (c *charts) add(name, title, caption string, table [][]string, d plot.Drawing) {
	caption = wording.Plain(c.s.Job.Scenario.ID) + ": " + caption
	c.all = append(c.all, &plot.Picture{Name: name, Title: title, Caption: caption, Table: table, Drawing: d})
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
	return []string{strconv.Itoa(f.Runs), strconv.Itoa(f.Violated), strconv.Itoa(f.Unknown),
		number(share / 100), number(low / 100), number(high / 100)}
}

var countHeads = []string{"runs", "violated", "unknown", "share", "low", "high"}

// runsText describes how many runs a point stands for.
func runsText(all []campaign.Counts) string {
	least, most := math.MaxInt, 0
	for _, c := range all {
		least, most = min(least, c.Runs), max(most, c.Runs)
	}
	if least == most {
		return fmt.Sprintf("n = %s", wording.Grouped(most))
	}
	return fmt.Sprintf("n = %s to %s", wording.Grouped(least), wording.Grouped(most))
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
	caption := fmt.Sprintf("share of runs in which a property breaks; %s a point%s, %s; bands: Wilson, 95 %%.",
		runsText(c.s.Cells), how, c.seedsText())
	c.add("violations", "How often each property breaks, against the "+a.words, caption+c.silent(), table, l)
}

// property returns the name of a property, or the label that it has.
func (c *charts) property(i int) string {
	return wording.Plain(c.labels.of(c.whole.Properties[i].Name))
}

// unbroken draws that nothing broke: of one cell each property, of a grid each cell.
func (c *charts) unbroken() {
	if len(c.s.Cells) == 1 {
		c.intervals()
	} else {
		c.perCell()
	}
	c.all[len(c.all)-1].Caption += fmt.Sprintf(" Nothing broke anywhere in the grid of %s runs.", wording.Grouped(c.whole.Runs))
}

// silent names the properties that never broke.
func (c *charts) silent() string {
	var names []string
	for _, p := range c.whole.Properties {
		if p.Violated == 0 {
			names = append(names, wording.Plain(c.labels.of(p.Name)))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf(" Never broke: %s.", wording.List(names))
}

// intervals draws how often each property breaks in all runs.
func (c *charts) intervals() {
	v := &plot.Intervals{X: plot.Axis{Label: "runs in which it breaks [%]"}}
	table := [][]string{slices.Concat([]string{"property"}, countHeads)}
	for _, f := range c.whole.Properties {
		share, low, high := bandOf(f)
		v.Add(wording.Plain(c.labels.of(f.Name)), share, low, high)
		table = append(table, slices.Concat([]string{f.Name}, countsOf(f)))
	}
	c.add("violations", "How often each property breaks",
		fmt.Sprintf("share of runs in which a property breaks; n = %s, %s; intervals: Wilson, 95 %%.",
			wording.Grouped(c.whole.Runs), c.seedsText()), table, v)
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
			v.Add(wording.Plain(c.labels.ofCell(c.s.Job.Scenario, cell.Cell)), share, low, high)
		}
		table = append(table, slices.Concat([]string{cell.Cell.String()}, countsOf(f)))
	}
	some := ""
	if len(drawn) < len(c.s.Cells) {
		some = fmt.Sprintf(" (%d of %s; the data has all)", len(drawn), wording.Grouped(len(c.s.Cells)))
	}
	c.add("violations", "How often any property breaks, by cell",
		fmt.Sprintf("share of runs in which any property breaks; %s a cell%s, %s; intervals: Wilson, 95 %%.",
			runsText(c.s.Cells), some, c.seedsText()), table, v)
}

// mixed reports whether the cells are different settings and no grid, so that curves can only be of all of them.
func (c *charts) mixed() bool { return len(c.slices) == 0 && len(c.s.Cells) > 1 }

// othersOfGrid returns the keys of the axes beside the first, if there are any.
func (c *charts) othersOfGrid() []string {
	if len(c.slices) == 0 {
		return nil
	}
	return c.others()
}
