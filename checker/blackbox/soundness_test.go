package blackbox_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
)

var update = flag.Bool("update", false, "write the table of ../README.md anew")

// A score is the outcome of comparing the judge of one model with the oracle.
type score struct {
	Model         string
	Histories     int
	Holds         int // by the oracle, which always knows
	Violated      int
	Unknown       int // where the judge did not know: no disagreement, but no verdict either
	Searched      int // where it took a search
	Disagreements int
	First         checker.History // the first history on which they disagree; nil if there is none
	FirstModel    blackbox.Model  // with the numbers that it was held to
}

// add compares the verdicts on one history.
func (s *score) add(h checker.History, m blackbox.Model) {
	legal, r := isLegal(h, m), blackbox.Linearizable(h, m)
	s.Histories++
	if legal {
		s.Holds++
	} else {
		s.Violated++
	}
	if r.Steps > 0 {
		s.Searched++
	}
	switch {
	case r.Verdict == checker.Unknown && r.Err == nil:
		s.Unknown++
	case (r.Verdict == checker.Holds) != legal || r.Err != nil:
		s.Disagreements++
		if s.First == nil {
			s.First, s.FirstModel = h, m
		}
	}
}

// row returns the row of a model in the table of ../README.md.
func (s *score) row() string {
	return fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n",
		s.Model, s.Histories, s.Holds, s.Violated, s.Unknown, s.Searched, s.Disagreements)
}

// The sizes of the histories that compare draws, in events: from smallest to below smallest+sizes.
const (
	smallest = 6
	sizes    = 34
)

// compare draws that many histories for a model, and adds them to the score. The same seed draws the same histories.
func (s *score) compare(m blackbox.Model, seed uint64, histories int) {
	for n := s.Histories; n < histories; n++ {
		h, model := drawHistory(m, seed+uint64(n)*0x632be59bd9b4e019, smallest+n%sizes)
		s.add(h, model)
	}
}

// inTable is how many histories of each model the table of ../README.md is about.
const inTable = 1000

// TestJudgesAgreeWithTheOracleOnRandomHistories also keeps the table of ../README.md.
func TestJudgesAgreeWithTheOracleOnRandomHistories(t *testing.T) {
	t.Parallel()
	histories := 20_000
	if !long {
		histories = 1000
	}
	table := "| model | histories | legal | violated | unknown | searched | disagreements |\n" + strings.Repeat("| --- ", 7) + "|\n"
	for _, m := range blackbox.Models {
		began := time.Now()
		s := score{Model: m.Name}
		s.compare(m, 1, inTable)
		table += s.row()
		s.compare(m, 1, histories)
		t.Logf("%s: %d histories, %d legal, %d violated, %d unknown, %d searched, %d disagreements, %v", m.Name, s.Histories,
			s.Holds, s.Violated, s.Unknown, s.Searched, s.Disagreements, time.Since(began))
		if s.Disagreements > 0 {
			t.Errorf("%s: %d disagreements, the first, which the oracle finds legal: %v, %+v, of %+v\n%s", m.Name, s.Disagreements,
				isLegal(s.First, s.FirstModel), blackbox.Linearizable(s.First, s.FirstModel), s.FirstModel, codec.AppendJSON(nil, s.First))
		}
		if s.Unknown > 0 || s.Holds < histories/20 || s.Violated < histories/20 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
	inPage(t, "../README.md", "soundness", table)
}

// inPage compares a table in a page, between two comments, with the right one; -update rewrites it.
func inPage(t *testing.T, page, name, table string) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	begin, end := "<!-- table: "+name+" -->\n\n", "\n<!-- end -->"
	before, rest, found := strings.Cut(string(text), begin)
	old, after, closed := strings.Cut(rest, end)
	switch {
	case !found || !closed:
		t.Errorf("%s has no table %s", page, name)
	case old == table:
	case *update:
		if err := os.WriteFile(page, []byte(before+begin+table+end+after), 0o644); err != nil {
			t.Error(err)
		}
	default:
		t.Errorf("the table %s of %s is\n%s\nand should be\n%s\nwrite it anew with -update", name, page, old, table)
	}
}

// begin returns what the first of two clients did: A, S, R or N for an acquire, a shared one, a release or a renewal,
// o, f or i for its outcome.
func begin(steps string) (h checker.History) {
	process := 0
	for step := range strings.FieldsSeq(steps) {
		f := map[byte]checker.Func{'A': checker.Acquire, 'S': checker.Acquire, 'R': checker.Release, 'N': checker.Renew}[step[0]]
		o := map[byte]checker.Type{'o': checker.OK, 'f': checker.Fail, 'i': checker.Info}[step[1]]
		h = append(h, checker.Op{Index: len(h), Process: process, F: f, Value: checker.Value{Shared: step[0] == 'S'}},
			checker.Op{Index: len(h) + 1, Process: process, F: f, Type: o})
		if o == checker.Info {
			process += 2
		}
	}
	return h
}

