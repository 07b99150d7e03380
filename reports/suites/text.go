package suites

import (
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Head returns the lines above the lines of a suite: the heads of a table of mutants.
func Head(s reports.Screen, suite Suite) string {
	if len(suite.Mutants) == 0 || !suite.fits(s) {
		return ""
	}
	before := strings.Repeat(" ", verdictColumns)
	return suite.killLine(before, "", "", "reference", "mutant", "first") +
		suite.killLine(before, "mutant", "scenario", "survives", "killed", "seed")
}

// verdictColumns is the width of the verdict of a line.
const verdictColumns = 9

// killLine returns a line of the table of mutants.
func (s *Suite) killLine(before string, cells ...string) string {
	mutant, scenario := s.columns()
	runs := runsWidth(*s)
	widths := []int{mutant, scenario, runs, runs, 0}
	for i, c := range cells {
		before += wording.PadColumns(c, widths[i]) + "  "
	}
	return strings.TrimRight(before, " ") + "\n"
}

// fits reports whether there is room for a table.
func (s *Suite) fits(on reports.Screen) bool {
	mutant, scenario := s.columns()
	if len(s.Mutants) == 0 {
		return verdictColumns+scenario+2+len("1000 runs") <= on.LineWidth()
	}
	return verdictColumns+mutant+2+scenario+2*(2+runsWidth(*s))+2+len("never") <= on.LineWidth()
}

// Line describes the i-th entry, a scenario or a mutant, in a line. If it was not as expected, lines below say why, and
// the last one is the command that shows it. All lines of a suite are aligned, so they need the names of entries that
// were not run yet. Without room for a table, Line describes each entry in words.
func Line(s reports.Screen, suite Suite, i int) string {
	e := suite.Entries()[i]
	ink := [...]reports.Ink{scenarios.Pass: reports.GreenInk, scenarios.Fail: reports.RedInk,
		scenarios.Unknown: reports.YellowInk}[e.Verdict]
	before := wording.PadColumns(s.Paint(ink, strings.ToUpper(e.Verdict.String())), verdictColumns)
	title, fits := wording.Plain(e.Title), suite.fits(s)
	if len(suite.Mutants) == 0 {
		text := suite.Scenarios[i].tally()
		if fits {
			_, scenario := suite.columns()
			return s.Hang(before+wording.PadColumns(title, scenario)+"  ", "", text, s.LineWidth()) + wrongs(s, e)
		}
		return s.Hang(before, "", title+": "+text, s.LineWidth()) + wrongs(s, e)
	}
	d := &suite.Mutants[i]
	survived, killed := wording.Share(d.Survived, d.Runs), wording.Share(d.Killed, d.Runs)
	seed := wording.SeedOr(d.First, "never")
	if fits {
		scenario := wording.Plain(called(d.Scenario, d.File))
		return suite.killLine(before, wording.Plain(d.Mutant), scenario, survived, killed, seed) + wrongs(s, e)
	}
	text := fmt.Sprintf("%s: reference survives %s, mutant killed %s, first seed %s", title, survived, killed, seed)
	return s.Hang(before, "", text, s.LineWidth()) + wrongs(s, e)
}

func wrongs(s reports.Screen, e Entry) string {
	if len(e.Wrong) == 0 {
		return ""
	}
	var b strings.Builder
	indent := strings.Repeat(" ", verdictColumns)
	for _, w := range e.Wrong {
		if !strings.HasSuffix(w, "?") {
			w += "."
		}
		b.WriteString(s.Hang(indent, "", wording.PlainLong(w), s.LineWidth()))
	}
	b.WriteString(s.Command(indent, e.Command))
	return b.String()
}

// End describes the outcome of the suite, and names again the entries that were not as expected, because readers of
// many lines don't search those above.
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
	for _, text := range suite.skips() {
		b.WriteString(s.Hang("", "", wording.PlainLong(text), s.LineWidth()))
	}
	return b.String()
}

// skips says which scenarios were skipped, with a sentence for each reason.
func (s *Suite) skips() (all []string) {
	var reasons []string
	of := map[string][]string{} // looked up, never ranged over
	for _, k := range s.Skipped {
		if of[k.Why] == nil {
			reasons = append(reasons, k.Why)
		}
		of[k.Why] = append(of[k.Why], called(k.Scenario, k.File))
	}
	for _, why := range reasons {
		all = append(all, fmt.Sprintf("Skipped: %s (%s).", wording.Few(of[why], 10, ", "), why))
	}
	return all
}

// Summary returns one line that counts the scenarios or mutants that were as expected. It leaves out an elapsed time of
// zero.
func Summary(suite Suite, elapsed time.Duration) string {
	text := strings.ToUpper(suite.Verdict.String()) + ": " + suite.summary()
	if elapsed > 0 {
		text = strings.TrimSuffix(text, ")") + ", " + brief(elapsed) + ")"
	}
	return text + "."
}

// brief returns a time with few digits.
func brief(d time.Duration) string {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// summary counts the entries by verdict and their runs, in one sentence without its full stop.
func (s *Suite) summary() string {
	entries, runs, n := s.Entries(), 0, map[scenarios.Verdict]int{}
	for _, e := range entries {
		n[e.Verdict]++
		runs += e.runs
	}
	text := fmt.Sprintf("%d of %s as expected", n[scenarios.Pass], wording.Count(len(entries), "scenario", "scenarios"))
	if len(s.Mutants) > 0 {
		text = fmt.Sprintf("%d of %s killed where the reference survives", n[scenarios.Pass],
			wording.Count(len(entries), "mutant", "mutants"))
	}
	if fail := n[scenarios.Fail]; fail > 0 {
		text += fmt.Sprintf(", %d not", fail)
	}
	if unknown := n[scenarios.Unknown]; unknown > 0 {
		text += fmt.Sprintf(", %d unknown", unknown)
	}
	return text + fmt.Sprintf(" (%s %s from seed %d)", wording.Grouped(runs), wording.Either(runs, "run", "runs"), s.Seed)
}

// tally describes the runs of a scenario, and which promises broke.
func (c *Case) tally() string {
	if c.Title == "" {
		return "not run: the file has mistakes"
	}
	text := wording.Grouped(c.Runs) + " " + wording.Either(c.Runs, "run", "runs")
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
	if len(c.Untested) > 0 {
		text += "; " + checker.Untested + ": " + wording.List(c.Untested)
	}
	if c.Note != "" {
		text += "; " + c.Note
	}
	return text
}

// columns returns the widths of the names of mutants and of scenarios. A table of mutants has heads.
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

// runsWidth is the width of "100 of 100", or of the head above it.
func runsWidth(s Suite) int {
	width := len("reference")
	for _, d := range s.Mutants {
		width = max(width, len(wording.Share(d.Runs, d.Runs)))
	}
	return width
}
