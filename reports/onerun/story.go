package onerun

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
)

// story returns how one property came to be violated: a paragraph, then the events that led to it.
func story(s layout.Screen, e *checker.Evidence, f checker.Finding) string {
	text, all := account(e, f)
	return paragraph(s, f.Property, text) + events(s, all)
}

// account returns the paragraph and the events of a story. The beginning of a fault that the paragraph names is no event.
func account(e *checker.Evidence, f checker.Finding) (string, []checker.Event) {
	text := e.Account(f)
	return text, slices.DeleteFunc(e.Story(f).Events, func(m checker.Event) bool { return m.Begins(text) })
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
