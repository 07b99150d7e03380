package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

func TestEventsAlignInRunsOfAnyLength(t *testing.T) {
	const s, year = clock.Instant(1e9), 31_536_000 * clock.Instant(1e9)
	r := scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause"), 1)
	r.Evidence = &checker.Evidence{Clients: 1, Holds: []checker.Hold{{From: s, Gone: year, Valid: 2 * s}}}
	r.Findings = []checker.Finding{{Property: "belief", Verdict: checker.Violated, Witness: checker.Witness{Strike: -1}}}
	told := textOf(reports.Screen{}, r, runs.Making{})
	if want := "         1.000000 s  c1 acq"; !strings.Contains(told, want) || !strings.Contains(told, "\n  31536000.000000 s  c1 crashes\n") {
		t.Error(told)
	}
}
