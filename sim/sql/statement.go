package sql

import (
	"fmt"
	"slices"
	"strings"
)

// A Table is the definition of a table. Its first column is the primary key, a bigint, and no column may be null.
type Table struct {
	Name    string
	Columns []Column
}

// A Column is a column of a table. Its type is bigint, which is an int64 in Go, or text, a string.
type Column struct{ Name, Type string }

// Text returns the statement that creates the table.
func (t *Table) Text() string {
	var columns []string
	for _, c := range t.Columns {
		columns = append(columns, c.Name+" "+c.Type+" NOT NULL")
	}
	return fmt.Sprintf("CREATE TABLE %s (%s, PRIMARY KEY (%s))", t.Name, strings.Join(columns, ", "), t.Columns[0].Name)
}

// column returns the place of a column.
func (t *Table) column(name string) int {
	return slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == name })
}

// A Statement is a statement of SQL as a value. A [Tx] carries it out, and any other database takes its text.
type Statement struct {
	Verb  Verb
	Table *Table
	Set   []Term // what it writes
	Where []Term // it applies to the rows for which all of these hold
}

// A Verb is what a statement does.
type Verb uint8

// The verbs.
const (
	Select Verb = iota // return rows in the order of their keys
	Lock               // return and lock them
	Update             // change rows
	Insert             // add a row, with the values of Set
)

// A Term compares a column with a value, or changes it.
type Term struct {
	Column string
	Op     Op
	Value  any // an int64 or a string
}

// An Op is what a term does.
type Op string

// The operations, as SQL writes them between column and value.
const (
	Is     Op = " = "  // the column has the value; in Set, it gets the value
	Below  Op = " < "  // the column is less than the value
	AtMost Op = " <= " // the column is not more than the value
	Add    Op = " + "  // in Set: the value is added
)

// Text returns the statement in SQL, with its arguments: the first is $1.
func (s Statement) Text() (text string, args []any) {
	join := func(terms []Term, separator string, form func(t Term, value string) string) string {
		var all []string
		for _, t := range terms {
			args = append(args, t.Value)
			all = append(all, form(t, fmt.Sprint("$", len(args))))
		}
		return strings.Join(all, separator)
	}
	whole := func(t Term, value string) string { return t.Column + string(t.Op) + value }
	switch s.Verb {
	case Insert:
		names := join(s.Set, ", ", func(t Term, _ string) string { return t.Column })
		args = nil
		values := join(s.Set, ", ", func(_ Term, value string) string { return value })
		return fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", s.Table.Name, names, values), args
	case Update:
		text = "UPDATE " + s.Table.Name + " SET " + join(s.Set, ", ", func(t Term, value string) string {
			if t.Op == Add {
				value = whole(t, value)
			}
			return t.Column + " = " + value
		})
	default:
		text = "SELECT * FROM " + s.Table.Name
	}
	if len(s.Where) > 0 {
		text += " WHERE " + join(s.Where, " AND ", whole)
	}
	order := " ORDER BY " + s.Table.Columns[0].Name
	return text + [...]string{Select: order, Lock: order + " FOR UPDATE NOWAIT", Update: ""}[s.Verb], args
}
