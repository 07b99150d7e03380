package campaigns

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// matrixVersion is the version of the JSON of a matrix. Since 2 each cell is of one property.
const matrixVersion = 2

// A Matrix is locks against classes of faults as JSON: what lockstorm matrix --format json prints.
type Matrix struct {
	SchemaVersion   int           `json:"schema_version"`
	Lockstorm       string        `json:"lockstorm"`
	Seed            uint64        `json:"seed"` // the first of each cell
	Runs            int           `json:"runs"` // of each cell
	Properties      []string      `json:"properties"`
	Faults          []MatrixFault `json:"faults"`            // the columns
	Locks           []MatrixLock  `json:"locks"`             // the rows
	Cells           []MatrixCell  `json:"cells"`             // by lock, then by fault, then by property
	Counterexamples []Shape       `json:"counterexamples"`   // what they come to
	Missing         int           `json:"missing,omitempty"` // how many runs are not made yet, or by others
	Sought          bool          `json:"sought"`            // whether counterexamples were
}

// A MatrixLock is a lock of the matrix.
type MatrixLock struct {
	Name     string   `json:"name"`
	About    string   `json:"about"`
	Tokens   string   `json:"tokens_from"` // where its fencing tokens come from; empty where it has none
	Settings []string `json:"settings"`    // what makes it of redlock/any
}

// A MatrixFault is a column of the matrix.
type MatrixFault struct {
	Name     string   `json:"name"`
	About    string   `json:"about"`
	Classes  []string `json:"classes"`
	Settings []string `json:"settings"` // that the column has, unless the lock has its own
}

// A MatrixCell is what became of one property of one lock under one class of faults: violated if it broke in any run.
type MatrixCell struct {
	Lock     string `json:"lock"`
	Fault    string `json:"fault"`
	Property string `json:"property"`
	Runs     int    `json:"runs"`
	stats.Count
	Low            float64         `json:"low"`  // the interval of Wilson at 95 % for the share of runs in which it breaks
	High           float64         `json:"high"` // as for Banded
	FirstSeed      *uint64         `json:"first_seed"`
	Verdict        checker.Verdict `json:"verdict"`
	Void           string          `json:"void,omitempty"` // why none of the faults can strike the lock, so that nothing is shown
	Sentence       string          `json:"sentence"`       // what the figures support
	Counterexample *Counterexample `json:"counterexample"` // of the first of its properties that broke; else null, or if it was not sought
}

// A Counterexample is the least that was found to break a cell.
type Counterexample struct {
	ID       string `json:"id"`   // of its shape, in this matrix
	Name     string `json:"name"` // its own, wherever it is found
	File     string `json:"file,omitempty"`
	Seed     uint64 `json:"seed"`
	Whole    bool   `json:"whole"`    // no single step makes it simpler
	Scenario string `json:"scenario"` // as a file
	Command  string `json:"command,omitempty"`
}

// A Shape is what counterexamples of several cells have in common: what it takes to break a property.
type Shape struct {
	ID       string `json:"id"`
	Name     string `json:"name"` // of the first of them
	Property string `json:"property"`
	Schedule string `json:"schedule"` // empty where it takes no fault
	Clients  int    `json:"clients"`
	Nodes    int    `json:"nodes"`
	Command  string `json:"command,omitempty"` // shows the first of them
}

// NewMatrix returns a matrix as JSON data. A place for a counterexample's file and command is left empty: see Kept.
func NewMatrix(m *campaign.Matrix, plots []campaign.Plot) Matrix {
	x := Matrix{
		SchemaVersion: matrixVersion, Seed: m.First, Runs: m.Runs, Properties: m.Properties,
		Locks: []MatrixLock{}, Cells: []MatrixCell{}, Counterexamples: []Shape{}, Sought: m.Shrink > 0,
	}
	for _, w := range campaign.Columns() {
		x.Faults = append(x.Faults, MatrixFault{w.Name, w.About, append([]string{}, w.Classes...), append([]string{}, w.Set...)})
	}
	for i, p := range plots {
		if i%len(x.Faults) == 0 {
			x.Locks = append(x.Locks, MatrixLock{p.Variant.Name, p.Variant.About, tokensOf(&p), append([]string{}, p.Variant.Set...)})
		}
		for _, f := range p.Found {
			x.Cells = append(x.Cells, x.cell(&p, f))
		}
		x.Missing += m.Runs - p.Runs
	}
	return x
}

// tokensOf returns where the fencing tokens of a lock come from.
func tokensOf(p *campaign.Plot) string {
	s, err := p.Variant.Scenario(p.Faults)
	if err != nil {
		panic("campaigns: " + err.Error()) // a test has made each
	}
	return s.TokensFrom()
}

