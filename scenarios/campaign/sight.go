package campaign

import (
	"slices"
	"sync"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Sighting counts how often each promise breaks in true time, how often a black box sees it, and why it doesn't.
type Sighting struct {
	Scenarios []scenarios.Scenario // must have passed Check; one that has a Search draws a universe for each seed
	First     uint64
	Runs      int // of each scenario
	Workers   int
	Axes      []Axis                  // if set, Scenarios are the cells of their grid, the last axis turning fastest: see Along
	Each      func(*scenarios.Result) // is told of each run, from any goroutine; may be nil
}

// A Sight is what a black box saw of many runs.
type Sight struct {
	Scenario string
	Runs     int
	Promises []Seen // one for each of checker.Properties
	Kept     Seen   // the runs in which all promises held: what is seen there is no promise's breach
}

// Seen counts the runs in which a promise broke, and what a black box saw of them.
type Seen struct {
	Promise string
	Asks    string // the view that asks nearest to the promise; "" if none does
	Broken  int
	Views   []int // of Broken, how often each of blackbox.Views is violated
	Nothing int   // of Broken, how often no view is
	Why     []int // of Broken, how often Asks is not violated, by Reasons
}

// A Reason is why a view does not see that a promise broke.
type Reason int

// The reasons. The first that fits counts.
const (
	NotAsked  Reason = iota // no view asks for it
	NotKnown                // the view is unknown, or the run does not have it
	Closed                  // nobody else acquired before the hold had ended
	StillOpen               // an operation of the conflict had no certain outcome, or was open on both sides of it
	NoReader                // nobody read storage afterwards
	Legal                   // what clients saw is legal: the view asks for less than the promise
)

// Reasons are the words for each Reason, as heads of a table.
var Reasons = [...]string{
	NotAsked: "no view asks", NotKnown: "view not known", Closed: "window closed", StillOpen: "operation open",
	NoReader: "no reader", Legal: "legal",
}

// nearest says which view asks nearest to a promise. The mutex sees more than the lease, and also what breaks no promise, for
// it knows of no deadline: whoever tests a lock that expires must ask for a lease.
func nearest(promise string) string {
	switch promise {
	case "belief", "validity", "quorum", "continuity":
		return "lease"
	case "storage":
		return "register"
	case "fenced":
		return "fenced-register"
	case "tokens":
		return "fenced-mutex"
	}
	return ""
}

// Along sets Scenarios to one scenario with the settings of each cell of a grid.
func (g *Sighting) Along(s *scenarios.Scenario, axes []Axis) error {
	w := &Sweep{Scenario: s, Axes: axes, First: g.First, Runs: g.Runs}
	if err := w.Check(); err != nil {
		return err
	}
	j := w.Job()
	g.Axes, g.Scenarios = axes, nil
	for i, c := range j.Cells {
		cell, err := j.In(i)
		if err != nil {
			return err
		}
		cell.ID += " " + c.String()
		g.Scenarios = append(g.Scenarios, cell)
	}
	return nil
}

// Total returns how many runs all scenarios take.
func (g *Sighting) Total() int { return g.Runs * len(g.Scenarios) }

// Run counts, scenario by scenario.
func (g *Sighting) Run() (all []Sight) {
	for i := range g.Scenarios {
		s := &g.Scenarios[i]
		sum := newSight(s.ID)
		var mutex sync.Mutex
		Plan{Scenario: s, First: g.First, Runs: g.Runs, Workers: g.Workers, Drawn: s.Search.Drawn(), Each: func(r *scenarios.Result) {
			if g.Each != nil {
				g.Each(r)
			}
			mutex.Lock()
			defer mutex.Unlock()
			sum.count(r)
		}}.Run()
		all = append(all, sum)
	}
	return all
}

func newSight(name string) Sight {
	s := Sight{Scenario: name, Kept: newSeen("")}
	for _, p := range checker.Properties {
		s.Promises = append(s.Promises, newSeen(p.Name))
	}
	return s
}

func newSeen(promise string) Seen {
	return Seen{Promise: promise, Asks: nearest(promise), Views: make([]int, len(blackbox.Views)), Why: make([]int, len(Reasons))}
}

// Whole adds up what was seen of several scenarios.
func Whole(all []Sight) Sight {
	sum := newSight("")
	for i := range all {
		sum.Runs += all[i].Runs
		sum.Kept.plus(&all[i].Kept)
		for k := range sum.Promises {
			sum.Promises[k].plus(&all[i].Promises[k])
		}
	}
	return sum
}

func (n *Seen) plus(o *Seen) {
	n.Broken, n.Nothing = n.Broken+o.Broken, n.Nothing+o.Nothing
	for i := range n.Views {
		n.Views[i] += o.Views[i]
	}
	for i := range n.Why {
		n.Why[i] += o.Why[i]
	}
}

func (g *Sight) count(r *scenarios.Result) {
	g.Runs++
	kept := true
	for i, f := range r.Findings {
		kept = kept && f.Verdict == checker.Holds
		if f.Verdict == checker.Violated {
			g.Promises[i].count(r, f)
		}
	}
	if kept {
		g.Kept.count(r, checker.Finding{})
	}
}

// count counts a run in which the promise broke.
func (n *Seen) count(r *scenarios.Result, f checker.Finding) {
	n.Broken++
	seen, asked := false, false
	for i := range blackbox.Views {
		name := blackbox.Views[i].Name
		if v, has := r.View(name); has && v.Verdict == checker.Violated {
			n.Views[i]++
			seen, asked = true, asked || name == n.Asks
		}
	}
	if !seen {
		n.Nothing++
	}
	if n.Promise != "" && !asked {
		n.Why[n.reason(r, f.Witness)]++
	}
}

// reason returns why the view that asks nearest does not see the break.
func (n *Seen) reason(r *scenarios.Result, w checker.Witness) Reason {
	view, has := r.View(n.Asks)
	switch {
	case n.Asks == "":
		return NotAsked
	case !has || view.Verdict == checker.Unknown:
		return NotKnown
	case n.Promise == "storage" || n.Promise == "fenced":
		return lossReason(r.Evidence, w)
	}
	return holdReason(r.Evidence, w)
}

// lossReason returns why a register does not see that an update was lost: the two writes in conflict are of the witness.
func lossReason(e *checker.Evidence, w checker.Witness) Reason {
	for _, i := range [...]int{w.First, w.Second} {
		if end := closing(e, e.Writes[i].Op); end < 0 || e.History[end].Type == checker.Info {
			return StillOpen
		}
	}
	read := slices.ContainsFunc(e.History, func(o checker.Op) bool {
		return o.F == checker.Read && o.Type == checker.OK && o.Time > w.To
	})
	if !read {
		return NoReader
	}
	return Legal
}

// holdReason returns why a lock does not see that the first hold of the witness was not alone.
func holdReason(e *checker.Evidence, w checker.Witness) Reason {
	if w.First < 0 || w.First >= len(e.Holds) {
		return Legal
	}
	h := &e.Holds[w.First]
	got := acquired(e, h)
	asked := after(e, got, h.Client, checker.Release)
	end := len(e.History)
	if asked >= 0 {
		end = asked
	}
	second, open := false, asked < 0 || closing(e, asked) < 0 || e.History[max(closing(e, asked), 0)].Type != checker.OK
	for i := got + 1; i < end; i++ {
		if o := &e.History[i]; o.F == checker.Acquire && o.Type == checker.OK && o.Process%e.Clients != h.Client {
			second = true
			open = open || opening(e, i) < got // it may have been granted before
		}
	}
	switch {
	case !second:
		return Closed
	case open:
		return StillOpen
	}
	return Legal
}

// acquired returns the index of the op by which a hold was acquired.
func acquired(e *checker.Evidence, h *checker.Hold) int {
	return slices.IndexFunc(e.History, func(o checker.Op) bool {
		return o.F == checker.Acquire && o.Type == checker.OK && o.Time == h.From && o.Process%e.Clients == h.Client
	})
}

// after returns the index of a client's next invoke of a function; -1 if there is none before it acquires again.
func after(e *checker.Evidence, i, client int, f checker.Func) int {
	for i++; i < len(e.History); i++ {
		if o := &e.History[i]; o.Type == checker.Invoke && o.Process%e.Clients == client {
			switch o.F {
			case f:
				return i
			case checker.Acquire:
				return -1
			}
		}
	}
	return -1
}

// closing returns the index of what closes the operation that an op began; -1 if nothing does.
func closing(e *checker.Evidence, i int) int {
	for k := i + 1; k < len(e.History); k++ {
		if e.History[k].Process == e.History[i].Process {
			return k
		}
	}
	return -1
}

// opening returns the index of the invoke that an op closes.
func opening(e *checker.Evidence, i int) int {
	for k := i - 1; k >= 0; k-- {
		if e.History[k].Process == e.History[i].Process {
			return k
		}
	}
	return -1
}
