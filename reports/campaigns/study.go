package campaigns

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A Study is what came of a study, as JSON: what lockstorm study --format json prints.
type Study struct {
	SchemaVersion int          `json:"schema_version"`
	Lockstorm     string       `json:"lockstorm"`
	Name          string       `json:"name"`
	Title         string       `json:"title"`
	Measure       string       `json:"measure"`
	Seed          uint64       `json:"seed"`
	Runs          int          `json:"runs"` // of each cell
	Cells         []StudyCell  `json:"cells"`
	study         *study.Study // what the file says
}

// A StudyCell is what came of a line at a value.
type StudyCell struct {
	Line     string   `json:"line"`
	Value    string   `json:"value"`
	Runs     int      `json:"runs"`
	Violated int      `json:"violated"`
	Unknown  int      `json:"unknown"`
	Middle   *float64 `json:"middle"` // the share of runs in which a promise breaks, or the median of a figure; null where there is none
	Low      *float64 `json:"low"`    // of Wilson's interval at 95 %, or the lower quartile
	High     *float64 `json:"high"`
	Theory   string   `json:"theory,omitempty"` // in per cent, or seconds
}

// newStudy returns what rows show of a study.
func newStudy(s *study.Study, v *campaign.Survey) Study {
	x := Study{SchemaVersion: reports.SchemaVersion, Name: s.Name, Title: s.Title, Measure: s.Measure, Seed: s.Seed, Runs: s.Runs,
		study: s}
	for i := range v.Cells {
		l := &s.Lines[i/len(s.X.Points)]
		c := StudyCell{Line: l.Name, Value: s.X.Points[i%len(s.X.Points)]}
		if len(l.Theory) > 0 {
			c.Theory = string(l.Theory[i%len(s.X.Points)])
		}
		if k, is := s.Share(); is {
			c.count(slices.Concat(v.Cells[i].Properties, v.Cells[i].Views)[k].Count)
		} else {
			c.quartiles(v.Cells[i].Figures[0], s.Counts())
		}
		x.Cells = append(x.Cells, c)
	}
	return x
}

func (c *StudyCell) count(n stats.Count) {
	if c.Runs, c.Violated, c.Unknown = n.Runs, n.Violated, n.Unknown; n.Runs > 0 {
		in, share := n.Wilson(), stats.Round(n.Share())
		low, high := stats.Round(in.Low), stats.Round(in.High)
		c.Middle, c.Low, c.High = &share, &low, &high
	}
}

// quartiles takes the values of a figure; times in seconds.
func (c *StudyCell) quartiles(all campaign.Values, counts bool) {
	values, often := all.Sorted()
	c.Runs = all.Runs()
	for i, into := range []**float64{&c.Low, &c.Middle, &c.High} {
		rank := (c.Runs*(i+1) + 3) / 4
		for k, v := range values {
			if rank -= often[k]; rank <= 0 {
				n := float64(v)
				if !counts {
					n /= 1e9
				}
				*into = &n
				break
			}
		}
	}
}

// number returns a share in per cent, or seconds.
func (x *Study) number(v *float64) float64 {
	if v == nil {
		return math.NaN()
	}
	if _, is := x.study.Share(); is {
		return 100 * *v
	}
	return *v
}

func (x *Study) text(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(x.number(v), 'g', 3, 64)
}

// unit returns the words of the axis of values.
func (x *Study) unit() string {
	words := x.study.Label
	if words == "" {
		words = wording.Plain(x.Measure)
	}
	if _, is := x.study.Share(); is {
		return words + " [% of runs]"
	} else if x.study.Counts() {
		return words
	}
	return words + " [s]"
}

// caption says what the figure is of, and of how many runs.
func (x *Study) caption() string {
	text := fmt.Sprintf("%s a point, from seed %d on; ", wording.Count(x.Runs, "run", "runs"), x.Seed)
	if _, is := x.study.Share(); x.study.Map {
		text += "columns are " + x.study.X.Label + ", cells " + x.unit() + "."
	} else if is {
		text += "bands are Wilson's at 95 %."
	} else {
		text += "medians, with the quartiles as bands."
	}
	if x.study.About != "" {
		return x.study.About + " " + text
	}
	return text
}

const studyStyle = ".study{margin:1rem 0}.study svg{display:block;width:100%;height:auto;max-width:620px}\n"

// Document returns a table with a column for each line, and the figure.
func (x *Study) Document() *reports.Document {
	d := &reports.Document{Title: x.Title, Data: x, Rows: &reports.Table{}, Style: plot.Style + studyStyle}
	for i, row := range x.rows() {
		if i == 0 {
			d.Rows.Columns = reports.Columns(row...)
			continue
		}
		d.Rows.Add(row...)
	}
	d.Paragraph(x.caption())
	d.Table(x.unit()+":", x.table())
	p := x.picture()
	broad := plot.Column
	broad.Width, broad.Text = 1.6*broad.Width, 8
	d.Add(reports.Block{Kind: "picture", Class: "study",
		Drawn: reports.Figure{SVG: func() string { return string(p.SVG(broad, "figure", false)) }}})
	return d
}

