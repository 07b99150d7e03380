package reports

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// VerdictLine returns a line that begins with a verdict, in its colour. In a file it is one line, for machines to read.
func (s Screen) VerdictLine(line string) string {
	verdict, rest, _ := strings.Cut(line, ":")
	inks := map[string]Ink{"PASS": GreenInk, "FAIL": RedInk, "UNKNOWN": YellowInk}
	if s.Width <= 0 {
		return s.Paint(inks[verdict], verdict) + ":" + rest + "\n"
	}
	return strings.Replace(s.Hang("", "", line, s.LineWidth()), verdict, s.Paint(inks[verdict], verdict), 1)
}

// InkOf returns the colour of a verdict.
func InkOf(v checker.Verdict) Ink {
	return [...]Ink{checker.Holds: GreenInk, checker.Violated: RedInk, checker.Unknown: YellowInk}[v]
}

// Glosses says in some media what promises ask, once below tables that name them.
func (d *Document) Glosses(in Media, promises ...string) {
	t := &Table{Columns: []Column{{Head: "promise", Kind: "code"}, {Head: "asks", Kind: "prose"}}}
	for i, name := range promises {
		if q := wording.Question(name); q != "" && !slices.Contains(promises[:i], name) {
			t.Add(name, q)
		}
	}
	if len(t.Rows) > 0 {
		d.Add(Block{Kind: "rows", Table: t, In: in})
	}
}

// Marked colours the sign that something is not as expected.
func (s Screen) Marked(line string) string {
	return strings.Replace(line, "<<", s.Paint(RedInk, "<<"), 1)
}
