package bounds

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Bound is the value of a setting at which a property begins to hold, or to break: as reckoned, and as measured.
type Bound struct {
	Property string `json:"property"`
	Setting  string `json:"setting"`
	From     string `json:"from"` // where the search began, and where it ended
	To       string `json:"to"`
	Formula  string `json:"formula"`
	Law      string `json:"law"` // the formula in words, with T for the TTL and A for the allowance for drift
	Reckoned string `json:"reckoned"`
	HoldsAt  string `json:"holds_at,omitempty"` // the last value measured at which it holds
	BreaksAt string `json:"breaks_at,omitempty"`
	None     string `json:"none,omitempty"` // why nothing was measured, as a sentence
	Runs     int    `json:"runs"`           // how many it took
}

// DescribeBounds returns measured bounds as JSON data.
func DescribeBounds(edges []campaign.Edge) []Bound {
	all := []Bound{}
	for _, e := range edges {
		all = append(all, DescribeBound(e))
	}
	return all
}

// DescribeBound returns a measured bound as JSON data.
func DescribeBound(e campaign.Edge) Bound {
	return Bound{
		Property: e.Bound.Property, Setting: e.Bound.Setting, From: string(e.Bound.From), To: string(e.Bound.To),
		Formula: scenarios.FormulaNames[e.Bound.Formula], Law: e.Bound.Formula.Law(),
		Reckoned: e.Reckoned, HoldsAt: e.Holds, BreaksAt: e.Breaks, None: e.None, Runs: e.Runs,
	}
}

// Section describes the bounds that were measured beside those that were reckoned, and why they differ.
func Section(s layout.Screen, of *scenarios.Scenario, edges []campaign.Edge) string {
	if len(edges) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nbounds, each measured by halving:\n")
	b.WriteString(Table(edges).Text(s))
	for _, e := range edges {
		if e.None != "" {
			b.WriteString(s.Hang("  ", layout.NoInk, e.None, s.ProseWidth()))
		}
	}
	b.WriteString(Laws(s, of, edges))
	return b.String()
}

// Table lists measured bounds beside those that the formula gives.
func Table(edges []campaign.Edge) *layout.Table {
	t := &layout.Table{Columns: layout.Columns("property", "setting", "reckoned", "holds at", "breaks at", "runs")}
	for _, e := range edges {
		t.Add(e.Bound.Property, e.Bound.Setting, e.Reckoned, layout.Dash(e.Holds), layout.Dash(e.Breaks), strconv.Itoa(e.Runs))
	}
	return t
}

// Laws says each formula once, with what it stands for.
func Laws(s layout.Screen, of *scenarios.Scenario, edges []campaign.Edge) string {
	var said []scenarios.Formula
	var b strings.Builder
	for _, e := range edges {
		law := e.Bound.Formula
		if slices.Contains(said, law) {
			continue
		}
		said = append(said, law)
		text := "Reckoned as " + law.Law() + "."
		if law != scenarios.NoBound {
			text += fmt.Sprintf(" T is the TTL, %s; A is the allowance for drift, %s. %s.", of.Lock.TTL, of.FormulaRules().Drift(), law.Deviation())
		}
		b.WriteString(s.Hang("  ", layout.NoInk, text, s.ProseWidth()))
	}
	return b.String()
}
