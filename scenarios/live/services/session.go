package services

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A session is one connection to PostgreSQL. It carries out statements as a sql.Engine. Between statements it
// listens, because the server may end it.
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

// user is the user that sessions connect as.
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

// listen starts listening until the connection ends, or stop is called. It returns immediately.
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

// do makes a request of the server. It converts an error that the server has sent into one of package sql.
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

// errEnded is the error of a request without a connection.
var errEnded = errors.New("the connection has ended")

// failure converts an error of PostgreSQL into one of package sql, if a lock must handle it.
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

// Do carries out a statement.
func (s *session) Do(statement sql.Statement) (found [][]any, n int, err error) {
	text, args := statement.Text()
	err = s.do(func(ctx context.Context) error {
		rows, err := s.conn.Query(ctx, text, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			row, err := rows.Values()
			if err != nil {
				return err
			}
			found = append(found, row)
		}
		rows.Close()
		n = int(rows.CommandTag().RowsAffected())
		return rows.Err()
	})
	return found, n, err
}
