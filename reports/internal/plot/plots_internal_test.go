package plot

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"flag"
	"fmt"
	"image"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "write the golden files anew")

var nan = math.NaN()

// small is a picture of each kind, on which everything can be counted.
func small() []*Picture {
	caption := "n = 100 a point, seeds from 1 on; bands: Clopper and Pearson, 95%."
	return []*Picture{
		{Name: "lines", Title: "Lines", Caption: caption, Table: [][]string{{"x", "share"}, {"1s", "0"}, {"2s", "0.5"}, {"3s", "1"}}, Drawing: &Lines{
			X: Axis{Label: "pause.for [s]"}, Y: Axis{Label: "runs in which it breaks [%]"}, Series: []Series{
				{Name: "belief", X: []float64{1, 2, 3}, Y: []float64{0, 50, 100}, Low: []float64{0, 40, 96}, High: []float64{4, 60, 100}},
				{Name: "storage", X: []float64{1, 2, 3}, Y: []float64{0, nan, 30}, Low: []float64{0, nan, 20}, High: []float64{4, nan, 40}},
			}}},
		{Name: "map", Title: "Map", Caption: caption, Drawing: &Heat{X: Axis{Label: "pause.for", Names: []string{"1s", "2s", "3s"}}, Y: Axis{Label: "lock.ttl", Names: []string{"1s", "2s"}},
			Share: [][]float64{{0, 0.5, 1}, {0, nan, 0.25}}, Says: [][]string{{"0\n0–4", "50\n40–60", "100\n96–100"}, {"0", "", "25"}},
			Of: "runs in which it breaks [%]", Bounds: []Bound{{"computed bound", []float64{0, 2}, []float64{0, 1}}}}},
		{Name: "tiles", Title: "Tiles", Caption: caption, Drawing: &Heat{X: Axis{Names: []string{"none", "pause"}}, Y: Axis{Names: []string{"redlock", "single"}},
			Share: [][]float64{{0, 0.07}, {nan, 1}}, Says: [][]string{{"0", "7"}, {"", "100"}}}},
		{Name: "intervals", Title: "Intervals", Caption: caption, Drawing: &Intervals{Label: "runs [%]", Names: []string{"belief", "quorum"},
			At: []float64{10, 0}, Low: []float64{8, 0}, High: []float64{13, 4}}},
	}
}

// coincident is a picture of two series that coincide from their second place on.
func coincident() *Lines {
	return &Lines{X: Axis{Label: "pause [s]"}, Y: Axis{Label: "runs in which it breaks [%]"}, Series: []Series{
		{Name: "belief", X: []float64{1, 2, 3}, Y: []float64{0, 25, 25}, Low: []float64{0, 25, 25}, High: []float64{4, 30, 30}},
		{Name: "storage", X: []float64{1, 2, 3}, Y: []float64{10, 25, 25}, Low: []float64{0, 25, 25}, High: []float64{14, 30, 30}},
	}}
}

// A line that lies on another must not hide it: the one below is wider there, so its rim shows, and only there.
func TestCoincidentLinesStayVisible(t *testing.T) {
	l := coincident()
	if got := fmt.Sprint(l.under(0), l.under(1)); got != "[0 1 1] [0 0 0]" {
		t.Errorf("under others: %s", got)
	}
	one := &Lines{Series: l.Series[:1]}
	width := regexp.MustCompile(`class="s-c0"[^>]*stroke-width="([^"]*)"`)
	of := func(p *Lines) map[string]bool {
		widths := map[string]bool{}
		for _, m := range width.FindAllSubmatch((&Picture{Drawing: p}).SVG(Column, "p", true), -1) {
			widths[string(m[1])] = true
		}
		return widths
	}
	if alone, both := of(one), of(l); len(alone) != 1 || len(both) != 2 {
		t.Errorf("alone its widths are %v, below another %v", alone, both)
	}
}

// A paper needs files with its resolution, without missing fonts, and without a caption.
func TestFilesSuitPapers(t *testing.T) {
	p := small()[0]
	size := Column
	png := p.PNG(size)
	if i := bytes.Index(png, []byte("pHYs")); i < 0 || binary.BigEndian.Uint32(png[i+4:]) != 11811 || png[i+12] != 1 {
		t.Errorf("the PNG does not say that it has %d dots an inch", size.DPI)
	}
	if _, _, err := image.Decode(bytes.NewReader(png)); err != nil {
		t.Error(err)
	}
	if pdf := p.PDF(size); bytes.Contains(pdf, []byte("/FontFile")) {
		t.Error("the PDF has a font")
	}
	captioned := p.SVG(size, "p", true)
	size.NoCaption = true
	if svg := p.SVG(size, "p", true); len(svg) >= len(captioned) {
		t.Errorf("without its caption the SVG has %d bytes, with it %d", len(svg), len(captioned))
	}
}

