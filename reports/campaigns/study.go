package campaigns

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A studied is the result of a study, which its report describes.
type studied struct {
	*study.Result
	study *study.Study
}

func (x *studied) measures() int { return len(x.study.Measures(0)) }

// number returns a share in per cent, or a figure.
func number(c *study.Outcome, v *float64) float64 {
	switch {
	case v == nil:
		return math.NaN()
	case c.Measure.Share():
		return 100 * *v
	}
	return *v
}

func digits(c *study.Outcome, v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(number(c, v), 'g', 3, 64)
}

func needs(s *study.Shape) string {
	what := "no fault at all"
	if s.Schedule != "" {
		what = strings.ReplaceAll(s.Schedule, "\n", "; ")
	}
	return fmt.Sprintf("%s, %s and %s: %s", s.Name, wording.Count(s.Clients, "client", "clients"),
		wording.Count(s.Nodes, "node", "nodes"), what)
}

// unit returns the words of the axis of values, for the k-th measure.
func (x *studied) unit(k int) string {
	m := &x.study.Measures(0)[k]
	words := x.study.Label
	if words == "" || x.measures() > 1 {
		if words = wording.Plain(m.String()); m.Promise() && m.Of == "" {
			words += " breaks"
		}
	}
	switch {
	case m.Promise() && m.Of == "":
		return words + " [% of runs]"
	case m.Share():
		return words + " [%]"
	case m.Time():
		return words + " [s]"
	}
	return words
}

// caption says what the figure is of, and of how many runs.
func (x *studied) caption() string {
	m := &x.study.Measures(0)[0]
	text := fmt.Sprintf("%s a point, from seed %d on; ", wording.Count(x.Runs, "run", "runs"), x.Seed)
	switch {
	case x.study.Map && x.measures() > 1:
		text += "columns are " + x.study.X.Label + "."
	case x.study.Map && (!m.Promise() || len(x.Columns) > 0):
		text += "columns are " + x.study.X.Label + ", cells " + x.unit(0) + "."
	case m.Promise():
		text += "intervals are Clopper and Pearson's at 95%."
	case m.Share():
		text += "intervals are at 95%."
	default:
		text += "medians, with the quartiles as bands."
	}
	if x.study.About != "" {
		return x.study.About + " " + text
	}
	return text
}

// pair explains the cells of a map that has two numbers in each.
func (x *studied) pair() string {
	if !x.study.Map || x.measures() != 2 {
		return ""
	}
	return fmt.Sprintf(" A cell such as 10·4 has two numbers: %s, then %s; its colour shows the first. A single 0 means neither.",
		x.unit(0), x.unit(1))
}

const studyStyle = ".study{margin:1rem 0}.study svg{display:block;width:100%;height:auto;max-width:620px}\n"

// Study reports a table for each measure, the meaning of lines and columns, the counterexamples, and the figure.
func Study(r *study.Result) *reports.Document {
	x := &studied{r, r.Study()}
	d := x.document()
	x.tables(d)
	if x.Command != "" {
		d.Command("See the first:", x.Command)
	}
	if len(x.study.X.Points) > 1 {
		x.draw(d)
	}
	return d
}

