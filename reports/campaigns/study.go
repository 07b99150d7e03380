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
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A Study is the outcome of a study, as JSON: what lockstorm study --format json prints.
type Study struct {
	SchemaVersion   int           `json:"schema_version"`
	Lockstorm       string        `json:"lockstorm"`
	Name            string        `json:"name"`
	Title           string        `json:"title"`
	Measure         string        `json:"measure"`
	Seed            uint64        `json:"seed"`
	Runs            int           `json:"runs"` // of each cell
	Lines           []StudyLine   `json:"lines"`
	Columns         []StudyColumn `json:"columns,omitempty"` // of faults
	Cells           []StudyCell   `json:"cells"`             // by line, value and measure; then those counted elsewhere
	Counterexamples []Shape       `json:"counterexamples,omitempty"`
	Missing         int           `json:"missing,omitempty"` // how many runs are not made yet
	Command         string        `json:"command,omitempty"` // makes the first run that broke a promise

	study *study.Study // what the file says
}

// A StudyLine is one of the things that a study compares.
type StudyLine struct {
	Name     string   `json:"name"`
	About    string   `json:"about,omitempty"`
	Tokens   string   `json:"tokens_from,omitempty"` // where its fencing tokens come from
	Settings []string `json:"settings,omitempty"`
}

// A StudyColumn is a column of faults.
type StudyColumn struct {
	Name     string   `json:"name"`
	About    string   `json:"about"`
	Classes  []string `json:"classes"`
	Settings []string `json:"settings"` // that the column has, unless the line has its own
}

// A StudyCell is the outcome of a measure for a line at a value.
type StudyCell struct {
	Line           string          `json:"line"`
	Value          string          `json:"value"`
	Measure        string          `json:"measure"`
	Runs           int             `json:"runs"`
	Violated       int             `json:"violated"`
	Unknown        int             `json:"unknown"`
	Hits           int             `json:"hits,omitempty"` // of a figure that is a share of another
	Of             int             `json:"of,omitempty"`   // the other
	Middle         *float64        `json:"middle"`         // the share, or the median of a figure; null where there is none
	Low            *float64        `json:"low"`            // of the interval at 95%, or the lower quartile
	High           *float64        `json:"high"`
	FirstSeed      *uint64         `json:"first_seed,omitempty"` // the first with which a promise breaks
	Theory         string          `json:"theory,omitempty"`     // in per cent, or seconds
	Void           string          `json:"void,omitempty"`       // why the column has no fault that can hit the lock
	Counterexample *Counterexample `json:"counterexample,omitempty"`

	measure *campaign.Measure
}

// A Counterexample is the smallest scenario found that breaks a cell.
type Counterexample struct {
	ID       string `json:"id"`   // of its shape, in this study
	Name     string `json:"name"` // its own, wherever it is found
	File     string `json:"file,omitempty"`
	Seed     uint64 `json:"seed"`
	Whole    bool   `json:"whole"`    // no single step makes it simpler
	Scenario string `json:"scenario"` // as a file
	Command  string `json:"command,omitempty"`
}

// A Shape is what counterexamples of several cells have in common: the faults and settings that break a promise.
type Shape struct {
	ID       string `json:"id"`
	Name     string `json:"name"` // of the first of them
	Property string `json:"property"`
	Schedule string `json:"schedule"` // empty where it takes no fault
	Clients  int    `json:"clients"`
	Nodes    int    `json:"nodes"`
	Command  string `json:"command,omitempty"` // shows the first of them
}

// NewStudy returns what rows show of a study.
func NewStudy(s *study.Study, v *campaign.Survey) Study {
	x := Study{SchemaVersion: reports.SchemaVersion, Name: s.Name, Title: s.Title, Measure: s.Measure, Seed: s.Seed, Runs: s.Runs,
		study: s}
	for _, w := range s.X.List {
		x.Columns = append(x.Columns, StudyColumn{w.Name, w.About, append([]string{}, w.Classes...), append([]string{}, w.Set...)})
	}
	for i := range v.Cells {
		line, value := s.Place(i)
		l, void := &s.Lines[line], ""
		if len(x.Columns) > 0 {
			in, err := v.Job.In(i)
			if err != nil {
				panic("campaigns: " + err.Error()) // Check has been there
			}
			if void = in.NothingStrikes(); value == 0 {
				x.Lines = append(x.Lines, StudyLine{l.Name, l.About, in.TokensFrom(), l.Set})
			}
		} else if value == 0 {
			x.Lines = append(x.Lines, StudyLine{Name: l.Name, About: l.About, Settings: l.Set})
		}
		for k, m := range s.Measures(line) {
			c := StudyCell{Line: l.Name, Value: s.X.Points[value], Measure: m.String(), Void: void, measure: &m}
			if len(l.Theory) > 0 {
				c.Theory = string(l.Theory[value])
			}
			c.take(&v.Cells[i].Measured[k])
			x.Cells = append(x.Cells, c)
		}
		x.Missing += s.Runs - v.Cells[i].Runs
	}
	for _, p := range s.Measured {
		c := StudyCell{Line: p.Name, Value: string(p.At), Measure: s.Measures(0)[0].String(), measure: &s.Measures(0)[0]}
		c.take(&campaign.Measured{Count: stats.Count{Violated: p.Violated, Runs: p.Runs}})
		c.FirstSeed = nil
		x.Cells = append(x.Cells, c)
	}
	return x
}

