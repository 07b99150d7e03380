package reports

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// story returns how one property came to be violated: the finding in a sentence, then what led to it, event by event.
func (s Screen) story(e *checker.Evidence, f checker.Finding) string {
	first := f.Property + " is violated."
	text := s.wrap(first + " " + plainLong(e.Explain(f)+" "+e.Argument(f)))
	return strings.Replace(text, first, s.paint(redInk, first), 1) + s.events(e.Story(f).Events)
}

// events returns the events of a story as lines.
func (s Screen) events(all []checker.Event) string {
	width := 12
	for _, m := range all {
		width = max(width, len(micros(m.At)))
	}
	var b strings.Builder
	for _, m := range all {
		b.WriteString(s.hang(fmt.Sprintf("  %*s  ", width, micros(m.At)), noInk, plainLong(m.Text), s.width()))
	}
	return b.String()
}

// fence returns a fencing token in brackets; empty for none.
func fence(token uint64) string {
	if token == 0 {
		return ""
	}
	return fmt.Sprintf(" (token %d)", token)
}

// micros returns an instant in seconds, with all six digits, so that they stand in line.
func micros(t clock.Instant) string {
	return fmt.Sprintf("%.6fs", t.Sub(0).Seconds())
}
