package plot

import (
	"fmt"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
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

// A Rendering is how pictures are drawn into files. Its zero value is what is usual.
type Rendering struct {
	NoCaption, RealText bool      // as a Size has them
	width, height, text vg.Length // of a column; 0 for what is usual
}

// SetSize reads the size of a column: a width, or WIDTHxHEIGHT, such as 85mm or 3.3inx2in.
func (k *Rendering) SetSize(s string) error {
	width, height, two := strings.Cut(s, "x")
	w, ok := parseLength(width)
	h, right := parseLength(height)
	if ok = ok && (right || !two); !ok || w < 60 || w > 3000 || two && (h < 45 || h > 3000) {
		return fmt.Errorf("%q is not a size; write a width from 22mm to 1000mm, or WIDTHxHEIGHT, such as 85mmx60mm", s)
	}
	k.width, k.height = w, h
	return nil
}

// SetLetters reads the size of the letters of a column, such as 8pt.
func (k *Rendering) SetLetters(s string) error {
	text, ok := parseLength(s)
	if !ok || text < 3 || text > 72 {
		return fmt.Errorf("%q is not a size of letters; write one from 3pt to 72pt, such as 8pt", s)
	}
	k.text = text
	return nil
}

// parseLength reads a length such as 85mm, 8.5cm, 3.3in or 240pt.
func parseLength(text string) (vg.Length, bool) {
	for _, u := range []struct {
		name string
		is   vg.Length
	}{{"mm", vg.Millimeter}, {"cm", vg.Centimeter}, {"in", vg.Inch}, {"pt", 1}} {
		if number, is := strings.CutSuffix(text, u.name); is {
			n, err := strconv.ParseFloat(number, 64)
			return vg.Length(n) * u.is, err == nil && n > 0 && n < 1e6
		}
	}
	return 0, false
}

// sizes returns the sizes of a column and of a slide. What a look says of sizes is about the column.
func (k *Rendering) sizes() (column, slide Size) {
	column, slide = Column, Slide
	if k.width > 0 {
		column.Width, column.Height = k.width, k.height
	}
	if k.text > 0 {
		column.Text = k.text
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
func (p *Picture) Files(k *Rendering) []File {
	all := []File{{p.Name + ".csv", p.CSV}}
	column, slide := k.sizes()
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
