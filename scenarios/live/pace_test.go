package live

import (
	"reflect"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// How late the machine is, is an input: so what is chosen is the same on each.
func TestPaceDependsOnLateness(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		id     string
		late   time.Duration
		pace   Pace
		margin time.Duration
	}{
		{"kleppmann/gc-pause", ms, Pace{200, 1}, 11 * ms},
		{"kleppmann/gc-pause", 6 * ms, Pace{350, 1}, 18500 * time.Microsecond},
		{"kleppmann/gc-pause", 10 * ms, Pace{500, 1}, 25 * ms},
		{"kleppmann/gc-pause", 25 * ms, Pace{1000, 2}, 50 * ms},
		{"kleppmann/delayed-reply", 0, Pace{500, 1}, 6 * ms},        // 3ms at 0.2
		{"distlock/late-release", 0, Pace{350, 20}, 10 * ms},        // 500µs
		{"leases/fast-server", 0, Pace{700, 4}, 6108974},            // at 0.2 two holds are valid together for 4ms
		{"antirez/rate-drift", 0, Pace{200, 4}, 10 * ms},            // 2.5ms
		{"distlock/power-loss-everysec", 0, Pace{1000, 1}, 25 * ms}, // refused at 0.2
	} {
		t.Run(c.id, func(t *testing.T) {
			s := find(t, c.id)
			if tuned(s) || len(deceptions(s)) > 0 {
				need.System(t, "no server is deceived", "linux")
				need.Program(t, "no server is deceived", "cc")
			}
			o := Options{Late: c.late}
			p, err := o.pace(s, 1, needed(c.late))
			if err != nil {
				t.Error(err)
			} else if p.Pace != c.pace || p.margin != c.margin {
				const text = "on a machine that was late by %s: %s with a margin of %s, and should be %s with %s"
				t.Errorf(text, c.late, p.Pace, p.margin, c.pace, c.margin)
			}
		})
	}
}

// Ticks that kept their times made runs of the catalogue's four slowest scenarios five times as long.
func TestPaceScalesEachTimeOfTheWork(t *testing.T) {
	kept := map[string]bool{"Warm": true} // a user gives it for real servers
	var check func(scaled, whole reflect.Value, name string)
	check = func(scaled, whole reflect.Value, name string) {
		for i := range whole.NumField() {
			field := whole.Type().Field(i)
			switch d, is := whole.Field(i).Interface().(time.Duration); {
			case is && d > shortest && !kept[field.Name] && scaled.Field(i).Interface() == d:
				t.Errorf("%s.%s stays %s", name, field.Name, d)
			case field.Type.Kind() == reflect.Struct:
				check(scaled.Field(i), whole.Field(i), name+"."+field.Name)
			}
		}
	}
	for _, id := range scenarios.IDs() {
		s := find(t, id)
		if scaled, err := (Pace{500, 1}).apply(s); err == nil {
			check(reflect.ValueOf(scaled.Work), reflect.ValueOf(s.Work), id+": work")
		}
	}
}

// Of the scenarios that are available, 19 had a margin of 5 ms or less.
func TestEachScenarioHasAMarginThatACalmMachineKeeps(t *testing.T) {
	short := map[string]time.Duration{
		"antirez/few-milliseconds": 1500 * time.Microsecond, // it is about a drift allowance of 3ms, which holds at whole times alone
	}
	for _, id := range scenarios.IDs() {
		s := find(t, id)
		if Check(s) != nil {
			continue
		}
		p, err := calm.pace(s, 1, needed(calm.Late))
		if err != nil {
			t.Errorf("%s: %v", id, err)
		} else if p.margin < leastNeeded && p.margin != short[id] {
			t.Errorf("%s: at %s the margin is %s", id, p.Pace, p.margin)
		}
	}
}

func TestRequestedScaleWins(t *testing.T) {
	s := find(t, "kleppmann/delayed-reply")
	for _, scale := range []Scale{200, 1000} {
		o := Options{Scale: scale}
		if p, err := o.pace(s, 1, needed(40*time.Millisecond)); err != nil || p.Pace != (Pace{scale, 1}) {
			t.Errorf("%v: it is %+v", err, p)
		}
	}
}
