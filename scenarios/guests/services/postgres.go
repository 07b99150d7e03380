package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/jackc/pgx/v5"
)

// A postgresLock is pg_try_advisory_lock on a session, which lives as long as its connection. It counts as lost when
// the client knows that the connection has ended. The client learns that only from a request.
type postgresLock struct {
	*config
	conn  *pgx.Conn
	token string
	nth   int
}

func newPostgres(c *config) (lock, error) { return &postgresLock{config: c}, nil }

// do makes a request. Without an answer in time it ends the connection. The session ends when the server learns that.
func (l *postgresLock) do(ctx context.Context, statement string, args ...any) (yes bool, err error) {
	err = l.conn.QueryRow(ctx, statement, args...).Scan(&yes)
	return yes, err
}

// acquire makes one attempt, on the existing connection or on a new one. The session has the name of the attempt, so
// that the server shows whose lock it is.
func (l *postgresLock) acquire() (token string, fence int64, err error) {
	ctx, cancel := within(l.timeout)
	defer cancel()
	if l.conn == nil || l.conn.IsClosed() {
		if l.conn, err = pgx.Connect(ctx, "postgres://postgres@"+l.servers[0]+"/postgres?sslmode=disable"); err != nil {
			return "", 0, err
		}
	}
	l.nth++
	token = fmt.Sprintf("%d-%d", os.Getpid(), l.nth)
	var named string
	if err := l.conn.QueryRow(ctx, "SELECT set_config('application_name', $1, false)", token).Scan(&named); err != nil {
		return "", 0, err
	}
	won, err := l.do(ctx, "SELECT pg_try_advisory_lock(hashtext($1))", l.key)
	if err == nil && !won {
		err = errTaken
	}
	l.token = token
	return token, 0, err
}

// held asks the server for anything.
func (l *postgresLock) held() error {
	ctx, cancel := within(l.timeout)
	defer cancel()
	return l.conn.Ping(ctx)
}

func (l *postgresLock) release() error {
	ctx, cancel := within(l.timeout)
	defer cancel()
	freed, err := l.do(ctx, "SELECT pg_advisory_unlock(hashtext($1))", l.key)
	if err == nil && !freed {
		err = errors.New("the session does not have the lock")
	}
	return err
}
