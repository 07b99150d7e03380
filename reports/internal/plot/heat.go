package plot

import (
	"image"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a map of shares over two axes, whose values stand at even steps, with lines drawn over it. Where cells say
// something it is a table: the names of X stand above it and the first row is on top, so that it can be read without colours.
// Lines over a table go along the edges of its cells: from row to row, before the first column that is not less than the X there.
type Heat struct {
	X, Y   Axis        // with the Names of their values
	Share  [][]float64 // from 0 to 1, by Y and then X; NaN where there is none
	Says   [][]string  // what stands in each cell, such as its share and what became of it
	Bounds []Bound
	Of     string // what the shares of a table are of; above all
}

// A Bound is a line over a map, from point to point, where 0 is the middle of the first value, 1 that of the second and so
// on.
type Bound struct {
	Name string
	X, Y []float64
}

func (h *Heat) keys() (all []key) {
	for i, name := range []string{"0 %", "25 %", "50 %", "75 %", "100 %"} {
		all = append(all, key{name, func(s *sheet, r vg.Rectangle) { s.tile(r, shade(float64(i)/4)) }})
	}
	if slices.ContainsFunc(h.Share, func(row []float64) bool { return slices.ContainsFunc(row, math.IsNaN) }) {
		all = append(all, key{"not run", func(s *sheet, r vg.Rectangle) { s.tile(r, hole) }})
	}
	for i, b := range h.Bounds {
		all = append(all, key{b.Name, func(s *sheet, r vg.Rectangle) {
			s.tile(r, shade(0.5))
			for _, style := range boundStyles(i, s.text) {
				s.StrokeLine2(style, r.Min.X, (r.Min.Y+r.Max.Y)/2, r.Max.X, (r.Min.Y+r.Max.Y)/2)
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

// tile fills a rectangle, and draws its edge.
func (s *sheet) tile(r vg.Rectangle, c color.Color) {
	s.SetColor(c)
	s.Fill(r.Path())
	s.SetLineStyle(draw.LineStyle{Color: soft, Width: 0.4})
	s.Stroke(r.Path())
}

func (h *Heat) height(width, text vg.Length) vg.Length {
	if h.Says == nil {
		return width * 0.72
	}
	return text*1.9*vg.Length(max(len(h.Y.Names), 1)) + h.namesHeight(text) + h.labelsHeight(text)
}

// labelsHeight returns the height of the words above the names of columns.
func (h *Heat) labelsHeight(text vg.Length) (high vg.Length) {
	for _, words := range []string{h.Of, h.X.Label} {
		if words != "" {
			high += text * leading
		}
	}
	return high
}

// namesHeight returns the height of names of columns that stand upright.
func (h *Heat) namesHeight(text vg.Length) vg.Length {
	return min(widest(h.X.Names, text), text*10) + text*0.8
}

func (h *Heat) draw(s *sheet) {
	rows, columns := len(h.Y.Names), len(h.X.Names)
	if rows == 0 || columns == 0 {
		s.drawNothing()
		return
	}
	places := func(n int) spread { return spread{-0.5, float64(n) - 0.5} }
	if h.Says == nil {
		below := s.label(h.Y.Label)
		s.frame(below, &h.X, &h.Y, places(columns), places(rows), func(c draw.Canvas, p *plot.Plot) { h.drawMap(c, p, s.text) })
		return
	}
	text := s.text
	// a slide has no more room
	for text > s.text/2 && h.labelsHeight(text)+h.namesHeight(text)+text*1.25*vg.Length(rows) > s.Size().Y {
		text *= 0.95
	}
	s = &sheet{s.Canvas, text}
	left, top := min(widest(h.Y.Names, text), s.Size().X*0.42)+text*0.6, h.namesHeight(text)
	level := widest(h.X.Names, text)+text*0.5 <= (s.Size().X-left)/vg.Length(columns)
	if level {
		top = text * 1.6
	}
	if h.Of != "" {
		s.FillText(styled(text, black), vg.Point{X: s.Min.X, Y: s.Max.Y - text}, fitText(h.Of, s.Size().X, text))
	}
	top += h.labelsHeight(text)
	cells := draw.Crop(s.Canvas, left, 0, 0, -top)
	h.drawNames(s, cells, level)
	w, high := cells.Size().X/vg.Length(columns), cells.Size().Y/vg.Length(rows)
	for r := range rows {
		for c := range columns {
			corner := vg.Point{X: cells.Min.X + w*vg.Length(c), Y: cells.Max.Y - high*vg.Length(r+1)}
			h.drawTile(s, r, c, vg.Rectangle{Min: corner, Max: corner.Add(vg.Point{X: w, Y: high})})
		}
	}
	if h.X.Label != "" {
		style := styled(text, black)
		style.XAlign = draw.XCenter
		place := vg.Point{X: cells.Center().X, Y: cells.Max.Y + top - h.labelsHeight(text) + text*0.3}
		s.FillText(style, place, fitText(h.X.Label, cells.Size().X, text))
	}
	for i, b := range h.Bounds {
		var points []vg.Point
		for k := range b.X {
			x, y := cells.Min.X+w*vg.Length(math.Ceil(b.X[k])), cells.Max.Y-high*vg.Length(b.Y[k])
			points = append(points, vg.Point{X: x, Y: y}, vg.Point{X: x, Y: y - high})
		}
		for _, style := range boundStyles(i, text) {
			s.StrokeLines(style, points)
		}
	}
}

// drawNames draws the names of columns above cells, level or upright, and those of rows at their left: of many, some.
func (h *Heat) drawNames(s *sheet, cells draw.Canvas, level bool) {
	text := s.text
	above, beside := styled(text, black), styled(text, black)
	above.XAlign, above.YAlign = draw.XCenter, draw.YBottom
	lift := vg.Point{Y: text * 0.3}
	if !level {
		above.Rotation, above.XAlign, above.YAlign = math.Pi/2, draw.XLeft, draw.YCenter
		lift = vg.Point{X: text * 0.12, Y: text * 0.4}
	}
	w := cells.Size().X / vg.Length(len(h.X.Names))
	for i := 0; i < len(h.X.Names); i += someOf(text*1.1, w) {
		place := vg.Point{X: cells.Min.X + w*(vg.Length(i)+0.5), Y: cells.Max.Y}
		s.FillText(above, place.Add(lift), fitText(h.X.Names[i], h.namesHeight(text)-text*0.6, text))
	}
	beside.XAlign, beside.YAlign = draw.XRight, draw.YCenter
	high := cells.Size().Y / vg.Length(len(h.Y.Names))
	for i := 0; i < len(h.Y.Names); i += someOf(text*1.1, high) {
		place := vg.Point{X: cells.Min.X - text*0.4, Y: cells.Max.Y - high*(vg.Length(i)+0.5) + text*0.12}
		s.FillText(beside, place, fitText(h.Y.Names[i], cells.Min.X-s.Min.X-text*0.5, text))
	}
}

// drawTile draws a cell of a table, with what it says as large as it fits, if that can be read.
func (h *Heat) drawTile(s *sheet, row, column int, r vg.Rectangle) {
	share := h.Share[row][column]
	if math.IsNaN(share) {
		s.tile(r, hole)
		return
	}
	s.tile(r, shade(share))
	says, size := h.Says[row][column], s.text*0.92
	if w := widthOf(says, size); w > r.Size().X*0.92 {
		size *= r.Size().X * 0.92 / w
	}
	if size < s.text*0.5 || size > r.Size().Y {
		return
	}
	style := styled(size, over(shade(share)))
	style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
	s.FillText(style, vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y+r.Max.Y)/2 + size*0.12}, says)
}

// drawMap draws the cells as one image, which is small however many they are, and lines over them.
func (h *Heat) drawMap(c draw.Canvas, p *plot.Plot, text vg.Length) {
	m := &plotter.HeatMap{GridXYZ: gridXYZ{h}, Palette: shadePalette{}, Max: 1, NaN: hole, Rasterized: true}
	m.Plot(draw.Canvas{Canvas: enlarging{c.Canvas}, Rectangle: c.Rectangle}, p)
	c.SetLineStyle(draw.LineStyle{Color: soft, Width: 0.6})
	c.Stroke(c.Rectangle.Path())
	h.writeShares(c, text)
	for i, b := range h.Bounds {
		points := make(plotter.XYs, len(b.X))
		for k := range b.X {
			points[k] = plotter.XY{X: b.X[k], Y: b.Y[k]}
		}
		for _, style := range boundStyles(i, text) {
			line(c, p, style, points)
		}
	}
}

// writeShares writes each share in per cent into its cell, if all cells have room for it.
func (h *Heat) writeShares(c draw.Canvas, text vg.Length) {
	w, high := c.Size().X/vg.Length(len(h.X.Names)), c.Size().Y/vg.Length(len(h.Y.Names))
	if size := text * 0.92; widthOf("100", size)*1.15 > w || size*1.3 > high {
		return
	}
	for r, row := range h.Share {
		for i, share := range row {
			if math.IsNaN(share) {
				continue
			}
			style := styled(text*0.92, over(shade(share)))
			style.XAlign, style.YAlign = draw.XCenter, draw.YCenter
			place := vg.Point{X: c.Min.X + w*(vg.Length(i)+0.5), Y: c.Min.Y + high*(vg.Length(r)+0.5) + text*0.12}
			c.FillText(style, place, perCent(share))
		}
	}
}

// perCent returns a share as a whole number of per cent; one that is neither none nor all is never written as 0 or 100.
func perCent(share float64) string {
	switch n := math.Round(100 * share); {
	case n == 0 && share > 0:
		return "<1"
	case n == 100 && share < 1:
		return ">99"
	default:
		return strconv.Itoa(int(n))
	}
}

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

// enlarging is a canvas on which images have so many pixels that no viewer blurs them.
type enlarging struct{ vg.Canvas }

// DrawImage draws an image with pixels that are squares of pixels.
func (e enlarging) DrawImage(r vg.Rectangle, img image.Image) {
	b := img.Bounds()
	e.Canvas.DrawImage(r, enlarge(img, max(1, int(math.Ceil(400/float64(max(b.Dx(), b.Dy(), 1)))))))
}

// enlarge returns img as a paletted image of shades in which each pixel is an n x n square.
func enlarge(img image.Image, n int) image.Image {
	b := img.Bounds()
	colors := slices.Concat(color.Palette{hole.paper}, shades)
	out := image.NewPaletted(image.Rect(0, 0, b.Dx()*n, b.Dy()*n), colors)
	for y := range b.Dy() {
		for x := range b.Dx() {
			is := uint8(colors.Index(img.At(b.Min.X+x, b.Min.Y+y)))
			for i := range n * n {
				out.SetColorIndex(x*n+i%n, y*n+i/n, is)
			}
		}
	}
	return out
}
