package play

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// RunsMost is how many runs one call may ask for. Ask for as many as take a fraction of a second: the next call goes on.
const RunsMost = 10_000

// Many asks for runs of many seeds.
type Many struct {
	Setup  Setup   `json:"setup"` // whose own seed counts for nothing
	First  uint64  `json:"first"`
	Runs   int     `json:"runs"`
	Counts *Counts `json:"counts"` // those so far, as they were answered; null to begin
}

// Counts are what many runs show.
type Counts struct {
	Runs    int       `json:"runs"`
	Passed  int       `json:"passed"`        // went as the scenario expects
	Counts  []Counted `json:"counts"`        // of each promise
	Failing []uint64  `json:"failing_seeds"` // the first FailingMost that did not pass
}

// FailingMost is how many seeds an answer names.
const FailingMost = 50

// Counted is in how many runs a promise broke.
type Counted struct {
	Name     string  `json:"name"`
	Expected string  `json:"expected"`
	Violated int     `json:"violated"`
	Unknown  int     `json:"unknown"`
	Runs     int     `json:"runs"`
	Low      float64 `json:"low"` // the interval of Clopper and Pearson at 95 % for the share that is violated
	High     float64 `json:"high"`
	Claim    string  `json:"claim"` // what that says of all runs, in words
}

// checkRuns refuses seeds that a page has not right, and more runs than one call may ask for.
func checkRuns(first uint64, runs int) error {
	switch {
	case runs < 1 || runs > RunsMost:
		return fmt.Errorf("runs: %d is out of range; give 1 to %d", runs, RunsMost)
	case first > seedMost || uint64(runs-1) > seedMost-first:
		return fmt.Errorf("first: seeds go up to %d", uint64(seedMost))
	}
	return nil
}

func (p *Program) many(q *Many) (*Counts, error) {
	if err := checkRuns(q.First, q.Runs); err != nil {
		return nil, err
	}
	o, err := q.Setup.sound()
	if err != nil {
		return nil, err
	}
	s := limited(o.scenario)
	t := campaign.Plan{Scenario: &s, First: q.First, Runs: q.Runs, Workers: 1, Drawn: s.Search.Drawn()}.Run()
	a := &Counts{Runs: t.Runs, Passed: t.Verdicts[scenarios.Pass], Failing: []uint64{}}
	if q.Counts != nil {
		a.Runs, a.Passed, a.Failing = a.Runs+q.Counts.Runs, a.Passed+q.Counts.Passed, append(a.Failing, q.Counts.Failing...)
	}
	a.Failing = append(a.Failing, t.Unexpected...)
	a.Failing = a.Failing[:min(len(a.Failing), FailingMost)]
	for _, f := range t.Properties {
		c := f.Count
		if q.Counts != nil {
			if i := slices.IndexFunc(q.Counts.Counts, func(b Counted) bool { return b.Name == f.Name }); i >= 0 {
				b := q.Counts.Counts[i]
				if b.Violated < 0 || b.Unknown < 0 || b.Runs < b.Violated+b.Unknown || b.Runs > seedMost/2 {
					return nil, fmt.Errorf("counts: %d and %d of %d runs are no count of %s", b.Violated, b.Unknown, b.Runs, b.Name)
				}
				c = c.Plus(stats.Count{Violated: b.Violated, Unknown: b.Unknown, Runs: b.Runs})
			}
		}
		a.Counts = append(a.Counts, counted(&s, f.Name, c))
	}
	return a, nil
}

// counted describes a count. Where whatever goes wrong is planned, seeds are no sample, and runs that agree claim nothing of others.
func counted(s *scenarios.Scenario, name string, c stats.Count) Counted {
	i, claim := c.Exact(), ""
	if s.Planned() && !s.Search.Drawn() {
		claim = c.Planned(layout.Grouped)
	}
	if claim == "" {
		claim = c.Claim(layout.Grouped)
	}
	return Counted{name, s.Expected(name).String(), c.Violated, c.Unknown, c.Runs, i.Low, i.High, claim}
}

// Fuzz asks for a seed whose run breaks a promise.
type Fuzz struct {
	Setup    Setup  `json:"setup"`    // a scenario without a search gets that of lockstorm fuzz
	Property string `json:"property"` // which promise; empty for any
	First    uint64 `json:"first"`
	Runs     int    `json:"runs"`
}

// Fuzzed is what a search found.
type Fuzzed struct {
	Tried int    `json:"tried"`
	Found *Found `json:"found"` // null for nothing
}

// Found is a run that breaks a promise.
type Found struct {
	Seed     uint64 `json:"seed"`
	Property string `json:"property"` // the first of those that it breaks
	Short    string `json:"short"`
	Story    string `json:"story"`
	Setup    Setup  `json:"setup"` // of that run alone
}

