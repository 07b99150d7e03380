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

// curvesMost is how many survival curves a picture has, so that they can be distinguished.
const curvesMost = 5

// survival draws how the share of runs without a violation falls with time, if any broke.
func (c *charts) survival() {
	if c.whole.Broken == 0 {
		return
	}
	most := max(lastOf(c.whole.Broke), lastOf(c.whole.Ended), lastOf(c.whole.Cut))
	unit, by := secondsOr(most)
	table := [][]string{slices.Concat([]string{"curve"}, c.othersOfGrid(),
		[]string{"time_ns", "at_risk", "violated", "censored", "survival", "low", "high"})}
	l := &plot.Lines{Steps: true,
		X: plot.Axis{Label: "true time [" + unit + "]"}, Y: plot.Axis{Label: "runs without a violation so far [%]"}}
	for _, x := range c.curvesOf() {
		var p plot.Panel
		for i, g := range x.groups {
			steps := stats.KaplanMeier(momentsOf(&g, most), stats.Confidence)
			s := curve(x.names[i], steps, by, len(x.groups) == 1)
			if c.mixed() {
				s.Low, s.High = nil, nil
			}
			p.Series = append(p.Series, s)
			for _, s := range steps {
				table = append(table, slices.Concat([]string{x.names[i]}, x.values, []string{
					strconv.FormatInt(s.Time, 10), strconv.Itoa(s.AtRisk), strconv.Itoa(s.Events), strconv.Itoa(s.Censored),
					number(s.Survival), number(s.Band.Low), number(s.Band.High)}))
			}
		}
		l.Panels = append(l.Panels, p)
	}
	if leastOf(l) > 50 {
		l.Floor = math.NaN() // else a line at the top would be all that is seen
	}
	several := len(l.Panels) > 1 || len(l.Panels[0].Series) > 1
	how := c.arrange(l)
	curves, bands := runsText(c.s.Cells), "bands: Greenwood, 95 %, each time on its own"
	switch {
	case c.mixed():
		curves, bands = runsText([]campaign.Counts{c.whole}), "there is no band, because the runs have different settings"
	case several:
		curves += " a curve" + how
	}
	c.add("survival", "When the first violation comes", fmt.Sprintf("share of runs in which no property has broken yet, "+
		"by Kaplan and Meier; %s, %s; runs that ended whole without a violation count to the end, those cut short until then; %s.",
		curves, c.seedsText(), bands), table, l)
}

// A curveGroup is the groups of runs that have a curve each in one part of a picture, by name.
type curveGroup struct {
	groups []campaign.Counts
	names  []string
	values []string // of the axes beside the first
}

// curvesOf returns the groups of runs of each slice: some values of the first axis. Where there is no grid all runs are one.
func (c *charts) curvesOf() (all []curveGroup) {
	if len(c.slices) == 0 {
		return []curveGroup{{groups: []campaign.Counts{c.whole}, names: []string{""}}}
	}
	a := &c.axes[0]
	for _, x := range c.slices {
		g := curveGroup{values: x.values}
		for _, k := range evenlyOf(a.order, curvesMost) {
			name := a.valueText(k)
			if len(a.Values) == 1 {
				name = ""
			}
			g.groups, g.names = append(g.groups, x.along[k]), append(g.names, name)
		}
		all = append(all, g)
	}
	return all
}

// leastOf returns the lowest end of all bands, or of lines that have none.
func leastOf(l *plot.Lines) float64 {
	least := math.Inf(1)
	for _, p := range l.Panels {
		for _, s := range p.Series {
			least = min(least, slices.Min(slices.Concat(s.Y, s.Low)))
		}
	}
	return least
}

// evenlyOf takes some of many, the first and the last among them.
func evenlyOf(all []int, most int) (some []int) {
	if len(all) <= most {
		return all
	}
	for i := range most {
		some = append(some, all[i*(len(all)-1)/(most-1)])
	}
	return some
}

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

// curve draws a survival curve from the beginning on. Of very many steps it has those at which it has gone far enough to
// show. Small ticks stand where runs were cut short without a violation.
func curve(name string, steps []stats.Step, per float64, ticks bool) plot.Series {
	s := plot.Series{Name: name, X: []float64{0}, Y: []float64{100}, Low: []float64{100}, High: []float64{100}}
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
		if step.Censored > 0 && ticks && i < len(steps)-1 {
			s.Ticks = append(s.Ticks, x)
		}
	}
	if len(s.Ticks) > ticksMost {
		s.Ticks = nil
	}
	return s
}

