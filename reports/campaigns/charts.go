package campaigns

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// chartFigures are the figures that a survey must count for charts.
var chartFigures = []string{"wait-median", "wait-max"}

// drawCharts draws what a survey found in the runs of one cell: how often each property breaks, when the first does, and
// how long clients wait. Figures beyond chartFigures have one picture each.
func drawCharts(s *campaign.Survey) []*plot.Picture {
	c := &charts{s: s, cell: &s.Cells[0]}
	c.intervals()
	c.survival()
	c.waits()
	for i, name := range s.Figures[len(chartFigures):] {
		c.figure(name, len(chartFigures)+i)
	}
	return c.all
}

// charts is a set of pictures in the making.
type charts struct {
	s    *campaign.Survey
	cell *campaign.Counts
	all  []*plot.Picture
}

func (c *charts) add(name, title, caption string, table [][]string, d plot.Drawing) {
	caption = wording.Plain(c.s.Job.Scenario.ID) + ": " + caption
	c.all = append(c.all, &plot.Picture{Name: name, Title: title, Caption: caption, Table: table, Drawing: d})
}

// bandOf returns a share in per cent with its interval, where runs that were cut short may have gone either way.
func bandOf(f campaign.Frequency) (share, low, high float64) {
	if f.Runs == 0 {
		return math.NaN(), math.NaN(), math.NaN()
	}
	in := f.Exact()
	return 100 * f.Share(), 100 * stats.Round(in.Low), 100 * stats.Round(in.High)
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

// seedsText says how many runs there are, and with which seeds.
func (c *charts) seedsText() string {
	return fmt.Sprintf("n = %s, seeds from %d on", wording.Grouped(c.cell.Runs), c.s.Job.First)
}

// intervals draws how often each property breaks in all runs.
func (c *charts) intervals() {
	v := &plot.Intervals{X: plot.Axis{Label: "runs in which it breaks [%]"}}
	table := [][]string{{"property", "runs", "violated", "unknown", "share", "low", "high"}}
	for _, f := range c.cell.Properties {
		share, low, high := bandOf(f)
		v.Add(wording.Plain(f.Name), share, low, high)
		table = append(table, []string{f.Name, strconv.Itoa(f.Runs), strconv.Itoa(f.Violated), strconv.Itoa(f.Unknown),
			number(share / 100), number(low / 100), number(high / 100)})
	}
	c.add("violations", "How often each property breaks",
		fmt.Sprintf("share of runs in which a property breaks; %s; intervals: Clopper and Pearson, 95%%.", c.seedsText()), table, v)
}

// figureWords are words for figures whose names say their order first.
var figureWords = map[string]string{"wait-median": "median wait of a run", "wait-max": "longest wait of a run"}

// wordsFor returns the words for a figure, which has a name of one word.
func wordsFor(figure string) string {
	if text, has := figureWords[figure]; has {
		return text
	}
	return strings.ReplaceAll(figure, "-", " ")
}

// secondsOr returns the unit for times up to one.
func secondsOr(most int64) (unit string, per float64) {
	switch {
	case most >= 1e9 || most == 0:
		return "s", 1e9
	case most >= 1e6:
		return "ms", 1e6
	}
	return "µs", 1e3
}
