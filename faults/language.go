package faults

import (
	_ "embed" // for the package's own documentation
	"fmt"
	"strings"
	"unicode/utf8"
)

//go:embed doc.go
var documentation string

// Language returns how schedules are written, for users without Go: the middle of the package's documentation, with the
// forms of all Kinds.
func Language() string {
	_, text, _ := strings.Cut(documentation, "// # The text\n//\n")
	text, _, _ = strings.Cut(text, "// # Rules for callers")
	var b strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ")
		line = strings.TrimPrefix(line, "# ")
		b.WriteString(strings.ReplaceAll(line, "\t", "    "))
	}
	return strings.NewReplacer("[Parse] reads that text, and Parse(s.String()) returns s again.\n", "",
		"[Injection] reports", "the run names", " [Kinds].\n", "\n\n"+forms()).Replace(b.String())
}

// forms returns one line for each kind: how it is written, and what it does.
func forms() string {
	width := 0
	for _, k := range Kinds {
		width = max(width, utf8.RuneCountInString(k.Form))
	}
	var b strings.Builder
	for _, k := range Kinds {
		fmt.Fprintf(&b, "    %-*s  %s\n", width, k.Form, k.About)
	}
	return b.String()
}
