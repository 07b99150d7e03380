package scenarios

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
)

// Vain returns, in a sentence each, which stated faults could harm no lock: their client did not hold it, or no holder
// lost a key after them. It is empty if a promise broke. A user who wants to see what such a fault does has learned
// nothing from the run.
func (r *Result) Vain() (all []string) {
	if slices.ContainsFunc(r.Findings, func(f checker.Finding) bool { return f.Verdict == checker.Violated }) {
		return nil
	}
	for i := range r.Evidence.Strikes {
		s := &r.Evidence.Strikes[i]
		if s.Idle || s.Slight || s.Index < 0 || s.Index >= len(r.Scenario.Faults) || len(s.Hosts) != 1 {
			continue
		}
		f, host := &r.Scenario.Faults[s.Index], s.Hosts[0]
		stopped := map[*faults.Kind]string{
			faults.Pause: "was paused", faults.Suspend: "slept", faults.Crash: "crashed",
		}[f.Kind]
		forgets := f.Kind == faults.Crash || f.Kind == faults.Restart || f.Kind == faults.Jump
		switch {
		case strings.HasPrefix(host, "c") && stopped != "" && !r.hadLock(host, s):
			all = append(all, host+" did not hold the lock when it "+stopped)
		case strings.HasPrefix(host, "n") && f.When.Name != "" && forgets && !r.lostKey(s):
			all = append(all, "no holder lost a key when a node was hit")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// hadLock reports whether a client held the lock, or one of its attempts had a key, at some time of a fault.
func (r *Result) hadLock(host string, s *checker.Strike) bool {
	is := func(client int) bool { return "c"+strconv.Itoa(client+1) == host }
	tries := r.Evidence.Tries
	return slices.ContainsFunc(r.Evidence.Holds, func(h checker.Hold) bool {
		return is(h.Client) && h.From <= s.To && s.From <= max(h.Gone, h.Valid)
	}) || slices.ContainsFunc(r.Evidence.Keys, func(k checker.Span) bool {
		owner := slices.IndexFunc(tries, func(t checker.Try) bool { return t.Token == k.Token })
		mine := owner < 0 || is(tries[owner].Client) // a try that a crash ended has no token
		return mine && k.From <= s.To && s.From <= k.To
	})
}

// lostKey reports whether, from a fault on, a key went before its TTL ended, while its holder counted on it.
func (r *Result) lostKey(s *checker.Strike) bool {
	causes := []checker.Cause{checker.Lost, checker.Stepped, checker.Superseded}
	return slices.ContainsFunc(r.Evidence.Keys, func(k checker.Span) bool {
		return slices.Contains(causes, k.Ended.Cause) && s.From <= k.To &&
			slices.ContainsFunc(r.Evidence.Holds, func(h checker.Hold) bool {
				return h.Token == k.Token && k.To < max(h.Gone, h.Valid)
			})
	})
}
