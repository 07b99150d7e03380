package site

import (
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
)

// turn changes the links of a document, which lead from its source, into the links of its page. What the site does not
// have, such as source files, is named instead: its path follows the words of the link.
func (b *builder) turn(name string, d *reports.Document) {
	eachWords(d.Blocks, func(words []reports.Span) []reports.Span {
		var turned []reports.Span
		for i, s := range words {
			if s.Link == "" {
				turned = append(turned, s)
				continue
			}
			to, there := b.target(name, s.Link)
			s.Link = to
			turned = append(turned, s)
			last := i+1 == len(words) || words[i+1].Link != words[i].Link
			if inner := path.Join(path.Dir(name), words[i].Link); !there && last && inner != s.Text {
				turned = append(turned, reports.Span{Text: " ("}, reports.Span{Text: inner, Look: "code"}, reports.Span{Text: ")"})
			}
		}
		return turned
	})
}

// target returns where a link of a document leads on the site; "" if there is nothing of the kind.
func (b *builder) target(name, link string) (to string, there bool) {
	file, anchor, _ := strings.Cut(link, "#")
	if strings.Contains(link, "://") || file == "" {
		return link, true
	}
	file = path.Join(path.Dir(name), file)
	for _, f := range []string{file, path.Join(file, "README.md")} {
		if b.document(f) {
			if path.Ext(f) == ".md" {
				f = addressOf(f)
			}
			if to = relative(addressOf(name), f); anchor != "" {
				to += "#" + anchor
			}
			return to, true
		}
	}
	return "", false
}

// document reports whether there is a document of a name.
func (b *builder) document(name string) bool {
	return slices.ContainsFunc(b.Documents, func(d reports.File) bool { return d.Name == name })
}

// eachWords changes all words of blocks, at every depth.
func eachWords(blocks []reports.Block, change func([]reports.Span) []reports.Span) {
	eachBlock(blocks, func(b *reports.Block) {
		b.Words = change(b.Words)
		if b.Table == nil {
			return
		}
		for _, row := range b.Table.Rows {
			for c := range row {
				row[c].Words = change(row[c].Words)
			}
		}
	})
}

// eachBlock does something to all blocks.
func eachBlock(blocks []reports.Block, do func(*reports.Block)) {
	for i := range blocks {
		do(&blocks[i])
		eachBlock(blocks[i].Blocks, do)
	}
}
