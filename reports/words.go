package reports

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/checker"
)

// Widths in columns. Nothing but a run's last lines, its summary and the command that repeats it, is wider than the first.
const (
	lineWidth = 118
	textWidth = 100 // of running text, which is easier to read if it is narrower
)

// wrap breaks a text into lines of running text, each with its end.
func wrap(text string) string { return hang("", text, textWidth) }

// hang breaks a text into lines that all begin where the text begins in the first, behind what goes before it.
func hang(before, text string, width int) string {
	var b strings.Builder
	b.WriteString(before)
	indent := utf8.RuneCountInString(before)
	at := indent
	for i, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i > 0 && at+1+n > width:
			b.WriteString("\n" + strings.Repeat(" ", indent))
			at = indent
		case i > 0:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(word)
		at += n
	}
	return b.String() + "\n"
}

// table lays out what write writes, tab by tab.
func table(write func(*tabwriter.Writer)) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	write(w)
	w.Flush()
	lines := strings.Split(b.String(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// list gives words as a sentence has them: "a", "a and b", "a, b and c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}

// few gives words with a separator between them, and of many only the first and how many more there are.
func few(words []string, most int, between string) string {
	if len(words) <= most {
		return strings.Join(words, between)
	}
	return strings.Join(words[:most], between) + fmt.Sprintf(" and %d more", len(words)-most)
}

// shorten cuts a text to so many columns.
func shorten(text string, columns int) string {
	if letters := []rune(text); len(letters) > columns {
		return string(letters[:columns-1]) + "…"
	}
	return text
}

// either gives the first word for one thing, the other for many.
func either(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// home names where a key is: its node; or the service, which has each key once, whichever of its servers it is on.
func home(e *checker.Evidence, node int) string {
	if e.Service != "" {
		return e.Service
	}
	return nodeName(node)
}

// clientName and nodeName name hosts as scenarios do.
func clientName(i int) string { return "c" + strconv.Itoa(i+1) }
func nodeName(i int) string   { return "n" + strconv.Itoa(i+1) }

// pageWords are what the templates of pages can do with a text.
var pageWords = template.FuncMap{"command": CommandHTML}

// CommandHTML gives a command for a page. Words with hyphens are held together: a browser would break a line within
// "--seed".
func CommandHTML(command string) template.HTML {
	words := strings.Split(command, " ")
	for i, w := range words {
		words[i] = template.HTMLEscapeString(w)
		if strings.Contains(w, "-") {
			words[i] = `<span class="word">` + words[i] + "</span>"
		}
	}
	return template.HTML(strings.Join(words, " "))
}
