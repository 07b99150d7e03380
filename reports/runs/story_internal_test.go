package runs

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
)

const s = clock.Instant(1e9)

func TestEventsStandInLineHoweverLongTheRun(t *testing.T) {
	year := clock.Instant(31_536_000) * s
	e := &checker.Evidence{Clients: 1, Holds: []checker.Hold{{From: s, Gone: year, Valid: 2 * s}}}
	told := moments(e.Story(checker.Finding{Property: "belief", Verdict: checker.Violated, Witness: checker.Witness{Strike: -1}}).Events).Text(reports.Screen{})
	if want := "         1.000000s  c1 acq"; !strings.Contains(told, want) || !strings.Contains(told, "\n  31536000.000000s  c1 crashes\n") {
		t.Error(told)
	}
}
