package site

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/lockstorm/lockstorm/reports"
)

// A reader reads a document written in Markdown into blocks. Markdown that it doesn't know is an error, so that
// nothing is left out.
type reader struct {
	source  []byte
	anchors map[string]int
	command string // of the comments around what is read: what made it
	heading string // above what is read
	tables  int    // so far
	details bool   // the reader is within details
	before  int    // the words before the first picture of a paragraph
	wrong   error
}

// parse reads a document. Its first heading is the title of its page.
func parse(name string, source []byte) (*reports.Document, error) {
	r := reader{source: source, anchors: map[string]int{}}
	tree := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	d := &reports.Document{}
	for n := tree.FirstChild(); n != nil; n = n.NextSibling() {
		if h, is := n.(*ast.Heading); is && h.Level == 1 && d.Title == "" {
			d.Title = plain(r.spans(n))
			r.heading = d.Title
			continue
		}
		all := r.block(n)
		if r.details {
			last := &d.Blocks[len(d.Blocks)-1]
			last.Blocks = append(last.Blocks, all...)
			continue
		}
		d.Blocks = append(d.Blocks, all...)
		r.details = len(all) == 1 && all[0].Kind == "details"
	}
	if d.Title == "" && r.wrong == nil {
		r.wrong = fmt.Errorf("it has no title: begin it with # and a blank")
	}
	if r.wrong != nil {
		return nil, fmt.Errorf("%s: %w", name, r.wrong)
	}
	return d, nil
}

func plain(words []reports.Span) (all string) {
	for _, s := range words {
		all += s.Text
	}
	return all
}

// anchor returns what links to a heading end in, as code hosts have it.
func (r *reader) anchor(heading string) string {
	a := strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
	n := r.anchors[a]
	if r.anchors[a]++; n > 0 {
		return a + "-" + strconv.Itoa(n)
	}
	return a
}

var unsaid = regexp.MustCompile(`[^\pL\pN _-]`) // what an anchor leaves out of its heading

// block reads one block. A picture gets a separate paragraph.
func (r *reader) block(n ast.Node) []reports.Block {
	switch n := n.(type) {
	case *ast.Heading:
		words := r.spans(n)
		kind := "topic"
		if n.Level <= 2 {
			kind = "heading"
		}
		r.heading = plain(words)
		return []reports.Block{{Kind: kind, Words: words, ID: r.anchor(r.heading)}}
	case *ast.Paragraph, *ast.TextBlock:
		words, pictures := r.words(n)
		if len(pictures) == 0 {
			r.before = len(words)
		}
		return slices.Concat(sentence(words[:r.before]), pictures, sentence(words[r.before:]))
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return []reports.Block{{Kind: "lines", Words: reports.Words(strings.TrimRight(string(n.Lines().Value(r.source)), "\n"))}}
	case *ast.List:
		return []reports.Block{r.list(n)}
	case *tables.Table:
		r.tables++
		label := fmt.Sprintf("Table %d: %s", r.tables, r.heading)
		return []reports.Block{{Kind: "rows", Table: r.table(n), Command: r.command, Label: label}}
	case *ast.Blockquote:
		b := reports.Block{Kind: "group", Class: "note"}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			b.Blocks = append(b.Blocks, r.block(c)...)
		}
		return []reports.Block{b}
	case *ast.HTMLBlock:
		return r.html(strings.TrimSpace(string(n.Lines().Value(r.source))))
	}
	r.unknown(n)
	return nil
}

// sentence returns words as a paragraph; none, if they say nothing.
func sentence(words []reports.Span) []reports.Block {
	if len(words) > 0 {
		words[0].Text = strings.TrimLeft(words[0].Text, " ")
	}
	if plain(words) == "" {
		return nil
	}
	return []reports.Block{{Words: words}}
}

func (r *reader) unknown(n ast.Node) {
	if r.wrong == nil {
		r.wrong = fmt.Errorf("the site can't show Markdown of the kind %s; write it otherwise", n.Kind())
	}
}

var summary = regexp.MustCompile(`^<details><summary>([^<]*)</summary>$`)

// html reads what documents have of HTML: details, and comments with the command that made what follows, or the end of that.
func (r *reader) html(text string) []reports.Block {
	if m := summary.FindStringSubmatch(text); m != nil {
		return []reports.Block{{Kind: "details", Words: reports.Words(m[1])}}
	}
	inner, is := strings.CutPrefix(text, "<!--")
	switch inner = strings.TrimSpace(strings.TrimSuffix(inner, "-->")); {
	case text == "</details>":
		r.details = false
	case !is:
		r.wrong = fmt.Errorf("it has HTML, which the site doesn't show: %s", text)
	case strings.HasPrefix(inner, "lockstorm "), strings.HasPrefix(inner, "lockstorm-full "):
		r.command = inner
	case inner == "end":
		r.command = ""
	}
	return nil
}