// take takes what was measured; times in seconds.
func (c *StudyCell) take(n *campaign.Measured) {
	share := func(runs int, share float64, in stats.Interval) {
		if c.Runs = runs; runs > 0 {
			share, low, high := stats.Round(share), stats.Round(in.Low), stats.Round(in.High)
			c.Middle, c.Low, c.High = &share, &low, &high
		}
	}
	switch {
	case c.measure.Promise():
		if c.Violated, c.Unknown = n.Violated, n.Unknown; n.Violated > 0 {
			c.FirstSeed = &n.FirstSeed
		}
		if n.Runs > 0 {
			share(n.Runs, n.Share(), n.Exact())
		}
	case c.measure.Share():
		c.Hits, c.Of = n.Sums.Hits, n.Sums.Trials
		share(n.Sums.Runs, float64(c.Hits)/float64(max(c.Of, 1)), n.Sums.Interval(stats.Confidence))
	default:
		c.quartiles(n.Values)
	}
}

func (c *StudyCell) quartiles(all campaign.Values) {
	values, often := all.Sorted()
	c.Runs = all.Runs()
	for i, into := range []**float64{&c.Low, &c.Middle, &c.High} {
		rank := (c.Runs*(i+1) + 3) / 4
		for k, v := range values {
			if rank -= often[k]; rank <= 0 {
				n := float64(v)
				if c.measure.Time() {
					n /= 1e9
				}
				*into = &n
				break
			}
		}
	}
}

// At returns the outcome of the k-th measure of a line at a value.
func (x *Study) At(line, value, k int) *StudyCell {
	return &x.Cells[(line*len(x.study.X.Points)+value)*x.measures()+k]
}

func (x *Study) measures() int { return len(x.study.Measures(0)) }

// Count returns the count of the runs in which a promise breaks.
func (c *StudyCell) Count() stats.Count {
	return stats.Count{Violated: c.Violated, Unknown: c.Unknown, Runs: c.Runs}
}

// number returns a share in per cent, or a figure.
func (c *StudyCell) number(v *float64) float64 {
	switch {
	case v == nil:
		return math.NaN()
	case c.measure.Share():
		return 100 * *v
	}
	return *v
}

func (c *StudyCell) text(v *float64) string {
	if v == nil {
		return "-"
	}
	return strconv.FormatFloat(c.number(v), 'g', 3, 64)
}

// Breaks records the smallest scenario that breaks a cell; file and command are empty where it was not kept.
func (x *Study) Breaks(l *campaign.Counterexample, file, command string) {
	line, value := x.study.Place(l.Cell)
	for k := range x.measures() {
		c := x.At(line, value, k)
		if c.Measure == l.Property {
			c.Counterexample = &Counterexample{ID: x.shape(l, command), Name: l.Name(), File: file, Seed: l.Seed, Whole: l.Whole,
				Scenario: string(l.Scenario.YAML()), Command: command}
		}
	}
}

// shape returns the ID of a counterexample's shape, after it was listed.
func (x *Study) shape(l *campaign.Counterexample, command string) string {
	shape := Shape{
		Property: l.Property, Schedule: strings.TrimSpace(l.Scenario.Faults.String()), Clients: l.Scenario.Clients,
		Nodes: l.Scenario.Nodes,
	}
	for _, known := range x.Counterexamples {
		if shape.ID, shape.Name, shape.Command = known.ID, known.Name, known.Command; shape == known {
			return known.ID
		}
	}
	shape.ID, shape.Name, shape.Command = letters(len(x.Counterexamples)), l.Name(), command
	x.Counterexamples = append(x.Counterexamples, shape)
	return shape.ID
}

// letters numbers things with letters, which are apart from figures: a to z, aa and so on.
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + letters(n%26)
}

func (s *Shape) needs() string {
	what := "no fault at all"
	if s.Schedule != "" {
		what = strings.ReplaceAll(s.Schedule, "\n", "; ")
	}
	return fmt.Sprintf("%s, %s and %s: %s", s.Name, wording.Count(s.Clients, "client", "clients"),
		wording.Count(s.Nodes, "node", "nodes"), what)
}

