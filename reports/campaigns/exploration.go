package campaigns

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// An Exploration is what explore --format json prints.
type Exploration struct {
	SchemaVersion int        `json:"schema_version"`
	Scenario      string     `json:"scenario"`
	Grid          []string   `json:"grid"`     // a line each: what the universe is
	Finished      int        `json:"finished"` // all schedules of up to so many deviations and faults were explored; -1 for none
	Asked         int        `json:"asked"`    // up to so many were asked for
	Deviations    int        `json:"deviations"`
	Unbounded     bool       `json:"unbounded"` // there was no bound on deviations
	Faults        int        `json:"faults"`
	Schedules     int        `json:"schedules"` // that were run
	Merged        int        `json:"merged"`    // of those, the ones that met a known state
	States        int        `json:"states"`
	Unknown       int        `json:"unknown"`         // runs that were cut short
	Shard         string     `json:"shard,omitempty"` // which part of the units this is about
	Properties    []Explored `json:"properties"`

	command string
	spent   bool
	alone   string // of what the schedules show nothing, and why
}

// An Explored is the verdict on one property.
type Explored struct {
	Name     string          `json:"name"`
	Verdict  checker.Verdict `json:"verdict"`
	Within   int             `json:"deviations"` // that the shortest counterexample takes
	Schedule []string        `json:"schedule"`   // of that
	File     string          `json:"file"`

	expect  checker.Verdict
	command string // what runs the file
}

// NewExploration describes what was found.
func NewExploration(s *scenarios.Scenario, command string, r *explore.Report) Exploration {
	c := &r.Counts[len(r.Counts)-1]
	x := Exploration{
		SchemaVersion: reports.SchemaVersion, Scenario: s.ID, Grid: explore.Grid(s), Finished: r.Finished, Asked: r.Levels,
		Deviations: s.Explore.Deviations, Unbounded: s.Explore.Unbounded, Faults: s.Explore.Most, Schedules: c.Schedules,
		Merged: c.Merged, States: c.States,
		Unknown: c.Unknown, Shard: r.Shard, Properties: []Explored{}, command: command, spent: r.Spent, alone: s.Alone(),
	}
	for _, v := range r.Verdicts {
		e := Explored{Name: v.Property, Verdict: v.Verdict, Within: v.Level, Schedule: []string{},
			expect: s.ExpectedExploring(v.Property)}
		for _, f := range v.Schedule {
			e.Schedule = append(e.Schedule, f.String())
		}
		x.Properties = append(x.Properties, e)
	}
	return x
}

// Kept records in which file a counterexample is, and what runs it.
func (x *Exploration) Kept(i int, file, command string) {
	x.Properties[i].File, x.Properties[i].command = file, command
}

// Verdict is Fail if a property broke that the scenario expects to hold, and Unknown if one of them may.
func (x *Exploration) Verdict() (v scenarios.Verdict) {
	for _, p := range x.Properties {
		switch {
		case p.expect != checker.Holds:
		case p.Verdict == checker.Violated:
			return scenarios.Fail
		case p.Verdict == checker.Unknown:
			v = scenarios.Unknown
		}
	}
	return v
}

// Document describes what was explored and found.
func (x *Exploration) Document() *reports.Document {
	d := &reports.Document{Data: x}
	d.Headline(x.Scenario)
	d.Title = "Every schedule of " + x.Scenario
	universe := reports.Block{Kind: "bullets", In: reports.Page}
	for _, line := range x.Grid {
		d.Add(reports.Block{Kind: "hung", Words: []reports.Span{{Text: "  "}, {Text: line}}, Close: true, In: reports.Terminal | reports.Marked})
		universe.Blocks = append(universe.Blocks, reports.Block{Words: reports.Words(line)})
	}
	d.Add(universe)
	d.Table("", x.table())
	for i := range x.Properties {
		if p := &x.Properties[i]; p.Verdict == checker.Violated {
			found{head: p.Name + " breaks under", schedule: p.schedule(), command: p.command}.add(d)
		}
	}
	var names []string
	for _, p := range x.Properties {
		names = append(names, p.Name)
	}
	d.Glosses(0, names...)
	d.Paragraph(x.bound())
	if x.alone != "" {
		d.Paragraph("There is " + x.alone + ".")
	}
	d.Note(x.counts())
	d.Command("Repeat it:", x.command)
	return d
}

func (x *Exploration) table() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "verdict", "shortest")}
	for _, p := range x.Properties {
		shortest := ""
		if len(p.Schedule) > 0 {
			shortest = wording.Count(p.Within, "deviation", "deviations")
		} else if p.Verdict == checker.Violated {
			shortest = "no deviation"
		}
		if p.Verdict == checker.Violated && p.expect == checker.Holds {
			shortest += "  " + wording.Differs
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: p.Name},
			{Text: p.Verdict.String(), Class: wording.ClassOf(p.Verdict, p.expect)}, {Text: shortest}})
	}
	return t
}

// schedule returns what a property breaks under.
func (p *Explored) schedule() []string {
	if len(p.Schedule) == 0 {
		return []string{"no fault"}
	}
	return p.Schedule
}

func (x *Exploration) bound() string {
	if x.Shard != "" {
		return "This is shard " + x.Shard + " of the schedules, so nothing is said to hold; lockstorm merge puts the shards together."
	}
	if x.Finished == x.Asked {
		return "What holds does so in all schedules with " + x.most(x.Deviations, x.Faults) + "."
	}
	why := "Nothing is left that may hold"
	switch {
	case x.spent:
		why = "The budget was used up"
	case x.Verdict() == scenarios.Unknown:
		why = "It was stopped"
	}
	if x.Finished < 0 {
		return why + " before anything was explored."
	}
	return fmt.Sprintf("%s after all schedules in which at most %s; those with %s were asked for.", why,
		wording.Count(x.Finished, "thing goes otherwise", "things go otherwise"), x.most(x.Deviations, x.Faults))
}

func (x *Exploration) most(deviations, faults int) string {
	messages := "at most " + wording.Count(deviations, "deviation of a message", "deviations of messages") + " and "
	if x.Unbounded {
		messages = "any number of deviations of messages, and at most "
	}
	return messages + wording.Count(faults, "fault", "faults")
}

func (x *Exploration) counts() string {
	text := fmt.Sprintf("%s schedules were run", wording.Grouped(x.Schedules))
	if x.Merged > 0 {
		text += fmt.Sprintf("; %s of them came to a state from which another goes on, and ended there. There were %s states.",
			wording.Grouped(x.Merged), wording.Grouped(x.States))
	} else {
		text += "."
	}
	if x.Unknown > 0 {
		text += fmt.Sprintf(" %s cut short by a limit of the scenario, so nothing is said to hold.",
			wording.Count(x.Unknown, "run was", "runs were"))
	}
	return text
}