func (r *reader) list(n *ast.List) reports.Block {
	b := reports.Block{Kind: "bullets"}
	if n.IsOrdered() {
		b.Class = "numbered"
	}
	for item := n.FirstChild(); item != nil; item = item.NextSibling() {
		var one reports.Block
		for c := item.FirstChild(); c != nil; c = c.NextSibling() {
			all := r.block(c)
			if c == item.FirstChild() && len(all) > 0 && all[0].Kind == "" {
				one.Words, all = all[0].Words, all[1:]
			}
			one.Blocks = append(one.Blocks, all...)
		}
		b.Blocks = append(b.Blocks, one)
	}
	return b
}

// number recognizes a cell that is read as a number: right of its column.
var number = regexp.MustCompile(`^[<>≤≥~+−-]?[0-9][0-9,. ]*( ?(%|ms|s|µs|ns|ppm|kB|MB|×))?$`)

func (r *reader) table(n *tables.Table) *reports.Table {
	t := &reports.Table{}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []reports.Cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			words := r.spans(c)
			cells = append(cells, reports.Cell{Text: plain(words), Words: words})
		}
		if row.Kind() == tables.KindTableHeader {
			for _, c := range cells {
				t.Columns = append(t.Columns, reports.Column{Head: c.Text})
			}
			continue
		}
		t.Rows = append(t.Rows, cells)
	}
	for i := range t.Columns {
		if i > 0 && numeric(t, i) {
			t.Columns[i].Kind = "number"
		}
	}
	return t
}

// numeric reports whether a column has numbers, and nothing else but empty cells and dashes.
func numeric(t *reports.Table, i int) bool {
	empty := func(row []reports.Cell) bool { return slices.Contains([]string{"", "-", "–"}, row[i].Text) }
	filled := slices.DeleteFunc(slices.Clone(t.Rows), empty)
	other := func(row []reports.Cell) bool { return !number.MatchString(row[i].Text) }
	return len(filled) > 0 && !slices.ContainsFunc(filled, other)
}

// spans reads the words of a heading, a cell or a link, where no picture is allowed.
func (r *reader) spans(n ast.Node) []reports.Span {
	words, pictures := r.words(n)
	if len(pictures) > 0 {
		r.wrong = fmt.Errorf("a picture stands among words: give it a paragraph of its own")
	}
	return words
}

// words reads the content of a line, and the pictures in it.
func (r *reader) words(n ast.Node) (words []reports.Span, pictures []reports.Block) {
	add := func(inner ast.Node, change func(s *reports.Span)) {
		for _, s := range r.spans(inner) {
			change(&s)
			words = append(words, s)
		}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			text := util.ResolveNumericReferences(util.UnescapePunctuations(c.Value(r.source)))
			s := reports.Span{Text: string(util.ResolveEntityNames(text))}
			if c.SoftLineBreak() || c.HardLineBreak() {
				s.Text += " "
			}
			last, begins := len(words)-1, len(pictures) > 0 && len(words) == r.before // after a picture
			if last >= 0 && !begins && words[last] == (reports.Span{Text: words[last].Text}) {
				words[last].Text += s.Text // so that a link over two lines is one link
			} else {
				words = append(words, s)
			}
		case *ast.CodeSpan:
			words = append(words, reports.Span{Text: r.code(c), Look: "code"})
		case *ast.Emphasis:
			add(c, func(s *reports.Span) {
				if s.Look == "" {
					s.Look = map[int]string{1: "italic", 2: "bold"}[c.Level]
				}
			})
		case *ast.Link:
			add(c, func(s *reports.Span) { s.Link = string(c.Destination) })
		case *ast.AutoLink:
			words = append(words, reports.Span{Text: string(c.URL(r.source)), Link: string(c.URL(r.source))})
		case *ast.Image:
			if len(pictures) == 0 {
				r.before = len(words)
			}
			pictures = append(pictures, reports.Block{Kind: "picture", Source: string(c.Destination), Label: plain(r.spans(c))})
		case *ast.RawHTML:
			if string(c.Segments.Value(r.source)) != "<br>" {
				r.unknown(c)
			}
			words = append(words, reports.Span{Text: " ", Look: "break"})
		default:
			r.unknown(c)
		}
	}
	return words, pictures
}

// code returns the words of a span of code, which may continue on another line.
func (r *reader) code(n *ast.CodeSpan) (all string) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		all += string(c.(*ast.Text).Value(r.source))
	}
	return strings.ReplaceAll(all, "\n", " ")
}
