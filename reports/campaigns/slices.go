package campaigns

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

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
	each := " for each " + layout.List(words)
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
