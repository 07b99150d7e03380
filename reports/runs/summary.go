package runs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
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

// promises returns in sentences what happened, and whether the scenario expects it.
func promises(r *scenarios.Result) string {
	all := expected(r)
	if r.Verdict != scenarios.Pass {
		all = nil
		if cut := r.Evidence.Cut; cut != "" {
			all = append(all, cmp.Or(cuts[cut], "the run was cut short: "+cut))
		}
		all = slices.Concat(all, r.Hangs, unexpected(r))
		if r.Verdict == scenarios.Fail || len(all) == 0 {
			all = slices.Concat(all, unexpectedViews(r), missing(r))
		}
	}
	for i := 1; i < len(all); i++ {
		if !host.MatchString(all[i]) {
			all[i] = wording.Capital(all[i])
		}
	}
	return strings.Join(all, ". ") + "."
}

// host begins a sentence with the name of a host, which keeps its small letter.
var host = regexp.MustCompile(`^[cn]\d`)

// cuts say why a run was cut short, and what to change.
var cuts = map[string]string{ // looked up, never ranged over
	"step budget used up":  "the run reached its step limit. Raise `steps`",
	"time horizon reached": "the run reached its time limit. Raise `horizon`",
}

// expected returns what happened in a run that went as expected, in sentences without a full stop.
func expected(r *scenarios.Result) (all []string) {
	broken, unknown := withVerdict(r, checker.Violated), withVerdict(r, checker.Unknown)
	untested, count := vacuous(r)
	left := len(r.Findings) - len(broken) - len(unknown) - count
	if len(broken) > 0 {
		all = append(all, wording.Broke(broken)+", as this scenario is meant to show")
	}
	if len(unknown) > 0 {
		all = append(all, "not known: "+wording.List(wording.Called(unknown, wording.Promise)))
	}
	promise := wording.Either(left, " promise holds", " promises hold")
	switch {
	case left == 0:
	case left == len(r.Findings):
		all = append(all, "all "+inWords(left)+promise)
	case len(broken)+len(unknown) == 0:
		all = append(all, inWords(left)+promise)
	case count > 0:
		all = append(all, inWords(left)+" other"+promise)
	default:
		all = append(all, "the other "+strings.TrimPrefix(inWords(left)+promise, "one "))
	}
	if len(broken) == 0 && len(r.Evidence.Strikes) == 0 {
		all = append(all, "no fault hit")
	}
	return slices.Concat(all, untested, r.Vain())
}

// withVerdict returns the names of the promises with a verdict.
func withVerdict(r *scenarios.Result, v checker.Verdict) (names []string) {
	for _, f := range r.Findings {
		if f.Verdict == v {
			names = append(names, f.Property)
		}
	}
	return names
}

// vacuous returns which promises nothing in the run could break, and why, in sentences; and how many they are.
func vacuous(r *scenarios.Result) (all []string, count int) {
	var reasons []string
	of := map[string][]string{} // looked up, never ranged over
	for _, f := range r.Findings {
		why := r.Evidence.Vacuous(f)
		if why != "" && of[why] == nil {
			reasons = append(reasons, why)
		}
		of[why] = append(of[why], wording.Promise(f.Property))
	}
	for _, why := range reasons {
		all = append(all, "not tested, because "+why+": "+wording.List(of[why]))
		count += len(of[why])
	}
	return all, count
}

// inWords returns a small number as a word.
func inWords(n int) string {
	words := []string{"none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"}
	if n < len(words) {
		return words[n]
	}
	return strconv.Itoa(n)
}

// unexpected returns in clauses which promises have an unexpected verdict.
func unexpected(r *scenarios.Result) (wrong []string) {
	names := map[checker.Verdict][]string{} // looked up, never ranged over
	for _, f := range r.Findings {
		if f.Verdict != r.Scenario.Expected(f.Property) {
			names[f.Verdict] = append(names[f.Verdict], f.Property)
		}
	}
	if broken := names[checker.Violated]; len(broken) > 0 {
		wrong = append(wrong, "unexpectedly, "+wording.Broke(broken))
	}
	if held := names[checker.Holds]; len(held) > 0 {
		happened := [...]string{"that did not happen", "neither happened", "none of it happened"}
		wrong = append(wrong, "expected that "+wording.Broke(held)+"; "+happened[min(len(held), len(happened))-1])
		if len(withVerdict(r, checker.Holds)) == len(r.Findings) {
			wrong = append(wrong, "the lock kept all its promises; this scenario expects some to break")
		}
	}
	if unknown := names[checker.Unknown]; len(unknown) > 0 {
		wrong = append(wrong, "not known: "+wording.List(wording.Called(unknown, wording.Plainly)))
	}
	return wrong
}

// missing returns the required events that did not happen, or are not known to have happened, in clauses.
func missing(r *scenarios.Result) (wrong []string) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			wrong = append(wrong, required(v)+": "+wording.List(wording.Called(names, wording.Promise)))
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

// required introduces a list of required events that did not happen, or are not known to have happened.
func required(v checker.Verdict) string {
	return [...]string{checker.Unknown: "expected events that may not have occurred",
		checker.Violated: "expected events that did not occur"}[v]
}
