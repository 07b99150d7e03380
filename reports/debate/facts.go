package debate

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// facts are the results of a debate, as debate --format json prints them.
type facts struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Command       string            `json:"command"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"` // of each scenario
	Verdict       scenarios.Verdict `json:"verdict"`
	Wrong         []string          `json:"wrong"` // where the runs contradict the text
	Studies       []*study.Result   `json:"studies"`
	Steps         []stepFacts       `json:"steps"`
}

type stepFacts struct {
	Step     string `json:"step"`
	Scenario string `json:"scenario"`
	Title    string `json:"title"`
	By       string `json:"claim_by,omitempty"`
	Says     string `json:"claim_says,omitempty"`
	Outcome  string `json:"outcome,omitempty"`
	Broke    []row  `json:"broke"`
	Command  string `json:"command"`

	verdict scenarios.Verdict
}

func (d *Debate) facts() *facts {
	all := &facts{
		SchemaVersion: checker.SchemaVersion, Lockstorm: d.Version, Command: d.Command, Seed: d.Seed, Runs: d.Runs,
		Wrong: []string{}, Studies: []*study.Result{}, Steps: []stepFacts{},
	}
	wrong, worst := d.Wrong()
	all.Wrong, all.Verdict = append(all.Wrong, wrong...), worst
	for _, t := range d.Studies {
		all.Studies = append(all.Studies, t.shown())
	}
	for i := range d.Trials {
		if t := &d.Trials[i]; t.step != nil {
			all.Steps = append(all.Steps, d.step(t))
		}
	}
	return all
}

func (d *Debate) step(t *Trial) stepFacts {
	s := t.step
	f := stepFacts{Step: d.Argument.number(s.Scenario), Scenario: s.Scenario, Title: wording.Plain(s.Title),
		Command: fmt.Sprintf("lockstorm run %s --seed %d", s.Scenario, d.Seed)}
	if c := t.Scenario.Claim; c.Says != "" {
		f.By, f.Says, f.Outcome = party(wording.Plain(c.By)), wording.PlainLong(c.Says), outcome(c.Finding)
	}
	switch _, f.verdict = t.expected(); f.verdict {
	case scenarios.Fail:
		f.Outcome = "not as expected"
	case scenarios.Unknown:
		f.Outcome = "not known"
	}
	for _, p := range t.Scenario.Promises() {
		f.Broke = append(f.Broke, t.row(p.Name))
	}
	for i := range t.Mutants {
		f.Broke = append(f.Broke, t.killed(i))
	}
	return f
}

// table returns a row for each property and mutant of each step, and for each cell of each study.
func (f *facts) table() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("step", "scenario", "name", "expected", "runs", "interval", "verdict")}
	for _, s := range f.Steps {
		for _, r := range s.Broke {
			t.Add(s.Step, s.Scenario, r.Name, r.Want, r.Count, r.Interval, r.Verdict.String())
		}
	}
	for _, s := range f.Studies {
		for i := range s.Cells {
			c := &s.Cells[i]
			t.Add("plot "+s.Name, c.Line, c.Measure.String(), c.Value, outOfAll(c.Violated, c.Runs),
				interval(c.Violated, c.Runs), "")
		}
	}
	return t
}

// party returns the author of a claim as the first word of a sentence. A name keeps its letters: antirez has no
// capital.
func party(name string) string {
	if article, _, _ := strings.Cut(name, " "); article == "the" || article == "a" {
		return wording.Capital(name)
	}
	return name
}

// outcomes are the beginnings of findings with their meanings. They are about the claim: a claim that promises break
// holds if they break.
var outcomes = []struct{ begins, says string }{
	{"Holds", "holds as stated"}, {"Not as stated", "not as stated"}, {"Depends on", "depends"},
}

// outcome returns the meaning of a finding by its beginning. Findings in files of users may have other beginnings.
func outcome(finding string) string {
	for _, o := range outcomes {
		if strings.HasPrefix(finding, o.begins) {
			return o.says
		}
	}
	return "not measured"
}
