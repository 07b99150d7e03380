package histories

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Entries returns the verdicts as a pipeline reads them, one for each model. The command judges the file of that name, but for
// the model.
func Entries(name, command string, r *codec.Recording, results []Judged) (all []suites.Entry) {
	for i, m := range describe(r, results).Models {
		e := suites.Entry{Title: m.Model + " of " + name, Class: name, Name: m.Model, File: name, Verdict: scenarios.Unknown,
			Command: command + " --model " + m.Model}
		if m.Reason != "" {
			e.Wrong = []string{strings.TrimSuffix(m.Reason, ".")}
		}
		view := campaigns.View{Model: m.Model}
		view.Add(results[i].Verdict)
		e.Seen = []campaigns.View{view}
		switch results[i].Verdict {
		case checker.Holds:
			e.Verdict = scenarios.Pass
		case checker.Violated:
			e.Verdict = scenarios.Fail
		}
		all = append(all, e)
	}
	return all
}
