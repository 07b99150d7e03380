package main

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"github.com/go-sql-driver/mysql"
)

// A mariaLock is GET_LOCK on a session, which lives as long as its connection. As with PostgreSQL, it counts as lost
// when the client knows that the connection has ended. The server shows the holder by its connection, one for each
// hold.
type mariaLock struct {
	*config
	db   *sql.DB
	conn *sql.Conn // nil for none
}

func newMaria(c *config) (lock, error) {
	rules := mysql.NewConfig()
	rules.Net, rules.Addr, rules.User, rules.Logger = "tcp", c.servers[0], "root", &mysql.NopLogger{}
	connector, err := mysql.NewConnector(rules)
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxIdleConns(-1) // a connection that is closed ends
	return &mariaLock{config: c, db: db}, nil
}

// ask makes a request whose answer is a number, or NULL for 0. Without an answer in time it ends the connection. The
// session ends as soon as the server learns of that.
func (l *mariaLock) ask(ctx context.Context, statement string, args ...any) (n int64, err error) {
	var answer sql.NullInt64
	err = l.conn.QueryRowContext(ctx, statement, args...).Scan(&answer)
	if err != nil {
		l.end()
	}
	return answer.Int64, err
}

// end ends the connection.
func (l *mariaLock) end() {
	_ = l.conn.Close()
	l.conn = nil
}

func (l *mariaLock) acquire() (token string, fence int64, err error) {
	ctx, cancel := within(l.timeout)
	defer cancel()
	if l.conn == nil {
		if l.conn, err = l.db.Conn(ctx); err != nil {
			return "", 0, err
		}
	}
	id, err := l.ask(ctx, "SELECT CONNECTION_ID()")
	if err != nil {
		return "", 0, err
	}
	won, err := l.ask(ctx, "SELECT GET_LOCK(?, 0)", l.key)
	if err == nil && won != 1 {
		err = errTaken
	}
	return strconv.FormatInt(id, 10), 0, err
}

var errNoConnection = errors.New("the connection has ended")

// held asks the server for anything.
func (l *mariaLock) held() error {
	if l.conn == nil {
		return errNoConnection
	}
	ctx, cancel := within(l.timeout)
	defer cancel()
	_, err := l.ask(ctx, "SELECT 1")
	return err
}

func (l *mariaLock) release() error {
	if l.conn == nil {
		return errNoConnection
	}
	ctx, cancel := within(l.timeout)
	defer cancel()
	freed, err := l.ask(ctx, "SELECT RELEASE_LOCK(?)", l.key)
	if err != nil {
		return err
	}
	l.end()
	if freed != 1 {
		return errors.New("the session does not have the lock")
	}
	return nil
}