// tables adds a table for each measure, and what lines and columns are.
func (x *studied) tables(d *reports.Document) {
	d.Paragraph(x.caption())
	if x.study.Map && x.promise(0) && !x.listed() {
		d.Paragraph(x.widths())
	}
	if x.Missing > 0 {
		d.Paragraph(fmt.Sprintf("This is a part: %d of %d runs are not made yet. Where a ? is alone there is no run. "+
			"Counterexamples are sought when all runs are there.", x.Missing, len(x.Lines)*len(x.study.X.Points)*x.Runs))
	}
	for k := range x.measures() {
		head := x.unit(k) + ":"
		if m := x.study.Measures(0)[k]; x.measures() > 1 && m.Of == "" && wording.Question(m.Name) != "" {
			head = m.Name + ": " + wording.Question(m.Name)
		}
		if nowhere := x.nowhere(k); nowhere != "" {
			d.Paragraph(head + " " + nowhere)
			continue
		}
		d.Paragraph(head)
		if x.study.Map {
			d.Add(reports.Block{Kind: "rows", Table: x.table(k, false), In: reports.Terminal, Close: true})
			d.Add(reports.Block{Kind: "rows", Table: x.table(k, len(x.Columns) > 0 || !x.promise(k)), In: reports.Marked | reports.Page})
		} else {
			d.Table("", x.table(k, false))
		}
	}
	if len(x.study.Measured) > 0 {
		t := &reports.Table{Columns: reports.Numbers("", x.study.X.Label, "counted", "share", "interval at 95%")}
		for _, c := range x.elsewhere() {
			t.Add(append([]string{c.Line, c.Value}, whole(&c)...)...)
		}
		d.Table("Counted elsewhere:", t)
	}
	if x.listed() {
		x.describe(d)
	}
}

// elsewhere returns the cells whose runs were counted elsewhere.
func (x *studied) elsewhere() []study.Outcome { return x.Cells[len(x.Cells)-len(x.study.Measured):] }

// draw adds the figure.
func (x *studied) draw(d *reports.Document) {
	p := x.picture()
	broad := plot.Column
	broad.Width, broad.Text = 1.6*broad.Width, 8
	d.Add(reports.Block{Kind: "picture", Class: "study",
		Drawn: reports.Figure{SVG: func() string { return string(p.SVG(broad, "figure", false)) }}})
}

// document returns an empty document of the study.
func (x *studied) document() *reports.Document {
	d := &reports.Document{Title: x.Title, Data: x.Result, Rows: &reports.Table{}, Style: plot.Style + studyStyle}
	for i, row := range x.rows() {
		if i == 0 {
			d.Rows.Columns = reports.Columns(row...)
			continue
		}
		d.Rows.Add(row...)
	}
	return d
}

func (x *studied) promise(k int) bool { return x.study.Measures(0)[k].Promise() }

// listed reports whether lines or columns come from a list, and must be explained.
func (x *studied) listed() bool {
	return len(x.Columns) > 0 || slices.ContainsFunc(x.Lines, func(l study.Compared) bool { return l.About != "" })
}

// describe adds the meaning of the lines and the columns, and the counterexamples.
func (x *studied) describe(d *reports.Document) {
	d.Paragraph(x.foot())
	lines := described("lock", "what it is")
	for _, l := range x.Lines {
		lines.Add(l.Name, l.About+wording.TokensFrom(l.Tokens), strings.Join(l.Settings, " "))
	}
	d.Table("", lines)
	x.describeColumns(d, described("faults", "what happens"))
	if len(x.Counterexamples) > 0 {
		d.Paragraph(leastHead)
	}
	for _, c := range x.Counterexamples {
		d.Item(c.ID, needs(&c), c.Command)
	}
	if len(x.Counterexamples) > 0 && x.Counterexamples[0].Command == "" {
		d.Paragraph("With --store DIR each cell's own is kept as DIR/found/NAME.yaml, a scenario that lockstorm run shows.")
	}
}

// describeColumns adds the meaning of the columns of faults, in an empty table.
func (x *studied) describeColumns(d *reports.Document, t *reports.Table) {
	if len(x.Columns) == 0 {
		return
	}
	for _, f := range x.Columns {
		t.Add([]string{f.Name, f.About, strings.Join(f.Set, " ")}[:len(t.Columns)]...)
	}
	d.Table("The columns of faults. A lock that says how its nodes keep their data keeps it that way in each of them; where "+
		"neither says it, nodes keep nothing.", t)
}

const leastHead = "The smallest schedule found that breaks them: the first run that did, shrunk. A letter in a table " +
	"leads here:"

// described returns an empty table for things and their descriptions, with their settings where there is room.
func described(thing, what string) *reports.Table {
	return &reports.Table{Bare: true, Columns: []reports.Column{{Head: thing}, {Head: what, Kind: "prose"},
		{Head: "settings", Kind: "table"}}}
}

