package wording

import (
	"strings"
	"unicode"
)

// Width returns how many columns a text takes on a screen. A colour takes none.
func Width(text string) (n int) {
	letters := []rune(text)
	for i := 0; i < len(letters); i++ {
		if letters[i] == '\x1b' { // one of paint
			for i < len(letters) && letters[i] != 'm' {
				i++
			}
			continue
		}
		n += letterColumns(letters[i])
	}
	return n
}

// broad are the letters that take two columns: East Asian letters, and pictures.
var broad = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1}, {Lo: 0x231a, Hi: 0x231b, Stride: 1}, {Lo: 0x23e9, Hi: 0x23ec, Stride: 1},
		{Lo: 0x2614, Hi: 0x2615, Stride: 1}, {Lo: 0x26a1, Hi: 0x26a1, Stride: 1}, {Lo: 0x2705, Hi: 0x2705, Stride: 1},
		{Lo: 0x274c, Hi: 0x274c, Stride: 1}, {Lo: 0x2e80, Hi: 0x303e, Stride: 1}, {Lo: 0x3041, Hi: 0x4dbf, Stride: 1},
		{Lo: 0x4e00, Hi: 0xa4cf, Stride: 1}, {Lo: 0xa960, Hi: 0xa97f, Stride: 1}, {Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1}, {Lo: 0xfe30, Hi: 0xfe6f, Stride: 1}, {Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x16fe0, Hi: 0x18cff, Stride: 1}, {Lo: 0x1b000, Hi: 0x1b2ff, Stride: 1}, {Lo: 0x1f004, Hi: 0x1f004, Stride: 1},
		{Lo: 0x1f0cf, Hi: 0x1f0cf, Stride: 1}, {Lo: 0x1f18e, Hi: 0x1f19a, Stride: 1}, {Lo: 0x1f200, Hi: 0x1f265, Stride: 1},
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1}, {Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1}, {Lo: 0x1f7e0, Hi: 0x1f7eb, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1faff, Stride: 1}, {Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

// letterColumns returns how many columns a letter takes: none for a mark on the one before it.
func letterColumns(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(broad, r):
		return 2
	}
	return 1
}

// firstColumns returns as much of a text as fits into some columns, but at least a letter, and the rest of it.
func firstColumns(text string, most int) (first, rest string) {
	n := 0
	for i, r := range text {
		if n += letterColumns(r); n > most && i > 0 {
			return text[:i], text[i:]
		}
	}
	return text, ""
}

// CutColumns returns a text in some columns; where it is longer, its end is left out.
func CutColumns(text string, most int) string {
	if Width(text) <= most {
		return text
	}
	first, _ := firstColumns(text, max(most-1, 1))
	return first + "…"
}

// PadColumns fills a text up to some columns, behind it.
func PadColumns(text string, to int) string {
	return text + strings.Repeat(" ", max(0, to-Width(text)))
}

// FoldColumns breaks a text into lines of at most n columns: between words, and within a word that is wider than a
// line.
func FoldColumns(text string, most int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && Width(line)+1+Width(word) <= most {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		for line = word; Width(line) > most; {
			first, rest := firstColumns(line, most)
			lines, line = append(lines, first), rest
		}
	}
	return append(lines, line)
}
