package scenarios_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// stepFile is a scenario in which clocks step while c1 holds the lock, halfway through its work.
const stepFile = `title: Clocks of nodes step while the lock is held.
clients: 3
nodes: 5
network: {latency: 100µs..2ms, loss: %s}
lock: {kind: redlock, ttl: 10s, timeout: 50ms, retry: {attempts: 0, min: 200ms, max: 400ms}}
work: {cycles: 1, stagger: 1s, work: %s..%s}
schedule: |
  when any acquired +%s jump %s +11s
`

var stepTable = regexp.MustCompile(`(?s)<!-- steps -->\n(.*?)<!-- end of steps -->`)

// The page of claims shows how often a clock step does harm while the lock is held. Without the long proofs one cell in
// four is measured again.
func TestClaimsPageShowsTheHarmOfAClockStep(t *testing.T) {
	const runs = 1000
	page, err := os.ReadFile("claims.md")
	if err != nil {
		t.Fatal(err)
	}
	part := stepTable.FindSubmatch(page)
	if part == nil {
		t.Fatal("the page has no table of steps")
	}
	r := runner(t)
	broke := func(loss string, hold [2]string, hosts string) string {
		s, err := scenarios.Parse("step.yaml", fmt.Appendf(nil, stepFile, loss, hold[0], hold[0], hold[1], hosts))
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for seed := uint64(1); seed <= runs; seed++ {
			for _, f := range r.Run(&s, seed).Findings {
				if f.Property == "validity" && f.Verdict == checker.Violated {
					n++
				}
			}
		}
		i := stats.Wilson(n, runs, stats.Confidence)
		return fmt.Sprintf("%s (%.1f–%.1f)", stats.PerCent(n, runs, 1), 100*i.Low, 100*i.High)
	}
	var table strings.Builder
	table.WriteString("\n| messages lost | held for | one node steps | two nodes | three nodes | all five |\n| --- | --- | --- | --- | --- | --- |\n")
	had := strings.Split(string(part[1]), "\n")
	for i, loss := range []string{"0", "0.01", "0.05"} {
		for j, hold := range [][2]string{{"500ms", "250ms"}, {"2s", "1s"}, {"9s", "4.5s"}} {
			if row := 3 + i*3 + j; !long && !*update && (i != 1 || j != 1) && row < len(had) {
				table.WriteString(had[row] + "\n")
				continue
			}
			fmt.Fprintf(&table, "| %s | %s |", map[string]string{"0": "none", "0.01": "1%", "0.05": "5%"}[loss], hold[0])
			for _, hosts := range []string{"a-node", "minority", "majority", "nodes"} {
				fmt.Fprintf(&table, " %s |", broke(loss, hold, hosts))
			}
			table.WriteString("\n")
		}
	}
	table.WriteString("\n")
	switch {
	case table.String() == string(part[1]):
	case !*update:
		t.Errorf("the table of steps is not current: run this test with -update\n%s", table.String())
	default:
		page = stepTable.ReplaceAllLiteral(page, []byte("<!-- steps -->\n"+table.String()+"<!-- end of steps -->"))
		if err := os.WriteFile("claims.md", page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
