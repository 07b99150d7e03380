package services

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// mariaServers are the servers for GET_LOCK, in scenarios that have a lock of a database.
var mariaServers = live.ServerKind{
	Word: "mariadb", Locks: []scenarios.Kind{scenarios.RowLock}, Service: true, Resource: true,
	Name: "MariaDB", Lack: "locks of the kind sql-row-lock do not run live with --servers mariadb",
	Program: live.Program{Flag: "mariadb", Default: "mariadbd", Usage: "the `PROGRAM` to run as MariaDB's server"},
	Find:    findMariaDB, New: func(d *live.Driver, program string) live.Servers { return newMaria(d, program) },
	NeedsAdapter: "its lock is GET_LOCK; scenarios/guests/services takes it, as ./services mariadb",
	Refusal: func(f *faults.Fault, cast *faults.Cast) string {
		if !f.Kind.Links && !live.OnClients(f, cast) {
			return "live keeps MariaDB as it is, as the resource is not in it"
		}
		return refusal(f, cast)
	},
	Adapter: checkAdapter,
}

// findMariaDB finds a MariaDB. Debian keeps it off the PATH of some users.
func findMariaDB(name string) (program, server string, err error) {
	for _, candidate := range []string{cmp.Or(name, "mariadbd"), "/usr/sbin/mariadbd"} {
		if program, err = live.FindProgram(candidate); err == nil || name != "" {
			break
		}
	}
	if err != nil {
		return "", "", fmt.Errorf("there is no MariaDB; install it (Debian: mariadb-server), or say where mariadbd is with --mariadb")
	}
	out, err := live.VersionOf(program, "--no-defaults", "--version")
	if err != nil {
		return "", "", err
	}
	words := strings.Fields(out)
	i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(w, "-MariaDB") })
	if i < 0 {
		return "", "", fmt.Errorf("%s doesn't print its version as MariaDB does: %q", program, out)
	}
	version, _, _ := strings.Cut(words[i], "-")
	return program, "MariaDB " + version, nil
}

// A maria is MariaDB, whose GET_LOCK is the lock. The resource is simulated. The server shows the holder as the
// number of its connection, so that number is a hold's token.
type maria struct {
	live.Base
	network
	ledger
	program string
	process *live.Process
	reader  *sql.DB
	ctx     context.Context
	cancel  context.CancelFunc
}

func newMaria(d *live.Driver, program string) *maria {
	m := &maria{Base: live.Base{Driver: d}, program: program, ledger: newLedger(checker.Unrecorded)}
	m.network = newNetwork(d, func(int) (network, address string) { return "unix", m.socket() })
	m.greets = true
	m.ctx, m.cancel = context.WithCancel(context.Background())
	return m
}

func (m *maria) socket() string { return filepath.Join(m.Directory, "maria", "s") }

// Asked lists the host of the database.
func (m *maria) Asked() []int { return []int{m.Scenario.Nodes} }

// Begin starts the server, and waits until it answers. The server checks no users, and so needs no tables for them.
func (m *maria) Begin() (err error) {
	home := filepath.Dir(m.socket())
	if err := os.Mkdir(home, 0o700); err != nil {
		return err
	}
	args := []string{"--no-defaults", "--datadir=" + home, "--socket=" + m.socket(), "--pid-file=" + filepath.Join(home, "pid"),
		"--skip-networking", "--skip-grant-tables"}
	if os.Geteuid() == 0 {
		args = append(args, "--user=root")
	}
	c := exec.Command(m.program, args...)
	c.Dir = home
	if m.process, err = m.Start("mariadb", c); err != nil {
		return err
	}
	rules := mysql.NewConfig()
	rules.Net, rules.Addr, rules.User, rules.Logger = "unix", m.socket(), "root", &mysql.NopLogger{}
	connector, err := mysql.NewConnector(rules)
	if err != nil {
		return err
	}
	m.reader = sql.OpenDB(connector)
	m.reader.SetMaxOpenConns(1)
	for since := time.Now(); time.Since(since) < live.StartWithin && m.process.Alive(); time.Sleep(5 * time.Millisecond) {
		if m.reader.PingContext(m.ctx) == nil {
			return nil
		}
	}
	return m.process.Silent("")
}

// Attach begins the world's time, and starts watching the lock.
func (m *maria) Attach(site *platform.Site) {
	m.Base.Attach(site)
	go m.watch()
}

// Apply notes what has happened to links.
func (m *maria) Apply(e sim.Event) { m.network.apply(e) }

// watch asks for the lock's holder again and again, until the run has ended.
func (m *maria) watch() {
	for ; m.ctx.Err() == nil; time.Sleep(live.ReadEvery) {
		v, holder := view{sent: m.Now()}, sql.NullInt64{}
		if m.reader.QueryRowContext(m.ctx, "SELECT IS_USED_LOCK(?)", m.Key).Scan(&holder) != nil {
			continue
		}
		if v.got = m.Now(); holder.Valid {
			v.key = strconv.FormatInt(holder.Int64, 10)
		}
		m.Do(func() { m.note(v) })
	}
}

// Freed notes that a client's process has released the lock.
func (m *maria) Freed(token string, host int, sent clock.Instant) {
	m.delete(token, deletion{m.ClientOn(host), sent})
}

// AppendLives appends the lives of the lock.
func (m *maria) AppendLives(all []checker.Span, wide bool) []checker.Span {
	return spans(all, m.lives, wide)
}

// Close ends the watch.
func (m *maria) Close() {
	m.cancel()
	_ = m.reader.Close()
}
