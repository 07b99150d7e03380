package faults

import (
	_ "embed" // for the package's own documentation
	"strings"
)

//go:embed doc.go
var documentation string

// Language tells how schedules are written: it is that part of the package's documentation, for those who have no Go at
// hand.
func Language() string {
	_, text, _ := strings.Cut(documentation, "// # The text\n//\n")
	text, _, _ = strings.Cut(text, "// # What the caller owes")
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		line = strings.TrimPrefix(line, "# ")
		b.WriteString(strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.NewReplacer("[Parse] reads that text, and Parse(s.String()) gives s again. ", "", "[Strike]", "run").Replace(b.String())
}