// quantile returns the least value than which no more than a share of all are larger; NaN of none.
func quantile(v campaign.Values, q float64) float64 {
	values, times := v.Sorted()
	rank, seen := int(math.Ceil(q*float64(v.Runs())-1e-9)), 0
	for i, value := range values {
		if seen += times[i]; seen >= rank {
			return float64(value)
		}
	}
	return math.NaN()
}

// waits draws how long clients waited for the lock: quantiles along an axis, or else the whole distribution.
func (c *charts) waits() {
	if c.whole.Figures == nil || c.whole.Figures[0].Runs() == 0 {
		return
	}
	unit, by := secondsOr(int64(quantile(c.whole.Figures[0], 0.99)))
	if len(c.slices) == 0 {
		unit, by = secondsOr(lastOf(c.whole.Figures[1]))
		c.distribution("latency", "How long clients wait for the lock", "wait ["+unit+"]", by, []int{0, 1},
			"share of runs whose median wait, and whose longest, from the call of acquire to its success, is up to so long")
		return
	}
	q := c.quantiles(0, by, []float64{0.5, 0.9, 0.99}, []string{"p50", "p90", "p99"}, "_ns")
	q.Y = plot.Axis{Label: "median wait of a run [" + unit + "]", Log: q.spread >= 100}
	how := c.arrange(&q.Lines)
	c.add("latency", "How long clients wait for the lock, against the "+c.axes[0].words, fmt.Sprintf("a run's median wait, "+
		"from the call of acquire to its success; half of all runs stay at or below p50, 90 %% below p90, 99 %% below p99; "+
		"%s a point%s, %s.", runsText(c.s.Cells), how, c.seedsText()), q.table, &q.Lines)
}

// quantiled is a picture of quantiles in the making.
type quantiled struct {
	plot.Lines
	table  [][]string
	spread float64 // the largest value over the least
}

// quantiles draws some quantiles of a figure along the first axis. In the table they are as they were counted.
func (c *charts) quantiles(figure int, per float64, shares []float64, names []string, unit string) quantiled {
	a := &c.axes[0]
	q := quantiled{Lines: plot.Lines{X: a.axis()}, table: [][]string{slices.Concat([]string{a.Key}, c.others(), []string{"runs"})}}
	for _, name := range names {
		q.table[0] = append(q.table[0], name+unit)
	}
	least, most := math.Inf(1), 0.0
	for _, x := range c.slices {
		var p plot.Panel
		for i, name := range names {
			s := plot.Series{Name: name, X: a.places()}
			for _, k := range a.order {
				s.Y = append(s.Y, quantile(x.along[k].Figures[figure], shares[i])/per)
			}
			p.Series = append(p.Series, s)
		}
		for place, k := range a.order {
			line := slices.Concat([]string{string(a.Values[k])}, x.values, []string{strconv.Itoa(x.along[k].Figures[figure].Runs())})
			for _, s := range p.Series {
				v := s.Y[place]
				if line = append(line, number(v*per)); !math.IsNaN(v) {
					least, most = min(least, v), max(most, v)
				}
			}
			q.table = append(q.table, line)
		}
		q.Panels = append(q.Panels, p)
	}
	q.spread = most / least
	return q
}

// distribution draws which share of runs has values up to so much.
func (c *charts) distribution(name, title, label string, per float64, figures []int, says string) {
	var p plot.Panel
	l := &plot.Lines{X: plot.Axis{Label: label, Log: true}, Y: plot.Axis{Label: "runs [%]"}, Steps: true}
	for _, f := range figures {
		l.X.Log = l.X.Log && wide(c.whole.Figures[f])
	}
	table := [][]string{{"figure", "value", "runs", "share"}}
	n := 0
	for _, f := range figures {
		values, times := c.whole.Figures[f].Sorted()
		all, seen := c.whole.Figures[f].Runs(), 0
		n = max(n, all)
		s := plot.Series{Name: c.labels.ofFigure(c.s.Figures[f]), X: []float64{0}, Y: []float64{0}}
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
		p.Series = append(p.Series, s)
	}
	l.Panels = []plot.Panel{p}
	c.add(name, title, fmt.Sprintf("%s; n = %s, %s; every run counts, so there is no band.",
		says, wording.Grouped(n), c.seedsText()), table, l)
}

