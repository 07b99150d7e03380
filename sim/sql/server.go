package sql

import (
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Config is how the server guards its resource. The zero value compares fencing tokens by order, records them only in
// writes, and never ends an idle session.
type Config struct {
	storage.Config

	// Idle is how long a session may be idle in its transaction; zero: forever. Then a holder that never comes back
	// blocks all other clients, but nothing is lost.
	Idle time.Duration
}

// In is a request of package storage within a session's transaction.
type In struct {
	Session string
	Request any
}

// A Span is the life of a session: the time for which it had the lock.
type Span struct {
	Session  string
	From, To clock.Instant // To is Forever until it ends
	Ended    Ending        // why it ended
}

// An Ending is why a session ended. Its zero value means that it lasts.
type Ending struct {
	Cause  Cause
	By     int // Closed, Failed: the ID of the host whose statement it was; else -1
	Blamed int // Stopped: the fault that turned the server off, see sim.World.Blame; else -1
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

// A Server is one database server. It is a sim.Service. The zero Server is ready to be attached.
type Server struct {
	config Config
	host   *sim.Host
	data   Database

	tx      *Tx              // the transaction that has the lock; nil for none
	written []storage.Update // in that transaction

	session string          // the session with that transaction; empty for none
	at      clock.Instant   // when it last did something
	over    map[string]bool // the sessions that have ended

	updates []storage.Update
	spans   []Span
}

// Attach resets the server, and sets its host and configuration.
func (s *Server) Attach(h *sim.Host, c Config) {
	*s = Server{config: c, host: h, written: s.written, over: map[string]bool{},
		updates: s.updates[:0], spans: s.spans[:0]}
	tx := s.data.Begin()
	for _, row := range Fill {
		_, _, _ = tx.Do(row) // no error: the table is empty
	}
	tx.End(true)
}

// Serve carries out a statement of a session, or a request of package storage outside a session.
func (s *Server) Serve(request any) (reply any) {
	s.expire()
	var err error
	switch r := request.(type) {
	case []string:
		reply, err = s.control(r)
	case In:
		reply, err = s.within(r)
	default:
		if err = s.open(); err == nil {
			reply, err = s.carry(r)
			s.finish(err == nil)
		}
	}
	if err != nil {
		return err
	}
	return reply
}

// open begins a transaction, if no other has the lock.
func (s *Server) open() error {
	tx := s.data.Begin()
	if _, _, err := tx.Do(Take); err != nil {
		return err
	}
	s.tx, s.written = tx, s.written[:0]
	return nil
}

// carry carries out a request of package storage in the transaction.
func (s *Server) carry(request any) (reply any, err error) {
	reply, err = Carry(s.tx, &s.config, request)
	if w, ok := request.(*storage.Write); ok && err == nil {
		s.written = append(s.written, storage.Update{Write: *w, Made: reply.(storage.State)})
	}
	return reply, err
}

// finish commits the transaction, which puts its writes on record, or rolls it back.
func (s *Server) finish(commit bool) {
	s.tx.End(commit)
	s.tx = nil
	for _, u := range s.written {
		if u.At = s.now(); commit {
			s.updates = append(s.updates, u)
		}
	}
}

func (s *Server) now() clock.Instant { return s.host.World().Now() }

// Updates lists the writes that were committed, in that order. It is valid until the server is attached again.
func (s *Server) Updates() []storage.Update { return s.updates }

// Stop is called when the host goes off. All its connections end. Committed data stays.
func (s *Server) Stop(bool) {
	if s.expire(); s.session != "" {
		s.end(s.now(), Ending{Stopped, -1, s.host.World().Blamed()}, false)
	}
}

// Start is called when the host is on again.
func (s *Server) Start() {}

// Settle is called when the host's clocks change. No session ends at that moment: see expires.
func (s *Server) Settle() {}
