package reports

import (
	"fmt"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Text tells one run: the verdicts, the story of each violation, a timeline, and the command that repeats it.
func Text(r *scenarios.Result, command string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, seed %d\n%s\n", r.Scenario.ID, r.Seed, r.Scenario.Title)
	b.WriteString("\n" + verdicts(r))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			b.WriteString("\n" + story(r, f))
		}
	}
	b.WriteString("\n" + timeline(r.Evidence, r.Scenario.Clients, timelineWidth))
	b.WriteString("\n" + Summary(r) + "\n")
	fmt.Fprintf(&b, "Repeat it: %s\n", command)
	return b.String()
}

// Summary says in one line whether the run went as expected, and if not, in what.
func Summary(r *scenarios.Result) string {
	s := fmt.Sprintf("%s: %s, seed %d", strings.ToUpper(r.Verdict.String()), r.Scenario.ID, r.Seed)
	if r.Verdict == scenarios.Pass {
		return s + ", went as it expects."
	}
	var wrong []string
	for _, f := range r.Findings {
		if want := r.Scenario.Expected(f.Property); f.Verdict != want {
			wrong = append(wrong, fmt.Sprintf("%s is %s, and %s was expected", f.Property, said(f.Verdict), said(want)))
		}
	}
	for _, f := range r.Seen {
		if f.Verdict != checker.Holds {
			wrong = append(wrong, "“"+f.Property+"” was expected to happen, and did not")
		}
	}
	if cut := r.Evidence.Cut; cut != "" {
		wrong = append(wrong, "the run was cut short: "+cut)
	}
	return s + ": " + strings.Join(wrong, "; ") + "."
}

// said gives a verdict as it is said of a property: "upheld" reads badly in a table, and "holds" in a sentence.
func said(v checker.Verdict) string {
	return [...]string{checker.Holds: "upheld", checker.Unknown: "unknown", checker.Violated: "violated"}[v]
}

// verdicts is the table of properties, and what else the scenario wants to see.
func verdicts(r *scenarios.Result) string {
	properties := table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "  property\tverdict\texpected\t")
		for _, f := range r.Findings {
			want := r.Scenario.Expected(f.Property)
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", f.Property, f.Verdict, want, differs(f.Verdict != want))
		}
	})
	return properties + sometimes(r)
}

// sometimes tells which of the things that should happen did.
func sometimes(r *scenarios.Result) string {
	var b strings.Builder
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		var names []string
		for _, f := range r.Seen {
			if f.Verdict == v {
				names = append(names, f.Property)
			}
		}
		if len(names) > 0 {
			fmt.Fprintf(&b, "  %s: %s%s\n", happened(v), strings.Join(names, ", "), differs(v != checker.Holds))
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

func happened(v checker.Verdict) string {
	return [...]string{checker.Holds: "happened", checker.Unknown: "not known to have happened", checker.Violated: "never happened"}[v]
}

// table lays out what write writes, tab by tab.
func table(write func(*tabwriter.Writer)) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	write(w)
	w.Flush()
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// List tells what scenarios there are.
func List(all []scenarios.Scenario) string {
	return table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "scenario\tbreaks\twhat it shows")
		for i := range all {
			fmt.Fprintf(w, "%s\t%s\t%s\n", all[i].ID, broken(&all[i]), all[i].Title)
		}
	})
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
	return strings.Join(names, " ")
}

// Settings tells what can be changed in a scenario, and what it is.
func Settings(s *scenarios.Scenario) string {
	return table(func(w *tabwriter.Writer) {
		fmt.Fprintln(w, "key\tvalue\tgive a\twhat it is")
		for _, k := range scenarios.Settings(s) {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", k.Key, k.Get(s), k.Form, k.Doc)
		}
	})
}

// clientName and nodeName name hosts as scenarios do.
func clientName(i int) string { return "c" + strconv.Itoa(i+1) }
func nodeName(i int) string   { return "n" + strconv.Itoa(i+1) }
