package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/debate"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Debate reports the debate about Redlock, each of its claims put to the test.
type Debate struct {
	Version string // of Lockstorm
	Command string // that makes the report again
	Seed    uint64 // the first
	Runs    int    // of each scenario; a search has more, and a mutant may
	Seeds   int    // with which each bound was measured
	Trials  []Trial

	argument *debate.Argument
	trials   []debate.Trial // the same, as the argument has them
}

// A Trial is the runs that put one step of a debate to the test.
type Trial struct {
	Scenario *scenarios.Scenario // to be run
	Rows     []campaign.Row      // of consecutive seeds
	Mutants  [][]campaign.Row    // of each of its mutants
	Edges    []campaign.Edge     // of each of its bounds
	Drawn    *scenarios.Result   // the run that its figure shows; nil for a search
}

// Begin reads an argument, or takes the one of this package where there is none, with a step for each of these scenarios
// that it lacks. Then there is a Trial for each step.
func (d *Debate) Begin(argument string, rest []scenarios.Scenario) error {
	d.argument = debate.TheArgument()
	if argument != "" {
		var err error
		if d.argument, err = debate.ParseArgument(argument); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		d.argument.Rest(rest)
	}
	d.trials, d.Trials = nil, nil
	for _, s := range d.argument.Steps() {
		t := debate.NewTrial(s)
		d.trials, d.Trials = append(d.trials, t), append(d.Trials, Trial{Scenario: t.Scenario})
	}
	return nil
}

func (d *Debate) tried() *debate.Debate {
	for i, t := range d.Trials {
		own := &d.trials[i]
		own.Rows, own.Mutants, own.Edges, own.Drawn = t.Rows, t.Mutants, t.Edges, t.Drawn
	}
	return &debate.Debate{
		Argument: d.argument, Trials: d.trials, Version: d.Version, Command: d.Command, Seed: d.Seed, Runs: d.Runs, Seeds: d.Seeds,
	}
}

// Wrong describes what the runs contradict, and returns the worst verdict.
func (d *Debate) Wrong() (wrong []string, worst scenarios.Verdict) { return d.tried().Wrong() }

// Document returns the debate in all formats.
func (d *Debate) Document() *Document { return &Document{doc: d.tried().Document()} }
