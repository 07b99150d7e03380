package sqlproof

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/lockstorm/lockstorm/sim/simtest" // its fixed seed
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A transaction is one of the engine, or of a real database.
type transaction interface {
	sql.Engine
	End(commit bool)
}

// A database is a real one. It has as many sessions as the test.
type database interface {
	// reset empties all tables, ends all transactions, and carries out statements.
	reset(rows []sql.Statement)
	// begin begins a transaction of a session. One of SQLite can fail.
	begin(session int) (transaction, error)
}

const sessions = 3

// ledger is another table: rows of different tables have nothing to do with each other.
var ledger = &sql.Table{Name: "ledger", Columns: []sql.Column{{Name: "id", Type: "bigint"}, {Name: "owner", Type: "text"}, {Name: "n", Type: "bigint"}}}

var tables = []*sql.Table{sql.Resource, ledger}

// A pair is a session in both databases; nil while it has no transaction.
type pair struct {
	engine *sql.Tx
	real   transaction
}

// A comparison is a random sequence of steps in both databases.
type comparison struct {
	*rapid.T
	engine    sql.Database
	real      database
	exclusive bool // each transaction begins with the row lock
	config    sql.Config
	sessions  [sessions]pair
	log       []string
	seen      *counts
}

// counts count events, so that a test can check that it has tried them.
type counts map[string]int

// compare runs random sequences of steps, and fails where the databases differ. It counts the events.
func compare(t *testing.T, real database, exclusive bool) counts {
	seen := counts{}
	rapid.Check(t, func(t *rapid.T) {
		c := &comparison{T: t, real: real, exclusive: exclusive, seen: &seen}
		c.config.Check = rapid.SampledFrom([]storage.Check{storage.Order, storage.Equality, storage.Version}).Draw(t, "check")
		c.config.Above, c.config.ReadsMark = rapid.Bool().Draw(t, "above"), rapid.Bool().Draw(t, "reads mark")
		tx := c.engine.Begin()
		for _, row := range sql.Fill {
			if _, _, err := tx.Do(row); err != nil {
				t.Fatal(err)
			}
		}
		tx.End(true)
		real.reset(sql.Fill)
		for range rapid.IntRange(1, 100).Draw(t, "steps") {
			c.step()
		}
		for i := range c.sessions {
			c.end(i, rapid.Bool().Draw(t, "commit"))
		}
		for _, table := range tables { // what is left
			c.alone(func(e sql.Engine) (any, int, error) { return do(e, sql.Statement{Verb: sql.Select, Table: table}) })
		}
	})
	return seen
}

var steps = []string{"act", "act", "act", "act", "act", "begin", "begin", "commit", "rollback"}

// step makes one step in a random session.
func (c *comparison) step() {
	i := rapid.IntRange(0, sessions-1).Draw(c.T, "session")
	if j := slices.IndexFunc(c.sessions[:], func(p pair) bool { return p.engine != nil }); j >= 0 && rapid.Bool().Draw(c.T, "open") {
		i = j
	}
	open := c.sessions[i].engine != nil
	switch what := rapid.SampledFrom(steps).Draw(c.T, "step"); {
	case open && what == "commit":
		c.end(i, true)
	case open && what == "rollback":
		c.end(i, false)
	case !open && what != "act":
		c.note(i, "BEGIN")
		c.begin(i)
	default:
		act := c.action(i)
		if !open {
			c.alone(act)
			return
		}
		if !c.same(act, c.sessions[i]) {
			c.end(i, false)
		}
	}
}

func (c *comparison) note(session int, text string) {
	c.log = append(c.log, fmt.Sprintf("%d: %s", session, text))
}

// begin begins a transaction, and reports whether it has begun.
func (c *comparison) begin(i int) bool {
	p := pair{engine: c.engine.Begin()}
	var err error
	if c.exclusive {
		_, _, err = p.engine.Do(sql.Take)
	}
	real, realErr := c.real.begin(i)
	if err != realErr {
		c.Fatalf("it begins with %v, and really with %v, after\n%s", err, realErr, c.text())
	}
	if err != nil {
		(*c.seen)["begin: "+condition(err)]++
		p.engine.End(false)
		return false
	}
	p.real = real
	c.sessions[i] = p
	return true
}

// end ends a session's transaction, if it has one.
func (c *comparison) end(i int, commit bool) {
	p := &c.sessions[i]
	if p.engine == nil {
		return
	}
	c.note(i, fmt.Sprintf("end, commit %t", commit))
	p.engine.End(commit)
	p.real.End(commit)
	*p = pair{}
}

// alone performs an action in a separate transaction.
func (c *comparison) alone(act action) {
	i := slices.IndexFunc(c.sessions[:], func(p pair) bool { return p.engine == nil })
	if i < 0 || !c.begin(i) {
		return
	}
	c.end(i, c.same(act, c.sessions[i]))
}

