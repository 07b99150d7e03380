package reports

import (
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Screen is what a text is laid out for. It is plain data: the caller finds out what a terminal can show, and the
// same result on the same screen yields the same bytes. The zero Screen is a file or a pipe: as wide as a text for
// reading should be, and without colour, whatever the terminal.
//
// Each colour has one meaning: red for a broken promise and for an unexpected result, green for an expected one,
// yellow for an unknown one, faint for detail. Colour is never the only sign: without it, the same words and signs
// remain.
type Screen struct {
	Width   int // columns; 0 for the width of a file
	Colour  bool
	Program string // what the reader types for lockstorm, in commands; that itself if it is empty
}

// typed returns a command as the reader types it.
func (s Screen) typed(command string) string {
	if rest, ours := strings.CutPrefix(command, "lockstorm "); ours && s.Program != "" {
		return s.Program + " " + rest
	}
	return command
}

// screenLeast is the narrowest screen that a text is laid out for. On a narrower one the terminal breaks its lines.
const screenLeast = 40

// LineWidth returns how many columns a line has.
func (s Screen) LineWidth() int {
	if s.Width <= 0 {
		return wording.LineWidth
	}
	return min(max(s.Width, screenLeast), wording.LineWidth)
}

// ProseWidth returns how many columns a line of running text has.
func (s Screen) ProseWidth() int { return min(s.LineWidth(), wording.TextWidth) }

// An Ink is a colour, as terminals call it.
type Ink string

// The inks; "" is none.
const (
	BoldInk   Ink = "1"
	FaintInk  Ink = "2"
	RedInk    Ink = "31"
	GreenInk  Ink = "32"
	YellowInk Ink = "33"
)

// Paint colours a text, on a screen that has colours.
func (s Screen) Paint(with Ink, text string) string {
	if !s.Colour || with == "" || text == "" {
		return text
	}
	return "\x1b[" + string(with) + "m" + text + "\x1b[0m"
}

// Hang breaks a text into lines that are all indented like the first, which begins after the text before it. Where
// that leaves too little room, the text begins on a new line.
func (s Screen) Hang(before string, with Ink, text string, width int) string {
	indent, first := wording.Width(before), before
	if indent > width/2 && indent+wording.Width(text) > width {
		indent = 4
		first = strings.TrimRight(before, " ") + "\n    "
	}
	var b strings.Builder
	for i, line := range wording.FoldColumns(text, width-indent) {
		if i > 0 {
			first = strings.Repeat(" ", indent)
		}
		b.WriteString(strings.TrimRight(first+s.Paint(with, line), " ") + "\n")
	}
	return b.String()
}

// Wrap breaks running text into lines.
func (s Screen) Wrap(text string) string { return s.Hang("", "", text, s.ProseWidth()) }

// Fitted folds those lines of a text that a terminal would break, each below its own beginning.
func (s Screen) Fitted(text string) string {
	if s.Width <= 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if whole := strings.TrimSuffix(line, "\n"); wording.Width(whole) > s.LineWidth() {
			words := strings.TrimLeft(whole, " ")
			line = s.Hang(whole[:len(whole)-len(words)], "", words, s.LineWidth())
		}
		b.WriteString(line)
	}
	return b.String()
}

// Command describes a command, so that it can be copied and pasted. On a terminal that is too narrow, it continues in
// the next line after a backslash, as in shells. No word is broken, because a broken word can't be pasted.
func (s Screen) Command(before, command string) string {
	command = s.typed(command)
	if s.Width <= 0 || wording.Width(before+command) <= s.LineWidth() {
		return before + command + "\n"
	}
	var b strings.Builder
	if words := strings.TrimRight(before, " "); words != "" {
		b.WriteString(words + "\n")
	}
	line := " "
	for _, word := range shellWords(command) {
		if line != " " && wording.Width(line)+1+wording.Width(word)+2 > s.LineWidth() {
			b.WriteString(line + " \\\n")
			line = "   "
		}
		line += " " + word
	}
	b.WriteString(line + "\n")
	return b.String()
}

// shellWords splits a command at blanks outside quotes.
func shellWords(command string) (words []string) {
	from, quoted := 0, false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == '\\' && !quoted:
			i++
		case c == '\'':
			quoted = !quoted
		case c == ' ' && !quoted:
			words = append(words, command[from:i])
			from = i + 1
		}
	}
	return append(words, command[from:])
}
