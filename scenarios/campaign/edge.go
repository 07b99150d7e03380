package campaign

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Edge is where a property begins to hold, or to break, as a setting varies: a scenario's Bound, measured.
type Edge struct {
	Bound    scenarios.Bound
	Stated   bool   // by the scenario; else the bound has no formula
	Reckoned string // what the formula gives, if there is one
	Holds    string // the last value found at which the property holds, with every seed
	Breaks   string // the last value found at which it does not; the edge lies between the two
	Seed     uint64 // the first with which it does not, there
	Runs     int    // how many runs it took
	None     string // why there is no such edge, as a plain sentence; empty where there is one
}

// Edges measures each bound of a scenario, with one seed. The scenario must have passed Check.
func Edges(s *scenarios.Scenario, seed uint64) []Edge { return EdgesOf(s, seed, 1) }

// EdgesOf measures each bound of a scenario with several seeds: at the edge, the property holds with all of them. The
// scenario must have passed Check.
func EdgesOf(s *scenarios.Scenario, first uint64, seeds int) (all []Edge) {
	if len(s.Bounds) == 0 {
		return nil
	}
	r := scenarios.NewRunner()
	defer r.Close()
	for _, b := range s.Bounds {
		p := newProber(r, s, b.Setting, first, seeds)
		t := trial{prober: p, bound: b}
		e := t.edge()
		e.Stated, e.Reckoned = true, b.Formula.Reckon(p.setting, s)
		all = append(all, e)
	}
	return all
}

// A Bounding looks for the edges of several properties as one setting varies, whether the scenario states bounds for them
// or not.
type Bounding struct {
	Scenario   *scenarios.Scenario // must have passed Check
	Span       Span
	Properties []string // empty for all
	First      uint64   // the first seed
	Seeds      int      // how many
}

// Check refuses a search that can't be done.
func (b *Bounding) Check() error {
	if err := CheckProperties(b.Properties); err != nil {
		return err
	}
	for _, end := range []scenarios.Value{b.Span.From, b.Span.To} {
		if _, err := altered(b.Scenario, b.Span.Key, string(end)); err != nil {
			return fmt.Errorf("at %s=%s: %w", b.Span.Key, end, err)
		}
	}
	return nil
}

// Edges gives an edge for each of the properties. It must have passed Check.
func (b *Bounding) Edges() (all []Edge) {
	r := scenarios.NewRunner()
	defer r.Close()
	p := newProber(r, b.Scenario, b.Span.Key, b.First, b.Seeds)
	for _, property := range checker.Properties {
		if len(b.Properties) > 0 && !slices.Contains(b.Properties, property.Name) {
			continue
		}
		sought := scenarios.Bound{
			Setting: b.Span.Key, From: b.Span.From, To: b.Span.To, Property: property.Name, Formula: scenarios.NoBound,
		}
		i := slices.IndexFunc(b.Scenario.Bounds, func(o scenarios.Bound) bool {
			return o.Setting == p.setting.Key && o.Property == property.Name
		})
		if i >= 0 {
			sought.Formula = b.Scenario.Bounds[i].Formula
		}
		t := trial{prober: p, bound: sought}
		e := t.edge()
		if e.Stated = i >= 0; e.Stated {
			e.Reckoned = sought.Formula.Reckon(p.setting, b.Scenario)
		}
		all = append(all, e)
	}
	return all
}

// A prober makes runs with a setting at one value or another, and remembers what came of them.
type prober struct {
	runner   *scenarios.Runner
	scenario *scenarios.Scenario
	setting  scenarios.Setting
	first    uint64
	seeds    int
	runs     int
	known    map[string]*probe // by value
}

// A probe is what came of the runs at one value.
type probe struct {
	violated, unknown Set      // with any seed
	seed              []uint64 // for each property, the first with which it was violated
	err               error    // why there were no runs
}

func newProber(r *scenarios.Runner, s *scenarios.Scenario, key string, first uint64, seeds int) *prober {
	setting, _ := scenarios.Lookup(s, key) // Check has found it
	return &prober{runner: r, scenario: s, setting: setting, first: first, seeds: seeds, known: map[string]*probe{}}
}

