package explore

import (
	"encoding/json"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// An Exploration explores a universe, level by level: all schedules without a deviation, then those with one, and so on. So
// the first that breaks a property is among the shortest that do.
type Exploration struct {
	Universe *Universe
	Workers  int // how many runs happen in parallel; at least one
	Budget   int // how many schedules may be run; 0 for no limit

	// Stop, if set, is asked before each unit, by one goroutine at a time; when it is true no more are begun.
	Stop func() bool

	// Did, if set, is called with the number of schedules that were run since the last call, by one goroutine at a time.
	Did func(level, schedules int)
}

// A Report is what an exploration found.
type Report struct {
	Scenario *scenarios.Scenario // with the universe as it was explored
	Finished int                 // the level up to which all was explored; -1 if not even the root was
	Levels   int                 // the level that was asked for; without a bound, the last level known
	Spent    bool                // the budget was used up before the next level was
	Counts   []Extent            // of all schedules up to each finished level; the last may be of an unfinished one
	Verdicts []Verdict           // one for each property that is watched
}

// A Verdict is the result for one property.
type Verdict struct {
	Property string
	Verdict  checker.Verdict
	Level    int             // Violated: how many deviations it takes
	Schedule faults.Schedule // Violated: a shortest one
	File     string          // where its counterexample is kept; empty for nowhere
	Command  string          // runs that file
}

// MarshalJSON writes the universe, how much of it was explored, and the verdicts.
func (rep *Report) MarshalJSON() ([]byte, error) {
	x, c := &rep.Scenario.Explore, rep.Extent()
	return json.Marshal(struct {
		SchemaVersion int       `json:"schema_version"`
		Scenario      string    `json:"scenario"`
		Grid          []string  `json:"grid"`     // a line each: what the universe is
		Finished      int       `json:"finished"` // the level up to which all was explored; -1 for none
		Asked         int       `json:"asked"`    // the number that was asked for
		Deviations    int       `json:"deviations"`
		Unbounded     bool      `json:"unbounded"` // there was no bound on deviations
		Faults        int       `json:"faults"`
		Schedules     int       `json:"schedules"` // that were run
		Merged        int       `json:"merged"`    // of those, the ones that met a known state
		States        int       `json:"states"`
		Unknown       int       `json:"unknown"` // runs that were cut short
		Properties    []Verdict `json:"properties"`
	}{checker.SchemaVersion, rep.Scenario.ID, Grid(rep.Scenario), rep.Finished, rep.Levels, x.Deviations, x.Unbounded, x.Most, c.Schedules, c.Merged,
		c.States, c.Unknown, rep.Verdicts})
}

// MarshalJSON writes the verdict with its shortest counterexample.
func (v Verdict) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Name       string          `json:"name"`
		Verdict    checker.Verdict `json:"verdict"`
		Deviations int             `json:"deviations"` // that the shortest counterexample takes
		Schedule   []string        `json:"schedule"`
		File       string          `json:"file"`
	}{v.Property, v.Verdict, v.Level, v.Schedule.Lines(), v.File})
}

// Extent returns the extent of all schedules that were run.
func (rep *Report) Extent() *Extent { return &rep.Counts[len(rep.Counts)-1] }

// Verdict is Fail if a property broke that the scenario expects to hold, and Unknown if one of them may.
func (rep *Report) Verdict() (worst scenarios.Verdict) {
	for _, v := range rep.Verdicts {
		switch {
		case rep.Scenario.ExpectedExploring(v.Property) != checker.Holds:
		case v.Verdict == checker.Violated:
			return scenarios.Fail
		case v.Verdict == checker.Unknown:
			worst = scenarios.Unknown
		}
	}
	return worst
}

// Run explores until all levels are finished, every watched property is broken, the budget is used up, or Stop ends it.
// If a run panics, Run panics with a campaign.Broken.
func (x *Exploration) Run() *Report {
	r := newRunner(x.Universe)
	defer r.close()
	if x.Universe.unbounded {
		return x.exhaust(r)
	}
	return x.explore(r.newTrunk())
}

// exhaust explores until schedules reach no new state, without a bound on deviations of messages. All schedules share
// their states, so this is one piece of work.
func (x *Exploration) exhaust(r *runner) *Report {
	rep := &Report{Scenario: &x.Universe.whole, Finished: -1}
	known := newStates(nil)
	var c Extent
	told := 0
	on := func() bool {
		if c.Schedules%tellEvery == 0 {
			x.did(rep.Levels, c.Schedules-told)
			if told = c.Schedules; x.Stop != nil && x.Stop() {
				return false
			}
		}
		return x.Budget <= 0 || c.Schedules <= x.Budget
	}
	for level, done := []schedule{{}}, true; done && len(level) > 0 && !rep.allBroken(x.Universe); {
		level, done = r.level(level, known, &c, false, on)
		c.States = known.fresh
		if rep.finish(x, rep.Levels, c, done); len(level) > 0 {
			rep.Levels++
		}
	}
	x.did(rep.Levels, c.Schedules-told)
	rep.judge(x.Universe)
	return rep
}

