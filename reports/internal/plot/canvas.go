package plot

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"codeberg.org/go-pdf/fpdf"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/lockstorm/lockstorm/reports/internal/draw/svg"
)

// An svgCanvas is a canvas of SVG. gonum's own canvas has no themes, and writes style attributes, which strict pages
// forbid. The unit is a hundredth of a point, which is finer than any printer, so all numbers are whole.
type svgCanvas struct {
	svg.Drawing
	now   pen
	stack []pen
}

// A pen is how a canvas draws, and the number of its open groups, which turn and move the drawing.
type pen struct {
	color  color.Color
	width  vg.Length
	dashes []vg.Length
	groups int
}

// newSVG returns a canvas with its origin at the lower left. Its y grows upwards.
func newSVG(height vg.Length) *svgCanvas {
	s := &svgCanvas{now: pen{color: black, width: 1}}
	s.Open("transform", "matrix(.01 0 0 -.01 0 "+num(height)+")")
	return s
}

// num returns a length in points with two decimals, and units returns it in units of the canvas.
func num(v vg.Length) string   { return svg.Number(float64(v), 2) }
func units(v vg.Length) string { return strconv.Itoa(whole(v)) }
func whole(v vg.Length) int    { return int(math.Round(100 * float64(v))) }

// SetLineWidth implements vg.Canvas, as the methods below do.
func (s *svgCanvas) SetLineWidth(w vg.Length) { s.now.width = w }

// SetLineDash sets the dashes of lines.
func (s *svgCanvas) SetLineDash(pattern []vg.Length, _ vg.Length) { s.now.dashes = pattern }

// SetColor sets the colour.
func (s *svgCanvas) SetColor(c color.Color) {
	if s.now.color = c; c == nil {
		s.now.color = black
	}
}

// Rotate turns what follows.
func (s *svgCanvas) Rotate(angle float64) {
	s.group("rotate(" + svg.Number(angle*180/math.Pi, 2) + ")")
}

// Translate moves what follows.
func (s *svgCanvas) Translate(p vg.Point) {
	s.group("translate(" + units(p.X) + " " + units(p.Y) + ")")
}

// Scale panics, because nothing calls it.
func (s *svgCanvas) Scale(float64, float64) { panic("plot: nothing is scaled") }

func (s *svgCanvas) group(transform string) {
	s.Open("transform", transform)
	s.now.groups++
}

// Push saves the pen.
func (s *svgCanvas) Push() { s.stack = append(s.stack, s.now) }

// Pop restores it.
func (s *svgCanvas) Pop() {
	before := s.stack[len(s.stack)-1]
	for ; s.now.groups > before.groups; s.now.groups-- {
		s.Close()
	}
	s.now, s.stack = before, s.stack[:len(s.stack)-1]
}

func (s *svgCanvas) paint(kind string) []string {
	c, named := s.now.color.(themed)
	if !named {
		return []string{kind, hex(color.NRGBAModel.Convert(s.now.color).(color.NRGBA))}
	}
	attributes := []string{"class", kind[:1] + "-" + c.name, kind, hex(c.paper)}
	if c.alpha > 0 {
		attributes = append(attributes, kind+"-opacity", svg.Number(float64(c.alpha)/255, 2))
	}
	return attributes
}

// Stroke draws along a path.
func (s *svgCanvas) Stroke(p vg.Path) {
	if s.now.width <= 0 {
		return
	}
	attributes := append(s.paint("stroke"), "fill", "none", "stroke-width", units(s.now.width))
	if len(s.now.dashes) > 0 {
		var words []string
		for _, d := range s.now.dashes {
			words = append(words, units(d))
		}
		attributes = append(attributes, "stroke-dasharray", strings.Join(words, " "))
	}
	s.Element("path", "", append(attributes, "d", pathData(p))...)
}

// Fill fills a path.
func (s *svgCanvas) Fill(p vg.Path) {
	s.Element("path", "", append(s.paint("fill"), "d", pathData(p))...)
}

// FillString panics, because letters are outlines.
func (s *svgCanvas) FillString(font.Face, vg.Point, string) { panic("plot: letters are outlines") }

// DrawImage panics, because no picture has an image.
func (s *svgCanvas) DrawImage(vg.Rectangle, image.Image) { panic("plot: no image is drawn") }

