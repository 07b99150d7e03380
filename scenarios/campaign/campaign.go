package campaign

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Plan is many runs of one scenario.
type Plan struct {
	Scenario *scenarios.Scenario // must have passed Check
	First    uint64              // the first seed
	Runs     int                 // how many consecutive seeds
	Workers  int                 // how many run side by side
}

// A Tally is what a campaign found.
type Tally struct {
	Runs       int
	Verdicts   [3]int   // runs by scenarios.Verdict
	Properties []Count  // one for each of checker.Properties
	Sometimes  []Count  // one for each of the scenario's Sometimes
	Unexpected []uint64 // the seeds of the runs that did not pass, in order
	Worst      scenarios.Verdict
}

// A Count is how often a property had each verdict.
type Count struct {
	Name     string
	Verdicts [3]int // runs by checker.Verdict
}

// batch is how many seeds a worker takes at a time: enough that taking them costs nothing, few enough that the workers
// end together.
const batch = 64

// Run makes the runs and counts.
func (p Plan) Run() Tally {
	var next atomic.Int64
	tallies := make([]Tally, max(p.Workers, 1))
	var wg sync.WaitGroup
	for i := range tallies {
		wg.Go(func() { tallies[i] = p.work(&next) })
	}
	wg.Wait()
	all := p.newTally()
	for _, t := range tallies {
		all.merge(t)
	}
	slices.Sort(all.Unexpected)
	return all
}

// work makes batches of runs until none is left.
func (p Plan) work(next *atomic.Int64) Tally {
	r := scenarios.NewRunner()
	defer r.Close()
	t := p.newTally()
	for {
		from := int(next.Add(batch)) - batch
		if from >= p.Runs {
			return t
		}
		for i := from; i < min(from+batch, p.Runs); i++ {
			t.count(r.Run(p.Scenario, p.First+uint64(i)))
		}
	}
}

// newTally gives an empty tally with a place for everything that is counted.
func (p Plan) newTally() Tally {
	t := Tally{Worst: scenarios.Pass}
	for _, property := range checker.Properties {
		t.Properties = append(t.Properties, Count{Name: property.Name})
	}
	for _, name := range p.Scenario.Sometimes {
		t.Sometimes = append(t.Sometimes, Count{Name: name})
	}
	return t
}

// count adds one run.
func (t *Tally) count(r *scenarios.Result) {
	t.Runs++
	t.Verdicts[r.Verdict]++
	t.Worst = max(t.Worst, r.Verdict)
	for i, f := range r.Findings {
		t.Properties[i].Verdicts[f.Verdict]++
	}
	for i, f := range r.Seen {
		t.Sometimes[i].Verdicts[f.Verdict]++
	}
	if r.Verdict != scenarios.Pass {
		t.Unexpected = append(t.Unexpected, r.Seed)
	}
}

// merge adds another tally.
func (t *Tally) merge(o Tally) {
	t.Runs += o.Runs
	t.Worst = max(t.Worst, o.Worst)
	for v, n := range o.Verdicts {
		t.Verdicts[v] += n
	}
	mergeCounts(t.Properties, o.Properties)
	mergeCounts(t.Sometimes, o.Sometimes)
	t.Unexpected = append(t.Unexpected, o.Unexpected...)
}

func mergeCounts(into, from []Count) {
	for i := range into {
		for v, n := range from[i].Verdicts {
			into[i].Verdicts[v] += n
		}
	}
}
