package theorem

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// grid returns the table of locks by budgets: in each cell a letter for each promise that breaks. It has the budgets of
// messages or of one fault; the cells of each lock have the combinations.
func (t *Table) grid() *reports.Table {
	var budgets []string
	heads := []string{"lock"}
	for _, l := range t.Locks {
		next := 0
		for _, c := range l.Cells {
			name := shortBudget(&c)
			if name == "" {
				continue
			}
			if !slices.Contains(budgets, name) { // after the same column as in this lock's list
				budgets = slices.Insert(budgets, next, name)
			}
			next = slices.Index(budgets, name) + 1
		}
	}
	table := &reports.Table{Columns: reports.Columns(append(heads, budgets...)...), Narrow: true}
	for _, l := range t.Locks {
		row := []reports.Cell{{Text: l.Name}}
		for _, name := range budgets {
			row = append(row, l.gridCell(name))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// shortBudget returns the head of a budget's column, or "" for a combination.
func shortBudget(c *Explored) string {
	if len(c.Faults) > 1 || len(c.Faults) == 1 && c.Messages > 0 {
		return ""
	}
	return strings.NewReplacer("no deviation", "none", "a restart delayed by half the TTL", "restart, ½ TTL",
		"a restart delayed by the TTL", "restart, 1 TTL", "a ", "", "of ", "").Replace(c.Budget)
}

// gridCell says what breaks of a lock within a budget: a letter for each promise, a dash for none, a ? where runs were
// cut short, and nothing where it was not explored.
func (l *Lock) gridCell(budget string) reports.Cell {
	for i := range l.Cells {
		c := &l.Cells[i]
		if shortBudget(c) != budget {
			continue
		}
		letters := ""
		for _, b := range c.Broken {
			letters += promiseLetter(b.Property)
		}
		rest := ""
		if c.Cut > 0 {
			rest = "?"
		}
		switch {
		case letters != "":
			return reports.Rich(reports.Span{Text: letters, Class: "violated"}, reports.Span{Text: rest})
		case rest != "":
			return reports.Cell{Text: rest}
		}
		return reports.Cell{Text: "–"}
	}
	return reports.Cell{}
}

// promiseLetter returns the letter of a promise in a grid.
func promiseLetter(name string) string { return strings.ToUpper(name[:1]) }

// letters explains the letters of the grid.
func (t *Table) letters() *reports.Table {
	table := &reports.Table{Columns: []reports.Column{{Head: "letter"}, {Head: "promise"}, {Head: "asks", Kind: "prose"}}}
	if len(t.Locks) > 0 {
		for _, p := range t.Locks[0].Promises {
			table.Add(promiseLetter(p.Name), p.Name, wording.Question(p.Name))
		}
	}
	return table
}

// gridHead says how to read the grid.
const gridHead = "A row is a lock, and a column is a budget: how many messages of a small run may be late, lost or reordered, " +
	"or which one fault may happen. A letter is a promise that some schedule breaks. A dash means that no schedule breaks any " +
	"promise. A ? means that runs were cut short, so that more may break. An empty cell was not explored. The cells of each " +
	"lock say what messages and faults do together."
