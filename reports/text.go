package reports

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Text tells one run: the verdicts, the story of each violation, a timeline, figures, bounds, and the command that repeats
// it.
func Text(r *scenarios.Result, m Making) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, seed %d\n%s", r.Scenario.ID, r.Seed, wrap(r.Scenario.Title))
	b.WriteString("\n" + verdicts(r) + sometimes(r))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			b.WriteString("\n" + story(r.Evidence, f))
		}
	}
	b.WriteString("\n" + timeline(r.Evidence, timelineWidth))
	b.WriteString(figures(r.Evidence) + bounds(r.Scenario, m.Edges))
	b.WriteString("\n" + Summary(r) + "\n")
	fmt.Fprintf(&b, "Repeat it: %s\n", m.Command)
	return b.String()
}

// verdicts is the table of properties.
func verdicts(r *scenarios.Result) string {
	return table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "  property\tverdict\texpected\t")
		for _, f := range r.Findings {
			want := r.Scenario.Expected(f.Property)
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", f.Property, f.Verdict, want, differs(f.Verdict != want))
		}
	})
}

// sometimes tells which of the things that should happen did.
func sometimes(r *scenarios.Result) string {
	var b strings.Builder
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			lines := hang("  "+happened(v)+": ", strings.Join(names, ", "), textWidth)
			b.WriteString(strings.TrimSuffix(lines, "\n") + differs(v != checker.Holds) + "\n")
		}
	}
	if slices.Contains(seen(r, checker.Violated), "fault-struck") {
		b.WriteString(unstruck(r))
	}
	return b.String()
}

// unstruck names the faults that did not strike, and those that touched nothing.
func unstruck(r *scenarios.Result) string {
	var b strings.Builder
	for i, f := range r.Scenario.Faults {
		came := slices.ContainsFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i })
		met := slices.ContainsFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i && !s.Idle })
		switch {
		case !came:
			b.WriteString(hang("  did not strike: ", f.String(), textWidth))
		case !met:
			b.WriteString(hang("  struck, and touched nothing: ", f.String(), textWidth))
		}
	}
	return b.String()
}

func differs(yes bool) string {
	if yes {
		return "  << not as expected"
	}
	return ""
}

// List tells what scenarios there are.
func List(all []scenarios.Scenario) string {
	var b strings.Builder
	width := 0
	for i := range all {
		width = max(width, len(all[i].ID))
	}
	for i := range all {
		fmt.Fprintf(&b, "%-*s  %s\n", width, all[i].ID, all[i].Title)
		fmt.Fprintf(&b, "%*s  breaks %s\n", width, "", broken(&all[i]))
	}
	return b.String()
}

// broken names the properties that a scenario expects to break.
func broken(s *scenarios.Scenario) string {
	var names []string
	for _, e := range s.Expect {
		if e.Verdict == checker.Violated {
			names = append(names, e.Property)
		}
	}
	if len(names) == 0 {
		return "nothing"
	}
	return list(names)
}

// Settings tells what can be changed in a scenario, and what it is: in the form in which --set takes it.
func Settings(s *scenarios.Scenario) string {
	var b strings.Builder
	all, width := scenarios.Settings(s), 0
	for _, k := range all {
		width = max(width, len(k.Key)+1+len(k.Get(s)))
	}
	for _, k := range all {
		b.WriteString(hang(fmt.Sprintf("%-*s  ", width, k.Key+"="+k.Get(s)), k.Doc+" ("+k.Form+")", lineWidth))
	}
	return b.String()
}
