package play

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// runsMost is how many runs one call may ask for. Ask for as many as take a fraction of a second: the next call
// continues.
const runsMost = 10_000

// A manyRequest asks for runs of many seeds.
type manyRequest struct {
	Setup  setup       `json:"setup"` // whose own seed counts for nothing
	First  uint64      `json:"first"`
	Runs   int         `json:"runs"`
	Counts *manyAnswer `json:"counts"` // those so far, as they were answered; null to begin
}

// A manyAnswer has the counts of many runs.
type manyAnswer struct {
	Runs    int              `json:"runs"`
	Passed  int              `json:"passed"`        // went as the scenario expects
	Counts  []countedPromise `json:"counts"`        // of each promise
	Failing []uint64         `json:"failing_seeds"` // the first failingMost that did not pass
}

// failingMost is how many seeds an answer names.
const failingMost = 50

// A countedPromise is in how many runs a promise broke.
type countedPromise struct {
	Name     string  `json:"name"`
	Violated int     `json:"violated"`
	Unknown  int     `json:"unknown"`
	Runs     int     `json:"runs"`
	Low      float64 `json:"low"` // the interval of Clopper and Pearson at 95% for the share that is violated
	High     float64 `json:"high"`
	Claim    string  `json:"claim"` // what that says of all runs, in words
}

// checkRuns rejects seeds that a page can't hold exactly, and more runs than one call may ask for.
func checkRuns(first uint64, runs int) error {
	switch {
	case runs < 1 || runs > runsMost:
		return fmt.Errorf("runs: %d is out of range; give 1 to %d", runs, runsMost)
	case first > seedMost || uint64(runs-1) > seedMost-first:
		return fmt.Errorf("first: seeds go up to %d", uint64(seedMost))
	}
	return nil
}

func (p *Program) many(q *manyRequest) (*manyAnswer, error) {
	if err := checkRuns(q.First, q.Runs); err != nil {
		return nil, err
	}
	o, err := p.scenario(&q.Setup)
	if err != nil {
		return nil, err
	}
	before := cmp.Or(q.Counts, &manyAnswer{})
	if err := before.check(); err != nil {
		return nil, err
	}
	if err := o.bounded(&q.Setup, q.First); err != nil {
		return nil, err
	}
	s := limited(o.scenario)
	var long *uint64
	count := func(r *scenarios.Result) {
		if tooLong(r, o.scenario.Steps) && long == nil {
			seed := r.Seed
			long = &seed
		}
	}
	t := campaign.Plan{Scenario: &s, First: q.First, Runs: q.Runs, Workers: 1, Drawn: s.Search.Drawn(), Each: count,
		Stop: func() bool { return long != nil }}.Run()
	if long != nil {
		return nil, q.Setup.long(*long)
	}
	a := &manyAnswer{Runs: before.Runs + t.Runs, Passed: before.Passed + t.Pass, Failing: []uint64{}}
	a.Failing = append(append(a.Failing, before.Failing...), t.Unexpected...)
	a.Failing = a.Failing[:min(len(a.Failing), failingMost)]
	for _, f := range t.Properties {
		a.Counts = append(a.Counts, counted(&s, f.Name, f.Count.Plus(before.of(f.Name))))
	}
	return a, nil
}

// check rejects counts that no runs can have.
func (a *manyAnswer) check() error {
	if a.Passed < 0 || a.Runs < a.Passed || uint64(a.Runs) > seedMost/2 {
		return fmt.Errorf("counts: %d of %d runs have not passed", a.Passed, a.Runs)
	}
	for _, c := range a.Counts {
		if c.Violated < 0 || c.Unknown < 0 || c.Violated > c.Runs-c.Unknown || uint64(c.Runs) > seedMost/2 {
			return fmt.Errorf("counts: %d and %d of %d runs are no count of %s", c.Violated, c.Unknown, c.Runs, c.Name)
		}
	}
	return nil
}

// of returns the count of a promise.
func (a *manyAnswer) of(promise string) (n stats.Count) {
	for _, c := range a.Counts {
		if c.Name == promise {
			n = stats.Count{Violated: c.Violated, Unknown: c.Unknown, Runs: c.Runs}
		}
	}
	return n
}

// counted describes a count. Where whatever goes wrong is planned, seeds are no sample, and runs that agree claim nothing of
// others.
func counted(s *scenarios.Scenario, name string, c stats.Count) countedPromise {
	i, claim := c.Exact(), ""
	if s.Planned() && !s.Search.Drawn() {
		claim = c.Planned(wording.Grouped)
	}
	if claim == "" {
		claim = c.Claim(wording.Grouped)
	}
	return countedPromise{name, c.Violated, c.Unknown, c.Runs, i.Low, i.High, claim}
}

// A fuzzRequest asks for a seed whose run breaks a promise.
type fuzzRequest struct {
	Setup    setup  `json:"setup"`    // a scenario without a search gets the search of lockstorm fuzz
	Property string `json:"property"` // which promise; empty for any
	First    uint64 `json:"first"`
	Runs     int    `json:"runs"`
}

