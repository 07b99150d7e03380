package layout

import (
	"strings"
	"unicode"
)

// Row writes the row of a table.
func Row(b *strings.Builder, cells ...string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}

// marks are the characters that Markdown would take for more than themselves.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `|`, `\|`,
	`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `~`, `\~`, `$`, `\$`)

// Prose gives a text as it stands, in one line, whatever it holds.
func Prose(text string) string { return marks.Replace(oneLine(text)) }

// Code gives a text as code. Where code could not hold it, it is prose.
func Code(text string) string {
	text = oneLine(text)
	if text == "" || strings.ContainsAny(text, "`|\\") {
		return Prose(text)
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
	return "**" + verdict + "**:" + " " + Prose(rest)
}

// Fenced gives a text as a block of code. Its fence is longer than any that the text may hold.
func Fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + fence + "\n"
}

// Pipes lays out lines of words as a table of Markdown; the first line is its head.
func Pipes(lines [][]string) string {
	var b strings.Builder
	for i, line := range lines {
		for k := range line {
			line[k] = Prose(line[k])
		}
		Row(&b, line...)
		if i == 0 {
			Row(&b, strings.Split(strings.Repeat("--- ", len(line)-1)+"---", " ")...)
		}
	}
	return b.String()
}
