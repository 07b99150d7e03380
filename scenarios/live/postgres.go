package live

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// postgresServers are what a row lock runs on.
var postgresServers = serverKind{
	locks: []scenarios.Kind{scenarios.RowLock}, service: true, resource: true,
	name: "PostgreSQL", lack: "locks of the kind sql-row-lock do not run live", find: findPostgres,
	make: func(r *run, program string) servers { return newDatabase(r, program) },
	refusal: func(f *faults.Fault, cast *faults.Cast) string {
		if f.Kind == faults.Pause && !onClients(f, cast) {
			return "live does not pause a database"
		}
		return serviceRefusal(f, cast)
	},
}

// Updates lists the writes that were committed.
func (d *database) Updates() []storage.Update { return d.updates }

// Database returns the real database.
func (d *database) Database(rules sql.Config) sim.Service {
	d.rules = rules
	return d
}

// A database is PostgreSQL, which holds the resource. It takes what the simulated one takes: statements that begin and end a
// session, and requests of package storage, in a session or by themselves. Each session has a connection of its own.
type database struct {
	ofRun
	programs string // the directory of initdb and postgres
	rules    sql.Config
	host     *sim.Host
	latest   atomic.Pointer[process]
	worker   worker
	epoch    atomic.Int64 // counts the server's ends
	strike   int          // who turned it off
	stopped  clock.Instant

	// The worker's alone.
	spare    []*pgConn
	sessions map[string]*pgConn // nil for one that is over

	// The world's alone.
	sights  map[*pgConn]int // which of the lives is a connection's
	idle    []idling        // since when each life has been idle
	lives   []life
	pending map[*pgConn][]storage.Update // written in sessions that have not ended
	updates []storage.Update

	advisory ledger // of advisory locks, which adapters take

	mu    sync.Mutex
	quiet bool // what ends now is ended by us
}

// An idling is when a session's latest statement was sent.
type idling struct{ sent clock.Instant }

// postgresSchema is the table of package sql. Its columns are as wide as SQLite's.
const postgresSchema = `CREATE TABLE resource (id bigint PRIMARY KEY, version bigint NOT NULL, value bigint NOT NULL,
	last_fencing_token bigint NOT NULL, last_token text NOT NULL);
	INSERT INTO resource VALUES (1, 0, 0, 0, ''), (2, 0, 0, 0, '')`

func newDatabase(r *run, programs string) *database {
	d := &database{ofRun: ofRun{run: r}, programs: programs, sessions: map[string]*pgConn{}, sights: map[*pgConn]int{}, pending: map[*pgConn][]storage.Update{}, advisory: newLedger(checker.Unrecorded)}
	d.worker.more.L = &d.worker.mu
	return d
}

func (d *database) directory() string { return filepath.Join(d.run.directory, "postgres") }
func (d *database) socket() string    { return filepath.Join(d.directory(), ".s.PGSQL.5432") }

// command returns a command of PostgreSQL's, which does not run as root.
func (d *database) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(filepath.Join(d.programs, name), args...)
	c.Dir = d.directory()
	return c
}

// begin makes the database, and starts its server.
func (d *database) begin() error {
	if err := os.Chmod(d.run.directory, 0o711); err != nil { // another user's server is below it
		return err
	}
	if err := os.Mkdir(d.directory(), 0o700); err != nil {
		return err
	}
	if err := giveAway(d.directory()); err != nil {
		return err
	}
	c := d.command("initdb", "-D", filepath.Join(d.directory(), "data"), "-U", "postgres", "-A", "trust", "--no-sync", "--no-instructions")
	var words tail
	c.Stdout, c.Stderr = &words, &words
	asPostgres(c)
	p, err := d.run.starter.start("initdb", c, d.run.watchdog)
	if err != nil {
		return err
	}
	if <-p.ended; p.failure != nil {
		return fmt.Errorf("initdb: %w\n%s", p.failure, &words)
	}
	if err := d.launch(); err != nil {
		return err
	}
	first, err := d.connect()
	if err != nil {
		return err
	}
	if _, err := first.query(postgresSchema); err != nil {
		return err
	}
	d.spare = append(d.spare, first)
	for range d.run.scenario.Clients {
		c, err := d.connect()
		if err != nil {
			return err
		}
		d.spare = append(d.spare, c)
	}
	return nil
}

// launch starts the server.
func (d *database) launch() error {
	idle := d.run.scenario.Storage.Idle
	c := d.command("postgres", "-D", filepath.Join(d.directory(), "data"), "-k", d.directory(), "-c", "listen_addresses=",
		"-c", fmt.Sprintf("idle_in_transaction_session_timeout=%dms", idle.Milliseconds()))
	asPostgres(c)
	p, err := d.run.starter.start("postgres", c, d.run.watchdog)
	if err != nil {
		return err
	}
	d.latest.Store(p)
	return nil
}

