package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Agreement is how often live runs of a scenario, or of one of its mutants, came to the verdicts of the simulator.
type Agreement struct {
	Name    string // of the scenario, and of the mutant if it is one
	Agree   int
	Unknown int
	Differ  int
	Refused string        // why no run could be made
	Known   string        // why they differ, if that is known
	Live    time.Duration // that one run took, in the middle of all
	Twin    time.Duration // that its twin took
	Notes   []string      // what differed or was in doubt, each once
}

// Agree makes live runs of a scenario, of the seeds from one on, and compares each with its twin. It ends with the context.
func Agree(ctx context.Context, s *scenarios.Scenario, name string, seed uint64, runs int, o Options) (a Agreement) {
	a.Name, a.Known = name, known(name)
	var took []time.Duration
	for i := range uint64(runs) {
		began := time.Now()
		res, err := Run(ctx, s, seed+i, o)
		switch {
		case ctx.Err() != nil:
			return a
		case errors.As(err, new(Unproven)):
			a.Unknown, a.Notes = a.Unknown+runs-int(i), append(a.Notes, err.Error())
			return a
		case err != nil:
			a.Refused = err.Error()
			return a
		}
		took = append(took, time.Since(began)/time.Duration(res.Attempts))
		a.count(res)
	}
	slices.Sort(took)
	a.Live = took[len(took)/2]
	began := time.Now()
	scenarios.Run(*s, seed)
	a.Twin = time.Since(began)
	return a
}

// count counts a run.
func (a *Agreement) count(res *Result) {
	differ, unknown := res.compare()
	switch {
	case len(differ) > 0:
		a.Differ++
		a.Notes = appendNew(a.Notes, fmt.Sprintf("seed %d: %s", res.Seed, strings.Join(differ, "; ")))
	case unknown:
		a.Unknown++
		a.Notes = appendNew(a.Notes, strings.Join(res.Doubts, " "))
	default:
		a.Agree++
	}
}

// appendNew appends a note that is not there yet.
func appendNew(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// Verdicts are what live runs of a scenario came to.
type Verdicts struct {
	Runs    int            `json:"runs"`
	Refused string         `json:"refused,omitempty"` // why no run could be made
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
		v.Notes = appendNew(v.Notes, d)
	}
}
