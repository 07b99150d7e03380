package layout

import "strings"

// A Document is sentences and tables in their order, made once and written in any form.
type Document struct{ parts []part }

// A part is one paragraph or table.
type part struct {
	text     func(s Screen) string
	markdown func() string // nil if Markdown does without it
	close    bool          // in text, no empty line stands before it
	first    bool          // in Markdown, it comes before all others
}

// Title begins a text with a line that stands out. Markdown does without.
func (d *Document) Title(title string) {
	d.parts = append(d.parts, part{text: func(s Screen) string { return s.Hang("", BoldInk, title, s.LineWidth()) }})
}

// Paragraph adds a paragraph.
func (d *Document) Paragraph(sentences string) {
	if sentences != "" {
		d.parts = append(d.parts, part{text: func(s Screen) string { return s.Wrap(sentences) }, markdown: func() string { return Escape(sentences) + "\n" }})
	}
}

// Marked adds a paragraph that Markdown has with marks.
func (d *Document) Marked(sentences, markdown string) {
	d.parts = append(d.parts, part{text: func(s Screen) string { return s.Wrap(sentences) }, markdown: func() string { return markdown + "\n" }})
}

// Block adds lines below what explains them, as they are.
func (d *Document) Block(lines string) {
	d.parts = append(d.parts, part{close: true, text: func(Screen) string { return lines }, markdown: func() string { return Fenced("text", lines) }})
}

// Note adds a paragraph below the one before it.
func (d *Document) Note(sentences string) {
	d.Paragraph(sentences)
	d.parts[len(d.parts)-1].close = true
}

// Table adds a table, with the sentence above it.
func (d *Document) Table(above string, t *Table) {
	if above != "" {
		d.Paragraph(above)
	}
	d.parts = append(d.parts, part{text: t.Text, markdown: t.Markdown, close: above != ""})
}

// Verdict adds a line that begins with a verdict: the last words of a text, the first of Markdown.
func (d *Document) Verdict(line string) {
	d.parts = append(d.parts, part{
		text: func(s Screen) string { return s.VerdictLine(line) }, markdown: func() string { return BoldVerdict(line) + "\n" }, first: true})
}

// Command adds a command below what says what it is for.
func (d *Document) Command(before, command string) {
	d.parts = append(d.parts, part{close: true,
		text:     func(s Screen) string { return s.Command(before+" ", command) },
		markdown: func() string { return Escape(before) + "\n\n" + Fenced("sh", command+"\n") }})
}

// Item adds a line of a list, and the command that shows it, if there is one.
func (d *Document) Item(name, sentences, command string) {
	text := func(s Screen) string {
		line := s.Hang("  "+name+"  ", NoInk, sentences, s.LineWidth())
		if command != "" {
			line += s.Command(strings.Repeat(" ", 4+Width(name))+"See it: ", command)
		}
		return line
	}
	d.parts = append(d.parts, part{close: true, text: text, markdown: func() string { return "- " + name + ": " + Escape(sentences) + "\n" }})
}

// Text writes the document for a screen.
func (d *Document) Text(s Screen) string {
	var b strings.Builder
	for i, p := range d.parts {
		if i > 0 && !p.close {
			b.WriteByte('\n')
		}
		b.WriteString(p.text(s))
	}
	return b.String()
}

// Markdown writes the document as Markdown.
func (d *Document) Markdown() string {
	var first, others []string
	for _, p := range d.parts {
		switch {
		case p.markdown == nil:
		case p.first:
			first = append(first, p.markdown())
		default:
			others = append(others, p.markdown())
		}
	}
	return strings.Join(append(first, others...), "\n")
}
