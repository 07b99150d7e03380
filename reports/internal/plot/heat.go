package plot

import (
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Heat is a table of shares by two axes, each cell in the colour of its share and with its text, so that it can be read
// without colours. The names of X are above it, and the first row is on top. Lines over it follow the edges of its cells,
// from row to row, before the first column that is not less than the X there.
type Heat struct {
	X, Y   Axis        // with the Names of their values
	Share  [][]float64 // from 0 to 1, by Y and then X; NaN for none
	Says   [][]string  // the text of each cell, such as its share and an outcome; a second line is smaller
	Bounds []Bound
	Of     string // the words above the table
}

// A Bound is a line over a map, from point to point: 0 is the middle of the first value, 1 the middle of the second.
type Bound struct {
	Name string
	X, Y []float64
}

func (h *Heat) keys() (all []key) {
	for i, name := range []string{"0%", "25%", "50%", "75%", "100%"} {
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

// boundStyles are the styles of a line that shows on light and on dark: white, and a thinner black line over it.
func boundStyles(i int, text vg.Length) [2]draw.LineStyle {
	style := stroke(i, text)
	style.Color = rgb(0x000000)
	return [2]draw.LineStyle{{Color: rgb(0xffffff), Width: 2.6 * text / 7.2}, style}
}

func (s *sheet) tile(r vg.Rectangle, c color.Color) {
	s.SetColor(c)
	s.Fill(r.Path())
	s.SetLineStyle(draw.LineStyle{Color: soft, Width: 0.4})
	s.Stroke(r.Path())
}

func (h *Heat) height(_, text vg.Length) vg.Length {
	high := text * 1.9
	if slices.ContainsFunc(h.Says, func(row []string) bool { return strings.Contains(row[0], "\n") }) {
		high += text * 0.8
	}
	return high*vg.Length(max(len(h.Y.Names), 1)) + h.namesHeight(text) + h.labelsHeight(text)
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

func (h *Heat) namesHeight(text vg.Length) vg.Length {
	return min(widest(h.X.Names, text), text*16) + text*0.8
}

func (h *Heat) draw(s *sheet) {
	rows, columns := len(h.Y.Names), len(h.X.Names)
	if rows == 0 || columns == 0 {
		s.drawNothing()
		return
	}
	text := s.text // smaller if a slide lacks room
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
		place := vg.Point{X: cells.Center().X, Y: cells.Max.Y + top - h.labelsHeight(text) + text*0.3}
		s.FillText(aligned(text, black, draw.XCenter, draw.YBottom), place, fitText(h.X.Label, cells.Size().X, text))
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

// drawNames draws the names of columns above cells, level or upright, and the names of rows to their left. If there are
// many, it draws some.
func (h *Heat) drawNames(s *sheet, cells draw.Canvas, level bool) {
	text := s.text
	above, lift := aligned(text, black, draw.XCenter, draw.YBottom), vg.Point{Y: text * 0.3}
	if !level {
		above, lift = aligned(text, black, draw.XLeft, draw.YCenter), vg.Point{X: text * 0.12, Y: text * 0.4}
		above.Rotation = math.Pi / 2
	}
	w := cells.Size().X / vg.Length(len(h.X.Names))
	for i := 0; i < len(h.X.Names); i += someOf(text*1.1, w) {
		place := vg.Point{X: cells.Min.X + w*(vg.Length(i)+0.5), Y: cells.Max.Y}
		s.FillText(above, place.Add(lift), fitText(h.X.Names[i], h.namesHeight(text)-text*0.6, text))
	}
	label, high := aligned(text, black, draw.XRight, draw.YCenter), cells.Size().Y/vg.Length(len(h.Y.Names))
	for i := 0; i < len(h.Y.Names); i += someOf(text*1.1, high) {
		place := vg.Point{X: cells.Min.X - text*0.4, Y: cells.Max.Y - high*(vg.Length(i)+0.5) + text*0.12}
		room, name := cells.Min.X-s.Min.X-text*0.5, h.Y.Names[i]
		label.Font.Size = text * max(0.7, min(1, room/widthOf(name, text))) // a long name is smaller, not cut
		s.FillText(label, place, fitText(name, room, label.Font.Size))
	}
}

// drawTile draws a cell of a table, with its text as large as it fits, if that is readable.
func (h *Heat) drawTile(s *sheet, row, column int, r vg.Rectangle) {
	share := h.Share[row][column]
	if math.IsNaN(share) {
		s.tile(r, hole)
		return
	}
	s.tile(r, shade(share))
	says, below, two := strings.Cut(h.Says[row][column], "\n")
	size := s.text * 0.92
	if w := widthOf(says, size); w > r.Size().X*0.92 {
		size *= r.Size().X * 0.92 / w
	}
	if size < s.text*0.5 || size > r.Size().Y {
		return
	}
	style := aligned(size, over(shade(share)), draw.XCenter, draw.YCenter)
	place := vg.Point{X: (r.Min.X + r.Max.X) / 2, Y: (r.Min.Y+r.Max.Y)/2 + size*0.12}
	if two {
		style.Font.Size = min(size*0.75, size*r.Size().X*0.84/widthOf(below, size))
		s.FillText(style, place.Sub(vg.Point{Y: size * 0.5}), below)
		style.Font.Size = size
		place.Y += size * 0.5
	}
	s.FillText(style, place, says)
}
