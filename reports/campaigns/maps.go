package campaigns

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// maps draws each property that breaks over the two axes of a grid that has two.
func (c *charts) maps() {
	if len(c.axes) != 2 {
		return
	}
	x, y := &c.axes[0], &c.axes[1]
	bounds := c.lines(x, y)
	for _, i := range c.breaks() {
		name, words := c.whole.Properties[i].Name, c.property(i)
		h := &plot.Heat{Bounds: bounds[name],
			X: plot.Axis{Label: x.label, Names: x.names()}, Y: plot.Axis{Label: y.label, Names: y.names()}}
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
		caption := fmt.Sprintf("per cent of runs in which %s breaks; %s a cell, %s. At 95 %% a share of 50 %% stands for %s (Wilson).",
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
	return stats.Percent(in.Low) + " to " + stats.Percent(in.High)
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

func (r *computedBound) at(s *scenarios.Scenario) (place float64, shown string) {
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

// tiles draws the matrix of locks and faults: of any property, and of each that breaks.
func (c *charts) tiles(locks, classes []string) {
	all := func(k *campaign.Counts) campaign.Frequency {
		return campaign.Frequency{Count: stats.Count{Violated: k.Broken, Runs: k.Runs}}
	}
	c.tilesOf("matrix", "Which locks break under which faults", "any property breaks", locks, classes, all)
	for _, i := range c.breaks() {
		name, words := c.whole.Properties[i].Name, c.property(i)
		one := func(k *campaign.Counts) campaign.Frequency { return k.Properties[i] }
		c.tilesOf("matrix-"+name, "Under which faults "+words+" breaks", words+" breaks", locks, classes, one)
	}
}

func (c *charts) tilesOf(name, title, what string, locks, classes []string, count func(*campaign.Counts) campaign.Frequency) {
	t := &plot.Heat{X: plot.Axis{Names: classes}}
	table := [][]string{slices.Concat([]string{"lock", "faults", "verdict"}, countHeads)}
	for i, lock := range locks {
		var shares []float64
		var says []string
		for k, class := range classes {
			f := count(&c.s.Cells[i*len(classes)+k])
			share, _, _ := bandOf(f)
			shares = append(shares, share/100)
			says = append(says, tileText(f))
			table = append(table, slices.Concat([]string{lock, class, f.Verdict().String()}, countsOf(f)))
		}
		t.Y.Names, t.Share, t.Says = append(t.Y.Names, lock), append(t.Share, shares), append(t.Says, says)
	}
	none := stats.Wilson(0, max(c.s.Cells[0].Runs, 1), stats.Confidence).High
	c.add(name, title, fmt.Sprintf("per cent of runs in which %s; a ? stands where none did, but some were cut short; "+
		"%s a tile, %s. At 95 %% a 0 stands for up to %s (Wilson).",
		what, runsText(c.s.Cells), c.seedsText(), stats.Percent(none)), table, t)
}

// tileText returns a share and its verdict in a few signs.
func tileText(f campaign.Frequency) string {
	switch {
	case f.Runs == 0:
		return ""
	case f.Violated > 0:
		return f.PerCent(0)
	case f.Unknown > 0:
		return "?"
	}
	return "0"
}
