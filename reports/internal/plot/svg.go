package plot

import (
	"bytes"
	"encoding/base64"
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

	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
)

// A svgCanvas is a canvas of SVG. gonum has one too; but that writes style attributes, which a strict policy of a page
// forbids, and has no themes.
type svgCanvas struct {
	svg.Drawing
	height   vg.Length
	now      pen
	stack    []pen
	realText bool
}

// A pen is how a canvas draws, and relative to what.
type pen struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	at     matrix
}

// newSVG returns a canvas whose origin is at the lower left.
func newSVG(height vg.Length) *svgCanvas {
	return &svgCanvas{height: height, now: pen{color: black, width: 1, at: identity}}
}

// SetLineWidth implements vg.Canvas, as do the methods below.
func (s *svgCanvas) SetLineWidth(w vg.Length) { s.now.width = w }

// SetLineDash sets the dashes of lines.
func (s *svgCanvas) SetLineDash(pattern []vg.Length, _ vg.Length) { s.now.dashes = pattern }

// SetColor sets the colour.
func (s *svgCanvas) SetColor(c color.Color) {
	if s.now.color = c; c == nil {
		s.now.color = black
	}
}

// Rotate rotates what follows.
func (s *svgCanvas) Rotate(by float64) { s.now.at = s.now.at.turn(by) }

// Translate moves what follows.
func (s *svgCanvas) Translate(p vg.Point) { s.now.at = s.now.at.move(p) }

// Scale is never called.
func (s *svgCanvas) Scale(float64, float64) { panic("plot: nothing is scaled") }

// Push saves the pen.
func (s *svgCanvas) Push() { s.stack = append(s.stack, s.now) }

// Pop restores it.
func (s *svgCanvas) Pop() { s.now, s.stack = s.stack[len(s.stack)-1], s.stack[:len(s.stack)-1] }

// num returns a length in points with two decimals, which is finer than any printer.
func num(v float64) string { return svg.Number(v, 2) }

// paint returns the attributes of what is painted: the class of a colour that has a name, and the colour on paper.
func (s *svgCanvas) paint(kind string) []string {
	c, named := s.now.color.(themed)
	if !named {
		return []string{kind, hex(color.NRGBAModel.Convert(s.now.color).(color.NRGBA))}
	}
	attributes := []string{"class", kind[:1] + "-" + c.name, kind, hex(c.paper)}
	if c.alpha > 0 {
		attributes = append(attributes, kind+"-opacity", num(float64(c.alpha)/255))
	}
	return attributes
}

// Stroke draws along a path.
func (s *svgCanvas) Stroke(p vg.Path) {
	if s.now.width <= 0 {
		return
	}
	attributes := append(s.paint("stroke"), "fill", "none")
	if s.now.width != 1 {
		attributes = append(attributes, "stroke-width", num(float64(s.now.width)))
	}
	if len(s.now.dashes) > 0 {
		words := make([]string, len(s.now.dashes))
		for i, d := range s.now.dashes {
			words[i] = num(float64(d))
		}
		attributes = append(attributes, "stroke-dasharray", strings.Join(words, " "))
	}
	s.Element("path", "", append(attributes, "d", s.data(p))...)
}

// Fill fills a path.
func (s *svgCanvas) Fill(p vg.Path) {
	s.Element("path", "", append(s.paint("fill"), "d", s.data(p))...)
}

func (s *svgCanvas) data(p vg.Path) string {
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
func (s *svgCanvas) arc(b *strings.Builder, c vg.PathComp, at func(vg.Point) string) {
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

// FillString draws a text as one path, in units of the font, which are whole numbers; or as a text.
func (s *svgCanvas) FillString(f font.Face, at vg.Point, text string) {
	if s.realText {
		s.text(f, at, text)
		return
	}
	m := s.now.at.move(at)
	k := float64(f.Font.Size) / float64(f.Face.UnitsPerEm()) * coarse
	flipped := [...]float64{m.a * k, -m.b * k, -m.c * k, m.d * k} // fonts and SVG count down, canvases up
	words := make([]string, 0, 6)
	for _, v := range flipped {
		words = append(words, strconv.FormatFloat(v, 'g', 4, 64))
	}
	words = append(words, num(m.x), num(float64(s.height)-m.y))
	if data := glyphData(outlines(f.Face, text)); data != "" {
		s.Element("path", "", append(s.paint("fill"), "transform", "matrix("+strings.Join(words, " ")+")", "d", data)...)
	}
}

// fontFamily are fonts whose letters are as wide as those that texts are measured by.
const fontFamily = "Liberation Sans, Arial, Helvetica, sans-serif"

// text adds a text that viewers fit into the width it was measured with, whichever font they have.
func (s *svgCanvas) text(f font.Face, at vg.Point, text string) {
	m := s.now.at.move(at)
	attributes := append(s.paint("fill"), "font-family", fontFamily, "font-size", num(float64(f.Font.Size)))
	x, y := num(m.x), num(float64(s.height)-m.y)
	if m.a == 1 && m.b == 0 {
		attributes = append(attributes, "x", x, "y", y)
	} else {
		attributes = append(attributes, "transform", "matrix("+strings.Join([]string{num(m.a), num(-m.b), num(-m.c), num(m.d), x, y}, " ")+")")
	}
	if text != "" {
		s.Raw("<text" + svg.Attributes(append(attributes, "textLength", num(float64(f.Width(text))), "lengthAdjust", "spacingAndGlyphs")...) + ">" + svg.Escape(text) + "</text>\n")
	}
}

// coarse is how many units of the font are one here: finer steps are not seen, and take space.
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
				appendNumber(&b, x-px, k > 0)
				appendNumber(&b, y-py, true)
			}
		}
		if len(g.segments) > 0 {
			b.WriteString("z")
		}
	}
	return b.String()
}

// appendNumber writes a number after another. A minus is enough to separate them.
func appendNumber(b *strings.Builder, n int, after bool) {
	if after && n >= 0 {
		b.WriteByte(' ')
	}
	b.WriteString(strconv.Itoa(n))
}

// DrawImage adds an image with its bytes in it.
func (s *svgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	lower := s.now.at.of(r.Min)
	size := r.Size()
	s.Element("image", "", "x", num(float64(lower.X)), "y", num(float64(s.height-lower.Y-size.Y)), "width", num(float64(size.X)), "height", num(float64(size.Y)),
		"preserveAspectRatio", "none", "href", "data:image/png;base64,"+base64.StdEncoding.EncodeToString(encode(img)))
}

func encode(img image.Image) []byte {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	must(e.Encode(&b, img))
	return b.Bytes()
}
