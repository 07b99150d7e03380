package services

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A database is PostgreSQL in the world, where it holds the resource. It accepts the same requests as the simulated
// one: statements that begin and end a transaction by its name, and requests of package storage, in a transaction or
// alone. Each transaction has a session. For an adapter's advisory lock it watches who holds it.
type database struct {
	live.Base
	network
	ledger // of advisory locks
	server server
	rules  sql.Config
	host   *sim.Host
	worker *live.Worker
	epoch  atomic.Int64 // counts the server's ends
	over   atomic.Bool  // from now on the driver ends connections

	// The worker's alone.
	spare  []*session
	active map[string]*session // by the name of its transaction; nil if that has ended

	// The world's alone.
	strike       int // who turned the server off
	stopped      clock.Instant
	transactions []transaction
	updates      []storage.Update
}

// A transaction is the life of a lock, with the time of its latest statement.
type transaction struct {
	live.Life
	idle clock.Instant
}

func newDatabase(d *live.Driver, programs string) *database {
	b := &database{
		Base: live.Base{Driver: d}, ledger: newLedger(checker.Unrecorded), server: server{driver: d, programs: programs},
		worker: live.NewWorker(), active: map[string]*session{},
	}
	b.network = newNetwork(d, func(int) (network, address string) { return "unix", b.server.directory() + "/.s.PGSQL.5432" })
	return b
}

// Updates lists the writes that were committed.
func (d *database) Updates() []storage.Update { return d.updates }

// Database returns the real database.
func (d *database) Database(rules sql.Config) sim.Service {
	d.rules = rules
	return d
}

// Begin makes the database, starts its server, and opens a session for each client.
func (d *database) Begin() error {
	if err := d.server.create(); err != nil {
		return err
	}
	if err := d.launch(); err != nil {
		return err
	}
	if err := d.fill(d.spare[0]); err != nil {
		return err
	}
	for range d.Scenario.Clients {
		s, err := open(d.server.directory(), d.gone)
		if err != nil {
			return err
		}
		d.spare = append(d.spare, s)
	}
	return nil
}

// fill creates the table.
func (d *database) fill(s *session) error {
	if err := s.run(sql.Resource.Text()); err != nil {
		return err
	}
	for _, row := range sql.Fill {
		if _, _, err := s.Do(row); err != nil {
			return err
		}
	}
	return nil
}

// launch starts the server, and opens a session.
func (d *database) launch() error {
	if err := d.server.launch(); err != nil {
		return err
	}
	first, err := d.server.await(d.gone)
	d.spare = []*session{first}
	return err
}

// Asked lists the host of the database.
func (d *database) Asked() []int { return []int{d.Scenario.Nodes} }

// Attach begins the world's time.
func (d *database) Attach(site *platform.Site) {
	d.Base.Attach(site)
	d.host = d.Host(d.Scenario.Nodes)
	go d.worker.Work()
	if d.Adapted {
		go d.watch()
	}
}

// Apply notes what has happened to links. The world calls Stop and Start.
func (d *database) Apply(e sim.Event) { d.network.apply(e) }

// Close ends the driver's work: from now on the driver itself ends connections.
func (d *database) Close() {
	d.over.Store(true)
	d.worker.Close()
}

// Stop ends all processes of the server immediately. The server reads its log at the next start.
func (d *database) Stop(bool) {
	d.epoch.Add(1)
	d.strike, d.stopped = d.host.World().Blamed(), d.Now()
	d.vanished = d.lost()
	p := d.server.latest.Load()
	p.Quit()
	d.worker.Put(func() { _ = p.Wait() })
}

// lost returns the ending of a life that the server forgot when it was turned off.
func (d *database) lost() checker.Ending {
	e := ending(checker.Lost)
	e.Strike = d.strike
	return e
}

// Start starts the server again.
func (d *database) Start() {
	d.worker.Put(func() {
		d.active = map[string]*session{}
		d.Must(d.launch())
	})
}

// Settle does nothing.
func (d *database) Settle() {}

// Serve passes a request on.
func (d *database) Serve(request any) any {
	ask, epoch := d.host.Asking(), d.epoch.Load()
	d.worker.Put(func() {
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
		d.Do(func() {
			if epoch == d.epoch.Load() {
				d.host.Answer(ask, reply)
			}
		})
	})
	return sim.Later
}

func (d *database) carryOut(request any, host int) (reply any, err error) {
	switch q := request.(type) {
	case []string:
		return d.control(q[0], q[1], host)
	case sql.In:
		return d.within(q, host)
	}
	return d.alone(request)
}

// control begins or ends a transaction.
func (d *database) control(statement, name string, host int) (tag string, err error) {
	s, known := d.active[name]
	switch {
	case statement == "BEGIN IMMEDIATE" && known:
		return "", sql.ErrEnded
	case statement == "BEGIN IMMEDIATE":
		return "BEGIN", d.begin(name)
	case statement == "ROLLBACK" && s == nil:
		d.active[name] = nil
		return "ROLLBACK", nil
	case s == nil:
		return "", sql.ErrEnded
	}
	return statement, d.end(s, name, statement, checker.Deleted, host)
}

// begin begins a transaction.
func (d *database) begin(name string) error {
	sent := d.Now()
	s, err := d.locked()
	if err != nil {
		return err
	}
	d.active[name] = s
	l := live.Life{Value: name, From: sent, Seen: d.Now(), Gone: clock.Forever, To: clock.Forever}
	d.Do(func() {
		s.transaction = len(d.transactions)
		d.transactions = append(d.transactions, transaction{l, sent})
	})
	return nil
}

