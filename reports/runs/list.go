package runs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// List returns the scenarios and the promises that each breaks.
func List(all []scenarios.Scenario) *reports.Document {
	d := &reports.Document{Title: "Scenarios", Data: listed(all)}
	lines := func(s reports.Screen) string { return list(s, all) }
	d.Add(reports.Block{Kind: "lines", OnScreen: lines, In: reports.Terminal})
	d.Rows = &reports.Table{Columns: []reports.Column{{Head: "scenario", Kind: "code"}, {Head: "what it shows"},
		{Head: "breaks"}}}
	for i := range all {
		d.Rows.Add(all[i].ID, all[i].Title, breaks(&all[i]))
	}
	d.Add(reports.Block{Kind: "rows", Table: d.Rows, In: reports.Marked | reports.Page})
	return d
}

func list(s reports.Screen, all []scenarios.Scenario) string {
	var b strings.Builder
	width := 0
	for i := range all {
		width = max(width, wording.Width(all[i].ID))
	}
	wide := min(s.LineWidth(), wording.TextWidth)
	for i := range all {
		before := wording.PadColumns(all[i].ID, width) + "  "
		b.WriteString(s.Hang(before, "", all[i].Title, wide))
		if 2*len(before) > wide { // the title is below
			before = "    "
		}
		b.WriteString(s.Hang(strings.Repeat(" ", len(before)), reports.FaintInk, breaks(&all[i]), wide))
	}
	b.WriteString("\nThe promises:\n\n")
	for _, p := range checker.Properties {
		b.WriteString(s.Hang(wording.PadColumns(p.Name, width)+"  ", "", p.Plain, wide))
	}
	return b.String()
}

// breaks describes the promises that a scenario should break, and then those that its mutants break.
func breaks(s *scenarios.Scenario) string {
	if s.Search.Drawn() {
		return "a search: what breaks depends on the seed"
	}
	text := "breaks " + nothingOr(broken(s))
	if n := len(s.Mutants); n > 0 {
		mutants := wording.Either(n, "its known flaw breaks ", fmt.Sprintf("its %d known flaws break ", n))
		text += "; " + mutants + nothingOr(brokenByMutants(s))
	}
	return text
}

// A listing is a scenario of the catalogue as list --format json prints it.
type listing struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Lock     string   `json:"lock"`
	Breaks   []string `json:"breaks"`
	Search   bool     `json:"search"` // a seed draws faults or settings
	Mutants  []string `json:"mutants"`
	By       string   `json:"claim_by,omitempty"`
	Says     string   `json:"claim_says,omitempty"`
	Schedule []string `json:"schedule"`
}

func listed(all []scenarios.Scenario) []listing {
	listed := []listing{}
	for i := range all {
		s := &all[i]
		l := listing{ID: s.ID, Title: s.Title, Lock: s.Lock.Kind.String(), Breaks: broken(s), Search: s.Search.Drawn(),
			Mutants: []string{}, By: s.Claim.By, Says: s.Claim.Says, Schedule: s.Faults.Lines()}
		for _, m := range s.Mutants {
			l.Mutants = append(l.Mutants, m.Name)
		}
		listed = append(listed, l)
	}
	return listed
}

func broken(s *scenarios.Scenario) []string {
	names := []string{}
	for _, p := range checker.Properties {
		if s.Expected(p.Name) == checker.Violated {
			names = append(names, p.Name)
		}
	}
	return names
}

func brokenByMutants(s *scenarios.Scenario) (names []string) {
	for _, p := range checker.Properties {
		if slices.ContainsFunc(s.Mutants, func(m scenarios.Mutant) bool { return slices.Contains(m.Breaks, p.Name) }) {
			names = append(names, p.Name)
		}
	}
	return names
}

func nothingOr(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return wording.List(names)
}

// Settings returns the settings of a scenario: the key of each for --set, and its name, value and explanation.
func Settings(s reports.Screen, x *scenarios.Scenario) string {
	var b strings.Builder
	all, width := slices.DeleteFunc(scenarios.Settings(x), func(k scenarios.Setting) bool { return !x.Uses(k) }), 0
	for _, k := range all {
		width = max(width, wording.Width(cmp.Or(k.Short, k.Key)))
	}
	for _, k := range all {
		text := fmt.Sprintf("%s: %s. %s", k.Label, k.InWords(x), wording.PlainLong(k.Doc))
		if k.Kind(x) != "enum" { // whose values end the explanation
			text += " (" + k.Form + ")"
		}
		b.WriteString(s.Hang(wording.PadColumns(cmp.Or(k.Short, k.Key), width)+"  ", "", text, min(s.LineWidth(), wording.TextWidth)))
	}
	return b.String()
}