// counterNote says what a perfect counter is, wherever the promise fenced may rest on one.
const counterNote = " Tokens from a perfect counter are an assumption: it never fails and costs no time, and no system has one. " +
	"Redlock makes none that rise."

// nowhere reports a promise that breaks in no cell of several, and so has no table.
func (x *studied) nowhere(k int) string {
	var all stats.Count
	for i := k; i < len(x.Cells); i += x.measures() {
		if c := &x.Cells[i]; c.Void == "" {
			all = all.Plus(c.Count())
		}
	}
	if !x.promise(k) || x.measures() == 1 || all.Violated > 0 {
		return ""
	}
	return fmt.Sprintf("It breaks in no cell: %s.", all.Claim(strconv.Itoa))
}

// widths says how wide intervals are.
func (x *studied) widths() string {
	none := stats.ClopperPearson(0, x.Runs, stats.Confidence)
	half := stats.ClopperPearson(x.Runs/2, x.Runs, stats.Confidence)
	return fmt.Sprintf("At 95%%, 0 means up to %s, and 50 means %s to %s (Clopper and Pearson).",
		stats.Percent(none.High), stats.Percent(half.Low), stats.Percent(half.High))
}

func (x *studied) foot() string {
	return x.widths() + " What breaks rarely may show with more runs. All cells have the same seeds; what is claimed of all " +
		"together takes all runs as independent." + x.signs() + counterNote
}

// signs explains the cells that are not just a share.
func (x *studied) signs() (text string) {
	if slices.ContainsFunc(x.Cells, func(c study.Outcome) bool { return c.Unknown > 0 }) {
		text += " A ? means that runs were cut short."
	}
	if i := slices.IndexFunc(x.Cells, func(c study.Outcome) bool { return c.Void != "" }); i >= 0 {
		text += " A – means that no fault can hit: " + x.Cells[i].Void + "."
	}
	return text
}

