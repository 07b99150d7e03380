package wording

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// PlainMost is how long a text may be, in letters; titles and names come from files, and can have any length.
const PlainMost = 300

// Plain makes a user's text harmless: no letter of it turns the direction of the text after it, or controls a
// terminal, and it is not endless.
func Plain(s string) string {
	const cut = 4 * PlainMost
	if len(s) > cut {
		s = strings.ToValidUTF8(s[:cut], "")
	}
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), unicode.Is(unicode.Cf, r):
			return '\uFFFD'
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return Shorten(s, PlainMost)
}

// PlainLong makes a user's longer text harmless, word by word.
func PlainLong(s string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(s[:min(len(s), 20_000)]) {
		b.WriteString(Plain(word) + " ")
	}
	return strings.TrimSpace(b.String())
}

// PlainLines makes a text of several lines harmless.
func PlainLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = Plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

// PlainAll makes several texts harmless.
func PlainAll(all []string) []string {
	all = slices.Clone(all)
	for i := range all {
		all[i] = Plain(all[i])
	}
	return all
}

// Capital returns a text with a capital letter first.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Grouped returns a count with its thousands set apart.
func Grouped(n int) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}