func TestSmallPicturesAreUnchanged(t *testing.T) {
	for _, p := range small() {
		for name, got := range map[string][]byte{p.Name + ".svg": p.SVG(Column, p.Name, true), p.Name + ".csv": p.CSV()} {
			file := filepath.Join("testdata", name)
			if len(got) == 0 {
				continue
			}
			if *update {
				if err := os.WriteFile(file, got, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s: %v; it is not what is drawn now; if you mean it, run with -update and look at it", file, err)
			}
		}
	}
}

// extremes are pictures that are hard to draw.
func extremes() map[string]Drawing {
	long := strings.Repeat("a name without an end ", 40)
	word := strings.Repeat("W", 3000)
	line := func(x, y []float64) *Lines {
		return &Lines{X: Axis{Label: "x [s]"}, Y: Axis{Label: "y [%]"}, Series: []Series{{Name: "one", X: x, Y: y, Low: y, High: y}}}
	}
	many := &Lines{X: Axis{Label: long}, Y: Axis{Label: word}}
	for i := range 10 {
		many.Series = append(many.Series, Series{Name: strings.Repeat("property ", i), X: []float64{1, 2}, Y: []float64{float64(i), 1}})
	}
	logs := line([]float64{1e-9, 1, 1e9}, []float64{1e-12, 3, 1e12})
	logs.X.Log = true
	zeros := line([]float64{0, 1}, []float64{0, 1})
	zeros.X.Log = true
	named := line([]float64{0, 1, 2}, []float64{1, 2, 3})
	named.X.Names = []string{long, word, "ok"}
	all := map[string]Drawing{
		"nothing": &Lines{}, "no points": line(nil, nil), "one point": line([]float64{5}, []float64{7}), "one point at 0": line([]float64{0}, []float64{0}),
		"all zero": line([]float64{1, 2, 3}, []float64{0, 0, 0}), "all one": line([]float64{1, 2, 3}, []float64{100, 100, 100}),
		"all holes": line([]float64{1, 2}, []float64{nan, nan}), "a hole": line([]float64{1, 2, 3}, []float64{1, nan, 2}), "tiny": line([]float64{1, 1 + 1e-9}, []float64{1e-9, 2e-9}),
		"huge": line([]float64{1e15, 2e15}, []float64{-1e15, 1e15}), "logarithms": logs, "logarithms of 0": zeros, "many": many, "long names": named,
		"one on another": coincident(),
		"endless":        line([]float64{1, 2}, []float64{math.Inf(1), 1}),
		"no tiles":       &Heat{}, "no intervals": &Intervals{},
		"an interval of nothing": &Intervals{Names: []string{long}, At: []float64{nan}, Low: []float64{nan}, High: []float64{nan}},
		"intervals at 0":         &Intervals{Names: []string{word, "b"}, At: []float64{0, 0}, Low: []float64{0, 0}, High: []float64{0, 0}},
	}
	for _, n := range []int{1, 2, 15, 60} {
		tiles, v := &Heat{X: Axis{Label: long}, Of: word}, &Intervals{Label: "violations per lock and year"}
		for i := range n {
			name := fmt.Sprintf("%d %s", i, long[:min(i*i, len(long))])
			var shares []float64
			var says []string
			for k := range n {
				shares, says = append(shares, float64(i*k)/float64(n*n)), append(says, ">99")
			}
			shares[i] = nan
			tiles.Y.Names, tiles.X.Names, tiles.Share, tiles.Says = append(tiles.Y.Names, name), append(tiles.X.Names, name), append(tiles.Share, shares), append(tiles.Says, says)
			v.Names, v.At, v.Low, v.High = append(v.Names, name), append(v.At, 1), append(v.Low, 0), append(v.High, 2)
		}
		tiles.Bounds = []Bound{{long, []float64{0, float64(n)}, []float64{0, float64(n - 1)}}}
		all[fmt.Sprintf("tiles of %d", n)], all[fmt.Sprintf("%d intervals", n)] = tiles, v
	}
	return all
}

// A textBox is what a text covers.
type textBox struct {
	min, max vg.Point
	text     string
}

// A textCanvas keeps the boxes of its texts, wherever they are moved and turned.
type textCanvas struct {
	*svgCanvas
	texts []textBox
	place matrix
	stack []matrix
}

func newTextCanvas(height vg.Length) *textCanvas {
	return &textCanvas{svgCanvas: newSVG(height), place: matrix{a: 1, d: 1}}
}

// A matrix maps a point through translations and rotations.
type matrix struct{ a, b, c, d, x, y float64 }

func (m matrix) apply(p vg.Point) vg.Point {
	x, y := float64(p.X), float64(p.Y)
	return vg.Point{X: vg.Length(m.a*x + m.c*y + m.x), Y: vg.Length(m.b*x + m.d*y + m.y)}
}

func (c *textCanvas) Push() { c.svgCanvas.Push(); c.stack = append(c.stack, c.place) }

func (c *textCanvas) Pop() {
	c.svgCanvas.Pop()
	c.place, c.stack = c.stack[len(c.stack)-1], c.stack[:len(c.stack)-1]
}

func (c *textCanvas) Translate(p vg.Point) {
	c.svgCanvas.Translate(p)
	to := c.place.apply(p)
	c.place.x, c.place.y = float64(to.X), float64(to.Y)
}

func (c *textCanvas) Rotate(angle float64) {
	c.svgCanvas.Rotate(angle)
	m, sin, cos := c.place, math.Sin(angle), math.Cos(angle)
	c.place = matrix{m.a*cos + m.c*sin, m.b*cos + m.d*sin, m.c*cos - m.a*sin, m.d*cos - m.b*sin, m.x, m.y}
}

func (c *textCanvas) FillString(f font.Face, at vg.Point, s string) {
	size := f.Font.Size
	b := textBox{vg.Point{X: math.MaxFloat64, Y: math.MaxFloat64}, vg.Point{X: -math.MaxFloat64, Y: -math.MaxFloat64}, s}
	right, up, down := at.X+f.Width(s), at.Y+0.72*size, at.Y-0.2*size
	for _, corner := range []vg.Point{{X: at.X, Y: down}, {X: right, Y: down}, {X: at.X, Y: up}, {X: right, Y: up}} {
		p := c.place.apply(corner)
		b.min.X, b.min.Y = min(b.min.X, p.X), min(b.min.Y, p.Y)
		b.max.X, b.max.Y = max(b.max.X, p.X), max(b.max.Y, p.Y)
	}
	c.texts = append(c.texts, b)
}

// crowded describes which texts of a picture overlap, or leave the sheet.
func crowded(p *Picture, size Size) (all []string) {
	l := p.arrange(size, true)
	c := newTextCanvas(l.height)
	p.drawOn(c, l)
	for i, a := range c.texts {
		const slack = 0.3
		if a.min.X < -slack || a.min.Y < -slack || a.max.X > l.width+slack || a.max.Y > l.height+slack {
			all = append(all, fmt.Sprintf("%.40q leaves the sheet: %v to %v of %v by %v", a.text, a.min, a.max, l.width, l.height))
		}
		for _, b := range c.texts[i+1:] {
			if a.min.X < b.max.X-slack && b.min.X < a.max.X-slack && a.min.Y < b.max.Y-slack && b.min.Y < a.max.Y-slack {
				all = append(all, fmt.Sprintf("%.40q meets %.40q", a.text, b.text))
			}
		}
	}
	return all
}

func TestTextsDoNotOverlapOrLeaveTheSheet(t *testing.T) {
	pictures := small()
	for name, d := range extremes() {
		pictures = append(pictures, &Picture{Name: name, Caption: strings.Repeat("A caption of several lines, and of n = 5. ", 4), Drawing: d})
	}
	for _, p := range pictures {
		for _, size := range []Size{Column, Slide} {
			for i, text := range crowded(p, size) {
				if i < 5 {
					t.Errorf("%s, %.0f wide: %s", p.Name, size.Width, text)
				}
			}
		}
	}
}

func TestAnySeriesCanBeDrawn(t *testing.T) {
	value := rapid.OneOf(rapid.Float64Range(-1e6, 1e6), rapid.SampledFrom([]float64{0, nan, 1, 100, 1e-300, 1e300, math.Inf(1), math.Inf(-1)}))
	rapid.Check(t, func(t *rapid.T) {
		l := &Lines{X: Axis{Log: rapid.Bool().Draw(t, "log x")}}
		n := rapid.IntRange(0, 5).Draw(t, "n")
		s := Series{Name: "s"}
		for i := range n {
			s.X, s.Y = append(s.X, float64(i)*rapid.Float64Range(0, 10).Draw(t, "x")), append(s.Y, value.Draw(t, "y"))
			s.Low, s.High = append(s.Low, value.Draw(t, "low")), append(s.High, value.Draw(t, "high"))
		}
		l.Series = []Series{s}
		p := &Picture{Drawing: l}
		svg := string(p.SVG(Column, "p", true))
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
			t.Fatalf("a place is not a number: %s", svg)
		}
	})
}

