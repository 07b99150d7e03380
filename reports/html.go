package reports

import (
	"cmp"
	"crypto/sha256"
	_ "embed" // for the style
	"encoding/base64"
	"html/template"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// pageStyle is the style of every page.
//
//go:embed page.css
var pageStyle string

// documentStyle is the style of documents, beyond that.
//
//go:embed document.css
var documentStyle string

// Hashed names a style or script as the only one that may run.
func Hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// policy is the Content-Security-Policy of a page that loads nothing. It allows these styles and any further sources.
func policy(styles, allowed string) string {
	return "default-src 'none'; style-src " + styles + ";" + allowed + " base-uri 'none'; form-action 'none'"
}

// sitePolicy is the policy of a page of a site that lies in a folder. Opened from a disk, a page's own files have no origin, and
// are allowed by their scheme; from a server, nothing else has that scheme.
func (d *Document) sitePolicy() string {
	const own = "'self' file:"
	styles, scripts := own, d.Frame.Allowed
	if d.Style != "" {
		styles += " " + Hashed(d.Style)
	}
	if d.Script != "" {
		scripts += " " + Hashed(d.Script)
	}
	if d.Frame.Scripts != nil {
		scripts += " " + own
	}
	if scripts == "" {
		scripts = "'none'"
	}
	return "default-src 'none'; style-src " + styles + "; img-src data: " + own + "; script-src " + strings.TrimSpace(scripts) +
		"; base-uri 'none'; form-action " + own
}

// CommandHTML returns a command for a page. Words with hyphens are held together: a browser would break a line within
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

//go:embed document.html
var documentText string

var documentTemplate = template.Must(template.New("page").Parse(documentText))

// A documentPage is what the template of a document needs. Its body is written here, and escaped.
type documentPage struct {
	Policy, Title, Class, Foot string
	Frame                      *Frame
	Style                      template.CSS
	Script                     template.JS
	Header, Body               template.HTML
}

// HTML writes the document as one page that needs nothing else.
func (d *Document) HTML() string {
	p := documentPage{Title: d.Title, Class: d.Class, Foot: d.Foot, Frame: d.Frame, Script: template.JS(d.Script)}
	p.Style = template.CSS(d.Style)
	if d.Frame == nil {
		p.Style = template.CSS(d.Sheet())
	}
	if p.Title == "" && len(d.Blocks) > 0 {
		p.Title, _, _ = strings.Cut(d.Blocks[0].text(), "\n")
		p.Title = wording.Shorten(p.Title, 80)
	}
	allowed := " img-src data:;"
	if d.Script != "" {
		allowed += " script-src " + Hashed(d.Script) + ";"
	}
	switch {
	case d.Frame == nil:
		p.Policy = policy(Hashed(string(p.Style)), allowed)
	case d.Frame.Menu != nil:
		p.Policy = d.sitePolicy()
	}
	var header, body htmlWriter
	w := &header // the content above the first heading
	blocks := d.onPage()
	if !slices.ContainsFunc(blocks, func(b Block) bool { return b.Kind == "heading" }) {
		w = &body
	}
	for i := range blocks {
		b := &blocks[i]
		if b.Kind == "heading" {
			w = &body
		}
		w.block(b)
	}
	body.end()
	p.Header, p.Body = template.HTML(header.String()), template.HTML(body.String())
	for _, own := range ownStyles(header.String() + body.String()) {
		p.Policy = strings.Replace(p.Policy, "style-src ", "style-src "+Hashed(own)+" ", 1)
	}
	var page strings.Builder
	if err := documentTemplate.Execute(&page, p); err != nil {
		panic("layout: " + err.Error()) // the template fits its page
	}
	return page.String()
}

// onPage returns the blocks of the page. A verdict comes before the first table or heading, because readers open the
// page to see it.
func (d *Document) onPage() []Block {
	all := slices.DeleteFunc(slices.Clone(d.Blocks), func(b Block) bool { return !b.in(Page) })
	above := slices.IndexFunc(all, func(b Block) bool { return b.Kind == "rows" || b.Kind == "heading" })
	for i := range all {
		if all[i].Kind == "verdict" && above >= 0 && i > above {
			verdict := all[i]
			return slices.Insert(slices.Delete(all, i, i+1), above, verdict)
		}
	}
	return all
}

// Fragment writes blocks as they are on a page, for markup that has them in it.
func Fragment(blocks ...Block) string {
	var w htmlWriter
	w.blocks(blocks)
	return w.String()
}

// ownStyles returns the styles that pictures in a page bring with them, each once. Nothing else can: words are escaped.
func ownStyles(body string) (all []string) {
	for part := range strings.SplitSeq(body, "<style>") {
		if style, _, ends := strings.Cut(part, "</style>"); ends && !slices.Contains(all, style) {
			all = append(all, style)
		}
	}
	return all
}

// Sheet returns the style sheet of the document's page.
func (d *Document) Sheet() string { return pageStyle + documentStyle + d.Style }

// An htmlWriter writes blocks, and opens and closes what holds several of them.
type htmlWriter struct {
	strings.Builder
	sections int
	open     string // the elements that must be closed first
	inList   bool
}

func (w *htmlWriter) tag(name, class string, words []Span) {
	w.WriteString("<" + name + attribute("class", class) + ">" + spansHTML(words) + "</" + name + ">\n")
}

func attribute(name, value string) string {
	if value == "" {
		return ""
	}
	return " " + name + `="` + template.HTMLEscapeString(value) + `"`
}

// narrowest is the most letters of a line of code that even a small phone shows whole.
const narrowest = 30

// pre writes lines as they are. The keyboard can scroll those that may be too wide for a page.
func (w *htmlWriter) pre(id, text, html string) {
	reach := ""
	if slices.ContainsFunc(strings.Split(text, "\n"), func(line string) bool { return wording.Width(line) > narrowest }) {
		reach = "0"
	}
	w.WriteString("<pre" + attribute("id", id) + attribute("tabindex", reach) + ">" + html + "</pre>\n")
}

// end closes the list and the section that are open.
func (w *htmlWriter) end() {
	w.list(false)
	w.WriteString(w.open)
	w.open = ""
}

func (w *htmlWriter) list(open bool) {
	switch {
	case open && !w.inList:
		w.WriteString("<ul>\n")
	case !open && w.inList:
		w.WriteString("</ul>\n")
	}
	w.inList = open
}

func (w *htmlWriter) block(b *Block) {
	if !b.in(Page) {
		return
	}
	w.list(b.Kind == "item")
	switch b.Kind {
	case "heading":
		w.end()
		w.sections++
		id := b.ID
		if id == "" {
			id = "s" + strconv.Itoa(w.sections)
		}
		w.WriteString(`<section id="` + template.HTMLEscapeString(id) + `" aria-labelledby="h-` + template.HTMLEscapeString(id) + `">` + "\n")
		w.WriteString(`<h2 id="h-` + template.HTMLEscapeString(id) + `">` + spansHTML(b.Words) + "</h2>\n")
		w.open = "</section>\n"
	case "topic":
		w.WriteString("<h3" + attribute("id", b.ID) + ">" + spansHTML(b.Words) + "</h3>\n")
	case "", "remark", "hung":
		w.tag("p", b.Class, b.Words)
	case "verdict":
		w.tag("p", "verdict", b.Words)
	case "lines":
		w.pre(b.ID, b.text(), spansHTML(Words(b.text())))
	case "rows":
		w.WriteString(b.Table.html(b.Class, b.Label))
	case "command":
		if b.text() != "" {
			w.tag("p", "", b.Words)
		}
		w.pre(b.ID, b.Command, string(CommandHTML(b.Command)))
	case "item":
		w.WriteString("<li" + attribute("id", b.ID) + ">" + spansHTML(b.Words[:1]) + ": " + spansHTML(b.Words[1:]))
		if b.Command != "" {
			w.WriteString(" <code>" + string(CommandHTML(b.Command)) + "</code>")
		}
		w.WriteString("</li>\n")
	default:
		w.group(b)
	}
}

// group writes the blocks that only pages have.
func (w *htmlWriter) group(b *Block) {
	switch b.Kind {
	case "bullets":
		w.bullets(b)
	case "chips":
		w.WriteString(`<ul class="chips">` + "\n")
		for i := 0; i+1 < len(b.Words); i += 2 {
			w.WriteString("<li>" + spansHTML(b.Words[i:i+2]) + "</li>\n")
		}
		w.WriteString("</ul>\n")
	case "picture":
		w.WriteString("<figure" + attribute("class", b.Class) + ">\n")
		if len(b.Words) > 0 {
			w.tag("figcaption", "", b.Words)
		}
		w.picture(b)
		w.blocks(b.Blocks)
		w.WriteString("</figure>\n")
	case "group":
		w.blocks(b.Blocks)
	case "fit":
		w.blocks(b.Blocks[0].Blocks)
	case "markup":
		w.WriteString(b.Image)
	case "alarm":
		w.WriteString("<div" + attribute("class", "alarm "+b.Class) + " role=\"alert\">\n")
		w.tag("p", "", b.Words)
		w.blocks(b.Blocks)
		w.WriteString("</div>\n")
	case "details":
		w.WriteString("<details" + attribute("id", b.ID) + ">")
		w.tag("summary", "", b.Words)
		w.blocks(b.Blocks)
		w.WriteString("</details>\n")
	case "contents":
		w.WriteString(`<nav aria-label="Contents"><ul>` + "\n")
		for _, l := range b.Links {
			w.WriteString("<li>" + spansHTML([]Span{{Text: l.Text, Link: l.To}}) + "</li>\n")
		}
		w.WriteString("</ul></nav>\n")
	}
}

// bullets writes a list; one of the class numbered counts.
func (w *htmlWriter) bullets(b *Block) {
	list := "ul"
	if b.Class == "numbered" {
		list = "ol"
	}
	w.WriteString("<" + list + attribute("class", b.Class) + ">\n")
	for i := range b.Blocks {
		w.WriteString("<li>" + spansHTML(b.Blocks[i].Words))
		w.blocks(b.Blocks[i].Blocks)
		w.WriteString("</li>\n")
	}
	w.WriteString("</" + list + ">\n")
}

func (w *htmlWriter) blocks(all []Block) {
	for i := range all {
		w.block(&all[i])
	}
	w.list(false)
}

// picture writes an SVG, in a box where it can be scrolled.
func (w *htmlWriter) picture(b *Block) {
	image := b.Image
	switch {
	case b.Drawn.SVG != nil:
		image = b.Drawn.SVG()
	case b.Source != "":
		image = "<img" + attribute("src", b.Source) + attribute("alt", b.Label) + ">"
	}
	if b.Label != "" {
		image = `<div class="wide"` + attribute("id", b.ID) + ` tabindex="0" role="region"` + attribute("aria-label", b.Label+", can be scrolled") + ">\n" + image + "</div>"
	}
	w.WriteString(image)
}

// spansHTML returns words for a page.
func spansHTML(words []Span) string {
	var b strings.Builder
	for _, s := range words {
		if !s.In.has(Page) {
			continue
		}
		text := escaped(s.Text)
		switch s.Look {
		case "code":
			text = "<code>" + string(CommandHTML(s.Text)) + "</code>"
		case "bold":
			text = "<strong>" + text + "</strong>"
		case "italic":
			text = "<em>" + text + "</em>"
		case "break":
			text = "<br>"
		case "markup":
			text = s.Text
		}
		switch {
		case s.Link != "":
			text = "<a" + attribute("class", s.Class) + attribute("href", s.Link) + ">" + text + "</a>"
		case s.Class != "":
			text = "<span" + attribute("class", s.Class) + ">" + text + "</span>"
		}
		b.WriteString(text)
	}
	return b.String()
}

// classes are what a page's style calls the inks, and inks are which of them a text has.
var (
	classes = map[Ink]string{RedInk: "violated", GreenInk: "holds", YellowInk: "unknown", FaintInk: "soft"}
	inks    = map[string]Ink{"violated": RedInk, "holds": GreenInk, "unknown": YellowInk}
)

// html leaves out columns in which no cell says anything. With a label, a table that is too wide can be scrolled by keys.
func (t *Table) html(class, label string) string {
	t = t.without("text")
	var b strings.Builder
	switch {
	case t.Terms:
		t.terms(&b)
		return b.String()
	case t.Moments != nil:
		t.moments(&b)
		return b.String()
	}
	t = t.filled(false)
	box := `<div class="tablewrap">`
	if label != "" {
		box = `<div class="tablewrap" tabindex="0" role="region"` + attribute("aria-label", label+", can be scrolled") + ">"
	}
	if t.Long {
		scroll := "scroll"
		if len(t.Rows) > printedMost {
			scroll += " long"
			b.WriteString(`<p class="printonly">A table of ` + strconv.Itoa(len(t.Rows)) + " rows is left out in print.</p>\n")
		}
		box = `<div class="` + scroll + `" tabindex="0" role="region" aria-label="A table that can be scrolled">`
	}
	b.WriteString(box + "<table" + attribute("class", class) + ">\n")
	if !t.Bare || slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Head != "" }) {
		b.WriteString("<thead><tr>")
		for _, c := range t.Columns {
			if c.Head == "" {
				b.WriteString("<td></td>")
				continue
			}
			b.WriteString(`<th scope="col"` + attribute("class", c.class()) + ">" + escaped(c.Head) + "</th>")
		}
		b.WriteString("</tr></thead>\n")
	}
	b.WriteString("<tbody>\n")
	first := t.Columns[0].class()
	if slices.ContainsFunc(t.Rows, func(row []Cell) bool { return wording.Width(row[0].Text) > namesMost }) {
		first = "wraps"
	}
	for i, row := range t.Rows {
		marked := ""
		if slices.Contains(t.Marked, i) {
			marked = "marked"
		}
		head := `th scope="row"`
		if row[0].Text == "" { // continues the row above
			head = "td"
		}
		b.WriteString("<tr" + attribute("class", marked) + "><" + head + attribute("class", first) + ">" + row[0].html() + "</" + head[:2] + ">")
		for i, c := range row[1:] {
			b.WriteString("<td" + attribute("class", t.Columns[i+1].class()) + ">" + c.html() + "</td>")
		}
		b.WriteString("</tr>\n")
	}
	b.WriteString("</tbody></table></div>\n")
	return b.String()
}

