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

// A Bound is the value of a setting at which a property begins to hold or to break, as computed and as measured.
type Bound struct {
	Property string `json:"property"`
	Setting  string `json:"setting"`
	From     string `json:"from"` // the beginning and the end of the search
	To       string `json:"to"`
	Formula  string `json:"formula"`
	Law      string `json:"law"` // the formula in words, with T for the TTL and A for the drift allowance
	Computed string `json:"reckoned"`
	HoldsAt  string `json:"holds_at,omitempty"` // the last measured value at which it holds
	BreaksAt string `json:"breaks_at,omitempty"`
	None     string `json:"none,omitempty"` // why there is no measurement, as a sentence
	Runs     int    `json:"runs"`           // of the measurement
}

func describeBound(e campaign.Edge) Bound {
	return Bound{
		Property: e.Bound.Property, Setting: e.Bound.Setting, From: string(e.Bound.From), To: string(e.Bound.To),
		Formula: scenarios.FormulaNames[e.Bound.Formula], Law: e.Bound.Formula.Law(),
		Computed: e.Computed, HoldsAt: e.Holds, BreaksAt: e.Breaks, None: e.None, Runs: e.Runs,
	}
}

func boundTable(edges []campaign.Edge) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "setting", "computed", "holds at", "breaks at", "runs")}
	for _, e := range edges {
		t.Add(e.Bound.Property, e.Bound.Setting, e.Computed, wording.Dash(e.Holds), wording.Dash(e.Breaks),
			strconv.Itoa(e.Runs))
	}
	return t
}

// boundLaws describes each formula once, with the values of its letters.
func boundLaws(x *scenarios.Scenario, edges []campaign.Edge) (all []string) {
	for _, e := range edges {
		law := e.Bound.Formula
		text := "Computed as " + law.Law() + "."
		if law != scenarios.NoBound {
			text += fmt.Sprintf(" T is the TTL, %s; A is the allowance for drift, %s. %s.", x.Lock.TTL,
				x.FormulaRules().Drift(), law.Deviation())
		}
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}
