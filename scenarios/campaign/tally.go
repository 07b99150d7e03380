package campaign

import (
	"cmp"
	"slices"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Plan is many runs of one scenario.
type Plan struct {
	Scenario *scenarios.Scenario // must have passed Check
	First    uint64              // the first seed
	Runs     int                 // how many consecutive seeds
	Workers  int                 // how many run in parallel
	Drawn    bool                // each seed chooses a universe of the scenario

	// Each, if set, is called with every result, on the goroutine of the worker that made it: several in parallel, in
	// no order. A result is valid until Each returns.
	Each func(*scenarios.Result)

	// Stop, if set, is called before each batch of runs, on any goroutine, one at a time. If it returns true no more
	// begin: the tally then covers the first seeds only.
	Stop func() bool

	// Batch is how many runs a worker makes between two calls of Stop: 64 if it is 0, enough that taking them costs
	// nothing, few enough that the workers end together. A plan that a clock stops needs 1.
	Batch int
}

// A Tally is the result of a Plan.
type Tally struct {
	Runs       int
	Verdicts   [3]int      // runs by scenarios.Verdict
	Properties []Frequency // one for each of checker.Properties
	Views      []Frequency // one for each view of a black box that the scenario has, named as in scenarios.Judged
	Sometimes  []Frequency // one for each of the scenario's Sometimes
	Unexpected []uint64    // the seeds of the runs that did not pass, in order
	Worst      scenarios.Verdict
	WorstSeed  uint64 // the first seed whose run had that verdict; 0 if all passed
}

const usualBatch = 64

// Run makes the runs and counts. If one of them panics, Run panics with a Broken.
func (p Plan) Run() Tally {
	all, workers := NewTally(p.Scenario), p.Workers
	if p.Scenario.Hosted() {
		workers = 1 // as in Job.Engine
	}
	p.Batch = cmp.Or(p.Batch, usualBatch)
	e := Engine[Tally]{
		Workers: workers, Pieces: Range(0, (p.Runs+p.Batch-1)/p.Batch), NewWorker: p.newWorker, Stop: p.Stop,
		Done: func(_ int, t Tally) (bool, error) { all.merge(t); return true, nil },
	}
	e.run()
	slices.Sort(all.Unexpected)
	return all
}

// newWorker returns a worker that makes the runs of batches, and counts each batch.
func (p Plan) newWorker() Worker[Tally] {
	runner, seed := scenarios.NewRunner(), uint64(0)
	var universes *scenarios.Universes
	if p.Drawn {
		universes = p.Scenario.Universes()
	}
	run := func(piece int) Tally {
		t := NewTally(p.Scenario)
		for i := piece * p.Batch; i < min((piece+1)*p.Batch, p.Runs); i++ {
			seed = p.First + uint64(i)
			s := p.Scenario
			if universes != nil {
				drawn := universes.At(seed)
				s = &drawn
			}
			r := runner.Run(s, seed)
			row := RowOf(r)
			t.count(&row)
			if p.Each != nil {
				p.Each(r)
			}
		}
		return t
	}
	return Worker[Tally]{Make: run, At: func() (string, uint64) { return p.Scenario.ID, seed }, Close: runner.Close}
}

// NewTally returns an empty tally of a scenario, with a place for everything that is counted.
func NewTally(s *scenarios.Scenario) Tally {
	t := Tally{Worst: scenarios.Pass}
	for _, property := range s.Promises() {
		t.Properties = append(t.Properties, Frequency{Name: property.Name})
	}
	t.Views = views(s)
	for _, name := range s.Sometimes {
		t.Sometimes = append(t.Sometimes, Frequency{Name: name})
	}
	return t
}

// views returns a place for each view of a black box that the runs of a scenario have.
func views(s *scenarios.Scenario) (all []Frequency) {
	for _, m := range s.Views() {
		all = append(all, Frequency{Name: scenarios.BlackBox + "." + m.Name})
	}
	return all
}

// Count counts rows of the scenario. There is always more to count, and no error.
func (t *Tally) Count(_ int, rows []Row) (more bool, err error) {
	for i := range rows {
		t.count(&rows[i])
	}
	return true, nil
}

func (t *Tally) count(r *Row) {
	t.Runs++
	t.Verdicts[r.Verdict]++
	t.recordVerdict(r.Verdict, r.Seed)
	for i := range t.Properties {
		t.Properties[i].Add(r.Of(i))
		if r.Untested.Has(i) {
			t.Properties[i].Untested++
		}
	}
	for i, v := range t.Views {
		t.Views[i].Add(r.Of(slices.Index(judged, v.Name)))
	}
	for i := range t.Sometimes {
		t.Sometimes[i].Add(r.sometimes(i))
	}
	if r.Verdict != scenarios.Pass {
		t.Unexpected = append(t.Unexpected, r.Seed)
	}
}

// recordVerdict keeps the worst verdict, and the seed that first had it.
func (t *Tally) recordVerdict(v scenarios.Verdict, seed uint64) {
	if v > t.Worst || v == t.Worst && v != scenarios.Pass && seed < t.WorstSeed {
		t.Worst, t.WorstSeed = v, seed
	}
}

func (t *Tally) merge(o Tally) {
	t.Runs += o.Runs
	t.recordVerdict(o.Worst, o.WorstSeed)
	for v, n := range o.Verdicts {
		t.Verdicts[v] += n
	}
	mergeFrequencies(t.Properties, o.Properties)
	mergeFrequencies(t.Views, o.Views)
	mergeFrequencies(t.Sometimes, o.Sometimes)
	t.Unexpected = append(t.Unexpected, o.Unexpected...)
}