// namesMost is the most letters of a first cell that stays on one line, where a page is wide.
const namesMost = 64

// printedMost is how many rows of a long table are printed.
const printedMost = 100

// moments writes the table as a list of instants and what happened then, through which a script can step.
func (t *Table) moments(b *strings.Builder) {
	b.WriteString(`<ol class="moments">` + "\n")
	for i, row := range t.Rows {
		b.WriteString(`<li data-at="` + strconv.FormatInt(t.Moments[i], 10) + `"><time>` + row[0].html() + "</time><span>" + row[1].html() + "</span></li>\n")
	}
	b.WriteString("</ol>\n")
}

// terms writes the table as a list of terms.
func (t *Table) terms(b *strings.Builder) {
	b.WriteString(`<dl class="terms">` + "\n")
	for _, row := range t.Rows {
		b.WriteString("<div><dt>" + row[0].html() + "</dt><dd>")
		for i, c := range row[1:] {
			if c.Text != "" && c.Text != "–" {
				head := Cell{Text: t.Columns[i+1].Head, Ink: c.Ink}
				c.Ink = ""
				b.WriteString("<p>" + head.html() + " " + c.html() + "</p>")
			}
		}
		b.WriteString("</dd></div>\n")
	}
	b.WriteString("</dl>\n")
}

