package onerun

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// story returns how one property came to be violated: the finding in a sentence, then what led to it, event by event.
func story(s layout.Screen, e *checker.Evidence, f checker.Finding) string {
	return paragraph(s, f.Property, e.Explain(f)+" "+e.Argument(f)) + events(s, e.Story(f).Events)
}

// events returns the events of a story as lines.
func events(s layout.Screen, all []checker.Event) string {
	width := 12
	for _, m := range all {
		width = max(width, len(layout.Micros(m.At)))
	}
	var b strings.Builder
	for _, m := range all {
		b.WriteString(s.Hang(fmt.Sprintf("  %*s  ", width, layout.Micros(m.At)), layout.NoInk, layout.PlainLong(m.Text), s.LineWidth()))
	}
	return b.String()
}
