package locktest

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A suite searches what its kind of lock is for. A lock on several servers is searched on one, too.
func TestASuiteSearchesTheScenariosOfItsKind(t *testing.T) {
	lock := func(c locks.Config) locks.Lock { return locks.NewRedlock(c) }
	single := []string{"single/any", "single/errors", "single/renewed"}
	for kind, want := range map[scenarios.Kind][]string{
		scenarios.Single:  single,
		scenarios.Redlock: append([]string{"redlock/any", "redlock/errors", "redlock/renewed"}, single...),
	} {
		var options []Option
		if kind != scenarios.Redlock {
			options = append(options, On(kind.String()))
		}
		tr := newTrial(t, "*/*", own(lock), options)
		tr.only(kind)
		var got []string
		for i := range tr.scenarios {
			got = append(got, tr.scenarios[i].ID)
		}
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Errorf("%v: it does not search %s, but %v", kind, id, got)
			}
		}
		for _, s := range tr.scenarios {
			if tr.changed[s.ID] || kind == scenarios.Single && s.Lock.Kind != scenarios.Single {
				t.Errorf("%v: it searches %s, which is for another kind", kind, s.ID)
			}
		}
		if len(tr.unfit) > 0 {
			t.Errorf("%v: it skips %d scenarios again", kind, len(tr.unfit))
		}
	}
}
