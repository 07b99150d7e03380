package reports

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// SuiteHead is what stands above the lines of a suite: over the kill table, the heads of its columns.
func SuiteHead(s Suite) string {
	if len(s.Mutants) == 0 {
		return ""
	}
	mutant, scenario := s.columns()
	runs := runsWidth(s)
	return strings.TrimRight(fmt.Sprintf("%-9s%-*s  %-*s  %-*s  %-*s  %s", "", mutant, "", scenario, "", runs, "reference", runs, "mutant", "first"), " ") + "\n" +
		strings.TrimRight(fmt.Sprintf("%-9s%-*s  %-*s  %-*s  %-*s  %s", "", mutant, "mutant", scenario, "scenario", runs, "survives", runs, "caught", "seed"), " ") + "\n"
}

// SuiteLine tells the entry of that index, a scenario or a mutant, in a line. Where it was not as expected, lines below
// say in what, and the last one is the command that shows it. All lines of a suite are aligned, and so it takes no more
// than the names of those that were not run yet.
func SuiteLine(s Suite, i int) string {
	e := s.entries()[i]
	mutant, scenario := s.columns()
	line := fmt.Sprintf("%-9s", strings.ToUpper(e.verdict))
	if len(s.Mutants) > 0 {
		d := s.Mutants[i]
		runs := runsWidth(s)
		line += fmt.Sprintf("%-*s  %-*s  %-*s  %-*s  %s", mutant, d.Mutant, scenario, called(d.Scenario, d.File),
			runs, share(d.Survived, d.Runs), runs, share(d.Caught, d.Runs), seedOr(d.First, "never"))
	} else {
		line += fmt.Sprintf("%-*s  %s", scenario, e.title, s.Scenarios[i].tally())
	}
	line += "\n"
	for _, w := range e.wrong {
		line += hang(strings.Repeat(" ", 9), w+".", lineWidth)
	}
	if len(e.wrong) > 0 {
		line += strings.Repeat(" ", 9) + e.command + "\n"
	}
	return line
}

// SuiteSummary says in one line how many scenarios or mutants were as expected. An elapsed time of zero is not told.
func SuiteSummary(s Suite, elapsed time.Duration) string {
	text := strings.ToUpper(s.Verdict) + ": " + s.summary()
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

// tally says how the runs of a scenario went.
func (c *Case) tally() string {
	text := fmt.Sprintf("%d %s", c.Runs, either(c.Runs, "run", "runs"))
	if c.Fail > 0 {
		text += fmt.Sprintf(", %d not as expected", c.Fail)
	}
	if c.Unknown > 0 {
		text += fmt.Sprintf(", %d unknown", c.Unknown)
	}
	return text
}

// columns gives the widths of the names: of the mutants, and of the scenarios. Over mutants stand heads.
func (s *Suite) columns() (mutant, scenario int) {
	if len(s.Mutants) > 0 {
		mutant, scenario = len("mutant"), len("scenario")
	}
	for _, c := range s.Scenarios {
		scenario = max(scenario, utf8.RuneCountInString(called(c.Scenario, c.File)))
	}
	for _, d := range s.Mutants {
		mutant = max(mutant, utf8.RuneCountInString(d.Mutant))
		scenario = max(scenario, utf8.RuneCountInString(called(d.Scenario, d.File)))
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
