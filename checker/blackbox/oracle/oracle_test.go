package oracle

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// TestTwentyThousandDrawnHistoriesOfEachModel holds what ships to the oracle.
func TestTwentyThousandDrawnHistoriesOfEachModel(t *testing.T) {
	t.Parallel()
	histories := 20_000
	if !long {
		histories = 2000
	}
	for _, m := range blackbox.Models {
		began := time.Now()
		s := Compare(m, 1, histories)
		t.Logf("%s: %d histories, %d legal, %d violated, %d unknown, %d searched, %d disagreements, %v", m.Name, s.Histories,
			s.Holds, s.Violated, s.Unknown, s.Searched, s.Disagreements, time.Since(began))
		if s.Disagreements > 0 {
			t.Errorf("%s: %d disagreements, the first, which the oracle finds legal: %v, %+v, of %+v\n%s", m.Name, s.Disagreements,
				Legal(s.First, s.FirstModel), blackbox.Linearizable(s.First, s.FirstModel), s.FirstModel, codec.AppendJSON(nil, s.First))
		}
		if s.Unknown > 0 || s.Holds < histories/20 || s.Violated < histories/20 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
}

// begin gives what a first client of two did: A, R or N for an acquire, release or renewal, o, f or i for its outcome.
func begin(deeds string) (h checker.History) {
	process := 0
	for deed := range strings.FieldsSeq(deeds) {
		f := map[byte]checker.Func{'A': checker.Acquire, 'R': checker.Release, 'N': checker.Renew}[deed[0]]
		o := map[byte]checker.Type{'o': checker.OK, 'f': checker.Fail, 'i': checker.Info}[deed[1]]
		h = append(h, checker.Op{Index: len(h), Process: process, F: f},
			checker.Op{Index: len(h) + 1, Process: process, F: f, Type: o})
		if o == checker.Info {
			process += 2
		}
	}
	return h
}

// TestEverySmallLock holds what ships to the oracle on all histories of locks up to so many events.
func TestEverySmallLock(t *testing.T) {
	t.Parallel()
	all := []checker.Func{checker.Acquire, checker.Release, checker.Renew}
	locks := []string{"mutex", "reentrant-mutex", "fenced-mutex", "reentrant-fenced-mutex", "semaphore", "lease", "plain-mutex"}
	for _, s := range []struct {
		models []string
		least  time.Duration
		small  Small
	}{
		{locks, 0, Small{2, nil, 6, all, []int{0}}},
		{locks[:6], 0, Small{2, begin("Ao Ri Ai"), 5, all, []int{0}}}, // a hold may have a gap
		{locks[:6], 0, Small{2, begin("Ao Ri Ri"), 6, all, []int{0}}}, // a hold may be but a moment
		{[]string{"lease-timed"}, 2, Small{2, begin("Ao Ri Ai"), 5, all, []int{0, 2}}},
		{[]string{"mutex", "lease", "semaphore"}, 0, Small{3, nil, 6, all[:2], []int{0}}},
		{[]string{"lease-timed"}, 2, Small{2, nil, 5, all, []int{0, 1}}},
		{[]string{"lease-timed"}, 1, Small{3, nil, 6, all[:1], []int{0, 1}}},
		{[]string{"lease-timed"}, 3, Small{2, nil, 6, all[:2], []int{0, 2}}},
	} {
		if !long {
			s.small.Events--
		}
		for _, name := range s.models {
			m, _ := blackbox.LookupModel(name)
			m.Clients, m.Least = s.small.Clients, s.least
			score := Score{Model: name}
			s.small.Every(func(h checker.History) { score.Add(h, m) })
			t.Logf("%s: %d histories of %d clients and up to %d events, %d legal, %d disagreements",
				name, score.Histories, s.small.Clients, s.small.Events, score.Holds, score.Disagreements)
			if score.Disagreements > 0 || score.Unknown > 0 || score.Violated == 0 {
				t.Errorf("%s: %+v", name, score)
			}
		}
	}
}

// TestADisagreementIsCounted gives the judge of a semaphore for that of a mutex.
func TestADisagreementIsCounted(t *testing.T) {
	m, _ := blackbox.LookupModel("semaphore")
	m.Name = "mutex"
	if s := Compare(m, 1, 300); s.Disagreements == 0 || s.Disagreements == s.Histories || s.First == nil || s.Holds+s.Violated != 300 {
		t.Errorf("%+v", s)
	}
}

// What closes an operation need not name its lock again: it makes no difference to what a failed release ends.
func TestAFailedReleaseIsOfTheLockThatItsInvokeNames(t *testing.T) {
	for _, m := range blackbox.Models {
		differ, ended := 0, 0
		for seed := range uint64(2000) {
			h, model := Draw(m, seed, Smallest+int(seed%Sizes))
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
			t.Errorf("%s: %d of 2000 get another verdict without the names", m.Name, differ)
		}
		if ended == 0 && strings.Contains("mutex reentrant-mutex fenced-mutex semaphore", m.Name) {
			t.Errorf("%s: no failed release made a difference", m.Name)
		}
	}
}
