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

func boundTable(edges []campaign.Edge) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "setting", "computed", "holds at", "breaks at", "runs")}
	for _, e := range edges {
		t.Add(e.Property, e.Setting, e.Computed, wording.Dash(e.Holds), wording.Dash(e.Breaks),
			strconv.Itoa(e.Runs))
	}
	return t
}

// boundLaws describes each formula once, with the values of its letters.
func boundLaws(x *scenarios.Scenario, edges []campaign.Edge) (all []string) {
	for _, e := range edges {
		law := scenarios.Formula(slices.Index(scenarios.FormulaNames, e.Formula))
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
