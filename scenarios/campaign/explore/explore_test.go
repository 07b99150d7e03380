package explore_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// explored explores redlock/small with other bounds, and returns the verdicts on some properties.
func explored(t *testing.T, change func(*scenarios.Explore), set []string, properties ...string) (*explore.Universe, *explore.Report) {
	t.Helper()
	s, _ := scenarios.Find("redlock/small")
	for _, a := range set {
		if err := s.Set(a); err != nil {
			t.Fatal(err)
		}
	}
	change(&s.Explore)
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	u, err := explore.New(&s, 1, properties)
	if err != nil {
		t.Fatal(err)
	}
	return u, (&explore.Exploration{Universe: u, Workers: 2}).Run()
}

// However many work, the report is the same.
func TestReportDoesNotDependOnTheWorkers(t *testing.T) {
	s, _ := scenarios.Find("redlock/small")
	var first *explore.Report
	for _, workers := range []int{1, 3} {
		u, err := explore.New(&s, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		rep := (&explore.Exploration{Universe: u, Workers: workers}).Run()
		if first == nil {
			first = rep
		}
		if got, want := rep.Counts[len(rep.Counts)-1], first.Counts[len(first.Counts)-1]; got.Schedules != want.Schedules ||
			got.Merged != want.Merged || got.States != want.States || len(got.Broken) != len(want.Broken) {
			t.Errorf("%d workers: %+v, want %+v", workers, got, want)
		}
	}
}

// With too small a budget no property is said to hold.
func TestABudgetThatIsUsedUpLeavesVerdictsUnknown(t *testing.T) {
	s, _ := scenarios.Find("redlock/small")
	u, err := explore.New(&s, 1, []string{"fenced", "belief"})
	if err != nil {
		t.Fatal(err)
	}
	rep := (&explore.Exploration{Universe: u, Workers: 2, Budget: 500}).Run()
	if !rep.Spent || rep.Finished != 1 || rep.Verdicts[0].Verdict != checker.Violated || rep.Verdicts[1].Verdict != checker.Unknown {
		t.Errorf("%+v", rep)
	}
	if n := u.Estimate(20); n < 1000 || n > 20_000 {
		t.Errorf("an estimate of %d schedules", n)
	}
}