// cell returns what was found of one property in one place.
func (x *Matrix) cell(p *campaign.Plot, f campaign.Frequency) MatrixCell {
	b := banded(f)
	c := MatrixCell{
		Lock: p.Variant.Name, Fault: p.Faults.Name, Property: f.Name, Runs: p.Runs, Count: f.Count,
		Low: b.Low, High: b.High, FirstSeed: b.FirstSeed, Verdict: f.Verdict(),
		Void: p.Void,
	}
	if c.Void != "" {
		c.Verdict = checker.Unknown
	}
	c.Sentence = c.sentence()
	if l := p.Least; l != nil && l.Property == f.Name {
		c.Counterexample = &Counterexample{
			ID: x.shape(l), Name: l.Name(), Seed: l.Seed, Whole: l.Whole, Scenario: string(l.Scenario.YAML()),
		}
	}
	return c
}

// sentence returns the sentence that a cell supports, and no more than that.
func (c *MatrixCell) sentence() string {
	if c.Void != "" {
		return fmt.Sprintf("%s, %s: nothing is known of %s: %s.", c.Lock, c.Fault, c.Property, c.Void)
	}
	if c.Runs == 0 {
		return fmt.Sprintf("%s, %s: nothing is known of %s, for there is no run.", c.Lock, c.Fault, c.Property)
	}
	cut := ""
	if c.Unknown > 0 {
		cut = fmt.Sprintf("; %s cut short", wording.Count(c.Unknown, "was", "were"))
	}
	if c.Violated == 0 {
		return fmt.Sprintf("%s, %s: %s broke in none of %d runs: below %s%s%s.", c.Lock, c.Fault, c.Property, c.Runs,
			stats.Percent(c.High), stats.Confident, cut)
	}
	return fmt.Sprintf("%s, %s: %s broke in %d of %d runs: %s to %s%s%s.",
		c.Lock, c.Fault, c.Property, c.Violated, c.Runs, stats.Percent(c.Low), stats.Percent(c.High), stats.Confident, cut)
}

// Sentences returns the sentence of each cell, a line each.
func (x *Matrix) Sentences() *reports.Document {
	d := x.document()
	for _, c := range x.Cells {
		d.Lines(c.Sentence + "\n")
		d.Blocks[len(d.Blocks)-1].Close = true
	}
	return d
}

// Kept takes note that the counterexample of a place was kept in a file, and of the command that shows it. Places are
// numbered as a matrix's plots are.
func (x *Matrix) Kept(place int, file, command string) {
	n := len(x.Properties)
	for _, cell := range x.Cells[place*n : (place+1)*n] {
		c := cell.Counterexample
		if c == nil {
			continue
		}
		c.File, c.Command = file, command
		for i := range x.Counterexamples {
			if s := &x.Counterexamples[i]; s.Name == c.Name {
				s.Command = command
			}
		}
	}
}

// shape returns the ID of a counterexample's shape, after it was listed.
func (x *Matrix) shape(l *campaign.Least) string {
	shape := Shape{
		Property: l.Property, Schedule: strings.TrimSpace(l.Scenario.Faults.String()), Clients: l.Scenario.Clients,
		Nodes: l.Scenario.Nodes,
	}
	for _, known := range x.Counterexamples {
		if shape.ID, shape.Name = known.ID, known.Name; shape == known {
			return known.ID
		}
	}
	shape.ID, shape.Name = letters(len(x.Counterexamples)), l.Name()
	x.Counterexamples = append(x.Counterexamples, shape)
	return shape.ID
}

// letters numbers things with letters, which stand apart from figures: a to z, aa and so on.
func letters(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letters(n/26-1) + letters(n%26)
}

// Document returns a table for each property that breaks, what the locks are, and the least that breaks them. On pages, a
// cell has the interval of its share besides, for which a screen has no room.
func (x *Matrix) Document() *reports.Document {
	d := x.document()
	d.Paragraph(x.head())
	for i, name := range x.Properties {
		if nowhere := x.nowhere(i); nowhere != "" {
			d.Paragraph(name + ": " + wording.Question(name) + " " + nowhere)
		} else {
			d.Paragraph(name + ": " + wording.Question(name))
			d.Add(reports.Block{Kind: "rows", Table: x.table(i, false), In: reports.Terminal, Close: true})
			d.Add(reports.Block{Kind: "rows", Table: x.table(i, true), In: reports.Marked | reports.Page})
		}
	}
	d.Paragraph(x.foot())
	locks := described("lock", "what it is")
	for _, l := range x.Locks {
		locks.Add(l.Name, l.About+tokensClause(l.Tokens), strings.Join(l.Settings, " "))
	}
	d.Table("", locks)
	d.Table(columnsHead, x.classes())
	if len(x.Counterexamples) > 0 {
		d.Paragraph(leastHead)
	}
	for _, c := range x.Counterexamples {
		d.Item(c.ID, c.needs(), c.Command)
	}
	d.Paragraph(x.unkept())
	return d
}

// document returns an empty document of the matrix.
func (x *Matrix) document() *reports.Document {
	return &reports.Document{Title: "Locks against faults", Data: x, Rows: x.rows()}
}

