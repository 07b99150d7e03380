//go:build !js

package sql

import (
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/embed"     // the engine
	_ "github.com/ncruces/go-sqlite3/vfs/memdb" // its databases in memory
)

// A connection is one to the engine, with the statements that it has prepared.
type connection struct {
	conn     *sqlite3.Conn
	prepared [statements]*sqlite3.Stmt
	row      [2]int64
}

// databases counts those that this process has made, for the engine finds them by name. The names show nowhere.
var databases atomic.Uint64

// newDatabase returns a name under which the engine has no database yet.
func newDatabase() string {
	return fmt.Sprintf("file:/lockstorm%d?vfs=memdb&_pragma=journal_mode(memory)&_pragma=busy_timeout(0)", databases.Add(1))
}

// connect opens a connection to a database in memory, which lives until its last connection is closed.
func connect(database string) *connection {
	conn, err := sqlite3.Open(database)
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
func (c *connection) script(text string) { must(c.conn.Exec(text)) }

// Exec carries out a statement that changes something, and reports whether any row was affected.
func (c *connection) Exec(s Statement, args ...any) (affected bool, err error) {
	p, err := c.bound(s, args)
	if err == nil {
		err = p.Exec()
	}
	return err == nil && c.conn.Changes() > 0, failure(err)
}

// Query carries out a statement that asks, and returns the first row of the answer; nil when that is empty. The row is
// valid until the next statement.
func (c *connection) Query(s Statement, args ...any) (row []int64, err error) {
	p, err := c.bound(s, args)
	if err != nil {
		return nil, failure(err)
	}
	if p.Step() {
		row = c.row[:p.ColumnCount()]
		for i := range row {
			row[i] = p.ColumnInt64(i)
		}
	}
	return row, failure(p.Reset())
}

// bound returns a statement that is ready to be carried out. It is prepared on its first use.
func (c *connection) bound(s Statement, args []any) (p *sqlite3.Stmt, err error) {
	if c.prepared[s] == nil {
		if c.prepared[s], _, err = c.conn.Prepare(texts[s]); err != nil {
			return nil, err
		}
	}
	p = c.prepared[s]
	for i, arg := range args {
		switch v := arg.(type) {
		case int64:
			err = p.BindInt64(i+1, v)
		case string:
			err = p.BindText(i+1, v)
		}
		if err != nil {
			return nil, err
		}
	}
	return p, nil
}

// failure turns an error of the engine into one that a client is told; nil stays nil.
func failure(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sqlite3.BUSY):
		return ErrLocked
	}
	return Error("internal_error: " + err.Error())
}
