package scenarios_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// believer asks the evidence, after the run, who held the lock at an instant: of the clients that acted as holders
// then, the one that began last. A hold that ended just then counts if it was the fault that ended it.
func believer(e *checker.Evidence, at clock.Instant, ended bool) string {
	name, since := "nobody", clock.Instant(-1)
	for _, h := range e.Holds {
		if h.From <= at && (at < h.Gone || ended && at == h.Gone) && h.From > since {
			name, since = fmt.Sprintf("c%d", h.Client+1), h.From
		}
	}
	return name
}

// A fault of the holder hits the client that acts as holder. If two do, it hits the last. It also hits one that has
// died as the holder.
func TestHolderIsTheLastClientToActAsOne(t *testing.T) {
	schedule, err := faults.Parse("when any acquired 2nd pause holder for 15s\nat 15.1s crash holder\nwhen any acquired 5th crash holder\n" +
		strings.Repeat("when any acquired 4th +5ms pause holder for 11s\n", 2))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 { // the probes: they do nothing to speak of
		schedule = append(schedule, faults.Fault{
			At: clock.Instant(i) * 397_000_000, For: 1, Kind: faults.Drift, Host: faults.Holder, Rate: 1,
		})
	}
	s := find(t, "kleppmann/gc-pause")
	s.Faults, s.Clients = schedule, 4
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	met, two := map[string]int{}, 0
	for seed := range uint64(30) {
		r := scenarios.Run(s, seed)
		for _, strike := range r.Evidence.Strikes {
			want := believer(r.Evidence, strike.From, schedule[strike.Index].Kind == faults.Crash)
			if !strings.Contains(strike.Fault, "holder="+want) {
				t.Fatalf("seed %d: “%s” struck at %s, when %s was the holder", seed, strike.Fault, strike.From, want)
			}
			met[want]++
		}
		for _, f := range r.Findings {
			if f.Property == "belief" && f.Verdict == checker.Violated {
				two++
			}
		}
	}
	if len(met) < 4 || two < 10 {
		t.Errorf("struck %v, and two believed to hold it in %d runs: too little is put to the test", met, two)
	}
}
