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
}

// Edges measures each bound of a scenario, with one seed.
func Edges(s *scenarios.Scenario, seed uint64) ([]Edge, error) {
	r := scenarios.NewRunner()
	defer r.Close()
	var all []Edge
	for _, b := range s.Bounds {
		e, err := edge(r, s, b, seed)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, nil
}

// edge halves the interval until what is left is too small to matter. It is exact if the property changes its verdict once
// within it, as it does where a bound is one.
func edge(r *scenarios.Runner, s *scenarios.Scenario, b scenarios.Bound, seed uint64) (Edge, error) {
	setting, _ := scenarios.Lookup(s, b.Setting) // Check has found it
	e := Edge{Bound: b, Reckoned: setting.Shown(s, b.Formula.Bound(s.Lock.Rules))}
	holds := func(value string) (bool, int64) {
		trial := *s
		if err := trial.Set(b.Setting + "=" + value); err != nil {
			panic("campaign: " + err.Error()) // Check has set both ends, and all between them can be set too
		}
		e.Runs++
		n, _ := setting.Number(&trial)
		return verdict(r.Run(&trial, seed), b.Property) == checker.Holds, n
	}
	atFrom, from := holds(string(b.From))
	atTo, to := holds(string(b.To))
	if atFrom == atTo {
		return e, fmt.Errorf("%s: no bound lies between %s and %s: %s does the same at both ends", b.Setting, b.From, b.To, b.Property)
	}
	good, bad := from, to
	if atTo {
		good, bad = to, from
	}
	for unit := setting.Unit(s); max(good-bad, bad-good) > unit; {
		middle := bad + (good-bad)/2
		if ok, n := holds(setting.Shown(s, middle)); ok {
			good = n
		} else {
			bad = n
		}
	}
	e.Holds, e.Breaks = setting.Shown(s, good), setting.Shown(s, bad)
	return e, nil
}

func verdict(r *scenarios.Result, property string) checker.Verdict {
	for _, f := range r.Findings {
		if f.Property == property {
			return f.Verdict
		}
	}
	panic("campaign: no property is named " + property) // Check has refused it
}
