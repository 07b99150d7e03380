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
	studies  []*debate.Trialed
}

// A Trial is the runs that put one step of a debate to the test, or that a sentence looks at; or those of a figure of many runs.
type Trial struct {
	Scenario *scenarios.Scenario // to be run; nil for a figure
	Job      *campaign.Job       // of a figure, to be done
	Rows     []campaign.Row      // of consecutive seeds
	Mutants  [][]campaign.Row    // of each of its mutants
	Edges    []campaign.Edge     // of each of its bounds
	Drawn    *scenarios.Result   // the run that its figure shows; nil for a search
}

// Begin reads an argument, or takes the one of this package where there is none, with a step for each of these scenarios
// that it lacks. Then there is a Trial for each place whose runs it is about, and for each figure of many runs.
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
	d.trials, d.Trials, d.studies = d.argument.Trials(), nil, nil
	for _, t := range d.trials {
		d.Trials = append(d.Trials, Trial{Scenario: t.Scenario})
	}
	for _, s := range d.argument.Studied() {
		t := debate.NewStudy(s, d.Seed, d.Runs)
		d.studies, d.Trials = append(d.studies, t), append(d.Trials, Trial{Job: t.Job})
	}
	return nil
}

func (d *Debate) tried() *debate.Debate {
	for i, t := range d.Trials {
		if n := len(d.trials); i >= n {
			d.studies[i-n].Rows = t.Rows
			continue
		}
		own := &d.trials[i]
		own.Rows, own.Mutants, own.Edges, own.Drawn = t.Rows, t.Mutants, t.Edges, t.Drawn
	}
	return &debate.Debate{Argument: d.argument, Trials: d.trials, Studies: d.studies, Version: d.Version, Command: d.Command,
		Seed: d.Seed, Runs: d.Runs,
		Seeds: d.Seeds}
}

// Wrong describes what the runs contradict, and returns the worst verdict.
func (d *Debate) Wrong() (wrong []string, worst scenarios.Verdict) { return d.tried().Wrong() }

// Document returns the debate in all formats.
func (d *Debate) Document() *Document { return &Document{doc: d.tried().Document()} }
