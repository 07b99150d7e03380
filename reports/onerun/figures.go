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
	Value *int64 `json:"value"` // null where the run gives no such number
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

// figures describes the figures that say something; nothing where none does.
func figures(s layout.Screen, e *checker.Evidence) string {
	var telling []checker.Figure
	name, value := 0, 0
	all := new(checker.Judge).Figures(e)
	for i, f := range all {
		if isTelling(f) && !isSame(f, all[max(i-1, 0)]) {
			telling = append(telling, f)
			name, value = max(name, len(f.Name)), max(value, len(shown(f)))
		}
	}
	if len(telling) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\nfigures:\n")
	for _, f := range telling {
		b.WriteString(s.Hang(fmt.Sprintf("  %-*s  %*s  ", name, f.Name, value, shown(f)), layout.FaintInk, f.Doc, s.LineWidth()))
	}
	return b.String()
}

// isTelling leaves out what is not known, counts of what never happened, and what is told elsewhere: the violations and the
// end of the run. That a lock could always be had is worth a line.
func isTelling(f checker.Figure) bool {
	if f.Name == "first-violation" || f.Name == "end" {
		return false
	}
	return f.Known && (f.Value != 0 || f.Unit == checker.Moment || f.Name == "unavailable")
}

// isSame leaves out the longest of one stretch.
func isSame(f, before checker.Figure) bool {
	return f.Name == "unavailable-longest" && f.Value == before.Value
}

// shown returns a figure's value so that times stand in line.
func shown(f checker.Figure) string {
	if f.Unit == checker.Count {
		return f.String()
	}
	return layout.Micros(clock.Instant(f.Value))
}
