package campaign

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A BlackBoxTable counts in the rows of a job how often each promise breaks in true time, how often a black box sees
// it, and why it doesn't. A row does not have the reason: the table repeats the run for it.
type BlackBoxTable struct {
	Job   *Job
	Cells []BlackBoxCount

	runner    *scenarios.Runner
	cell      int // whose universes those are
	universes *scenarios.Universes
}

// A BlackBoxCount is what a black box saw of the runs of a cell.
type BlackBoxCount struct {
	Line     string `json:"line,omitempty"` // the name of the cell, once Named sets it
	Runs     int    `json:"runs"`
	Promises []Seen `json:"promises"` // one for each of checker.Properties
	Kept     Seen   `json:"kept"`     // runs in which all promises held: no violation there is a breach
}

// Named returns the count under a name, with only the promises that broke.
func (c *BlackBoxCount) Named(line string) BlackBoxCount {
	named := BlackBoxCount{Line: line, Runs: c.Runs, Kept: c.Kept, Promises: []Seen{}}
	for _, n := range c.Promises {
		if n.Broken > 0 {
			named.Promises = append(named.Promises, n)
		}
	}
	return named
}

// Seen counts the runs in which a promise broke, and what a black box saw of them.
type Seen struct {
	Promise string `json:"promise,omitempty"`
	Asks    string `json:"view,omitempty"` // the view that asks nearest to the promise; "" if none does
	Broken  int    `json:"runs"`
	Views   []int  `json:"violated"` // of Broken, how often each of blackbox.Views is violated
	Nothing int    `json:"nothing"`  // of Broken, how often no view is
	Why     []int  `json:"why"`      // of Broken, how often Asks is not violated, by Reasons
}

// A Reason is why a view does not see that a promise broke.
type Reason int

// The reasons. The first that fits counts.
const (
	NotAsked  Reason = iota // no view asks for it
	NotKnown                // the view is unknown, or the run does not have it
	Closed                  // no other client acquired before the hold had ended
	StillOpen               // an operation of the conflict had no certain outcome, or was open on both sides of it
	NoReader                // no client read storage afterwards
	Legal                   // what clients saw is legal: the view asks for less than the promise
)

// Reasons are the words for each Reason, as heads of a table.
var Reasons = [...]string{
	NotAsked: "no view asks", NotKnown: "view not known", Closed: "window closed", StillOpen: "operation open",
	NoReader: "no reader", Legal: "legal",
}

// nearest says which view asks nearest to a promise. The mutex sees more than the lease, and also what breaks no
// promise, because it knows of no deadline. So a test of a lock that expires must use a lease.
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

// NewBlackBoxTable returns the table of a job, which must have passed Check, with no row counted.
func NewBlackBoxTable(j *Job) *BlackBoxTable {
	g := &BlackBoxTable{Job: j, cell: -1, runner: scenarios.NewRunner()}
	for range j.Cells {
		g.Cells = append(g.Cells, newBlackBoxCount())
	}
	return g
}

// Close ends the runner that repeats runs.
func (g *BlackBoxTable) Close() { g.runner.Close() }

func newBlackBoxCount() BlackBoxCount {
	c := BlackBoxCount{Kept: newSeen("")}
	for _, p := range checker.Properties {
		c.Promises = append(c.Promises, newSeen(p.Name))
	}
	return c
}

func newSeen(promise string) Seen {
	return Seen{Promise: promise, Asks: nearest(promise), Views: make([]int, len(blackbox.Views)), Why: make([]int, len(Reasons))}
}

// Whole returns all cells as one.
func (g *BlackBoxTable) Whole() BlackBoxCount {
	sum := newBlackBoxCount()
	for i := range g.Cells {
		c := &g.Cells[i]
		sum.Runs += c.Runs
		sum.Kept.plus(&c.Kept)
		for k := range sum.Promises {
			sum.Promises[k].plus(&c.Promises[k])
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

// AddAll counts rows.
func (g *BlackBoxTable) AddAll(rows []Row) {
	for i := range rows {
		r := &rows[i]
		c := &g.Cells[r.Cell]
		c.Runs++
		if r.Violated|r.Unknown == 0 {
			c.Kept.add(r)
		}
		var again *scenarios.Result
		for k := range c.Promises {
			n := &c.Promises[k]
			if !r.Violated.Has(k) || !n.add(r) {
				continue
			}
			if again == nil {
				again = g.run(r)
			}
			n.Why[n.reason(again, again.Findings[k].Witness)]++
		}
	}
}

// run makes the run of a row again.
func (g *BlackBoxTable) run(r *Row) *scenarios.Result {
	if g.cell != r.Cell {
		s, err := g.Job.In(r.Cell)
		if err != nil {
			panic("campaign: " + err.Error()) // Check has been there
		}
		g.cell, g.universes = r.Cell, s.Universes()
	}
	u := g.universes.At(r.Seed)
	return g.runner.Run(&u, r.Seed)
}

// add counts a run in which the promise broke, and reports whether the view that asks nearest does not see it.
func (n *Seen) add(r *Row) (missed bool) {
	n.Broken++
	asked := false
	for i := range blackbox.Views {
		if r.BoxViolated.Has(i) {
			n.Views[i]++
			asked = asked || blackbox.Views[i].Name == n.Asks
		}
	}
	if r.BoxViolated == 0 {
		n.Nothing++
	}
	return n.Promise != "" && !asked
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

// lossReason returns why a register does not see that an update was lost. The witness has the two writes in conflict.
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
