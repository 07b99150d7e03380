package scenarios_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Every expectation is two-sided: a scenario of the catalogue does not pass if its fault never hit, if no clients
// competed, or if a property is other than it expects. Each test here takes one of these away, and wants a failure.

// faultless are the scenarios without a schedule, except searches, whose seeds draw it. They have no fault that could
// fail to hit; they show that contention alone breaks nothing, and they require contention.
var faultless = map[string]string{
	"kleppmann/asynchronous-row-lock": "the rates of clocks are its trouble",
	"antirez/lock-order":              "contention is all it is about",
	"baseline/fault-free":             "a baseline",
	"baseline/single-instance":        "a baseline",
	"etcd/lock":                       "a baseline",
	"zookeeper/lock":                  "a baseline",
	"consul/lock":                     "a baseline",
	"single/extended-by-zero":         "a time of 0 is its trouble",
	"record/lock":                     "a baseline; contention is all its mutants need",
	"record/own-timeout":              "a reader's own timeout is its trouble",
	"distlock/extend":                 "work that outlasts the TTL is its trouble, and an extension is owed",
	"distlock/extend-last":            "work that outlasts its only extension is its trouble, and an extension is owed",
	"distlock/unlimited":              "work that outlasts the TTL is its trouble, and who is kept out is owed",
	"distlock/fraction-ttl":           "work that outlasts the TTL is its trouble; its mutant needs no more",
	"distlock/get-then-set":           "contention is its trouble; its mutant needs no more",
	"distlock/split-vote":             "contention is its trouble, and a split vote is owed",
	"distlock/split-vote-no-jitter":   "contention is its trouble, and a split vote is owed",
	"distlock/split-vote-sequential":  "contention is its trouble; it is there to be compared",
	"redisson/lock":                   "a baseline",
	"redisson/watchdog":               "work that outlasts the lease is its trouble, and an extension is owed",
	"sql/row-lock":                    "a baseline; contention is all its mutant needs",
	"redisson-rw/lock":                "contention is its trouble; its mutants need no more",
	"redisson-fair/lock":              "a baseline: contention is all it is about",
	"once/kept":                       "clocks that differ are its trouble, and the time for which the lock is kept its remedy",
	"once/released":                   "clocks that differ are its trouble",
	"once/shifted":                    "starts that differ are its trouble",
	"redisson-fair/gave-up":           "the patience of a client is its trouble; its mutant needs no more",
	"redisson-red/lock":               "a baseline, in which work outlasts the lease; its mutants need no more",
	"redlock/small-renewed":           "as redlock/small",
	"redlock/small":                   "quiet by itself; an exploration chooses its faults",
}

// green reports whether a scenario passes on any of a few seeds, or on the first with -short. A scenario that Check
// rejects passes nowhere.
func green(r *scenarios.Runner, s scenarios.Scenario) bool {
	s.Mutants, s.Bounds = nil, nil // which Check would make of the changed scenario
	if s.Check() != nil {
		return false
	}
	last := uint64(3)
	if !long {
		last = 1
	}
	for seed := uint64(1); seed <= last; seed++ {
		if r.Run(&s, seed).Verdict == scenarios.Pass {
			return true
		}
	}
	return false
}

func TestUnchangedCataloguePasses(t *testing.T) {
	r := runner(t)
	for _, s := range some(6) {
		if !green(r, s) {
			t.Errorf("%s does not pass, so that the tests below prove nothing", s.ID)
		}
	}
}

func TestNoScenarioPassesWithoutItsSchedule(t *testing.T) {
	r := runner(t)
	for _, s := range some(4) {
		why, listed := faultless[s.ID]
		bare := len(s.Faults) == 0
		if listed != (bare && !s.Search.Drawn()) {
			t.Errorf("%s has %d faults, and stands among those without any: %t %s", s.ID, len(s.Faults), listed, why)
			continue
		}
		if s.Faults = nil; !bare && green(r, s) {
			t.Errorf("%s passes without its schedule", s.ID)
		}
	}
}

