package campaigns

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
)

// TallyMarkdown tells many runs as CampaignText does, for the summary of a CI job.
func TallyMarkdown(m Tally) string {
	var b strings.Builder
	b.WriteString(layout.BoldVerdict(TallySummary(m)) + "\n\n")
	b.WriteString("| property | expected | holds | violated | unknown |\n| --- | --- | --- | --- | --- |\n")
	for _, c := range m.Properties {
		countRow(&b, m.Runs, c, c.Name, c.Expect)
	}
	b.WriteString("\n| should happen | happened | never | unknown |\n| --- | --- | --- | --- |\n")
	for _, c := range m.Sometimes {
		countRow(&b, m.Runs, c, c.Name)
	}
	if n := len(m.Unexpected); n > 0 {
		fmt.Fprintf(&b, "\nNot as expected: %s%s. See the first:\n\n%s", layout.Either(n, "seed ", "seeds "), seeds(m.Unexpected), layout.Fenced("sh", m.Command+"\n"))
	}
	return b.String()
}

// countRow tells how often a thing had each verdict; where that is not as expected, its name stands out.
func countRow(b *strings.Builder, runs int, c Counted, cells ...string) {
	right := map[string]int{"holds": c.Holds, "violated": c.Violated, "unknown": c.Unknown}[c.Expect]
	if right != runs {
		cells[0] = "**" + cells[0] + "** (not as expected)"
	}
	layout.Row(b, append(cells, fmt.Sprint(c.Holds), fmt.Sprint(c.Violated), fmt.Sprint(c.Unknown))...)
}
