package pictures

import (
	"bytes"
	"encoding/xml"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports/layout"
)

// A drawing is an SVG in the making. It knows the box of every text in it, so that texts can be kept apart.
//
// Texts name a common family, and each says how long it is: as long as it would be in Helvetica. Whatever font a machine
// has, its letters are fitted into that length, so that a text that fits here fits everywhere, and no font need be sent.
type drawing struct {
	b     strings.Builder
	id    string // what its own IDs begin with, so that several can stand in one page
	boxes []box  // of texts
	signs []box  // of what no text may cover
	frame string // attributes of the whole
	exact string // attributes that tell a page's script the instants of what is drawn next
}

// A box is what a text covers.
type box struct{ left, top, right, bottom float64 }

// meets reports whether two boxes overlap.
func (a box) meets(b box) bool {
	return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom
}

// free reports whether a box meets no text and no sign.
func (d *drawing) free(b box) bool {
	return !slices.ContainsFunc(d.boxes, b.meets) && !slices.ContainsFunc(d.signs, b.meets)
}

// px returns a coordinate with at most one decimal, which is finer than any screen or printer shows.
func px(v float64) string {
	text := strconv.FormatFloat(v, 'f', 1, 64)
	text = strings.TrimSuffix(text, ".0")
	if text == "-0" {
		return "0"
	}
	return text
}

// An anchor says which end of a text its place is.
type anchor string

// The anchors.
const (
	atStart  anchor = "start"
	atMiddle anchor = "middle"
	atEnd    anchor = "end"
)

// textBox returns the box of a text whose baseline begins, centres or ends at a place.
func textBox(x, y, size float64, at anchor, class, s string) box {
	w := widthIn(class, s, size)
	switch at {
	case atMiddle:
		x -= w / 2
	case atEnd:
		x -= w
	}
	return box{x, y - 0.8*size, x + w, y + 0.25*size}
}

// text writes a text, and keeps its box.
func (d *drawing) text(x, y, size float64, at anchor, class, s string) {
	if s = layout.Plain(s); s == "" {
		return
	}
	d.boxes = append(d.boxes, textBox(x, y, size, at, class, s))
	d.b.WriteString(`<text x="` + px(x) + `" y="` + px(y) + `" font-size="` + px(size) + `" class="` + class + `"` + d.exact)
	if at != atStart {
		d.b.WriteString(` text-anchor="` + string(at) + `"`)
	}
	d.b.WriteString(` textLength="` + px(widthIn(class, s, size)) + `" lengthAdjust="spacingAndGlyphs">` + escape(s) + "</text>\n")
}

// ifFree writes a text unless it would meet another.
func (d *drawing) ifFree(x, y, size float64, at anchor, class, s string) bool {
	b := textBox(x, y, size, at, class, layout.Plain(s))
	if !d.free(box{b.left - 4, b.top, b.right + 4, b.bottom}) {
		return false
	}
	d.text(x, y, size, at, class, s)
	return true
}

// rect draws a rectangle. What it stands for is told when a pointer rests on it, and to those who can't see it.
func (d *drawing) rect(x, y, w, h float64, class, says string) {
	d.b.WriteString(`<rect x="` + px(x) + `" y="` + px(y) + `" width="` + px(w) + `" height="` + px(h) + `" class="` + class + `"` + d.exact)
	d.close("rect", says)
}

// line draws a straight line.
func (d *drawing) line(x1, y1, x2, y2 float64, class string) {
	d.b.WriteString(`<line x1="` + px(x1) + `" y1="` + px(y1) + `" x2="` + px(x2) + `" y2="` + px(y2) + `" class="` + class + `"` + d.exact + `/>` + "\n")
}

// path draws what SVG's path language says.
func (d *drawing) path(data, class, says string) {
	d.b.WriteString(`<path d="` + data + `" class="` + class + `"` + d.exact)
	d.close("path", says)
}

func (d *drawing) close(element, says string) {
	if says == "" {
		d.b.WriteString("/>\n")
		return
	}
	d.b.WriteString("><title>" + escape(layout.Plain(says)) + "</title></" + element + ">\n")
}

// open and shut put what is drawn between into a group.
func (d *drawing) open(attributes string) { d.b.WriteString("<g" + attributes + ">\n") }
func (d *drawing) shut()                  { d.b.WriteString("</g>\n") }

// svg closes the drawing. A page that brings the style along says so; a file brings its own.
func (d *drawing) svg(width, height float64, title, says string, alone bool) string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ` + px(width) + " " + px(height) + `"`)
	if alone {
		b.WriteString(` width="` + px(width) + `" height="` + px(height) + `"`)
	}
	b.WriteString(d.frame + ` role="img" class="ls" id="` + d.id + `" aria-labelledby="` + d.id + `-t" aria-describedby="` + d.id + `-d">` + "\n")
	b.WriteString(`<title id="` + d.id + `-t">` + escape(layout.Plain(title)) + "</title>\n")
	b.WriteString(`<desc id="` + d.id + `-d">` + escape(layout.Plain(says)) + "</desc>\n")
	if alone {
		b.WriteString("<style>" + Style + "</style>\n")
	}
	b.WriteString(d.hatches())
	b.WriteString(`<rect width="` + px(width) + `" height="` + px(height) + `" class="ground"/>` + "\n")
	return b.String() + d.b.String() + "</svg>\n"
}

// hatches are the patterns: for a host that stands still, and for a belief that has outlived its validity.
func (d *drawing) hatches() string {
	return `<defs><pattern id="` + d.id + `-still" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect width="6" height="6" class="still"/><line x1="0" y1="0" x2="0" y2="6" class="stillline"/></pattern>` +
		`<pattern id="` + d.id + `-wrong" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">` +
		`<line x1="0" y1="0" x2="0" y2="6" class="wrongline"/></pattern></defs>` + "\n"
}

// hatched draws a rectangle filled with one of them.
func (d *drawing) hatched(x, y, w, h float64, with, class, says string) {
	d.b.WriteString(`<rect x="` + px(x) + `" y="` + px(y) + `" width="` + px(w) + `" height="` + px(h) +
		`" fill="url(#` + d.id + "-" + with + `)" class="` + class + `"` + d.exact)
	d.close("rect", says)
}

// escape makes a text fit for XML. What XML cannot hold, it replaces.
func escape(s string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(s)) // a buffer takes everything
	return b.String()
}

// textWidthOf returns how wide a text is in Helvetica at a size.
func textWidthOf(s string, size float64) float64 { return widthIn("", s, size) }

// widthIn returns how wide a text of a class is: one that is strong is bold.
func widthIn(class, s string, size float64) float64 {
	sum, face := 0, &helvetica
	if strings.Contains(class, "strong") {
		face = &helveticaBold
	}
	for _, r := range s {
		sum += advance(face, r)
	}
	return float64(sum) * size / 1000
}

// A face holds the widths of the letters from space to tilde, in thousandths of the size. Arial, Liberation Sans and Nimbus
// Sans have the same: with one of them a text is as long as it says even where nothing fits it into its length.
type face [95]int16

var helvetica = face{
	278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
	333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
}

var helveticaBold = face{
	278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
	556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
	975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
	667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
	333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
	611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
}

// advance returns the width of a letter; of one that the table lacks, enough for it.
func advance(in *face, r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return int(in[r-' '])
	case r < 0x250:
		return 600
	}
	return 1000
}
