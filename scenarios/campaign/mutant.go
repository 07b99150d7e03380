package campaign

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A MutantResult is the result of runs of a mutant, and of the reference with the same seeds. Killed is no
// stats.Count, because it counts runs in which several properties broke together. A Tally counts each property.
type MutantResult struct {
	Runs      int         // of each of the two
	Reference Tally       // of the scenario as it is
	Killed    int         // runs of the mutant in which everything broke that it breaks
	First     uint64      // the first seed with which it was killed, if it was
	Views     []Frequency // what a black box sees of the mutant; see Tally

	// Mutant is Pass if the mutant was killed within the runs that it may take, Fail if it survived them, and Unknown
	// if it may have been killed in a run that was cut short.
	Mutant scenarios.Verdict
}

// Verdict covers both columns: Pass if the mutant is killed where the reference survives.
func (d MutantResult) Verdict() scenarios.Verdict { return max(d.Mutant, d.Reference.Worst) }

// Kill runs a scenario with the reference and with a mutant of it, on the same seeds. It never makes fewer runs than
// the mutant may take, because fewer can't show that it survives. That number counts from seed 1; from another seed
// the mutant may take all of the runs. The scenario must have passed Check.
func Kill(s *scenarios.Scenario, m scenarios.Mutant, first uint64, runs, workers int) MutantResult {
	mutated, err := s.Mutate(m)
	if err != nil {
		panic("campaign: " + err.Error()) // Check has made the same mutant
	}
	runs = max(runs, m.Within)
	within := runs
	if first == 1 {
		within = m.Within
	}
	broke := make([]checker.Verdict, runs) // each run has its place, so no worker waits for another
	seen := Plan{Scenario: &mutated, First: first, Runs: runs, Workers: workers, Each: func(r *scenarios.Result) {
		broke[r.Seed-first] = breakage(r, m.Breaks)
	}}.Run()
	d := MutantResult{
		Runs: runs, Views: seen.Views, Mutant: fate(broke[:within]),
		Reference: Plan{Scenario: s, First: first, Runs: runs, Workers: workers}.Run(),
	}
	for i, v := range slices.Backward(broke) {
		if v == checker.Violated {
			d.Killed++
			d.First = first + uint64(i)
		}
	}
	return d
}

// breakage is Violated if all of the properties broke in one run, and Holds if any held: a known flaw breaks all of
// its properties together. A mutant without properties to break is never killed.
func breakage(r *scenarios.Result, properties []string) checker.Verdict {
	if len(properties) == 0 {
		return checker.Holds
	}
	all := checker.Violated
	for _, name := range properties {
		all = min(all, verdict(r, name))
	}
	return all
}

// fate returns the verdict on a mutant, given its breakage in the runs that it may take.
func fate(runs []checker.Verdict) scenarios.Verdict {
	switch {
	case slices.Contains(runs, checker.Violated):
		return scenarios.Pass
	case slices.Contains(runs, checker.Unknown):
		return scenarios.Unknown
	}
	return scenarios.Fail
}

// A Ground is a scenario with one class of faults that may hit there, on which mutants are searched for. Under one
// class at a time the reference keeps most of its promises, and only a promise that the reference keeps can kill a
// mutant.
type Ground struct {
	Scenario scenarios.Scenario
	Class    string // of faults; empty for none
}

// Grounds lists the grounds of a scenario's search: without any fault, and with each class that it names and that the
// lock is made to tolerate. Other classes break even the reference, and some so seldom that a mutant could be blamed
// for it.
func Grounds(s *scenarios.Scenario) (all []Ground) {
	for _, class := range slices.Concat([]string{""}, s.Search.Faults) {
		if !tolerates(s, class) {
			continue
		}
		g := Ground{*s, class}
		if g.Scenario.Search.Faults = nil; class != "" {
			g.Scenario.Search.Faults = []string{class}
		}
		all = append(all, g)
	}
	return all
}

// tolerates reports whether the lock is made to tolerate a class of faults. It does not tolerate clocks at any rate,
// or nodes that forget, unless each command is on a disk. Nodes count time by their wall clocks, so those must not be
// stepped.
func tolerates(s *scenarios.Scenario, word string) bool {
	kinds, _ := faults.KindsOf([]string{word}) // Check has found it; an unknown word has no kinds
	return !slices.ContainsFunc(kinds, func(k *faults.Kind) bool {
		switch k.Class.Assumes {
		case faults.DurableNodes:
			return s.Persistence != redis.AOFAlways
		case faults.SteadyNodes:
			return !slices.Contains(s.Search.Spare, faults.Nodes)
		case faults.TrueRates:
			return true
		}
		return false
	})
}

// A MutantSearch searches for mutants on grounds: in rounds of some seeds on each ground, so that a mutant that is killed
// early on any ground is found early. A mutant is found when a run of it breaks a property that the
// reference keeps there with all seeds of the search.
type MutantSearch struct {
	Grounds []Ground
	First   uint64
	Runs    int // how many seeds each ground has at most
	Workers int

	kept []Set // on each ground, the properties that the reference keeps; 0 where it has not been asked
}

// MutantFinds is the outcome of the searches for several mutants.
type MutantFinds struct {
	SchemaVersion int          `json:"schema_version"`
	First         uint64       `json:"seed"`
	Runs          int          `json:"runs"` // seeds of each scenario and class of faults, at most
	Scenarios     []string     `json:"scenarios"`
	Mutants       []MutantFind `json:"mutants"`
}

