package plots

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"
)

func tryLines() *Picture {
	var x, y, lo, hi, y2, lo2, hi2 []float64
	for i := range 15 {
		v := float64(i) + 1
		x = append(x, v)
		a := 100 / (1 + math.Exp(-(v-9)*1.3))
		y, lo, hi = append(y, a), append(lo, max(a-5, 0)), append(hi, min(a+5, 100))
		b := a * 0.6
		y2, lo2, hi2 = append(y2, b), append(lo2, max(b-5, 0)), append(hi2, b+5)
	}
	y2[4] = math.NaN()
	return &Picture{Name: "lines", Title: "Lines", Caption: "Share of 200 runs a point, from seed 1, in which a property breaks. Bands are Wilson's intervals at 95 %.",
		Drawing: &Lines{X: Axis{Label: "fault.1.for [s]"}, Y: Axis{Label: "runs that break it [%]"}, Series: []Series{{"belief", x, y, lo, hi, nil}, {"storage", x, y2, lo2, hi2, nil}}, Marks: []Mark{{9.8, "reckoned bound of quorum"}}}}
}

func TestTry(t *testing.T) {
	heat := &Heat{X: Axis{Label: "fault.1.for [s]"}, Y: Axis{Label: "lock.ttl [s]"}}
	for i := range 200 {
		heat.X.Names = append(heat.X.Names, fmt.Sprintf("%.3gs", float64(i)/10))
		heat.Y.Names = append(heat.Y.Names, fmt.Sprintf("%.3gs", float64(i)/10))
		var row []float64
		for k := range 200 {
			row = append(row, 1/(1+math.Exp(-float64(k-i)/20)))
		}
		heat.Share = append(heat.Share, row)
	}
	heat.Bounds = []Bound{{"reckoned bound of quorum", []float64{0, 199}, []float64{0, 199}}}
	tiles := &Tiles{Rows: []string{"redlock", "redlock, no validity check", "single, get then delete"}, Columns: []string{"none", "pause", "restart", "partition", "clock"}}
	for i := range tiles.Rows {
		var r []float64
		var s []string
		for k := range tiles.Columns {
			v := float64(i*5+k) / 14
			r, s = append(r, v), append(s, fmt.Sprintf("%.0f", v*100))
		}
		r[3] = math.NaN()
		tiles.Share, tiles.Says = append(tiles.Share, r), append(tiles.Says, s)
	}
	iv := &Intervals{X: Axis{Label: "runs that break it [%]"}, Names: []string{"belief", "validity", "quorum"}, At: []float64{10, 0, 50}, Low: []float64{8, 0, 40}, High: []float64{12, 3, 60}}
	km := &Lines{Steps: true, X: Axis{Label: "true time [s]"}, Y: Axis{Label: "runs without a violation [%]"}, Series: []Series{{"", []float64{0, 6, 7, 10, 13, 16, 22, 23, 35}, []float64{100, 85.7, 80.7, 75.3, 69, 62.7, 53.8, 44.8, 44.8}, []float64{100, 62, 56, 50, 43, 37, 27, 19, 19}, []float64{100, 95, 92, 89, 85, 80, 75, 68, 68}, []float64{9, 11, 17, 20, 25, 34}}}}
	caption := "Of each of 40,000 cells 50 runs, from seed 1. The line is where the bound would be reckoned to be."
	for _, p := range []*Picture{tryLines(), {Name: "heat", Caption: caption, Drawing: heat}, {Name: "tiles", Caption: caption, Drawing: tiles}, {Name: "iv", Caption: caption, Drawing: iv}, {Name: "km", Caption: caption, Drawing: km}} {
		for n, size := range map[string]Size{"column": Column, "slide": Slide} {
			for ext, f := range map[string]func() []byte{"svg": func() []byte { return p.SVG(size, p.Name, true) }, "png": func() []byte { return p.PNG(size) }, "pdf": func() []byte { return p.PDF(size) }} {
				b := time.Now()
				out := f()
				fmt.Println(p.Name, n, ext, len(out), time.Since(b))
				os.WriteFile("/tmp/figtry/"+p.Name+"-"+n+"."+ext, out, 0o644)
			}
		}
	}
}
