package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Head is what stands above the lines of a suite: over the kill table, the heads of its columns.
func Head(s reports.Screen, suite Suite) string {
	mutant, scenario, fits := suiteColumns(s, &suite)
	if len(suite.Mutants) == 0 || !fits {
		return ""
	}
	runs := runsWidth(suite)
	return strings.TrimRight(fmt.Sprintf("%-9s%-*s  %-*s  %-*s  %-*s  %s", "", mutant, "", scenario, "", runs, "reference", runs,
		"mutant", "first"), " ") + "\n" +
		strings.TrimRight(fmt.Sprintf("%-9s%-*s  %-*s  %-*s  %-*s  %s", "", mutant, "mutant", scenario, "scenario", runs, "survives",
			runs, "killed", "seed"), " ") + "\n"
}

// suiteColumns returns the columns of the names, and whether there is room for a table of them.
func suiteColumns(s reports.Screen, suite *Suite) (mutant, scenario int, fits bool) {
	mutant, scenario = suite.columns()
	if len(suite.Mutants) == 0 {
		return mutant, scenario, 9+scenario+2+len("1000 runs") <= s.LineWidth()
	}
	return mutant, scenario, 9+mutant+2+scenario+2*(2+runsWidth(*suite))+2+len("never") <= s.LineWidth()
}

// Line describes the entry of that index, a scenario or a mutant, in a line. Where it was not as expected, lines below
// say in what, and the last one is the command that shows it. All lines of a suite are aligned, and so it takes no more
// than the names of those that were not run yet. Without room for that, each entry is described in words.
func Line(s reports.Screen, suite Suite, i int) string {
	e := suite.Entries()[i]
	ink := [...]reports.Ink{scenarios.Pass: reports.GreenInk, scenarios.Fail: reports.RedInk,
		scenarios.Unknown: reports.YellowInk}[e.Verdict]
	before := wording.PadColumns(s.Paint(ink, strings.ToUpper(e.Verdict.String())), 9)
	mutant, scenario, fits := suiteColumns(s, &suite)
	var line string
	switch {
	case len(suite.Mutants) > 0 && fits:
		d, runs := &suite.Mutants[i], runsWidth(suite)
		line = before + wording.PadColumns(wording.Plain(d.Mutant),
			mutant) + "  " + wording.PadColumns(wording.Plain(called(d.Scenario, d.File)), scenario) + "  " +
			wording.PadColumns(wording.Share(d.Survived, d.Runs), runs) + "  " + wording.PadColumns(wording.Share(d.Killed, d.Runs),
			runs) + "  " + wording.SeedOr(d.First, "never") + "\n"
	case len(suite.Mutants) > 0:
		d := &suite.Mutants[i]
		line = s.Hang(before, "", fmt.Sprintf("%s: reference survives %s, mutant killed %s, first seed %s",
			wording.Plain(e.Title),
			wording.Share(d.Survived, d.Runs), wording.Share(d.Killed, d.Runs), wording.SeedOr(d.First, "never")), s.LineWidth())
	case fits:
		line = s.Hang(before+wording.PadColumns(wording.Plain(e.Title), scenario)+"  ", "", suite.Scenarios[i].tally(),
			s.LineWidth())
	default:
		line = s.Hang(before, "", wording.Plain(e.Title)+": "+suite.Scenarios[i].tally(), s.LineWidth())
	}
	return line + wrongs(s, e)
}

func wrongs(s reports.Screen, e Entry) string {
	if len(e.Wrong) == 0 {
		return ""
	}
	var b strings.Builder
	indent := strings.Repeat(" ", 9)
	for _, w := range e.Wrong {
		b.WriteString(s.Hang(indent, "", wording.PlainLong(w)+".", s.LineWidth()))
	}
	b.WriteString(s.Command(indent, e.Command))
	return b.String()
}

// End describes how the suite went, and once more what was not as expected: where there are many lines, nobody looks for
// those above.
func End(s reports.Screen, suite Suite, elapsed time.Duration) string {
	var b strings.Builder
	b.WriteString(s.VerdictLine(Summary(suite, elapsed)))
	var names []string
	entries := suite.Entries()
	for _, e := range entries {
		if e.Verdict != scenarios.Pass {
			names = append(names, wording.Plain(e.Title))
		}
	}
	if len(names) > 0 && len(entries) > 1 {
		b.WriteString(s.Hang("", "", "Not as expected: "+wording.Few(names, 20, ", ")+".", s.LineWidth()))
	}
	return b.String()
}

// Summary returns one line that says how many scenarios or mutants were as expected. An elapsed time of zero is left out.
func Summary(suite Suite, elapsed time.Duration) string {
	text := strings.ToUpper(suite.Verdict.String()) + ": " + suite.summary()
	if elapsed > 0 {
		text += " in " + brief(elapsed)
	}
	return text + "."
}

// brief returns a time with as many digits as anybody reads.
func brief(d time.Duration) string {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// summary counts, in one sentence without its full stop.
func (s *Suite) summary() string {
	n := s.Score()
	what, good, bad := wording.Either(n.All, "scenario", "scenarios"), "as expected", "not"
	if len(s.Mutants) > 0 {
		what, good, bad = wording.Either(n.All, "mutant", "mutants"), "killed where the reference survives", "not"
	}
	return fmt.Sprintf("%d %s, %d %s, %d %s, %d unknown; %s from seed %d", n.All, what, n.pass, good, n.Fail, bad, n.Unknown,
		wording.Count(n.runs, "run", "runs"), s.Seed)
}

// tally describes how the runs of a scenario went, and what broke in them.
func (c *Case) tally() string {
	text := wording.Count(c.Runs, "run", "runs")
	if c.Fail > 0 {
		text += fmt.Sprintf(", %d not as expected", c.Fail)
	}
	if c.Unknown > 0 {
		text += fmt.Sprintf(", %d unknown", c.Unknown)
	}
	for _, g := range c.broken() {
		text += "; " + wording.List(g.names) + wording.Either(len(g.names), " breaks", " break")
		if n := g.counted.Violated; n < c.Runs {
			text += fmt.Sprintf(" in %d", n)
		}
	}
	if c.Note != "" {
		text += "; " + c.Note
	}
	return text
}

// columns returns the widths of the names: of the mutants, and of the scenarios. Over mutants stand heads.
func (s *Suite) columns() (mutant, scenario int) {
	if len(s.Mutants) > 0 {
		mutant, scenario = len("mutant"), len("scenario")
	}
	for _, c := range s.Scenarios {
		scenario = max(scenario, wording.Width(wording.Plain(called(c.Scenario, c.File))))
	}
	for _, d := range s.Mutants {
		mutant = max(mutant, wording.Width(wording.Plain(d.Mutant)))
		scenario = max(scenario, wording.Width(wording.Plain(called(d.Scenario, d.File))))
	}
	return mutant, scenario
}

// runsWidth is that of "100 of 100", or of the head above it.
func runsWidth(s Suite) int {
	width := len("reference")
	for _, d := range s.Mutants {
		width = max(width, len(wording.Share(d.Runs, d.Runs)))
	}
	return width
}
