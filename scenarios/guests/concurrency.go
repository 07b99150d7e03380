package guests

import (
	"context"
	"net"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// etcdLog is where etcd's client logs to: LogTo sets it. Without one it logs to the standard error.
var etcdLog *zap.Logger

// concurrencyUse is how somebody uses etcd's concurrency.
type concurrencyUse struct {
	dials, pings, pinged time.Duration // the client's DialTimeout, DialKeepAliveTime and -Timeout; 0 for none, as by default
	tries                bool          // TryLock, and the scenario's retries
	unwatched            bool          // nobody looks at Session.Done
	closes, orphans      bool          // a session for each hold, which ends with Close, or with Orphan alone
	usual                bool          // NewSession without WithTTL: 60 s
}

// etcdctl is how etcdctl's lock and elect make their client, and readme how the client's README does.
var (
	etcdctl      = concurrencyUse{dials: 2 * time.Second, pings: 2 * time.Second, pinged: 6 * time.Second}
	clientReadme = concurrencyUse{dials: 5 * time.Second}
)

// but returns the use with something else about it.
func (u concurrencyUse) but(what func(u *concurrencyUse)) concurrencyUse {
	what(&u)
	return u
}

func unwatched(u *concurrencyUse) { u.unwatched = true }
func tries(u *concurrencyUse)     { u.tries = true }
func closes(u *concurrencyUse)    { u.closes = true }
func orphans(u *concurrencyUse)   { u.orphans = true }
func usual(u *concurrencyUse)     { u.usual = true }

// sessions are a client of etcd's, and its session: one until it is lost.
type sessions struct {
	concurrencyUse
	config *guest.Client
	*clientv3.Client
	session *concurrency.Session
}

// concurrencyMutex and concurrencyElection are how they are used.
func concurrencyMutex(u concurrencyUse) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		s, err := newSessions(c, u)
		if u.unwatched {
			return &etcdMutex{sessions: s}, err
		}
		return &watchedMutex{etcdMutex{sessions: s}}, err
	}
}

func concurrencyElection(u concurrencyUse) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		s, err := newSessions(c, u)
		return &etcdElection{sessions: s}, err
	}
}

func newSessions(c *guest.Client, u concurrencyUse) (s sessions, err error) {
	dial := func(ctx context.Context, address string) (net.Conn, error) { return c.Dial(ctx, "tcp", address) }
	s = sessions{concurrencyUse: u, config: c}
	s.Client, err = clientv3.New(clientv3.Config{Endpoints: c.Nodes, DialTimeout: u.dials, DialKeepAliveTime: u.pings,
		DialKeepAliveTimeout: u.pinged, Logger: etcdLog, DialOptions: []grpc.DialOption{grpc.WithContextDialer(dial)}})
	return s, err
}

// open begins a session, unless there is one that is not known to have ended.
func (s *sessions) open() (err error) {
	if s.session != nil && s.session.Ctx().Err() == nil {
		return nil
	}
	var ttl []concurrency.SessionOption
	if !s.usual {
		ttl = append(ttl, concurrency.WithTTL(int(s.config.Config.TTL/time.Second)))
	}
	s.session, err = concurrency.NewSession(s.Client, ttl...)
	return err
}

func (s *sessions) Close() { _ = s.Client.Close() }

// end ends the session of a hold, and with it the lock, unless it is orphaned.
func (s *sessions) end() error {
	if s.orphans {
		s.session.Orphan()
		return context.Canceled // no server has heard of it
	}
	return s.session.Close()
}

// etcdMutex is the Mutex of etcd's concurrency.
type etcdMutex struct {
	sessions
	mutex *concurrency.Mutex
}

func (l *etcdMutex) Acquire(ctx context.Context) (string, time.Time, error) {
	if err := l.open(); err != nil {
		return "", time.Time{}, err
	}
	l.mutex = concurrency.NewMutex(l.session, l.config.Config.Key)
	lock := l.mutex.Lock
	if l.tries {
		lock = l.mutex.TryLock
	}
	err := lock(ctx)
	return l.mutex.Key(), guest.NoDeadline, err
}

// Fence is the create revision of the key, which IsOwner compares.
func (l *etcdMutex) Fence() uint64 {
	own := l.mutex.IsOwner()
	return uint64(own.GetCompare().GetCreateRevision())
}

func (l *etcdMutex) Release(ctx context.Context) error {
	if l.closes || l.orphans {
		return l.end()
	}
	return l.mutex.Unlock(ctx)
}

// watchedMutex is one whose holder looks at Session.Done.
type watchedMutex struct{ etcdMutex }

func (l *watchedMutex) Lost() <-chan struct{} { return l.session.Done() }

// etcdElection is the Election of etcd's concurrency, whose leader looks at Session.Done.
type etcdElection struct {
	sessions
	election *concurrency.Election
}

func (l *etcdElection) Acquire(ctx context.Context) (string, time.Time, error) {
	if err := l.open(); err != nil {
		return "", time.Time{}, err
	}
	l.election = concurrency.NewElection(l.session, l.config.Config.Key)
	err := l.election.Campaign(ctx, l.config.Name())
	return l.election.Key(), guest.NoDeadline, err
}

func (l *etcdElection) Fence() uint64                     { return uint64(l.election.Rev()) }
func (l *etcdElection) Release(ctx context.Context) error { return l.election.Resign(ctx) }
func (l *etcdElection) Lost() <-chan struct{}             { return l.session.Done() }
