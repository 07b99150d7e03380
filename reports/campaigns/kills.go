package campaigns

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// killsSummary returns one line that says how many mutants were found.
func killsSummary(t *campaign.MutantFinds) string {
	v, apart := t.Verdict(), ""
	found, searched := t.Counted()
	if n := len(t.Mutants) - searched; n > 0 {
		apart = fmt.Sprintf("; %d not searched for, as no scenario here can have %s settings", n, wording.Either(n, "its", "their"))
	}
	return fmt.Sprintf("%s: %d of %d mutants found within %d seeds of each scenario and class of faults, from seed %d%s.",
		strings.ToUpper(v.String()), found, searched, t.Runs, t.First, apart)
}

// Kills reports the searches for mutants, with a row for each.
func Kills(t *campaign.MutantFinds) *reports.Document {
	x := &reports.Table{Columns: reports.Columns("mutant", "breaks", "in", "faults", "first seed", "limit", "runs in all")}
	x.Columns[0].Kind = "code"
	d := &reports.Document{Title: "Which mutants a search finds", Data: t, Summary: killsSummary(t)}
	d.Table("", x)
	for _, m := range t.Mutants {
		none := "not found"
		if m.Unfit != "" {
			none = "not searched"
			d.Paragraph(m.Mutant + " was not searched for: " + m.Unfit + ".")
		}
		x.Add(m.Mutant, wording.Dash(m.Property), wording.Dash(m.Scenario), faultsOf(&m), wording.SeedOr(m.Seed, none),
			fmt.Sprint(t.Runs),
			fmt.Sprint(m.Searched))
		x.Rows[len(x.Rows)-1][4].Strong = !m.Found
	}
	d.Glosses(0, scenarios.Judged()...)
	d.Verdict(d.Summary)
	return d
}

// faultsOf names the class of faults under which a mutant was found.
func faultsOf(m *campaign.MutantFind) string {
	switch {
	case !m.Found:
		return wording.Dash("")
	case m.Faults == "":
		return "none"
	}
	return m.Faults
}