func (p *prober) at(value string) *probe {
	if done, is := p.known[value]; is {
		return done
	}
	at := &probe{seed: make([]uint64, len(checker.Properties))}
	p.known[value] = at
	s, err := altered(p.scenario, p.setting.Key, value)
	if at.err = err; err != nil {
		return at
	}
	u := s.Universes()
	for seed := p.first; seed < p.first+uint64(p.seeds); seed++ {
		drawn := u.At(seed)
		p.runs++
		for i, f := range p.runner.Run(&drawn, seed).Findings {
			at.unknown |= bit(f.Verdict == checker.Unknown, i)
			if f.Verdict == checker.Violated && !at.violated.Has(i) {
				at.violated |= bit(true, i)
				at.seed[i] = seed
			}
		}
	}
	return at
}

// altered gives a scenario with a setting at a value. No search draws another.
func altered(s *scenarios.Scenario, key, value string) (scenarios.Scenario, error) {
	c := *s
	c.Bounds, c.Mutants = nil, nil
	if err := c.Set(key + "=" + value); err != nil {
		return c, err
	}
	c.Hold(key)
	return c, c.Check()
}

// A trial measures one bound.
type trial struct {
	*prober
	bound scenarios.Bound
	none  string // why it came to nothing
}

// edge halves the interval until what is left is too small to matter. There is one edge if the property changes its verdict
// once. Where each of several locks in a run has an edge of its own, as what Formula.Spare tells differs a little between
// them, the search ends at one of these. All values between stand on whole units, so that they read well and can be set
// wherever both ends can.
func (t *trial) edge() Edge {
	shown := func(n int64) string { return t.setting.Shown(t.scenario, n) }
	e, before := Edge{Bound: t.bound}, t.runs
	from, to := t.end(t.bound.From), t.end(t.bound.To)
	good, bad := from, to
	if atFrom, atTo := t.holds(shown(from)), t.holds(shown(to)); atTo {
		good, bad = to, from
		t.same(atFrom, "holds")
	} else {
		t.same(!atFrom, "breaks")
	}
	for unit := t.setting.Unit(t.scenario); t.none == "" && max(good-bad, bad-good) >= 2*unit; {
		middle := bad + (good-bad)/2/unit*unit
		if t.holds(shown(middle)) {
			good = middle
		} else {
			bad = middle
		}
	}
	if e.Runs, e.None = t.runs-before, t.none; e.None == "" {
		e.Holds, e.Breaks = shown(good), shown(bad)
		e.Seed = t.at(e.Breaks).seed[t.property()]
	}
	return e
}

// end gives the number that one end of the search stands for.
func (t *trial) end(value scenarios.Value) int64 {
	n, err := numberOf(t.scenario, t.setting, string(value))
	if err != nil {
		panic("campaign: " + err.Error()) // Check has set it
	}
	return n
}

// same says that both ends have the same verdict, if they have.
func (t *trial) same(are bool, verdict string) {
	if are && t.none == "" {
		t.none = fmt.Sprintf("No bound lies between %s and %s: %s %s at both ends.", t.bound.From, t.bound.To, t.bound.Property, verdict)
	}
}

// property is where the one in question stands in checker.Properties.
func (t *trial) property() int {
	i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == t.bound.Property })
	if i < 0 {
		panic("campaign: no property is named " + t.bound.Property) // Check has refused it
	}
	return i
}

// holds makes runs with the setting at a value. Where they tell nothing, it notes why.
func (t *trial) holds(value string) bool {
	at, i := t.at(value), t.property()
	switch {
	case at.err != nil: // both ends can be set, and yet not what lies between them, such as a rate of nothing
		t.none = fmt.Sprintf("The bound can't be measured: the search came upon %s (%v).", value, at.err)
	case at.unknown.Has(i) && !at.violated.Has(i):
		t.none = fmt.Sprintf("The bound can't be measured: with %s the run was cut short, and nothing is known of %s.", value, t.bound.Property)
	case !at.violated.Has(i):
		return true
	}
	return false
}

func verdict(r *scenarios.Result, property string) checker.Verdict {
	for _, f := range r.Findings {
		if f.Property == property {
			return f.Verdict
		}
	}
	panic("campaign: no property is named " + property) // Check has refused it
}