func TestSameDataYieldsTheSameBytes(t *testing.T) {
	again := small()
	for i, p := range small() {
		for form, draw := range map[string]func(*Picture) []byte{
			"SVG": func(p *Picture) []byte { return p.SVG(Slide, "p", true) }, "PNG": func(p *Picture) []byte { return p.PNG(Column) },
			"PDF": func(p *Picture) []byte { return p.PDF(Column) }, "CSV": func(p *Picture) []byte { return p.CSV() },
		} {
			if one, two := draw(p), draw(again[i]); !bytes.Equal(one, two) {
				t.Errorf("%s of %s: %d bytes, and other %d bytes", form, p.Name, len(one), len(two))
			}
		}
	}
	heat := small()[2]
	for range 8 { // what follows the order of a map may be the same twice
		if !bytes.Equal(heat.PDF(Column), again[2].PDF(Column)) {
			t.Error("a map's PDF is another each time")
		}
	}
	dates := regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}\)`)
	if pdf := small()[0].PDF(Column); len(dates.FindAll(pdf, -1)) != 2 || bytes.Count(pdf, []byte("20000101000000")) != 2 {
		t.Errorf("the PDF says when it was made: %s", dates.FindAll(pdf, -1))
	}
}

// An SVG has nothing that a strict page forbids, or that other viewers may lack: styles on elements, letters of a
// font, anything from outside.
func TestSVGIsSelfContained(t *testing.T) {
	outside := regexp.MustCompile(` style=|<text|font-family|<script|href="[^d#]|url\((?:[^#])`)
	for _, p := range small() {
		p.Title = `</title><script>alert("x")</script>`
		for _, alone := range []bool{true, false} {
			svg := p.SVG(Column, "p-"+p.Name, alone)
			if found := outside.Find(svg); found != nil {
				t.Errorf("%s has %q", p.Name, found)
			}
			d := xml.NewDecoder(bytes.NewReader(svg))
			for {
				if _, err := d.Token(); err == io.EOF {
					break
				} else if err != nil {
					t.Fatalf("%s: %v", p.Name, err)
				}
			}
		}
	}
}