// TestTheJudgesAgreeWithTheOracleOnEverySmallHistoryOfALock: on all of them up to a number of events.
func TestTheJudgesAgreeWithTheOracleOnEverySmallHistoryOfALock(t *testing.T) {
	t.Parallel()
	all := []checker.Func{checker.Acquire, checker.Release, checker.Renew}
	locks := []string{"mutex", "reentrant-mutex", "fenced-mutex", "reentrant-fenced-mutex", "semaphore", "lease", "plain-mutex"}
	for _, s := range []struct {
		models []string
		least  time.Duration
		small  smallHistories
	}{
		{[]string{"rwlock"}, 0, smallHistories{Clients: 2, Events: 6, Funcs: all, Shared: true, Ticks: []int{0}}},
		{[]string{"rwlock"}, 0, smallHistories{Clients: 3, Events: 6, Funcs: all[:2], Shared: true, Ticks: []int{0}}},
		{[]string{"rwlock"}, 0, smallHistories{Clients: 2, Begin: begin("Ao So"), Events: 6, Funcs: all, Shared: true, Ticks: []int{0}}},
		{[]string{"rwlock"}, 0, smallHistories{Clients: 2, Begin: begin("Ao So Ri"), Events: 6, Funcs: all, Shared: true, Ticks: []int{0}}},
		{[]string{"rwlock"}, 0, smallHistories{Clients: 3, Begin: begin("Ao So Ro"), Events: 6, Funcs: all[:2], Shared: true, Ticks: []int{0}}},
		{locks, 0, smallHistories{2, nil, 6, all, false, []int{0}}},
		{locks[:6], 0, smallHistories{2, begin("Ao Ri Ai"), 5, all, false, []int{0}}}, // a hold may have a gap
		{locks[:6], 0, smallHistories{2, begin("Ao Ri Ri"), 6, all, false, []int{0}}}, // a hold may be but a moment
		{[]string{"lease-timed"}, 2, smallHistories{2, begin("Ao Ri Ai"), 5, all, false, []int{0, 2}}},
		{[]string{"mutex", "lease", "semaphore"}, 0, smallHistories{3, nil, 6, all[:2], false, []int{0}}},
		{[]string{"lease-timed"}, 2, smallHistories{2, nil, 5, all, false, []int{0, 1}}},
		{[]string{"lease-timed"}, 1, smallHistories{3, nil, 6, all[:1], false, []int{0, 1}}},
		{[]string{"lease-timed"}, 3, smallHistories{2, nil, 6, all[:2], false, []int{0, 2}}},
	} {
		if !long {
			s.small.Events -= 2
		}
		for _, name := range s.models {
			m, _ := blackbox.LookupModel(name)
			m.Clients, m.Least = s.small.Clients, s.least
			sum := score{Model: name}
			s.small.every(func(h checker.History) { sum.add(h, m) })
			t.Logf("%s: %d histories of %d clients and up to %d events, %d legal, %d disagreements",
				name, sum.Histories, s.small.Clients, s.small.Events, sum.Holds, sum.Disagreements)
			if sum.Disagreements > 0 || sum.Unknown > 0 || sum.Violated == 0 {
				t.Errorf("%s: %+v", name, sum)
			}
		}
	}
}

// TestADisagreementIsCounted uses the judge of a semaphore as the judge of a mutex.
func TestADisagreementIsCounted(t *testing.T) {
	m, _ := blackbox.LookupModel("semaphore")
	m.Name = "mutex"
	s := score{Model: m.Name}
	if s.compare(m, 1, 300); s.Disagreements == 0 || s.Disagreements == s.Histories || s.First == nil || s.Holds+s.Violated != 300 {
		t.Errorf("%+v", s)
	}
}

// An op that closes an operation doesn't have to name its lock again: the result of a failed release is the same.
func TestAFailedReleaseIsOfTheLockThatItsInvokeNames(t *testing.T) {
	seeds := 200
	if long {
		seeds = 2000
	}
	for _, m := range blackbox.Models {
		differ, ended := 0, 0
		for seed := range uint64(seeds) {
			h, model := drawHistory(m, seed, smallest+int(seed%sizes))
			named, lock := slices.Clone(h), map[int]string{}
			for i := range named {
				if o := &named[i]; o.Type == checker.Invoke {
					lock[o.Process] = o.Lock
				} else {
					o.Lock = lock[o.Process]
				}
			}
			got, want := blackbox.Linearizable(model.EndFailedReleases(h)), blackbox.Linearizable(model.EndFailedReleases(named))
			if got.Verdict != want.Verdict {
				differ++
			}
			if want.Verdict != blackbox.Linearizable(named, model).Verdict {
				ended++
			}
		}
		if differ > 0 {
			t.Errorf("%s: %d of %d get another verdict without the names", m.Name, differ, seeds)
		}
		if ended == 0 && strings.Contains("mutex reentrant-mutex fenced-mutex semaphore", m.Name) {
			t.Errorf("%s: no failed release made a difference", m.Name)
		}
	}
}
