package debate

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Facts are what a debate came to: what debate --format json prints.
type facts struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Command       string            `json:"command"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"` // of each scenario
	Verdict       scenarios.Verdict `json:"verdict"`
	Wrong         []string          `json:"wrong"` // where the runs contradict the text
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
	rest    []string // what held in all runs
}

func (d *Debate) facts() *facts {
	all := &facts{
		SchemaVersion: layout.SchemaVersion, Lockstorm: d.Version, Command: d.Command, Seed: d.Seed, Runs: d.Runs, Wrong: []string{}, Steps: []stepFacts{},
	}
	wrong, worst := d.Wrong()
	all.Wrong, all.Verdict = append(all.Wrong, wrong...), worst
	for i, s := range d.Argument.Steps() {
		all.Steps = append(all.Steps, d.step(s, &d.Trials[i]))
	}
	return all
}

func (d *Debate) step(s *Step, t *Trial) stepFacts {
	f := stepFacts{Step: d.Argument.number(s.Key), Scenario: s.Scenario, Title: layout.Plain(s.Title), Command: d.command(s, t)}
	if c := t.Scenario.Claim; c.Says != "" {
		f.By, f.Says, f.Outcome = party(layout.Plain(c.By)), layout.PlainLong(c.Says), outcome(c.Finding)
	}
	switch _, f.verdict = t.expected(); f.verdict {
	case scenarios.Fail:
		f.Outcome = "not as expected"
	case scenarios.Unknown:
		f.Outcome = "not known"
	}
	f.Broke, f.rest = t.rows(s.about())
	for i := range t.Mutants {
		f.Broke = append(f.Broke, t.killed(i))
	}
	return f
}

// command returns the one that shows a step's run, or makes its search.
func (d *Debate) command(s *Step, t *Trial) string {
	command := fmt.Sprintf("lockstorm run %s --seed %d", s.Scenario, d.Seed)
	if t.Searched() {
		command = fmt.Sprintf("lockstorm fuzz %s --faults %s --runs %d --seed %d", s.Scenario, strings.Join(s.Under, ","), len(t.Rows), d.Seed)
	}
	for _, change := range s.With {
		command += " --set " + change
	}
	return command
}

// about names the properties that a step's prose asserts something of.
func (s *Step) about() (names []string) {
	for _, p := range s.Text {
		for _, span := range p.Spans {
			if c := span.Claim; c != nil && c.Key == s.Key && c.Mutant == "" {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// table returns a row for each property and mutant of each step.
func (f *facts) table() *layout.Table {
	t := &layout.Table{Columns: layout.Columns("step", "scenario", "name", "expected", "runs", "interval", "verdict")}
	for _, s := range f.Steps {
		for _, r := range s.Broke {
			t.Add(s.Step, s.Scenario, r.Name, r.Want, r.Count, r.Interval, r.Verdict.String())
		}
	}
	return t
}

// party names one who claims something as the first word of a sentence. A name keeps its letters: antirez has no capital.
func party(name string) string {
	if article, _, _ := strings.Cut(name, " "); article == "the" || article == "a" {
		return layout.Capital(name)
	}
	return name
}

// outcomes are what findings begin with, and what is said of them. They are about the claim: one that promises break is as claimed
// where they break.
var outcomes = []struct{ begins, says string }{
	{"As claimed", "as claimed"}, {"Not as claimed", "not as claimed"}, {"Depends on", "depends"},
}

// outcome returns what is said of a finding by what it begins with. One of a file of a user may begin otherwise.
func outcome(finding string) string {
	for _, o := range outcomes {
		if strings.HasPrefix(finding, o.begins) {
			return o.says
		}
	}
	return "not measured"
}

// breaks describes which promises broke, and in how many runs.
func (t *Trial) breaks() string {
	var parts []string
	for _, p := range checker.Properties {
		violated := tally(t.Rows, p.Name).Violated
		if violated == 0 {
			continue
		}
		share := " in " + counts(violated, len(t.Rows))
		if n := len(parts); n > 0 && strings.HasSuffix(parts[n-1], share) {
			parts[n-1] = strings.TrimSuffix(parts[n-1], share) + ", " + p.Name + share
			continue
		}
		parts = append(parts, p.Name+share)
	}
	if parts == nil {
		return "nothing in " + layout.Grouped(len(t.Rows))
	}
	return strings.Join(parts, "; ")
}

// setting describes what a step's runs have in common.
func setting(s *Step, t *Trial) string {
	x := t.Scenario
	lock := "A lock of kind " + x.Lock.Kind.String()
	if x.Nodes > 0 {
		lock += " on " + layout.Count(x.LockNodes(), "node", "nodes")
	}
	text := fmt.Sprintf("%s, %d clients; TTL %s, %s for each node, allowance for drift %s; messages take %s to %s.",
		lock, x.Clients, x.Lock.TTL, x.Lock.Timeout, x.Lock.Drift(), x.Network.Latency.Min, x.Network.Latency.Max)
	if t.Searched() {
		text += fmt.Sprintf(" Faults of %s, at most %d of them within %s. What the search draws decides how often something breaks.",
			layout.List(s.Under), x.Search.Most, x.Search.Within)
	}
	if len(s.With) > 0 {
		text += " Changed: " + strings.Join(s.With, " ") + "."
	}
	return text
}
