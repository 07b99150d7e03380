package reports

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

func TestEventsStandInLineHoweverLongTheRun(t *testing.T) {
	year := clock.Instant(31_536_000) * s
	e := &checker.Evidence{Clients: 1, Holds: []checker.Hold{{From: s, Gone: year, Valid: 2 * s}}}
	told := Screen{}.story(e, checker.Finding{Property: "belief", Verdict: checker.Violated, Witness: checker.Witness{Strike: -1}})
	if want := "\n         1.000000s  c1 acq"; !strings.Contains(told, want) || !strings.Contains(told, "\n  31536000.000000s  c1 crashes\n") {
		t.Error(told)
	}
}
