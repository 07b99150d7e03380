package plots

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"
)

// sans names the font of all pictures.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

// faceOf returns the font at a size.
func faceOf(size vg.Length) font.Face { return font.DefaultCache.Lookup(sans, size) }

// widthOf is how wide a text is at a size.
func widthOf(s string, size vg.Length) vg.Length {
	f := faceOf(size)
	return f.Width(s)
}

// styled returns the style of a text.
func styled(size vg.Length, in ink) text.Style {
	f := sans
	f.Size = size
	return text.Style{Color: in, Font: f, Handler: plot.DefaultTextHandler}
}

// A glyph is a letter's outline at its place in a text, in units of the font: 2048 are its size.
type glyph struct {
	at       fixed.Int26_6
	segments []sfnt.Segment
}

// outlines returns the letters of a text from left to right. They stand as font.Face.Width counts them.
func outlines(f *opentype.Font, s string) (all []glyph) {
	var buf sfnt.Buffer
	em := fixed.Int26_6(f.UnitsPerEm())
	var at fixed.Int26_6
	var before sfnt.GlyphIndex
	for i, r := range s {
		index, err := f.GlyphIndex(&buf, r)
		must(err)
		if i > 0 {
			if kern, err := f.Kern(&buf, before, index, em, 0); err == nil { // most pairs have none
				at += kern
			}
		}
		segments, err := f.LoadGlyph(&buf, index, em, nil)
		must(err)
		all = append(all, glyph{at, append([]sfnt.Segment(nil), segments...)})
		advance, err := f.GlyphAdvance(&buf, index, em, 0)
		must(err)
		at, before = at+advance, index
	}
	return all
}

// must is for the font that comes along, which is sound.
func must(err error) {
	if err != nil {
		panic("plots: " + err.Error())
	}
}

// outlined is a canvas that draws letters as outlines, whatever it is a canvas of. It knows where the texts are.
type outlined struct {
	vg.Canvas
	at    matrix
	stack []matrix
	texts []box
}

// A box is what a text covers.
type box struct {
	min, max vg.Point
	text     string
}

// FillString draws a text.
func (o *outlined) FillString(f font.Face, at vg.Point, s string) {
	o.note(f, at, s)
	if c, ok := o.Canvas.(*svg); ok {
		c.letters(f, at, s)
		return
	}
	scale := f.Font.Size / vg.Length(f.Face.UnitsPerEm())
	var p vg.Path
	for _, g := range outlines(f.Face, s) {
		p = appendGlyph(p, g, at, scale)
	}
	if len(p) > 0 {
		o.Canvas.Fill(p)
	}
}

// appendGlyph appends the outline of a letter. Fonts count down, and canvases up.
func appendGlyph(p vg.Path, g glyph, at vg.Point, scale vg.Length) vg.Path {
	point := func(q fixed.Point26_6) vg.Point {
		return vg.Point{X: at.X + vg.Length(q.X+g.at)*scale, Y: at.Y - vg.Length(q.Y)*scale}
	}
	for _, s := range g.segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if len(p) > 0 && p[len(p)-1].Type != vg.CloseComp {
				p.Close()
			}
			p.Move(point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			p.Line(point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.QuadTo(point(s.Args[0]), point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.CubeTo(point(s.Args[0]), point(s.Args[1]), point(s.Args[2]))
		}
	}
	if len(g.segments) > 0 {
		p.Close()
	}
	return p
}

// DrawImage draws an image. gonum's canvas of PDF, which counts up where PDF's own images count down, stands it on its head.
func (o *outlined) DrawImage(r vg.Rectangle, img image.Image) {
	if _, is := o.Canvas.(*vgpdf.Canvas); is {
		img = turned{img}
	}
	o.Canvas.DrawImage(r, img)
}

// turned is an image that stands on its head.
type turned struct{ image.Image }

// At is of image.Image.
func (t turned) At(x, y int) color.Color {
	b := t.Bounds()
	return t.Image.At(x, b.Min.Y+b.Max.Y-1-y)
}

// note keeps the box of a text.
func (o *outlined) note(f font.Face, at vg.Point, s string) {
	size := f.Font.Size
	b := box{min: vg.Point{X: math.MaxFloat64, Y: math.MaxFloat64}, max: vg.Point{X: -math.MaxFloat64, Y: -math.MaxFloat64}, text: s}
	right, up, down := at.X+f.Width(s), at.Y+0.72*size, at.Y-0.2*size
	for _, corner := range []vg.Point{{X: at.X, Y: down}, {X: right, Y: down}, {X: at.X, Y: up}, {X: right, Y: up}} {
		c := o.at.of(corner)
		b.min.X, b.min.Y = min(b.min.X, c.X), min(b.min.Y, c.Y)
		b.max.X, b.max.Y = max(b.max.X, c.X), max(b.max.Y, c.Y)
	}
	o.texts = append(o.texts, b)
}

// Push keeps where the canvas stands.
func (o *outlined) Push() { o.stack = append(o.stack, o.at); o.Canvas.Push() }

// Pop goes back there.
func (o *outlined) Pop() {
	o.at, o.stack = o.stack[len(o.stack)-1], o.stack[:len(o.stack)-1]
	o.Canvas.Pop()
}

// Translate moves the canvas.
func (o *outlined) Translate(p vg.Point) { o.at = o.at.move(p); o.Canvas.Translate(p) }

// Rotate turns the canvas.
func (o *outlined) Rotate(by float64) { o.at = o.at.turn(by); o.Canvas.Rotate(by) }

// A matrix says where a point is after some moves and turns.
type matrix struct{ a, b, c, d, x, y float64 }

var still = matrix{a: 1, d: 1}

func (m matrix) of(p vg.Point) vg.Point {
	x, y := float64(p.X), float64(p.Y)
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.x), Y: vg.Length(m.b*x + m.d*y + m.y)}
}

func (m matrix) move(p vg.Point) matrix {
	to := m.of(p)
	m.x, m.y = float64(to.X), float64(to.Y)
	return m
}

func (m matrix) turn(by float64) matrix {
	sin, cos := math.Sincos(by)
	return matrix{m.a*cos + m.c*sin, m.b*cos + m.d*sin, m.c*cos - m.a*sin, m.d*cos - m.b*sin, m.x, m.y}
}

// wrapped breaks a text into lines of a width. A word that is wider is cut.
func wrapped(s string, width, size vg.Length) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(s) {
		word = fitted(word, width, size)
		switch {
		case line == "":
			line = word
		case widthOf(line+" "+word, size) > width:
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

// fitted cuts a text to a width.
func fitted(s string, width, size vg.Length) string {
	if widthOf(s, size) <= width {
		return s
	}
	letters := []rune(s)
	fits := func(n int) bool { return widthOf(string(letters[:n])+"…", size) <= width }
	low, high := 0, min(len(letters), 1000)
	for low < high {
		if middle := (low + high + 1) / 2; fits(middle) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	if low == 0 {
		return ""
	}
	return string(letters[:low]) + "…"
}

// short returns a number with a few digits, and none that say nothing.
func short(v float64) string { return fmt.Sprintf("%.4g", v) }
