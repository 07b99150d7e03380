package scenarios_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A client whose validity has passed stops, and is paused before anyone learns of it. It no longer acts as the holder,
// so a client that acquires the lock meanwhile is the only one.
func TestPausedClientThatGaveUpHoldsNothing(t *testing.T) {
	s := find(t, "kleppmann/gc-pause")
	schedule, err := faults.Parse("when c1 gave-up pause c1 for 15s")
	if err != nil {
		t.Fatal(err)
	}
	s.Faults, s.Horizon = schedule, time.Hour
	s.Work.StopAtDeadline, s.Work.Work = true, sim.Range{Min: 12 * time.Second, Max: 13 * time.Second}
	taken := 0
	for seed := range uint64(10) {
		r := scenarios.Run(s, seed)
		for _, strike := range r.Evidence.Strikes {
			for _, h := range r.Evidence.Holds {
				if h.Client != 0 && strike.From < h.From && h.From < strike.To {
					taken++
				}
			}
		}
		for _, f := range r.Findings {
			if f.Property == "belief" && f.Verdict != checker.Holds {
				t.Errorf("seed %d: belief is %v: %s", seed, f.Verdict, r.Evidence.Explain(f))
			}
		}
	}
	if taken < 5 {
		t.Errorf("another client took the lock %d times during the pause: too little is put to the test", taken)
	}
}

// Tokens must rise in the order in which clients asked for them, and the answer may come long after. So the evidence
// has the moment when the client sent its first request to count.
func TestTokenIsRequestedBeforeItIsCounted(t *testing.T) {
	for _, source := range []scenarios.FencingSource{scenarios.OnNode, scenarios.OnNodes} {
		s := find(t, "fencing/diverging-counters")
		s.Fencing.Source, s.Fencing.Node = source, 1
		r := scenarios.Run(s, 1)
		if len(r.Evidence.Holds) < 2 {
			t.Fatalf("%d holds", len(r.Evidence.Holds))
		}
		for _, h := range r.Evidence.Holds {
			sent := counted(r, h.Client, r.Evidence.Tries[h.Try].From)
			if late := sent.Sub(h.Asked); sent > h.From || late < 0 || late > time.Millisecond {
				t.Errorf("source %v: asked at %v, sent at %v, acquired at %v", source, h.Asked, sent, h.From)
			}
		}
	}
}

// counted returns when a client first sent a request to count, from an instant on.
func counted(r *scenarios.Result, client int, from clock.Instant) clock.Instant {
	for _, e := range r.Trace {
		args, _ := e.Body.([]string)
		if e.Kind == sim.Sent && e.At >= from && r.Hosts[e.Host] == fmt.Sprint("c", client+1) && slices.Equal(args, []string{"INCR", platform.FenceKey}) {
			return e.At
		}
	}
	return clock.Forever
}
