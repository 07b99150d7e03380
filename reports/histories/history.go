package histories

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A History reports what models say of a recorded history.
type History struct {
	Name      string // of its file
	Command   string // that judges it, but for the model
	Recording *codec.Recording
	Results   []Judged // one for each model
}

// Worst returns the worst of the verdicts.
func (h *History) Worst() checker.Verdict { return worst(h.Results) }

// Document returns the verdicts in all formats.
func (h *History) Document() *reports.Document {
	return Document(h.Name, h.Recording, h.Results)
}

// JUnit returns the verdicts as JUnit XML, a case for each model.
func (h *History) JUnit() []byte { return suites.JUnit("lockstorm check", h.entries(), nil) }

// Annotations returns what is violated as the workflow commands that GitHub's runner turns into annotations.
func (h *History) Annotations() string { return suites.Annotations(h.entries()) }

// entries are the verdicts as a pipeline reads them, one for each model.
func (h *History) entries() (all []suites.Entry) {
	for i, m := range Describe(h.Recording, h.Results).Models {
		e := suites.Entry{Title: m.Model + " of " + h.Name, Class: h.Name, Name: m.Model, File: h.Name, Verdict: scenarios.Unknown,
			Command: h.Command + " --model " + m.Model}
		if m.Reason != "" {
			e.Wrong = []string{strings.TrimSuffix(m.Reason, ".")}
		}
		view := campaigns.View{Model: m.Model}
		view.Add(h.Results[i].Verdict)
		e.Seen = []campaigns.View{view}
		switch h.Results[i].Verdict {
		case checker.Holds:
			e.Verdict = scenarios.Pass
		case checker.Violated:
			e.Verdict = scenarios.Fail
		}
		all = append(all, e)
	}
	return all
}
