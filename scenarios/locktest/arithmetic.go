package locktest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/arithmetic"
)

// Rules are the arithmetic of a lock, each function of it optional.
type Rules = arithmetic.Rules

// Arithmetic looks for numbers at which the arithmetic of a lock breaks a law of package arithmetic: two quorums that
// don't meet, a validity that outlives the first key, an extension that ends later than its keys. Each law is a subtest
// and a property of rapid, whose flags set how many numbers it tries. A failure names the smallest numbers at which the
// law breaks. It writes a scenario in which that breaks a promise, next to the test as
// testdata/lockstorm/<test>.<law>.seed-<n>.yaml, or says why there is no such scenario.
func Arithmetic(t *testing.T, r Rules) {
	t.Helper()
	asked := false
	for _, l := range arithmetic.Laws {
		if !l.Applies(r) {
			continue
		}
		asked = true
		t.Run(l.Name, func(t *testing.T) {
			var smallest *arithmetic.Flaw
			defer func() { // rapid ends the test at a flaw
				if smallest != nil {
					reportFlaw(t, smallest)
				}
			}()
			rapid.Check(t, l.Property(r, func(f arithmetic.Flaw) { smallest = &f }))
		})
	}
	if !asked {
		t.Fatal("locktest: these Rules have no function, so there is nothing to look at; set Quorum, Validity or others")
	}
}

func reportFlaw(t *testing.T, f *arithmetic.Flaw) {
	t.Helper()
	s, seed, why := f.Scenario()
	if s == nil {
		t.Logf("%s\nNo scenario: %s.", f, why)
		return
	}
	test, _, _ := strings.Cut(t.Name(), "/")
	file := fileNamed(test, f.Law.Name, seed) + ".yaml"
	if err := write(file, s.Brief()); err != nil {
		t.Logf("%s\nThe scenario can't be kept: %v", f, err)
		return
	}
	t.Logf("%s\nIt breaks a promise in a run: %s\nSee it: lockstorm run %[2]s --seed %d\n\n%s", f, file, seed,
		reportOf(scenarios.Run(*s, seed), "lockstorm run "+file))
}
