package layout

import (
	"slices"
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

// VerdictLine returns a line that begins with a verdict, in its colour. In a file it is one line, for machines to read.
func (s Screen) VerdictLine(line string) string {
	verdict, rest, _ := strings.Cut(line, ":")
	inks := map[string]Ink{"PASS": GreenInk, "FAIL": RedInk, "UNKNOWN": YellowInk}
	if s.Width <= 0 {
		return s.Paint(inks[verdict], verdict) + ":" + rest + "\n"
	}
	return strings.Replace(s.Hang("", NoInk, line, s.LineWidth()), verdict, s.Paint(inks[verdict], verdict), 1)
}

// InkOf returns the colour of a verdict.
func InkOf(v checker.Verdict) Ink {
	return [...]Ink{checker.Holds: GreenInk, checker.Violated: RedInk, checker.Unknown: YellowInk}[v]
}

// ClassOf returns the class of a verdict on a page: a promise that breaks as it should is no alarm.
func ClassOf(got, want checker.Verdict) string {
	if got == checker.Violated && want == checker.Violated {
		return "expected"
	}
	return got.String()
}

// Question returns what a promise asks; "" if it is none.
func Question(promise string) string {
	p, _ := checker.Lookup(promise)
	return p.Asks
}

// Glosses says in some media what promises ask, once below tables that name them.
func (d *Document) Glosses(in Media, promises ...string) {
	t := &Table{Columns: []Column{{Head: "promise", Kind: Name}, {Head: "asks", Kind: Prose}}}
	for i, name := range promises {
		if q := Question(name); q != "" && !slices.Contains(promises[:i], name) {
			t.Add(name, q)
		}
	}
	if len(t.Rows) > 0 {
		d.Add(Block{Kind: Rows, Table: t, In: in})
	}
}

// Marked colours the sign that something is not as expected.
func (s Screen) Marked(line string) string {
	return strings.Replace(line, "<<", s.Paint(RedInk, "<<"), 1)
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
