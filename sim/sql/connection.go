package sql

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync/atomic"

	"modernc.org/sqlite"
	engine "modernc.org/sqlite/lib"
)

// An Error is an error reply. Its first word is the name of the condition, as SQL's standard or PostgreSQL has it.
type Error string

// Error gives the reply's text.
func (e Error) Error() string { return string(e) }

// What a client must be ready for.
const (
	ErrLocked = Error("lock_not_available: another session has locked the resource; nothing was done")
	ErrEnded  = Error("no_active_sql_transaction: the session has ended or never began; nothing was done")
)

// A connection is one to the engine, with the statements that it has prepared. It is used straight through its driver:
// database/sql would open, keep and close connections as it sees fit, in goroutines of its own. The context that the driver
// is given never ends, so the driver starts no goroutine either.
type connection struct {
	conn     driver.Conn
	prepared [statements]driver.Stmt
	args     [3]driver.NamedValue
	row      [2]driver.Value
}

// databases counts those that this process has made, for the engine finds them by name. The names show nowhere.
var databases atomic.Uint64

// newDatabase gives a name under which the engine has no database yet.
func newDatabase() string {
	return fmt.Sprintf("file:/lockstorm%d?vfs=memdb&_pragma=journal_mode(memory)", databases.Add(1))
}

// connect opens a connection to a database in memory, which lives until its last connection is closed.
func connect(database string) *connection {
	conn, err := (&sqlite.Driver{}).Open(database)
	if err != nil {
		panic("sql: the engine does not open a database: " + err.Error())
	}
	return &connection{conn: conn}
}

// close ends the connection.
func (c *connection) close() {
	for _, s := range c.prepared {
		if s != nil {
			must(s.Close())
		}
	}
	must(c.conn.Close())
}

// script carries out statements that are needed once.
func (c *connection) script(text string) {
	_, err := c.conn.(driver.ExecerContext).ExecContext(context.Background(), text, nil)
	must(err)
}

// must is for what only a mistake of ours can make fail.
func must(err error) {
	if err != nil {
		panic("sql: " + err.Error())
	}
}

// exec carries out a statement that changes something, and tells whether any row was affected.
func (c *connection) exec(s statement, args ...driver.Value) (affected bool, err error) {
	p, err := c.prepare(s)
	if err != nil {
		return false, failure(err)
	}
	result, err := p.(driver.StmtExecContext).ExecContext(context.Background(), c.named(args))
	if err != nil {
		return false, failure(err)
	}
	n, err := result.RowsAffected()
	return n > 0, failure(err)
}

// query carries out a statement that asks, and gives the first row of what it brings; nil when that is empty. The row is
// valid until the next statement.
func (c *connection) query(s statement, args ...driver.Value) (row []driver.Value, err error) {
	p, err := c.prepare(s)
	if err != nil {
		return nil, failure(err)
	}
	rows, err := p.(driver.StmtQueryContext).QueryContext(context.Background(), c.named(args))
	if err != nil {
		return nil, failure(err)
	}
	row = c.row[:len(rows.Columns())]
	err = rows.Next(row)
	if errors.Is(err, io.EOF) {
		row, err = nil, nil
	}
	return row, failure(errors.Join(err, rows.Close()))
}

// named gives arguments as the driver takes them.
func (c *connection) named(args []driver.Value) []driver.NamedValue {
	for i, a := range args {
		c.args[i] = driver.NamedValue{Ordinal: i + 1, Value: a}
	}
	return c.args[:len(args)]
}

// prepare makes a statement ready on its first use.
func (c *connection) prepare(s statement) (driver.Stmt, error) {
	if c.prepared[s] == nil {
		p, err := c.conn.Prepare(texts[s])
		if err != nil {
			return nil, err
		}
		c.prepared[s] = p
	}
	return c.prepared[s], nil
}

// failure turns an error of the engine into one that a client is told; nil stays nil.
func failure(err error) error {
	var e *sqlite.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &e) && e.Code()&0xff == engine.SQLITE_BUSY:
		return ErrLocked
	}
	return Error("internal_error: " + err.Error())
}
