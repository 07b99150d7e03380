package sql

import (
	"cmp"
	"slices"
)

// A Database holds the rows of tables. The zero Database is empty.
type Database struct{ tables map[*Table][]*entry } // rows in order of their keys

// An entry is what a table has under a key: a row, or none.
type entry struct {
	key       int64
	committed []any // its columns; nil for no row
	owner     *Tx   // the transaction that has locked it; nil for none
	written   []any // what the owner has written; nil for nothing
}

// A Tx is a transaction. It sees committed rows and its own writes. Rows that it locks or writes are locked until it
// ends: no other transaction can lock or write them. Nothing waits: a statement that PostgreSQL would let wait for the
// end of another transaction fails with [ErrLocked]. After a statement that failed a transaction must End(false).
type Tx struct {
	database *Database
	locked   []*entry
}

// Begin begins a transaction.
func (d *Database) Begin() *Tx { return &Tx{database: d} }

// End ends the transaction. It makes its writes permanent, or undoes them.
func (t *Tx) End(commit bool) {
	for _, r := range t.locked {
		if commit && r.written != nil {
			r.committed = r.written
		}
		r.owner, r.written = nil, nil
	}
	t.locked = nil
}

// Do carries out a statement. It returns the selected rows, which the caller must not change, and how many rows were
// found, changed or added.
func (t *Tx) Do(s Statement) (rows [][]any, n int, err error) {
	if s.Verb == Insert {
		return nil, 1, t.insert(s)
	}
	for _, r := range t.database.tables[s.Table] {
		values := t.sees(r)
		if values == nil || !s.matches(values) {
			continue
		}
		if s.Verb != Select && !t.lock(r) {
			return nil, 0, ErrLocked
		}
		if n++; s.Verb == Update {
			r.written = s.write(values)
		} else {
			rows = append(rows, values)
		}
	}
	return rows, n, nil
}

// sees returns a row as the transaction sees it; nil for none.
func (t *Tx) sees(r *entry) []any {
	if r.owner == t && r.written != nil {
		return r.written
	}
	return r.committed
}

// lock locks a row, and reports whether the transaction has the lock.
func (t *Tx) lock(r *entry) bool {
	if r.owner == nil {
		r.owner = t
		t.locked = append(t.locked, r)
	}
	return r.owner == t
}

// insert adds a row. If another transaction has written a row with that key, insert fails with ErrLocked.
func (t *Tx) insert(s Statement) error {
	values := s.write(make([]any, len(s.Table.Columns)))
	if i := slices.Index(values, nil); i >= 0 {
		return Error("not_null_violation: " + s.Table.Columns[i].Name + " has no value")
	}
	rows, key := t.database.tables[s.Table], values[0].(int64)
	i, found := slices.BinarySearchFunc(rows, key, func(r *entry, key int64) int { return cmp.Compare(r.key, key) })
	if !found {
		if t.database.tables == nil {
			t.database.tables = map[*Table][]*entry{}
		}
		rows = slices.Insert(rows, i, &entry{key: key})
		t.database.tables[s.Table] = rows
	}
	r := rows[i]
	if r.written != nil && r.owner != t {
		return ErrLocked
	}
	if t.sees(r) != nil {
		return Error("unique_violation: there is a row of that key")
	}
	t.lock(r)
	r.written = values
	return nil
}

// matches reports whether the statement applies to a row.
func (s Statement) matches(values []any) bool {
	return !slices.ContainsFunc(s.Where, func(t Term) bool { return !t.holds(values[s.Table.column(t.Column)]) })
}

// holds reports whether the term is true of the value of its column.
func (t Term) holds(value any) bool {
	switch t.Op {
	case Below:
		return value.(int64) < t.Value.(int64)
	case AtMost:
		return value.(int64) <= t.Value.(int64)
	}
	return value == t.Value
}

// write returns a row after the statement.
func (s Statement) write(values []any) []any {
	made := slices.Clone(values)
	for _, t := range s.Set {
		i := s.Table.column(t.Column)
		if made[i] = t.Value; t.Op == Add {
			made[i] = values[i].(int64) + t.Value.(int64)
		}
	}
	return made
}
