package reports

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// Text writes the document for a screen.
func (d *Document) Text(s Screen) string {
	w := textWriter{Screen: s, whole: s}
	if d.Columns > 0 {
		w.Width = min(s.LineWidth(), d.Columns)
	}
	i := slices.IndexFunc(d.Blocks, func(b Block) bool { return b.Kind == "fit" && b.in(Terminal) })
	if i < 0 || d.Most == 0 {
		return w.blocks(d.Blocks, true)
	}
	above := w.blocks(d.Blocks[:i], true)
	below := w.blocks(d.Blocks[i+1:], false)
	return above + w.fitting(d.Blocks[i].Blocks, above == "", d.Most-strings.Count(above+below, "\n")) + below
}

// A textWriter writes blocks for a screen.
type textWriter struct {
	Screen
	whole Screen // the screen of commands
}

// blocks writes blocks one below the other. An empty line separates them, unless a block says otherwise; none precedes
// the first.
func (w *textWriter) blocks(all []Block, first bool) string {
	var b strings.Builder
	for i := range all {
		x := &all[i]
		if !x.in(Terminal) {
			continue
		}
		text, written := w.block(x)
		if !written {
			continue
		}
		if !first && !x.Close {
			b.WriteByte('\n')
		}
		first = false
		b.WriteString(text)
	}
	return b.String()
}

// fitting writes the first of several groups that takes no more than some lines, or the beginning of the last.
func (w *textWriter) fitting(groups []Block, first bool, most int) (text string) {
	for i := range groups {
		if text = w.blocks(groups[i].Blocks, first); strings.Count(text, "\n") <= most {
			return text
		}
	}
	return firstLines(text, max(most, 1))
}

// firstLines returns as much of a text as fits into some lines, with a last line that says so if there is more.
func firstLines(text string, most int) string {
	if lines := strings.SplitAfter(text, "\n"); len(lines)-1 > most {
		return strings.Join(lines[:most-1], "") + "  … and more\n"
	}
	return text
}

// block returns a block as text; written is false for one that only pages have.
func (w *textWriter) block(b *Block) (text string, written bool) {
	if text, written = w.form(b); b.Most > 0 {
		text = firstLines(text, b.Most)
	}
	return text, written
}

func (w *textWriter) form(b *Block) (text string, written bool) {
	words := b.text()
	switch b.Kind {
	case "title":
		return w.Hang("", BoldInk, words, w.LineWidth()), true
	case "heading", "topic", "":
		return w.inked(w.Wrap(words), b.Words), true
	case "hung":
		return w.inked(w.Hang(b.Words[0].Text, "", (&Block{Words: b.Words[1:]}).text(), w.ProseWidth()), b.Words), true
	case "remark":
		return w.Fitted(words + "\n"), true
	case "lines":
		if b.OnScreen != nil {
			return b.OnScreen(w.Screen), true
		}
		return w.Fitted(words), true
	case "rows":
		return b.Table.Text(w.Screen), true
	case "bullets":
		for i := range b.Blocks {
			text += w.Hang("- ", "", b.Blocks[i].text(), w.ProseWidth())
		}
		return text, true
	case "verdict":
		return w.VerdictLine(words), true
	case "command":
		return w.whole.Command(words+" ", b.Command), true
	case "item":
		name := b.Words[0].Text
		text = w.Hang("  "+name+"  ", "", textOf(b.Words[1:]), w.LineWidth())
		if b.Command != "" {
			text += w.whole.Command(strings.Repeat(" ", 4+wording.Width(name))+"See it: ", b.Command)
		}
		return text, true
	case "picture":
		if b.Drawn.Text != nil {
			return b.Drawn.Text(w.Screen), true
		}
	case "details", "group", "alarm":
		return w.blocks(b.Blocks, true), true
	case "fit":
		return w.blocks(b.Blocks[0].Blocks, true), true
	case "chips", "contents", "markup":
	default:
		panic(fmt.Sprintf("reports: there is no block of the kind %q", b.Kind))
	}
	return "", false
}

// inked colours the words of a paragraph that have a class of a colour, where they are on one line.
func (w *textWriter) inked(text string, words []Span) string {
	for _, s := range words {
		if with := inks[s.Class]; with != "" {
			text = strings.Replace(text, strings.TrimSpace(s.Text), w.Paint(with, strings.TrimSpace(s.Text)), 1)
		}
	}
	return text
}
