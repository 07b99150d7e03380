package samples

import (
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Seed returns a seed as suites hold it.
func Seed(n uint64) *uint64 { return &n }

// Mixed is a suite in which one scenario passes, one fails and one is unknown.
func Mixed() suites.Suite {
	return suites.Suite{
		SchemaVersion: 1, Lockstorm: "9.9.9", Seed: 5, Runs: 20, Verdict: scenarios.Fail, Mutants: []suites.MutantResult{},
		Scenarios: []suites.Case{
			{Scenario: "kleppmann/gc-pause", Title: "A pause.", Runs: 20, Verdict: scenarios.Pass, Pass: 20,
				Claim: &suites.Claim{By: "Kleppmann", Says: "A pause corrupts the data.", Finding: "Confirmed."},
				Properties: []campaigns.Counted{{Name: "belief", Count: stats.Count{Violated: 20, Runs: 20}},
					{Name: "fenced", Holds: 20, Count: stats.Count{Runs: 20}}, {Name: "storage", Count: stats.Count{Violated: 20, Runs: 20}},
					{Name: "quorum", Holds: 19, Count: stats.Count{Violated: 1, Runs: 20}}},
				Sometimes: []campaigns.Counted{{Name: "contended", Holds: 20, Count: stats.Count{Runs: 20}},
					{Name: "late-write", Holds: 20, Count: stats.Count{Runs: 20}}, {Name: "extended", Holds: 19, Count: stats.Count{Runs: 19}}},
				BlackBox: []campaigns.View{{Model: "mutex", Count: stats.Count{Violated: 20, Runs: 20}},
					{Model: "lease", Holds: 17, Count: stats.Count{Violated: 2, Unknown: 1, Runs: 20}},
					{Model: "register", Holds: 1, Count: stats.Count{Runs: 1}}},
				Command: "lockstorm run kleppmann/gc-pause --seed 5"},
			{Scenario: "mine", File: "my files/mine.yaml", Title: "A | b\n<i>*_`c`", Runs: 20, Verdict: scenarios.Fail, Pass: 17,
				Fail: 2, Unknown: 1,
				Claim:      &suites.Claim{By: "me", Says: "It holds.", Finding: "Refuted."},
				Properties: []campaigns.Counted{{Name: "belief", Holds: 17, Count: stats.Count{Violated: 2, Unknown: 1, Runs: 20}}},
				Wrong: []string{"belief should hold, and is violated in 2 of 20 runs and is unknown in 1 of 20 runs",
					"contended should happen, and never did in 1 of 20 runs"},
				First: Seed(7), Command: "lockstorm run 'my files/mine.yaml' --seed 7"},
			{Scenario: "antirez/short", Title: "Short.", Runs: 20, Verdict: scenarios.Unknown, Pass: 19, Unknown: 1,
				Claim: &suites.Claim{By: "antirez", Says: "It is short.", Finding: "Confirmed."},
				Wrong: []string{"fenced should be violated, and is unknown in 1 of 20 runs"},
				First: Seed(9), Command: "lockstorm run antirez/short --seed 9"},
		},
	}
}

// Killed is a suite of mutants, of which one dies, one survives, and of one the reference fails.
func Killed() suites.Suite {
	return suites.Suite{
		SchemaVersion: 1, Lockstorm: "9.9.9", Seed: 1, Runs: 20, Verdict: scenarios.Fail, Scenarios: []suites.Case{},
		Mutants: []suites.MutantResult{
			{Mutant: "no-check", Scenario: "kleppmann/pause", Precedent: "a | library #1", Breaks: []string{"belief", "storage"},
				Within: 1,
				Runs:   20, Verdict: scenarios.Pass, Survived: 20, Killed: 19, First: Seed(2),
				Command: "lockstorm run kleppmann/pause --seed 2 --set a=b"},
			{Mutant: "harmless", Scenario: "mine", File: "mine.yaml", Precedent: "none", Breaks: []string{"quorum"}, Within: 100,
				Runs: 100, Verdict: scenarios.Fail, Survived: 100, Wrong: []string{"the mutant should break quorum, and survives 100 runs"},
				Command: "lockstorm run mine.yaml --seed 1 --set a=b"},
			{Mutant: "two", Scenario: "kleppmann/pause", Precedent: "none", Breaks: []string{"belief"}, Within: 1,
				Runs: 20, Verdict: scenarios.Fail, Survived: 19, Killed: 20, First: Seed(1),
				Wrong:   []string{"of the reference, belief should hold, and is violated in 1 of 20 runs"},
				Command: "lockstorm run kleppmann/pause --seed 3"},
		},
	}
}
