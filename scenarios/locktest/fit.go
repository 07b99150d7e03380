package locktest

import (
	"cmp"
	"flag"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A missing ability of a lock is no bug. A scenario may ask for more than a plain lock on Redis nodes has. Before it,
// the lock is tried there once without any fault, and a missing ability is why the scenario is skipped.

// A skill records the abilities of the locks that a constructor has made.
type skill struct {
	extends func() bool // whether one of them can be extended, or keeps what it holds alive by itself
}

// lacks returns what a scenario asks of its lock that this one can't do; "" for nothing.
func (tr *trial) lacks(t rapid.TB, r *scenarios.Runner, s *scenarios.Scenario) string {
	t.Helper()
	elsewhere := !s.OnRedis() && !tr.moved
	if !elsewhere && s.Lock.Renew.Every == 0 && s.Fencing.Source != scenarios.OfLock {
		return ""
	}
	calm := calmed(*s)
	res, broke := tr.calmRun(t, r, &calm)
	switch {
	case elsewhere && (broke != nil || len(res.Evidence.Holds) == 0):
		return fmt.Sprintf("its lock is of the kind %s, and on those servers yours can't be had, even without a fault%s",
			s.Lock.Kind, saidBy(broke))
	case broke != nil:
		return "" // the lock's own fault; the runs will show it
	case s.Lock.Renew.Every > 0 && !tr.skill.extends():
		return "its lock is extended, and yours can't be: it is no locks.Extender and no locks.Sessioned"
	case s.Fencing.Source == scenarios.OfLock && !slices.ContainsFunc(res.Evidence.Holds, hasToken):
		return "its lock counts fencing tokens itself, and yours gives none in Grant.Fence"
	}
	return ""
}

// loosen drops promises of a scenario that moved to another kind of lock, because that kind might not keep them: those
// that the catalogue's lock of the kind breaks with any of the test's seeds.
func (tr *trial) loosen(r *scenarios.Runner, s *scenarios.Scenario) {
	if !tr.changed[s.ID] {
		return
	}
	reference, loose := *s, map[string]bool{}
	withReference(&reference)
	if s.Lock.Kind.Added() { // its lock may be the one on trial, so the catalogue's nearest is asked
		reference.ChangeKind(nearest(s))
		if reference.Check() != nil {
			return
		}
	}
	for seed := range uint64(tr.runs(20)) {
		for _, f := range r.Run(&reference, seed+1).Findings {
			loose[f.Property] = loose[f.Property] || f.Verdict != s.Expected(f.Property)
		}
	}
	tr.loose[s.ID] = loose
}

// nearest returns the kind of the catalogue that is most like one that was added: on one server, or on several.
func nearest(s *scenarios.Scenario) scenarios.Kind {
	if s.LockNodes() == 1 {
		return scenarios.Single
	}
	return scenarios.Redlock
}

// unseen returns why nothing is known about the keys of a lock that clients acquire without any fault, where the
// catalogue's own has keys; "" where they are known. Without this, quorum would break for any lock.
func (tr *trial) unseen(t *testing.T, r *scenarios.Runner, s *scenarios.Scenario, finds []found) string {
	t.Helper()
	quorum := func(c comparison) bool { return checker.Properties[c.property].Name == "quorum" }
	if !slices.ContainsFunc(finds, func(f found) bool { return slices.ContainsFunc(f.promises, quorum) }) {
		return ""
	}
	calm := calmed(*s)
	res, broke := tr.calmRun(t, r, &calm)
	if broke != nil || !unseenIn(res) {
		return ""
	}
	why := unseenKey(res)
	if withReference(&calm); calm.Check() != nil || unseenIn(r.Run(&calm, 1)) {
		return ""
	}
	return why
}

// unseenIn reports whether a lock was had in a run in which no server ever held a key for it that is known as its own.
func unseenIn(res *scenarios.Result) bool {
	holds := res.Evidence.Holds
	return len(holds) > 0 && !slices.ContainsFunc(res.Evidence.Keys, func(k checker.Span) bool {
		return slices.ContainsFunc(holds, func(h checker.Hold) bool {
			return h.Token != "" &&
				strings.HasPrefix(k.Token, h.Token)
		})
	})
}

// unseenKey says what a lock must do so that its keys are seen.
func unseenKey(res *scenarios.Result) string {
	return fmt.Sprintf("the lock was had %d times, and no server ever had the key %q with Grant.Token as its value or as one of "+
		"its fields: if it is kept under another name, give locktest.Key; if it is kept otherwise, name the promises that need no "+
		"key, with locktest.Promises, such as belief and validity",
		len(res.Evidence.Holds), cmp.Or(res.Scenario.Lock.Key, scenarios.LockKey))
}

// calmed returns a scenario without its faults.
func calmed(s scenarios.Scenario) scenarios.Scenario {
	s.Faults, s.Clocks, s.Search = nil, nil, scenarios.Search{}
	return s
}

func hasToken(h checker.Hold) bool { return h.Fence > 0 }

func saidBy(broke any) string {
	if broke == nil {
		return ""
	}
	return fmt.Sprintf(" (%v)", broke)
}

// calmRun makes one run without faults. It returns what panicked, if anything did.
func (tr *trial) calmRun(t rapid.TB, r *scenarios.Runner, s *scenarios.Scenario) (res *scenarios.Result, broke any) {
	t.Helper()
	run := func() {
		defer func() { broke = recover() }()
		res = r.Run(s, 1)
	}
	tr.watched(t, r, s, 1, run)
	return res, broke
}

// missing returns what a run did not have without which it proves nothing.
func missing(res *scenarios.Result) (names []string) {
	for _, f := range res.Seen {
		if f.Verdict != checker.Holds {
			names = append(names, f.Property)
		}
	}
	return names
}

// tooLate names a grant without validity by the lock's own deadline, where the scenario is about rejecting one.
func tooLate(res *scenarios.Result, lacks []string) []string {
	if !slices.Contains(lacks, "refused-too-late") {
		return nil
	}
	for _, h := range res.Evidence.Holds {
		if h.Late() {
			return []string{fmt.Sprintf("c%d got the lock when no validity was left of it, by the lock's own deadline; "+
				"such a grant must be refused", h.Client+1)}
		}
	}
	return nil
}

// hints say what a lock can do so that a thing is seen to happen.
var hints = map[string]string{
	"refused-too-late": "a lock that refuses a grant because no validity is left says so by Grant.Outcome: locks.TooLate",
	"fault-struck":     "its faults wait for a mark that this lock never passes, or came when all was over",
}

// neverHappened says what did not, and what might be done about it.
func neverHappened(names []string) string {
	said := listed(names) + " never happened, so the run proves nothing"
	for _, name := range names {
		if hint := hints[name]; hint != "" {
			said += "; " + hint
		}
	}
	return said
}

// listed joins names: a, b and c.
func listed(names []string) string {
	if last := len(names) - 1; last > 0 {
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
	return strings.Join(names, "")
}

// moreSeeds is how many further seeds a lock is tried with if the event that a scenario is about does not happen. The
// lock may have the very bug that the scenario shows, and another seed then shows its effect.
const moreSeeds = 60

func (tr *trial) findBug(t *testing.T, r *scenarios.Runner, s *scenarios.Scenario) (seed uint64, found bool) {
	t.Helper()
	first := uint64(tr.runs(20)) + 1
	for seed := first; seed < first+moreSeeds; seed++ {
		if len(tr.wrong(tr.runSeed(t, r, s, seed))) > 0 {
			return seed, true
		}
	}
	return 0, false
}

// planted says which bugs, planted in the catalogue's own lock, break the same in a scenario.
func (tr *trial) planted(res *scenarios.Result) (all []string) {
	for _, m := range tr.mutants[res.Scenario.ID] {
		if slices.ContainsFunc(m.Breaks, func(name string) bool { return tr.breaks(res, name) }) {
			all = append(all, "so does a lock with the bug "+m.Name+": "+strings.TrimSpace(m.About))
		}
	}
	return all
}

// breaks reports whether a promise is broken that should hold.
func (tr *trial) breaks(res *scenarios.Result, property string) bool {
	return slices.ContainsFunc(res.Findings, func(f checker.Finding) bool {
		return f.Property == property && f.Verdict == checker.Violated && tr.judged(property) &&
			tr.expected(res.Scenario, property) == checker.Holds
	})
}

var namesSeed = regexp.MustCompile(`seed=(\d+)`)

// asked returns the seed that go test -run names; 0 for none. It is run even if it is one more than the test has.
func asked() uint64 {
	f := flag.Lookup("test.run")
	if f == nil {
		return 0
	}
	digits := namesSeed.FindStringSubmatch(f.Value.String())
	if digits == nil {
		return 0
	}
	seed, _ := strconv.ParseUint(digits[1], 10, 64)
	return seed
}