// wide reports whether values span so much that only a logarithmic axis shows all of it.
func wide(v campaign.Values) bool {
	values, _ := v.Sorted()
	return len(values) > 0 && values[0] > 0 && values[len(values)-1]/values[0] >= 30
}

// availability draws along an axis in how much of its time a run's lock was held or could have been had.
func (c *charts) availability() {
	if len(c.slices) == 0 || c.whole.Idle.Runs() == 0 {
		return
	}
	a := &c.axes[0]
	table := [][]string{slices.Concat([]string{a.Key}, c.others(), []string{"runs", "mean", "low", "high", "worst_1_percent"})}
	l := &plot.Lines{X: a.axis(), Y: plot.Axis{Label: "time in which the lock can be had [%]"}, Floor: math.NaN()}
	for _, x := range c.slices {
		mean, worst := plot.Series{Name: "mean", X: a.places()}, plot.Series{Name: "worst 1 % of runs", X: a.places()}
		for _, k := range a.order {
			at, low, high, bad := availabilityOf(x.along[k].Idle)
			mean.Y, mean.Low, mean.High, worst.Y = append(mean.Y, at), append(mean.Low, low), append(mean.High, high), append(worst.Y, bad)
			table = append(table, slices.Concat([]string{string(a.Values[k])}, x.values,
				[]string{strconv.Itoa(x.along[k].Idle.Runs()), number(at / 100), number(low / 100), number(high / 100), number(bad / 100)}))
		}
		l.Panels = append(l.Panels, plot.Panel{Series: []plot.Series{mean, worst}})
	}
	how := c.arrange(l)
	c.add("availability", "How available the lock is, against the "+a.words, fmt.Sprintf("share of a run's time "+
		"in which somebody held the lock or could have been granted it; %s a point%s, %s; "+
		"band: of the mean, by the normal distribution, 95 %%.", runsText(c.s.Cells), how, c.seedsText()), table, l)
}

// availabilityOf returns the mean of runs in per cent with its interval, and what the worst hundredth of them stays below.
func availabilityOf(idle campaign.Values) (mean, low, high, worst float64) {
	values, times := idle.Sorted()
	if len(values) == 0 {
		return math.NaN(), math.NaN(), math.NaN(), math.NaN()
	}
	shares := make([]float64, len(values))
	for i, v := range values {
		shares[i] = 1 - float64(v)/1e9
	}
	m, in := stats.Mean(shares, times, stats.Confidence)
	return 100 * m, 100 * max(in.Low, 0), 100 * min(in.High, 1), 100 - quantile(idle, 0.99)/1e7
}

// figure draws any other figure: its median and the middle half along an axis, or its distribution.
func (c *charts) figure(name string, i int) {
	figures := campaign.Figures()
	f := figures[slices.IndexFunc(figures, func(f checker.Figure) bool { return f.Name == name })]
	label, suffix, by := c.labels.ofFigure(name), "", 1.0
	if f.Unit != checker.Count {
		var unit string
		suffix = "_ns"
		unit, by = secondsOr(int64(max(quantile(c.whole.Figures[i], 1), 0)))
		label += " [" + unit + "]"
	}
	if len(c.slices) == 0 {
		c.distribution("figure-"+name, wording.Capital(f.Doc), label, by, []int{i},
			"share of runs in which "+c.labels.ofFigure(name)+" is up to so much: "+f.Doc)
		return
	}
	q := c.quantiles(i, by, []float64{0.5, 0.25, 0.75}, []string{"p50", "p25", "p75"}, suffix)
	q.Y = plot.Axis{Label: label}
	for i := range q.Panels {
		s := q.Panels[i].Series
		s[0].Name, s[0].Low, s[0].High = "median", s[1].Y, s[2].Y
		q.Panels[i].Series = s[:1]
	}
	how := c.arrange(&q.Lines)
	c.add("figure-"+name, wording.Capital(f.Doc)+", against the "+c.axes[0].words, fmt.Sprintf(
		"%s; %s a point%s, %s; the band holds the middle half of runs.",
		f.Doc, runsText(c.s.Cells), how, c.seedsText()), q.table, &q.Lines)
}
