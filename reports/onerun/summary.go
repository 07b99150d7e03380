package onerun

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Summary says in one line whether the run went as expected, and if not, in what.
func Summary(r *scenarios.Result) string {
	s := fmt.Sprintf("%s: %s, seed %d", strings.ToUpper(r.Verdict.String()), layout.Plain(r.Scenario.ID), r.Seed)
	if r.Verdict == scenarios.Pass {
		return s + asExpected(r)
	}
	var wrong []string
	if cut := r.Evidence.Cut; cut != "" {
		wrong = append(wrong, "the run was cut short ("+cut+")")
	}
	wrong = append(wrong, unexpected(r)...)
	wrong = append(wrong, missing(r)...)
	return s + ": " + strings.Join(wrong, "; ") + "."
}

// asExpected ends the summary of a run that went as it should: what broke in it is what should break.
func asExpected(r *scenarios.Result) string {
	var names []string
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			names = append(names, f.Property)
		}
	}
	if len(names) == 0 {
		return ", went as it expects."
	}
	return ": " + layout.List(names) + " " + layout.Is(checker.Violated, len(names)) + ", as it expects."
}

// unexpected says which properties have another verdict than they should, those together that differ alike.
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
				wrong = append(wrong, layout.List(names)+" "+layout.Is(got, len(names))+", and should "+layout.Be(want))
			}
		}
	}
	return wrong
}

// missing says what should have happened and did not, or was not seen to.
func missing(r *scenarios.Result) (wrong []string) {
	for _, v := range []checker.Verdict{checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			known := layout.Either(len(names), " is ", " are ")
			if v == checker.Violated {
				known = " "
			}
			wrong = append(wrong, layout.List(names)+known+happened(v))
		}
	}
	return wrong
}

// seen names the things that should happen and have this verdict.
func seen(r *scenarios.Result, v checker.Verdict) (names []string) {
	for _, f := range r.Seen {
		if f.Verdict == v {
			names = append(names, f.Property)
		}
	}
	return names
}

func happened(v checker.Verdict) string {
	return [...]string{checker.Holds: "happened", checker.Unknown: "not known to have happened", checker.Violated: "never happened"}[v]
}
