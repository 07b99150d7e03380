package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
)

// Vain returns, in a sentence each, which stated faults hit and could not harm a lock, because their client did not
// hold it, or no holder lost a key by them. It is empty for a run in which a promise broke. A user who wants to see
// what such a fault does has learned nothing from the run.
func (r *Result) Vain() (all []string) {
	if slices.ContainsFunc(r.Findings, func(f checker.Finding) bool { return f.Verdict == checker.Violated }) {
		return nil
	}
	for i := range r.Scenario.Faults {
		f := &r.Scenario.Faults[i]
		struck := slices.IndexFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i && !s.Idle && !s.Slight })
		if struck < 0 || len(r.Evidence.Strikes[struck].Hosts) != 1 {
			continue
		}
		s := &r.Evidence.Strikes[struck]
		host := s.Hosts[0]
		switch stopped := stopping(f.Kind); {
		case strings.HasPrefix(host, "c") && stopped != "" && !r.hadLock(host, s):
			all = append(all, host+" did not hold the lock when it "+stopped)
		case strings.HasPrefix(host, "n") && f.When.Name != "" && slices.Contains(forgetting, f.Kind) && !r.lostKey(s):
			all = append(all, "no holder lost a key by \""+s.Fault+"\"")
		}
	}
	return all
}

// stopping says what a fault did that stops a client, after "when it"; "" for any other.
func stopping(k *faults.Kind) string {
	switch k {
	case faults.Pause:
		return "was paused"
	case faults.Suspend:
		return "slept"
	case faults.Crash:
		return "crashed"
	}
	return ""
}

// forgetting are the faults by which a node can lose a key before its TTL ends.
var forgetting = []*faults.Kind{faults.Crash, faults.Restart, faults.Jump}

// hadLock reports whether a client held the lock, or one of its attempts had a key, at some time of a fault.
func (r *Result) hadLock(host string, s *checker.Strike) bool {
	e := r.Evidence
	if slices.ContainsFunc(e.Holds, func(h checker.Hold) bool {
		return hostOf(h.Client) == host && h.From <= s.To && s.From <= max(h.Gone, h.Valid)
	}) {
		return true
	}
	return slices.ContainsFunc(e.Keys, func(k checker.Span) bool {
		if k.To < s.From || s.To < k.From {
			return false
		}
		owner := slices.IndexFunc(e.Tries, func(t checker.Try) bool { return t.Token == k.Token })
		return owner < 0 || hostOf(e.Tries[owner].Client) == host // a try that a crash ended has no token
	})
}

// lostKey reports whether, from a fault on, a key went before its TTL ended, while its holder counted on it.
func (r *Result) lostKey(s *checker.Strike) bool {
	e := r.Evidence
	return slices.ContainsFunc(e.Keys, func(k checker.Span) bool {
		lost := k.Ended.Cause == checker.Lost || k.Ended.Cause == checker.Stepped || k.Ended.Cause == checker.Superseded
		return lost && s.From <= k.To && slices.ContainsFunc(e.Holds, func(h checker.Hold) bool {
			return h.Token == k.Token && k.To < max(h.Gone, h.Valid)
		})
	})
}

func hostOf(client int) string { return "c" + strconv.Itoa(client+1) }
