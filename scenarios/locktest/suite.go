package locktest

import (
	"cmp"
	"os"
	"path"
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

const (
	suiteSeeds     = 3    // of each scenario
	suiteUniverses = 2000 // of each search
)

// Test tests a lock with everything that fits it: first the scenarios of the catalogue, as [Run] does with "*/*" and
// three seeds each, and then the searches for locks of its kind, as [Fuzz] does. It takes about half a minute,
// and some ten seconds under -short.
//
// Without [On], Test looks at where the lock has its keys without any fault: a lock on one server is tried as "single",
// any other as "redlock". [Seeds] sets the number of universes of each search; without it there are 2,000.
func Test(t *testing.T, lock Constructor, options ...Option) {
	t.Helper()
	kind := suited(t, lock, options)
	if kind != scenarios.Redlock {
		options = append([]Option{On(kind.String())}, options...)
	}
	all := newTrial(t, "*/*", own(lock), append(options[:len(options):len(options)], Seeds(suiteSeeds)))
	if os.Getenv(findVariable) == "" {
		all.run(t)
	}
	t.Run("search", func(t *testing.T) {
		search := newTrial(t, "*/*", own(lock), append([]Option{Seeds(suiteUniverses)}, options...))
		search.only(kind)
		search.fuzz(t)
		search.tryTTLs(t, lock, options)
	})
}

// only leaves in a trial the searches for what breaks a lock of a kind. A lock on several servers must also keep on one
// what a lock on one keeps. Those whose work comes by ticks are last.
func (tr *trial) only(kind scenarios.Kind) {
	tr.unfit = nil
	tr.scenarios = slices.DeleteFunc(tr.scenarios, func(s scenarios.Scenario) bool {
		is := s.Lock.Kind == kind || kind == scenarios.Redlock && s.Lock.Kind == scenarios.Single
		name := path.Base(s.ID)
		return !is || tr.changed[s.ID] || !slices.Contains([]string{"any", "renewed", "errors"}, name)
	})
	slices.SortStableFunc(tr.scenarios, func(a, b scenarios.Scenario) int { return cmp.Compare(a.Work.Tick, b.Work.Tick) })
}

// suited returns the kind of lock that a lock is tried as: what the test says, or by the number of its servers.
func suited(t *testing.T, lock Constructor, options []Option) scenarios.Kind {
	t.Helper()
	tr := newTrial(t, "baseline/fault-free", own(lock), options)
	s := &tr.scenarios[0]
	if tr.moved {
		return s.Lock.Kind
	}
	r := scenarios.NewRunner()
	defer tr.close(r)
	if res, broke := tr.calmRun(t, r, s); broke == nil && keysOnOneNode(res.Evidence) >= 0 {
		return scenarios.Single
	}
	return scenarios.Redlock
}