// connect waits until the server takes a connection.
func (d *database) connect() (c *pgConn, err error) {
	p := d.latest.Load()
	for since := time.Now(); time.Since(since) < startWithin && p.alive(); time.Sleep(5 * time.Millisecond) {
		if c, err = dialPostgres("unix", d.socket(), d.gone); err == nil {
			return c, nil
		}
	}
	return nil, p.silent(p.words.String())
}

func (d *database) asked() []int { return []int{d.run.scenario.Nodes} }

// Attach begins the world's time.
func (d *database) Attach(site *platform.Site) {
	d.ofRun.Attach(site)
	d.host = d.run.host(d.run.scenario.Nodes)
	go d.worker.work()
	if d.run.adapted {
		go d.watch()
	}
}

func (d *database) address(int) (network, address string) { return "unix", d.socket() }

// Close ends what the driver does: what ends from now on is ended by us.
func (d *database) Close() {
	d.mu.Lock()
	d.quiet = true
	d.mu.Unlock()
	d.worker.close()
}

// isOver reports whether what ends now is ended by us.
func (d *database) isOver() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.quiet
}

// keys appends the sessions' lives. One that lasts ends at its idle limit, if there is one.
func (d *database) keys(to []checker.Span, wide bool) []checker.Span {
	if d.run.adapted {
		return d.advisoryKeys(to, wide)
	}
	lives, limit := slices.Clone(d.lives), d.run.scenario.Storage.Idle
	for i := range lives {
		l := &lives[i]
		if l.endless = l.to == clock.Forever && limit == 0; l.to == clock.Forever && limit > 0 {
			l.gone, l.to = d.idle[i].sent.Add(limit), d.idle[i].sent.Add(limit)
		}
	}
	return serviceSpans(to, lives, wide)
}

// gone is called when a connection has ended: by the server's idle limit, or with the server.
func (d *database) gone(c *pgConn) {
	if d.isOver() {
		return
	}
	at := d.run.now()
	d.run.act(func() {
		l, idle := d.over(c, false)
		if l == nil {
			return
		}
		l.gone, l.to = idle.sent.Add(d.run.scenario.Storage.Idle), at
		l.ended = checker.Ending{Cause: checker.Expired, Client: -1, Strike: -1}
		if refused := sql.Error(""); !errors.As(c.ended, &refused) || !strings.HasPrefix(string(refused), "25P03") {
			l.gone = max(l.seen, d.stopped)
			l.ended = checker.Ending{Cause: checker.Lost, Client: -1, Strike: d.strike}
		}
		l.gone = min(l.gone, l.to)
	})
}

// Stop ends the server. It is told in a way that ends all of its processes at once, and its log is read at the next start.
func (d *database) Stop(bool) {
	d.epoch.Add(1)
	d.strike, d.stopped = d.host.World().Blamed(), d.run.now()
	d.advisory.vanished = checker.Ending{Cause: checker.Lost, Client: -1, Strike: d.strike}
	quitGroup(d.latest.Load().pid())
	d.worker.put(func() { <-d.latest.Load().ended })
}

// Start starts it again.
func (d *database) Start() {
	d.worker.put(func() {
		d.spare, d.sessions = nil, map[string]*pgConn{}
		d.run.check(d.launch())
		c, err := d.connect()
		if d.run.check(err); err == nil {
			d.spare = append(d.spare, c)
		}
	})
}

// Settle does nothing.
func (d *database) Settle() {}

// Serve passes a request on.
func (d *database) Serve(request any) any {
	ask, epoch := d.host.Asking(), d.epoch.Load()
	d.worker.put(func() {
		if epoch != d.epoch.Load() {
			return
		}
		reply, err := d.carryOut(request, ask.From())
		if err != nil {
			refused := sql.Error("")
			if !errors.As(err, &refused) {
				refused = sql.ErrEnded // the connection has ended
			}
			reply = refused
		}
		d.run.act(func() {
			if epoch == d.epoch.Load() {
				d.host.Answer(ask, reply)
			}
		})
	})
	return sim.Later
}

func (d *database) carryOut(request any, from int) (reply any, err error) {
	switch q := request.(type) {
	case []string:
		return d.control(q[0], q[1], from)
	case sql.In:
		c := d.sessions[q.Session]
		if c == nil {
			return nil, sql.ErrEnded
		}
		sent := d.run.now()
		if reply, err = sql.Carry(c, &d.rules, q.Request); err != nil {
			d.abort(q.Session, from)
			return nil, err
		}
		d.run.act(func() {
			if i, ok := d.sights[c]; ok {
				d.idle[i].sent = sent
			}
		})
		d.wrote(c, q.Request, reply)
		return reply, nil
	}
	return d.alone(request)
}

// lock begins a transaction that locks the row, or fails at once.
const lock = `BEGIN; SELECT id FROM resource WHERE id = 1 FOR UPDATE NOWAIT`

