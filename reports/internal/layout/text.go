package layout

import "strings"

// Text writes the document for a screen.
func (d *Document) Text(s Screen) string {
	var b strings.Builder
	first := true
	for i := range d.Blocks {
		x := &d.Blocks[i]
		if !x.in(Terminal) {
			continue
		}
		text, written := x.onScreen(s)
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

// onScreen returns a block as text; written is false for one that only pages have.
func (b *Block) onScreen(s Screen) (text string, written bool) {
	words := b.text()
	switch b.Kind {
	case Title:
		return s.Hang("", BoldInk, words, s.LineWidth()), true
	case Heading, Topic, Sentence:
		return s.Wrap(words), true
	case Wide:
		return s.Hang("", NoInk, words, s.LineWidth()), true
	case Remark:
		return words + "\n", true
	case Lines:
		return words, true
	case Rows:
		return b.Table.Text(s), true
	case Own:
		return b.OnScreen(s), true
	case Bullets:
		for i := range b.Blocks {
			text += s.Hang("- ", NoInk, b.Blocks[i].text(), s.ProseWidth())
		}
		return text, true
	case Verdict:
		return s.VerdictLine(words), true
	case Shell:
		return s.Command(words+" ", b.Command), true
	case Item:
		name := b.Words[0].Text
		text = s.Hang("  "+name+"  ", NoInk, b.Words[1].Text, s.LineWidth())
		if b.Command != "" {
			text += s.Command(strings.Repeat(" ", 4+Width(name))+"See it: ", b.Command)
		}
		return text, true
	case Details:
		return (&Document{Blocks: b.Blocks}).Text(s), true
	}
	return "", false
}
