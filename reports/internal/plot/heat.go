package plot

import (
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a map of shares over two axes, whose values stand at even steps, with lines drawn over it.
type Heat struct {
	X, Y   Axis        // with the Names of their values
	Share  [][]float64 // from 0 to 1, by Y and then X; NaN where there is none
	Bounds []Bound
}

// A Bound is a line over a map, from point to point, where 0 is the middle of the first value, 1 that of the second and so
// on.
type Bound struct {
	Name string
	X, Y []float64
}

func (h *Heat) keys() (all []key) {
	for i, b := range h.Bounds {
		all = append(all, key{b.Name, func(s *sheet, at vg.Rectangle) {
			y := at.Min.Y + at.Size().Y/2
			s.tile(vg.Rectangle{Min: vg.Point{X: at.Min.X, Y: at.Min.Y - s.text*0.1}, Max: at.Max}, shade(0.5))
			for _, style := range boundStyles(i, s.text) {
				s.StrokeLine2(style, at.Min.X, y, at.Max.X, y)
			}
		}})
	}
	return all
}

// boundStyles are those of a line that shows on light and on dark: white below, and a thinner black one on it.
func boundStyles(i int, text vg.Length) [2]draw.LineStyle {
	style := stroke(i, text)
	style.Color = rgb(0x000000)
	return [2]draw.LineStyle{{Color: rgb(0xffffff), Width: 2.6 * text / 7.2}, style}
}

func (h *Heat) height(width, _ vg.Length) vg.Length { return width * 0.72 }

// gridXYZ is a map as gonum wants it.
type gridXYZ struct{ *Heat }

// Dims implements plotter.GridXYZ, as do the methods below.
func (g gridXYZ) Dims() (c, r int)   { return len(g.Heat.X.Names), len(g.Heat.Y.Names) }
func (g gridXYZ) Z(c, r int) float64 { return g.Share[r][c] }

// X returns the place of a column.
func (g gridXYZ) X(c int) float64 { return float64(c) }

// Y returns the place of a row.
func (g gridXYZ) Y(r int) float64 { return float64(r) }

// shadePalette is the shades as gonum wants them.
type shadePalette struct{}

// Colors implements palette.Palette.
func (shadePalette) Colors() []color.Color { return shades }

var _ palette.Palette = shadePalette{}

func (h *Heat) draw(s *sheet) {
	if len(h.X.Names) == 0 || len(h.Y.Names) == 0 {
		s.drawNothing()
		return
	}
	p := plot.New()
	p.BackgroundColor = nil
	scale := s.text*0.9 + widthOf("100 %", s.text) + s.text
	below := draw.Crop(s.Canvas, 0, -scale, 0, -s.text*1.8)
	s.FillText(styled(s.text, black), vg.Point{X: s.Min.X, Y: s.Max.Y - s.text}, fitText(h.Y.Label, s.Size().X-scale, s.text))
	places := func(names []string) spread { return spread{-0.5, float64(len(names)) - 0.5} }
	frame(p, below, s.text, &h.X, &h.Y, places(h.X.Names), places(h.Y.Names))
	p.Add(drawn(func(c draw.Canvas, p *plot.Plot) { h.plot(c, p, s) }))
	p.Draw(below)
}

func (h *Heat) plot(c draw.Canvas, p *plot.Plot, s *sheet) {
	m := &plotter.HeatMap{GridXYZ: gridXYZ{h}, Palette: shadePalette{}, Max: 1, NaN: color.NRGBA{}, Rasterized: true}
	inside := draw.Canvas{Canvas: enlarged{c.Canvas}, Rectangle: c.Rectangle}
	m.Plot(inside, p)
	c.StrokeLines(draw.LineStyle{Color: soft, Width: 0.6}, []vg.Point{c.Min, {X: c.Max.X, Y: c.Min.Y}, c.Max, {X: c.Min.X, Y: c.Max.Y}, c.Min})
	for i, b := range h.Bounds {
		points := make(plotter.XYs, len(b.X))
		for k := range b.X {
			points[k] = plotter.XY{X: b.X[k], Y: b.Y[k]}
		}
		for _, style := range boundStyles(i, s.text) {
			line(c, p, style, points)
		}
	}
	h.scale(s, c.Min.Y, c.Max.Y)
}

// scale draws the colours and what they stand for, at the right.
func (h *Heat) scale(s *sheet, low, high vg.Length) {
	left := s.Max.X - s.text*0.9 - widthOf("100 %", s.text) - s.text*0.3
	bar := vg.Rectangle{Min: vg.Point{X: left, Y: low}, Max: vg.Point{X: left + s.text*0.9, Y: high}}
	for i, c := range shades { // each reaches to the top, so that no seam shows; a second image would be written to PDF in any order
		y := low + (high-low)*vg.Length(i)/vg.Length(len(shades))
		s.FillPolygon(c, []vg.Point{{X: left, Y: y}, {X: bar.Max.X, Y: y}, bar.Max, {X: left, Y: high}})
	}
	s.StrokeLines(draw.LineStyle{Color: soft, Width: 0.4}, []vg.Point{bar.Min, {X: bar.Max.X, Y: low}, bar.Max, {X: left, Y: high}, bar.Min})
	for i, label := range []string{"0 %", "50 %", "100 %"} {
		style := styled(s.text, black)
		style.YAlign = []draw.YAlignment{draw.YBottom, draw.YCenter, draw.YTop}[i]
		y := low + (high-low)*vg.Length(i)/2 + s.text*[]vg.Length{0.2, 0.12, 0.05}[i]
		s.FillText(style, vg.Point{X: bar.Max.X + s.text*0.3, Y: y}, label)
	}
}

// enlarged is a canvas on which images have so many pixels that no viewer blurs them.
type enlarged struct{ vg.Canvas }

// DrawImage draws an image with pixels that are squares of pixels.
func (e enlarged) DrawImage(r vg.Rectangle, img image.Image) {
	b := img.Bounds()
	by := max(1, int(math.Ceil(400/float64(max(b.Dx(), b.Dy(), 1)))))
	e.Canvas.DrawImage(r, enlarge(img, by))
}

// enlarge returns an image of few colours as one with a palette, each pixel by by by.
func enlarge(img image.Image, by int) image.Image {
	b := img.Bounds()
	colors := color.Palette{color.NRGBA{}}
	place := map[color.NRGBA]uint8{{}: 0}
	out := image.NewPaletted(image.Rect(0, 0, b.Dx()*by, b.Dy()*by), nil)
	for y := range b.Dy() * by {
		for x := range b.Dx() * by {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+x/by, b.Min.Y+y/by)).(color.NRGBA)
			i, known := place[c]
			if !known {
				i = uint8(len(colors))
				place[c], colors = i, append(colors, c)
			}
			out.SetColorIndex(x, y, i)
		}
	}
	out.Palette = colors
	return out
}