// table has a column for each line. The table of a map has a row for each line, as the map has.
func (x *studied) table(k int, whole bool) *reports.Table {
	points := x.study.X.Called()
	switch {
	case x.study.Map:
		head := ""
		if x.listed() {
			head = "lock"
		}
		t := &reports.Table{Narrow: true, Columns: reports.Numbers(append([]string{head}, points...)...)}
		for i, l := range x.study.Lines {
			row := []string{l.Name}
			for j := range points {
				row = append(row, x.shown(x.At(i, j, k), whole))
			}
			t.Add(row...)
		}
		return t
	case len(points) == 1 || len(x.study.Lines) == 1 && len(x.study.Lines[0].Theory) == 0:
		return x.intervals(k)
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
	for j, value := range points {
		row := []string{value}
		for i, l := range x.study.Lines {
			c := x.At(i, j, k)
			row = append(row, digits(c, c.Middle))
			if len(l.Theory) > 0 {
				row = append(row, c.Theory)
			}
		}
		t.Add(row...)
	}
	return t
}

// intervals returns a row for each cell of a study that has one line, or one value, with what was counted there.
func (x *studied) intervals(k int) *reports.Table {
	heads := []string{x.study.X.Label, "counted", "share", "interval at 95%"}
	if !x.study.Measures(0)[k].Share() {
		heads = []string{x.study.X.Label, "runs", "median", "quartiles"}
	}
	if len(x.study.X.Points) == 1 {
		heads[0] = ""
	}
	t := &reports.Table{Columns: reports.Numbers(heads...)}
	for i, l := range x.study.Lines {
		for j, value := range x.study.X.Called() {
			if len(x.study.X.Points) == 1 {
				value = l.Name
			}
			t.Add(append([]string{value}, whole(x.At(i, j, k))...)...)
		}
	}
	return t
}

// whole returns what was counted, the share or the median, and its interval.
func whole(c *study.Outcome) []string {
	hits, of := c.Hits, c.Of
	if c.Measure.Promise() {
		hits, of = c.Violated, c.Runs
	}
	switch {
	case c.Middle == nil:
		return []string{strconv.Itoa(c.Runs), "-", "-"}
	case c.Measure.Share():
		return []string{wording.Share(hits, of), stats.Percent(*c.Middle), stats.Interval{Low: *c.Low, High: *c.High}.Text(hits)}
	}
	return []string{strconv.Itoa(c.Runs), digits(c, c.Middle), digits(c, c.Low) + " to " + digits(c, c.High)}
}

// shown returns a cell of a map; the whole of it has the interval, for which a screen has no room.
func (x *studied) shown(c *study.Outcome, whole bool) string {
	switch {
	case c.Void != "":
		return "–"
	case c.Measure.Promise() && len(x.Columns) == 0:
		return digits(c, c.Middle)
	case !c.Measure.Promise():
		text := digits(c, c.Middle)
		if whole && c.Hits > 0 {
			text += fmt.Sprintf(" (%.2g–%.2g), %s", number(c, c.Low), number(c, c.High), wording.Share(c.Hits, c.Of))
		} else if whole && c.Of > 0 {
			text += " of " + strconv.Itoa(c.Of)
		}
		return text
	}
	text := c.Count().PerCent(0)
	if whole && c.Violated > 0 {
		text += fmt.Sprintf(" (%.0f–%.0f)", number(c, c.Low), number(c, c.High))
	}
	if c.Unknown > 0 {
		text += "?"
	}
	if c.Counterexample != nil {
		text += " " + c.Counterexample.ID
	}
	return text
}

// rows are a row for each cell, for CSV.
func (x *studied) rows() [][]string {
	all := [][]string{{"line", "value", "runs", "violated", "unknown", "middle", "low", "high", "theory", "measure", "hits", "of",
		"first_seed", "least"}}
	plain := func(v *float64) string {
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', -1, 64)
	}
	for _, c := range x.Cells {
		least := ""
		if c.Counterexample != nil {
			least = c.Counterexample.Name
		}
		all = append(all, []string{c.Line, c.Value, strconv.Itoa(c.Runs), strconv.Itoa(c.Violated), strconv.Itoa(c.Unknown),
			plain(c.Middle), plain(c.Low), plain(c.High), c.Theory, c.Measure.String(), strconv.Itoa(c.Hits), strconv.Itoa(c.Of),
			wording.SeedOr(c.FirstSeed, ""), least})
	}
	return all
}

// picture returns the figure of the study: of its first measure, or of all promises of a single line.
func (x *studied) picture() *plot.Picture {
	p := &plot.Picture{Name: x.Name, Title: x.Title, Caption: x.caption() + x.pair(), Table: x.rows()}
	if x.study.Map {
		if len(x.Columns) > 0 && x.promise(0) {
			p.Caption += " " + x.widths() + x.signs()
		}
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
		axis.Names = x.study.X.Called()
	}
	drawn := &plot.Lines{X: axis, Y: plot.Axis{Label: x.unit(0)}}
	for k, l := range x.study.Lines {
		theory := plot.Series{Name: l.Name + ", in theory", X: places}
		for i := range l.Theory {
			v, _ := strconv.ParseFloat(string(l.Theory[i]), 64)
			theory.Y = append(theory.Y, v)
		}
		if drawn.Series = append(drawn.Series, x.series(l.Name, places, k, 0)); len(theory.Y) > 0 {
			drawn.Series = append(drawn.Series, theory)
		}
	}
	if promises := x.promises(); len(x.study.Lines) == 1 && len(promises) > 1 {
		drawn.Series, drawn.Y.Label = nil, "runs in which it breaks [%]"
		for _, k := range promises {
			drawn.Series = append(drawn.Series, x.series(x.study.Measures(0)[k].Name, places, 0, k))
		}
	}
	for i, c := range x.elsewhere() {
		at, _ := strconv.ParseFloat(c.Value, 64)
		if i == 0 || c.Line != x.study.Measured[i-1].Name {
			drawn.Series = append(drawn.Series, plot.Series{Name: c.Line, Points: true})
		}
		addTo(&drawn.Series[len(drawn.Series)-1], &c, at)
	}
	for i := range drawn.Series {
		if s := &drawn.Series[i]; len(axis.Names) > 0 { // the values of a word are next to each other
			s.Points, s.X = true, slices.Clone(s.X)
			for k := range s.X {
				s.X[k] += (float64(i) - float64(len(drawn.Series)-1)/2) * 0.8 / float64(max(len(drawn.Series), 6))
			}
		}
	}
	p.Drawing = drawn
	return p
}

// promises returns which measures are of promises, if all are.
func (x *studied) promises() (all []int) {
	for k, m := range x.study.Measures(0) {
		if !m.Promise() || m.Of != "" {
			return nil
		}
		all = append(all, k)
	}
	return all
}

// series returns the k-th measure of a line along the axis.
func (x *studied) series(name string, places []float64, line, k int) plot.Series {
	s := plot.Series{Name: name}
	for i := range places {
		addTo(&s, x.At(line, i, k), places[i])
	}
	return s
}

func addTo(s *plot.Series, c *study.Outcome, place float64) {
	s.X, s.Y = append(s.X, place), append(s.Y, number(c, c.Middle))
	s.Low, s.High = append(s.Low, number(c, c.Low)), append(s.High, number(c, c.High))
}

// heat returns a map with a row for each line. Where two things are measured a cell has both, and the colour of the first.
func (x *studied) heat() *plot.Heat {
	h := &plot.Heat{X: plot.Axis{Label: x.study.X.Label, Names: slices.Clone(x.study.X.Called())}, Of: x.unit(0)}
	for i, c := range x.Columns { // a class in words, as far as they are brief
		h.X.Names[i], _, _ = strings.Cut(c.About, ":")
	}
	edges := []plot.Bound{{Name: "may break from here on, by a formula"}, {Name: "always breaks from here on"}}
	for k, l := range x.study.Lines {
		h.Y.Names = append(h.Y.Names, l.Name)
		var share []float64
		var says []string
		for i := range x.study.X.Points {
			c := x.At(k, i, 0)
			text := x.shown(c, false)
			if c.Measure.Promise() && len(x.Columns) == 0 && c.Middle != nil {
				text += fmt.Sprintf("\n%.0f–%.0f", number(c, c.Low), number(c, c.High))
			}
			if other := x.At(k, i, x.measures()-1); x.measures() == 2 && c.Violated+other.Violated > 0 {
				text += "·" + x.shown(other, false)
			}
			share, says = append(share, number(c, c.Middle)/100), append(says, text)
		}
		h.Share, h.Says = append(h.Share, share), append(h.Says, says)
		for i, at := range []scenarios.Value{l.Edge, l.Sure} {
			if e := &edges[i]; at != "" {
				e.X, e.Y = append(e.X, float64(x.study.X.Before(string(at)))), append(e.Y, float64(k))
			}
		}
	}
	h.Bounds = slices.DeleteFunc(edges, func(b plot.Bound) bool { return len(b.X) == 0 })
	return h
}

// StudyFigure returns the figure in all forms: PNG, SVG, PDF and CSV, for a column and for a slide.
func StudyFigure(r *study.Result, size reports.Rendering) (files []reports.File) {
	x := &studied{r, r.Study()}
	for _, f := range x.picture().Files(size) {
		files = append(files, reports.File{Name: f.Name, Content: f.Make()})
	}
	return files
}

// StudyDrawing returns the figure for a document on something else: what it is called, what it shows, and an SVG, whose ids
// begin with a word.
func StudyDrawing(r *study.Result, id string) (title, caption, svg string) {
	x := &studied{r, r.Study()}
	p, size := x.picture(), plot.Column
	if x.study.Map {
		size = plot.Size{Width: 2 * plot.Column.Width, Text: plot.Column.Text, DPI: plot.Column.DPI}
	}
	return p.Title, p.Caption, string(p.SVG(size, id, false))
}
