package campaigns

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// An Efficiency is how often a job is done twice at the same time, as JSON: what lockstorm efficiency --format json prints.
type Efficiency struct {
	SchemaVersion int              `json:"schema_version"`
	Lockstorm     string           `json:"lockstorm"`
	Seed          uint64           `json:"seed"` // the first of each cell
	Runs          int              `json:"runs"` // of each cell
	Locks         []string         `json:"locks"`
	Faults        []string         `json:"faults"`
	Cells         []EfficiencyCell `json:"cells"` // lock by lock
}

// An EfficiencyCell is one lock under one class of faults.
type EfficiencyCell struct {
	Lock       string  `json:"lock"`
	Faults     string  `json:"faults"`
	Runs       int     `json:"runs"`
	Executions int     `json:"executions"`
	Duplicates int     `json:"duplicates"`     // executions that began while another was under way
	Hit        int     `json:"runs_with_some"` // runs with a duplicate
	Struck     int     `json:"struck_while_held"`
	Share      float64 `json:"share"` // of the executions
	Low        float64 `json:"low"`   // of the interval at 95 %
	High       float64 `json:"high"`
}

// NewEfficiency returns the counts as JSON data.
func NewEfficiency(e *campaign.Efficiency, counts []campaign.Duplication) Efficiency {
	x := Efficiency{SchemaVersion: reports.SchemaVersion, Seed: e.First, Runs: e.Runs, Cells: []EfficiencyCell{}}
	for _, d := range counts {
		if !slices.Contains(x.Locks, d.Lock) {
			x.Locks = append(x.Locks, d.Lock)
		}
		if !slices.Contains(x.Faults, d.Faults) {
			x.Faults = append(x.Faults, d.Faults)
		}
		i := d.Sums.Interval(stats.Confidence)
		c := EfficiencyCell{Lock: d.Lock, Faults: d.Faults, Runs: d.Sums.Runs, Executions: d.Sums.Trials, Duplicates: d.Sums.Hits,
			Hit: d.Hit, Struck: d.Struck}
		c.Share, c.Low, c.High = stats.Round(float64(c.Duplicates)/float64(max(c.Executions, 1))), stats.Round(i.Low),
			stats.Round(i.High)
		x.Cells = append(x.Cells, c)
	}
	return x
}

// Document returns the duplicates among the executions: a row for each lock under each class of faults.
func (x *Efficiency) Document() *reports.Document {
	d := &reports.Document{Title: "How often a job is done twice", Data: x}
	d.Paragraph(x.head())
	d.Table("", x.table())
	return d
}

func (x *Efficiency) head() string {
	return fmt.Sprintf("How many executions of a job began while another worker was still at it, as a share with its interval "+
		"at 95 %%: %s of efficiency/dedup for each lock and class of faults, from seed %d. Each run draws its faults; the last "+
		"column counts those that struck while somebody held the lock.", wording.Count(x.Runs, "run", "runs"), x.Seed)
}

func (x *Efficiency) table() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("faults", "lock", "done twice", "share", "interval", "struck while held")}
	for k := 2; k < len(t.Columns); k++ {
		t.Columns[k].Kind = "number"
	}
	for i, name := range x.Faults {
		for k, lock := range x.Locks {
			c := x.Cells[k*len(x.Faults)+i]
			t.Add(name, lock, wording.Share(c.Duplicates, c.Executions), stats.Percent(c.Share),
				stats.Interval{Low: c.Low, High: c.High}.Text(c.Duplicates), wording.Grouped(c.Struck))
			name = "" // once for all its locks
		}
	}
	return t
}
