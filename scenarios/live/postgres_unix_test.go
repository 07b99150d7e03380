//go:build unix

package live

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// postgres starts a PostgreSQL server with an idle limit, whose wall clock the test steps, and returns where it listens.
func postgres(t *testing.T, w *realtest.Wall, idle time.Duration) (address string) {
	t.Helper()
	const untried = "the idle limit is not compared with PostgreSQL's"
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
	server := command("postgres", "-D", data, "-k", dir, "-c", "listen_addresses=", "-c", fmt.Sprintf("idle_in_transaction_session_timeout=%dms", idle.Milliseconds()))
	server.Env = w.Environ()
	simtest.Tie(server)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	})
	return filepath.Join(dir, ".s.PGSQL.5432")
}

// A backend is a connection to PostgreSQL.
type backend struct {
	t    *testing.T
	conn net.Conn
}

// connect waits until the server is ready for a query.
func connectTo(t *testing.T, address string) *backend {
	t.Helper()
	for range 200 {
		conn, err := net.Dial("unix", address)
		if err != nil {
			time.Sleep(50 * time.Millisecond)
			continue
		}
		b := &backend{t, conn}
		t.Cleanup(func() { conn.Close() })
		b.send(0, append(binary.BigEndian.AppendUint32(nil, 3<<16), "user\x00postgres\x00\x00"...))
		if b.until('Z') {
			return b
		}
		time.Sleep(50 * time.Millisecond) // it is starting up
	}
	t.Fatal("PostgreSQL is not ready in 10 s")
	return nil
}

// send sends a message; the first one of a connection has no type.
func (b *backend) send(typ byte, body []byte) {
	var m []byte
	if typ != 0 {
		m = append(m, typ)
	}
	if _, err := b.conn.Write(append(binary.BigEndian.AppendUint32(m, uint32(4+len(body))), body...)); err != nil {
		b.t.Fatal("PostgreSQL hung up: ", err)
	}
}

// until reads up to a message of that type, and reports whether it came before the connection ended.
func (b *backend) until(typ byte) bool {
	for {
		head := make([]byte, 5)
		if _, err := io.ReadFull(b.conn, head); err != nil {
			return false
		}
		if _, err := io.CopyN(io.Discard, b.conn, int64(binary.BigEndian.Uint32(head[1:]))-4); err != nil {
			return false
		}
		if head[0] == typ {
			return true
		}
	}
}

// See package sql, TestAStepBackLengthensTheIdleTimeAndAStepForwardDoesNot. The limits are so wide that the speed of this machine does not
// matter, but for a machine that does not get to the step in the three seconds of the limit.
func TestPostgresEndsAnIdleSessionByBothItsClocks(t *testing.T) {
	need.Long(t)
	w := realtest.NewWall(t)
	address := postgres(t, w, 3*time.Second)
	for _, c := range []struct{ step, least, most time.Duration }{
		{0, 3 * time.Second, 8 * time.Second}, {time.Hour, 3 * time.Second, 8 * time.Second}, {-6 * time.Second, 9 * time.Second, time.Minute},
	} {
		w.Set(0)
		b := connectTo(t, address)
		began := time.Now()
		b.send('Q', []byte("BEGIN\x00"))
		if !b.until('Z') {
			t.Fatal("BEGIN fails")
		}
		time.Sleep(200 * time.Millisecond)
		w.Set(c.step)
		b.until('Z') // never: the server ends the session
		if took := time.Since(began); took < c.least || took > c.most {
			t.Errorf("with a step of %v it took %v, want %v to %v", c.step, took, c.least, c.most)
		} else {
			t.Logf("with a step of %v it took %v", c.step, took)
		}
	}
}
