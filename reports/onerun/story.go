package onerun

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// story returns how one property came to be violated: a paragraph, then the events that led to it.
func story(s layout.Screen, e *checker.Evidence, f checker.Finding) string {
	a := e.Account(f)
	return paragraph(s, f.Property, a.Text) + events(s, e.Story(f).After(a))
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
