package plot

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tiles is a picture of shares in rows and columns that have names. Each tile has its share in figures, and what became of
// it as a word or sign, so that it can be read without colours.
type Tiles struct {
	Rows, Columns []string
	Share         [][]float64 // from 0 to 1; NaN where there is none
	Says          [][]string  // what stands in each tile
}

func (t *Tiles) keys() []key {
	return []key{{"0 %", swatchOf(0)}, {"50 %", swatchOf(0.5)}, {"100 %", swatchOf(1)}}
}

func swatchOf(share float64) func(s *sheet, at vg.Rectangle) {
	return func(s *sheet, at vg.Rectangle) {
		s.tile(at, shade(share))
	}
}

func (s *sheet) tile(r vg.Rectangle, c color.Color) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}}
	s.FillPolygon(c, corners)
	s.StrokeLines(draw.LineStyle{Color: soft, Width: 0.4}, append(corners, r.Min))
}

func (t *Tiles) height(_, text vg.Length) vg.Length {
	return text*1.9*vg.Length(max(len(t.Rows), 1)) + t.namesHeight(text)
}

// namesHeight is the height of the names of columns, which stand upright.
func (t *Tiles) namesHeight(text vg.Length) (h vg.Length) {
	for _, name := range t.Columns {
		h = max(h, widthOf(name, text))
	}
	return min(h, text*10) + text*0.8
}

// level reports whether the names of columns have room side by side.
func (t *Tiles) level(width, text vg.Length) bool {
	return !slices.ContainsFunc(t.Columns, func(name string) bool { return widthOf(name, text)+text*0.5 > width })
}

func (t *Tiles) namesWidth(width, text vg.Length) (w vg.Length) {
	for _, name := range t.Rows {
		w = max(w, widthOf(name, text))
	}
	return min(w, width*0.42) + text*0.6
}

func (t *Tiles) draw(s *sheet) {
	if len(t.Rows) == 0 || len(t.Columns) == 0 {
		s.drawNothing()
		return
	}
	text := s.text
	for text > s.text/2 && t.namesHeight(text)+text*1.25*vg.Length(len(t.Rows)) > s.Size().Y { // a slide has no more room
		text *= 0.95
	}
	left, top := s.Min.X+t.namesWidth(s.Size().X, text), s.Max.Y-t.namesHeight(text)
	w := (s.Max.X - left) / vg.Length(len(t.Columns))
	level := t.level(w, text)
	if level {
		top = s.Max.Y - text*1.6
	}
	h := (top - s.Min.Y) / vg.Length(len(t.Rows))
	for k, name := range t.Columns {
		if text*1.1 > w && k%int(math.Ceil(float64(text*1.1/w))) != 0 {
			continue // no room for all names
		}
		style := styled(text, black)
		if style.XAlign, style.YAlign = draw.XCenter, draw.YBottom; level {
			s.FillText(style, vg.Point{X: left + w*(vg.Length(k)+0.5), Y: top + text*0.3}, name)
			continue
		}
		style.Rotation, style.XAlign, style.YAlign = math.Pi/2, draw.XLeft, draw.YCenter
		s.FillText(style, vg.Point{X: left + w*(vg.Length(k)+0.5) + text*0.12, Y: top + text*0.4}, fitText(name, t.namesHeight(text)-text*0.6, text))
	}
	every := max(1, int(math.Ceil(float64(text*1.1/h))))
	for i, name := range t.Rows {
		y := top - h*vg.Length(i+1)
		style := styled(text, black)
		style.XAlign, style.YAlign = draw.XRight, draw.YCenter
		if i%every == 0 {
			s.FillText(style, vg.Point{X: left - text*0.4, Y: y + h/2 + text*0.12}, fitText(name, left-s.Min.X-text*0.6, text))
		}
		for k := range t.Columns {
			t.drawTile(s, i, k, vg.Rectangle{Min: vg.Point{X: left + w*vg.Length(k), Y: y}, Max: vg.Point{X: left + w*vg.Length(k+1), Y: y + h}}, text)
		}
	}
}

func (t *Tiles) drawTile(s *sheet, i, k int, at vg.Rectangle, text vg.Length) {
	share := t.Share[i][k]
	if math.IsNaN(share) {
		s.tile(at, hole)
		return
	}
	c := shade(share)
	s.tile(at, c)
	says, size := t.Says[i][k], text*0.92
	if w := widthOf(says, size); w > at.Size().X*0.92 {
		size *= at.Size().X * 0.92 / w
	}
	if size < text*0.5 || size > at.Size().Y { // it could not be read
		return
	}
	style := styled(size, themed{})
	style.Color, style.XAlign, style.YAlign = over(c), draw.XCenter, draw.YCenter
	s.FillText(style, vg.Point{X: (at.Min.X + at.Max.X) / 2, Y: (at.Min.Y+at.Max.Y)/2 + size*0.12}, says)
}
