package explore_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// No other node is interchangeable with a node that has a fault alone.
func TestFaultOfOneNodeIsNotLeftOutBySymmetry(t *testing.T) {
	change := func(fault scenarios.Value) func(*scenarios.Explore) {
		return func(x *scenarios.Explore) {
			x.Deviations, x.Most, x.Faults = 0, 1, []scenarios.Value{fault}
		}
	}
	_, first := explored(t, change("restart n1 for 1ms"), nil)
	_, second := explored(t, change("restart n2 for 1ms"), nil)
	if a, b := first.Counts[0].Schedules, second.Counts[0].Schedules; a != b || a < 10 {
		t.Errorf("%d schedules in which n1 may restart, and %d in which n2 may", a, b)
	}
}

// A fault that hits at most once does not hit twice, even with other deviations.
func TestOnceFaultHitsOnlyOnce(t *testing.T) {
	busy := []string{"work.work=18ms..18ms"}
	jump, restart := scenarios.Value("jump nodes +25ms"), scenarios.Value("restart nodes for 20ms")
	for _, c := range []struct {
		faults, once []scenarios.Value
		want         int // deviations that break quorum
	}{
		{[]scenarios.Value{jump}, nil, 2},
		{nil, []scenarios.Value{jump}, 0},
		{nil, []scenarios.Value{jump, restart}, 2},
		{[]scenarios.Value{restart}, []scenarios.Value{jump}, 2},
	} {
		change := func(x *scenarios.Explore) { x.Deviations, x.Most, x.Faults, x.Once = 0, 2, c.faults, c.once }
		_, rep := explored(t, change, busy, "quorum")
		if v := rep.Verdicts[0]; v.Level != c.want || (v.Verdict == checker.Violated) != (c.want > 0) {
			t.Errorf("%s, %s once: %s, with %d deviations: %s", c.faults, c.once, v.Verdict, v.Level, v.Schedule)
		}
	}
}
