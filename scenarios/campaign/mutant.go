package campaign

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A MutantResult is the result of runs of a mutant, and of the reference with the same seeds. Killed is no
// stats.Count, because it counts runs in which several properties broke together. A Tally counts each property.
type MutantResult struct {
	Runs      int    // of each of the two
	Reference Tally  // of the scenario as it is
	Killed    int    // runs of the mutant in which everything broke that it breaks
	First     uint64 // the first seed with which it was killed, if it was
	BlackBox  []View // what a black box sees of the mutant

	// Mutant is Pass if the mutant was killed within the runs that it may take, Fail if it survived them, and Unknown
	// if it may have been killed in a run that was cut short.
	Mutant scenarios.Verdict
}

// Verdict covers both columns: Pass if the mutant is killed where the reference survives.
func (d MutantResult) Verdict() scenarios.Verdict { return max(d.Mutant, d.Reference.Verdict) }

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
		Runs: runs, BlackBox: seen.BlackBox, Mutant: fate(broke[:within]),
		Reference: Plan{Scenario: s, First: first, Runs: runs, Workers: workers}.Run(),
	}
	for i := range d.BlackBox { // the file expects it of the reference
		d.BlackBox[i].Expect = nil
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
