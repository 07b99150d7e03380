package blackbox_test

import (
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
)

func drawn(m blackbox.Model, n int) (checker.History, blackbox.Model) {
	h, m := drawHistory(m, uint64(n)*7919+11, 8+n%30)
	for i := range h {
		h[i].Lock = "" // the rules of minimizing are about one lock
	}
	return h, m
}

// TestLeavingOutAUnitNeverMakesAViolation: of legal histories, whatever group or end is left out.
func TestLeavingOutAUnitNeverMakesAViolation(t *testing.T) {
	t.Parallel()
	histories := 4000
	if !long {
		histories = 150
	}
	for _, m := range blackbox.Models {
		legal, tried := 0, 0
		for n := range histories {
			h, m := drawn(m, n)
			if !isLegal(h, m) {
				continue
			}
			legal++
			for _, less := range blackbox.Removals(h, m) {
				tried++
				if !isLegal(less, m) {
					t.Fatalf("%s (%+v): legal:\n%s\nnot without a unit:\n%s", m.Name, m, codec.AppendJSON(nil, h), codec.AppendJSON(nil, less))
				}
			}
		}
		t.Logf("%s: %d legal histories, %d times something was left out", m.Name, legal, tried)
		if legal < histories/10 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
}

// TestLeavingOutAUnitOfASmallHistory: of every legal one, after beginnings that make the most of unknown outcomes.
func TestLeavingOutAUnitOfASmallHistory(t *testing.T) {
	t.Parallel()
	op := func(process int, f checker.Func, t checker.Type) []checker.Op {
		return []checker.Op{{Process: process, F: f}, {Process: process, F: f, Type: t}}
	}
	begun := func(parts ...[]checker.Op) (h checker.History) {
		h = slices.Concat(parts...)
		for i := range h {
			h[i].Index = i
		}
		return h
	}
	const a, r = checker.Acquire, checker.Release
	locks := []checker.Func{a, r}
	for _, s := range []struct {
		models []string
		least  time.Duration
		small  smallHistories
	}{
		{[]string{"mutex", "lease", "reentrant-mutex", "semaphore", "reentrant-fenced-mutex"}, 0, smallHistories{Clients: 2, Begin: nil, Events: 6, Funcs: locks, Ticks: []int{0}}},
		{[]string{"mutex", "lease", "semaphore"}, 0, smallHistories{Clients: 2, Begin: begun(op(0, a, checker.OK), op(0, r, checker.Info)), Events: 6, Funcs: locks, Ticks: []int{0}}},
		{[]string{"mutex", "reentrant-mutex", "semaphore"}, 0, smallHistories{Clients: 2, Begin: begun(op(0, a, checker.OK), op(0, r, checker.Info), op(2, r, checker.Info)), Events: 6, Funcs: locks, Ticks: []int{0}}},
		{[]string{"mutex", "lease", "semaphore"}, 0, smallHistories{Clients: 2, Begin: begun(op(0, a, checker.Info), op(2, a, checker.OK)), Events: 6, Funcs: locks, Ticks: []int{0}}},
		{[]string{"rwlock"}, 0, smallHistories{Clients: 2, Begin: begin("Ao So Ro"), Events: 4, Funcs: locks, Shared: true, Ticks: []int{0}}},
		{[]string{"lease-timed"}, 2, smallHistories{Clients: 2, Begin: begun(op(0, a, checker.OK), op(0, r, checker.Info)), Events: 4, Funcs: locks, Ticks: []int{0, 3}}},
	} {
		for _, name := range s.models {
			m, _ := blackbox.LookupModel(name)
			m.Clients, m.Least = s.small.Clients, s.least
			if !long {
				s.small.Events = min(s.small.Events, 4)
			}
			legal, tried := 0, 0
			s.small.every(func(h checker.History) {
				if len(h) < len(s.small.Begin)+s.small.Events || !isLegal(h, m) {
					return
				}
				legal++
				for _, less := range blackbox.Removals(h, m) {
					tried++
					if !isLegal(less, m) {
						t.Fatalf("%s (%+v): legal:\n%s\nnot without a unit:\n%s", name, m, codec.AppendJSON(nil, h), codec.AppendJSON(nil, less))
					}
				}
			})
			t.Logf("%s: %d legal histories, %d times something was left out", name, legal, tried)
		}
	}
}

// TestAnExcerptViolatesAndNothingOfItCanBeLeftOut: by the oracle, of violated histories of every model.
func TestAnExcerptViolatesAndNothingOfItCanBeLeftOut(t *testing.T) {
	t.Parallel()
	histories := 3000
	if !long {
		histories = 300
	}
	for _, m := range blackbox.Models {
		violated, before, after := 0, 0, 0
		for n := range histories {
			h, m := drawHistory(m, uint64(n)*104729+3, 8+n%30)
			r := blackbox.Linearizable(h, m)
			if r.Verdict != checker.Violated {
				continue
			}
			x := blackbox.Minimize(h, m, r)
			violated, before, after = violated+1, before+len(h), after+len(x.Ops)
			if !x.Minimal || !x.Confirmed || len(r.Ops) == 0 || !slices.IsSorted(x.Ops) || isLegal(x.History, m) {
				t.Fatalf("%s: %+v, of\n%s", m.Name, x, codec.AppendJSON(nil, h))
			}
			for i, at := range x.Ops {
				if o := h[at]; o.F != x.History[i].F || o.Process != x.History[i].Process || o.Lock != x.History[i].Lock {
					t.Fatalf("%s: op %d is not op %d", m.Name, i, at)
				}
			}
			for _, less := range blackbox.Removals(x.History, m) {
				if !isLegal(less, m) {
					t.Fatalf("%s (%+v): of\n%s\nthere is left\n%s\nwhere less would do:\n%s", m.Name, m,
						codec.AppendJSON(nil, h), codec.AppendJSON(nil, x.History), codec.AppendJSON(nil, less))
				}
			}
		}
		t.Logf("%s: %d violated histories of %d ops in all, excerpts of %d", m.Name, violated, before, after)
		if violated < histories/20 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
}
