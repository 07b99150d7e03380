package forecast

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// A Goal is an upper limit for how often a promise breaks.
type Goal struct {
	Promise int     // the index in Promises
	Yearly  float64 // times a year and lock
}

// goals are the words for the promises that a goal can be about.
var goals = []struct {
	word    string
	promise int
}{
	{"lost update", 0}, {"lost updates", 0}, {"storage", 0}, {"two holders", 2}, {"belief", 2}, {"validity", 3},
}

// ParseGoal reads a goal: "lost update < 0.1/year", "two holders < 1/10years", or a rate alone: of lost updates.
func ParseGoal(text string) (g Goal, err error) {
	what, rate, named := strings.Cut(text, "<")
	if !named {
		what, rate = goals[0].word, text
	}
	i := slices.IndexFunc(goals, func(o struct {
		word    string
		promise int
	}) bool {
		return o.word == strings.Join(strings.Fields(what), " ")
	})
	if i < 0 {
		return g, fmt.Errorf("%q is not a goal; give lost update, two holders or validity, such as lost update < 0.1/year", text)
	}
	rate, years := strings.TrimSpace(rate), 1
	if times, many, ok := strings.Cut(strings.TrimSuffix(rate, "years"), "/"); ok && strings.HasSuffix(rate, "years") {
		if years, err = strconv.Atoi(strings.TrimSpace(many)); err != nil || years < 1 {
			return g, fmt.Errorf("%q is not a goal; write its time as year, or as 10years", text)
		}
		rate = strings.TrimSpace(times) + "/year"
	}
	r, err := environment.ParseRate(rate)
	if err != nil || r.Low != r.High {
		return g, fmt.Errorf("%q is not a goal; give a rate above 0 with its unit of time, such as lost update < 0.1/year", text)
	}
	_, yearly := r.Yearly()
	return Goal{goals[i].promise, yearly / float64(years)}, nil
}

// Advice lists the settings that keep a goal, from the smallest effort to the largest.
type Advice struct {
	Promise  string    `json:"promise"`
	Yearly   float64   `json:"per_year"`
	Tried    []string  `json:"ttls"` // every candidate, the shortest first
	Settings []Advised `json:"settings"`
}

// An Advised is the result of one set of settings, with the shortest TTL that keeps the goal, else the longest.
type Advised struct {
	Change
	TTL   string   `json:"ttl"`
	Keeps bool     `json:"keeps"` // even the upper end of the interval keeps the goal
	Now   Estimate `json:"now"`   // by runs with other seeds than in the search
	Costs Costs    `json:"costs"`
}

// ladder lists the TTLs to try, in quarters of the lock's TTL.
var ladder = []int64{1, 2, 4, 8, 16, 32, 64}

// rungs returns the TTLs to try. A TTL beyond the longest size in runs is left out, because no run could confirm it.
func (m *Model) rungs() (all []time.Duration) {
	for _, n := range ladder {
		if ttl := time.Duration(int64(m.Scenario.Lock.TTL) * n / 4).Truncate(time.Millisecond); ttl > 0 && ttl < longest {
			all = append(all, ttl)
		}
	}
	return all
}

// families returns the possible changes other than the TTL, with the smallest effort first.
func (m *Model) families(g Goal) (all []Change) {
	add := func(about string, c Change, set ...string) {
		c.About, c.Set = about, slices.Concat(c.Set, set)
		s, before := *m.Scenario, string(m.Scenario.YAML())
		for _, a := range c.Set {
			if s.Set(a) != nil {
				return
			}
		}
		if s.Check() == nil && (string(s.YAML()) != before || c.Fenced || c.restarts || about == asItIs) {
			all = append(all, c)
		}
	}
	recheck := []string{"work.recheck=true", "work.stop_at_deadline=true"}
	const disk = "persistence=aof-always"
	add(asItIs, Change{})
	add("the holder looks at its deadline before it writes", Change{}, recheck...)
	add("that look, with a tenth of the TTL as an allowance", Change{}, append(recheck, "lock.drift_factor=0.1")...)
	if slices.ContainsFunc(m.Environment.Causes, func(k environment.Cause) bool { return k.Restarts() }) && m.hasNodes() && m.Scenario.Persistence.String() != "aof-always" {
		add("nodes write to disk before they answer", Change{}, disk)
		add("that look, and the disk", Change{}, append(recheck, disk)...)
		if m.Away == 0 {
			add("nodes that restart stay away for a TTL", Change{restarts: true})
			add("that look, and the time away", Change{restarts: true}, recheck...)
		}
	}
	if g.Promise == 0 && m.Scenario.Fencing.Source != scenarios.NoFencing {
		add("storage checks fencing tokens", Change{Fenced: true})
	}
	return all
}