// unit returns the words of the axis of values, for the k-th measure.
func (x *Study) unit(k int) string {
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
func (x *Study) caption() string {
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
func (x *Study) pair() string {
	if !x.study.Map || x.measures() != 2 {
		return ""
	}
	return fmt.Sprintf(" A cell such as 10·4 has two numbers: %s, then %s; its colour shows the first. A single 0 means neither.",
		x.unit(0), x.unit(1))
}

const studyStyle = ".study{margin:1rem 0}.study svg{display:block;width:100%;height:auto;max-width:620px}\n"

// Document returns a table for each measure, the meaning of lines and columns, the counterexamples, and the figure.
func (x *Study) Document() *reports.Document {
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
func (x *Study) tables(d *reports.Document) {
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
			t.Add(append([]string{c.Line, c.Value}, c.whole()...)...)
		}
		d.Table("Counted elsewhere:", t)
	}
	if x.listed() {
		x.describe(d)
	}
}

// elsewhere returns the cells whose runs were counted elsewhere.
func (x *Study) elsewhere() []StudyCell { return x.Cells[len(x.Cells)-len(x.study.Measured):] }

// draw adds the figure.
func (x *Study) draw(d *reports.Document) {
	p := x.picture()
	broad := plot.Column
	broad.Width, broad.Text = 1.6*broad.Width, 8
	d.Add(reports.Block{Kind: "picture", Class: "study",
		Drawn: reports.Figure{SVG: func() string { return string(p.SVG(broad, "figure", false)) }}})
}

// document returns an empty document of the study.
func (x *Study) document() *reports.Document {
	d := &reports.Document{Title: x.Title, Data: x, Rows: &reports.Table{}, Style: plot.Style + studyStyle}
	for i, row := range x.rows() {
		if i == 0 {
			d.Rows.Columns = reports.Columns(row...)
			continue
		}
		d.Rows.Add(row...)
	}
	return d
}

func (x *Study) promise(k int) bool { return x.study.Measures(0)[k].Promise() }

// listed reports whether lines or columns come from a list, and must be explained.
func (x *Study) listed() bool {
	return len(x.Columns) > 0 || slices.ContainsFunc(x.Lines, func(l StudyLine) bool { return l.About != "" })
}

// describe adds the meaning of the lines and the columns, and the counterexamples.
func (x *Study) describe(d *reports.Document) {
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
		d.Item(c.ID, c.needs(), c.Command)
	}
	if len(x.Counterexamples) > 0 && x.Counterexamples[0].Command == "" {
		d.Paragraph("With --store DIR each cell's own is kept as DIR/found/NAME.yaml, a scenario that lockstorm run shows.")
	}
}

// describeColumns adds the meaning of the columns of faults, in an empty table.
func (x *Study) describeColumns(d *reports.Document, t *reports.Table) {
	if len(x.Columns) == 0 {
		return
	}
	for _, f := range x.Columns {
		t.Add([]string{f.Name, f.About, strings.Join(f.Settings, " ")}[:len(t.Columns)]...)
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

// oracleNote says what an oracle is, wherever the promise fenced may rest on one.
const oracleNote = " Tokens from an oracle are an assumption: it never fails and costs no time, and no system has one. " +
	"Redlock makes none that rise."

// nowhere reports a promise that breaks in no cell of several, and so has no table.
func (x *Study) nowhere(k int) string {
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
func (x *Study) widths() string {
	none := stats.ClopperPearson(0, x.Runs, stats.Confidence)
	half := stats.ClopperPearson(x.Runs/2, x.Runs, stats.Confidence)
	return fmt.Sprintf("At 95%%, 0 means up to %s, and 50 means %s to %s (Clopper and Pearson).",
		stats.Percent(none.High), stats.Percent(half.Low), stats.Percent(half.High))
}

func (x *Study) foot() string {
	return x.widths() + " What breaks rarely may show with more runs. All cells have the same seeds; what is claimed of all " +
		"together takes all runs as independent." + x.signs() + oracleNote
}

// signs explains the cells that are not just a share.
func (x *Study) signs() (text string) {
	if slices.ContainsFunc(x.Cells, func(c StudyCell) bool { return c.Unknown > 0 }) {
		text += " A ? means that runs were cut short."
	}
	if i := slices.IndexFunc(x.Cells, func(c StudyCell) bool { return c.Void != "" }); i >= 0 {
		text += " A – means that no fault can hit: " + x.Cells[i].Void + "."
	}
	return text
}

// table has a column for each line. The table of a map has a row for each line, as the map has.
func (x *Study) table(k int, whole bool) *reports.Table {
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
			row = append(row, c.text(c.Middle))
			if len(l.Theory) > 0 {
				row = append(row, c.Theory)
			}
		}
		t.Add(row...)
	}
	return t
}

// intervals returns a row for each cell of a study that has one line, or one value, with what was counted there.
func (x *Study) intervals(k int) *reports.Table {
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
			t.Add(append([]string{value}, x.At(i, j, k).whole()...)...)
		}
	}
	return t
}

