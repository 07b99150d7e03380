package table

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// A Table is the rows of an archive, as a table.
type Table struct {
	archive *archive.Archive
	columns []column
}

// A column has words or numbers.
type column struct {
	name   string
	word   func(*campaign.Row) string // nil for numbers
	number func(*campaign.Row) int64  // campaign.Absent where there is none
}

// New makes a table of the blocks that are there.
func New(a *archive.Archive) (*Table, error) {
	t := &Table{archive: a}
	t.constantColumn("scenario", a.Manifest.Scenario)
	t.constantColumn("scenario_sha256", a.Manifest.ScenarioHash)
	if err := t.settings(); err != nil {
		return nil, err
	}
	t.numberColumn("seed", func(r *campaign.Row) int64 { return int64(r.Seed) })
	t.textColumn("verdict", func(r *campaign.Row) string { return r.Verdict.String() })
	for i, name := range a.Manifest.Properties {
		t.textColumn(name, func(r *campaign.Row) string { return r.Word(i) })
	}
	for i, name := range a.Manifest.Views {
		t.textColumn(scenarios.BlackBox+"."+name, func(r *campaign.Row) string { return r.Of(len(a.Manifest.Properties) + i).String() })
	}
	t.textColumn("struck", struck)
	t.numberColumn("steps", func(r *campaign.Row) int64 { return int64(r.Steps) })
	for i, f := range a.Manifest.Figures {
		t.numberColumn(f.Name, func(r *campaign.Row) int64 { return r.Figures[i] })
	}
	t.rename()
	return t, nil
}

func (t *Table) textColumn(name string, value func(*campaign.Row) string) {
	t.columns = append(t.columns, column{name: name, word: value})
}

func (t *Table) numberColumn(name string, value func(*campaign.Row) int64) {
	t.columns = append(t.columns, column{name: name, number: value})
}

func (t *Table) constantColumn(name, value string) {
	t.textColumn(name, func(*campaign.Row) string { return value })
}

// settings adds a column for each key that some cell sets. A cell that does not set it has the scenario's own value, or
// the one that its search chose for the seed.
func (t *Table) settings() error {
	job := t.archive.Job
	var keys []string
	for _, c := range job.Cells {
		for _, a := range c {
			if !slices.Contains(keys, a.Key) {
				keys = append(keys, a.Key)
			}
		}
	}
	var cells []*scenarios.Universes
	for i := range job.Cells {
		s, err := job.In(i)
		if err != nil {
			return err
		}
		cells = append(cells, s.Universes())
	}
	for _, key := range keys {
		t.textColumn(key, func(r *campaign.Row) string {
			s := cells[r.Cell].At(r.Seed)
			return shown(&s, key)
		})
	}
	return nil
}

// shown returns the value of a setting, as --set takes it.
func shown(s *scenarios.Scenario, key string) string {
	k, err := scenarios.Lookup(s, key)
	if err != nil {
		return ""
	}
	return k.Get(s)
}

// rename sees to it that no two columns have one name. Of two, the first is a setting.
func (t *Table) rename() {
	for i := range t.columns {
		name := t.columns[i].name
		if slices.ContainsFunc(t.columns[i+1:], func(c column) bool { return c.name == name }) {
			t.columns[i].name = "set." + name
		}
	}
}

func struck(r *campaign.Row) string { return strings.Join(r.Struck.Words(), " ") }

// CSV writes the table with a line of names above it.
func (t *Table) CSV(out io.Writer) error {
	w := csv.NewWriter(out)
	fields := make([]string, len(t.columns))
	for i := range t.columns {
		fields[i] = t.columns[i].name
	}
	if err := w.Write(fields); err != nil {
		return err
	}
	err := t.archive.Each(func(_ int, rows []campaign.Row) error {
		for i := range rows {
			for k := range t.columns {
				fields[k] = t.columns[k].text(&rows[i])
			}
			if err := w.Write(fields); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

func (c *column) text(r *campaign.Row) string {
	if c.word != nil {
		return c.word(r)
	}
	n := c.number(r)
	if n == campaign.Absent {
		return ""
	}
	return strconv.FormatInt(n, 10)
}