// A MutantFind is the outcome of the search for one mutant.
type MutantFind struct {
	Mutant   string   `json:"mutant"`
	Set      []string `json:"set"`
	Found    bool     `json:"found"`
	Property string   `json:"property"`        // the first that broke there and that the reference keeps
	Scenario string   `json:"scenario"`        // where it was found
	Faults   string   `json:"faults"`          // the class of faults there; empty for none
	Seed     *uint64  `json:"seed"`            // the first seed that shows it there
	Searched int      `json:"searched"`        // how many runs it took on all grounds
	Unfit    string   `json:"unfit,omitempty"` // if its settings suit no ground: why not, on the first
}

// NewMutantFinds returns the searches on some grounds, before any mutant was searched for.
func NewMutantFinds(first uint64, runs int, grounds []Ground) MutantFinds {
	k := MutantFinds{SchemaVersion: resultSchema, First: first, Runs: runs, Scenarios: []string{},
		Mutants: []MutantFind{}}
	for i := range grounds {
		if id := grounds[i].Scenario.ID; i == 0 || grounds[i-1].Scenario.ID != id {
			k.Scenarios = append(k.Scenarios, id)
		}
	}
	return k
}

// Counted returns how many mutants were found, and how many were searched for.
func (k *MutantFinds) Counted() (found, searched int) {
	for _, m := range k.Mutants {
		if m.Found {
			found++
		}
		if m.Unfit == "" {
			searched++
		}
	}
	return found, searched
}

// Verdict is Pass if all were found, and Unknown if some were not searched for and the others were found.
func (k *MutantFinds) Verdict() scenarios.Verdict {
	switch found, searched := k.Counted(); {
	case found < searched:
		return scenarios.Fail
	case searched < len(k.Mutants):
		return scenarios.Unknown
	}
	return scenarios.Pass
}

// roundSeeds is how many seeds each ground has in a round.
const roundSeeds = 100

// Kill searches for a run that kills a mutant.
func (c *MutantSearch) Kill(m scenarios.Mutant) MutantFind {
	killing := MutantFind{Mutant: m.Name, Set: []string{}}
	for _, a := range m.Set {
		killing.Set = append(killing.Set, a.String())
	}
	grounds, unfit := c.fitting(m)
	fits := func(g *scenarios.Scenario) bool { return g != nil }
	if unfit != nil && !slices.ContainsFunc(grounds, fits) {
		killing.Unfit = strings.ReplaceAll(unfit.Error(), "\n", "; ")
	}
	for from := 0; from < c.Runs && !killing.Found; from += roundSeeds {
		for i, g := range grounds {
			if g != nil && c.round(&killing, i, g, from) {
				break
			}
		}
	}
	return killing
}

// fitting returns the mutant on each ground, nil where it does not fit, and why it does not fit the first of those.
func (c *MutantSearch) fitting(m scenarios.Mutant) (all []*scenarios.Scenario, unfit error) {
	all = make([]*scenarios.Scenario, len(c.Grounds))
	for i := range c.Grounds {
		s, err := c.Grounds[i].Scenario.Mutate(m)
		if unfit = cmp.Or(unfit, err); err == nil {
			all[i] = &s
		}
	}
	return all, unfit
}

// round searches on one ground, from a seed on.
func (c *MutantSearch) round(killing *MutantFind, i int, mutant *scenarios.Scenario, src int) (found bool) {
	rows(mutant, c.First+uint64(src), min(roundSeeds, c.Runs-src), c.Workers, func(row *Row) bool {
		killing.Searched++
		if row.Violated == 0 {
			return true
		}
		if broken := row.Violated & c.keeps(i); broken != 0 {
			found = true
			g, seed := &c.Grounds[i], row.Seed
			killing.Found, killing.Scenario, killing.Faults, killing.Seed = true, g.Scenario.ID, g.Class, &seed
			killing.Property = checker.Properties[bits.TrailingZeros64(uint64(broken))].Name
		}
		return !found
	})
	return found
}

// keeps returns the properties that the reference keeps on a ground.
func (c *MutantSearch) keeps(i int) Set {
	if c.kept == nil {
		c.kept = make([]Set, len(c.Grounds))
	}
	const asked = 1 << 63 // no property
	if c.kept[i] == 0 {
		broken := Set(0)
		rows(&c.Grounds[i].Scenario, c.First, c.Runs, c.Workers, func(row *Row) bool {
			broken |= row.Violated | row.Unknown
			return true
		})
		c.kept[i] = All()&^broken | asked
	}
	return c.kept[i] &^ asked
}

// rows calls do with the rows of consecutive seeds of a scenario, in order, until it returns false.
func rows(s *scenarios.Scenario, first uint64, n, workers int, do func(*Row) (more bool)) {
	job := Job{Scenario: s, Cells: []Cell{{}}, First: first, Runs: n, Size: 25}
	job.Each(workers, func(rows []Row) (more bool) {
		return !slices.ContainsFunc(rows, func(r Row) bool { return !do(&r) })
	})
}

// Mutants lists the mutants of scenarios, without repeating mutants of the same settings.
func Mutants(all []scenarios.Scenario) (list []scenarios.Mutant) {
	for i := range all {
		for _, m := range all[i].Mutants {
			same := func(o scenarios.Mutant) bool { return slices.Equal(o.Set, m.Set) }
			if !slices.ContainsFunc(list, same) {
				list = append(list, m)
			}
		}
	}
	return list
}
