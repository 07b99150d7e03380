package plots

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// svg is a canvas of SVG. gonum has one too; but that writes style attributes, which a strict policy of a page forbids, and
// knows nothing of themes.
type svg struct {
	b      strings.Builder
	height vg.Length
	now    pen
	stack  []pen
}

// A pen is what a canvas draws with, and from where.
type pen struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	at     matrix
}

// newSVG returns a canvas whose origin is at the lower left.
func newSVG(height vg.Length) *svg {
	return &svg{height: height, now: pen{color: black, width: 1, at: still}}
}

// SetLineWidth is of vg.Canvas, as are those below.
func (s *svg) SetLineWidth(w vg.Length) { s.now.width = w }

// SetLineDash says how a line is broken.
func (s *svg) SetLineDash(pattern []vg.Length, _ vg.Length) { s.now.dashes = pattern }

// SetColor says what to draw with.
func (s *svg) SetColor(c color.Color) {
	if s.now.color = c; c == nil {
		s.now.color = black
	}
}

// Rotate turns what follows.
func (s *svg) Rotate(by float64) { s.now.at = s.now.at.turn(by) }

// Translate moves what follows.
func (s *svg) Translate(p vg.Point) { s.now.at = s.now.at.move(p) }

// Scale is used by nobody.
func (s *svg) Scale(float64, float64) { panic("plots: nothing is scaled") }

// Push keeps the pen.
func (s *svg) Push() { s.stack = append(s.stack, s.now) }

// Pop takes it up again.
func (s *svg) Pop() { s.now, s.stack = s.stack[len(s.stack)-1], s.stack[:len(s.stack)-1] }

// num returns a length in points with two digits, which is finer than any printer.
func num(v float64) string {
	text := strconv.FormatFloat(v, 'f', 2, 64)
	text = strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
	if text == "-0" || text == "" {
		return "0"
	}
	return text
}

// paint returns the attributes of what is painted: of an ink its class, and the colour on paper.
func (s *svg) paint(kind string) string {
	opaque := func(c color.NRGBA) string { return ` ` + kind + `="` + hex(c) + `"` }
	switch c := s.now.color.(type) {
	case ink:
		attributes := ` class="` + kind[:1] + "-" + c.name + `"` + opaque(c.paper)
		if c.alpha > 0 {
			attributes += ` ` + kind + `-opacity="` + num(float64(c.alpha)/255) + `"`
		}
		return attributes
	default:
		return opaque(color.NRGBAModel.Convert(c).(color.NRGBA))
	}
}

// Stroke draws along a path.
func (s *svg) Stroke(p vg.Path) {
	if s.now.width <= 0 {
		return
	}
	s.b.WriteString(`<path` + s.paint("stroke") + ` fill="none"`)
	if s.now.width != 1 {
		s.b.WriteString(` stroke-width="` + num(float64(s.now.width)) + `"`)
	}
	if len(s.now.dashes) > 0 {
		words := make([]string, len(s.now.dashes))
		for i, d := range s.now.dashes {
			words[i] = num(float64(d))
		}
		s.b.WriteString(` stroke-dasharray="` + strings.Join(words, " ") + `"`)
	}
	s.b.WriteString(` d="` + s.data(p) + `"/>` + "\n")
}

// Fill fills a path.
func (s *svg) Fill(p vg.Path) {
	s.b.WriteString(`<path` + s.paint("fill") + ` d="` + s.data(p) + `"/>` + "\n")
}

// data returns a path in SVG's words.
func (s *svg) data(p vg.Path) string {
	var b strings.Builder
	at := func(q vg.Point) string {
		q = s.now.at.of(q)
		return num(float64(q.X)) + " " + num(float64(s.height-q.Y))
	}
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			b.WriteString("M" + at(c.Pos))
		case vg.LineComp:
			b.WriteString("L" + at(c.Pos))
		case vg.CurveComp:
			b.WriteString([]string{"", "Q", "C"}[len(c.Control)])
			for _, q := range c.Control {
				b.WriteString(at(q) + " ")
			}
			b.WriteString(at(c.Pos))
		case vg.ArcComp:
			s.arc(&b, c, at)
		case vg.CloseComp:
			b.WriteString("Z")
		}
	}
	return b.String()
}

