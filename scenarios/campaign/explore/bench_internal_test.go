package explore

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

// BenchmarkExplore explores redlock/small with one message and one pause. It also runs the scenario as run --runs
// does, alternating, so that other load slows both alike. "x" is how many schedules are run in the time of one such
// run. "factor" is how many schedules there are for each one that both reductions leave, where three messages are
// late by a tick and the holder is busy.
func BenchmarkExplore(b *testing.B) {
	defer debug.SetGCPercent(debug.SetGCPercent(scenarios.GCPercent))
	s, _ := scenarios.Find("redlock/small")
	u := bounded(b, &s)
	few := s
	if err := few.Set("work.work=18ms..18ms"); err != nil {
		b.Fatal(err)
	}
	few.Explore = scenarios.Explore{Late: []scenarios.Value{"1ms"}, Deviations: 3}
	all := last((&Exploration{Universe: bounded(b, &few, withoutMerging, withoutSymmetry)}).Run())
	less := last((&Exploration{Universe: bounded(b, &few)}).Run())
	plain := scenarios.NewRunner()
	defer plain.Close()
	var exploring, running time.Duration
	var c Extent
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		began := time.Now()
		c = last((&Exploration{Universe: u}).Run())
		half := time.Now()
		for seed := range uint64(c.Schedules) {
			plain.Run(&s, seed+1)
		}
		exploring += half.Sub(began)
		running += time.Since(half)
	}
	n := float64(b.N)
	b.ReportMetric(float64(running)/float64(exploring), "x")
	b.ReportMetric(n*float64(c.Schedules)/exploring.Seconds(), "schedules/s")
	b.ReportMetric(n*float64(c.States)/exploring.Seconds(), "states/s")
	b.ReportMetric(float64(all.Schedules)/float64(less.Schedules), "factor")
	b.ReportMetric(perState(u), "B/state")
}

func bounded(b *testing.B, s *scenarios.Scenario, options ...option) *Universe {
	b.Helper()
	u, err := newWith(s, options...)
	if err != nil {
		b.Fatal(err)
	}
	return u
}

func last(r *Report) Extent { return r.Counts[len(r.Counts)-1] }

// perState returns how many bytes a state takes that is known.
func perState(u *Universe) float64 {
	r := newRunner(u)
	defer r.close()
	t := r.newTrunk()
	before := live()
	known := newStates(nil)
	for s := range t.states.spent { // order: a set is as large in any order
		known.add([]uint64{s}, 1)
	}
	bytes := live() - before
	runtime.KeepAlive(t)
	return float64(bytes) / float64(len(known.spent))
}

func live() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
