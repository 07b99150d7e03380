package explore_test

import (
	"slices"
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

// What Redlock keeps and what breaks it, each in all schedules within its bounds: the shortest takes so many deviations, 0 if
// none is found.
func TestRedlockKeepsAndBreaksWhatTheArgumentSays(t *testing.T) {
	bounds := func(messages, strikes int, faults ...scenarios.Value) func(*scenarios.Explore) {
		return func(x *scenarios.Explore) { x.Deviations, x.Most, x.Faults = messages, strikes, faults }
	}
	busy := []string{"work.work=18ms..18ms"} // the holder stays until its validity ends
	late := func(x *scenarios.Explore) {
		x.Deviations, x.Most, x.Behind, x.Lost, x.Late = 2, 0, false, false, []scenarios.Value{"17ms"}
	}
	slow := []string{"lock.contact=sequential", "lock.timeout=19ms"}
	for name, c := range map[string]struct {
		change   func(*scenarios.Explore)
		set      []string
		property string
		want     int
	}{
		"a pause alone breaks belief":                     {bounds(0, 1, "pause clients for 25ms"), nil, "belief", 1},
		"without step three late messages alone break it": {late, append(slow, "lock.validity_check=false"), "belief", 2},
		"with step three they do not":                     {late, slow, "belief", 0},
		"pauses, losses and delays do not break validity": {bounds(1, 1, "pause clients for 25ms"), busy, "validity", 0},
		"nor quorum":                                          {bounds(1, 1, "pause clients for 25ms"), busy, "quorum", 0},
		"one jump breaks validity":                            {bounds(1, 1, "jump nodes +25ms"), busy, "validity", 2},
		"one restart without data breaks validity":            {bounds(1, 1, "restart nodes for 1ms"), busy, "validity", 2},
		"a restart delayed by three ticks less breaks quorum": {bounds(1, 1, "restart nodes for 17ms"), busy, "quorum", 2},
		"one delayed by the TTL does not":                     {bounds(1, 1, "restart nodes for 20ms"), busy, "quorum", 0},
		"with a jump it does":                                 {bounds(0, 2, "restart nodes for 20ms", "jump nodes +25ms"), busy, "quorum", 2},
		"fencing holds where tokens are ideal":                {bounds(1, 1, "pause clients for 25ms"), nil, "fenced", 0},
	} {
		u, rep := explored(t, c.change, c.set, c.property)
		v := &rep.Verdicts[0]
		if want := map[bool]checker.Verdict{true: checker.Violated, false: checker.Holds}[c.want > 0]; v.Verdict != want || v.Level != c.want {
			t.Errorf("%s: %s is %s, with %d deviations: %s", name, c.property, v.Verdict, v.Level, v.Schedule)
		}
		if v.Verdict != checker.Violated {
			continue
		}
		s := u.Counterexample(v)
		again, err := scenarios.Parse("again.yaml", s.Brief())
		if err != nil {
			t.Fatal(err)
		}
		r := scenarios.Run(again, 1)
		if r.Verdict != scenarios.Pass || !slices.ContainsFunc(r.Findings, func(f checker.Finding) bool {
			return f.Property == c.property && f.Verdict == checker.Violated
		}) {
			t.Errorf("%s: the file does not repeat it: %s", name, r.Verdict)
		}
	}
}

// However many work, the report is the same.
func TestAnExplorationIsTheSameWhoeverMakesIt(t *testing.T) {
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

// With too small a budget nothing is said to hold.
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

// Flaws of the lock that a universe of this size can show, each with the shortest schedule that does. Where the reference keeps the
// promise in the same universe, it is the flaw that breaks it.
func TestExploringFindsFlawsOfTheLock(t *testing.T) {
	busy := "work.work=18ms..18ms"
	for _, c := range []struct {
		flaw, fault, property string
		want                  int
	}{
		{"lock.quorum=1", "pause clients for 25ms", "validity", 1},
		{"lock.deduct_elapsed=false", "pause clients for 25ms", "validity", 1},
		{"lock.free=delete", "pause clients for 25ms", "validity", 0},
		{"lock.take=get-then-set", "pause clients for 25ms", "validity", 0},
		{"lock.clock=wall", "jump clients -15ms", "quorum", 1},
		{"lock.clock=awake", "suspend clients for 25ms", "validity", 1},
	} {
		bound := func(x *scenarios.Explore) {
			x.Deviations, x.Most, x.Faults, x.Late, x.Lost = 1, 1, []scenarios.Value{scenarios.Value(c.fault)}, []scenarios.Value{"6ms"}, false
		}
		_, rep := explored(t, bound, []string{busy, c.flaw}, c.property)
		if v := rep.Verdicts[0]; v.Verdict != checker.Violated || v.Level != c.want {
			t.Errorf("%s: %s is %s, with %d deviations", c.flaw, c.property, v.Verdict, v.Level)
		}
		if _, rep := explored(t, bound, []string{busy}, c.property); rep.Verdicts[0].Verdict != checker.Holds {
			t.Errorf("the reference does not keep %s with %s either: %s", c.property, c.fault, rep.Verdicts[0].Schedule)
		}
	}
}
