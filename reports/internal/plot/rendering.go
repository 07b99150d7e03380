package plot

import (
	"gonum.org/v1/plot/vg"

	"github.com/lockstorm/lockstorm/reports"
)

// A Size is that of a medium, with what a file for it has.
type Size struct {
	Width, Height vg.Length // a height of 0 is as high as need be
	Text          vg.Length // the size of its letters
	DPI           int       // of its pixels
	NoCaption     bool      // the paper has one of its own
	RealText      bool      // texts are texts of a font, which can be searched and edited, not outlines
}

// The sizes: the column of a journal is 85 mm wide, and a slide is 16 to 9.
var (
	Column = Size{Width: 85 * vg.Millimeter, Text: 7.2, DPI: 300}
	Slide  = Size{Width: 10 * vg.Inch, Height: 5.625 * vg.Inch, Text: 15, DPI: 192}
)

// sizes returns the sizes of a column and of a slide. What a rendering says of sizes is about the column.
func sizes(k reports.Rendering) (column, slide Size) {
	column, slide = Column, Slide
	if k.Width > 0 {
		column.Width, column.Height = vg.Length(k.Width), vg.Length(k.Height)
	}
	if k.Letters > 0 {
		column.Text = vg.Length(k.Letters)
	}
	for _, s := range []*Size{&column, &slide} {
		s.NoCaption, s.RealText = k.NoCaption, k.RealText
	}
	return column, slide
}

// A File is one form of a picture. Make makes it.
type File struct {
	Name string
	Make func() []byte
}

// Files returns a picture in all its forms: its data, and for a column and a slide PNG, SVG and PDF.
func (p *Picture) Files(k reports.Rendering) []File {
	all := []File{{p.Name + ".csv", p.CSV}}
	column, slide := sizes(k)
	for _, m := range []struct {
		name string
		size Size
	}{{p.Name, column}, {p.Name + "-slide", slide}} {
		all = append(all,
			File{m.name + ".png", func() []byte { return p.PNG(m.size) }},
			File{m.name + ".svg", func() []byte { return p.SVG(m.size, m.name, true) }},
			File{m.name + ".pdf", func() []byte { return p.PDF(m.size) }})
	}
	return all
}
