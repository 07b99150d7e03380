package campaigns

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// survival draws how the share of runs without a violation falls with time, if any broke.
func (c *charts) survival() {
	if c.cell.Broken == 0 {
		return
	}
	most := max(lastOf(c.cell.Broke), lastOf(c.cell.Ended), lastOf(c.cell.Cut))
	unit, by := secondsOr(most)
	table := [][]string{{"time_ns", "at_risk", "violated", "censored", "survival", "low", "high"}}
	steps := stats.KaplanMeier(momentsOf(c.cell, most), stats.Confidence)
	for _, s := range steps {
		table = append(table, []string{strconv.FormatInt(s.Time, 10), strconv.Itoa(s.AtRisk), strconv.Itoa(s.Events),
			strconv.Itoa(s.Censored), number(s.Survival), number(s.Band.Low), number(s.Band.High)})
	}
	line := curve(steps, by)
	l := &plot.Lines{Steps: true, Series: []plot.Series{line},
		X: plot.Axis{Label: "true time [" + unit + "]"}, Y: plot.Axis{Label: "runs without a violation so far [%]"}}
	if slices.Min(line.Low) > 50 {
		l.Floor = math.NaN() // else only a line at the top would show
	}
	c.add("survival", "When the first violation comes", fmt.Sprintf("share of runs in which no property has broken yet, "+
		"by Kaplan and Meier; %s; runs that ended whole without a violation count to the end, those cut short until then; "+
		"bands: Greenwood, 95%%, each time on its own.", c.seedsText()), table, l)
}

// lastOf returns the largest value; 0 of none.
func lastOf(v campaign.Values) int64 {
	values, _ := v.Sorted()
	if len(values) == 0 {
		return 0
	}
	return values[len(values)-1]
}

// momentsOf puts violations and ends together by time. A run that ended whole can break nothing any more: it stays among
// those without a violation until the last instant of all. To censor it where it ended would say that it might have gone
// on to break something, and would make the share of runs without a violation seem smaller than it is. Only a run that was
// cut short is censored there.
func momentsOf(c *campaign.Counts, last int64) (all []stats.Moment) {
	at := map[int64]stats.Moment{}
	note := func(v campaign.Values, add func(m *stats.Moment, runs int)) {
		values, times := v.Sorted()
		for i, t := range values {
			m := at[t]
			m.Time = t
			add(&m, times[i])
			at[t] = m
		}
	}
	note(c.Broke, func(m *stats.Moment, runs int) { m.Events += runs })
	note(c.Cut, func(m *stats.Moment, runs int) { m.Censored += runs })
	if whole := c.Ended.Runs(); whole > 0 {
		note(campaign.Values{last: whole}, func(m *stats.Moment, runs int) { m.Censored += runs })
	}
	for _, t := range slices.Sorted(maps.Keys(at)) {
		all = append(all, at[t])
	}
	return all
}

const (
	stepsMost = 400 // of a curve: more no printer shows
	ticksMost = 60  // of a curve: more would be a bar
)

// curve returns a survival curve from the beginning on. From very many steps it keeps those that moved far enough to
// show. Small ticks mark runs that were cut short without a violation.
func curve(steps []stats.Step, per float64) plot.Series {
	s := plot.Series{X: []float64{0}, Y: []float64{100}, Low: []float64{100}, High: []float64{100}}
	width := 0.0
	if n := len(steps); n > 0 {
		width = float64(steps[n-1].Time) / per
	}
	for i, step := range steps {
		x, y := float64(step.Time)/per, 100*step.Survival
		last := len(s.X) - 1
		far := math.Abs(s.Y[last]-y) >= 100.0/stepsMost || x-s.X[last] >= width/stepsMost
		if len(steps) <= stepsMost || far || i == len(steps)-1 {
			s.X, s.Y = append(s.X, x), append(s.Y, y)
			s.Low, s.High = append(s.Low, 100*step.Band.Low), append(s.High, 100*step.Band.High)
		}
		if step.Censored > 0 && i < len(steps)-1 {
			s.Ticks = append(s.Ticks, x)
		}
	}
	if len(s.Ticks) > ticksMost {
		s.Ticks = nil
	}
	return s
}

// waits draws how long clients waited for the lock.
func (c *charts) waits() {
	if c.cell.Figures[0].Runs() == 0 {
		return
	}
	unit, by := secondsOr(lastOf(c.cell.Figures[1]))
	c.distribution("latency", "How long clients wait for the lock", "wait ["+unit+"]", by, []int{0, 1},
		"share of runs whose median wait, and whose longest, from the call of acquire to its success, is up to so long")
}

// distribution draws the share of runs whose values reach each point of the axis.
func (c *charts) distribution(name, title, label string, per float64, figures []int, says string) {
	l := &plot.Lines{X: plot.Axis{Label: label, Log: true}, Y: plot.Axis{Label: "runs [%]"}, Steps: true}
	for _, f := range figures {
		l.X.Log = l.X.Log && wide(c.cell.Figures[f])
	}
	table := [][]string{{"figure", "value", "runs", "share"}}
	n := 0
	for _, f := range figures {
		values, times := c.cell.Figures[f].Sorted()
		all, seen := c.cell.Figures[f].Runs(), 0
		n = max(n, all)
		s := plot.Series{Name: wordsFor(c.s.Figures[f]), X: []float64{0}, Y: []float64{0}}
		if l.X.Log {
			s.X[0] = float64(values[0]) / per
		}
		for i, v := range values {
			seen += times[i]
			share := float64(seen) / float64(all)
			table = append(table, []string{c.s.Figures[f], strconv.FormatInt(v, 10), strconv.Itoa(times[i]), number(share)})
			if last := len(s.Y) - 1; len(values) <= stepsMost || 100*share-s.Y[last] >= 100.0/stepsMost || i == len(values)-1 {
				s.X, s.Y = append(s.X, float64(v)/per), append(s.Y, 100*share)
			}
		}
		l.Series = append(l.Series, s)
	}
	c.add(name, title, fmt.Sprintf("%s; n = %s, seeds from %d on; every run counts, so there is no band.",
		says, wording.Grouped(n), c.s.Job.First), table, l)
}

// wide reports whether values span too much for any but a logarithmic axis.
func wide(v campaign.Values) bool {
	values, _ := v.Sorted()
	return len(values) > 0 && values[0] > 0 && values[len(values)-1]/values[0] >= 30
}

// figure draws the distribution of any other figure.
func (c *charts) figure(name string, i int) {
	figures := campaign.Figures()
	f := figures[slices.IndexFunc(figures, func(f checker.Figure) bool { return f.Name == name })]
	label, by := wordsFor(name), 1.0
	if f.Unit != checker.Count {
		var unit string
		unit, by = secondsOr(lastOf(c.cell.Figures[i]))
		label += " [" + unit + "]"
	}
	c.distribution("figure-"+name, wording.Capital(f.Doc), label, by, []int{i},
		"share of runs in which "+wordsFor(name)+" is up to so much: "+f.Doc)
}
