package campaigns

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Sighting is how much of what breaks in true time a black box sees, as JSON: what lockstorm blackbox --format json prints.
type Sighting struct {
	SchemaVersion int       `json:"schema_version"`
	Lockstorm     string    `json:"lockstorm"`
	Seed          uint64    `json:"seed"` // the first of each scenario
	Runs          int       `json:"runs"` // of each scenario
	Views         []string  `json:"views"`
	Reasons       []string  `json:"reasons"`
	All           SightOf   `json:"all"`
	Scenarios     []SightOf `json:"scenarios"`

	picture *plot.Picture // of a grid; else nil
}

// A SightOf is what was seen of one scenario, or of all.
type SightOf struct {
	Scenario string `json:"scenario,omitempty"`
	Runs     int    `json:"runs"`
	Promises []Seen `json:"promises"` // those that broke
	Kept     Seen   `json:"kept"`     // the runs in which none broke
}

// A Seen counts runs in which a promise broke, and what a black box saw of them.
type Seen struct {
	Promise string `json:"promise,omitempty"`
	View    string `json:"view,omitempty"` // that asks nearest
	Runs    int    `json:"runs"`
	Views   []int  `json:"violated"` // by view
	Nothing int    `json:"nothing"`  // no view is violated
	Why     []int  `json:"why"`      // by reason: why the nearest view is not
}

// NewSighting returns the counts as JSON data.
func NewSighting(g *campaign.Sighting, all []campaign.Sight) Sighting {
	x := Sighting{
		SchemaVersion: reports.SchemaVersion, Seed: g.First, Runs: g.Runs, Reasons: campaign.Reasons[:], Scenarios: []SightOf{},
	}
	for _, name := range scenarios.Judged()[len(checker.Properties):] {
		x.Views = append(x.Views, strings.TrimPrefix(name, scenarios.BlackBox+"."))
	}
	whole := campaign.Whole(all)
	x.All = sightOf(&whole)
	for i := range all {
		x.Scenarios = append(x.Scenarios, sightOf(&all[i]))
	}
	if len(g.Axes) > 0 {
		x.picture = sightChart(g, all)
	}
	return x
}

func sightOf(s *campaign.Sight) SightOf {
	o := SightOf{Scenario: s.Scenario, Runs: s.Runs, Promises: []Seen{}, Kept: seenOf(&s.Kept)}
	for i := range s.Promises {
		if s.Promises[i].Broken > 0 {
			o.Promises = append(o.Promises, seenOf(&s.Promises[i]))
		}
	}
	return o
}

func seenOf(n *campaign.Seen) Seen {
	return Seen{Promise: n.Promise, View: n.Asks, Runs: n.Broken, Views: n.Views, Nothing: n.Nothing, Why: n.Why}
}

// Document returns the counts: a row for each promise, and one for each promise that a scenario breaks.
func (x *Sighting) Document() *reports.Document {
	d := &reports.Document{Title: "What a black box sees", Data: x, Style: plot.Style + studyStyle}
	d.Paragraph(fmt.Sprintf("In how many runs each promise breaks in true time, and in how many of those each view of a black "+
		"box, which knows only what clients did and saw, is violated: %s of %s, from seed %d.",
		wording.Count(x.Runs, "run", "runs"), of(len(x.Scenarios)), x.Seed))
	every := &reports.Table{Columns: x.columns("promise")}
	x.rows(every, "", &x.All)
	d.Table("", every)
	why := &reports.Table{Columns: reports.Columns(append([]string{"promise", "nearest view", "missed"}, x.Reasons...)...)}
	for k := 2; k < len(why.Columns); k++ {
		why.Columns[k].Kind = "number"
	}
	for i := range x.All.Promises {
		n := &x.All.Promises[i]
		missed := 0
		for _, times := range n.Why {
			missed += times
		}
		why.Add(append([]string{n.Promise, dash(n.View), wording.Share(missed, n.Runs)}, counts(n.Why)...)...)
	}
	d.Table("Why the view that asks nearest to a promise misses it, in how many runs:", why)
	if len(x.Scenarios) > 1 {
		each := &reports.Table{Columns: append(reports.Columns("scenario"), x.columns("promise")...)}
		for i := range x.Scenarios {
			x.rows(each, x.Scenarios[i].Scenario, &x.Scenarios[i])
		}
		d.Table("Scenario by scenario:", each)
	}
	var names []string
	for i := range x.All.Promises {
		names = append(names, x.All.Promises[i].Promise)
	}
	d.Glosses(0, names...)
	if x.picture != nil {
		d.Add(reports.Block{Kind: "picture", Class: "study", Drawn: reports.Figure{
			SVG: func() string { return string(x.picture.SVG(plot.Column, x.picture.Name, true)) }}})
	}
	return d
}

