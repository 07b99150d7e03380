package campaign_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Kleppmann's pause decides it: without it the update is safe, with it the update is lost whatever the delays are.
func TestPauseDecidesThatAnUpdateIsLost(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	pause := scenarios.Run(s, 1).Evidence.Strikes[0].From
	all := campaign.Decide(&s, 1)
	if len(all) != 2 || all[0].Property != "belief" || all[1].Property != "storage" {
		t.Fatalf("got %+v", all)
	}
	for _, d := range all {
		at, before := d.Shares[d.Decided], d.Shares[d.Decided-1]
		if at.At != pause || at.Broken != d.Of || before.Broken != 0 || d.Of != 100 {
			t.Errorf("%s is decided at %+v of %d, after %+v; the pause began at %s", d.Property, at, d.Of, before, pause)
		}
	}
	if again := campaign.Decide(&s, 1); !reflect.DeepEqual(again, all) {
		t.Errorf("the second time the decision differs: %+v", again)
	}
}

// Where chance decides, the share rises bit by bit, and no fault is named.
func TestChanceDecidesWithoutAFault(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	if s.Faults = nil; s.Set("work.work=9s..14s") != nil || s.Set("work.stagger=0s") != nil {
		t.Fatal("the settings have other names")
	}
	for seed := uint64(1); ; seed++ {
		res := scenarios.Run(s, seed)
		i := slices.IndexFunc(res.Findings, func(f checker.Finding) bool { return f.Verdict == checker.Violated })
		if i < 0 {
			continue
		}
		d := campaign.Decide(&s, seed)[0]
		if first := d.Shares[0].Broken; d.Decided == 0 || first == 0 || first == d.Of {
			t.Errorf("seed %d: %+v", seed, d)
		}
		marked := slices.ContainsFunc(res.Trace, func(e sim.Event) bool {
			return e.Kind == sim.Marked && e.At == d.Shares[d.Decided].At &&
				d.By == fmt.Sprintf("when %s passed the mark %q", res.Hosts[e.Host], e.Body)
		})
		if !marked {
			t.Errorf("seed %d: at %s nothing says %q", seed, d.Shares[d.Decided].At, d.By)
		}
		return
	}
}

// A run of 18,059 steps is continued from its faults alone, and less often. A run of 175,284 steps is not continued.
func TestLongRunIsContinuedLessOften(t *testing.T) {
	s, _ := scenarios.Find("fencing/counter-unavailable")
	off := scenarios.Run(s, 1).Evidence.Strikes[0].From
	all := campaign.Decide(&s, 1)
	if len(all) != 1 || all[0].Of != 25 || len(all[0].Shares) != 4 || all[0].Shares[2].At != off {
		t.Fatalf("got %+v; the node went off at %s", all, off)
	}
	if d := all[0]; d.Decided != 2 || d.Shares[1].Broken != 0 || d.Shares[2].Broken != d.Of {
		t.Errorf("got %+v", d)
	}
	longer, _ := scenarios.Find("session/jepsen-etcd")
	if longer.Set("work.cycles=100") != nil || longer.Set("horizon=30m") != nil {
		t.Fatal("the settings have other names")
	}
	all = campaign.Decide(&longer, 1)
	if len(all) == 0 || all[0].Of != 0 || all[0].Shares != nil || all[0].Steps < 100_000 {
		t.Errorf("got %+v", all)
	}
}

// A late message can only do harm when it arrives, so the end of the fault that holds it up decides.
func TestEndOfAFaultDecides(t *testing.T) {
	s, _ := scenarios.Find("record/late-release")
	if s.Set("lock.free=delete") != nil {
		t.Fatal("the setting has another name")
	}
	const want = `by the end of the fault "hold c1>n1"`
	if all := campaign.Decide(&s, 1); len(all) == 0 || all[0].Property != "belief" || all[0].By != want {
		t.Errorf("got %+v, want %s", all, want)
	}
}

// A run that keeps its promises has no decision.
func TestKeptPromiseIsNotDecided(t *testing.T) {
	s, _ := scenarios.Find("baseline/single-instance")
	if got := campaign.Decide(&s, 1); got != nil {
		t.Errorf("got %+v", got)
	}
}

// A mutant's violation is decided from the start, or by a fault of its scenario, within one message of the fault's
// begin or end: 72 and 189 violations. The one other is that tokens do not rise with record-read-then-write, where no
// fault is planted: the missing comparison breaks them in 41 of 60 runs from the start. Four clients read the free
// record, and each writes the token 1. A token does not rise if a write arrives after another client knows that it has
// the lock. The delay of the last write is fixed when it is sent. So its sending decides: 44 of 60 runs before, 60 of
// 60 after.
func TestPlantedFaultDecidesForMutants(t *testing.T) {
	need.Long(t)
	const message = time.Millisecond
	start, fault := 0, 0
	for _, s := range scenarios.Catalogue() {
		for _, m := range s.Mutants {
			planted, err := s.Mutate(m)
			if err != nil {
				t.Fatal(err)
			}
			strikes := scenarios.Run(planted, 1).Evidence.Strikes
			for _, d := range campaign.Decide(&planted, 1) {
				at := d.Shares[d.Decided].At
				switch {
				case at == 0:
					start++
				case slices.ContainsFunc(strikes, func(x checker.Strike) bool {
					return 0 <= at.Sub(x.From) && at.Sub(x.From) <= message || 0 <= at.Sub(x.To) && at.Sub(x.To) <= message
				}):
					fault++
				case m.Name != "record-read-then-write":
					t.Errorf("%s, %s: %s is decided at %s", s.ID, m.Name, d.Property, at)
				}
			}
		}
	}
	t.Logf("%d decided by a fault, %d from the start", fault, start)
}
