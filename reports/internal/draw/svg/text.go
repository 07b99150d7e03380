package svg

import (
	"sort"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A Measure returns how wide a text is.
type Measure func(s string) float64

// Fit returns a text, or as much of its beginning as fits into a width, with an ellipsis. It is empty if nothing fits.
func (m Measure) Fit(s string, width float64) string {
	if m(s) <= width {
		return s
	}
	letters := []rune(s)
	wide := func(n int) bool { return m(string(letters[:n+1])+"…") > width }
	n := sort.Search(min(len(letters), 1000), wide)
	if n == 0 {
		return ""
	}
	return string(letters[:n]) + "…"
}

// Fold breaks a text into lines of a width. It shortens a wider word.
func (m Measure) Fold(s string, width float64) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		word = m.Fit(word, width)
		switch {
		case line == "":
			line = word
		case m(line+" "+word) > width:
			lines, line = append(lines, line), word
		default:
			line += " " + word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// An Anchor is the part of a text that is at its place.
type Anchor string

// The anchors.
const (
	Start  Anchor = "start"
	Middle Anchor = "middle"
	End    Anchor = "end"
)

// Strong is the class of bold texts. Texts of other classes are not bold.
const Strong = "strong"

// Helvetica returns the measure of the texts of a class: Helvetica at a size, or its bold.
func Helvetica(class string, size float64) Measure {
	in := &helvetica
	if strings.Contains(class, Strong) {
		in = &helveticaBold
	}
	return func(s string) float64 {
		sum := 0
		for _, r := range s {
			sum += in.advance(r)
		}
		return float64(sum) * size / 1000
	}
}

// TextBox returns the box of a text whose baseline has its anchor at a place.
func TextBox(x, y, size float64, anchor Anchor, class, s string) Box {
	w := Helvetica(class, size)(s)
	switch anchor {
	case Middle:
		x -= w / 2
	case End:
		x -= w
	}
	return Box{x, y - 0.8*size, x + w, y + 0.25*size}
}

// Text adds a text.
func (d *Drawing) Text(x, y, size float64, anchor Anchor, class, s string) {
	if s = wording.Plain(s); s == "" {
		return
	}
	d.Texts = append(d.Texts, TextBox(x, y, size, anchor, class, s))
	at := Attributes("x", Pixels(x), "y", Pixels(y), "font-size", Pixels(size), "class", class)
	d.b.WriteString("<text" + at + d.Extra)
	if anchor != Start {
		d.b.WriteString(` text-anchor="` + string(anchor) + `"`)
	}
	width := Pixels(Helvetica(class, size)(s))
	d.b.WriteString(Attributes("textLength", width, "lengthAdjust", "spacingAndGlyphs") + ">" + Escape(s) + "</text>\n")
}

// TextIfFree adds a text unless it would be too near to another or to a mark. It reports whether it added the text.
func (d *Drawing) TextIfFree(x, y, size float64, anchor Anchor, class, s string) bool {
	b := TextBox(x, y, size, anchor, class, wording.Plain(s))
	if !d.Free(Box{b.Left - 4, b.Top, b.Right + 4, b.Bottom}) {
		return false
	}
	d.Text(x, y, size, anchor, class, s)
	return true
}

// A face has the widths of the letters from space to tilde, in thousandths of the size. Arial, Liberation Sans and
// Nimbus Sans have the same widths.
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

// advance returns the width of a letter. For a letter that the table lacks it is a width that is enough.
func (f *face) advance(r rune) int {
	switch {
	case r >= ' ' && r <= '~':
		return int(f[r-' '])
	case r < 0x250:
		return 600
	}
	return 1000
}
