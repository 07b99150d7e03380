package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// Why a key went, as its node recorded it, agrees with what the trace says that the run did: in every scenario and with
// every mutant.
func TestKeyEndingMatchesTheRun(t *testing.T) {
	r := runner(t)
	seen := map[checker.Cause]int{}
	for _, s := range some(3) {
		all := []scenarios.Scenario{s}
		for _, m := range s.Mutants {
			if mutant, err := s.Mutate(m); err == nil {
				all = append(all, mutant)
			}
		}
		for _, s := range all {
			res := r.Run(&s, 1)
			if res.Evidence.Lanes[0] == "n1" { // elsewhere a lane is no host
				agrees(t, res, res.Evidence.Keys, seen)
			} else {
				agrees(t, res, res.Copies, seen)
			}
			for _, k := range res.Evidence.Keys {
				if (k.To <= res.Evidence.End) != (k.Ended.Cause != checker.Unrecorded) {
					t.Errorf("%s: it is not on record why a key went: %+v", s.ID, k)
				}
				seen[k.Ended.Cause]++
			}
		}
	}
	for c := checker.Expired; c <= checker.Superseded; c++ {
		if seen[c] == 0 && c != checker.Failed { // which our locks never do
			t.Errorf("no key ended by cause %d", c)
		}
	}
}

// agrees compares the keys of nodes with the trace.
func agrees(t *testing.T, r *scenarios.Result, keys []checker.Span, seen map[checker.Cause]int) {
	t.Helper()
	if len(keys) == 0 {
		return
	}
	e := r.Evidence
	type moment struct {
		from, host int // from: of a message; of any other event the host itself
		at         clock.Instant
		what       sim.Kind
	}
	events := map[moment]bool{}
	for _, v := range r.Trace {
		if v.Kind == sim.Stepped || v.Kind == sim.Started {
			events[moment{int(v.Host), int(v.Host), v.At, v.Kind}] = true
		}
	}
	for _, m := range r.Messages() {
		if !m.Reply {
			events[moment{m.From, m.To, m.Arrived, sim.Sent}] = true
		}
	}
	happened := func(host int, at clock.Instant, what sim.Kind) bool { return events[moment{host, host, at, what}] }
	// blamed reports whether the fault names the node, or a role that it fills.
	blamed := func(k *checker.Span) bool {
		return k.Ended.Strike >= 0 && e.Strikes[k.Ended.Strike].From <= k.To && strings.Contains(e.Strikes[k.Ended.Strike].Fault, r.Hosts[k.Lane])
	}
	for i := range keys {
		k := &keys[i]
		seen[k.Ended.Cause]++
		ok := true
		switch k.Ended.Cause {
		case checker.Expired:
			ok = !happened(k.Lane, k.To, sim.Stepped) && (k.Ended.Strike < 0 || blamed(k))
		case checker.Stepped:
			ok = happened(k.Lane, k.To, sim.Stepped) && k.Ended.Gained > 0 && blamed(k)
		case checker.Deleted, checker.Overwritten:
			ok = events[moment{r.Scenario.Nodes + 1 + k.Ended.Client, k.Lane, k.To, sim.Sent}]
		case checker.Lost:
			ok = happened(k.Lane, k.To, sim.Started) && blamed(k)
		}
		if k.Ended.Cause == checker.Overwritten {
			ok = ok && slices.ContainsFunc(keys, func(o checker.Span) bool { return o.Lane == k.Lane && o.From == k.To && o.Token != k.Token })
		}
		if !ok {
			t.Errorf("%s: the trace knows nothing of the end of %+v", r.Scenario.ID, *k)
		}
	}
}
