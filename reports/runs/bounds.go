package runs

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Bound is the value of a setting at which a property begins to hold, or to break: as computed, and as measured.
type Bound struct {
	Property string `json:"property"`
	Setting  string `json:"setting"`
	From     string `json:"from"` // where the search began, and where it ended
	To       string `json:"to"`
	Formula  string `json:"formula"`
	Law      string `json:"law"` // the formula in words, with T for the TTL and A for the allowance for drift
	Computed string `json:"reckoned"`
	HoldsAt  string `json:"holds_at,omitempty"` // the last value measured at which it holds
	BreaksAt string `json:"breaks_at,omitempty"`
	None     string `json:"none,omitempty"` // why nothing was measured, as a sentence
	Runs     int    `json:"runs"`           // how many it took
}

// describeBounds returns measured bounds as JSON data.
func describeBounds(edges []campaign.Edge) []Bound {
	all := []Bound{}
	for _, e := range edges {
		all = append(all, describeBound(e))
	}
	return all
}

// describeBound returns a measured bound as JSON data.
func describeBound(e campaign.Edge) Bound {
	return Bound{
		Property: e.Bound.Property, Setting: e.Bound.Setting, From: string(e.Bound.From), To: string(e.Bound.To),
		Formula: scenarios.FormulaNames[e.Bound.Formula], Law: e.Bound.Formula.Law(),
		Computed: e.Computed, HoldsAt: e.Holds, BreaksAt: e.Breaks, None: e.None, Runs: e.Runs,
	}
}

// boundTable lists measured bounds beside those that the formula gives.
func boundTable(edges []campaign.Edge) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "setting", "computed", "holds at", "breaks at", "runs")}
	for _, e := range edges {
		t.Add(e.Bound.Property, e.Bound.Setting, e.Computed, wording.Dash(e.Holds), wording.Dash(e.Breaks), strconv.Itoa(e.Runs))
	}
	return t
}

// boundLaws describes each formula once, with the values of its letters.
func boundLaws(x *scenarios.Scenario, edges []campaign.Edge) (all []string) {
	for _, e := range edges {
		law := e.Bound.Formula
		text := "Computed as " + law.Law() + "."
		if law != scenarios.NoBound {
			text += fmt.Sprintf(" T is the TTL, %s; A is the allowance for drift, %s. %s.", x.Lock.TTL, x.FormulaRules().Drift(),
				law.Deviation())
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
