package locktest

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// An Option changes how a lock is tried. Options of several calls add up.
type Option struct{ apply func(*trial) error }

// Seeds sets how many seeds each scenario is run with, from 1 on: by default 20, or 1,000 for [Fuzz], and a tenth of
// that under -short. Fuzz adds an eighth, in which pauses of clients are placed where they ask the servers.
func Seeds(n int) Option {
	return Option{func(tr *trial) error {
		if n < 1 {
			return fmt.Errorf("Seeds(%d): give 1 or more", n)
		}
		tr.seeds = n
		return nil
	}}
}

// Expect sets the verdict that a property must have in each run, whatever the scenario expects of the reference.
func Expect(property string, verdict checker.Verdict) Option {
	return Option{func(tr *trial) error {
		if err := isPromise("Expect", property); err != nil {
			return err
		}
		if verdict > checker.Violated {
			return fmt.Errorf("Expect(%q, %d): there is no such verdict; give checker.Holds, checker.Violated or checker.Unknown",
				property, verdict)
		}
		tr.expect = append(tr.expect, scenarios.Expectation{Property: property, Verdict: verdict})
		return nil
	}}
}

// Promises sets which promises are judged. In a search they must hold in each run, even where no lock keeps them: see
// [Fuzz].
func Promises(names ...string) Option {
	return Option{func(tr *trial) error {
		for _, name := range names {
			if err := isPromise("Promises", name); err != nil {
				return err
			}
		}
		tr.promises = append(tr.promises, names...)
		return nil
	}}
}

// Everything judges all promises in each run of a search, also those that no lock of the kind keeps: see [Fuzz].
func Everything() Option {
	return Option{func(tr *trial) error { tr.everything = true; return nil }}
}

func isPromise(option, name string) error {
	if p, ok := checker.Lookup(name); !ok || p.Sometimes {
		return fmt.Errorf("%s: there is no promise %q%s; there are %s",
			option, name, faults.Suggest(name, promises()), strings.Join(promises(), ", "))
	}
	return nil
}

// On runs the lock on what a kind of lock of the catalogue runs on, and judges it as one: "single" is one Redis node,
// "redlock" several, "failover" a master with replicas.
func On(kind string) Option {
	return Option{func(tr *trial) error {
		k, err := scenarios.ParseKind(kind)
		if err != nil {
			return fmt.Errorf("On: %w", err)
		}
		tr.moved = true
		tr.changes = append(tr.changes, func(s *scenarios.Scenario) error { return moveTo(s, k) })
		return nil
	}}
}

// moveTo changes the kind of the scenario's lock. A lock on n1 alone is unfit where faults or clocks name other nodes.
func moveTo(s *scenarios.Scenario, kind scenarios.Kind) error {
	if s.Lock.Kind == kind {
		return nil
	}
	before := s.Check()
	s.ChangeKind(kind)
	if err := s.Check(); err != nil && before == nil {
		return unfitError{fmt.Errorf("it is not for a lock of the kind %s: %w", kind, err)}
	}
	alone := *s
	alone.Nodes = 1
	if s.LockNodes() == 1 && s.Check() == nil && alone.Check() != nil {
		return unfitError{errors.New("it is about several nodes, and the lock is on one")}
	}
	return nil
}

// Key sets the key of the lock, if it is not [locks.Config.Key]: some libraries derive their own key from the name they
// get. Without it no server ever seems to store the lock, and quorum breaks in each run.
func Key(name string) Option {
	return Option{func(tr *trial) error {
		if name == "" {
			return errors.New(`Key(""): give the key as the servers have it`)
		}
		tr.changes = append(tr.changes, func(s *scenarios.Scenario) error { s.Lock.Key = name; return nil })
		return nil
	}}
}

// Shortest says the shortest TTL that the lock takes, where it rejects one that is shorter: a scenario with such a TTL
// is skipped where the pattern names others too. A search draws no shorter TTL.
func Shortest(ttl time.Duration) Option {
	return Option{func(tr *trial) error {
		tr.changes = append(tr.changes, func(s *scenarios.Scenario) error {
			if s.Lock.TTL < ttl {
				return unfitError{fmt.Errorf("its TTL is %s, and the lock takes none below %s", s.Lock.TTL, ttl)}
			}
			s.Lock.Shortest = ttl
			return nil
		})
		return nil
	}}
}

// Set changes a setting of the scenarios, as --set does: Set("lock.ttl=2s"). A search does not vary that setting.
func Set(assignment string) Option {
	return Option{func(tr *trial) error {
		tr.changes = append(tr.changes, func(s *scenarios.Scenario) error {
			return s.Set(assignment)
		})
		return nil
	}}
}

// Report keeps the files of each run that fails, its page among them, in the test's artifact directory. With go test
// -artifacts they stay after the test.
func Report() Option {
	return Option{func(tr *trial) error { tr.artifacts = true; return nil }}
}

