package campaign

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Edge is where a property begins to hold, or to break, as a setting varies: a scenario's Bound, measured.
type Edge struct {
	Bound    scenarios.Bound
	Reckoned string // what the formula gives
	Holds    string // the last value found at which the property holds
	Breaks   string // the last value found at which it does not; the edge lies between the two
	Runs     int    // how many runs it took
	None     string // why there is no such edge, as a plain sentence; empty where there is one
}

// Edges measures each bound of a scenario, with one seed. The scenario must have passed Check.
func Edges(s *scenarios.Scenario, seed uint64) (all []Edge) {
	if len(s.Bounds) == 0 {
		return nil
	}
	r := scenarios.NewRunner()
	defer r.Close()
	for _, b := range s.Bounds {
		t := trial{runner: r, scenario: s, bound: b, seed: seed}
		all = append(all, t.edge())
	}
	return all
}

// A trial measures one bound.
type trial struct {
	runner   *scenarios.Runner
	scenario *scenarios.Scenario
	bound    scenarios.Bound
	seed     uint64
	runs     int
	none     string // why it came to nothing
}

// edge halves the interval until what is left is too small to matter. There is one edge if the property changes its verdict
// once. Where each of several locks in a run has an edge of its own, as what Formula.Spare tells differs a little between
// them, the search ends at one of these. All values between stand on whole units, so that they read well and can be set
// wherever both ends can.
func (t *trial) edge() Edge {
	setting, _ := scenarios.Lookup(t.scenario, t.bound.Setting) // Check has found it
	shown := func(n int64) string { return setting.Shown(t.scenario, n) }
	e := Edge{Bound: t.bound, Reckoned: t.bound.Formula.Reckon(setting, t.scenario)}
	from, to := t.end(t.bound.From), t.end(t.bound.To)
	good, bad := from, to
	if atFrom, atTo := t.holds(shown(from)), t.holds(shown(to)); atTo {
		good, bad = to, from
		t.same(atFrom, "holds")
	} else {
		t.same(!atFrom, "breaks")
	}
	for unit := setting.Unit(t.scenario); t.none == "" && max(good-bad, bad-good) >= 2*unit; {
		middle := bad + (good-bad)/2/unit*unit
		if t.holds(shown(middle)) {
			good = middle
		} else {
			bad = middle
		}
	}
	if e.Runs, e.None = t.runs, t.none; e.None == "" {
		e.Holds, e.Breaks = shown(good), shown(bad)
	}
	return e
}

// end gives the number that one end of the search stands for.
func (t *trial) end(value scenarios.Value) int64 {
	s := *t.scenario
	if err := s.Set(scenarios.Assignment{Key: t.bound.Setting, Value: value}.String()); err != nil {
		panic("campaign: " + err.Error()) // Check has set it
	}
	setting, _ := scenarios.Lookup(&s, t.bound.Setting)
	n, _ := setting.Number(&s)
	return n
}

// same says that both ends have the same verdict, if they have.
func (t *trial) same(are bool, verdict string) {
	if are && t.none == "" {
		t.none = fmt.Sprintf("No bound lies between %s and %s: %s %s at both ends.", t.bound.From, t.bound.To, t.bound.Property, verdict)
	}
}

// holds makes one run with the setting at a value. Where that tells nothing, it notes why.
func (t *trial) holds(value string) bool {
	s := *t.scenario
	s.Bounds, s.Mutants = nil, nil
	err := s.Set(t.bound.Setting + "=" + value)
	if err == nil {
		err = s.Check()
	}
	if err != nil { // both ends can be set, and yet not what lies between them, such as a rate of nothing
		t.none = fmt.Sprintf("The bound can't be measured: the search came upon %s (%v).", value, err)
		return false
	}
	t.runs++
	v := verdict(t.runner.Run(&s, t.seed), t.bound.Property)
	if v == checker.Unknown {
		t.none = fmt.Sprintf("The bound can't be measured: with %s the run was cut short, and nothing is known of %s.", value, t.bound.Property)
	}
	return v == checker.Holds
}

func verdict(r *scenarios.Result, property string) checker.Verdict {
	for _, f := range r.Findings {
		if f.Property == property {
			return f.Verdict
		}
	}
	panic("campaign: no property is named " + property) // Check has refused it
}
