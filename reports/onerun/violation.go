package onerun

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// summaryOf returns in one line when a property was violated, and who did what.
func summaryOf(e *checker.Evidence, f checker.Finding) string {
	return whenBroken(f.Witness) + ": " + e.Summary(f)
}

// whenBroken returns the interval of a violation.
func whenBroken(w checker.Witness) string {
	switch w.To {
	case clock.Forever:
		return "from " + layout.Micros(w.From) + " on"
	case w.From:
		return "at " + layout.Micros(w.From)
	}
	return layout.Micros(w.From) + " to " + layout.Micros(w.To)
}
