package study

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Result is the outcome of a study, and its JSON: what lockstorm study --format json prints.
type Result struct {
	SchemaVersion   int                 `json:"schema_version"`
	Lockstorm       string              `json:"lockstorm"`
	Name            string              `json:"name"`
	Title           string              `json:"title"`
	Measure         string              `json:"measure"`
	Seed            uint64              `json:"seed"`
	Runs            int                 `json:"runs"` // of each cell
	Lines           []Compared          `json:"lines"`
	Columns         []campaign.FaultSet `json:"columns,omitempty"`
	Cells           []Outcome           `json:"cells"` // by line, value and measure; then those counted elsewhere
	Counterexamples []Shape             `json:"counterexamples,omitempty"`
	Missing         int                 `json:"missing,omitempty"` // how many runs are not made yet
	Command         string              `json:"command,omitempty"` // makes the first run that broke a promise

	study *Study
}

// A Compared is one of the things that a study compares, as its runs had it.
type Compared struct {
	Name     string   `json:"name"`
	About    string   `json:"about,omitempty"`
	Tokens   string   `json:"tokens_from,omitempty"` // where its fencing tokens come from
	Settings []string `json:"settings,omitempty"`
}

// An Outcome is what runs show of a measure for a line at a value.
type Outcome struct {
	Line     string           `json:"line"`
	Value    string           `json:"value"`
	Measure  campaign.Measure `json:"measure"`
	Runs     int              `json:"runs"`
	Violated int              `json:"violated"`
	Unknown  int              `json:"unknown"`
	Hits     int              `json:"hits,omitempty"` // of a figure that is a share of another
	Of       int              `json:"of,omitempty"`   // the other
	stats.Estimate
	FirstSeed      *uint64         `json:"first_seed,omitempty"` // the first with which a promise breaks
	Theory         string          `json:"theory,omitempty"`     // in per cent, or seconds
	Void           string          `json:"void,omitempty"`       // why the column has no fault that can hit the lock
	Counterexample *Counterexample `json:"counterexample,omitempty"`
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

// Result returns what the rows of a survey show.
func (s *Study) Result(v *campaign.Survey) *Result {
	x := &Result{SchemaVersion: checker.SchemaVersion, Name: s.Name, Title: s.Title, Measure: s.Measure, Seed: s.Seed,
		Runs: s.Runs, Columns: s.X.List, study: s}
	for i := range v.Cells {
		line, value := s.Place(i)
		l, void := &s.Lines[line], ""
		if len(x.Columns) > 0 {
			in, err := v.Job.In(i)
			if err != nil {
				panic("study: " + err.Error()) // Check has been there
			}
			if void = in.NothingStrikes(); value == 0 {
				x.Lines = append(x.Lines, Compared{l.Name, l.About, in.TokensFrom(), l.Set})
			}
		} else if value == 0 {
			x.Lines = append(x.Lines, Compared{Name: l.Name, About: l.About, Settings: l.Set})
		}
		for k, m := range s.measures[line] {
			c := Outcome{Line: l.Name, Value: s.X.Points[value], Measure: m, Void: void}
			if len(l.Theory) > 0 {
				c.Theory = string(l.Theory[value])
			}
			c.take(&v.Cells[i].Measured[k])
			x.Cells = append(x.Cells, c)
		}
		x.Missing += s.Runs - v.Cells[i].Runs
	}
	for _, p := range s.Measured {
		c := Outcome{Line: p.Name, Value: string(p.At), Measure: s.measures[0][0]}
		c.take(&campaign.Measured{Count: stats.Count{Violated: p.Violated, Runs: p.Runs}})
		c.FirstSeed = nil
		x.Cells = append(x.Cells, c)
	}
	return x
}

// take takes what was measured; times in seconds.
func (c *Outcome) take(n *campaign.Measured) {
	switch {
	case c.Measure.Promise():
		if c.Violated, c.Unknown = n.Violated, n.Unknown; n.Violated > 0 {
			c.FirstSeed = &n.FirstSeed
		}
		c.Runs, c.Estimate = n.Runs, n.Count.Estimate()
	case c.Measure.Share():
		c.Hits, c.Of = n.Sums.Hits, n.Sums.Trials
		c.Runs, c.Estimate = n.Sums.Runs, n.Sums.Estimate()
	default:
		unit := 1
		if c.Measure.Time() {
			unit = 1e9
		}
		values, times := n.Values.Sorted()
		c.Runs, c.Estimate = n.Values.Runs(), stats.Quartiles(values, times, unit)
	}
}

// At returns the outcome of the k-th measure of a line at a value.
func (x *Result) At(line, value, k int) *Outcome {
	return &x.Cells[(line*len(x.study.X.Points)+value)*len(x.study.measures[line])+k]
}

// Study returns what the file of the study says.
func (x *Result) Study() *Study { return x.study }

// Count returns the count of the runs in which a promise breaks.
func (c *Outcome) Count() stats.Count {
	return stats.Count{Violated: c.Violated, Unknown: c.Unknown, Runs: c.Runs}
}

// Breaks records the smallest scenario that breaks a cell; file and command are empty where it was not kept.
func (x *Result) Breaks(l *campaign.Counterexample, file, command string) {
	line, value := x.study.Place(l.Cell)
	for k, m := range x.study.measures[line] {
		if c := x.At(line, value, k); m.String() == l.Property {
			c.Counterexample = &Counterexample{ID: x.shape(l, command), Name: l.Name(), File: file, Seed: l.Seed,
				Whole: l.Whole, Scenario: string(l.Scenario.YAML()), Command: command}
		}
	}
}

// shape returns the ID of a counterexample's shape, after it was listed.
func (x *Result) shape(l *campaign.Counterexample, command string) string {
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