// A fuzzAnswer is the result of a search.
type fuzzAnswer struct {
	Tried int       `json:"tried"`
	Found *foundRun `json:"found"` // null for nothing
}

// A foundRun is a run that breaks a promise.
type foundRun struct {
	Seed     uint64 `json:"seed"`
	Property string `json:"property"` // the first of those that it breaks
	Story    string `json:"story"`
	Setup    setup  `json:"setup"` // of that run alone
}

func (p *Program) fuzz(q *fuzzRequest) (*fuzzAnswer, error) {
	if err := checkRuns(q.First, q.Runs); err != nil {
		return nil, err
	}
	watched, err := watchedBy(q.Property)
	if err != nil {
		return nil, err
	}
	o, err := p.scenario(&q.Setup)
	if err != nil {
		return nil, err
	}
	s := limited(o.scenario)
	if !s.Search.Drawn() {
		s.Search = s.DefaultSearch()
	}
	if why := s.NothingStrikes(); why != "" {
		return nil, fmt.Errorf("no fault of the search can hit: %s", why)
	}
	j := campaign.Job{Kind: campaign.FuzzJob, Scenario: &s, Cells: []campaign.Cell{nil}, First: q.First, Runs: q.Runs, Size: 8}
	if err := j.Check(); err != nil {
		return nil, err
	}
	if err := o.bounded(&q.Setup, q.First); err != nil {
		return nil, err
	}
	a := &fuzzAnswer{}
	j.Each(1, func(rows []campaign.Row) bool {
		for i := range rows {
			a.Tried++
			if rows[i].Steps >= stepsMost && o.scenario.Steps > stepsMost {
				err = q.Setup.long(rows[i].Seed)
				return false
			}
			if broke := rows[i].Broke() & watched; broke != 0 {
				a.Found = found(&s, rows[i].Seed, broke, o.scenario.Steps)
				return false
			}
		}
		return true
	})
	return a, err
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
		return 0, fmt.Errorf("there is no promise %q%s", property, faults.Suggest(property, names))
	}
	return 1 << i, nil
}

// found describes the run of a seed, as a setup that draws nothing.
func found(s *scenarios.Scenario, seed uint64, broke campaign.Set, steps int) *foundRun {
	u := s.Universes().At(seed)
	r := scenarios.Run(u, seed)
	f := &foundRun{Seed: seed}
	for i, x := range r.Findings {
		if broke.Has(i) {
			f.Property, f.Story = x.Property, r.Evidence.Account(x).Text
			break
		}
	}
	h := campaign.Shrinker{Least: u, Seed: seed, Property: f.Property}
	f.Setup = least(&h, steps)
	return f
}

// A shrinkRequest asks for a simpler run that breaks the same promise.
type shrinkRequest struct {
	Setup    setup           `json:"setup"`
	Property string          `json:"property"`
	Tries    int             `json:"tries"` // runs of this call, at most
	At       *campaign.Place `json:"at"`    // where the last call ended, with its Setup; null to begin
	Runs     int             `json:"runs"`  // how many runs there were before
}

// A shrinkAnswer is a simpler run, or the same.
type shrinkAnswer struct {
	Done  bool           `json:"done"` // nothing more can be taken away
	Setup setup          `json:"setup"`
	Said  []string       `json:"said"` // what helped, one step after the other
	Runs  int            `json:"runs"` // in all
	At    campaign.Place `json:"at"`
}

func (p *Program) shrink(q *shrinkRequest) (*shrinkAnswer, error) {
	if q.Tries < 1 || q.Tries > runsMost || q.Runs < 0 || uint64(q.Runs) > seedMost/2 {
		return nil, fmt.Errorf("tries: %d after %d runs is out of range; give 1 to %d", q.Tries, q.Runs, runsMost)
	}
	if q.Property == "" {
		return nil, errors.New("property: name the promise that is broken")
	}
	if _, err := watchedBy(q.Property); err != nil {
		return nil, err
	}
	o, err := p.scenario(&q.Setup)
	if err != nil {
		return nil, err
	}
	u := o.drawn(q.Setup.Seed)
	u.Search = scenarios.Search{}
	steps := u.Steps
	a := &shrinkAnswer{Said: []string{}}
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
	a.Setup = least(&h, steps)
	a.Runs, a.At = h.Runs, h.At
	return a, nil
}

// least returns the smallest run so far as a setup, which expects what happens in it.
func least(h *campaign.Shrinker, steps int) setup {
	h.Prune()
	s := h.Counterexample()
	s.Expect = slices.DeleteFunc(s.Expect, func(e scenarios.Expectation) bool { return e.Verdict == checker.Unknown }) // as files do
	s.Steps = steps
	return setup{YAML: string(s.YAML()), Set: []string{}, Seed: h.Seed}
}

func size(s *scenarios.Scenario) string {
	return wording.Count(len(s.Faults), "fault", "faults") + ", " + wording.Count(s.Clients, "client", "clients") + ", " +
		wording.Count(s.Work.Cycles, "cycle", "cycles")
}
