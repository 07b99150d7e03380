package plot

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgpdf"

	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
)

// sans names the font of all pictures.
var sans = font.Font{Typeface: "Liberation", Variant: "Sans"}

func faceOf(size vg.Length) font.Face { return font.DefaultCache.Lookup(sans, size) }

func widthOf(s string, size vg.Length) vg.Length {
	f := faceOf(size)
	return f.Width(s)
}

func styled(size vg.Length, in themed) text.Style {
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

// must panics on an error that cannot happen: the font is embedded, and buffers take everything.
func must(err error) {
	if err != nil {
		panic("plot: " + err.Error())
	}
}

// outlined is a canvas of pixels or of PDF on which letters are drawn as outlines.
type outlined struct{ vg.Canvas }

// FillString draws a text.
func (o outlined) FillString(f font.Face, at vg.Point, s string) {
	scale := f.Font.Size / vg.Length(f.Face.UnitsPerEm())
	var p vg.Path
	for _, g := range outlines(f.Face, s) {
		p = appendGlyph(p, g, at, scale)
	}
	if len(p) > 0 {
		o.Fill(p)
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

// DrawImage draws an image. gonum's canvas of PDF draws it upside down, so it is turned first.
func (o outlined) DrawImage(r vg.Rectangle, img image.Image) {
	if _, is := o.Canvas.(*vgpdf.Canvas); is {
		img = turned{img}
	}
	o.Canvas.DrawImage(r, img)
}

// turned is an image upside down.
type turned struct{ image.Image }

// At implements image.Image.
func (t turned) At(x, y int) color.Color {
	b := t.Bounds()
	return t.Image.At(x, b.Min.Y+b.Max.Y-1-y)
}

// A matrix maps a point through translations and rotations.
type matrix struct{ a, b, c, d, x, y float64 }

var identity = matrix{a: 1, d: 1}

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

func measure(size vg.Length) svg.Measure {
	f := faceOf(size)
	return func(s string) float64 { return float64(f.Width(s)) }
}

func fitText(s string, width, size vg.Length) string { return measure(size).Fit(s, float64(width)) }

// short returns a number with at most four digits.
func short(v float64) string { return fmt.Sprintf("%.4g", v) }