// arc draws a part of a circle, or all of it in two halves.
func (s *svg) arc(b *strings.Builder, c vg.PathComp, at func(vg.Point) string) {
	on := func(angle float64) string {
		sin, cos := math.Sincos(angle)
		return at(vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos), Y: c.Pos.Y + c.Radius*vg.Length(sin)})
	}
	way := " 0 0 0 "
	if c.Angle < 0 {
		way = " 0 0 1 "
	}
	r := num(float64(c.Radius))
	for half := range 2 {
		b.WriteString("A" + r + " " + r + way + on(c.Start+c.Angle*float64(half+1)/2))
	}
}

// letters draws a text as one path, in units of the font, which are whole numbers.
func (s *svg) letters(f font.Face, at vg.Point, text string) {
	m := s.now.at.move(at)
	k := float64(f.Font.Size) / float64(f.Face.UnitsPerEm()) * coarse
	flipped := [...]float64{m.a * k, -m.b * k, -m.c * k, m.d * k} // fonts and SVG count down, canvases up
	words := make([]string, 0, 6)
	for _, v := range flipped {
		words = append(words, strconv.FormatFloat(v, 'g', 4, 64))
	}
	words = append(words, num(m.x), num(float64(s.height)-m.y))
	data := glyphData(outlines(f.Face, text))
	if data == "" {
		return
	}
	s.b.WriteString(`<path` + s.paint("fill") + ` transform="matrix(` + strings.Join(words, " ") + `)" d="` + data + `"/>` + "\n")
}

// coarse is how many units of the font are one here: finer steps show nowhere, and take place.
const coarse = 4

func coarsely(v fixed.Int26_6) int { return int(math.Floor(float64(v)/coarse + 0.5)) }

// glyphData returns letters as a path, from point to point.
func glyphData(all []glyph) string {
	var b strings.Builder
	for _, g := range all {
		x, y := 0, 0 // where the path is
		for i, seg := range g.segments {
			px, py := x, y
			if seg.Op == sfnt.SegmentOpMoveTo {
				if i > 0 {
					b.WriteString("z")
				}
				px, py = 0, 0
			}
			b.WriteByte("Mlqc"[seg.Op])
			for k := range max(int(seg.Op), 1) {
				x, y = coarsely(seg.Args[k].X+g.at), coarsely(seg.Args[k].Y)
				joined(&b, x-px, k > 0)
				joined(&b, y-py, true)
			}
		}
		if len(g.segments) > 0 {
			b.WriteString("z")
		}
	}
	return b.String()
}

// joined writes a number after another. A minus parts them well enough.
func joined(b *strings.Builder, n int, after bool) {
	if after && n >= 0 {
		b.WriteByte(' ')
	}
	b.WriteString(strconv.Itoa(n))
}

// FillString is not come to: letters are drawn as outlines.
func (s *svg) FillString(font.Face, vg.Point, string) { panic("plots: letters are drawn as outlines") }

// DrawImage puts an image in, with its own bytes.
func (s *svg) DrawImage(r vg.Rectangle, img image.Image) {
	lower := s.now.at.of(r.Min)
	size := r.Size()
	fmt.Fprintf(&s.b, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" href="data:image/png;base64,%s"/>`+"\n",
		num(float64(lower.X)), num(float64(s.height-lower.Y-size.Y)), num(float64(size.X)), num(float64(size.Y)),
		base64.StdEncoding.EncodeToString(encode(img)))
}

// encode returns an image as PNG.
func encode(img image.Image) []byte {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	must(e.Encode(&b, img))
	return b.Bytes()
}

// escape makes a text fit for XML. What XML cannot hold, it replaces.
func escape(s string) string {
	var b bytes.Buffer
	must(xml.EscapeText(&b, []byte(s))) // a buffer takes everything
	return b.String()
}