// control begins or ends a session.
func (d *database) control(statement, session string, from int) (tag string, err error) {
	c, known := d.sessions[session]
	sent := d.run.now()
	switch {
	case statement == "BEGIN IMMEDIATE" && known:
		return "", sql.ErrEnded
	case statement == "BEGIN IMMEDIATE":
		if c, err = d.borrow(); err != nil {
			return "", err
		}
		if err := d.open(c); err != nil {
			return "", err
		}
		d.sessions[session] = c
		l := life{value: session, from: sent, seen: d.run.now(), gone: clock.Forever, to: clock.Forever}
		d.run.act(func() {
			d.sights[c] = len(d.lives)
			d.lives, d.idle = append(d.lives, l), append(d.idle, idling{sent})
		})
		return "BEGIN", nil
	case statement == "ROLLBACK" && c == nil:
		d.sessions[session] = nil
		return "ROLLBACK", nil
	case c == nil:
		return "", sql.ErrEnded
	}
	_, err = c.query(statement)
	got := d.run.now()
	d.sessions[session] = nil
	if err != nil {
		return "", err
	}
	d.spare = append(d.spare, c)
	d.run.act(func() { d.ended(c, checker.Deleted, statement == "COMMIT", from, sent, got) })
	return statement, nil
}

// ended notes the end of a session by a statement of its client's.
func (d *database) ended(c *pgConn, why checker.Cause, committed bool, from int, sent, got clock.Instant) {
	if l, _ := d.over(c, committed); l != nil {
		l.gone, l.to = sent, got
		l.ended = checker.Ending{Cause: why, Client: d.run.clientAt(from), Strike: -1}
	}
}

// over ends a connection's transaction, and returns the life of its session, which is over; nil if it had none.
func (d *database) over(c *pgConn, committed bool) (*life, idling) {
	d.settle(c, committed)
	i, ok := d.sights[c]
	if !ok {
		return nil, idling{}
	}
	delete(d.sights, c)
	return &d.lives[i], d.idle[i]
}

// wrote notes a write, which is on record once its transaction is committed.
func (d *database) wrote(c *pgConn, request, reply any) {
	if w, ok := request.(*storage.Write); ok {
		d.run.act(func() { d.pending[c] = append(d.pending[c], storage.Update{Write: *w, Made: reply.(storage.State)}) })
	}
}

// settle ends a transaction.
func (d *database) settle(c *pgConn, committed bool) {
	for _, u := range d.pending[c] {
		if u.At = d.host.World().Now(); committed {
			d.updates = append(d.updates, u)
		}
	}
	delete(d.pending, c)
}

// open begins a transaction on a connection. One that fails is rolled back, and the connection is spare again.
func (d *database) open(c *pgConn) error {
	if _, err := c.query(lock); err != nil {
		if _, e := c.query("ROLLBACK"); e == nil {
			d.spare = append(d.spare, c)
		}
		return err
	}
	return nil
}

// borrow takes a connection that no session uses.
func (d *database) borrow() (*pgConn, error) {
	if n := len(d.spare); n > 0 {
		c := d.spare[n-1]
		d.spare = d.spare[:n-1]
		return c, nil
	}
	return dialPostgres("unix", d.socket(), d.gone)
}

// abort ends a session in which something failed, if it is still there.
func (d *database) abort(session string, from int) {
	c := d.sessions[session]
	d.sessions[session] = nil
	sent := d.run.now()
	if _, err := c.query("ROLLBACK"); err != nil {
		return
	}
	got := d.run.now()
	d.spare = append(d.spare, c)
	d.run.act(func() { d.ended(c, checker.Failed, false, from, sent, got) })
}

// alone carries out a request in a transaction of its own.
func (d *database) alone(request any) (reply any, err error) {
	c, err := d.borrow()
	if err != nil {
		return nil, err
	}
	if err := d.open(c); err != nil {
		return nil, err
	}
	reply, err = sql.Carry(c, &d.rules, request)
	end := "COMMIT"
	if err != nil {
		end = "ROLLBACK"
	}
	if _, e := c.query(end); e != nil {
		return nil, errors.Join(err, e)
	}
	d.spare = append(d.spare, c)
	if err == nil {
		d.wrote(c, request, reply)
		d.run.act(func() { d.settle(c, true) })
	}
	return reply, err
}

// findPostgres finds the directory of PostgreSQL's programs. Debian keeps them off the PATH.
func findPostgres(o *Options) (directory, server string, err error) {
	candidates := []string{o.Postgres}
	if o.Postgres == "" {
		if on, err := exec.LookPath("postgres"); err == nil {
			candidates = append(candidates, filepath.Dir(on))
		}
		debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
		slices.Reverse(debian)
		candidates = append(candidates, debian...)
	}
	for _, directory := range candidates {
		out, err := exec.Command(filepath.Join(directory, "postgres"), "--version").Output()
		if words := strings.Fields(string(out)); directory != "" && err == nil && len(words) > 2 {
			directory, err = filepath.Abs(directory)
			return directory, "PostgreSQL " + words[2], err
		}
	}
	return "", "", fmt.Errorf("there is no PostgreSQL; install it (Debian: postgresql), or say in which directory its programs are with --postgres")
}
