package wording

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// Is returns the verdict on n properties as a verb: "holds", "are violated".
func Is(v checker.Verdict, n int) string {
	if v == checker.Holds {
		return Either(n, "holds", "hold")
	}
	return Either(n, "is ", "are ") + v.String()
}

// Be returns a verdict as what should be: "hold", "be violated".
func Be(v checker.Verdict) string {
	if v == checker.Holds {
		return "hold"
	}
	return "be " + v.String()
}

// ClassOf returns the class of a verdict on a page: a promise that breaks as it should is no alarm.
func ClassOf(got, want checker.Verdict) string {
	if got == checker.Violated && want == checker.Violated {
		return "expected"
	}
	return got.String()
}

// Plainly returns the name for people of a promise or an event.
func Plainly(name string) string {
	p, _ := checker.Lookup(name)
	return p.Plain
}

// Promise returns the name for people of a promise or an event, with its name in code.
func Promise(name string) string { return Plainly(name) + " (" + name + ")" }

// Called returns names as Plainly or Promise says them.
func Called(names []string, say func(string) string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = say(name)
	}
	return all
}

// Broke returns a clause that says that these promises broke.
func Broke(names []string) string {
	all := make([]string, len(names))
	for i, name := range names {
		p, _ := checker.Lookup(name)
		all[i] = strings.ToLower(p.Broken[:1]) + strings.TrimSuffix(p.Broken[1:], ".")
	}
	return List(all)
}

// Question returns the question of a promise; "" if the name is no promise.
func Question(promise string) string {
	p, _ := checker.Lookup(promise)
	return p.Asks
}

// Differs is the sign that something is not as expected.
const Differs = "<< not as expected"

// DiffersIf returns the sign if something is so.
func DiffersIf(yes bool) string {
	if yes {
		return Differs
	}
	return ""
}
