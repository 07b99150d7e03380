package services

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A session is one connection to PostgreSQL. It carries out statements as a sql.Engine. While it has none, it listens: the server
// may end it.
type session struct {
	conn  *pgx.Conn
	gone  func(s *session, why error) // is called once, when the connection has ended
	once  sync.Once
	stop  context.CancelFunc // ends listening
	quiet chan struct{}      // closed when that has ended

	// The world's.
	transaction int              // which of the database's is the session's; -1 for none
	pending     []storage.Update // written in it
}

// user is as whom sessions connect.
const user = "postgres"

// open connects to the server that listens in a directory. When the connection ends later, gone is called.
func open(directory string, gone func(s *session, why error)) (*session, error) {
	conn, err := pgx.Connect(context.Background(), "user="+user+" sslmode=disable host="+directory)
	if err != nil {
		return nil, err
	}
	s := &session{conn: conn, gone: gone, transaction: -1}
	s.listen()
	return s, nil
}

// listen waits until the connection ends, or stop is called. It returns at once.
func (s *session) listen() {
	ctx, cancel := context.WithCancel(context.Background())
	s.stop, s.quiet = cancel, make(chan struct{})
	go func() {
		defer close(s.quiet)
		for ctx.Err() == nil {
			if _, err := s.conn.WaitForNotification(ctx); err != nil && s.conn.IsClosed() {
				s.end(err)
				return
			}
		}
	}()
}

func (s *session) end(why error) { s.once.Do(func() { s.gone(s, why) }) }

// do makes a request of the server, and returns its error as one of package sql, if it is one that the server has sent.
func (s *session) do(request func(ctx context.Context) error) error {
	s.stop()
	<-s.quiet
	if s.conn.IsClosed() {
		return errEnded
	}
	err := request(context.Background())
	if s.conn.IsClosed() {
		s.end(err)
	} else {
		s.listen()
	}
	return failure(err)
}

// errEnded is the error of a request for which there is no connection any more.
var errEnded = errors.New("the connection has ended")

// failure returns the errors of package sql for those of PostgreSQL that a lock must be ready for.
func failure(err error) error {
	refused := (*pgconn.PgError)(nil)
	switch {
	case !errors.As(err, &refused):
		return err
	case refused.Code == "55P03": // lock_not_available
		return sql.ErrLocked
	}
	return sql.Error(fmt.Sprintf("%s: %s", refused.Code, refused.Message))
}

// run carries out statements without arguments.
func (s *session) run(text string) error {
	return s.do(func(ctx context.Context) error { return s.conn.PgConn().Exec(ctx, text).Close() })
}

// Exec carries out a statement that changes something.
func (s *session) Exec(statement sql.Statement, args ...any) (affected bool, err error) {
	err = s.do(func(ctx context.Context) error {
		tag, err := s.conn.Exec(ctx, numbered(statement.Text()), args...)
		affected = tag.RowsAffected() > 0
		return err
	})
	return affected, err
}

// Query carries out a statement that asks.
func (s *session) Query(statement sql.Statement, args ...any) (row []int64, err error) {
	err = s.do(func(ctx context.Context) error {
		rows, err := s.conn.Query(ctx, numbered(statement.Text()), args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		if rows.Next() {
			row = make([]int64, len(rows.FieldDescriptions()))
			to := make([]any, len(row))
			for i := range row {
				to[i] = &row[i]
			}
			err = rows.Scan(to...)
		}
		rows.Close()
		return errors.Join(err, rows.Err())
	})
	return row, err
}

// numbered returns a statement with the numbers of its arguments: $1 for the first ?, and $N for ?N.
func numbered(text string) string {
	var b strings.Builder
	next := byte('1')
	for i := 0; i < len(text); i++ {
		if text[i] != '?' {
			b.WriteByte(text[i])
			continue
		}
		if i+1 < len(text) && '1' <= text[i+1] && text[i+1] <= '9' {
			i++
			next = text[i]
		}
		b.WriteByte('$')
		b.WriteByte(next)
		next++
	}
	return b.String()
}