// table has a column for each line. That of a map is as the map: a row for each line.
func (x *Study) table() *reports.Table {
	if x.study.Map {
		t := &reports.Table{Narrow: true, Columns: reports.Numbers(append([]string{""}, x.study.X.Points...)...)}
		for k, l := range x.study.Lines {
			row := []string{l.Name}
			for i := range x.study.X.Points {
				row = append(row, x.text(x.Cells[k*len(x.study.X.Points)+i].Middle))
			}
			t.Add(row...)
		}
		return t
	}
	heads := []string{x.study.X.Label}
	for _, l := range x.study.Lines {
		heads = append(heads, l.Name)
		if len(l.Theory) > 0 {
			heads = append(heads, "in theory")
		}
	}
	t := &reports.Table{Columns: reports.Columns(heads...)}
	for k := range t.Columns {
		t.Columns[k].Kind = "number"
	}
	for i, value := range x.study.X.Points {
		row := []string{value}
		for k, l := range x.study.Lines {
			c := &x.Cells[k*len(x.study.X.Points)+i]
			row = append(row, x.text(c.Middle))
			if len(l.Theory) > 0 {
				row = append(row, c.Theory)
			}
		}
		t.Add(row...)
	}
	return t
}

// rows are a row for each cell, for CSV.
func (x *Study) rows() [][]string {
	all := [][]string{{"line", "value", "runs", "violated", "unknown", "middle", "low", "high", "theory"}}
	plain := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	for _, c := range x.Cells {
		all = append(all, []string{c.Line, c.Value, strconv.Itoa(c.Runs), strconv.Itoa(c.Violated), strconv.Itoa(c.Unknown),
			plain(c.Middle), plain(c.Low), plain(c.High), c.Theory})
	}
	return all
}

// picture returns the figure of the study.
func (x *Study) picture() *plot.Picture {
	p := &plot.Picture{Name: x.Name, Title: x.Title, Caption: x.caption(), Table: x.rows()}
	if x.study.Map {
		p.Drawing = x.heat()
		return p
	}
	axis := plot.Axis{Label: x.study.X.Label, Log: x.study.X.Log}
	places := make([]float64, len(x.study.X.Points))
	for i, v := range x.study.X.Points {
		if places[i], _ = strconv.ParseFloat(v, 64); !x.study.X.Numbers() {
			places[i] = float64(i)
		}
	}
	if axis.Ticks = places; !x.study.X.Numbers() {
		axis.Names = x.study.X.Points
	}
	panel := plot.Panel{}
	for k, l := range x.study.Lines {
		s, theory := plot.Series{Name: l.Name, X: places}, plot.Series{Name: l.Name + ", in theory", X: places}
		for i := range places {
			c := &x.Cells[k*len(places)+i]
			s.Y, s.Low, s.High = append(s.Y, x.number(c.Middle)), append(s.Low, x.number(c.Low)), append(s.High, x.number(c.High))
			if len(l.Theory) > 0 {
				v, _ := strconv.ParseFloat(c.Theory, 64)
				theory.Y = append(theory.Y, v)
			}
		}
		if panel.Series = append(panel.Series, s); len(theory.Y) > 0 {
			panel.Series = append(panel.Series, theory)
		}
	}
	p.Drawing = &plot.Lines{X: axis, Y: plot.Axis{Label: x.unit()}, Panels: []plot.Panel{panel}}
	return p
}

// heat returns a map with a row for each line.
func (x *Study) heat() *plot.Heat {
	h := &plot.Heat{X: plot.Axis{Label: x.study.X.Label, Names: x.study.X.Points}, Of: x.unit()}
	edge := plot.Bound{Name: "edge in theory"}
	for k, l := range x.study.Lines {
		h.Y.Names = append(h.Y.Names, l.Name)
		var share []float64
		var says []string
		for i := range x.study.X.Points {
			c := &x.Cells[k*len(x.study.X.Points)+i]
			share = append(share, x.number(c.Middle)/100)
			says = append(says, x.text(c.Middle))
		}
		h.Share, h.Says = append(h.Share, share), append(h.Says, says)
		if l.Edge != "" {
			edge.X, edge.Y = append(edge.X, float64(x.study.X.Before(string(l.Edge)))), append(edge.Y, float64(k))
		}
	}
	if len(edge.X) > 0 {
		h.Bounds = []plot.Bound{edge}
	}
	return h
}