// amount is a number with its unit, which browsers would break between the two.
var amount = regexp.MustCompile(`(\d) ((?:[mµn]?s|[kM]?B|ppm)\b)`)

// spanOf is an interval which browsers would break behind its dash.
var spanOf = regexp.MustCompile(`(\d)–(\d)`)

// escaped returns a text for a page.
func escaped(text string) string {
	return spanOf.ReplaceAllString(amount.ReplaceAllString(template.HTMLEscapeString(text), "$1\u00a0$2"), "${1}–\u2060$2")
}

func (c Cell) html() string {
	if c.Words != nil {
		return spansHTML(c.Words)
	}
	text := escaped(c.Text)
	if c.Command != "" {
		text += " See it: <code>" + string(CommandHTML(c.Command)) + "</code>"
	}
	if c.Link != "" {
		text = "<a" + attribute("href", c.Link) + ">" + text + "</a>"
	}
	if text == "-" {
		text = "–"
	}
	text = strings.Replace(text, template.HTMLEscapeString(wording.Differs), `<span class="violated">`+strings.TrimPrefix(wording.Differs, "<< ")+"</span>", 1)
	if class := cmp.Or(c.Class, classes[c.Ink]); class != "" {
		return `<span class="` + class + `">` + text + "</span>"
	}
	return text
}

// class returns what a page's style knows a column by.
func (c Column) class() string {
	return map[string]string{"number": "n", "wordy": "asks"}[c.Kind]
}
