package blackbox

import (
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/checkertest"
)

// excerptStories: the ops that are left are given by index.
var excerptStories = []struct {
	name, model, history string
	want                 []int
}{
	{"nothing is left out of a bare conflict", "mutex", "0 acquire, 0 ok, 1 acquire, 1 ok", []int{0, 1, 2, 3}},
	{"the end is left out", "mutex", "0 acquire, 0 ok, 1 acquire, 1 ok, 1 release, 1 ok, 0 release, 0 ok", []int{0, 1, 2, 3}},
	{"whole holds are left out", "mutex", "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok, 2 acquire, 2 ok", []int{4, 5, 6, 7}},
	{"a release is never left out alone", "mutex",
		"0 acquire, 0 ok, 0 release, 0 ok, 0 acquire, 0 ok, 1 acquire, 1 ok", []int{4, 5, 6, 7}},
	{"an unknown release goes with its hold", "mutex",
		"0 acquire, 0 ok, 0 release, 0 info, 1 acquire, 1 ok, 2 acquire, 2 ok", []int{4, 5, 6, 7}},
	{"what fails goes", "mutex", "2 acquire, 0 acquire, 0 ok, 2 fail, 1 acquire, 1 ok", []int{1, 2, 4, 5}},
	{"released twice", "mutex", "0 acquire, 0 ok, 0 release, 0 ok, 0 release, 0 ok", []int{4, 5}},
	{"three holders of two permits", "semaphore",
		"0 acquire, 0 ok, 0 release, 0 ok, 0 acquire, 0 ok, 1 acquire, 1 ok, 2 acquire, 2 ok", []int{4, 5, 6, 7, 8, 9}},
	{"a writer reads, and the one before has gone", "rwlock",
		"0 acquire, 0 ok, 0 acquire shared, 0 ok, 0 release, 0 ok, 0 release, 0 ok, 2 acquire shared, 2 ok, 1 acquire, 1 ok", []int{8, 9, 10, 11}},
	{"a smaller token", "fenced-mutex",
		"0 acquire, 0 ok f5, 0 release, 0 ok, 1 acquire, 1 ok f6, 1 release, 1 ok, 2 acquire, 2 ok f4", []int{4, 5, 6, 7, 8, 9}},
	{"renewed after it was granted away", "lease",
		"0 acquire, 0 ok, 0 renew, 0 ok, 2 acquire, 2 ok, 2 release, 2 ok, 0 renew, 0 ok", []int{0, 1, 4, 5, 8, 9}},
	{"a stale read; the writes must stay", "register",
		"0 write, 0 ok v1, 1 read, 1 ok v1, 2 write, 2 ok v2, 1 read, 1 ok v1, 2 read, 2 ok v2", []int{0, 1, 4, 5, 6, 7}},
	{"the reads go, the writes stay", "cas-register",
		"0 write d1, 0 ok, 1 read, 1 ok d1, 1 cas e1 d2, 1 ok, 2 read, 2 ok d1", []int{0, 1, 4, 5, 6, 7}},
	{"only of the lock in question", "mutex",
		"2 acquire lx, 2 ok, 0 acquire ly, 0 ok, 3 acquire lz, 3 ok, 1 acquire ly, 1 ok, 2 release lx, 2 ok", []int{2, 3, 6, 7}},
	{"what a client does with another lock is none of this one's", "mutex",
		"0 acquire lx, 0 ok, 0 acquire ly, 0 ok, 0 release lx, 0 ok, 1 acquire ly, 1 ok", []int{2, 3, 6, 7}},
}

func TestAnExcerptLeavesOutWhatNeverMakesAViolation(t *testing.T) {
	for _, s := range excerptStories {
		m, _ := LookupModel(s.model)
		h := checkertest.Parse(t, s.history)
		r := Linearizable(h, m)
		x := Minimize(h, m, r)
		if r.Verdict != checker.Violated || !slices.Equal(x.Ops, s.want) || !x.Minimal || !x.Confirmed || len(r.Ops) == 0 {
			t.Errorf("%s: %v (%+v); want %v", s.name, x.Ops, r, s.want)
		}
	}
}

func TestALegalHistoryHasNoExcerpt(t *testing.T) {
	h := checkertest.Parse(t, "0 acquire, 0 ok")
	x := Minimize(h, Models[0], Linearizable(h, Models[0]))
	if x.Ops != nil || x.Confirmed {
		t.Errorf("%+v", x)
	}
}

// TestAnExcerptOfAMillionOpsIsSoonFound: one of two holders in a million ops, and one that the judge says nothing near
// of.
func TestAnExcerptOfAMillionOpsIsSoonFound(t *testing.T) {
	ops := 1_000_000
	if !long {
		ops = 20_000
	}
	h := orderlyLock(ops)
	for _, p := range []int{998, 999} {
		h = append(h, checker.Op{Index: len(h), Process: p, F: checker.Acquire}, checker.Op{Index: len(h) + 1, Process: p, Type: checker.OK, F: checker.Acquire})
	}
	r := Linearizable(h, Models[0])
	x := Minimize(h, Models[0], r)
	if len(x.Ops) != 4 || !x.Minimal || !x.Confirmed {
		t.Errorf("%v of %+v", x.Ops, r)
	}
	r.Ops = nil // as if a search had found it
	began := time.Now()
	x = Minimize(h, Models[0], r)
	t.Logf("without a hint: %d ops, minimal: %v, %v", len(x.Ops), x.Minimal, time.Since(began))
	if len(x.Ops) != 4 && x.Minimal {
		t.Errorf("%d ops", len(x.Ops))
	}
}

func TestSpentEffortIsReported(t *testing.T) {
	h := checkertest.Parse(t, "0 acquire, 0 ok, 0 release, 0 ok, 1 acquire, 1 ok, 2 acquire, 2 ok")
	m := Models[0]
	for _, effort := range []int{0, 1, 10, 30} {
		x := minimize(h, &m, Result{Verdict: checker.Violated, Model: "mutex"}, effort)
		if judge(x.History, &m).Verdict != checker.Violated || x.Minimal && len(x.Ops) > 4 {
			t.Errorf("with %d: %+v", effort, x)
		}
	}
}