// locked returns a session that has begun a transaction. One that fails is rolled back, and its session is spare again.
func (d *database) locked() (s *session, err error) {
	if n := len(d.spare); n > 0 {
		s, d.spare = d.spare[n-1], d.spare[:n-1]
	} else if s, err = open(d.server.directory(), d.gone); err != nil {
		return nil, err
	}
	if err = s.run("BEGIN"); err != nil {
		return nil, err
	}
	if _, _, err = s.Do(sql.Take); err != nil && s.run("ROLLBACK") == nil {
		d.spare = append(d.spare, s)
	}
	return s, err
}

// end ends a transaction with a statement, which a client has sent, or which follows a failed one.
func (d *database) end(s *session, name, statement string, why checker.Cause, host int) error {
	sent := d.Now()
	d.active[name] = nil
	if err := s.run(statement); err != nil {
		return err
	}
	got := d.Now()
	d.spare = append(d.spare, s)
	d.Do(func() {
		if l := d.ended(s, statement == "COMMIT"); l != nil {
			l.Gone, l.To = sent, got
			l.Ended = checker.Ending{Cause: why, Client: d.ClientOn(host), Strike: -1}
		}
	})
	return nil
}

// within carries out a request in a transaction. If that fails, so does the transaction.
func (d *database) within(q sql.In, host int) (reply any, err error) {
	s := d.active[q.Session]
	if s == nil {
		return nil, sql.ErrEnded
	}
	sent := d.Now()
	if reply, err = sql.Carry(s, &d.rules, q.Request); err != nil {
		_ = d.end(s, q.Session, "ROLLBACK", checker.Failed, host) // or the session has ended
		return nil, err
	}
	d.Do(func() {
		if s.transaction >= 0 {
			d.transactions[s.transaction].idle = sent
		}
	})
	d.wrote(s, q.Request, reply)
	return reply, nil
}

// alone carries out a request that is a transaction by itself.
func (d *database) alone(request any) (reply any, err error) {
	s, err := d.locked()
	if err != nil {
		return nil, err
	}
	reply, err = sql.Carry(s, &d.rules, request)
	statement := "COMMIT"
	if err != nil {
		statement = "ROLLBACK"
	}
	if e := s.run(statement); e != nil {
		return nil, errors.Join(err, e)
	}
	d.spare = append(d.spare, s)
	if err == nil {
		d.wrote(s, request, reply)
		d.Do(func() { d.ended(s, true) })
	}
	return reply, err
}

// wrote notes a write, which is recorded once its transaction is committed.
func (d *database) wrote(s *session, request, reply any) {
	if w, ok := request.(*storage.Write); ok {
		d.Do(func() { s.pending = append(s.pending, storage.Update{Write: *w, Made: reply.(storage.State)}) })
	}
}

// ended notes that a session's transaction has ended, and returns its life; nil for none.
func (d *database) ended(s *session, committed bool) *transaction {
	for _, u := range s.pending {
		if u.At = d.host.World().Now(); committed {
			d.updates = append(d.updates, u)
		}
	}
	s.pending = nil
	if s.transaction < 0 {
		return nil
	}
	t := &d.transactions[s.transaction]
	s.transaction = -1
	return t
}

// gone is called when a session has ended: by the server's idle limit, or with the server.
func (d *database) gone(s *session, why error) {
	if d.over.Load() {
		return
	}
	t := d.Now()
	d.Do(func() {
		l := d.ended(s, false)
		if l == nil {
			return
		}
		l.Gone, l.To, l.Ended = l.idle.Add(d.Scenario.Storage.Idle), t, ending(checker.Expired)
		if refused := (*pgconn.PgError)(nil); !errors.As(why, &refused) || refused.Code != "25P03" {
			l.Gone, l.Ended = max(l.Seen, d.stopped), d.lost()
		}
		l.Gone = min(l.Gone, l.To)
	})
}

// AppendLives appends the lives of the lock. One that lasts ends at its idle limit, if there is one.
func (d *database) AppendLives(all []checker.Span, wide bool) []checker.Span {
	lives := slices.Clone(d.lives)
	if !d.Adapted {
		limit := d.Scenario.Storage.Idle
		for _, t := range d.transactions {
			if t.To == clock.Forever && limit > 0 {
				t.Gone, t.To = t.idle.Add(limit), t.idle.Add(limit)
			}
			lives = append(lives, t.Life)
		}
	}
	for i := range lives {
		lives[i].Endless = lives[i].To == clock.Forever
	}
	return spans(all, lives, wide)
}

// holders asks who has the advisory lock: the session's name, which is its client's token.
const holders = `SELECT a.application_name FROM pg_locks l JOIN pg_stat_activity a USING (pid)
	WHERE l.locktype = 'advisory' AND l.granted`

// watch repeats that query until the run has ended.
func (d *database) watch() {
	ctx := context.Background()
	var s *session
	for ; !d.over.Load(); time.Sleep(live.ReadEvery) {
		if s == nil || s.conn.IsClosed() {
			s, _ = open(d.server.directory(), func(*session, error) {}) // it fails while the server is off
			continue
		}
		v := view{sent: d.Now()}
		err := s.do(func(context.Context) error { return s.conn.QueryRow(ctx, holders).Scan(&v.key) })
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		v.got = d.Now()
		d.Do(func() { d.noteHolder(v) })
	}
}

// noteHolder notes who had the lock. By then, lives that ended because the server was off have been noted.
func (d *database) noteHolder(v view) {
	d.note(v)
	if v.sent > d.stopped {
		d.vanished = checker.Ending{Client: -1, Strike: -1}
	}
}

// Freed notes that a client's process has released the lock.
func (d *database) Freed(token string, host int, sent clock.Instant) {
	d.delete(token, deletion{d.ClientOn(host), sent})
}
