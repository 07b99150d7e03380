package cli

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/reports"
)

// inner matches the columns before the second field of a line: of a table, or of an item of a list.
var inner = regexp.MustCompile(`^ *(- |\S+( \S+)*  +)`)

// Fold breaks the lines of a help text again, for a narrower screen. A line belongs to the one before it if it begins
// where that one hangs: at its second field, if it has one, else at its first word. A command continues after a
// backslash.
func Fold(s reports.Screen, text string) string {
	var b strings.Builder
	before, words := "", ""
	follows := func(start int) bool { // an indented line that does not hang is an example
		return words != "" && start == utf8.RuneCountInString(before) && (start == 0 || strings.TrimSpace(before) != "")
	}
	flush := func() {
		if words != "" {
			b.WriteString(s.Hang(before, "", words, s.LineWidth()))
		}
		before, words = "", ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		field := inner.FindString(line)
		start := len(line) - len(strings.TrimLeft(line, " "))
		switch {
		case line == "":
			flush()
			b.WriteString("\n")
		case strings.HasPrefix(line[start:], Name+" "):
			flush()
			b.WriteString(s.Command(line[:start], line[start:]))
		case field == "" && follows(start):
			words += " " + line[start:]
		default:
			flush()
			if field == "" {
				field = line[:start]
			}
			before, words = field, line[len(field):]
		}
	}
	flush()
	return strings.TrimSuffix(b.String(), "\n")
}
