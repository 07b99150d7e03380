package runs

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Figure is a number about a run that is no verdict.
type Figure struct {
	Name  string `json:"name"`
	Unit  string `json:"unit"`  // count, nanoseconds, or instant: nanoseconds since the run began
	Value *int64 `json:"value"` // null where the run has no such number
}

func describeFigures(e *checker.Evidence) (all []Figure) {
	for _, f := range new(checker.Judge).Figures(e) {
		described := Figure{Name: f.Name, Unit: f.Unit.String()}
		if f.Known {
			described.Value = new(f.Value)
		}
		all = append(all, described)
	}
	return all
}

// figureTable lists the figures that are worth a line.
func figureTable(e *checker.Evidence) *reports.Table {
	t := &reports.Table{Bare: true, Columns: []reports.Column{{Head: "figure"}, {Head: "value", Kind: "number"},
		{Head: "meaning", Kind: "prose"}}}
	all := new(checker.Judge).Figures(e)
	for i, f := range all {
		if (isShown(f) || hasPartner(f, all)) && !isSame(f, all[max(i-1, 0)]) {
			t.Rows = append(t.Rows, []reports.Cell{{Text: f.Name}, {Text: shown(f)}, {Text: f.Doc, Ink: reports.FaintInk}})
		}
	}
	return t
}

// isShown leaves out what is not known, counts of what never happened, and what stands elsewhere: the violations and the
// end of the run. That a lock was never unavailable is worth a line.
func isShown(f checker.Figure) bool {
	if f.Name == "first-violation" || f.Name == "end" {
		return false
	}
	return f.Known && (f.Value != 0 || f.Unit == checker.Moment || f.Name == "unavailable")
}

// partners are counts that say little one without the other: each is shown, if only as 0, where the other is.
var partners = [][2]string{{"attempts", "attempts-lost"}, {"updates-lost-plain", "updates-lost-fenced"},
	{"renewals", "renewals-failed"}}

// hasPartner reports whether a figure stands beside one that is shown.
func hasPartner(f checker.Figure, all []checker.Figure) bool {
	return slices.ContainsFunc(all, func(other checker.Figure) bool {
		return isShown(other) && (slices.Contains(partners, [2]string{f.Name, other.Name}) ||
			slices.Contains(partners, [2]string{other.Name, f.Name}))
	})
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
	return wording.Micros(clock.Instant(f.Value))
}
