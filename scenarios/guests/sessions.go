package guests

import (
	"context"
	"net"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"
	"google.golang.org/grpc"

	"github.com/lockstorm/lockstorm/scenarios/guests/etcd"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// etcdLog is where etcd's client logs to: LogTo sets it. By default it logs to the standard error.
var etcdLog *zap.Logger

// concurrencyUse is a way of using etcd's concurrency.
type concurrencyUse struct {
	dials, pings, pinged time.Duration // the client's DialTimeout, DialKeepAliveTime and -Timeout; 0 for none, as by default
	tries                bool          // TryLock, and the scenario's retries and timeouts
	unwatched            bool          // the user ignores Session.Done
	closes, orphans      bool          // a session for each hold, which ends with Close, or with Orphan alone
	usual                bool          // NewSession without WithTTL: 60 s
}

// etcdctl is how etcdctl's lock and elect make their client, clientReadme how the client's README does. The nanosecond
// separates pings from the keep-alives of leases, due every half second: Go's timers of one moment are unordered.
var (
	etcdctl      = concurrencyUse{dials: 2 * time.Second, pings: 2*time.Second + 1, pinged: 6*time.Second + 1}
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

// sessions are a client of etcd, and its session: one until it is lost.
type sessions struct {
	concurrencyUse
	config *guest.Client
	*clientv3.Client
	session *concurrency.Session
	leaves  func() bool // the end of the guest's ends the client, for what waits by the client's context alone
}

func newSessions(c *guest.Client, u concurrencyUse) (s sessions, err error) {
	dial := func(ctx context.Context, address string) (net.Conn, error) { return c.Dial(ctx, "tcp", address) }
	s = sessions{concurrencyUse: u, config: c}
	s.Client, err = clientv3.New(clientv3.Config{Endpoints: c.Nodes, DialTimeout: u.dials, DialKeepAliveTime: u.pings,
		DialKeepAliveTimeout: u.pinged, Logger: etcdLog, DialOptions: append(etcd.DialOptions(), grpc.WithContextDialer(dial))})
	return s, err
}

// open begins a session, unless there is one that is not known to have ended.
func (s *sessions) open(ctx context.Context) (err error) {
	if s.leaves == nil {
		s.leaves = context.AfterFunc(ctx, s.Close)
	}
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

// within limits a call, if the use keeps the scenario's timeouts.
func (s *sessions) within(ctx context.Context) (context.Context, context.CancelFunc) {
	if s.tries {
		return context.WithTimeout(ctx, s.config.Config.Timeout)
	}
	return ctx, func() {}
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
