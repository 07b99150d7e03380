package onerun

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// summaryOf returns in one line when a property was violated, who did what, and after which fault.
func summaryOf(e *checker.Evidence, f checker.Finding) string {
	return whenBroken(f.Witness) + ": " + e.Summary(f) + afterFault(e, f.Witness)
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

// afterFault names the last fault that struck before a violation. It need not be the cause.
func afterFault(e *checker.Evidence, w checker.Witness) string {
	if w.Strike < 0 {
		return "; no fault had struck before"
	}
	s := e.Strikes[w.Strike]
	return fmt.Sprintf("; last fault: %q at %s", layout.Plain(s.Fault), layout.Micros(s.From))
}
