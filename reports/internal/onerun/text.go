package onerun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Text describes one run: what broke, when, and who broke it; a timeline; the story of each violation, which says why; figures,
// bounds, and the command that repeats it.
func Text(s layout.Screen, r *scenarios.Result, m Making) string {
	var b strings.Builder
	b.WriteString(s.Hang("", layout.BoldInk, fmt.Sprintf("%s, seed %d", layout.Plain(r.Scenario.ID), r.Seed), s.LineWidth()))
	b.WriteString(s.Wrap(layout.PlainLong(r.Scenario.Title)))
	b.WriteString("\n" + verdicts(s, r) + s.Hang("  ", layout.NoInk, r.Scenario.TokensNote(), s.ProseWidth()) + sometimes(s, r) + whyKept(s, r) + remarks(r))
	b.WriteString("\n" + draw.Timeline(s, draw.NewScene(r)))
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			b.WriteString("\n" + story(s, r.Evidence, f))
		}
	}
	b.WriteString(figures(s, r.Evidence) + bounds.Section(s, r.Scenario, m.Edges))
	b.WriteString("\n" + s.VerdictLine(Summary(r)) + s.Command("Repeat it: ", m.Command))
	return b.String()
}

// verdicts lists the properties: those violated with a summary, those unknown with the reason, then those that hold.
func verdicts(s layout.Screen, r *scenarios.Result) string {
	var b strings.Builder
	for _, p := range passages(r) {
		word := [...]string{checker.Holds: "holds", checker.Violated: "VIOLATED", checker.Unknown: "unknown"}[p.verdict]
		before := "  " + layout.PadColumns(s.Paint(layout.InkOf(p.verdict), word), 8) + "  "
		b.WriteString(s.Marked(s.Hang(before, layout.NoInk, strings.Join(p.names, ", ")+p.joint+p.text, s.LineWidth())))
	}
	return b.String()
}

// A passage is a line about one property, or about several with the same text.
type passage struct {
	verdict checker.Verdict
	names   []string
	joint   string // what stands between them and the text
	text    string
}

// passages returns what is violated, then what is not known, then what holds; what is as expected comes last.
func passages(r *scenarios.Result) (all []passage) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown, checker.Holds} {
		for _, expected := range []bool{false, true} {
			for _, f := range r.Findings {
				if want := r.Scenario.Expected(f.Property); f.Verdict == v && (want == v) == expected {
					all = joinPassage(all, passageOf(r, f, want))
				}
			}
		}
	}
	return all
}

// joinPassage appends a passage, or joins it with the last one if both have the same text.
func joinPassage(all []passage, p passage) []passage {
	if n := len(all); n > 0 && all[n-1].verdict == p.verdict && all[n-1].text == p.text {
		all[n-1].names = append(all[n-1].names, p.names...)
		return all
	}
	return append(all, p)
}

// passageOf returns the passage of one property: why it has its verdict, and which it should have instead.
func passageOf(r *scenarios.Result, f checker.Finding, want checker.Verdict) passage {
	p := passage{verdict: f.Verdict, names: []string{f.Property}}
	switch {
	case f.Verdict == checker.Violated:
		p.joint, p.text = ", ", summaryOf(r.Evidence, f)
	case f.Verdict == checker.Unknown && r.Live != nil && r.Evidence.Cut == "":
		p.joint, p.text = ": ", "in doubt, see below"
	case f.Verdict == checker.Unknown:
		p.joint, p.text = ": ", layout.PlainLong(r.Evidence.Explain(f))
	}
	if f.Verdict == want {
		return p
	}
	if p.joint == "" {
		p.joint = "  "
	} else {
		p.text += "  "
	}
	p.text += layout.Differs + ", should " + layout.Be(want)
	return p
}

// sometimes describes which of the things that should happen did.
func sometimes(s layout.Screen, r *scenarios.Result) string {
	var b strings.Builder
	if names := seen(r, checker.Holds); len(names) > 0 {
		b.WriteString(s.Hang("  happened  ", layout.NoInk, strings.Join(names, ", "), s.ProseWidth()))
	}
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			b.WriteString(s.Marked(s.Hang("  "+happened(v)+": ", layout.NoInk, strings.Join(names, ", ")+"  "+layout.Differs, s.ProseWidth())))
		}
	}
	if slices.Contains(seen(r, checker.Violated), "fault-struck") {
		b.WriteString(unstruck(s, r))
	}
	return b.String()
}

