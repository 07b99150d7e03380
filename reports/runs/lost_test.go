package runs_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// If a message was lost, the verdict on fault-tolerant comes with its condition, kept or broken; otherwise nothing has
// it.
func TestALostMessageNamesTimeoutAndConnection(t *testing.T) {
	orphans, _ := scenarios.Find("distlock/orphans")
	broken, err := orphans.Mutate(orphans.Mutants[0]) // it leaves its keys
	cut := scenarios.Base()
	var wrong error
	cut.Faults, wrong = faults.Parse("at 0s for 1s cut n1>c1")
	if err := errors.Join(err, wrong); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		scenario scenarios.Scenario
		verdict  checker.Verdict
		said     bool
	}{{broken, checker.Violated, true}, {cut, checker.Holds, true}, {scenarios.Base(), checker.Holds, false}} {
		r := scenarios.Run(c.scenario, 1)
		for seed := uint64(2); r.VerdictOn("fault-tolerant") != c.verdict; seed++ {
			if r = scenarios.Run(c.scenario, seed); seed > 20 {
				t.Fatalf("fault-tolerant is never %v", c.verdict)
			}
		}
		const rests = "fault-tolerant: A call whose message is lost ends with the client's timeout, lock.timeout=50ms, " +
			"and its connection ends with it."
		for name, of := range map[string]func(reports.Screen, *scenarios.Result, runs.Making) string{"brief": briefOf, "whole": textOf} {
			text := of(reports.Screen{}, r, runs.Making{})
			said := strings.Contains(strings.Join(strings.Fields(text), " "), rests)
			if want := c.said && (name == "whole" || c.verdict == checker.Violated); said != want {
				t.Errorf("%s, %v: that it rests on is said: %v, in\n%s", name, c.verdict, said, text)
			}
		}
	}
}
