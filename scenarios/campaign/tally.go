package campaign

import (
	"slices"
	"sync"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
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

	// Stop, if set, is called before each batch of runs, on any goroutine, one at a time. If it returns true no more are begun:
	// the tally is then of the first so many seeds.
	Stop func() bool
}

// A Tally is what a campaign found.
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

// batch is how many seeds a worker takes at a time: enough that taking them costs nothing, few enough that the workers
// end together.
const batch = 64

// Run makes the runs and counts. Should one of them panic, Run panics with a Broken.
func (p Plan) Run() Tally {
	all, workers := NewTally(p.Scenario), p.Workers
	if p.Scenario.Hosted() {
		workers = 1 // as in Job.Engine
	}
	e := Engine[Tally]{
		Workers: workers, Pieces: Range(0, (p.Runs+batch-1)/batch), NewWorker: p.newWorker, Stop: p.Stop,
		Done: func(_ int, t Tally) (bool, error) { all.merge(t); return true, nil },
	}
	e.run()
	slices.Sort(all.Unexpected)
	return all
}

// newWorker returns a worker that makes the runs of batches, and counts each batch.
func (p Plan) newWorker() Worker[Tally] {
	runner, seed := scenarios.NewRunner(), uint64(0)
	runner.Scanning = p.Scanning
	var universes *scenarios.Universes
	if p.Drawn {
		universes = p.Scenario.Universes()
	}
	run := func(piece int) Tally {
		t := NewTally(p.Scenario)
		for i := piece * batch; i < min((piece+1)*batch, p.Runs); i++ {
			seed = p.First + uint64(i)
			s := p.Scenario
			if universes != nil {
				drawn := universes.At(seed)
				s = &drawn
			}
			r := runner.Run(s, seed)
			t.count(r)
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
	for _, property := range checker.Properties {
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

func (t *Tally) count(r *scenarios.Result) {
	t.Runs++
	t.Verdicts[r.Verdict]++
	t.recordVerdict(r.Verdict, r.Seed)
	for i, f := range r.Findings {
		t.Properties[i].Add(f.Verdict)
	}
	for i, v := range t.Views {
		t.Views[i].Add(r.VerdictOn(v.Name))
	}
	for i, f := range r.Seen {
		t.Sometimes[i].Add(f.Verdict)
	}
	if r.Verdict != scenarios.Pass {
		t.Unexpected = append(t.Unexpected, r.Seed)
	}
}

// Count counts rows of the scenario. A row does not say why something is missing. So it counts as unknown where a promise is
// unknown too, as in a run that was cut short; else it never happened. There is always more to count, and no error.
func (t *Tally) Count(_ int, rows []Row) (more bool, err error) {
	for i := range rows {
		t.countRow(&rows[i])
	}
	return true, nil
}

func (t *Tally) countRow(r *Row) {
	t.Runs++
	t.Verdicts[r.Verdict]++
	t.recordVerdict(r.Verdict, r.Seed)
	for i := range t.Properties {
		t.Properties[i].Add(r.Of(i))
	}
	for i, v := range t.Views {
		t.Views[i].Add(r.Of(slices.Index(judged, v.Name)))
	}
	missing := checker.Violated
	if r.Unknown != 0 {
		missing = checker.Unknown
	}
	for i := range t.Sometimes {
		v := checker.Holds
		if r.Missing.Has(i) {
			v = missing
		}
		t.Sometimes[i].Add(v)
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

// efficiencyBase is the scenario of the workers that want the same job done.
const efficiencyBase = "efficiency/dedup"

// guards are the locks whose duplicates are counted: that of efficiency/dedup, and what else people choose.
var guards = []Variant{
	{Name: "single", About: "SET NX PX on one node"},
	{Name: "redlock", About: "the same on five nodes, and a majority decides", Set: []string{"lock.kind=redlock", "nodes=5"}},
	{Name: "redisson", About: "a lock with a watchdog on one node", Set: []string{"lock.kind=redisson", "lock.renew.every=667ms"}},
}

// efficiencyRows are the rows of the table of duplicates: no fault, and one class after the other.
var efficiencyRows = []FaultSet{
	{Name: "none"},
	{Name: "delay and loss", Classes: classesOf(faults.Slow, faults.Cut)},
	{Name: "pause", Classes: classesOf(faults.Pause, faults.Suspend)},
	{Name: "client crash", Classes: classesOf(faults.Crash)},
	{Name: "node restart, no disk", Classes: classesOf(faults.Restart)},
	{Name: "node restart, aof-always", Classes: classesOf(faults.Restart), Set: []string{"persistence=aof-always"}},
	{Name: "clock step", Classes: classesOf(faults.Jump)},
	{Name: "clock drift", Classes: classesOf(faults.Drift)},
	{Name: "partition", Classes: classesOf(faults.Partition)},
}

// An Efficiency counts how often a job is done twice at the same time, for each lock under each class of faults.
type Efficiency struct {
	First   uint64
	Runs    int // of each cell
	Workers int
	Each    func(*scenarios.Result) // is told of each run, from any goroutine; may be nil
}

// Total returns how many runs all cells take.
func (e *Efficiency) Total() int { return e.Runs * len(guards) * len(efficiencyRows) }

// A Duplication is what one lock let through under one class of faults.
type Duplication struct {
	Lock, Faults string
	Hit          int        // how many runs had a duplicate
	Struck       int        // faults that struck while some client held the lock, in all runs
	Sums         stats.Sums // hits are the times that a worker began the job while another was still at it; trials are all times
}

// Job returns the counting as a job: a cell for each lock and class of faults, lock by lock.
func (e *Efficiency) Job() *Job {
	s, _ := scenarios.Find(efficiencyBase)
	j := &Job{Kind: efficiencyJob, Scenario: &s, First: e.First, Runs: e.Runs, Size: max(e.Runs, 1)}
	for i := range guards {
		for _, h := range efficiencyRows {
			j.Cells = append(j.Cells, guards[i].cell(h))
		}
	}
	return j
}

// Run counts, lock by lock.
func (e *Efficiency) Run() []Duplication {
	j, all := e.Job(), []Duplication{}
	for i := range j.Cells {
		s, err := j.In(i)
		if err != nil {
			panic("campaign: " + err.Error()) // a test has been there
		}
		d := e.count(&s)
		d.Lock, d.Faults = guards[i/len(efficiencyRows)].Name, efficiencyRows[i%len(efficiencyRows)].Name
		all = append(all, d)
	}
	return all
}

// count counts in the universes of one cell.
func (e *Efficiency) count(s *scenarios.Scenario) (d Duplication) {
	judge := checker.Judge{Unchecked: true}
	var mutex sync.Mutex
	Plan{Scenario: s, First: e.First, Runs: e.Runs, Workers: e.Workers, Drawn: true, Each: func(r *scenarios.Result) {
		if e.Each != nil {
			e.Each(r)
		}
		mutex.Lock()
		defer mutex.Unlock()
		figures := judge.Figures(r.Evidence)
		i := slices.IndexFunc(figures, func(f checker.Figure) bool { return f.Name == "overlaps" })
		if figures[i].Value > 0 {
			d.Hit++
		}
		d.Struck += int(figures[struckWhileHeld].Value)
		d.Sums.Add(int(figures[i].Value), len(r.Evidence.Holds))
	}}.Run()
	return d
}
