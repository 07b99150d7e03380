package campaign

import (
	"slices"
	"sync"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

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
		d.Sums.Add(int(figures[i].Value), len(r.Evidence.Holds))
	}}.Run()
	return d
}
