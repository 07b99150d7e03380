package campaigns

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// grid returns the table of locks by budgets: in each cell a letter for each promise that breaks. It has the budgets of one
// kind of thing; what several kinds do together stands with each lock.
func (t *Theorem) grid() *reports.Table {
	var budgets []string
	heads := []string{"lock"}
	for _, l := range t.Locks {
		for _, c := range l.Cells {
			if name := shortBudget(&c); name != "" && !slices.Contains(budgets, name) {
				budgets = append(budgets, name)
			}
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

// shortBudget returns the head of a budget's column, or "" for one of several kinds of things.
func shortBudget(c *TheoremCell) string {
	if len(c.Faults) > 1 || len(c.Faults) == 1 && c.Messages > 0 {
		return ""
	}
	return strings.NewReplacer("no deviation", "none", "a restart delayed by half the TTL", "restart, ½ TTL",
		"a restart delayed by the TTL", "restart, 1 TTL", "a ", "", "of ", "").Replace(c.Budget)
}

// gridCell says what breaks of a lock within a budget: a letter for each promise, a dash for none, a ? where runs were cut short,
// and nothing where it was not explored.
func (l *TheoremLock) gridCell(budget string) reports.Cell {
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

// letters says what the letters of the grid stand for, in the words of the promises themselves.
func (t *Theorem) letters() *reports.Table {
	table := &reports.Table{Columns: []reports.Column{{Head: "letter"}, {Head: "promise"}, {Head: "asks", Kind: reports.Prose}}}
	if len(t.Locks) > 0 {
		for _, p := range t.Locks[0].Promises {
			table.Add(promiseLetter(p.Name), p.Name, wording.Question(p.Name))
		}
	}
	return table
}

// gridHead says how to read the grid.
const gridHead = "Which promise breaks where no more goes otherwise than its column says: so many messages late, lost or " +
	"behind others, or one fault. A letter is a promise that some schedule breaks, a dash that none does, in all of them; " +
	"a ? that runs were cut short, so that more may break; where nothing stands, it was not explored. What messages and " +
	"faults do together stands with each lock, below."
