package runs_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// steps returns what a run's steps are in TLA+, or the error.
func steps(t *testing.T, id string, set ...string) (string, error) {
	t.Helper()
	s, known := scenarios.Find(id)
	if !known {
		t.Fatal("no scenario ", id)
	}
	if err := s.Change(set); err != nil {
		t.Fatal(err)
	}
	return runs.TLA(scenarios.Run(s, 1))
}

// Whether TLC accepts the steps is a test of package explore.
func TestStepsOfARunAreAModuleOfItsSpecification(t *testing.T) {
	for _, c := range []struct{ spec, id, set string }{
		{"Redlock", "kleppmann/gc-pause", "nodes=5"},
		{"Lease", "redlock/small", "lock.kind=single nodes=1 fencing.source=none"},
		{"Fencing", "redlock/small", "lock.kind=single nodes=1"},
	} {
		set := strings.Fields(c.set)
		text, err := steps(t, c.id, set...)
		if err != nil || !strings.HasPrefix(text, "---- MODULE Traces ----\n") || !strings.HasSuffix(text, ">>>>\n====\n") ||
			!strings.Contains(text, "Trace"+c.spec+".tla") || strings.Count(text, `step |-> "hold"`) < 2 {
			t.Errorf("%s as %s: %v\n%s", c.id, c.spec, err, text)
		}
		if again, _ := steps(t, c.id, set...); again != text {
			t.Errorf("%s: two runs of one seed differ", c.id)
		}
	}
}

// c1's key is granted, c2's is refused, and at last storage rejects c1's late write.
func TestStepsSayWhatAServerDid(t *testing.T) {
	text, err := steps(t, "kleppmann/delayed-write")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`[time |-> 464, step |-> "serve", client |-> 1, server |-> 1, kind |-> "take", token |-> 4, ` +
			`answer |-> FALSE, won |-> TRUE, fence |-> 0, amount |-> 0]`,
		`[time |-> 1000234, step |-> "serve", client |-> 2, server |-> 1, kind |-> "take", token |-> 1000003, ` +
			`answer |-> FALSE, won |-> FALSE, fence |-> 0, amount |-> 0]`,
		`[time |-> 15005756, step |-> "serve", client |-> 1, server |-> 0, kind |-> "write", token |-> 4, ` +
			`answer |-> FALSE, won |-> FALSE, fence |-> 33, amount |-> 0]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no step is %s", want)
		}
	}
}

func TestRunThatNoSpecificationHasIsRefusedWithWhatWouldBeRight(t *testing.T) {
	for _, c := range []struct{ id, set, want string }{
		{"consul/lock", "", "there is no TLA+ specification of lock.kind consul; there is one of single and of redlock"},
		{"distlock/extend", "", "it would with --set lock.renew.every=0s --set lock.renew.attempts=0"},
		{"antirez/rate-drift", "", "it would with --set clocks.n3=0ppm"},
		{"antirez/ntp-slew", "", `"slew" of n3, and Redlock.tla has no faults but pauses`},
		{"distlock/holder-gone", "", `"crash" of c1`},
		{"redlock/small", "persistence=aof-always", "it would with --set persistence=none"},
		{"redlock/small", "lock.kind=single nodes=1 work.recheck=false", "it would with --set work.recheck=true"},
	} {
		if text, err := steps(t, c.id, strings.Fields(c.set)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, and should say %q\n%.200s", c.id, c.set, err, c.want, text)
		}
	}
}
