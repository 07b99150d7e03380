package reports

import (
	"slices"
	"strings"
	"unicode"
)

// Markdown writes the document as Markdown.
func (d *Document) Markdown() string { return strings.Join(markdown(d.Blocks), "\n") }

// markdown returns blocks as Markdown, verdicts first.
func markdown(blocks []Block) []string {
	var first, others []string
	for i := range blocks {
		b := &blocks[i]
		if !b.in(Marked) {
			continue
		}
		if text := b.markdown(); b.Kind == "verdict" {
			first = append(first, text)
		} else if text != "" {
			others = append(others, text)
		}
	}
	return append(first, others...)
}

// markdown returns a block as Markdown; "" for one that only pages or texts have.
func (b *Block) markdown() string {
	words := marked(b.Words)
	switch b.Kind {
	case "title":
		return "# " + words + "\n"
	case "heading":
		return "## " + words + "\n"
	case "topic":
		return "### " + words + "\n"
	case "", "remark", "hung":
		return words + "\n"
	case "group":
		return strings.Join(markdown(b.Blocks), "\n")
	case "fit":
		return strings.Join(markdown(b.Blocks[0].Blocks), "\n")
	case "picture":
		if b.Drawn.Text != nil {
			return fenced("text", b.Drawn.Text(Screen{}))
		}
	case "lines":
		return fenced("text", b.text())
	case "rows":
		return b.Table.Markdown()
	case "verdict":
		return boldVerdict(b.text()) + "\n"
	case "command":
		if words != "" {
			words += "\n\n"
		}
		return words + fenced("sh", b.Command+"\n")
	case "bullets":
		text := ""
		for i := range b.Blocks {
			text += "- " + marked(b.Blocks[i].Words) + "\n"
		}
		return text
	case "item":
		return "- " + b.Words[0].Text + ": " + marked(b.Words[1:]) + "\n"
	case "alarm":
		return strings.Join(markdown(b.Blocks), "\n")
	case "details":
		return "<details><summary>" + words + "</summary>\n\n" + strings.Join(markdown(b.Blocks), "\n") + "\n</details>\n"
	}
	return ""
}

// marked returns words with the marks that Markdown has for their looks.
func marked(words []Span) (all string) {
	words = slices.DeleteFunc(slices.Clone(words), func(s Span) bool { return !s.In.has(Marked) })
	for i, s := range words {
		switch s.Look {
		case "code":
			all += code(s.Text)
		case "bold":
			all += "**" + escape(s.Text) + "**"
		default:
			text := escape(s.Text)
			if i > 0 && strings.HasPrefix(s.Text, " ") { // escape takes blanks from both ends
				text = " " + text
			}
			if i < len(words)-1 && strings.TrimSpace(s.Text) != "" && strings.HasSuffix(s.Text, " ") {
				text += " "
			}
			all += text
		}
	}
	return all
}

// marks are the characters that have a meaning in Markdown.
var marks = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `[`, `\[`, `]`, `\]`, `|`, `\|`,
	`&`, "&amp;", `<`, "&lt;", `>`, "&gt;", `~`, `\~`, `$`, `\$`)

// escape returns any text so that Markdown shows it literally, in one line.
func escape(text string) string { return marks.Replace(oneLine(text)) }

// code returns a text as code. Where code could not hold it, it is prose.
func code(text string) string {
	text = oneLine(text)
	if text == "" || strings.ContainsAny(text, "`|\\") {
		return escape(text)
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

// boldVerdict makes the first word of a summary bold.
func boldVerdict(summary string) string {
	verdict, rest, _ := strings.Cut(summary, ":")
	return "**" + verdict + "**:" + " " + escape(rest)
}

// fenced returns a text as a block of code. Its fence is longer than any that the text may hold.
func fenced(language, text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + language + "\n" + text + fence + "\n"
}