// A trial is what a test asks of a lock.
type trial struct {
	put        putLock
	scenarios  []scenarios.Scenario
	unfit      []unfit // what the pattern names too, and the lock can't be in
	seeds      int     // 0 for the usual number
	expect     []scenarios.Expectation
	changes    []func(*scenarios.Scenario) error
	promises   []string                      // those that are judged; empty for all
	moved      bool                          // the test says what the lock runs on
	skill      skill                         // of the locks that were made
	mutants    map[string][]scenarios.Mutant // the bugs that scenarios have planted in the catalogue's own locks
	changed    map[string]bool               // by scenario: On has moved it to another kind of lock
	loose      map[string]map[string]bool    // by scenario and promise: what no lock of that kind must keep there
	everything bool                          // in a search each promise must hold in each run
	test       string                        // of a search
	anyTTL     bool                          // the lock takes any TTL, or refuses it
	base       *scenarios.Scenario           // what finds differ from, if that is not the scenario searched
	artifacts  bool                          // keep the files of runs that fail
	stuck      *scenarios.Runner             // one whose run never ended
	extended   int                           // the first scenario that is only for locks that can be extended; 0 for none
	tried      int                           // scenarios in which the lock was judged
	told       int                           // failures that were reported whole
	passed     []unfit                       // scenarios that were skipped
}

type unfit struct{ id, why string }

// beginTrial applies the options. An invalid one ends the test.
func beginTrial(t rapid.TB, put func(*skill) putLock, options []Option) *trial {
	t.Helper()
	if put == nil {
		t.Fatal("locktest: there is no constructor of a lock")
	}
	tr := &trial{mutants: map[string][]scenarios.Mutant{}, changed: map[string]bool{}, loose: map[string]map[string]bool{}}
	tr.put = put(&tr.skill)
	for _, o := range options {
		if err := o.apply(tr); err != nil {
			t.Fatalf("locktest: %v", err)
		}
	}
	return tr
}

// newTrial applies the options, and finds the scenarios. An invalid option or scenario ends the test.
func newTrial(t *testing.T, pattern string, put func(*skill) putLock, options []Option) *trial {
	t.Helper()
	tr := beginTrial(t, put, options)
	found, err := find(pattern)
	if err != nil {
		t.Fatalf("locktest: %v", err)
	}
	for _, s := range found {
		kind := s.Lock.Kind
		tr.mutants[s.ID] = s.Mutants
		err := tr.prepare(&s)
		tr.changed[s.ID] = s.Lock.Kind != kind
		switch {
		case err == nil:
			tr.scenarios = append(tr.scenarios, s)
		case len(found) > 1 && errors.As(err, &unfitError{}):
			tr.unfit = append(tr.unfit, unfit{s.ID, err.Error()})
		default:
			t.Fatalf("locktest: %s: %v", s.ID, err)
		}
	}
	return tr
}

// prepare applies the options to a scenario, and sets its lock. Mutants and bounds belong to the old lock.
func (tr *trial) prepare(s *scenarios.Scenario) error {
	for _, change := range tr.changes {
		if err := change(s); err != nil {
			return err
		}
	}
	s.Mutants, s.Bounds = nil, nil
	if err := s.Check(); err != nil {
		return err
	}
	return tr.put(s)
}

// putLock puts the lock that is on trial into a scenario; it rejects a scenario that the lock can't be in.
type putLock func(*scenarios.Scenario) error

// An unfitError says why a lock can't be in a scenario. Of several scenarios the others still run.
type unfitError struct{ error }

func own(lock Constructor) func(*skill) putLock {
	if lock == nil {
		return nil
	}
	return func(can *skill) putLock {
		var extends atomic.Bool
		can.extends = extends.Load
		checked := func(c locks.Config) locks.Lock {
			l := lock(c)
			if l == nil {
				panic("the constructor returned nil")
			}
			switch l.(type) {
			case locks.Extender, locks.Sessioned:
				extends.Store(true)
			}
			return l
		}
		return func(s *scenarios.Scenario) error { s.Lock.New = checked; return nil }
	}
}

func find(pattern string) (all []scenarios.Scenario, err error) {
	if scenarios.IsFile(pattern) {
		return readFiles(pattern)
	}
	ids, err := scenarios.Matching(pattern)
	for _, id := range ids {
		s, _ := scenarios.Find(id)
		all = append(all, s)
	}
	return all, err
}

func readFiles(pattern string) (all []scenarios.Scenario, err error) {
	names, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("%q is not a pattern: %w", pattern, err)
	}
	if names == nil {
		return nil, fmt.Errorf("no file matches %q, seen from the directory of the test", pattern)
	}
	for _, name := range names {
		s, err := scenarios.Open(filepath.ToSlash(name))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// runs returns how many seeds to run: as the test says, or the usual number; a tenth under -short.
func (tr *trial) runs(usual int) int {
	n := cmp.Or(tr.seeds, usual)
	if testing.Short() {
		n = max(1, n/10)
	}
	return n
}

// expected returns the verdict that a property must have: the test's if it sets one, or the scenario's.
func (tr *trial) expected(s *scenarios.Scenario, property string) checker.Verdict {
	for _, e := range slices.Backward(tr.expect) {
		if e.Property == property {
			return e.Verdict
		}
	}
	return s.Expected(property)
}

func (tr *trial) judged(property string) bool {
	return len(tr.promises) == 0 || slices.Contains(tr.promises, property)
}

// exact reports whether the test sets the verdict of a property. Then a better verdict fails too.
func (tr *trial) exact(property string) bool {
	return slices.ContainsFunc(tr.expect, func(e scenarios.Expectation) bool { return e.Property == property })
}

func promises() []string { return namesOf(campaign.All()) }

// withReference puts the catalogue's own lock into a scenario, with its usual key.
func withReference(s *scenarios.Scenario) { s.Lock.New, s.Lock.Run, s.Lock.Key = nil, nil, "" }
