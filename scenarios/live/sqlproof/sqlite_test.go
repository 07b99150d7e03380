package sqlproof

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/ncruces/go-sqlite3"
	_ "github.com/ncruces/go-sqlite3/embed"     // the engine
	_ "github.com/ncruces/go-sqlite3/vfs/memdb" // its databases in memory

	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// sqlite is a database in memory, with a connection for each session.
type sqlite struct {
	t           testing.TB
	connections [sessions]*liteSession
}

// A liteSession is a connection, and its transaction.
type liteSession struct {
	t        testing.TB
	conn     *sqlite3.Conn
	prepared map[string]*sqlite3.Stmt
}

func newSQLite(t testing.TB) *sqlite {
	s := &sqlite{t: t}
	for i := range s.connections {
		conn, err := sqlite3.Open("file:/" + t.Name() + "?vfs=memdb&_pragma=journal_mode(memory)&_pragma=busy_timeout(0)")
		if err != nil {
			t.Fatal(err)
		}
		l := &liteSession{t, conn, map[string]*sqlite3.Stmt{}}
		t.Cleanup(func() {
			for _, p := range l.prepared {
				_ = p.Close()
			}
			_ = conn.Close()
		})
		s.connections[i] = l
	}
	for _, table := range tables {
		s.connections[0].must(s.connections[0].conn.Exec(table.Text()))
	}
	return s
}

func (s *sqlite) reset(rows []sql.Statement) {
	for _, l := range s.connections {
		if !l.conn.GetAutocommit() {
			l.End(false)
		}
	}
	l := s.connections[0]
	for _, table := range tables {
		l.must(l.conn.Exec("DELETE FROM " + table.Name))
	}
	for _, row := range rows {
		_, _, err := l.Do(row)
		l.must(err)
	}
}

func (s *sqlite) begin(session int) (transaction, error) {
	l := s.connections[session]
	if err := l.conn.Exec("BEGIN IMMEDIATE"); err != nil {
		return nil, failureOfSQLite(err)
	}
	return l, nil
}

func (l *liteSession) must(err error) {
	if err != nil {
		l.t.Fatal(err)
	}
}

// End ends the transaction.
func (l *liteSession) End(commit bool) {
	if commit {
		l.must(l.conn.Exec("COMMIT"))
		return
	}
	l.must(l.conn.Exec("ROLLBACK"))
}

// Do carries out a statement. SQLite has no FOR UPDATE: its transaction has locked the whole database.
func (l *liteSession) Do(s sql.Statement) (rows [][]any, n int, err error) {
	text, args := s.Text()
	text = strings.TrimSuffix(text, " FOR UPDATE NOWAIT")
	p := l.prepared[text]
	if p == nil {
		p, _, err = l.conn.Prepare(text)
		l.must(err)
		l.prepared[text] = p
	}
	for i, arg := range args {
		if v, ok := arg.(int64); ok {
			l.must(p.BindInt64(i+1, v))
		} else {
			l.must(p.BindText(i+1, arg.(string)))
		}
	}
	for p.Step() {
		row := make([]any, p.ColumnCount())
		for i := range row {
			if row[i] = p.ColumnInt64(i); s.Table.Columns[i].Type == "text" {
				row[i] = p.ColumnText(i)
			}
		}
		rows = append(rows, row)
	}
	if err := p.Reset(); err != nil {
		return nil, 0, failureOfSQLite(err)
	}
	if n = len(rows); s.Verb == sql.Update || s.Verb == sql.Insert {
		n = int(l.conn.Changes())
	}
	return rows, n, nil
}

func failureOfSQLite(err error) error {
	switch {
	case errors.Is(err, sqlite3.BUSY):
		return sql.ErrLocked
	case errors.Is(err, sqlite3.CONSTRAINT_PRIMARYKEY), errors.Is(err, sqlite3.CONSTRAINT_UNIQUE):
		return sql.Error("unique_violation")
	case errors.Is(err, sqlite3.CONSTRAINT_NOTNULL):
		return sql.Error("not_null_violation")
	}
	return err
}

func TestTheEngineDoesWhatSQLiteDoes(t *testing.T) {
	compare(t, newSQLite(t), true).least(t, "done", "begin: lock_not_available", "unique_violation", "not_null_violation")
}

// A whole update under the row lock, in the engine and in SQLite, in turns, so that a slow machine slows both.
func BenchmarkUpdate(b *testing.B) {
	real := newSQLite(b)
	real.reset(sql.Fill)
	var engine sql.Database
	tx := engine.Begin()
	for _, row := range sql.Fill {
		_, _, _ = tx.Do(row)
	}
	tx.End(true)
	config, statements := &sql.Config{}, 5 // the lock, the read, two updates, and what they made
	update := func(t transaction) {
		_, _, _ = t.Do(sql.Take)
		_, _ = sql.Carry(t, config, storage.Read{})
		_, _ = sql.Carry(t, config, &storage.Write{})
		t.End(true)
	}
	var took [2]time.Duration
	for b.Loop() {
		start := time.Now()
		update(engine.Begin())
		middle := time.Now()
		t, err := real.begin(0)
		if err != nil {
			b.Fatal(err)
		}
		update(t)
		took[0], took[1] = took[0]+middle.Sub(start), took[1]+time.Since(middle)
	}
	all := float64(b.N * statements)
	b.ReportMetric(float64(took[0])/all, "engine-ns/statement")
	b.ReportMetric(float64(took[1])/all, "sqlite-ns/statement")
	b.ReportMetric(float64(took[1])/float64(took[0]), "ratio")
}
