package onerun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// briefTimelines are how many lines a timeline may have: the first with which a reason and a moment fit beside it.
var briefTimelines = []int{24, 20, 16, 12}

// The measures of a brief text.
const (
	briefLines   = 40 // of a whole text
	briefWidth   = 80
	briefMoments = 5 // of one violation
	briefOthers  = 6 // lines about the violations that are not told, with their head
)

// Brief returns one run in at most 40 lines of 80 columns: whether it went as expected and in which promises, a timeline,
// the story of the most important violation, a line for each other, and the commands for more. Text has all of it.
func Brief(s layout.Screen, r *scenarios.Result, m Making) string {
	file := s // in a file, a command stays on one line, so that it can be pasted
	s.Width = min(s.LineWidth(), briefWidth)
	head := s.Hang("", layout.BoldInk, fmt.Sprintf("%s, seed %d", layout.Plain(r.Scenario.ID), r.Seed), s.LineWidth()) +
		s.Wrap(layout.PlainLong(r.Scenario.Title)) + "\n" + s.VerdictLine(strings.ToUpper(r.Verdict.String())+": "+outcome(r)) + s.Wrap(r.Scenario.TokensNote())
	if slices.Contains(seen(r, checker.Violated), "fault-struck") {
		head += unstruck(s, r)
	}
	head += whyKept(s, r) + firstLines(remarks(r), failureMost)
	tail := "\n" + file.Command("Repeat it: ", m.Command)
	if m.Whole != "" {
		tail += file.Command("All of it: ", m.Whole)
	}
	timeline := func(most int) string { return "\n" + draw.ShortTimeline(s, draw.NewScene(r), most) }
	broken := byImportance(r)
	if names := seen(r, checker.Holds); len(broken) == 0 && len(names) > 0 {
		tail = "\n" + s.Hang("What happened: ", layout.NoInk, strings.Join(names, ", "), s.LineWidth()) + tail
	}
	if len(broken) == 0 {
		return head + timeline(min(briefTimelines[0], briefLines-strings.Count(head+tail, "\n")-1)) + tail
	}
	tail = firstLines(others(s, r.Evidence, broken[1:]), briefOthers) + tail
	return head + briefStory(s, r.Evidence, broken[0], timeline, briefLines-strings.Count(head+tail, "\n")) + tail
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

func others(s layout.Screen, e *checker.Evidence, all []checker.Finding) string {
	if len(all) == 0 {
		return ""
	}
	text, width := "\nAlso violated:\n", 0
	for _, f := range all {
		width = max(width, len(f.Property))
	}
	for _, f := range all {
		says := fmt.Sprintf("  from %s: %s", layout.Micros(f.Witness.From), layout.Plain(e.Summary(f)))
		text += "  " + layout.PadColumns(s.Paint(layout.RedInk, f.Property), width) + layout.Shorten(says, max(1, s.LineWidth()-2-width)) + "\n"
	}
	return text
}

// briefStory returns a timeline and a violation as a paragraph with its main moments, in some number of lines. If there is no
// room for all, it leaves out moments but one, then the beginning of the argument, then the end of the timeline, and only
// then the reason. A fault that the paragraph names is no moment.
func briefStory(s layout.Screen, e *checker.Evidence, f checker.Finding, timeline func(most int) string, room int) string {
	for _, most := range briefTimelines {
		for _, says := range []checker.Account{e.Account(f), e.ShortAccount(f)} {
			if text, ok := withMoments(s, e.Story(f), timeline(most)+"\n"+paragraph(s, f.Property, says.Text), says, room); ok {
				return text
			}
		}
	}
	return firstLines(timeline(briefTimelines[len(briefTimelines)-1])+"\n"+paragraph(s, f.Property, e.Explain(f)), room)
}

// withMoments returns a text with as many main moments of a story as fit into some lines, and reports whether one fits or
// there is none.
func withMoments(s layout.Screen, story checker.Story, text string, says checker.Account, room int) (string, bool) {
	all := story.Main(briefMoments, says)
	for n := len(all); n > 0; n-- {
		if whole := text + events(s, story.Main(n, says)); strings.Count(whole, "\n") <= room {
			return whole, true
		}
	}
	return text, len(all) == 0 && strings.Count(text, "\n") <= room
}

// paragraph returns a paragraph that begins with the property that is violated.
func paragraph(s layout.Screen, property, says string) string {
	first := property + " is violated."
	return strings.Replace(s.Wrap(first+" "+layout.PlainLong(says)), first, s.Paint(layout.RedInk, first), 1)
}
