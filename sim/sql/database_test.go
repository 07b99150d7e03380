package sql

import (
	"fmt"
	"testing"
)

// Two transactions overlap. scenarios/live/sqlproof compares the same engine with SQLite and PostgreSQL.
func TestTransactionsSeeAndLockWhatTheyMay(t *testing.T) {
	insert := func(id int64) Statement { return fill(Term{"id", Is, id}) }
	all := Statement{Verb: Select, Table: Resource}
	lock := func(id int64) Statement { return Statement{Lock, Resource, nil, []Term{{"id", Is, id}}} }
	add := func(id int64) Statement {
		return Statement{Update, Resource, []Term{{"version", Add, int64(1)}}, []Term{{"id", Is, id}}}
	}
	nameless := Statement{Insert, Resource, []Term{{"id", Is, int64(7)}}, nil}
	const locked, unique = "lock_not_available", "unique_violation"

	for name, steps := range map[string][]struct {
		tx   int
		do   Statement
		want string // the versions of the rows that it returns, or the count of those that it writes, or the error
	}{
		"a write is seen by its transaction alone": {{0, add(1), "1"}, {0, all, "[1 0]"}, {1, all, "[0 0]"}},
		"a write locks":                         {{0, add(1), "1"}, {1, add(1), locked}},
		"a write locks no other row":            {{0, add(1), "1"}, {1, add(2), "1"}},
		"a lock locks":                          {{0, lock(1), "[0]"}, {1, add(1), locked}},
		"a lock lets others read":               {{0, lock(1), "[0]"}, {1, all, "[0 0]"}},
		"a read locks nothing":                  {{0, all, "[0 0]"}, {1, add(1), "1"}},
		"what is not there is not locked":       {{0, lock(3), "[]"}, {1, insert(3), "1"}},
		"a new row is seen by its transaction":  {{0, insert(3), "1"}, {0, all, "[0 0 0]"}, {1, all, "[0 0]"}, {1, add(3), "0"}},
		"a key that may be taken is waited for": {{0, insert(3), "1"}, {1, insert(3), locked}},
		"a row that is written is waited for":   {{0, add(1), "1"}, {1, insert(1), locked}},
		"a row that is locked is there":         {{0, lock(1), "[0]"}, {1, insert(1), unique}},
		"a key is unique":                       {{0, insert(2), unique}},
		"also in a transaction":                 {{0, insert(3), "1"}, {0, insert(3), unique}},
		"no column is null":                     {{0, nameless, "not_null_violation"}},
	} {
		for _, commit := range []bool{true, false} {
			var d Database
			fresh := d.Begin()
			for _, row := range Fill {
				_, _, _ = fresh.Do(row)
			}
			fresh.End(true)
			two, written := []*Tx{d.Begin(), d.Begin()}, false
			for i, step := range steps {
				got := outcome(two[step.tx], step.do)
				if got != step.want {
					t.Errorf("%s: step %d returns %s, want %s", name, i+1, got, step.want)
				}
				written = written || step.tx == 0 && got == "1"
			}
			before := outcome(two[0], all)
			two[1].End(false)
			two[0].End(commit)
			after := outcome(d.Begin(), all)
			if changed := after != "[0 0]"; changed != (commit && written) || changed && after != before {
				t.Errorf("%s: after the end, commit %t, there is %s", name, commit, after)
			}
			if got := outcome(d.Begin(), add(1)); got != "1" {
				t.Errorf("%s: after the end a write returns %s", name, got)
			}
		}
	}
}

// outcome is what a statement returns, in brief.
func outcome(tx *Tx, s Statement) string {
	rows, n, err := tx.Do(s)
	if err != nil {
		return err.(Error).Brief()
	}
	if s.Verb == Update || s.Verb == Insert {
		return fmt.Sprint(n)
	}
	versions := []any{}
	for _, r := range rows {
		versions = append(versions, r[1])
	}
	return fmt.Sprint(versions)
}

func TestAStatementHasItsTextInSQL(t *testing.T) {
	where := []Term{{"id", Is, int64(2)}, {"last_fencing_token", AtMost, int64(9)}}
	for _, c := range []struct {
		s    Statement
		want string
	}{
		{Statement{Verb: Select, Table: Resource}, "SELECT * FROM resource ORDER BY id []"},
		{Statement{Lock, Resource, nil, where[:1]}, "SELECT * FROM resource WHERE id = $1 ORDER BY id FOR UPDATE NOWAIT [2]"},
		{Statement{Update, Resource, []Term{{"version", Add, int64(1)}, {"last_token", Is, "a"}}, where},
			"UPDATE resource SET version = version + $1, last_token = $2 WHERE id = $3 AND last_fencing_token <= $4 [1 a 2 9]"},
		{Fill[0], "INSERT INTO resource (id, version, value, last_fencing_token, last_token) VALUES ($1, $2, $3, $4, $5) [1 0 0 0 ]"},
	} {
		text, args := c.s.Text()
		if got := text + " " + fmt.Sprint(args); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
