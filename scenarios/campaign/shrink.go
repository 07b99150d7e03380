package campaign

import (
	"iter"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Shrinker looks for the smallest scenario that still breaks a property with the same seed.
//
// It replaces the scenario by a simpler one that breaks the property too, for as long as it finds any. The function
// weigh defines what is simpler, and each step makes a scenario lighter, so there is an end. At the end no single step
// helps: all of them were tried. The same scenario, seed and property always have the same end, in the same number of
// runs.
type Shrinker struct {
	Least    scenarios.Scenario // the simplest found so far
	Seed     uint64             // with which it breaks the property; the last step may change it
	Property string
	Broken   func(*scenarios.Result) bool // in place of Property: whether a run is as bad; nil for Property

	Plain *scenarios.Scenario // what settings go back to where they can; nil where they stay as they are
	Runs  int                 // how many runs it has taken
	Most  int                 // how many it may take; 0 for 2,000

	Helped []Helped // the steps that helped
	Vain   int      // how many tries did not

	// Tried, if set, is called with each scenario that was tried, what had been done to it, and whether it still breaks
	// the property.
	Tried func(what string, s *scenarios.Scenario, breaks bool)

	// Stop, if set, is asked after each try. If it returns true, the shrinker ends as if its runs were used up.
	Stop func() bool

	At Place // where it is; with Least, Seed and Runs it is enough to continue later

	vain int // since the last step that helped
}

// Helped is a step that made the scenario simpler.
type Helped struct {
	What                    string
	Faults, Clients, Cycles int // that are left
	Vain                    int // how many tries since the last such step did not help
}

// A Place is where a Shrinker is.
type Place struct {
	Step   int `json:"step"`   // the one that it is at
	Trials int `json:"trials"` // how many trials were in vain since the last that helped
	Idle   int `json:"idle"`   // how many steps in a row did not help
}

func (p Place) valid() bool {
	return 0 <= p.Step && p.Step < len(steps) && p.Trials >= 0 && p.Idle >= 0
}

// Run shrinks until no single step helps. It returns false if the runs were used up before. With more runs it can be
// called again, and continues. If the property does not break there is nothing to shrink.
//
// If a run panics, Run panics with a Broken that names the scenario and the seed that it began with.
func (s *Shrinker) Run() (done bool) {
	defer s.guard(s.Seed)
	r := scenarios.NewRunner()
	defer r.Close()
	if s.Most <= 0 {
		s.Most = 2000
	}
	if !s.At.valid() {
		s.At = Place{}
	}
	if !s.breaks(r, attempt{s.Least, s.Seed}) {
		return true
	}
	for s.At.Idle < len(steps) {
		switch s.try(r, steps[s.At.Step]) {
		case helped:
			s.At.Idle, s.At.Trials = 0, 0
		case inVain:
			s.At.Idle, s.At.Trials = s.At.Idle+1, 0
			s.At.Step = (s.At.Step + 1) % len(steps)
		case spent:
			return false
		}
	}
	return true
}

// Prune leaves out faults of the smallest scenario that hit nothing worth a word, where the property breaks without
// them too. Each fault of a file must hit, and Run may have ended before it tried them. If there is such a fault, Run
// starts again.
func (s *Shrinker) Prune() {
	defer s.guard(s.Seed)
	r := scenarios.NewRunner()
	defer r.Close()
	for left := -1; left != len(s.Least.Faults); { // another fault may hit only because one is gone
		left = len(s.Least.Faults)
		struck := make([]bool, left)
		for _, x := range r.Run(&s.Least, s.Seed).Evidence.Strikes {
			struck[x.Index] = struck[x.Index] || !x.Idle && !x.Slight
		}
		for i := left - 1; i >= 0; i-- {
			c := bare(s.Least)
			c.Faults = slices.Delete(c.Faults, i, i+1)
			if !struck[i] && s.breaks(r, attempt{c, s.Seed}) {
				s.Least, s.At = c, Place{}
			}
		}
	}
}

// guard adds the seed to the panic of a run: to shrink from that seed panics again.
func (s *Shrinker) guard(seed uint64) {
	if p := recover(); p != nil {
		panic(*BrokenBy(p, s.Least.ID+" (being shrunk)", seed))
	}
}

func (s *Shrinker) breaks(r *scenarios.Runner, t attempt) bool {
	res := r.Run(&t.scenario, t.seed)
	if s.Broken != nil {
		return s.Broken(res)
	}
	return verdict(res, s.Property) == checker.Violated
}

// The outcomes of a step.
type tried uint8

const (
	inVain tried = iota // no trial breaks the property
	helped              // there is a new smallest scenario
	spent               // all runs are used up
)

// try tries what a step makes of the smallest scenario, and keeps the first that helps.
func (s *Shrinker) try(r *scenarios.Runner, step step) tried {
	weight, n := s.weigh(&s.Least), 0
	for t := range step.make(s, r) {
		if slices.Compare(s.weigh(&t.scenario), weight) >= 0 || t.scenario.Check() != nil {
			continue
		}
		if n++; n <= s.At.Trials {
			continue
		}
		if s.Runs >= s.Most {
			return spent
		}
		s.Runs, s.At.Trials = s.Runs+1, n
		breaks := s.breaks(r, t)
		if s.Tried != nil {
			s.Tried(step.name, &t.scenario, breaks)
		}
		if s.Stop != nil && s.Stop() {
			s.Most = s.Runs
		}
		if breaks {
			s.Least, s.Seed = t.scenario, t.seed
			l := &s.Least
			s.Helped = append(s.Helped, Helped{step.name, len(l.Faults), l.Clients, l.Work.Cycles, s.vain})
			s.vain = 0
			return helped
		}
		s.Vain, s.vain = s.Vain+1, s.vain+1
	}
	return inVain
}

// An attempt is a scenario and a seed that may break the property too.
type attempt struct {
	scenario scenarios.Scenario
	seed     uint64
}

// A step makes scenarios that may be simpler.
type step struct {
	name string
	make func(*Shrinker, *scenarios.Runner) iter.Seq[attempt]
}

// bare is a scenario without its mutants and bounds, which belong to another, and with its own copy of the faults.
func bare(s scenarios.Scenario) scenarios.Scenario {
	s.Mutants, s.Bounds = nil, nil
	s.Faults = slices.Clone(s.Faults)
	return s
}

// weigh returns how far a scenario is from simple. The first weights count most: fewer faults, then fewer clients,
// cycles, and settings that were random; then hosts by name rather than roles, and few of them; then moments that are
// described in few words; then round numbers; then small ones.
func (s *Shrinker) weigh(c *scenarios.Scenario) []int64 {
	w := []int64{int64(len(c.Faults)), int64(c.Clients), int64(c.Work.Cycles), int64(len(changed(c, s.Plain))), 0, 0, 0, 0}
	for _, f := range c.Faults {
		w[4] += f.Weight()
		w[5] += occasion(f)
		for _, n := range numbers(f) {
			w[6] += digits(n)
			w[7] += n / 1000
		}
		if f.For == 0 && !f.Kind.EndsItself { // the rest of the run is long
			w[6]++
			w[7] += int64(c.Horizon / 1000)
		}
	}
	return w
}

// changed lists the settings that differ from the plain scenario, except settings of faults and settings that weigh
// counts separately.
func changed(c, plain *scenarios.Scenario) (keys []string) {
	if plain == nil {
		return nil
	}
	was := map[string]string{}
	p := bare(*plain)
	p.Faults = nil
	for _, k := range scenarios.Settings(&p) {
		was[k.Key] = k.Get(&p)
	}
	now := bare(*c)
	now.Faults = nil
	for _, k := range scenarios.Settings(&now) {
		if old, ok := was[k.Key]; ok && old != k.Get(&now) && k.Key != "clients" && k.Key != "work.cycles" {
			keys = append(keys, k.Key)
		}
	}
	return keys
}

// occasion is the weight of the moment at which a fault hits.
func occasion(f faults.Fault) int64 {
	switch {
	case f.When.Host == "" && f.At == 0:
		return 0
	case f.When.Host == "":
		return 3 + digits(int64(f.At))
	}
	return 1 + int64(max(f.When.Nth, 1)) - 1 + digits(int64(f.When.After))
}

// numbers returns the times and amounts in a fault, none below 0.
func numbers(f faults.Fault) []int64 {
	all := []int64{int64(f.At), int64(f.When.After), int64(f.For)}
	for _, a := range f.Amounts() {
		n := a.Get(&f)
		all = append(all, max(n, -n))
	}
	return all
}

// digits counts the digits of a number between its first and last that are not 0: 2 for 9.8s, 0 for none. A part
// smaller than a millisecond counts for more, because it explains nothing.
func digits(n int64) (count int64) {
	if n%leastTime != 0 {
		count = 3
	}
	for n != 0 && n%10 == 0 {
		n /= 10
	}
	for ; n != 0; n /= 10 {
		count++
	}
	return count
}

// rounder returns numbers below n, and some a little above, of fewer digits: the smallest first, from least on, and
// last those that are nearest. An n below least becomes least, or a round number below itself.
func rounder(n, least int64) (all []int64) {
	if 0 < n && n < least {
		all, least = []int64{least}, power10(n)
	}
	for power := least; power < n && power > 0; power *= 10 {
		for _, lead := range []int64{1, 2, 3, 5} {
			if m := lead * power; m < n {
				all = append(all, m)
			}
		}
	}
	for cut := power10(n); cut >= least && cut > 0; cut /= 10 {
		all = append(all, n/cut*cut, (n/cut+1)*cut)
	}
	return all
}

// power10 is the greatest power of ten that is not above n.
func power10(n int64) int64 {
	p := int64(1)
	for n/p >= 10 {
		p *= 10
	}
	return p
}

// leastTime is the smallest unit that a time is rounded to.
const leastTime = int64(time.Millisecond)
