package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

func TestFaultsThatDidNotHitAreNamed(t *testing.T) {
	s := scenarios.Base()
	s.Sometimes = []string{"fault-struck"}
	var err error
	if s.Faults, err = faults.Parse("at 0s for 10ms slow n1>c1 by 1ms\nwhen c1 acquired 99th pause c1\nat 0s cut c1>c2"); err != nil {
		t.Fatal(err)
	}
	const want = "  expected events that did not occur: every fault took effect (fault-struck) << not as expected\n" +
		"  did not hit: when c1 acquired 99th pause c1\n" +
		"  hit, but changed nothing: at 0s cut c1>c2\n\n"
	if text := textOf((reports.Screen{}), scenarios.Run(s, 1), runs.Making{}); !strings.Contains(text, want) {
		t.Errorf("it does not say so:\n%s", text)
	}
	s.Faults = s.Faults[:1]
	if text := textOf((reports.Screen{}), scenarios.Run(s, 1), runs.Making{}); strings.Contains(text, "did not hit:") || strings.Contains(text, "changed nothing") {
		t.Errorf("it names one that struck:\n%s", text)
	}
}
