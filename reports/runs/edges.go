package runs

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// Edges are measured bounds as JSON: what lockstorm study prints of a study that halves a range.
type Edges struct {
	SchemaVersion int    `json:"schema_version"`
	Lockstorm     string `json:"lockstorm"`
	Name          string `json:"name"`
	Seed          uint64 `json:"seed"` // the first
	Runs          int    `json:"runs"` // at each value
	Bounds        []Edge `json:"bounds"`

	study *study.Study
	lines []Line
}

// A Line is one of the study's scenarios with its bounds, as measured.
type Line struct {
	Scenario *scenarios.Scenario
	Edges    []campaign.Edge
}

// An Edge is a bound that was measured with many seeds. If the scenario states none, formula and law are empty.
type Edge struct {
	Line string `json:"line"`
	Bound
	Stated     bool    `json:"stated"`      // by the scenario
	BreaksSeed *uint64 `json:"breaks_seed"` // the first with which the property breaks at breaks_at; null where there is no edge
}

// NewEdges returns measured bounds as JSON data.
func NewEdges(s *study.Study, lines []Line) Edges {
	all := Edges{SchemaVersion: reports.SchemaVersion, Name: s.Name, Seed: s.Seed, Runs: s.Runs, Bounds: []Edge{}, study: s, lines: lines}
	for i, l := range lines {
		for _, e := range l.Edges {
			d := Edge{Line: s.Lines[i].Name, Bound: describeBound(e), Stated: e.Stated}
			if !e.Stated {
				d.Formula, d.Law = "", ""
			}
			if e.None == "" {
				d.BreaksSeed = &e.Seed
			}
			all.Bounds = append(all.Bounds, d)
		}
	}
	return all
}

// Document describes measured bounds with those that follow from the theorem.
func (e *Edges) Document() *reports.Document {
	d := &reports.Document{Title: e.study.Title, Data: e, Rows: e.table()}
	d.Paragraph(fmt.Sprintf("%s A property holds at a value if it holds there with %s.", e.study.About, e.seeds()))
	if len(d.Rows.Rows) > 0 {
		d.Table("", d.Rows)
	}
	var names, laws []string
	for i, l := range e.lines {
		whose := ""
		if len(e.lines) > 1 {
			whose = e.study.Lines[i].Name + ": "
		}
		hang(d, without(l.Edges, whose))
		for _, text := range stated(&l) {
			if !slices.Contains(laws, text) {
				laws = append(laws, text)
			}
		}
	}
	hang(d, laws)
	for _, b := range e.Bounds {
		names = append(names, b.Property)
	}
	d.Glosses(0, names...)
	return d
}

// hang adds sentences, which a text has indented and one close below the other.
func hang(d *reports.Document, sentences []string) {
	for i, text := range sentences {
		d.Add(reports.Block{Kind: "hung", Words: []reports.Span{{Text: "  "}, {Text: text}}, Close: i > 0})
	}
}

// seeds names those of each value.
func (e *Edges) seeds() string {
	if e.Runs == 1 {
		return fmt.Sprintf("seed %d", e.Seed)
	}
	return fmt.Sprintf("each of the seeds %d to %d", e.Seed, e.Seed+uint64(e.Runs)-1)
}

// table lists the properties that have an edge.
func (e *Edges) table() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("scenario", "property", "setting", "holds at", "breaks at", "with seed", "computed")}
	for _, d := range e.Bounds {
		if d.None != "" {
			continue
		}
		computed := d.Computed
		if !d.Stated {
			computed = "no bound is stated"
		}
		t.Add(d.Line, d.Property, d.Setting, d.HoldsAt, d.BreaksAt, fmt.Sprint(*d.BreaksSeed), computed)
	}
	return t
}

// without says of the others why they have no edge, and whose they are. Those with the same reason share a sentence.
func without(edges []campaign.Edge, whose string) (all []string) {
	var first []*campaign.Edge // of each reason
	properties := map[string][]string{}
	reason := func(d *campaign.Edge) string { return d.NoneOf(1, "each") }
	for i := range edges {
		d := &edges[i]
		if d.None == "" {
			continue
		}
		if properties[reason(d)] == nil {
			first = append(first, d)
		}
		properties[reason(d)] = append(properties[reason(d)], d.Bound.Property)
	}
	for _, d := range first {
		names := properties[reason(d)]
		all = append(all, whose+d.NoneOf(len(names), wording.List(names)))
	}
	return all
}

// stated describes the formulas of the edges that the scenario states.
func stated(l *Line) []string {
	stated := slices.DeleteFunc(slices.Clone(l.Edges), func(d campaign.Edge) bool { return !d.Stated })
	if len(stated) == 0 {
		return []string{"The scenario states no bound for this: there is no formula to compare the figures with."}
	}
	return boundLaws(l.Scenario, stated)
}
