package plot

import (
	"bytes"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
)

// A Picture is data and a way to draw it.
type Picture struct {
	Name    string     // of its files
	Title   string     // what it shows, in a few words
	Caption string     // how to read it, the number of runs, and how sure it is
	Table   [][]string // its data, heads first

	Drawing
}

// A Drawing is one kind of picture.
type Drawing interface {
	keys() []key                            // its legend
	draw(s *sheet)                          // fills the sheet
	height(width, text vg.Length) vg.Length // the height it needs at a width
}

// A sheet is the canvas of a picture, with the size of its letters.
type sheet struct {
	draw.Canvas
	text vg.Length
}

// A layout has the places of the parts of a picture.
type layout struct {
	width, height vg.Length
	text          vg.Length
	keys          [][]key  // the legend, line by line
	caption       []string // line by line; none if the page has it
}

var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

func widthOf(s string, size vg.Length) vg.Length {
	f := font.DefaultCache.Lookup(sans, size)
	return f.Width(s)
}

func measure(size vg.Length) svg.Measure {
	return func(s string) float64 { return float64(widthOf(s, size)) }
}

func fitText(s string, width, size vg.Length) string { return measure(size).Fit(s, float64(width)) }

func aligned(size vg.Length, c color.Color, x text.XAlignment, y text.YAlignment) text.Style {
	f := sans
	f.Size = size
	return text.Style{Color: c, Font: f, XAlign: x, YAlign: y, Handler: plot.DefaultTextHandler}
}

func styled(size vg.Length, c color.Color) text.Style {
	return aligned(size, c, draw.XLeft, draw.YBottom)
}

const leading = 1.3 // of a line of text, in sizes of its letters

func (p *Picture) arrange(size Size, captioned bool) layout {
	l := layout{width: size.Width, height: size.Height, text: size.Text}
	l.keys = flow(p.keys(), l.width-2*l.margin(), l.text)
	if captioned {
		l.caption = measure(l.small()).Fold(p.Caption, float64(l.width-2*l.margin()))
	}
	if l.height == 0 {
		l.height = p.Drawing.height(l.width, l.text) + l.head() + l.foot()
	}
	return l
}

func (l *layout) margin() vg.Length { return l.text * 0.6 }
func (l *layout) small() vg.Length  { return l.text * 0.88 }
func (l *layout) head() vg.Length {
	return l.margin() + vg.Length(len(l.keys))*l.text*leading
}
func (l *layout) foot() vg.Length {
	if len(l.caption) == 0 {
		return l.margin()
	}
	return l.margin() + l.text*0.4 + vg.Length(len(l.caption))*l.small()*leading
}

func (p *Picture) drawOn(c vg.Canvas, l layout) {
	all := draw.Canvas{Canvas: c, Rectangle: vg.Rectangle{Max: vg.Point{X: l.width, Y: l.height}}}
	s := &sheet{all, l.text}
	y := l.height - l.margin()
	for _, line := range l.keys {
		s.legend(line, l.margin(), y-l.text)
		y -= l.text * leading
	}
	y = l.foot() - l.text*0.4 - l.small()
	for _, line := range l.caption {
		s.FillText(styled(l.small(), soft), vg.Point{X: l.margin(), Y: y}, line)
		y -= l.small() * leading
	}
	p.draw(&sheet{draw.Crop(all, l.margin(), -l.margin(), l.foot(), -l.head()), l.text})
}

// SVG returns the picture as SVG, in an element with the id. Alone, it has a ground, a caption, and its own colours for
// a dark theme; otherwise the page has them.
func (p *Picture) SVG(size Size, id string, alone bool) []byte {
	l := p.arrange(size, alone && !size.NoCaption)
	c := newSVG(l.height)
	p.drawOn(outlined{c}, l)
	c.Close()
	x := svg.Document{ID: id, Class: "pl", Title: p.Title, Description: p.Caption,
		Width: num(l.width), Height: num(l.height), Unit: "pt"}
	below := &svg.Drawing{}
	if alone {
		x.Style = Style
		below.Element("rect", "", "width", x.Width, "height", x.Height, "class", "f-ground", "fill", "#ffffff")
	}
	return []byte(x.String(below, &c.Drawing))
}

// PNG returns the picture in pixels, on white.
func (p *Picture) PNG(size Size) []byte {
	l := p.arrange(size, !size.NoCaption)
	c := vgimg.NewWith(vgimg.UseWH(l.width, l.height), vgimg.UseDPI(size.DPI), vgimg.UseBackgroundColor(color.White))
	p.drawOn(c, l)
	return writePNG(c, size.DPI)
}

// PDF returns the picture as a PDF of one page.
func (p *Picture) PDF(size Size) []byte {
	l := p.arrange(size, !size.NoCaption)
	c := vgpdf.New(l.width, l.height)
	p.drawOn(outlined{c}, l)
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	must(err)
	return b.Bytes()
}

// CSV returns the data of the picture.
func (p *Picture) CSV() []byte { return []byte(reports.CSV(p.Table)) }

type key struct {
	name   string
	swatch func(s *sheet, r vg.Rectangle)
}

func flow(all []key, width, text vg.Length) (lines [][]key) {
	left := vg.Length(-1)
	for _, k := range all {
		k.name = fitText(k.name, width-swatchWidth(text), text)
		w := swatchWidth(text) + widthOf(k.name, text)
		if left < w {
			lines, left = append(lines, nil), width
		}
		lines[len(lines)-1] = append(lines[len(lines)-1], k)
		left -= w + text*1.2
	}
	return lines
}

func swatchWidth(text vg.Length) vg.Length { return text * 2.7 }

func (s *sheet) legend(line []key, x, y vg.Length) {
	for _, k := range line {
		k.swatch(s, vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + s.text*2.2, Y: y + s.text*0.75}})
		s.FillText(styled(s.text, black), vg.Point{X: x + swatchWidth(s.text), Y: y}, k.name)
		x += swatchWidth(s.text) + widthOf(k.name, s.text) + s.text*1.2
	}
}

// A Size is the size of a medium, and the rules for its files.
type Size struct {
	Width, Height vg.Length // a height of 0 is as high as necessary
	Text          vg.Length // the size of its letters
	DPI           int       // of its pixels
	NoCaption     bool      // because the paper has its own
}

// The sizes: the column of a journal is 85 mm wide, and a slide is 16 to 9.
var (
	Column = Size{Width: 85 * vg.Millimeter, Text: 7.2, DPI: 300}
	Slide  = Size{Width: 10 * vg.Inch, Height: 5.625 * vg.Inch, Text: 15, DPI: 192}
)

// A File is one form of a picture. Make makes it.
type File struct {
	Name string
	Make func() []byte
}

// Files returns a picture in all its forms: its data, and for a column and a slide PNG, SVG and PDF. The lengths of the
// rendering apply to the column.
func (p *Picture) Files(k reports.Rendering) []File {
	column := Column
	if k.Width > 0 {
		column.Width, column.Height = vg.Length(k.Width), vg.Length(k.Height)
	}
	if k.Letters > 0 {
		column.Text = vg.Length(k.Letters)
	}
	all := []File{{p.Name + ".csv", p.CSV}}
	for _, m := range []struct {
		name string
		size Size
	}{{p.Name, column}, {p.Name + "-slide", Slide}} {
		m.size.NoCaption = k.NoCaption
		all = append(all,
			File{m.name + ".png", func() []byte { return p.PNG(m.size) }},
			File{m.name + ".svg", func() []byte { return p.SVG(m.size, m.name, true) }},
			File{m.name + ".pdf", func() []byte { return p.PDF(m.size) }})
	}
	return all
}
