package svg

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Drawing is a list of elements that grows. It knows the box of each of its texts, so that texts can keep apart.
type Drawing struct {
	b     strings.Builder
	Extra string // attributes of the elements to come, beginning with a space
	Texts []Box  // the boxes of the texts
	Marks []Box  // boxes that no text may cover
}

// String returns the elements.
func (d *Drawing) String() string { return d.b.String() }

// A Box is a rectangle whose y grows downwards.
type Box struct{ Left, Top, Right, Bottom float64 }

// Overlaps reports whether two boxes overlap.
func (a Box) Overlaps(b Box) bool {
	return a.Left < b.Right && b.Left < a.Right && a.Top < b.Bottom && b.Top < a.Bottom
}

// Free reports whether a box overlaps no text and no mark.
func (d *Drawing) Free(b Box) bool {
	return !slices.ContainsFunc(d.Texts, b.Overlaps) && !slices.ContainsFunc(d.Marks, b.Overlaps)
}

// Avoid keeps later texts out of a box.
func (d *Drawing) Avoid(left, top, right, bottom float64) {
	d.Marks = append(d.Marks, Box{left, top, right, bottom})
}

// Element adds an element with attributes, each a name and a value. Programs show its title to a pointer, and read it
// to users who can't see it.
func (d *Drawing) Element(name, title string, attributes ...string) {
	d.b.WriteString("<" + name + Attributes(attributes...) + d.Extra)
	if title == "" {
		d.b.WriteString("/>\n")
		return
	}
	d.b.WriteString("><title>" + Escape(wording.Plain(title)) + "</title></" + name + ">\n")
}

// Rect adds a rectangle.
func (d *Drawing) Rect(x, y, w, h float64, class, title string) {
	d.Element("rect", title, "x", Pixels(x), "y", Pixels(y), "width", Pixels(w), "height", Pixels(h), "class", class)
}

// Filled adds a rectangle filled with the pattern of an ID.
func (d *Drawing) Filled(x, y, w, h float64, pattern, class, title string) {
	d.Element("rect", title, "x", Pixels(x), "y", Pixels(y), "width", Pixels(w), "height", Pixels(h),
		"fill", "url(#"+pattern+")", "class", class)
}

// Line adds a straight line.
func (d *Drawing) Line(x1, y1, x2, y2 float64, class string) {
	d.Element("line", "", "x1", Pixels(x1), "y1", Pixels(y1), "x2", Pixels(x2), "y2", Pixels(y2), "class", class)
}

// Path adds a path.
func (d *Drawing) Path(data, class, title string) {
	d.Element("path", title, "d", data, "class", class)
}

// Open begins a group.
func (d *Drawing) Open(attributes ...string) {
	d.b.WriteString("<g" + Attributes(attributes...) + ">\n")
}

// Close ends a group.
func (d *Drawing) Close() { d.b.WriteString("</g>\n") }

// Raw adds SVG as it is.
func (d *Drawing) Raw(s string) { d.b.WriteString(s) }

// A Document is the outermost element of a picture.
type Document struct {
	ID, Class          string
	Title, Description string // for users who can't see it
	Width, Height      string
	Unit               string   // of the width and height of a file; pixels if empty
	Style              string   // the style sheet of a file; empty in a page, which has its own and sets the size
	Attributes         []string // names and values
}

// String returns the document with its drawings, the first lowest.
func (x *Document) String(drawings ...*Drawing) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + x.Width + " " + x.Height + `"`)
	if x.Style != "" {
		b.WriteString(Attributes("width", x.Width+x.Unit, "height", x.Height+x.Unit))
	}
	b.WriteString(Attributes(x.Attributes...) + Attributes("role", "img", "class", x.Class,
		"aria-labelledby", x.ID+"-t", "aria-describedby", x.ID+"-d") + ">\n")
	b.WriteString(`<title id="` + x.ID + `-t">` + Escape(x.Title) + "</title>\n")
	b.WriteString(`<desc id="` + x.ID + `-d">` + Escape(x.Description) + "</desc>\n")
	if x.Style != "" {
		b.WriteString("<style>" + x.Style + "</style>\n")
	}
	for _, d := range drawings {
		b.WriteString(d.String())
	}
	return b.String() + "</svg>\n"
}

// Attributes returns attributes as text, each with a name and a value, and a space before it.
func Attributes(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString(" " + pairs[i] + `="` + Escape(pairs[i+1]) + `"`)
	}
	return b.String()
}

// Escape makes a text fit for XML. It replaces what XML can't contain.
func Escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// Number returns a number with a limited number of decimals.
func Number(v float64, decimals int) string {
	text := strconv.FormatFloat(v, 'f', decimals, 64)
	if strings.Contains(text, ".") {
		text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	}
	if text == "-0" {
		return "0"
	}
	return text
}

// Pixels returns a coordinate with at most one decimal, which is finer than any screen shows.
func Pixels(v float64) string { return Number(v, 1) }