// whole returns what was counted, the share or the median, and its interval.
func (c *StudyCell) whole() []string {
	hits, of := c.Hits, c.Of
	if c.measure.Promise() {
		hits, of = c.Violated, c.Runs
	}
	switch {
	case c.Middle == nil:
		return []string{strconv.Itoa(c.Runs), "-", "-"}
	case c.measure.Share():
		return []string{wording.Share(hits, of), stats.Percent(*c.Middle), stats.Interval{Low: *c.Low, High: *c.High}.Text(hits)}
	}
	return []string{strconv.Itoa(c.Runs), c.text(c.Middle), c.text(c.Low) + " to " + c.text(c.High)}
}

// shown returns a cell of a map; the whole of it has the interval, for which a screen has no room.
func (x *Study) shown(c *StudyCell, whole bool) string {
	switch {
	case c.Void != "":
		return "–"
	case c.measure.Promise() && len(x.Columns) == 0:
		return c.text(c.Middle)
	case !c.measure.Promise():
		text := c.text(c.Middle)
		if whole && c.Hits > 0 {
			text += fmt.Sprintf(" (%.2g–%.2g), %s", c.number(c.Low), c.number(c.High), wording.Share(c.Hits, c.Of))
		} else if whole && c.Of > 0 {
			text += " of " + strconv.Itoa(c.Of)
		}
		return text
	}
	text := c.Count().PerCent(0)
	if whole && c.Violated > 0 {
		text += fmt.Sprintf(" (%.0f–%.0f)", c.number(c.Low), c.number(c.High))
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
func (x *Study) rows() [][]string {
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
			plain(c.Middle), plain(c.Low), plain(c.High), c.Theory, c.Measure, strconv.Itoa(c.Hits), strconv.Itoa(c.Of),
			wording.SeedOr(c.FirstSeed, ""), least})
	}
	return all
}

// picture returns the figure of the study: of its first measure, or of all promises of a single line.
func (x *Study) picture() *plot.Picture {
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
		c.addTo(&drawn.Series[len(drawn.Series)-1], at)
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
func (x *Study) promises() (all []int) {
	for k, m := range x.study.Measures(0) {
		if !m.Promise() || m.Of != "" {
			return nil
		}
		all = append(all, k)
	}
	return all
}

// series returns the k-th measure of a line along the axis.
func (x *Study) series(name string, places []float64, line, k int) plot.Series {
	s := plot.Series{Name: name}
	for i := range places {
		x.At(line, i, k).addTo(&s, places[i])
	}
	return s
}

func (c *StudyCell) addTo(s *plot.Series, place float64) {
	s.X, s.Y = append(s.X, place), append(s.Y, c.number(c.Middle))
	s.Low, s.High = append(s.Low, c.number(c.Low)), append(s.High, c.number(c.High))
}

// heat returns a map with a row for each line. Where two things are measured a cell has both, and the colour of the first.
func (x *Study) heat() *plot.Heat {
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
			if c.measure.Promise() && len(x.Columns) == 0 && c.Middle != nil {
				text += fmt.Sprintf("\n%.0f–%.0f", c.number(c.Low), c.number(c.High))
			}
			if other := x.At(k, i, x.measures()-1); x.measures() == 2 && c.Violated+other.Violated > 0 {
				text += "·" + x.shown(other, false)
			}
			share, says = append(share, c.number(c.Middle)/100), append(says, text)
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

// Figure returns the figure in all forms: PNG, SVG, PDF and CSV, for a column and for a slide.
func (x *Study) Figure(r reports.Rendering) (files []reports.File) {
	for _, f := range x.picture().Files(r) {
		files = append(files, reports.File{Name: f.Name, Content: f.Make()})
	}
	return files
}

// Drawing returns the figure for a document on something else: what it is called, what it shows, and an SVG, whose ids begin
// with a word.
func (x *Study) Drawing(id string) (title, caption, svg string) {
	p, size := x.picture(), plot.Column
	if x.study.Map {
		size = plot.Size{Width: 2 * plot.Column.Width, Text: plot.Column.Text, DPI: plot.Column.DPI}
	}
	return p.Title, p.Caption, string(p.SVG(size, id, false))
}