// tellEvery is the number of schedules after which exhaust reports its progress.
const tellEvery = 256

// explore explores what grows from the trunk.
func (x *Exploration) explore(trunk *trunk) *Report {
	rep := &Report{Scenario: &x.Universe.whole, Finished: -1, Levels: x.Universe.Levels()}
	rep.finish(x, min(1, rep.Levels), trunk.count, true)
	x.did(rep.Finished, trunk.count.Schedules)
	for rep.Finished < rep.Levels && !rep.Spent && !rep.allBroken(x.Universe) {
		level := rep.Finished + 1
		count, done := x.level(trunk, level)
		if rep.finish(x, level, count, done); !done {
			break
		}
	}
	rep.judge(x.Universe)
	return rep
}

func (x *Exploration) did(level, schedules int) {
	if x.Did != nil {
		x.Did(level, schedules)
	}
}

// finish records the outcome of a level.
func (rep *Report) finish(x *Exploration, level int, c Extent, done bool) {
	if rep.Spent = x.Budget > 0 && c.Schedules > x.Budget; done && !rep.Spent {
		rep.Finished = level
	}
	rep.Counts = append(rep.Counts, c)
	for _, b := range c.Broken {
		if !slices.ContainsFunc(rep.Verdicts, func(v Verdict) bool { return v.Property == b.Name() }) {
			rep.Verdicts = append(rep.Verdicts, Verdict{Property: b.Name(), Verdict: checker.Violated, Level: len(b.First), Schedule: b.First})
		}
	}
}

// allBroken reports whether nothing is left that may hold.
func (rep *Report) allBroken(u *Universe) bool { return len(rep.Verdicts) == len(u.watched) }

// judge completes the verdicts: a property that did not break holds if everything was explored.
func (rep *Report) judge(u *Universe) {
	found := rep.Verdicts
	rep.Verdicts = nil
	last := rep.Extent()
	for _, i := range u.watched {
		v := Verdict{Property: checker.Properties[i].Name}
		switch at := slices.IndexFunc(found, func(f Verdict) bool { return f.Property == v.Property }); {
		case at >= 0:
			v = found[at]
		case rep.Finished < rep.Levels || last.Unknown > 0:
			v.Verdict = checker.Unknown
		}
		rep.Verdicts = append(rep.Verdicts, v)
	}
}

// level explores all schedules of up to level deviations. It is not done if the budget ran out or Stop ended it.
func (x *Exploration) level(t *trunk, level int) (c Extent, done bool) {
	found := make([]*Extent, len(t.units))
	spent, over := t.count.Schedules, false
	e := campaign.Engine[unitFound]{
		Workers: x.Workers, Pieces: campaign.Range(0, len(t.units)),
		NewWorker: func() campaign.Worker[unitFound] { return x.newWorker(t, level) },
		// No unit is begun if less of the budget is left than the units before it need. Units are taken in order, so
		// the finished ones are always the first.
		Stop: func() bool { return over || x.Stop != nil && x.Stop() },
		Done: func(i int, f unitFound) (bool, error) {
			found[i] = &f.Extent
			spent += f.Schedules
			over = over || !f.finished || x.Budget > 0 && spent > x.Budget
			x.did(level, f.Schedules)
			return true, nil
		},
	}
	if err := e.Run(); err != nil {
		panic("explore: " + err.Error()) // Done returns none
	}
	c = t.count
	c.Broken = slices.Clone(c.Broken)
	for _, o := range found {
		if o == nil {
			return c, false
		}
		if c.merge(o); x.Budget > 0 && c.Schedules > x.Budget {
			return c, false
		}
	}
	return c, true
}

// unitFound is what was found in a unit.
type unitFound struct {
	Extent
	finished bool // and not given up, as it needs more than the budget
}

// newWorker returns a worker that explores units up to a level.
func (x *Exploration) newWorker(t *trunk, level int) campaign.Worker[unitFound] {
	r := newRunner(x.Universe)
	explore := func(i int) (f unitFound) {
		f.Extent, f.finished = r.unit(t, &t.units[i], level, x.Budget)
		return f
	}
	return campaign.Worker[unitFound]{Make: explore, At: func() (string, uint64) { return r.scenario.ID, r.seed }, Close: r.close}
}

// Counterexample returns the scenario of a violated verdict, ready to run with the universe's seed. It expects what
// happens then.
func (u *Universe) Counterexample(v *Verdict) scenarios.Scenario {
	s := u.scenario
	s.Faults = v.Schedule
	s.Expect, s.Explore = nil, scenarios.Explore{}
	least := campaign.Shrinker{Least: s, Seed: u.seed, Property: v.Property}
	return least.Counterexample()
}
