package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Text tells one run as a file has it: see Screen.Text.
func Text(r *scenarios.Result, m Making) string { return Screen{}.Text(r, m) }

// Text tells one run: what broke, when, who broke it and after what; a timeline; the story of each violation, which says
// why; figures, bounds, and the command that repeats it.
func (s Screen) Text(r *scenarios.Result, m Making) string {
	var b strings.Builder
	b.WriteString(s.hang("", boldInk, fmt.Sprintf("%s, seed %d", plain(r.Scenario.ID), r.Seed), s.width()))
	b.WriteString(s.wrap(plainLong(r.Scenario.Title)))
	b.WriteString("\n" + s.verdicts(r) + s.sometimes(r))
	b.WriteString("\n" + s.timeline(set(r)))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			b.WriteString("\n" + s.story(r.Evidence, f))
		}
	}
	b.WriteString(s.figures(r.Evidence) + s.bounds(r.Scenario, m.Edges))
	b.WriteString("\n" + s.verdictLine(Summary(r)) + s.command("Repeat it: ", m.Command))
	return b.String()
}

// verdictLine gives a line that begins with a verdict, in its colour. In a file it is one line, for machines to read.
func (s Screen) verdictLine(line string) string {
	verdict, rest, _ := strings.Cut(line, ":")
	inks := map[string]ink{"PASS": greenInk, "FAIL": redInk, "UNKNOWN": yellowInk}
	if s.Width <= 0 {
		return s.paint(inks[verdict], verdict) + ":" + rest + "\n"
	}
	return strings.Replace(s.hang("", noInk, line, s.width()), verdict, s.paint(inks[verdict], verdict), 1)
}

// verdicts tells the properties: of each that is violated a summary, of what is not known the reason; then those that hold.
func (s Screen) verdicts(r *scenarios.Result) string {
	var b strings.Builder
	for _, p := range passages(r) {
		word := [...]string{checker.Holds: "holds", checker.Violated: "VIOLATED", checker.Unknown: "unknown"}[p.verdict]
		before := "  " + padColumns(s.paint(inkOf(p.verdict), word), 8) + "  "
		b.WriteString(s.marked(s.hang(before, noInk, strings.Join(p.names, ", ")+p.text, s.width())))
	}
	return b.String()
}

// A passage is what is told of one violated property, or of those together of which the same is to be said.
type passage struct {
	verdict checker.Verdict
	names   []string
	text    string
}

// passages gives what is violated, then what is not known, then what holds; what is as expected comes last.
func passages(r *scenarios.Result) (all []passage) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		for _, expected := range []bool{false, true} {
			for _, f := range r.Findings {
				if want := r.Scenario.Expected(f.Property); f.Verdict == v && (want == v) == expected {
					all = joinPassage(all, passage{v, []string{f.Property}, saidOf(r, f) + unlikeWanted(v, want)})
				}
			}
		}
	}
	return all
}

// joinPassage adds a passage: to the last one, if that says the same.
func joinPassage(all []passage, p passage) []passage {
	if n := len(all); n > 0 && all[n-1].verdict == p.verdict && all[n-1].text == p.text {
		all[n-1].names = append(all[n-1].names, p.names...)
		return all
	}
	return append(all, p)
}

// saidOf is what there is to say of a finding in a line.
func saidOf(r *scenarios.Result, f checker.Finding) string {
	switch f.Verdict {
	case checker.Violated:
		return ", " + summaryOf(r.Evidence, f)
	case checker.Unknown:
		return ": " + plainLong(r.Evidence.Explain(f))
	}
	return ""
}

// unlikeWanted says what a verdict should have been, if it should have been another.
func unlikeWanted(got, want checker.Verdict) string {
	if got == want {
		return ""
	}
	return "  << not as expected, should " + be(want)
}

// inkOf gives the colour of a verdict.
func inkOf(v checker.Verdict) ink {
	return [...]ink{checker.Holds: greenInk, checker.Violated: redInk, checker.Unknown: yellowInk}[v]
}

// marked colours the sign that something is not as expected.
func (s Screen) marked(line string) string {
	return strings.Replace(line, "<<", s.paint(redInk, "<<"), 1)
}

// sometimes tells which of the things that should happen did.
func (s Screen) sometimes(r *scenarios.Result) string {
	var b strings.Builder
	if names := seen(r, checker.Holds); len(names) > 0 {
		b.WriteString(s.hang("  happened  ", noInk, strings.Join(names, ", "), s.prose()))
	}
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			b.WriteString(s.marked(s.hang("  "+happened(v)+": ", noInk, strings.Join(names, ", ")+differs(true), s.prose())))
		}
	}
	if slices.Contains(seen(r, checker.Violated), "fault-struck") {
		b.WriteString(s.unstruck(r))
	}
	return b.String()
}

// unstruck names the faults that did not strike, and those that touched nothing.
func (s Screen) unstruck(r *scenarios.Result) string {
	var b strings.Builder
	for i, f := range r.Scenario.Faults {
		came := slices.ContainsFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i })
		met := slices.ContainsFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i && !s.Idle })
		switch {
		case !came:
			b.WriteString(s.hang("  did not strike: ", noInk, f.String(), s.prose()))
		case !met:
			b.WriteString(s.hang("  struck, and touched nothing: ", noInk, f.String(), s.prose()))
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

// List tells what scenarios there are, as a file has it.
func List(all []scenarios.Scenario) string { return Screen{}.List(all) }

// List tells what scenarios there are, and what each breaks.
func (s Screen) List(all []scenarios.Scenario) string {
	var b strings.Builder
	width := 0
	for i := range all {
		width = max(width, columns(all[i].ID))
	}
	wide := s.width()
	if s.Width <= 0 {
		wide = 200 // one line each, for whoever searches it
	}
	for i := range all {
		before := padColumns(all[i].ID, width) + "  "
		b.WriteString(s.hang(before, noInk, all[i].Title, wide))
		if 2*len(before) > s.width() { // the title stands below
			before = "    "
		}
		b.WriteString(s.hang(strings.Repeat(" ", len(before)), faintInk, "breaks "+broken(&all[i]), s.width()))
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

// Settings tells what can be changed in a scenario, as a file has it: see Screen.Settings.
func Settings(of *scenarios.Scenario) string { return Screen{}.Settings(of) }

// Settings tells what can be changed in a scenario, and what it is: in the form in which --set takes it.
func (s Screen) Settings(of *scenarios.Scenario) string {
	var b strings.Builder
	all, width := scenarios.Settings(of), 0
	for _, k := range all {
		width = max(width, columns(k.Key+"="+k.Get(of)))
	}
	for _, k := range all {
		b.WriteString(s.hang(padColumns(plain(k.Key+"="+k.Get(of)), width)+"  ", faintInk, plainLong(k.Doc+" ("+k.Form+")"), s.width()))
	}
	return b.String()
}
