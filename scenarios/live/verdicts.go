package live

import (
	"context"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Verdicts are what live runs of a scenario came to.
type Verdicts struct {
	Runs    int            `json:"runs"`
	Refused string         `json:"refused,omitempty"` // why there is none
	Broken  map[string]int `json:"broken"`            // in how many runs each promise broke
	Unknown map[string]int `json:"unknown"`           // and in how many that could not be told
	Missing map[string]int `json:"missing"`           // in how many runs something did not happen that the scenario needs
	Twin    []string       `json:"simulated"`         // the promises that our own lock breaks in the simulator
	Notes   []string       `json:"notes"`             // what was in doubt, each once
}

// Judge makes live runs of a scenario, of the seeds from one on, and counts what broke. It ends with the context.
func Judge(ctx context.Context, s *scenarios.Scenario, seed uint64, runs int, o Options) Verdicts {
	v := Verdicts{Broken: map[string]int{}, Unknown: map[string]int{}, Missing: map[string]int{}}
	for i := range uint64(runs) {
		res, err := Run(ctx, s, seed+i, o)
		if err != nil {
			v.Refused = err.Error()
			return v
		}
		v.count(res)
	}
	return v
}

// count counts a run.
func (v *Verdicts) count(res *Result) {
	v.Runs++
	v.Twin = nil
	for i, f := range res.Findings {
		switch f.Verdict {
		case checker.Violated:
			v.Broken[f.Property]++
		case checker.Unknown:
			v.Unknown[f.Property]++
		}
		if res.Twin.Findings[i].Verdict == checker.Violated {
			v.Twin = append(v.Twin, f.Property)
		}
	}
	for _, f := range res.Seen {
		if f.Verdict != checker.Holds {
			v.Missing[f.Property]++
		}
	}
	for _, d := range res.Doubts {
		v.Notes = note(v.Notes, d)
	}
}