// rows returns a row for each cell.
func (x *Matrix) rows() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("lock", "faults", "property", "runs", "violated", "unknown", "low", "high",
		"first_seed", "verdict")}
	for _, c := range x.Cells {
		t.Add(c.Lock, c.Fault, c.Property, strconv.Itoa(c.Runs), strconv.Itoa(c.Violated), strconv.Itoa(c.Unknown), fmt.Sprint(c.Low),
			fmt.Sprint(c.High), wording.SeedOr(c.FirstSeed, ""), c.Verdict.String())
	}
	return t
}

// described returns an empty table of things with what they are, and of their settings where there is room.
func described(thing, what string) *reports.Table {
	return &reports.Table{Bare: true, Columns: []reports.Column{{Head: thing}, {Head: what, Kind: "prose"},
		{Head: "settings", Kind: "table"}}}
}

func (x *Matrix) classes() *reports.Table {
	t := described("faults", "what happens")
	for _, f := range x.Faults {
		t.Add(f.Name, f.About, strings.Join(f.Settings, " "))
	}
	return t
}

const columnsHead = "The classes of faults. A lock that says how its nodes keep their data keeps it that way in each of " +
	"them; where neither says it, nodes keep nothing."

const leastHead = "The least that breaks them, as far as it was found: the first run that did, shrunk. A letter in a table " +
	"leads here:"

// unkept explains how to open the counterexamples, where they are in no files.
func (x *Matrix) unkept() string {
	if len(x.Counterexamples) == 0 || x.Counterexamples[0].Command != "" {
		return ""
	}
	return "With --store DIR each cell's own is kept as DIR/found/NAME.yaml, a scenario that lockstorm run shows. The name comes " +
		"of what is in it, and stays what it is as long as that does."
}

func (s *Shape) needs() string {
	what := "no fault at all"
	if s.Schedule != "" {
		what = strings.ReplaceAll(s.Schedule, "\n", "; ")
	}
	return fmt.Sprintf("%s, %s and %s: %s", s.Name, wording.Count(s.Clients, "client", "clients"),
		wording.Count(s.Nodes, "node", "nodes"), what)
}

func (x *Matrix) head() string {
	return fmt.Sprintf("Each lock against each class of faults alone, and against all together: in how many per cent of %s, "+
		"from seed %d, a property breaks. Each run draws its own faults, number of clients and nodes, and TTL.",
		wording.Count(x.Runs, "run", "runs"), x.Seed)
}

// nowhere says so where a property breaks in no cell: there is no table of it then.
func (x *Matrix) nowhere(property int) string {
	var all stats.Count
	for i := property; i < len(x.Cells); i += len(x.Properties) {
		c := &x.Cells[i]
		if c.Void != "" {
			continue
		}
		if all = all.Plus(c.Count); all.Violated > 0 {
			return ""
		}
	}
	return fmt.Sprintf("It breaks in no cell: %s.", all.Claim(strconv.Itoa))
}

func (x *Matrix) foot() string {
	none := stats.Wilson(0, x.Runs, stats.Confidence)
	half := stats.Wilson(x.Runs/2, x.Runs, stats.Confidence)
	text := fmt.Sprintf("At 95 %%, 0 stands for up to %s, and 50 for %s to %s (Wilson). What breaks rarely may show with more "+
		"runs. All cells have the same seeds; what is claimed of all together takes all runs as independent.",
		stats.Percent(none.High), stats.Percent(half.Low), stats.Percent(half.High))
	if slices.ContainsFunc(x.Cells, func(c MatrixCell) bool { return c.Unknown > 0 }) {
		text += " Where a ? stands, runs were cut short."
	}
	if i := slices.IndexFunc(x.Cells, func(c MatrixCell) bool { return c.Void != "" }); i >= 0 {
		text += " Where a – stands, none of the faults can strike: " + x.Cells[i].Void + "."
	}
	if x.Missing > 0 {
		text += fmt.Sprintf(" This is a part: %d of %d runs are not made yet, or by others. Where a ? stands alone there is no "+
			"run; and counterexamples are sought when all are there.", x.Missing, len(x.Cells)/len(x.Properties)*x.Runs)
	}
	return text + oracleNote
}

// table returns the shares of one property, by lock and class of faults.
func (x *Matrix) table(property int, intervals bool) *reports.Table {
	heads := []string{"lock"}
	for _, f := range x.Faults {
		heads = append(heads, f.Name)
	}
	t := &reports.Table{Columns: reports.Numbers(heads...), Narrow: true}
	for i := range x.Locks {
		row := []string{x.Locks[i].Name}
		for _, c := range x.row(i, property) {
			row = append(row, c.shown(intervals))
		}
		t.Add(row...)
	}
	return t
}

func (c *MatrixCell) shown(interval bool) string {
	if c.Void != "" {
		return "–"
	}
	text := c.PerCent(0)
	if interval && c.Violated > 0 {
		text += fmt.Sprintf(" (%.0f–%.0f)", 100*c.Low, 100*c.High)
	}
	if c.Unknown > 0 {
		text += "?"
	}
	if c.Counterexample != nil {
		text += " " + c.Counterexample.ID
	}
	return text
}
