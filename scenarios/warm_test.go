package scenarios_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A warm start comes before the run. Nothing of it is recorded, times of faults count from its end, and the same
// promises break.
func TestWarmUpComesBeforeTheRun(t *testing.T) {
	for _, id := range []string{"kleppmann/gc-pause", "kleppmann/clock-jump", "etcd/lock", "redisson/lock", "sql/row-lock", "baseline/fault-free"} {
		s, ok := scenarios.Find(id)
		if !ok {
			continue
		}
		cold := scenarios.Run(s, 1)
		s.Work.Warm = time.Second
		warm := scenarios.Run(s, 1)
		if again := scenarios.Run(s, 1); again.Hash() != warm.Hash() {
			t.Errorf("%s: two runs of one seed differ", id)
		}
		begin := clock.Instant(time.Duration(s.Clients) * s.Work.Warm)
		for i, f := range warm.Findings {
			if f.Verdict != cold.Findings[i].Verdict {
				t.Errorf("%s: %s is %v warm, and %v cold", id, f.Property, f.Verdict, cold.Findings[i].Verdict)
			}
		}
		if warm.Evidence.History[0].Time < begin || len(warm.Evidence.Tries) == 0 {
			t.Errorf("%s: an operation is on record at %v, before %v", id, warm.Evidence.History[0].Time, begin)
		}
		for i, strike := range warm.Evidence.Strikes {
			if at := cold.Scenario.Faults[strike.Index]; at.When.Host == "" && strike.From != begin.Add(time.Duration(at.At)) {
				t.Errorf("%s: strike %d is at %v", id, i, strike.From)
			}
		}
		taken := 0
		for _, key := range warm.Evidence.Keys {
			if key.From < begin {
				taken++
			}
		}
		if taken == 0 {
			t.Errorf("%s: nobody took the lock before %v", id, begin)
		}
	}
}
