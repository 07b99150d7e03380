package layout

import (
	"strings"
	"unicode"
)

// marks are the characters that Markdown would take for more than themselves.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `|`, `\|`,
	`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `~`, `\~`, `$`, `\$`)

// Escape returns a text as it stands, in one line, whatever it holds.
func Escape(text string) string { return marks.Replace(oneLine(text)) }

// Code returns a text as code. Where code could not hold it, it is prose.
func Code(text string) string {
	text = oneLine(text)
	if text == "" || strings.ContainsAny(text, "`|\\") {
		return Escape(text)
	}
	return "`" + text + "`"
}

// oneLine puts a text into one line, without what can't be seen.
func oneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r): // it may turn the direction of what follows
			return '\uFFFD'
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

// BoldVerdict makes the first word of a summary stand out.
func BoldVerdict(summary string) string {
	verdict, rest, _ := strings.Cut(summary, ":")
	return "**" + verdict + "**:" + " " + Escape(rest)
}

// Fenced returns a text as a block of code. Its fence is longer than any that the text may hold.
func Fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + fence + "\n"
}
