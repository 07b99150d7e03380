package plot_test

import (
	"fmt"

	"github.com/lockstorm/lockstorm/reports/internal/plot"
)

// A line with its band, as a figure for the column of a paper, and its data.
func Example() {
	p := plot.Picture{
		Name: "share", Title: "How often belief breaks", Caption: "1,000 runs each; bands are Clopper and Pearson's at 95%.",
		Table: [][]string{{"pause_s", "share"}, {"5", "0"}, {"10", "0.4"}, {"15", "1"}},
		Drawing: &plot.Lines{
			X: plot.Axis{Label: "pause (s)"}, Y: plot.Axis{Label: "share of runs"},
			Series: []plot.Series{{
				Name: "belief", X: []float64{5, 10, 15}, Y: []float64{0, 0.4, 1}, Low: []float64{0, 0.37, 0.996}, High: []float64{0.004, 0.43, 1},
			}},
		},
	}
	pdf, png := p.PDF(plot.Column), p.PNG(plot.Column)
	fmt.Printf("%.8s, %q\n", pdf, png[1:4])
	fmt.Printf("%s", p.CSV())
	// Output:
	// %PDF-1.4, "PNG"
	// pause_s,share
	// 5,0
	// 10,0.4
	// 15,1
}
