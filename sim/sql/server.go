package sql

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Config is how the server guards its resource. The zero value compares fencing tokens by order, records them in writes
// alone, and lets a session sit idle for ever.
type Config struct {
	storage.Config // how the guarded register detects a stale client, if not Optimistic

	// Optimistic makes the guarded register check the version that the writer had read, and nothing else.
	Optimistic bool

	// Idle is how long a session may sit in its transaction without a statement, on its host's monotonic clock; zero for
	// ever. With no limit, a holder that never comes back blocks all others, but nothing is lost.
	Idle time.Duration
}

// In is a request of package storage that a session makes within its transaction.
type In struct {
	Session string
	Request any
}

// A Span is the life of a session: the time for which it had the lock.
type Span struct {
	Session  string
	From, To clock.Instant // To is Forever while it lasts
	Ended    Ending        // why it ended
}

// An Ending is why a session ended. Its zero value is that of one that lasts.
type Ending struct {
	Cause  Cause
	By     int // Closed, Failed: the ID of the host whose statement it was; else -1
	Blamed int // Stopped: who turned the server off: see sim.World.Blame; else -1
}

// A Cause is what ended a session.
type Cause uint8

// The causes.
const (
	Lasting Cause = iota
	Closed        // its client committed it, or rolled it back
	Failed        // a statement failed in it
	Expired       // it had been idle for too long
	Stopped       // the server went off
)

// A Server is one database server. It is a sim.Service. The zero Server is ready to be attached, and costs nothing until
// then.
type Server struct {
	config Config
	host   *sim.Host

	spare []*connection // those that no transaction uses
	tx    transaction   // the engine has only one at a time

	session string          // the one whose transaction that is; empty for none
	at      clock.Instant   // when it last did something
	over    map[string]bool // the sessions that have ended

	updates []storage.Update
	spans   []Span
}

// Attach resets the server, and sets its host and configuration.
func (s *Server) Attach(h *sim.Host, c Config) {
	s.abandon()
	s.config, s.host = c, h
	s.updates, s.spans = s.updates[:0], s.spans[:0]
	if s.over == nil {
		s.create()
	}
	clear(s.over)
	fresh := s.borrow()
	_, err := fresh.Exec(wipe)
	must(err)
	s.spare = append(s.spare, fresh)
}

// abandon rolls back what a run has left open, also one that ended in a panic.
func (s *Server) abandon() {
	if s.tx.connection != nil {
		_ = s.finish(errOver)
	}
	s.session = ""
}

// create creates the database, which lives as long as its connections. Two are enough: one for the session that has the
// lock, and one for the others.
func (s *Server) create() {
	s.over = map[string]bool{}
	database := newDatabase()
	s.spare = append(s.spare, connect(database), connect(database))
	s.spare[0].script(schema)
}

// Close frees what the server holds. It may be attached again.
func (s *Server) Close() {
	s.abandon()
	for _, c := range s.spare {
		c.close()
	}
	*s = Server{}
}

// borrow takes a connection that no transaction uses.
func (s *Server) borrow() *connection {
	n := len(s.spare)
	c := s.spare[n-1]
	s.spare = s.spare[:n-1]
	return c
}

// Serve carries out a statement of a session, or a request of package storage by itself.
func (s *Server) Serve(request any) (reply any) {
	s.expire()
	var err error
	switch r := request.(type) {
	case []string:
		reply, err = s.control(r)
	case In:
		reply, err = s.within(r)
	default:
		reply, err = s.alone(r)
	}
	if err != nil {
		return err
	}
	return reply
}

// alone carries out a request in a transaction of its own.
func (s *Server) alone(request any) (reply any, err error) {
	if err := s.open(); err != nil {
		return nil, err
	}
	reply, err = s.carry(request)
	return reply, s.finish(err)
}

// A transaction is the one in progress, with what it has written so far.
type transaction struct {
	*connection // nil when there is none
	written     []storage.Update
}

// carry carries out a request of package storage in the transaction.
func (s *Server) carry(request any) (reply any, err error) {
	reply, err = Carry(s.tx.connection, &s.config, request)
	if w, ok := request.(*storage.Write); ok && err == nil {
		s.tx.written = append(s.tx.written, storage.Update{Write: *w, Made: reply.(storage.State)})
	}
	return reply, err
}

// open begins a transaction. If there is one already, the engine refuses it at once.
func (s *Server) open() error {
	c := s.borrow()
	if _, err := c.Exec(begin); err != nil {
		s.spare = append(s.spare, c)
		return err
	}
	s.tx = transaction{c, s.tx.written[:0]}
	return nil
}

// finish ends the transaction. It is committed, and only now are its writes on record; but if there was an error, it is
// rolled back, and finish returns the error.
func (s *Server) finish(err error) error {
	if err == nil {
		_, err = s.tx.Exec(commit)
	}
	if err != nil {
		_, e := s.tx.Exec(rollback)
		must(e)
	} else {
		s.record()
	}
	s.spare = append(s.spare, s.tx.connection)
	s.tx.connection = nil
	return err
}

func (s *Server) record() {
	for _, u := range s.tx.written {
		u.At = s.host.World().Now()
		s.updates = append(s.updates, u)
	}
}

// Updates lists the writes that were committed, in that order. It is valid until the server is attached again.
func (s *Server) Updates() []storage.Update { return s.updates }