// A fault waits for a mark that is never passed, so it does not hit. One such fault is enough to fail.
func TestNoScenarioPassesIfAFaultNeverHits(t *testing.T) {
	r := runner(t)
	for _, s := range some(6) {
		for i := range s.Faults {
			late := s
			late.Faults = slices.Clone(s.Faults)
			late.Faults[i].When = faults.Mark{Host: "c1", Name: "acquired", Nth: 999}
			late.Faults[i].At = 0
			if err := lone(late).Check(); err != nil {
				t.Errorf("%s, fault %d: %v", s.ID, i+1, err)
			}
			if green(r, late) {
				t.Errorf("%s passes though fault %d never strikes: %s", s.ID, i+1, s.Faults[i])
			}
		}
	}
}

// Each of the faults is a cause of what breaks: without one of them, some promise that should break holds, with some
// seeds at least. The exceptions are partitions from the beginning, which set the stage: they say which nodes a client
// reaches, as the claims describe.
func TestEachFaultIsNeededForTheViolation(t *testing.T) {
	r := runner(t)
	for _, s := range some(4) {
		if s.ID == "session/jepsen-etcd" {
			continue // as in Jepsen's test there are many pauses, and most of them do harm
		}
		for i := range s.Faults {
			less := s
			less.Faults = slices.Delete(slices.Clone(s.Faults), i, i+1)
			stage := s.Faults[i].Kind == faults.Partition && s.Faults[i].At == 0 && s.Faults[i].When.Name == ""
			if isToBreak(s) && !stage && alwaysAsExpected(r, &less) {
				t.Errorf("%s breaks the same without fault %d: %s", s.ID, i+1, s.Faults[i])
			}
		}
	}
}

// isToBreak reports whether a scenario expects any promise to break.
func isToBreak(s scenarios.Scenario) bool {
	return slices.ContainsFunc(s.Expect, func(e scenarios.Expectation) bool { return e.Verdict == checker.Violated })
}

// alwaysAsExpected reports whether a few seeds all go as expected.
func alwaysAsExpected(r *scenarios.Runner, s *scenarios.Scenario) bool {
	for seed := range uint64(6) {
		if !asExpected(r.Run(s, seed+1)) {
			return false
		}
	}
	return true
}

// asExpected reports whether all promises, and the views that are named, went as expected, whatever happened or did
// not.
func asExpected(r *scenarios.Result) bool {
	return !slices.ContainsFunc(r.Findings, func(f checker.Finding) bool { return f.Verdict != r.Scenario.Expected(f.Property) }) &&
		!slices.ContainsFunc(r.Scenario.Expect, func(e scenarios.Expectation) bool { return r.VerdictOn(e.Property) != e.Verdict })
}

// lone returns a scenario without its mutants and bounds.
func lone(s scenarios.Scenario) *scenarios.Scenario {
	s.Mutants, s.Bounds = nil, nil
	return &s
}

// In these the trouble is a clock that runs at another rate from the beginning. So no fault could fail to hit. If the
// clock makes no difference to the verdict, something else must show its effect.
func TestOnlyClaimedScenariosPassWithTrueClocks(t *testing.T) {
	alike := map[string]string{
		"antirez/rate-drift":     "the drift is within the allowance: its mutant, and its bound, tell it from true clocks",
		"antirez/drift-constant": "the drift is within the allowance: its mutant tells it from true clocks",
		"leases/slow-server":     "that a slow server does no harm is its claim",
		"etcd/slow-client":       "the drift is within the margin: its mutant, and its bound, tell it from true clocks",
		"leases/fast-client":     "that a fast client does no harm is its claim",
	}
	r := runner(t)
	for _, s := range scenarios.Catalogue() {
		if !slices.ContainsFunc(s.Clocks, func(r scenarios.Rate) bool { return r.By != 0 }) {
			continue
		}
		s.Clocks = nil
		if _, listed := alike[s.ID]; green(r, s) != listed {
			t.Errorf("%s with true clocks: passes %t, and should %t", s.ID, !listed, listed)
		}
		for _, m := range s.Mutants {
			if kills(t, r, s, m) {
				t.Errorf("%s catches %s with true clocks too, so the drift has no part in it", s.ID, m.Name)
			}
		}
	}
}