// pathData returns a path as SVG has it. Its steps are relative, because small numbers take little space.
func pathData(p vg.Path) string {
	var b strings.Builder
	x, y := 0, 0 // the end of the path so far
	step := func(letter string, points ...vg.Point) {
		b.WriteString(letter)
		fromX, fromY := x, y
		for i, q := range points {
			x, y = whole(q.X), whole(q.Y)
			appendNumber(&b, x-fromX, i > 0)
			appendNumber(&b, y-fromY, true)
		}
	}
	for _, c := range p {
		switch c.Type {
		case vg.MoveComp:
			x, y = 0, 0
			step("M", c.Pos)
		case vg.LineComp:
			step("l", c.Pos)
		case vg.CurveComp:
			step([]string{"", "q", "c"}[len(c.Control)], append(slices.Clone(c.Control), c.Pos)...)
		case vg.ArcComp: // in two halves, because a whole circle ends where it begins and would be empty
			for half := 1; half <= 2; half++ {
				sin, cos := math.Sincos(c.Start + c.Angle*float64(half)/2)
				way := map[bool]string{true: "1", false: "0"}[c.Angle > 0]
				step("a"+units(c.Radius)+" "+units(c.Radius)+" 0 0 "+way+" ",
					vg.Point{X: c.Pos.X + c.Radius*vg.Length(cos), Y: c.Pos.Y + c.Radius*vg.Length(sin)})
			}
		case vg.CloseComp:
			b.WriteString("z")
		}
	}
	return b.String()
}

// appendNumber writes a number after another. A minus separates them like a space.
func appendNumber(b *strings.Builder, n int, after bool) {
	if after && n >= 0 {
		b.WriteByte(' ')
	}
	b.WriteString(strconv.Itoa(n))
}

// An outlined canvas draws letters as outlines.
type outlined struct{ vg.Canvas }

// FillString draws a text.
func (o outlined) FillString(f font.Face, p vg.Point, text string) {
	if path := outline(f, p, text); len(path) > 0 {
		o.Fill(path)
	}
}

// outline returns the letters of a text as a path, placed as font.Face.Width counts them.
func outline(f font.Face, start vg.Point, text string) (p vg.Path) {
	var buf sfnt.Buffer
	em := fixed.Int26_6(f.Face.UnitsPerEm())
	scale := f.Font.Size / vg.Length(em)
	var right fixed.Int26_6
	point := func(q fixed.Point26_6) vg.Point { // fonts count down, and canvases up
		return vg.Point{X: start.X + vg.Length(q.X+right)*scale, Y: start.Y - vg.Length(q.Y)*scale}
	}
	var before sfnt.GlyphIndex
	for i, r := range text {
		index, err := f.Face.GlyphIndex(&buf, r)
		must(err)
		if i > 0 {
			if kern, err := f.Face.Kern(&buf, before, index, em, 0); err == nil { // most pairs have none
				right += kern
			}
		}
		segments, err := f.Face.LoadGlyph(&buf, index, em, nil)
		must(err)
		for k, s := range segments {
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				if k > 0 {
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
		if len(segments) > 0 {
			p.Close()
		}
		advance, err := f.Face.GlyphAdvance(&buf, index, em, 0)
		must(err)
		right, before = right+advance, index
	}
	return p
}

// must panics on an error that cannot happen: the font is embedded, and buffers take everything.
func must(err error) {
	if err != nil {
		panic("plot: " + err.Error())
	}
}

// init sets the date of PDFs, which must never change. gonum can't set it, but the package that it writes PDFs with
// can.
func init() {
	made := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	fpdf.SetDefaultCreationDate(made)
	fpdf.SetDefaultModificationDate(made)
}

// writePNG returns a PNG that says how many of its pixels are an inch, so that programs place it at its size.
func writePNG(c *vgimg.Canvas, dpi int) []byte {
	var encoded bytes.Buffer
	must(png.Encode(&encoded, c.Image()))
	all := encoded.Bytes()
	const before = 8 + 4 + 4 + 13 + 4 // the signature and the head, which come before it
	perMetre := uint32(float64(dpi)/0.0254 + 0.5)
	chunk := binary.BigEndian.AppendUint32([]byte("pHYs"), perMetre)
	chunk = append(binary.BigEndian.AppendUint32(chunk, perMetre), 1) // 1 is metres
	sized := binary.BigEndian.AppendUint32(bytes.Clone(all[:before]), uint32(len(chunk)-4))
	sized = append(sized, chunk...)
	sized = binary.BigEndian.AppendUint32(sized, crc32.ChecksumIEEE(chunk))
	return append(sized, all[before:]...)
}
