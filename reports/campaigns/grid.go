package campaigns

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

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
	words = wording.Plain(words)
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
func unitOf(form string, most int64) (unit string, per float64) {
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
func secondsOr(most int64) (unit string, per float64) {
	switch {
	case most >= 1e9 || most == 0:
		return "s", 1e9
	case most >= 1e6:
		return "ms", 1e6
	}
	return "µs", 1e3
}

// axis returns the scale to a picture, with its values as ticks. It is logarithmic where these are multiplied, or are two that
// span much.
func (c *scale) axis() plot.Axis {
	if !c.number {
		return plot.Axis{Label: c.label, Names: c.names()}
	}
	all := c.places()
	far := len(all) == 2 && all[0] > 0 && all[1]/all[0] >= 30
	return plot.Axis{Label: c.label, Log: far || c.geometric(), Ticks: all}
}

// geometric reports whether the values, none of which is 0, stand at more even steps if they are multiplied than if they are
// added: whoever asked for them so wants to see them so.
func (c *scale) geometric() bool {
	all := c.places()
	if len(all) < 3 || all[0] <= 0 {
		return false
	}
	var sums, factors []float64
	for i := range all[1:] {
		sums, factors = append(sums, all[i+1]-all[i]), append(factors, math.Log(all[i+1]/all[i]))
	}
	uneven := func(steps []float64) float64 { return slices.Max(steps) / slices.Min(steps) }
	return uneven(factors) < uneven(sums)
}

// valueText returns a value of the scale in a few letters.
func (c *scale) valueText(i int) string {
	if !c.number {
		return c.words + " = " + wording.Plain(string(c.Values[i]))
	}
	unit := ""
	if _, after, ok := strings.Cut(c.label, " ["); ok {
		unit = " " + strings.TrimSuffix(after, "]")
	}
	return c.words + " = " + shortNumber(c.at[i]) + unit
}

// shortNumber writes a number with four digits, and a large one in full: nobody reads 2e+04 as 20000.
func shortNumber(v float64) string {
	if math.Abs(v) >= 1000 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}

// names returns the values in their order: numbers in the unit of the label, as short as they can be told apart.
func (c *scale) names() (all []string) {
	for _, i := range c.order {
		name := wording.Plain(string(c.Values[i]))
		if c.number {
			name = shortNumber(c.at[i])
		}
		all = append(all, name)
	}
	if c.number && len(slices.Compact(slices.Clone(all))) < len(all) {
		for place, i := range c.order {
			all[place] = strconv.FormatFloat(c.at[i], 'f', -1, 64)
		}
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

// A slice is a part of a grid along its first axis, where each other axis has one value. Runs of different settings are never
// counted together: an interval of a mixture would be one of nothing.
type slice struct {
	title    string              // the values of the other axes; empty where there is one axis
	values   []string            // the same, one by one
	scenario *scenarios.Scenario // with these values
	along    []campaign.Counts   // by the values of the first axis
}

// slicesOf cuts the grid along its first axis, in the order of the other values.
func (c *charts) slicesOf() (all []slice) {
	rest := len(c.s.Cells) / len(c.axes[0].Values)
	for _, place := range c.restOrder() {
		x := slice{scenario: c.s.Job.Scenario}
		t := *x.scenario
		var words []string
		turns := rest
		for k := range c.axes[1:] {
			a := &c.axes[1+k]
			turns /= len(a.Values)
			i := place / turns % len(a.Values)
			words, x.values = append(words, a.valueText(i)), append(x.values, string(a.Values[i]))
			if t.Set(a.Key+"="+string(a.Values[i])) == nil {
				x.scenario = &t
			}
		}
		x.title = strings.Join(words, ", ")
		for i := range c.axes[0].Values {
			x.along = append(x.along, c.s.Cells[i*rest+place])
		}
		all = append(all, x)
	}
	return all
}

// restOrder returns the places of all combinations of the other axes' values, each axis in its order.
func (c *charts) restOrder() []int {
	places := []int{0}
	for k := range c.axes[1:] {
		a := &c.axes[1+k]
		var next []int
		for _, p := range places {
			for _, i := range a.order {
				next = append(next, p*len(a.Values)+i)
			}
		}
		places = next
	}
	return places
}

// others returns the keys of the axes beside the first, for the head of a table.
func (c *charts) others() (keys []string) {
	for _, a := range c.axes[1:] {
		keys = append(keys, a.Key)
	}
	return keys
}

const (
	panelsMost = 12 // of a picture: more would be too small
	linesMost  = 5  // of a picture, so that they can be told apart
)

// arrange lays out a picture that has a panel for each slice: a panel each, or a line each where each has but one. It returns
// how they stand, in words.
func (c *charts) arrange(l *plot.Lines) string {
	if len(l.Panels) == 1 {
		return ""
	}
	var words []string
	for _, a := range c.axes[1:] {
		words = append(words, a.words)
	}
	each := " for each " + wording.List(words)
	all := l.Panels
	l.Panels = nil
	if len(all) <= linesMost && !slices.ContainsFunc(all, func(p plot.Panel) bool { return len(p.Series) != 1 }) {
		var one plot.Panel
		for i, p := range all {
			s := p.Series[0]
			s.Name = c.slices[i].title
			one.Series = append(one.Series, s)
		}
		l.Panels = []plot.Panel{one}
		return ", a line" + each
	}
	for _, i := range evenlyOf(countTo(len(all)), panelsMost) {
		all[i].Title = c.slices[i].title
		l.Panels = append(l.Panels, all[i])
	}
	how := ", a panel" + each
	if len(all) > panelsMost {
		how += fmt.Sprintf(" (%d of %d; the data has all)", panelsMost, len(all))
	}
	return how
}

// countTo returns 0, 1, 2 and so on, n in all.
func countTo(n int) (all []int) {
	for i := range n {
		all = append(all, i)
	}
	return all
}
