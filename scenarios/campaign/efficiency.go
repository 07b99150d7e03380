package campaign

import (
	"slices"
	"strings"
	"sync"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// efficiencyBase is the scenario of the workers that want the same job done.
const efficiencyBase = "efficiency/dedup"

// Guards are the locks whose duplicates are counted: that of efficiency/dedup, and what else people choose.
var Guards = []Variant{
	{Name: "single", About: "SET NX PX on one node"},
	{Name: "redlock", About: "the same on five nodes, and a majority decides", Set: []string{"lock.kind=redlock", "nodes=5"}},
	{Name: "redisson", About: "a lock with a watchdog on one node", Set: []string{"lock.kind=redisson", "lock.renew.every=667ms"}},
}

// EfficiencyRows are the rows of the table of duplicates: no fault, and one class after the other.
var EfficiencyRows = []FaultSet{
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
func (e *Efficiency) Total() int { return e.Runs * len(Guards) * len(EfficiencyRows) }

// A Duplication is what one lock let through under one class of faults.
type Duplication struct {
	Lock, Faults string
	Hit          int        // how many runs had a duplicate
	Sums         stats.Sums // hits are the times that a worker began the job while another was still at it; trials are all times
}

// Run counts, lock by lock.
func (e *Efficiency) Run() []Duplication {
	var all []Duplication
	for i := range Guards {
		for _, h := range EfficiencyRows {
			all = append(all, e.count(&Guards[i], h))
		}
	}
	return all
}

func (e *Efficiency) count(v *Variant, h FaultSet) Duplication {
	s, d := dedup(v, h), Duplication{Lock: v.Name, Faults: h.Name}
	judge := checker.Judge{Unchecked: true}
	var mutex sync.Mutex
	Plan{Scenario: &s, First: e.First, Runs: e.Runs, Workers: e.Workers, Drawn: true, Each: func(r *scenarios.Result) {
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

func dedup(v *Variant, h FaultSet) scenarios.Scenario {
	s, _ := scenarios.Find(efficiencyBase)
	for _, set := range slices.Concat(v.Set, h.Set) {
		if err := s.Set(set); err != nil {
			panic("campaign: " + err.Error()) // a test has been there
		}
		key, _, _ := strings.Cut(set, "=")
		s.Hold(key)
	}
	s.Search.Faults = h.Classes
	return s
}
