package scenarios_test

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
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
		{"", []int64{10_000, 10_300, 20_000, 20_300}},
		{"at 15s jump c1 -7s", []int64{10_000, 10_300, 20_300, 27_000}},
		{"at 10500ms jump c1 -5s", []int64{10_000, 10_300, 20_300, 25_000}},
	} {
		x := s
		var err error
		if x.Faults, err = faults.Parse(c.schedule); err != nil {
			t.Fatal(err)
		}
		tries := scenarios.Run(x, 1).Evidence.Tries
		for i, want := range c.want {
			if at := time.Duration(tries[i].From).Milliseconds(); at != want {
				t.Errorf("%s: try %d is at %d ms; want %d ms", c.schedule, i, at, want)
			}
		}
	}
}