// kills reports whether a mutant breaks on the first seed every promise that it breaks.
func kills(t *testing.T, r *scenarios.Runner, s scenarios.Scenario, m scenarios.Mutant) bool {
	t.Helper()
	s.Bounds = nil
	mutated, err := s.Mutate(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Run(&mutated, 1).Findings {
		if slices.Contains(m.Breaks, f.Property) && f.Verdict != checker.Violated {
			return false
		}
	}
	return true
}

// A slow server and a fast client do no harm. Their cost in time shows that the drift exists.
func TestTheSafeDriftsCostTime(t *testing.T) {
	holds := func(s scenarios.Scenario) []checker.Hold { return scenarios.Run(s, 1).Evidence.Holds }
	for _, id := range []string{"leases/slow-server", "leases/fast-client"} {
		s := find(t, id)
		drifting := holds(s)
		s.Clocks = nil
		with := holds(s)
		switch id {
		case "leases/slow-server": // 2% of ten seconds, less the time between two attempts
			if late := drifting[1].From.Sub(with[1].From); late < 150*time.Millisecond || late > 250*time.Millisecond {
				t.Errorf("%s: c2 gets the lock %v later than with true clocks", id, late)
			}
		case "leases/fast-client":
			if early := with[0].Gone.Sub(drifting[0].Gone); early < 150*time.Millisecond || early > 250*time.Millisecond {
				t.Errorf("%s: c1 stops %v earlier than with true clocks", id, early)
			}
		}
	}
}

func TestNoScenarioPassesWithOneClientAlone(t *testing.T) {
	r := runner(t)
	for _, s := range scenarios.Catalogue() {
		for _, owed := range []string{"contended", "acquired-by-two"} {
			if owed == "contended" && s.Search.Most > 0 {
				continue // what a search draws may let two clients take turns by chance
			}
			if s.Work.Tick > 0 && (slices.Contains(s.Sometimes, "contended") || slices.Contains(s.Sometimes, "acquired-by-two")) {
				continue // whether clients come together or one after the other is what it is about
			}
			if !slices.Contains(s.Sometimes, owed) {
				t.Errorf("%s does not owe %s: with one client it would show as much", s.ID, owed)
			}
		}
		if s.Clients < 2 {
			t.Errorf("%s has %d clients", s.ID, s.Clients)
		}
		if s.Clients = 1; green(r, s) {
			t.Errorf("%s passes with one client", s.ID)
		}
	}
}

// The schedules of some scenarios name c2, so Check rejects them with one client. Here the others are there, and never
// ask.
func TestNoScenarioPassesWithoutContention(t *testing.T) {
	r := runner(t)
	for _, s := range some(6) {
		if s.Work.Stagger = s.Horizon - 1; green(r, s) {
			t.Errorf("%s passes though c2 never asks", s.ID)
		}
	}
}

// Each expectation of a scenario is needed: with the opposite one the run is a FAIL. With -short each scenario is asked
// about a fifth of them, and each property by a fifth of the scenarios.
func TestEachInvertedExpectationFails(t *testing.T) {
	r := runner(t)
	for k, s := range some(4) {
		for n, p := range s.Promises() {
			if !long && (n+k)%5 != 0 {
				continue
			}
			turned := s
			turned.Expect = slices.Clone(s.Expect)
			i := slices.IndexFunc(turned.Expect, func(e scenarios.Expectation) bool { return e.Property == p.Name })
			if i < 0 { // what is not stated is expected to hold
				i = len(turned.Expect)
				turned.Expect = append(turned.Expect, scenarios.Expectation{Property: p.Name})
			}
			e := &turned.Expect[i]
			if e.Verdict = checker.Holds + checker.Violated - e.Verdict; e.Verdict == checker.Unknown {
				t.Fatalf("%s expects nothing of %s", s.ID, p.Name)
			}
			if res := r.Run(&turned, 1); res.Verdict != scenarios.Fail {
				t.Errorf("%s is %s though %s is expected to be %s", s.ID, res.Verdict, p.Name, e.Verdict)
			}
		}
	}
}

// A scenario run with one of its mutants in place of the reference is a FAIL, as a user's test of such a lock would
// be.
func TestScenarioFailsWithItsMutant(t *testing.T) {
	r := runner(t)
	for _, s := range some(6) {
		for _, m := range s.Mutants {
			mutated, err := s.Mutate(m)
			if err != nil {
				t.Fatal(err)
			}
			failed := 0
			for seed := uint64(1); seed <= uint64(m.Within); seed++ {
				if r.Run(&mutated, seed).Verdict == scenarios.Fail {
					failed++
				}
			}
			if failed == 0 {
				t.Errorf("%s passes %d times with %s", s.ID, m.Within, m.Name)
			}
		}
	}
}

// Each scenario with faults requires that they hit, and requires no event twice.
func TestEveryScheduleIsRequiredToHit(t *testing.T) {
	for _, s := range scenarios.Catalogue() {
		if struck := slices.Contains(s.Sometimes, "fault-struck"); struck != (len(s.Faults) > 0) {
			t.Errorf("%s has %d faults, and owes that they strike: %t", s.ID, len(s.Faults), struck)
		}
		seen := map[string]bool{}
		for _, name := range s.Sometimes {
			if seen[name] {
				t.Errorf("%s owes %s twice", s.ID, name)
			}
			seen[name] = true
		}
	}
}

// A fault proves nothing if no other client wants the lock. One file says why it differs.
func TestAnotherClientWantsTheLockAfterEachFirstFault(t *testing.T) {
	r, seeds := runner(t), uint64(5)
	if !long {
		seeds = 2
	}
	for _, s := range some(4) {
		if len(s.Faults) == 0 || s.Clients < 2 || s.ID == "distlock/partition-after-acquire" {
			continue
		}
		s.Sometimes = []string{"wanted-after-fault"}
		for seed := uint64(1); seed <= seeds; seed++ {
			if got := r.Run(&s, seed).Seen[0].Verdict; got != checker.Holds {
				t.Errorf("%s, seed %d: nobody else wants the lock after the first fault (%s)", s.ID, seed, got)
				break
			}
		}
	}
}

// c1 is done with the lock before c2 asks for it, and no client asks after that: c2's pause hinders no one.
func TestFileFailsIfNoOtherClientWantsTheLock(t *testing.T) {
	s, err := scenarios.Parse("a.yaml", []byte("title: a\nclients: 2\nwork: {cycles: 1, stagger: 5s, recheck: false, stop_at_deadline: false}\n"+
		"schedule: |\n  when c2 read pause c2 for 15s\n"))
	if err != nil {
		t.Fatal(err)
	}
	res := runner(t).Run(&s, 1)
	i := slices.IndexFunc(res.Seen, func(f checker.Finding) bool { return f.Property == "wanted-after-fault" })
	if i < 0 || res.Seen[i].Verdict != checker.Violated || !strings.Contains(res.Evidence.Explain(res.Seen[i]), "work.stagger") {
		t.Errorf("%s: %v", res.Verdict, res.Seen)
	}
}

// A file without required events still requires something, even with one client: here no client ever has the lock.
func TestFileWithoutAHolderFails(t *testing.T) {
	r := runner(t)
	for _, text := range []string{
		"title: a\nclients: 1\nnetwork: {loss: 1}\nlock: {retry: {attempts: 3}}\n",
		"title: a\nclients: 1\nlock: {retry: {attempts: 3}}\nschedule: |\n  at 0s partition clients | nodes\n",
		"title: a\nclients: 2\nlock: {retry: {attempts: 3}}\nschedule: |\n  at 0s partition clients | nodes\n",
	} {
		s, err := scenarios.Parse("a.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if res := r.Run(&s, 1); res.Verdict != scenarios.Fail {
			t.Errorf("%s of\n%s", res.Verdict, text)
		}
		s.Faults, s.Network.Loss = nil, 0
		s.Sometimes = slices.DeleteFunc(s.Sometimes, func(name string) bool { return name == "fault-struck" || name == "wanted-after-fault" })
		if !green(r, s) {
			t.Errorf("without its trouble it should pass:\n%s", text)
		}
	}
}
