package reports

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// SuiteHead gives what stands above the lines of a suite in a file.
func SuiteHead(suite Suite) string { return Screen{}.SuiteHead(suite) }

// SuiteLine gives the line of an entry as a file has it.
func SuiteLine(suite Suite, i int) string { return Screen{}.SuiteLine(suite, i) }

// SuiteHead is what stands above the lines of a suite: over the kill table, the heads of its columns.
func (s Screen) SuiteHead(suite Suite) string {
	mutant, scenario, fits := s.suiteColumns(&suite)
	if len(suite.Mutants) == 0 || !fits {
		return ""
	}
	runs := runsWidth(suite)
	return strings.TrimRight(fmt.Sprintf("%-9s%-*s  %-*s  %-*s  %-*s  %s", "", mutant, "", scenario, "", runs, "reference", runs, "mutant", "first"), " ") + "\n" +
		strings.TrimRight(fmt.Sprintf("%-9s%-*s  %-*s  %-*s  %-*s  %s", "", mutant, "mutant", scenario, "scenario", runs, "survives", runs, "caught", "seed"), " ") + "\n"
}

// suiteColumns gives the columns of the names, and whether there is room for a table of them.
func (s Screen) suiteColumns(suite *Suite) (mutant, scenario int, fits bool) {
	mutant, scenario = suite.columns()
	if len(suite.Mutants) == 0 {
		return mutant, scenario, 9+scenario+2+len("1000 runs") <= s.width()
	}
	return mutant, scenario, 9+mutant+2+scenario+2*(2+runsWidth(*suite))+2+len("never") <= s.width()
}

// SuiteLine tells the entry of that index, a scenario or a mutant, in a line. Where it was not as expected, lines below
// say in what, and the last one is the command that shows it. All lines of a suite are aligned, and so it takes no more
// than the names of those that were not run yet. Without room for that, each entry is told in words.
func (s Screen) SuiteLine(suite Suite, i int) string {
	e := suite.entries()[i]
	ink := map[string]ink{"pass": greenInk, "fail": redInk, "unknown": yellowInk}[e.verdict]
	before := padColumns(s.paint(ink, strings.ToUpper(e.verdict)), 9)
	mutant, scenario, fits := s.suiteColumns(&suite)
	var line string
	switch {
	case len(suite.Mutants) > 0 && fits:
		d, runs := &suite.Mutants[i], runsWidth(suite)
		line = before + padColumns(plain(d.Mutant), mutant) + "  " + padColumns(plain(called(d.Scenario, d.File)), scenario) + "  " +
			padColumns(share(d.Survived, d.Runs), runs) + "  " + padColumns(share(d.Caught, d.Runs), runs) + "  " + seedOr(d.First, "never") + "\n"
	case len(suite.Mutants) > 0:
		d := &suite.Mutants[i]
		line = s.hang(before, noInk, fmt.Sprintf("%s: reference survives %s, mutant caught %s, first seed %s", plain(e.title),
			share(d.Survived, d.Runs), share(d.Caught, d.Runs), seedOr(d.First, "never")), s.width())
	case fits:
		line = s.hang(before+padColumns(plain(e.title), scenario)+"  ", noInk, suite.Scenarios[i].tally(), s.width())
	default:
		line = s.hang(before, noInk, plain(e.title)+": "+suite.Scenarios[i].tally(), s.width())
	}
	return line + s.wrongs(e)
}

// wrongs tells in what an entry was not as expected, and the command that shows it.
func (s Screen) wrongs(e entry) string {
	if len(e.wrong) == 0 {
		return ""
	}
	var b strings.Builder
	indent := strings.Repeat(" ", 9)
	for _, w := range e.wrong {
		b.WriteString(s.hang(indent, noInk, plainLong(w)+".", s.width()))
	}
	b.WriteString(s.command(indent, e.command))
	return b.String()
}

// SuiteEnd tells how the suite went, and once more what was not as expected: where there are many lines, nobody looks for
// those above.
func (s Screen) SuiteEnd(suite Suite, elapsed time.Duration) string {
	var b strings.Builder
	b.WriteString(s.verdictLine(SuiteSummary(suite, elapsed)))
	var names []string
	entries := suite.entries()
	for _, e := range entries {
		if e.verdict != "pass" {
			names = append(names, plain(e.title))
		}
	}
	if len(names) > 0 && len(entries) > 1 {
		b.WriteString(s.hang("", noInk, "Not as expected: "+few(names, 20, ", ")+".", s.width()))
	}
	return b.String()
}

// SuiteSummary says in one line how many scenarios or mutants were as expected. An elapsed time of zero is not told.
func SuiteSummary(suite Suite, elapsed time.Duration) string {
	text := strings.ToUpper(suite.Verdict) + ": " + suite.summary()
	if elapsed > 0 {
		text += " in " + brief(elapsed)
	}
	return text + "."
}

// brief gives a time with as many digits as anybody reads.
func brief(d time.Duration) string {
	if d < time.Second {
		return max(d.Round(time.Millisecond), time.Millisecond).String()
	}
	return d.Round(100 * time.Millisecond).String()
}

// summary counts, in one sentence without its full stop.
func (s *Suite) summary() string {
	n := s.score()
	what, good, bad := either(n.all, "scenario", "scenarios"), "as expected", "not"
	if len(s.Mutants) > 0 {
		what, good, bad = either(n.all, "mutant", "mutants"), either(n.pass, "dies", "die")+" where the reference survives", either(n.fail, "does not", "do not")
	}
	return fmt.Sprintf("%d %s, %d %s, %d %s, %d unknown; %d %s from seed %d", n.all, what, n.pass, good, n.fail, bad, n.unknown,
		n.runs, either(n.runs, "run", "runs"), s.Seed)
}

// tally says how the runs of a scenario went, and what broke in them.
func (c *Case) tally() string {
	text := fmt.Sprintf("%d %s", c.Runs, either(c.Runs, "run", "runs"))
	if c.Fail > 0 {
		text += fmt.Sprintf(", %d not as expected", c.Fail)
	}
	if c.Unknown > 0 {
		text += fmt.Sprintf(", %d unknown", c.Unknown)
	}
	for _, g := range c.broken() {
		text += "; " + list(g.names) + either(len(g.names), " breaks", " break")
		if n := g.counted.Violated; n < c.Runs {
			text += fmt.Sprintf(" in %d", n)
		}
	}
	return text
}

// columns gives the widths of the names: of the mutants, and of the scenarios. Over mutants stand heads.
func (s *Suite) columns() (mutant, scenario int) {
	if len(s.Mutants) > 0 {
		mutant, scenario = len("mutant"), len("scenario")
	}
	for _, c := range s.Scenarios {
		scenario = max(scenario, columns(plain(called(c.Scenario, c.File))))
	}
	for _, d := range s.Mutants {
		mutant = max(mutant, columns(plain(d.Mutant)))
		scenario = max(scenario, columns(plain(called(d.Scenario, d.File))))
	}
	return mutant, scenario
}

// runsWidth is that of "100 of 100", or of the head above it.
func runsWidth(s Suite) int {
	width := len("reference")
	for _, d := range s.Mutants {
		width = max(width, len(share(d.Runs, d.Runs)))
	}
	return width
}

func share(n, of int) string { return fmt.Sprintf("%d of %d", n, of) }

// seedOr gives a seed, or a word where there is none.
func seedOr(seed *uint64, none string) string {
	if seed == nil {
		return none
	}
	return strconv.FormatUint(*seed, 10)
}
