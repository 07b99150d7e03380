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

// Edges reports measured bounds with the computed ones.
func Edges(e *study.Edges) *reports.Document {
	d := &reports.Document{Title: e.Study().Title, Data: e, Rows: edgeTable(e.Bounds)}
	d.Paragraph(fmt.Sprintf("%s A property holds at a value if it holds there with %s.", e.Study().About, edgeSeeds(e)))
	if len(d.Rows.Rows) > 0 {
		d.Table("", d.Rows)
	}
	var names, laws []string
	for i, line := range e.Study().Lines {
		whose := ""
		if len(e.Study().Lines) > 1 {
			whose = line.Name + ": "
		}
		x, edges := e.Line(i)
		hang(d, without(edges, whose))
		for _, text := range stated(x, edges) {
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

// hang adds sentences, indented and close together in a text.
func hang(d *reports.Document, sentences []string) {
	for i, text := range sentences {
		d.Add(reports.Block{Kind: "hung", Words: []reports.Span{{Text: "  "}, {Text: text}}, Close: i > 0})
	}
}

// edgeSeeds names the seeds of each value.
func edgeSeeds(e *study.Edges) string {
	if e.Runs == 1 {
		return fmt.Sprintf("seed %d", e.Seed)
	}
	return fmt.Sprintf("each of the seeds %d to %d", e.Seed, e.Seed+uint64(e.Runs)-1)
}

// edgeTable lists the properties that have an edge.
func edgeTable(edges []campaign.Edge) *reports.Table {
	t := &reports.Table{Columns: reports.Columns(
		"scenario", "property", "setting", "holds at", "breaks at", "with seed", "computed")}
	for _, d := range edges {
		if d.None != "" {
			continue
		}
		computed := d.Computed
		if !d.Stated {
			computed = "no bound is stated"
		}
		t.Add(d.Line, d.Property, d.Setting, d.Holds, d.Breaks, fmt.Sprint(*d.Seed), computed)
	}
	return t
}

// without says why the other properties have no edge. Those with the same reason share a sentence, which begins with
// whose.
func without(edges []campaign.Edge, whose string) (all []string) {
	var first []*campaign.Edge // of each reason
	properties := map[string][]string{}
	for i := range edges {
		d := &edges[i]
		if d.None == "" {
			continue
		}
		reason := d.NoneOf(1, "each")
		if properties[reason] == nil {
			first = append(first, d)
		}
		properties[reason] = append(properties[reason], d.Bound.Property)
	}
	for _, d := range first {
		names := properties[d.NoneOf(1, "each")]
		all = append(all, whose+d.NoneOf(len(names), wording.List(names)))
	}
	return all
}

// stated describes the formulas of the bounds that the scenario states.
func stated(x *scenarios.Scenario, edges []campaign.Edge) []string {
	stated := slices.DeleteFunc(slices.Clone(edges), func(d campaign.Edge) bool { return !d.Stated })
	if len(stated) == 0 {
		return []string{"The scenario states no bound for this: there is no formula to compare the figures with."}
	}
	return boundLaws(x, stated)
}
