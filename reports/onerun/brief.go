package onerun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/pictures"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The measures of a brief text.
const (
	briefLines   = 40 // of a whole text
	briefWidth   = 80
	briefLanes   = 24 // lines of the timeline
	briefMoments = 5  // of one violation
)

// Brief returns one run in at most 40 lines of 80 columns: whether it went as expected and in which promises, a timeline,
// the story of the most important violation, a line for each other, and the commands for more. Text has all of it.
func Brief(s layout.Screen, r *scenarios.Result, m Making) string {
	file := s // in a file, a command stays on one line, so that it can be pasted
	s.Width = min(s.LineWidth(), briefWidth)
	head := s.Hang("", layout.BoldInk, fmt.Sprintf("%s, seed %d", layout.Plain(r.Scenario.ID), r.Seed), s.LineWidth()) +
		s.Wrap(layout.PlainLong(r.Scenario.Title)) + "\n" + s.VerdictLine(strings.ToUpper(r.Verdict.String())+": "+outcome(r))
	if slices.Contains(seen(r, checker.Violated), "fault-struck") {
		head += unstruck(s, r)
	}
	head += whyKept(s, r) + firstLines(failure(r), failureMost)
	tail := "\n" + file.Command("Repeat it: ", m.Command)
	if m.Whole != "" {
		tail += file.Command("All of it: ", m.Whole)
	}
	head += "\n" + firstLines(pictures.Timeline(s, pictures.NewScene(r)), briefLanes)
	broken := byImportance(r)
	if names := seen(r, checker.Holds); len(broken) == 0 && len(names) > 0 {
		return head + "\n" + s.Hang("What happened: ", layout.NoInk, strings.Join(names, ", "), s.LineWidth()) + tail
	}
	if len(broken) == 0 {
		return head + tail
	}
	rest := others(s, r.Evidence, broken[1:])
	return head + "\n" + briefStory(s, r.Evidence, broken[0], briefLines-1-strings.Count(head+rest+tail, "\n")) + rest + tail
}

// firstLines returns as much of a text as fits into some lines, with a last line that says so if there is more.
func firstLines(text string, most int) string {
	if lines := strings.SplitAfter(text, "\n"); len(lines)-1 > most {
		return strings.Join(lines[:most-1], "") + "  … and more\n"
	}
	return text
}

// byImportance returns the violations, the most important first: what was not expected, then what damaged the data.
func byImportance(r *scenarios.Result) (all []checker.Finding) {
	for _, expected := range []bool{false, true} {
		for _, damaging := range []bool{true, false} {
			for i := range r.Findings {
				f := &r.Findings[i]
				if f.Verdict == checker.Violated && (r.Scenario.Expected(f.Property) == f.Verdict) == expected && f.Loses() == damaging {
					all = append(all, *f)
				}
			}
		}
	}
	return all
}

// others returns violations in a line each.
func others(s layout.Screen, e *checker.Evidence, all []checker.Finding) string {
	if len(all) == 0 {
		return ""
	}
	text, width := "\nAlso violated:\n", 0
	for _, f := range all {
		width = max(width, len(f.Property))
	}
	for _, f := range all {
		line := fmt.Sprintf("  %-*s  from %s: %s", width, f.Property, layout.Micros(f.Witness.From), layout.Plain(e.Summary(f)))
		text += strings.Replace(layout.Shorten(line, s.LineWidth()), f.Property, s.Paint(layout.RedInk, f.Property), 1) + "\n"
	}
	return text
}

// briefStory returns a violation as a paragraph and as many of its main moments as fit into some lines. A fault that the
// paragraph names is no moment. If the paragraph is too long, it says what broke, and not why.
func briefStory(s layout.Screen, e *checker.Evidence, f checker.Finding, room int) string {
	says := e.Account(f)
	text := paragraph(s, f.Property, says)
	for n := briefMoments; n > 0; n-- {
		if more := events(s, e.Story(f).Main(n, says)); strings.Count(text+more, "\n") <= room {
			return text + more
		}
	}
	if strings.Count(text, "\n") > room {
		return paragraph(s, f.Property, e.Explain(f))
	}
	return text
}

// paragraph returns a paragraph that begins with the property that is violated.
func paragraph(s layout.Screen, property, says string) string {
	first := property + " is violated."
	return strings.Replace(s.Wrap(first+" "+layout.PlainLong(says)), first, s.Paint(layout.RedInk, first), 1)
}