func TestPicturesAreSmall(t *testing.T) {
	for _, p := range small() {
		svg, pdf, png := len(p.SVG(Column, "p", true)), len(p.PDF(Column)), len(p.PNG(Column))
		t.Logf("%-10s %6d bytes of SVG, %6d of PDF, %6d of PNG", p.Name, svg, pdf, png)
		if svg > 100_000 || pdf > 120_000 || png > 250_000 {
			t.Errorf("%s is too large: %d bytes of SVG, %d of PDF, %d of PNG", p.Name, svg, pdf, png)
		}
	}
}

// luminance returns how light a colour is, by WCAG.
func luminance(c color.NRGBA) float64 {
	part := func(v uint8) float64 {
		f := float64(v) / 255
		if f <= 0.04045 {
			return f / 12.92
		}
		return math.Pow((f+0.055)/1.055, 2.4)
	}
	return 0.2126*part(c.R) + 0.7152*part(c.G) + 0.0722*part(c.B)
}

func contrast(a, b color.NRGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func TestColoursCanBeReadInBothThemes(t *testing.T) {
	for _, i := range []themed{black, soft} {
		if c := min(contrast(i.paper, ground.paper), contrast(i.dark, ground.dark)); c < 4.5 {
			t.Errorf("%s: %.2f", i.name, c)
		}
	}
	for i, c := range shades {
		if r := contrast(c.(color.NRGBA), over(c.(color.NRGBA))); r < 4.5 {
			t.Errorf("what stands on shade %d has %.2f", i, r)
		}
		if i > 0 && luminance(c.(color.NRGBA)) >= luminance(shades[i-1].(color.NRGBA)) {
			t.Errorf("shade %d is no darker than the one before it", i)
		}
	}
}

// A logarithmic axis names the measured values, except those too near to the one before to be read.
func TestLogarithmicAxisNamesMeasuredValues(t *testing.T) {
	for _, c := range []struct {
		values []float64
		to     float64 // the end of the axis
		want   string
	}{
		{[]float64{2, 3, 5, 8}, 8, "2 3 5 8"},
		{[]float64{1000, 2000, 10000, 15000, 40000, 50000}, 50000, "1000 2000 10000  40000 "},
		{[]float64{1, 16, 1000}, 20, "1 16"},
	} {
		a := Axis{Log: true, Ticks: c.values}
		var labels []string
		for _, tick := range a.measured(spread{c.values[0], c.to}, 200, 7.2) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v are named %q, want %q", c.values, got, c.want)
		}
	}
}

// An interval from 0 has no end on a logarithmic axis: it must not look as if it ended where the axis does.
func TestAnIntervalFromZeroHasNoLowerEndOnALogarithmicAxis(t *testing.T) {
	drawn := func(low float64) string {
		v := &Intervals{Label: "a year"}
		v.Add("a", nan, low, 10)
		v.Add("b", 2, 1, 5)
		p := Picture{Name: "x", Title: "X", Drawing: v}
		return string(p.SVG(Column, "x", true))
	}
	if drawn(0) == drawn(1) {
		t.Error("an interval from 0 is drawn as one from 1, where the axis begins")
	}
}
