package scenarios

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of what a scenario file may be. They are far beyond what a person writes, and keep what a YAML reader does with
// malformed or hostile text within a fraction of a second.
const (
	// FileBytesMax is how many bytes a scenario file may have.
	FileBytesMax = 64 << 10

	lineBytesMax = 2000
	linesMax     = 4000
	blankMax     = 100 // in a row: the reader copies all of a block of text for each one that ends it
	indentMax    = 60
	nestingMax   = 20
)

// screen refuses text that is no YAML that a person would write, before a reader gets to see it.
func screen(text []byte) (p place, problem string) {
	if len(text) > FileBytesMax {
		return p, fmt.Sprintf("the file has more than %d bytes; nothing in a scenario takes as much", FileBytesMax)
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return p, "this is UTF-16; save it as UTF-8"
	}
	nesting, blank := 0, 0
	for i, line := range strings.Split(string(text), "\n") {
		p.line, p.column = i+1, 1
		if i >= linesMax {
			return p, fmt.Sprintf("a scenario has at most %d lines", linesMax)
		}
		if blank++; strings.TrimSpace(line) != "" {
			blank = 0
		}
		if blank > blankMax {
			return p, fmt.Sprintf("%d empty lines stand in a row; give at most %d", blank, blankMax)
		}
		line = strings.TrimSuffix(line, "\r")
		if len(line) > lineBytesMax {
			return p, fmt.Sprintf("the line has %d bytes; give at most %d", len(line), lineBytesMax)
		}
		if in := len(line) - len(strings.TrimLeft(line, " -?:")); in > indentMax {
			p.column = in
			return p, fmt.Sprintf("this is %d columns in; nothing in a scenario is that deep", in)
		}
		column := 0
		for at, r := range line {
			column++
			p.column = column
			if _, size := utf8.DecodeRuneInString(line[at:]); r == utf8.RuneError && size == 1 || unicode.IsControl(r) && r != '\t' {
				return p, "this is no text; a scenario file is YAML in UTF-8"
			}
			switch r {
			case '[', '{':
				nesting++
			case ']', '}':
				nesting = max(0, nesting-1)
			}
			if nesting > nestingMax {
				return p, fmt.Sprintf("%d brackets are open; nothing in a scenario is that deep", nesting)
			}
		}
	}
	return p, ""
}