// whyKept returns why each promise held that should have broken, each reason once, and what to change where something
// never happened.
func whyKept(s layout.Screen, r *scenarios.Result) (text string) {
	var given []string
	for _, f := range r.Findings {
		if f.Verdict != checker.Holds || r.Scenario.Expected(f.Property) != checker.Violated {
			continue
		}
		reasons := slices.DeleteFunc(r.Evidence.Kept(f.Property), func(reason string) bool { return slices.Contains(given, reason) })
		given = append(given, reasons...)
		if len(reasons) > 0 {
			text += s.Hang("  why "+f.Property+" held: ", layout.NoInk, strings.Join(reasons, " "), s.ProseWidth())
		}
	}
	for _, f := range r.Seen {
		if p, _ := checker.Lookup(f.Property); f.Verdict == checker.Violated && p.Hint != "" {
			text += s.Hang("  ", layout.NoInk, p.Hint, s.ProseWidth())
		}
	}
	return text
}

// unstruck names the faults that did not strike, and those that changed nothing.
func unstruck(s layout.Screen, r *scenarios.Result) string {
	var b strings.Builder
	for i, f := range r.Scenario.Faults {
		came := slices.ContainsFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i })
		met := slices.ContainsFunc(r.Evidence.Strikes, func(s checker.Strike) bool { return s.Index == i && !s.Idle })
		switch {
		case !came:
			b.WriteString(s.Hang("  did not strike: ", layout.NoInk, f.String(), s.ProseWidth()))
		case !met:
			b.WriteString(s.Hang("  struck, but changed nothing: ", layout.NoInk, f.String(), s.ProseWidth()))
		}
	}
	return b.String()
}

// story returns how one property came to be violated: a paragraph, then the events that led to it.
func story(s layout.Screen, e *checker.Evidence, f checker.Finding) string {
	a := e.Account(f)
	return paragraph(s, f.Property, a.Text) + events(s, e.Story(f).After(a))
}

func events(s layout.Screen, all []checker.Event) string {
	width := 12
	for _, m := range all {
		width = max(width, len(layout.Micros(m.At)))
	}
	var b strings.Builder
	for _, m := range all {
		b.WriteString(s.Hang(fmt.Sprintf("  %*s  ", width, layout.Micros(m.At)), layout.NoInk, layout.PlainLong(m.Text), s.LineWidth()))
	}
	return b.String()
}

// summaryOf returns in one line when a property was violated, and who did what.
func summaryOf(e *checker.Evidence, f checker.Finding) string {
	return whenBroken(f.Witness) + ": " + e.Summary(f)
}

func whenBroken(w checker.Witness) string {
	switch w.To {
	case clock.Forever:
		return "from " + layout.Micros(w.From) + " on"
	case w.From:
		return "at " + layout.Micros(w.From)
	}
	return layout.Micros(w.From) + " to " + layout.Micros(w.To)
}

// failureMost is how many lines of remarks a brief report has.
const failureMost = 16

// remarks returns how a guest failed, with stacks, and what there is to say of a live run; empty for most runs.
func remarks(r *scenarios.Result) (text string) {
	if r.Failure != "" {
		text = "\n" + layout.PlainLines(r.Failure) + "\n"
	}
	for i, remark := range r.Live {
		if i == 0 {
			text += "\n"
		}
		text += layout.PlainLong(remark) + "\n"
	}
	return text
}

// List returns the scenarios, and what each breaks.
func List(all []scenarios.Scenario) *layout.Document {
	d := &layout.Document{Title: "Scenarios", Data: listed(all)}
	d.Add(layout.Block{Kind: layout.Own, OnScreen: func(s layout.Screen) string { return list(s, all) }, In: layout.Terminal})
	d.Rows = &layout.Table{Columns: []layout.Column{{Head: "scenario", Kind: layout.Name}, {Head: "what it shows"}, {Head: "breaks"}}}
	for i := range all {
		d.Rows.Add(all[i].ID, all[i].Title, breaks(&all[i]))
	}
	d.Add(layout.Block{Kind: layout.Rows, Table: d.Rows, In: layout.Marked | layout.Page})
	return d
}

