package scenarios_test

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// An unmarked Redlock is the reference with a Client that passes no marks.
type unmarked struct{ *locks.Redlock }

type silent struct{ locks.Client }

func (silent) Mark(string) {}

func (l unmarked) Acquire(c locks.Client) locks.Grant         { return l.Redlock.Acquire(silent{c}) }
func (l unmarked) Extend(c locks.Client, g *locks.Grant) bool { return l.Redlock.Extend(silent{c}, g) }

// A lock doesn't have to pass marks. A user's lock has them passed in its place, at the same moments and as often as
// the catalogue's own lock passes them itself.
func TestMarksArePassedInALocksPlace(t *testing.T) {
	for _, id := range []string{"baseline/fault-free", "distlock/extend", "kleppmann/delayed-reply", "redlock/either-first"} {
		s, _ := scenarios.Find(id)
		marked := marksOf(s)
		s.Lock.New = func(c locks.Config) locks.Lock { return unmarked{locks.NewRedlock(c)} }
		if own := marksOf(s); !slices.Equal(own, marked) {
			t.Errorf("%s: the marks of a lock that passes none are\n%v, and those of the reference\n%v", id, own, marked)
		}
		s.Lock.New = func(c locks.Config) locks.Lock { return locks.NewRedlock(c) }
		if own := marksOf(s); !slices.Equal(own, marked) {
			t.Errorf("%s: the marks of a lock that passes its own are\n%v, and those of the reference\n%v", id, own, marked)
		}
	}
}

func marksOf(s scenarios.Scenario) (all []string) {
	r := scenarios.Run(s, 1)
	for _, e := range r.Trace {
		if host := r.Hosts[e.Host]; e.Kind == sim.Marked && host != scenarios.ProbeHost { // it is no client of the workload
			all = append(all, host+" "+e.Body.(string))
		}
	}
	return all
}
