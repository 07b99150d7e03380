package checker_test

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/oracle"
)

// drawn gives the n-th history for a model; locks apart, for what may be left out is said of one lock.
func drawn(m checker.Model, n int) (checker.History, checker.Model) {
	h, m := oracle.Draw(m, uint64(n)*7919+11, 8+n%30)
	for i := range h {
		h[i].Lock = ""
	}
	return h, m
}

// TestLeavingOutAUnitNeverMakesAViolation: of legal histories, whatever unit or end is left out.
func TestLeavingOutAUnitNeverMakesAViolation(t *testing.T) {
	t.Parallel()
	histories := 4000
	if testing.Short() {
		histories = 800
	}
	for _, m := range checker.Models {
		legal, tried := 0, 0
		for n := range histories {
			h, m := drawn(m, n)
			if !oracle.Legal(h, m) {
				continue
			}
			legal++
			for _, less := range checker.Removals(h, m) {
				tried++
				if !oracle.Legal(less, m) {
					t.Fatalf("%s (%+v): legal:\n%s\nnot without a unit:\n%s", m.Name, m, h.AppendJSON(nil), less.AppendJSON(nil))
				}
			}
		}
		t.Logf("%s: %d legal histories, %d times something was left out", m.Name, legal, tried)
		if legal < histories/10 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
}

// TestAnExcerptViolatesAndNothingOfItCanBeLeftOut: by the oracle, of violated histories of every model.
func TestAnExcerptViolatesAndNothingOfItCanBeLeftOut(t *testing.T) {
	t.Parallel()
	histories := 3000
	if testing.Short() {
		histories = 600
	}
	for _, m := range checker.Models {
		violated, before, after := 0, 0, 0
		for n := range histories {
			h, m := oracle.Draw(m, uint64(n)*104729+3, 8+n%30)
			r := checker.Linearizable(h, m)
			if r.Verdict != checker.Violated {
				continue
			}
			x := checker.Minimal(h, m, r)
			violated, before, after = violated+1, before+len(h), after+len(x.Ops)
			if !x.Minimal || !x.Confirmed || len(r.Ops) == 0 || !slices.IsSorted(x.Ops) || oracle.Legal(x.History, m) {
				t.Fatalf("%s: %+v, of\n%s", m.Name, x, h.AppendJSON(nil))
			}
			for i, at := range x.Ops {
				if o := h[at]; o.F != x.History[i].F || o.Process != x.History[i].Process || o.Lock != x.History[i].Lock {
					t.Fatalf("%s: op %d is not op %d", m.Name, i, at)
				}
			}
			for _, less := range checker.Removals(x.History, m) {
				if !oracle.Legal(less, m) {
					t.Fatalf("%s (%+v): of\n%s\nthere is left\n%s\nwhere less would do:\n%s", m.Name, m,
						h.AppendJSON(nil), x.History.AppendJSON(nil), less.AppendJSON(nil))
				}
			}
		}
		t.Logf("%s: %d violated histories of %d ops in all, excerpts of %d", m.Name, violated, before, after)
		if violated < histories/20 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
}
