package reports

// A Document is a report: blocks in their order, made once and written in any format.
type Document struct {
	Title  string // of the page; as text and Markdown, a document begins with its first block
	Data   any    // what JSON has; if nil, the blocks
	Rows   *Table // what CSV has; if nil, the tables among the blocks
	Style  string // of the page, beyond PageStyle
	Script string // runs on the page, which is complete without it
	Class  string // of the page, for its style
	Foot   string // the last line of the page
	Frame  *Frame // of a page of a site; nil for a page that needs nothing else

	Summary string // printed where the caller wants only one line
	Most    int    // as text, the most lines, which a block of the kind "fit" obeys; 0 for any number
	Columns int    // as text, the most columns, but not of commands, which get pasted; 0 for the screen's

	Blocks []Block
}

// A Block is one part of a document. Its Kind is one of these words; a block without one is a paragraph:
//
//	title             a prominent line, above a text
//	heading, topic    the head of a section of a page, and one below it
//	hung              a paragraph whose lines hang behind its first words
//	remark, lines     a line that is not broken, or lines as they are
//	rows              a table
//	verdict           a line that begins with a verdict: the last words of a text, the first of Markdown
//	command           a command, below what says what it is for
//	item, bullets     one item of a list, or all as blocks
//	group, fit        blocks one below the other; of several groups the first that leaves a text as long as it may be
//	alarm, details    blocks in a box that warns, or which a page shows when it is asked to
//	chips, picture, contents, markup
//	                  for pages: words in a row, an SVG, links to parts of the page, HTML that was written by hand
type Block struct {
	Kind    string
	Words   []Span // of a heading, a sentence, an item; the lines of what is preformatted; a summary, a caption
	Table   *Table
	Command string
	Image   string  // an SVG; of markup, the HTML
	Source  string  // the address of a picture next to the page, in place of it
	Drawn   Figure  // a picture that has several forms
	Label   string  // of a picture that keeps its width and scrolls in HTML: for readers who can't see it
	Most    int     // as text, the most lines; the last says that there are more. 0 for any number
	Blocks  []Block // of details, alarms, figures and groups; or the versions of a fit
	Links   []Link  // of a list of contents
	ID      string  // by which links find it
	Class   string  // of pages, for their style

	OnScreen func(s Screen) string // lines that are laid out for a screen, in place of words

	In    Media // where it is; all media if 0
	Close bool  // as text, no empty line comes before it
}

// A Figure is a picture that has a form for each place where it is seen.
type Figure struct {
	Text func(s Screen) string // for texts, which have none if it is nil
	SVG  func() string         // for pages
}

// Media are where a document is read.
type Media uint8

// The media.
const (
	Terminal Media = 1 << iota // text
	Marked                     // Markdown
	Page                       // HTML
)

// A Span is some words of a paragraph that have one look.
type Span struct {
	Text  string
	Look  string // code, bold or italic; on pages also break, to a new line; "" is plain
	Class string // of pages
	Link  string // on pages
	In    Media  // where it is; all media if 0
}

// A Link leads to another part of a page, or to a file next to it.
type Link struct{ Text, To string }

// Words returns a text as the words of a block.
func Words(text string) []Span { return []Span{{Text: text}} }

// text returns the words without their looks.
func (b *Block) text() string {
	if b.OnScreen != nil {
		return b.OnScreen(Screen{})
	}
	return textOf(b.Words)
}

func textOf(words []Span) (all string) {
	for _, s := range words {
		if s.In.has(Terminal) {
			all += s.Text
		}
	}
	return all
}

// Add adds a block.
func (d *Document) Add(b Block) { d.Blocks = append(d.Blocks, b) }

// Headline begins a text with a prominent line. A page has it as its title.
func (d *Document) Headline(title string) {
	d.Title = title
	d.Add(Block{Kind: "title", Words: Words(title), In: Terminal})
}

// Heading begins a section of a page.
func (d *Document) Heading(text string) {
	d.Add(Block{Kind: "heading", Words: Words(text), In: Marked | Page})
}

// Paragraph adds a paragraph; of no words it adds none.
func (d *Document) Paragraph(sentences string) {
	if sentences != "" {
		d.Add(Block{Words: Words(sentences)})
	}
}

// Rich adds a paragraph of words that have looks.
func (d *Document) Rich(words ...Span) { d.Add(Block{Words: words}) }

// Note adds a paragraph close below the block before it.
func (d *Document) Note(sentences string) {
	if sentences != "" {
		d.Add(Block{Words: Words(sentences), Close: true})
	}
}

// Lines adds lines as they are.
func (d *Document) Lines(lines string) { d.Add(Block{Kind: "lines", Words: Words(lines)}) }

// Below adds lines as they are, close below what explains them.
func (d *Document) Below(lines string) {
	d.Add(Block{Kind: "lines", Words: Words(lines), Close: true})
}

// Table adds a table, with the sentence above it.
func (d *Document) Table(above string, t *Table) {
	d.Paragraph(above)
	d.Add(Block{Kind: "rows", Table: t, Close: above != ""})
}

// Verdict adds a line that begins with a verdict.
func (d *Document) Verdict(line string) { d.Add(Block{Kind: "verdict", Words: Words(line)}) }

// Command adds a command close below the block before it. The words say what it is for.
func (d *Document) Command(before, command string) {
	d.Add(Block{Kind: "command", Words: Words(before), Command: command, Close: true})
}

// Item adds a line of a list, and the command that shows it, if there is one.
func (d *Document) Item(name, sentences, command string) {
	d.Add(Block{Kind: "item", Words: []Span{{Text: name, Look: "bold"}, {Text: sentences}}, Command: command, Close: true})
}

// has reports whether m is among the media. All are if none is named.
func (in Media) has(m Media) bool { return in == 0 || in&m != 0 }

// in reports whether a block is for a medium.
func (b *Block) in(m Media) bool { return b.In.has(m) }