func (p *Program) fuzz(q *Fuzz) (*Fuzzed, error) {
	if err := checkRuns(q.First, q.Runs); err != nil {
		return nil, err
	}
	watched, err := watchedBy(q.Property)
	if err != nil {
		return nil, err
	}
	o, err := q.Setup.sound()
	if err != nil {
		return nil, err
	}
	s := limited(o.scenario)
	if !s.Search.Drawn() {
		s.Search = s.DefaultSearch()
	}
	if why := s.NothingStrikes(); why != "" {
		return nil, fmt.Errorf("nothing of the search can strike: %s", why)
	}
	j := campaign.Job{Kind: campaign.FuzzJob, Scenario: &s, Cells: []campaign.Cell{nil}, First: q.First, Runs: q.Runs, Size: 8}
	if err := j.Check(); err != nil {
		return nil, err
	}
	a := &Fuzzed{}
	j.Each(1, func(rows []campaign.Row) bool {
		for i := range rows {
			a.Tried++
			if broke := rows[i].Broke() & watched; broke != 0 {
				a.Found = found(&s, rows[i].Seed, broke, o.scenario.Steps)
				return false
			}
		}
		return true
	})
	return a, nil
}

// watchedBy returns the set of one promise, or of all.
func watchedBy(property string) (set campaign.Set, err error) {
	if property == "" {
		return campaign.All(), nil
	}
	i := slices.IndexFunc(checker.Properties, func(x checker.Property) bool { return x.Name == property })
	if i < 0 {
		var names []string
		for _, x := range checker.Properties {
			names = append(names, x.Name)
		}
		return 0, fmt.Errorf("there is no promise %q%s", property, scenarios.Suggest(property, names))
	}
	return 1 << i, nil
}

// found describes the run of a seed, as a setup that draws nothing.
func found(s *scenarios.Scenario, seed uint64, broke campaign.Set, steps int) *Found {
	u := s.Universes().At(seed)
	r := scenarios.Run(u, seed)
	f := &Found{Seed: seed}
	for i, x := range r.Findings {
		if broke.Has(i) {
			f.Property, f.Short, f.Story = x.Property, r.Evidence.Summary(x), r.Evidence.Account(x).Text
			break
		}
	}
	u.Search, u.Steps = scenarios.Search{}, steps
	u.Mutants, u.Bounds = nil, nil
	u.StateFaults()
	f.Setup = Setup{YAML: string(u.YAML()), Set: []string{}, Seed: seed}
	return f
}

// Shrink asks for a simpler run that breaks the same promise.
type Shrink struct {
	Setup    Setup           `json:"setup"`
	Property string          `json:"property"`
	Tries    int             `json:"tries"` // runs of this call, at most
	At       *campaign.Place `json:"at"`    // where the last call ended, with its Setup; null to begin
	Runs     int             `json:"runs"`  // how many runs there were before
}

// Shrunk is a simpler run, or the same.
type Shrunk struct {
	Done  bool           `json:"done"` // nothing more can be taken away
	Setup Setup          `json:"setup"`
	Said  []string       `json:"said"` // what helped, one step after the other
	Runs  int            `json:"runs"` // in all
	At    campaign.Place `json:"at"`
}

func (p *Program) shrink(q *Shrink) (*Shrunk, error) {
	if q.Tries < 1 || q.Tries > RunsMost || q.Runs < 0 || q.Runs > seedMost/2 {
		return nil, fmt.Errorf("tries: %d after %d runs is out of range; give 1 to %d", q.Tries, q.Runs, RunsMost)
	}
	if _, err := watchedBy(q.Property); err != nil || q.Property == "" {
		return nil, fmt.Errorf("property: name the promise that is broken: %w", err)
	}
	o, err := q.Setup.sound()
	if err != nil {
		return nil, err
	}
	u := o.drawn(q.Setup.Seed)
	u.Search, u.Mutants, u.Bounds = scenarios.Search{}, nil, nil
	u.StateFaults()
	steps := u.Steps
	a := &Shrunk{Said: []string{}}
	was := size(&u)
	h := campaign.Shrinker{
		Least: limited(u), Seed: q.Setup.Seed, Property: q.Property, Runs: q.Runs, Most: q.Runs + q.Tries,
		Tried: func(what string, s *scenarios.Scenario, breaks bool) {
			if breaks {
				now := size(s)
				a.Said, was = append(a.Said, what+": "+was+" → "+now), now
			}
		},
	}
	if r := scenarios.Run(h.Least, h.Seed); r.VerdictOn(q.Property) != checker.Violated {
		return nil, fmt.Errorf("%s is not violated in this run, so there is nothing to shrink", q.Property)
	}
	if q.At != nil {
		h.At = *q.At
	}
	a.Done = h.Run()
	a.Runs, a.At = h.Runs, h.At
	least := h.Least
	if a.Done {
		least = h.Counterexample()
	}
	least.Steps = steps
	a.Setup = Setup{YAML: string(least.YAML()), Set: []string{}, Seed: h.Seed}
	return a, nil
}

func size(s *scenarios.Scenario) string {
	return layout.Count(len(s.Faults), "fault", "faults") + ", " + layout.Count(s.Clients, "client", "clients") + ", " +
		layout.Count(s.Work.Cycles, "cycle", "cycles")
}
