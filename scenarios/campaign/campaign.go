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
	Drawn    bool                // each seed draws a universe of the scenario
	Scanning bool                // have each run end with a look at the keys that are left

	// Each, if set, is called with every result, on the goroutine of the worker that made it: several at once, in no order.
	// A result is valid until Each returns.
	Each func(*scenarios.Result)

	// Stop, if set, is called before each batch of runs, on any goroutine. If it returns true no more are begun: the tally is
	// then of the first so many seeds.
	Stop func() bool
}

// A Tally is what a campaign found.
type Tally struct {
	Runs       int
	Verdicts   [3]int   // runs by scenarios.Verdict
	Properties []Count  // one for each of checker.Properties
	Sometimes  []Count  // one for each of the scenario's Sometimes
	Unexpected []uint64 // the seeds of the runs that did not pass, in order
	Worst      scenarios.Verdict
	WorstSeed  uint64 // the first seed whose run had that verdict; 0 if all passed
}

// A Count is how often a property had each verdict.
type Count struct {
	Name     string
	Verdicts [3]int // runs by checker.Verdict
}

// batch is how many seeds a worker takes at a time: enough that taking them costs nothing, few enough that the workers
// end together.
const batch = 64

// Run makes the runs and counts. Should one of them panic, Run panics with a Broken.
func (p Plan) Run() Tally {
	var next atomic.Int64
	workers := make([]worker, max(p.Workers, 1))
	if p.Scenario.Hosted() {
		workers = workers[:1] // see Crew.workers
	}
	var wg sync.WaitGroup
	for i := range workers {
		w := &workers[i]
		w.plan, w.next, w.tally = p, &next, p.newTally()
		wg.Go(w.work)
	}
	wg.Wait()
	all := p.newTally()
	var broken *Broken
	for _, w := range workers {
		all.merge(w.tally)
		broken = earlier(broken, w.broken)
	}
	if broken != nil {
		panic(*broken)
	}
	slices.Sort(all.Unexpected)
	return all
}

// A worker makes runs on a goroutine of its own.
type worker struct {
	plan   Plan
	next   *atomic.Int64 // the first run that nobody has taken, shared by all workers
	tally  Tally
	seed   uint64 // of the run it is at
	broken *Broken
}

// work makes batches of runs until none is left.
//
// A panic must not leave the goroutine: it would end the process before the run is named. After one, no more batches are
// begun. All earlier batches have been begun, and are made to their end or to their own panic; so the first
// seed that panics is found, whoever ran it.
func (w *worker) work() {
	defer w.guard()
	r := scenarios.NewRunner()
	defer r.Close()
	r.Scanning = w.plan.Scanning
	var universes *scenarios.Universes
	if w.plan.Drawn {
		universes = w.plan.Scenario.Universes()
	}
	for w.plan.Stop == nil || !w.plan.Stop() {
		from := int(w.next.Add(batch)) - batch
		if from >= w.plan.Runs {
			return
		}
		for i := from; i < min(from+batch, w.plan.Runs); i++ {
			w.seed = w.plan.First + uint64(i)
			s := w.plan.Scenario
			if universes != nil {
				drawn := universes.At(w.seed)
				s = &drawn
			}
			res := r.Run(s, w.seed)
			w.tally.count(res)
			if w.plan.Each != nil {
				w.plan.Each(res)
			}
		}
	}
}

// guard keeps a panic for the caller of Run.
func (w *worker) guard() {
	if r := recover(); r != nil {
		w.next.Store(int64(w.plan.Runs))
		w.broken = BrokenBy(r, w.plan.Scenario.ID, w.seed)
	}
}

// newTally returns an empty tally with a place for everything that is counted.
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

func (t *Tally) count(r *scenarios.Result) {
	t.Runs++
	t.Verdicts[r.Verdict]++
	t.recordVerdict(r.Verdict, r.Seed)
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