const asItIs = "nothing besides"

// hasNodes reports whether the lock is a key on nodes of Redis, which can forget it.
func (m *Model) hasNodes() bool {
	return slices.Contains([]string{"redlock", "single", "fenced", "redisson", "redisson-red"}, m.Scenario.Lock.Kind.String())
}

// with returns the change with a TTL.
func (c Change) with(m *Model, ttl time.Duration) Change {
	c.Set = append(slices.Clone(c.Set), "lock.ttl="+ttl.String())
	if m.Scenario.Lock.Kind.String() == "sql-row-lock" {
		c.Set = append(c.Set, "storage.idle="+ttl.String())
	}
	if old := m.Scenario.Lock; old.Renew.Every > 0 {
		every := time.Duration(float64(old.Renew.Every) * float64(ttl) / float64(old.TTL)).Truncate(time.Millisecond)
		c.Set = append(c.Set, "lock.renew.every="+every.String())
	}
	if c.restarts {
		c.away = ttl + 100*time.Millisecond
	}
	return c
}

// An advisor looks for settings that keep a goal.
type advisor struct {
	*Model
	goal  Goal
	rungs []time.Duration
	tried []triedChange
	made  map[string]*Model // by settings: fenced storage is judged by the runs of plain storage
	runs  int
	err   error
}

// A triedChange is a change, and the rung that was found for it.
type triedChange struct {
	Change
	rung int
}

// Advise looks for settings that keep a goal. For each set it finds the shortest TTL at which even the upper end of
// the interval keeps the goal. It halves the range with a quarter of the runs, and then tries the TTL with other
// seeds. While those don't confirm it, it tries a longer one.
func (m *Model) Advise(g Goal, r *Result) error {
	a := advisor{Model: m, goal: g, rungs: m.rungs(), made: map[string]*Model{}}
	advice := &Advice{Promise: Promises[g.Promise], Yearly: g.Yearly}
	for _, ttl := range a.rungs {
		advice.Tried = append(advice.Tried, ttl.String())
	}
	for _, c := range m.families(g) {
		advice.Settings = append(advice.Settings, a.try(c))
	}
	r.Advice, r.Runs = advice, r.Runs+a.runs
	return a.err
}

// PlannedAdvice returns about how many runs Advise performs: some to search each set of settings, some to confirm.
func (m *Model) PlannedAdvice(g Goal) int { return 2 * len(m.families(g)) * m.Planned() }

// try finds the shortest TTL with which a change keeps the goal.
func (a *advisor) try(c Change) Advised {
	low, high := 0, a.most(c) // rungs below low don't keep the goal; high does, if it is a rung
	for low < high {
		middle := (low + high) / 2
		if a.estimate(c, a.rungs[middle], a.First, a.More/4).High <= 4*a.goal.Yearly { // bounds are four times as wide
			high = middle
		} else {
			low = middle + 1
		}
	}
	for ; ; low++ {
		ttl := a.rungs[min(low, len(a.rungs)-1)]
		x := Advised{Change: c.with(a.Model, ttl), TTL: ttl.String()}
		x.Now = a.estimate(c, ttl, a.First+1<<32, a.More)
		x.Keeps = x.Now.High <= a.goal.Yearly
		if x.Keeps || x.Now.Seen == 0 || low >= len(a.rungs)-1 { // a longer one would not show more, or does not exist
			a.tried = append(a.tried, triedChange{c, low})
			x.Costs = a.costs(&x.Change, ttl)
			return x
		}
	}
}

// most returns the rung that was found for fewer changes: more changes keep the goal at least as well.
func (a *advisor) most(c Change) int {
	rung := len(a.rungs)
	for _, o := range a.tried {
		more := func(set string) bool { return !slices.Contains(c.Set, set) }
		if !slices.ContainsFunc(o.Set, more) && (c.restarts || !o.restarts) {
			rung = min(rung, o.rung)
		}
	}
	return rung
}

// estimate performs the runs of a change with a TTL, unless they exist already.
func (a *advisor) estimate(c Change, ttl time.Duration, first uint64, more int) Estimate {
	promise := a.goal.Promise
	if c.Fenced {
		promise = slices.Index(Promises, "fenced")
	}
	c = c.with(a.Model, ttl)
	key := fmt.Sprint(c.Set, c.away, first)
	n, ok := a.made[key]
	if !ok {
		var err error
		if n, err = a.apply(c, false); err != nil {
			a.err = err
			return Estimate{High: math.Inf(1)}
		}
		n.First, n.More = first, more
		n.Run()
		a.made[key], a.runs = n, a.runs+n.Made()
	}
	return n.Sample(promise).Estimate().All
}
