package scenarios_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A promise about ticks has no finding in a run without ticks, and no scenario without them may expect it.
func TestOnceIsJudgedOnlyWithTicks(t *testing.T) {
	for id, want := range map[string]checker.Verdict{
		"once/kept": checker.Holds, "once/released": checker.Violated, "baseline/fault-free": checker.Unknown,
	} {
		s := find(t, id)
		res := scenarios.Run(s, 1)
		if got := res.VerdictOn("once"); got != want || len(res.Findings) != len(s.Promises()) {
			t.Errorf("%s: once is %s among %d findings; want %s", id, got, len(res.Findings), want)
		}
	}
	s := find(t, "once/kept")
	s.Work.Tick = 0
	if err := s.Check(); err == nil || !strings.Contains(err.Error(), "expect.once: no run has a finding on it") {
		t.Errorf("without ticks Check says: %v", err)
	}
}

// A client comes at each tick of the wall clock that it has, not before, and tries none twice though its clock is set
// back.
func TestClientsComeAtTheTicksOfTheirClocks(t *testing.T) {
	s := find(t, "once/released")
	s.Work.Think.Max = 0
	if err := s.Set("work.cycles=4"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		schedule string
		want     []int64 // when c1 and c2 come, in milliseconds
	}{
		{"", []int64{10_000, 10_300, 20_000, 20_300, 30_000, 30_300, 40_000, 40_300}},
		{"at 15s jump c1 -7s", []int64{10_000, 10_300, 20_300, 27_000}},
		{"at 10500ms jump c1 -5s", []int64{10_000, 10_300, 20_300, 25_000}},
		{"at 10001ms jump c1 -5s", []int64{10_000, 10_300, 20_300, 25_000}},          // while it does its job
		{"at 10001ms jump c1 +25s", []int64{10_000, 10_300, 15_000, 20_300, 30_300}}, // it leaves out ticks 2 and 3
	} {
		x := s
		var err error
		if x.Faults, err = faults.Parse(c.schedule); err != nil {
			t.Fatal(err)
		}
		tries := scenarios.Run(x, 1).Evidence.Tries
		if c.schedule == "" && len(tries) != len(c.want) {
			t.Errorf("%d tries, want %d", len(tries), len(c.want))
		}
		for i, want := range c.want {
			if at := time.Duration(tries[i].From).Milliseconds(); at != want {
				t.Errorf("%s: try %d is at %d ms; want %d ms", c.schedule, i, at, want)
			}
		}
	}
}

// A client that thinks comes that much later, and each update has the tick of its job. Without ticks it has none.
func TestAnUpdateHasTheTickThatItsClientCameFor(t *testing.T) {
	s := find(t, "once/released")
	s.Work.Think = sim.Range{Min: 100 * time.Millisecond, Max: 100 * time.Millisecond}
	if err := s.Set("work.cycles=3"); err != nil {
		t.Fatal(err)
	}
	s.Faults = nil
	e := scenarios.Run(s, 1).Evidence
	var ticks []int
	for _, u := range e.Writes {
		ticks = append(ticks, u.Tick)
	}
	if first := time.Duration(e.Tries[0].From).Milliseconds(); first != 10_100 || !slices.Equal(ticks, []int{1, 1, 2, 2, 3, 3}) || e.Ticks != 3 {
		t.Errorf("the first try is at %d ms, and the updates are of ticks %v of %d", first, ticks, e.Ticks)
	}
	for _, u := range scenarios.Run(find(t, "baseline/fault-free"), 1).Evidence.Writes {
		if u.Tick != 0 {
			t.Errorf("without ticks an update is of tick %d", u.Tick)
		}
	}
}