// sightChart draws along the first axis of a grid how much of what breaks belief the lease sees, with a line for each cell of the
// other axes.
func sightChart(g *campaign.Sighting, all []campaign.Sight) *plot.Picture {
	const promise, view = 0, 1 // belief, and the lease
	x := scaleOf(&g.Scenarios[0], g.Axes[0], g.Axes[0].Key)
	lines := len(all) / len(x.Values)
	l := &plot.Lines{X: x.axis(), Y: plot.Axis{Label: "of the runs in which belief breaks, the lease sees [%]"},
		Panels: []plot.Panel{{}}}
	table := [][]string{append([]string{"cell"}, countHeads...)}
	for k := range lines {
		cell := strings.Fields(all[k].Scenario)[1:]
		s := plot.Series{Name: lineName(&g.Scenarios[0], cell[1:]), X: x.places()}
		for _, i := range x.order {
			n := &all[i*lines+k]
			f := campaign.Frequency{Count: stats.Count{Violated: n.Promises[promise].Views[view], Runs: n.Promises[promise].Broken}}
			share, low, high := bandOf(f)
			s.Y, s.Low, s.High = append(s.Y, share), append(s.Low, low), append(s.High, high)
			table = append(table, append([]string{n.Scenario}, countsOf(f)...))
		}
		l.Panels[0].Series = append(l.Panels[0].Series, s)
	}
	caption := fmt.Sprintf("%s: of the runs in which belief breaks, and a mutex is violated in each, the share in which the "+
		"lease is violated too; %s a point, seeds from %d on; bands: Wilson, 95 %%.", wording.Plain(strings.Fields(all[0].Scenario)[0]),
		wording.Count(g.Runs, "run", "runs"), g.First)
	return &plot.Picture{Name: "blackbox", Title: "How much of what breaks the lease sees", Caption: caption, Table: table,
		Drawing: l}
}

// lineName returns the words for some settings of a cell; a range from a value to the same is that value.
func lineName(s *scenarios.Scenario, settings []string) string {
	var words []string
	for _, text := range settings {
		key, value, _ := strings.Cut(text, "=")
		if low, high, is := strings.Cut(value, ".."); is && low == high {
			value = low
		}
		words = append(words, Labels{}.ofSetting(s, key)+" "+value)
	}
	return wording.Plain(strings.Join(words, ", "))
}

func of(scenarios int) string {
	if scenarios == 1 {
		return "one scenario"
	}
	return "each of " + strconv.Itoa(scenarios) + " scenarios"
}

func (x *Sighting) columns(first string) []reports.Column {
	heads := append([]string{first, "runs"}, x.Views...)
	all := reports.Columns(append(heads, "no view")...)
	for k := 1; k < len(all); k++ {
		all[k].Kind = "number"
	}
	return all
}

// rows adds a row for each promise that broke, and one for the runs in which none did, if a view is violated there.
func (x *Sighting) rows(t *reports.Table, scenario string, o *SightOf) {
	add := func(name string, n *Seen) {
		cells := append([]string{name, wording.Share(n.Runs, o.Runs)}, counts(n.Views)...)
		cells = append(cells, strconv.Itoa(n.Nothing))
		if scenario != "" {
			cells = append([]string{scenario}, cells...)
		}
		t.Add(cells...)
	}
	for i := range o.Promises {
		add(o.Promises[i].Promise, &o.Promises[i])
	}
	if o.Kept.Nothing < o.Kept.Runs {
		add("none broke", &o.Kept)
	}
}

func counts(all []int) (cells []string) {
	for _, n := range all {
		cells = append(cells, strconv.Itoa(n))
	}
	return cells
}

func dash(name string) string {
	if name == "" {
		return "-"
	}
	return name
}
