package runs

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// summary returns in one line whether the run went as expected, and in which promises.
func summary(r *scenarios.Result) string {
	return fmt.Sprintf("%s: %s, seed %d: %s", strings.ToUpper(r.Verdict.String()), wording.Plain(r.Scenario.ID), r.Seed,
		outcome(r))
}

// outcome returns a sentence about the verdicts, or about what was not as expected, and how often a run with guests
// repeats.
func outcome(r *scenarios.Result) string {
	if r.Repeats.Of > 0 {
		return promises(r) + " It " + r.Repeats.String() + "."
	}
	return promises(r)
}

func promises(r *scenarios.Result) string {
	if r.Verdict == scenarios.Pass {
		return asExpected(r)
	}
	var wrong []string
	if cut := r.Evidence.Cut; cut != "" {
		wrong = append(wrong, "the run was cut short ("+cut+")")
	}
	wrong = append(wrong, r.Hangs...)
	wrong = append(wrong, unexpected(r)...)
	wrong = append(wrong, unexpectedViews(r)...)
	wrong = append(wrong, missing(r)...)
	return strings.Join(wrong, "; ") + "."
}

// asExpected returns the outcome of a run that went as expected: the violated and unknown promises, and how many hold.
func asExpected(r *scenarios.Result) string {
	var parts []string
	left := len(r.Findings)
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown} {
		var names []string
		for _, f := range r.Findings {
			if f.Verdict == v {
				names = append(names, f.Property)
			}
		}
		if left -= len(names); len(names) > 0 {
			parts = append(parts, wording.List(names)+" "+wording.Is(v, len(names)))
		}
	}
	switch {
	case len(parts) == 0:
		parts = append(parts, "all "+inWords(left)+" promises hold")
		if len(r.Evidence.Strikes) == 0 {
			parts = append(parts, "no fault struck")
		}
	case left > 0:
		parts = append(parts, "the other "+inWords(left)+" "+wording.Either(left, "holds", "hold"))
	}
	return "as expected, " + strings.Join(append(parts, vacuous(r)...), "; ") + "."
}

// vacuous returns the promises that nothing in the run could break, and why, in clauses.
func vacuous(r *scenarios.Result) (clauses []string) {
	var reasons []string
	of := map[string][]string{} // looked up, never ranged over
	for _, f := range r.Findings {
		why := r.Evidence.Vacuous(f)
		if why != "" && of[why] == nil {
			reasons = append(reasons, why)
		}
		of[why] = append(of[why], f.Property)
	}
	for _, why := range reasons {
		clauses = append(clauses, why+", so the run shows nothing of "+wording.List(of[why]))
	}
	return clauses
}

// inWords returns a small number as a word.
func inWords(n int) string {
	words := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// unexpected returns the properties with an unexpected verdict, grouped by the difference.
func unexpected(r *scenarios.Result) (wrong []string) {
	for _, got := range []checker.Verdict{checker.Violated, checker.Holds, checker.Unknown} {
		for _, want := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
			var names []string
			for _, f := range r.Findings {
				if f.Verdict == got && got != want && r.Scenario.Expected(f.Property) == want {
					names = append(names, f.Property)
				}
			}
			if len(names) > 0 {
				is := wording.List(names) + " " + wording.Is(got, len(names))
				wrong = append(wrong, is+", and should "+wording.Be(want))
			}
		}
	}
	return wrong
}

// missing returns the required events that did not happen, or are not known to have happened.
func missing(r *scenarios.Result) (wrong []string) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			known := wording.Either(len(names), " is ", " are ")
			if v == checker.Violated {
				known = " "
			}
			wrong = append(wrong, wording.List(names)+known+happened(v))
		}
	}
	return wrong
}

// seen returns the names of the required events with this verdict.
func seen(r *scenarios.Result, v checker.Verdict) (names []string) {
	for _, f := range r.Seen {
		if f.Verdict == v {
			names = append(names, f.Property)
		}
	}
	return names
}

func happened(v checker.Verdict) string {
	return [...]string{checker.Holds: "happened", checker.Unknown: "not known to have happened",
		checker.Violated: "never happened"}[v]
}
