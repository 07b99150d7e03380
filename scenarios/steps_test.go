package scenarios_test

import (
	"cmp"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// stepFile is a scenario in which nodes lose a key while a client holds the lock, halfway through its work. A round trip
// takes 1 ms on average.
const stepFile = `title: Nodes lose the key while the lock is held.
clients: %d
nodes: 5
persistence: none
network: {latency: 100µs..900µs, loss: %s}
lock: {kind: redlock, ttl: 10s, timeout: 50ms, contact: %s, retry: {attempts: 0, min: 200ms, max: 400ms}}
work: {cycles: 1, stagger: %s, work: %s..%s}
schedule: |
  when any acquired +%s %s
`

// A stepCase is a scenario of stepFile. Most rows have its zero values.
type stepCase struct {
	clients                         int
	loss, contact, gap, hold, fault string
}

// The columns say how far apart clients start.
var (
	gapHeads = []string{"together", "one round trip", "ten round trips", "a second"}
	gaps     = []string{"0s", "1ms", "10ms", "1s"}
	oneJumps = "jump a-node +11s"
	gapRows  = []struct {
		name string
		stepCase
	}{
		{"one clock jumps; one by one", stepCase{}},
		{"one clock jumps", stepCase{contact: "parallel"}},
		{"one clock jumps; 2 clients", stepCase{contact: "parallel", clients: 2}},
		{"one clock jumps; 10 clients", stepCase{contact: "parallel", clients: 10}},
		{"one clock jumps; held for 0.5 s", stepCase{contact: "parallel", hold: "500ms"}},
		{"one clock jumps; held for 9 s", stepCase{contact: "parallel", hold: "9s"}},
		{"one clock jumps; 1% of messages lost", stepCase{contact: "parallel", loss: "0.01"}},
		{"one clock jumps; 5% lost", stepCase{contact: "parallel", loss: "0.05"}},
		{"one node forgets; one by one", stepCase{fault: "restart a-node for 100ms"}},
		{"one node forgets", stepCase{contact: "parallel", fault: "restart a-node for 100ms"}},
		{"two clocks jump; one by one", stepCase{fault: "jump minority +11s"}},
		{"two clocks jump", stepCase{contact: "parallel", fault: "jump minority +11s"}},
		{"two clocks jump; 5% lost", stepCase{contact: "parallel", fault: "jump minority +11s", loss: "0.05"}},
		{"three clocks jump", stepCase{contact: "parallel", fault: "jump majority +11s"}},
	}
)

var stepTable = regexp.MustCompile(`(?s)<!-- steps -->\n(.*?)<!-- end of steps -->`)

// The page of claims shows how often a node that loses a key does harm while the lock is held, by how far apart clients
// start. Without the long proofs one cell is measured again.
func TestClaimsPageShowsTheHarmOfANodeThatLosesAKey(t *testing.T) {
	page, err := os.ReadFile("claims.md")
	if err != nil {
		t.Fatal(err)
	}
	part := stepTable.FindSubmatch(page)
	if part == nil {
		t.Fatal("the page has no table of steps")
	}
	had := strings.Split(string(part[1]), "\n")
	var table strings.Builder
	r := runner(t)
	fmt.Fprintf(&table, "\n| what happens | %s |\n|%s\n", strings.Join(gapHeads, " | "),
		strings.Repeat(" --- |", len(gapHeads)+1))
	for i, row := range gapRows {
		if n := 3 + i; !long && !*update && i != 1 && n < len(had) {
			table.WriteString(had[n] + "\n")
			continue
		}
		table.WriteString("| " + row.name + " |")
		for _, gap := range gaps {
			row.gap = gap
			table.WriteString(" " + row.broken(t, r) + " |")
		}
		table.WriteString("\n")
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

// broken returns the share of runs in which two validities overlap, with its interval.
func (c stepCase) broken(t *testing.T, r *scenarios.Runner) string {
	const runs = 500
	hold, err := time.ParseDuration(cmp.Or(c.hold, "2s"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := scenarios.Parse("step.yaml", fmt.Appendf(nil, stepFile, cmp.Or(c.clients, 3), cmp.Or(c.loss, "0"),
		cmp.Or(c.contact, "sequential"), c.gap, hold, hold, hold/2, cmp.Or(c.fault, oneJumps)))
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
	i := stats.ClopperPearson(n, runs, stats.Confidence)
	return fmt.Sprintf("%s (%.1f–%.1f)", stats.PerCent(n, runs, 1), 100*i.Low, 100*i.High)
}
