package onerun

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// A Figure is a number about a run that is no verdict.
type Figure struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`  // count, nanoseconds, or instant: nanoseconds since the run began
	Value *int64 `json:"value"` // null where the run has no such number
}

// describeFigures returns all figures of a run.
func describeFigures(e *checker.Evidence) (all []Figure) {
	for _, f := range new(checker.Judge).Figures(e) {
		described := Figure{Name: f.Name, Unit: f.Unit.String()}
		if f.Known {
			value := f.Value
			described.Value = &value
		}
		all = append(all, described)
	}
	return all
}

// figures describes the figures that are worth a line; it is empty if none is.
func figures(s layout.Screen, e *checker.Evidence) string {
	var some []checker.Figure
	name, value := 0, 0
	all := new(checker.Judge).Figures(e)
	for i, f := range all {
		if isShown(f) && !isSame(f, all[max(i-1, 0)]) {
			some = append(some, f)
			name, value = max(name, len(f.Name)), max(value, len(shown(f)))
		}
	}
	if len(some) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nfigures:\n")
	for _, f := range some {
		b.WriteString(s.Hang(fmt.Sprintf("  %-*s  %*s  ", name, f.Name, value, shown(f)), layout.FaintInk, f.Doc, s.LineWidth()))
	}
	return b.String()
}

// isShown leaves out what is not known, counts of what never happened, and what stands elsewhere: the violations and the
// end of the run. That a lock was never unavailable is worth a line.
func isShown(f checker.Figure) bool {
	if f.Name == "first-violation" || f.Name == "end" {
		return false
	}
	return f.Known && (f.Value != 0 || f.Unit == checker.Moment || f.Name == "unavailable")
}

// isSame leaves out the longest stretch if there is only one.
func isSame(f, before checker.Figure) bool {
	return f.Name == "unavailable-longest" && f.Value == before.Value
}

// shown returns a figure's value, with times to the microsecond, so that they line up.
func shown(f checker.Figure) string {
	if f.Unit == checker.Count {
		return f.String()
	}
	return layout.Micros(clock.Instant(f.Value))
}