// An action does something in a transaction.
type action func(sql.Engine) (reply any, n int, err error)

func do(e sql.Engine, s sql.Statement) (any, int, error) {
	rows, n, err := e.Do(s)
	return rows, n, err
}

// same does something in both databases, and reports whether it succeeded.
func (c *comparison) same(act action, p pair) bool {
	reply, n, err := act(p.engine)
	really, m, realErr := act(p.real)
	if condition(err) != condition(realErr) || err == nil && (n != m || !reflect.DeepEqual(reply, really)) {
		c.Fatalf("it gives %v, %d, %v, and really %v, %d, %v, after\n%s", reply, n, err, really, m, realErr, c.text())
	}
	(*c.seen)[condition(err)]++
	return err == nil
}

func (c *comparison) text() (all string) {
	for _, line := range c.log {
		all += line + "\n"
	}
	return all
}

// condition is the name of an error; the rest of its text differs.
func condition(err error) string {
	switch e := err.(type) {
	case nil:
		return "done"
	case sql.Error:
		return e.Brief()
	}
	return err.Error()
}

// action draws a statement, or a request of package storage.
func (c *comparison) action(i int) action {
	if rapid.IntRange(0, 2).Draw(c.T, "kind") == 0 {
		request := c.request()
		c.note(i, fmt.Sprintf("%T%+v with %+v", request, request, c.config))
		return func(e sql.Engine) (any, int, error) {
			reply, err := sql.Carry(e, &c.config, request)
			return reply, 0, err
		}
	}
	s := c.statement()
	text, args := s.Text()
	c.note(i, fmt.Sprint(text, args))
	return func(e sql.Engine) (any, int, error) { return do(e, s) }
}

// request draws a request of package storage. Tokens are few, so that they meet.
func (c *comparison) request() any {
	pass := storage.Pass{Fence: rapid.Uint64Range(0, 4).Draw(c.T, "fence"), Token: c.word()}
	switch rapid.IntRange(0, 4).Draw(c.T, "request") {
	case 0:
		return storage.Read{Pass: pass}
	case 1:
		return storage.Ask{Pass: pass}
	}
	return &storage.Write{
		Pass: pass, Op: rapid.IntRange(0, 9).Draw(c.T, "op"), Asked: rapid.IntRange(0, 3).Draw(c.T, "asked") == 0,
		Base: storage.State{Fenced: rapid.Uint64Range(0, 4).Draw(c.T, "base")},
	}
}

func (c *comparison) word() string {
	return rapid.SampledFrom([]string{"", "a", "it's", "$1"}).Draw(c.T, "word")
}

// statement draws a statement. Keys are few, so that rows are there already, or not yet.
func (c *comparison) statement() sql.Statement {
	s := sql.Statement{Table: rapid.SampledFrom(tables).Draw(c.T, "table")}
	s.Verb = rapid.SampledFrom([]sql.Verb{sql.Select, sql.Select, sql.Lock, sql.Update, sql.Update, sql.Insert}).Draw(c.T, "verb")
	left := -1 // the column without a value
	if s.Verb == sql.Insert && rapid.IntRange(0, 5).Draw(c.T, "leaves out") == 5 {
		left = rapid.IntRange(1, len(s.Table.Columns)-1).Draw(c.T, "left out")
	}
	for i, column := range s.Table.Columns {
		if s.Verb == sql.Insert {
			if i != left {
				s.Set = append(s.Set, c.term(column, sql.Is))
			}
			continue
		}
		if rapid.IntRange(0, 2).Draw(c.T, "where") == 0 {
			s.Where = append(s.Where, c.term(column, sql.Is, sql.Below, sql.AtMost))
		}
		if s.Verb == sql.Update && i > 0 && (i == 1 || rapid.Bool().Draw(c.T, "set")) {
			s.Set = append(s.Set, c.term(column, sql.Is, sql.Add))
		}
	}
	return s
}

// term draws a term of a column, with one of the operations; a text can only be equal.
func (c *comparison) term(column sql.Column, of ...sql.Op) sql.Term {
	if column.Type == "text" {
		return sql.Term{Column: column.Name, Op: sql.Is, Value: c.word()}
	}
	return sql.Term{
		Column: column.Name, Op: rapid.SampledFrom(of).Draw(c.T, "op"), Value: rapid.Int64Range(0, 4).Draw(c.T, "value"),
	}
}

// least fails unless each of the conditions was seen; with -short there are too few sequences for all of them.
func (n counts) least(t *testing.T, conditions ...string) {
	t.Log(n)
	for _, c := range conditions {
		if n[c] < 2 && !testing.Short() {
			t.Errorf("%s was seen %d times: too seldom to prove anything", c, n[c])
		}
	}
}
