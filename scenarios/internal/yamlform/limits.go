package yamlform

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Limits of a file. They are far beyond what a person writes, and keep the time that the YAML library takes for malformed or
// hostile text below a fraction of a second.
const (
	// BytesMax is how many bytes a file may have.
	BytesMax = 64 << 10

	lineBytesMax = 2000
	linesMax     = 4000
	blankMax     = 100 // in a row: the library copies a whole block of text for each one at its end
	indentMax    = 60
	nestingMax   = 20
)

// checkLimits refuses text that no person would write as YAML, before the library reads it.
func checkLimits(text []byte) (p Place, problem string) {
	if len(text) > BytesMax {
		return p, fmt.Sprintf("the file has more than %d bytes; nothing in a scenario takes as much", BytesMax)
	}
	if bytes.HasPrefix(text, []byte{0xff, 0xfe}) || bytes.HasPrefix(text, []byte{0xfe, 0xff}) {
		return p, "this is UTF-16; save it as UTF-8"
	}
	nesting, blank := 0, 0
	for i, line := range strings.Split(string(text), "\n") {
		p.Line, p.Column = i+1, 1
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
			p.Column = in
			return p, fmt.Sprintf("this is %d columns in; nothing in a scenario is that deep", in)
		}
		column := 0
		for at, r := range line {
			column++
			p.Column = column
			if _, size := utf8.DecodeRuneInString(line[at:]); r == utf8.RuneError && size == 1 || unicode.IsControl(r) && r != '\t' {
				return p, "this is not text; a scenario file is YAML in UTF-8"
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
