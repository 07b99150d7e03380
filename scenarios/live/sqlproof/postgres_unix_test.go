//go:build unix

package sqlproof

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
	"github.com/lockstorm/lockstorm/sim/sql"
)

// start starts a PostgreSQL server with a setting, and returns the directory where it listens. Without one, a test has
// not tried what untried says.
func start(t *testing.T, untried string, environ []string, setting string) (directory string) {
	t.Helper()
	need.Program(t, untried, "postgres")
	need.Program(t, untried, "initdb")
	dir, err := os.MkdirTemp("", "postgres")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	command := func(name string, args ...string) *exec.Cmd {
		c := exec.Command(name, args...)
		c.Dir = dir
		if os.Getuid() == 0 { // PostgreSQL does not run as root
			const nobody = 65534
			if err := os.Chown(dir, nobody, nobody); err != nil {
				t.Fatal(err)
			}
			c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		return c
	}
	data := filepath.Join(dir, "data")
	if out, err := command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync").CombinedOutput(); err != nil {
		need.Possible(t, untried, fmt.Errorf("initdb: %w: %s", err, out))
	}
	server := command("postgres", "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", "fsync=off", "-c", setting)
	server.Env = environ
	simtest.Tie(server)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	})
	return dir
}

// A backend is a connection to PostgreSQL, and its transaction.
type backend struct {
	t    testing.TB
	conn *pgx.Conn
}

// connect waits until the server is ready.
func connect(t *testing.T, directory string) *backend {
	t.Helper()
	for range 200 {
		conn, err := pgx.Connect(t.Context(), "user=postgres sslmode=disable host="+directory)
		if err == nil {
			t.Cleanup(func() { conn.Close(context.Background()) })
			return &backend{t, conn}
		}
		time.Sleep(50 * time.Millisecond) // it is starting up
	}
	t.Fatal("PostgreSQL is not ready in 10 s")
	return nil
}

// script carries out a statement that can't fail.
func (b *backend) script(text string) {
	if _, err := b.conn.Exec(context.Background(), text); err != nil {
		b.t.Fatal(text, ": ", err)
	}
}

// End ends the transaction.
func (b *backend) End(commit bool) {
	if commit {
		b.script("COMMIT")
		return
	}
	b.script("ROLLBACK")
}

// Do carries out a statement.
func (b *backend) Do(s sql.Statement) (rows [][]any, n int, err error) {
	text, args := s.Text()
	found, err := b.conn.Query(context.Background(), text, args...)
	if err == nil {
		rows, err = pgx.CollectRows(found, func(r pgx.CollectableRow) ([]any, error) { return r.Values() })
	}
	if err != nil || len(rows) == 0 {
		rows = nil
	}
	return rows, int(found.CommandTag().RowsAffected()), failureOfPostgres(err)
}

func failureOfPostgres(err error) error {
	refused := (*pgconn.PgError)(nil)
	if !errors.As(err, &refused) {
		return err
	}
	switch refused.Code {
	case "55P03": // also of a statement that has waited for the lock_timeout
		return sql.ErrLocked
	case "23505":
		return sql.Error("unique_violation")
	case "23502":
		return sql.Error("not_null_violation")
	}
	return err
}

// postgres is a server, with a connection for each session.
type postgres struct{ backends [sessions]*backend }

// wait is how long a statement waits for a lock, where it does not say NOWAIT. Nothing else is going on, so waiting longer does not help.
const wait = 5 * time.Millisecond

func newPostgres(t *testing.T) *postgres {
	directory := start(t, "the database in Go is not compared with PostgreSQL", nil, fmt.Sprintf("lock_timeout=%d", wait.Milliseconds()))
	p := &postgres{}
	for i := range p.backends {
		p.backends[i] = connect(t, directory)
	}
	for _, table := range tables {
		p.backends[0].script(table.Text())
	}
	return p
}

func (p *postgres) reset(rows []sql.Statement) {
	for _, b := range p.backends {
		b.script("ROLLBACK") // it may have no transaction: that is a warning
	}
	b := p.backends[0]
	b.script("BEGIN")
	for _, table := range tables {
		b.script("DELETE FROM " + table.Name)
	}
	for _, row := range rows {
		if _, _, err := b.Do(row); err != nil {
			b.t.Fatal(err)
		}
	}
	b.End(true)
}

func (p *postgres) begin(session int) (transaction, error) {
	p.backends[session].script("BEGIN")
	return p.backends[session], nil
}

func TestTheEngineDoesWhatPostgreSQLDoes(t *testing.T) {
	compare(t, newPostgres(t), false).least(t, "done", "lock_not_available", "unique_violation", "not_null_violation")
}

// See package sql, TestAStepBackLengthensTheIdleTimeAndAStepForwardDoesNot. The limits are so wide that the speed of
// this machine does not matter, except for a machine that does not get to the step in the three seconds of the limit.
func TestPostgresEndsAnIdleSessionByBothItsClocks(t *testing.T) {
	need.Long(t)
	w := realtest.NewWall(t)
	directory := start(t, "the idle limit is not compared with PostgreSQL's", w.Environ(), "idle_in_transaction_session_timeout=3000")
	for _, c := range []struct{ step, least, most time.Duration }{
		{0, 3 * time.Second, 8 * time.Second}, {time.Hour, 3 * time.Second, 8 * time.Second}, {-6 * time.Second, 9 * time.Second, time.Minute},
	} {
		w.Set(0)
		b := connect(t, directory)
		began := time.Now()
		b.script("BEGIN")
		time.Sleep(200 * time.Millisecond)
		w.Set(c.step)
		_, _ = b.conn.WaitForNotification(t.Context()) // until the server ends the session
		if took := time.Since(began); took < c.least || took > c.most {
			t.Errorf("with a step of %v it took %v, want %v to %v", c.step, took, c.least, c.most)
		} else {
			t.Logf("with a step of %v it took %v", c.step, took)
		}
	}
}
