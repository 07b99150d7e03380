package runs

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Edges are measured bounds as JSON: what lockstorm bound --format json prints.
type Edges struct {
	SchemaVersion int      `json:"schema_version"`
	Lockstorm     string   `json:"lockstorm"`
	Scenario      string   `json:"scenario"`
	Seed          uint64   `json:"seed"` // the first
	Runs          int      `json:"runs"` // at each value
	Settings      []string `json:"settings"`
	Bounds        []Edge   `json:"bounds"`

	scenario *scenarios.Scenario
	edges    []campaign.Edge
}

// An Edge is a bound that was measured with many seeds. If the scenario states none, formula and law are empty.
type Edge struct {
	Bound
	Stated     bool    `json:"stated"`      // by the scenario
	BreaksSeed *uint64 `json:"breaks_seed"` // the first with which the property breaks at breaks_at; null where there is no edge
}

// NewEdges returns measured bounds as JSON data.
func NewEdges(s *scenarios.Scenario, first uint64, seeds int, edges []campaign.Edge) Edges {
	all := Edges{
		SchemaVersion: reports.SchemaVersion, Scenario: s.ID, Seed: first, Runs: seeds, Settings: []string{}, Bounds: []Edge{},
		scenario: s, edges: edges,
	}
	for _, e := range edges {
		d := Edge{Bound: describeBound(e), Stated: e.Stated}
		if !e.Stated {
			d.Formula, d.Law = "", ""
		}
		if e.None == "" {
			d.BreaksSeed = &e.Seed
		}
		all.Bounds = append(all.Bounds, d)
	}
	return all
}

// Document describes measured bounds beside those that follow from the theorem.
func (e *Edges) Document() *reports.Document {
	d := &reports.Document{Title: "Bounds of " + e.Scenario, Data: e, Rows: e.table()}
	d.Paragraph(fmt.Sprintf("%s, bounds measured by halving. A property holds at a value if it holds there with %s.", e.Scenario,
		e.seeds()))
	if len(d.Rows.Rows) > 0 {
		d.Table("", d.Rows)
	}
	hang(d, e.without())
	hang(d, e.laws())
	var names []string
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
	t := &reports.Table{Columns: reports.Columns("property", "setting", "holds at", "breaks at", "with seed", "computed")}
	for _, d := range e.Bounds {
		switch {
		case d.None != "":
		case d.Stated:
			t.Add(d.Property, d.Setting, d.HoldsAt, d.BreaksAt, fmt.Sprint(*d.BreaksSeed), d.Computed)
		default:
			t.Add(d.Property, d.Setting, d.HoldsAt, d.BreaksAt, fmt.Sprint(*d.BreaksSeed), "no bound is stated")
		}
	}
	return t
}

// without says of the others why they have no edge. Those with the same reason share a sentence.
func (e *Edges) without() (all []string) {
	var first []*campaign.Edge // of each reason
	properties := map[string][]string{}
	reason := func(d *campaign.Edge) string { return d.NoneOf(1, "each") }
	for i := range e.edges {
		d := &e.edges[i]
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
		all = append(all, d.NoneOf(len(names), wording.List(names)))
	}
	return all
}

// laws describes the formulas of the edges that the scenario states.
func (e *Edges) laws() []string {
	stated := slices.DeleteFunc(slices.Clone(e.edges), func(d campaign.Edge) bool { return !d.Stated })
	if len(stated) == 0 {
		return []string{"The scenario states no bound for this: there is no formula to compare the figures with."}
	}
	return boundLaws(e.scenario, stated)
}