func list(s layout.Screen, all []scenarios.Scenario) string {
	var b strings.Builder
	width := 0
	for i := range all {
		width = max(width, layout.Width(all[i].ID))
	}
	wide := s.LineWidth()
	if s.Width <= 0 {
		wide = 200 // one line each, so that it can be searched
	}
	for i := range all {
		before := layout.PadColumns(all[i].ID, width) + "  "
		b.WriteString(s.Hang(before, layout.NoInk, all[i].Title, wide))
		if 2*len(before) > s.LineWidth() { // the title stands below
			before = "    "
		}
		b.WriteString(s.Hang(strings.Repeat(" ", len(before)), layout.FaintInk, breaks(&all[i]), s.LineWidth()))
	}
	return b.String()
}

// breaks describes what a scenario is expected to break, and then what its mutants break.
func breaks(s *scenarios.Scenario) string {
	if s.Search.Drawn() {
		return "a search: what breaks depends on the seed"
	}
	text := "breaks " + nothingOr(broken(s))
	if n := len(s.Mutants); n > 0 {
		text += "; " + layout.Either(n, "its mutant breaks ", fmt.Sprintf("its %d mutants break ", n)) + nothingOr(brokenByMutants(s))
	}
	return text
}

// A Listed is a scenario of the catalogue as JSON: what list --format json prints.
type Listed struct {
	ID       string   `json:"id"`
	Title    string   `json:"title"`
	Lock     string   `json:"lock"`
	Breaks   []string `json:"breaks"`
	Search   bool     `json:"search"` // a seed draws faults or settings
	Mutants  []string `json:"mutants"`
	By       string   `json:"claim_by,omitempty"`
	Says     string   `json:"claim_says,omitempty"`
	Schedule []string `json:"schedule"`
}

// listed returns the scenarios as JSON data.
func listed(all []scenarios.Scenario) []Listed {
	listed := []Listed{}
	for i := range all {
		s := &all[i]
		l := Listed{ID: s.ID, Title: s.Title, Lock: s.Lock.Kind.String(), Breaks: broken(s), Search: s.Search.Drawn(), Mutants: []string{}, By: s.Claim.By, Says: s.Claim.Says, Schedule: []string{}}
		for _, m := range s.Mutants {
			l.Mutants = append(l.Mutants, m.Name)
		}
		for _, f := range s.Faults {
			l.Schedule = append(l.Schedule, f.String())
		}
		listed = append(listed, l)
	}
	return listed
}

func broken(s *scenarios.Scenario) []string {
	names := []string{}
	for _, e := range s.Expect {
		if e.Verdict == checker.Violated {
			names = append(names, e.Property)
		}
	}
	return names
}

func brokenByMutants(s *scenarios.Scenario) (names []string) {
	for _, p := range checker.Properties {
		if slices.ContainsFunc(s.Mutants, func(m scenarios.Mutant) bool { return slices.Contains(m.Breaks, p.Name) }) {
			names = append(names, p.Name)
		}
	}
	return names
}

// nothingOr joins names, or returns "nothing".
func nothingOr(names []string) string {
	if len(names) == 0 {
		return "nothing"
	}
	return layout.List(names)
}

// Settings returns what can be changed in a scenario, in the form in which --set takes it.
func Settings(s layout.Screen, of *scenarios.Scenario) string {
	var b strings.Builder
	all, width := slices.DeleteFunc(scenarios.Settings(of), func(k scenarios.Setting) bool { return !of.Uses(k) }), 0
	for _, k := range all {
		width = max(width, layout.Width(k.Key+"="+k.Get(of)))
	}
	for _, k := range all {
		b.WriteString(s.Hang(layout.PadColumns(layout.Plain(k.Key+"="+k.Get(of)), width)+"  ", layout.FaintInk, layout.PlainLong(k.Doc+" ("+k.Form+")"), s.LineWidth()))
	}
	return b.String()
}
