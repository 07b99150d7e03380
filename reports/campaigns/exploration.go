package campaigns

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// Exploration reports what was explored and found. The command repeats it.
func Exploration(rep *explore.Report, command string) *reports.Document {
	d := &reports.Document{Data: rep}
	d.Headline(rep.Scenario.ID)
	d.Title = "Every schedule of " + rep.Scenario.ID
	universe := reports.Block{Kind: "bullets", In: reports.Page}
	for _, line := range explore.Grid(rep.Scenario) {
		d.Add(reports.Block{Kind: "hung", Words: []reports.Span{{Text: "  "}, {Text: line}}, Close: true,
			In: reports.Terminal | reports.Marked})
		universe.Blocks = append(universe.Blocks, reports.Block{Words: reports.Words(line)})
	}
	d.Add(universe)
	t := &reports.Table{Columns: reports.Columns("promise", "verdict", "shortest")}
	d.Table("", t)
	var names []string
	for i := range rep.Verdicts {
		v := &rep.Verdicts[i]
		names = append(names, v.Property)
		expect, shortest := rep.Scenario.ExpectedExploring(v.Property), ""
		if v.Verdict == checker.Violated {
			found := found{head: wording.Capital(broke(v.Property)) + ". The shortest schedule:", schedule: v.Schedule.Lines(), command: v.Command}
			if shortest = wording.Count(v.Level, "change", "changes"); len(v.Schedule) == 0 {
				found.schedule, shortest = []string{"no fault"}, "no change"
			}
			if found.add(d); expect == checker.Holds {
				shortest += "  " + wording.Differs
			}
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: called(v.Property)},
			{Text: v.Verdict.String(), Class: wording.ClassOf(v.Verdict, expect)}, {Text: shortest}})
	}
	d.Glosses(0, names...)
	d.Paragraph(explored(rep))
	if alone := rep.Scenario.Alone(); alone != "" {
		d.Paragraph("There is " + alone + ".")
	}
	d.Note(schedules(rep.Extent()))
	d.Command("Repeat it:", command)
	return d
}

// explored says within which limits every schedule was explored.
func explored(rep *explore.Report) string {
	if rep.Finished == rep.Levels {
		return "Each promise that holds does so in every schedule with " + most(&rep.Scenario.Explore) + "."
	}
	why := "It ended because no other promise can hold,"
	switch {
	case rep.Spent:
		why = "It reached its budget"
	case rep.Verdict() == scenarios.Unknown:
		why = "It was stopped"
	}
	if rep.Finished < 0 {
		return why + " before the first run."
	}
	return fmt.Sprintf("%s after every schedule with at most %s. You asked for %s.", why,
		wording.Count(rep.Finished, "change", "changes"), most(&rep.Scenario.Explore))
}

func most(x *scenarios.Explore) string {
	messages := "at most " + wording.Count(x.Deviations, "changed message", "changed messages") + " and "
	if x.Unbounded {
		messages = "any number of changed messages and at most "
	}
	return messages + wording.Count(x.Most, "fault", "faults")
}

// schedules counts those that were run.
func schedules(x *explore.Extent) string {
	text := fmt.Sprintf("%s schedules ran", wording.Grouped(x.Schedules))
	if x.Merged > 0 {
		text += fmt.Sprintf("; %s of them stopped at a state already explored. There were %s states.",
			wording.Grouped(x.Merged), wording.Grouped(x.States))
	} else {
		text += "."
	}
	if x.Unknown > 0 {
		text += fmt.Sprintf(" A limit of the scenario cut %s short, so no promise is said to hold.",
			wording.Count(x.Unknown, "run", "runs"))
	}
	return text
}
