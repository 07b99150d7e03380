package guests

import (
	"context"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

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

// The create revision of the key numbers the holds.
var _, _ guest.Fencer = (*etcdMutex)(nil), (*etcdElection)(nil)

// etcdMutex is the Mutex of etcd's concurrency.
type etcdMutex struct {
	sessions
	mutex *concurrency.Mutex
}

func (l *etcdMutex) Acquire(ctx context.Context) (string, time.Time, error) {
	if err := l.open(ctx); err != nil {
		return "", time.Time{}, err
	}
	l.mutex = concurrency.NewMutex(l.session, l.config.Config.Key)
	lock := l.mutex.Lock
	if l.tries {
		lock = l.mutex.TryLock
	}
	ctx, cancel := l.within(ctx)
	defer cancel()
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
	ctx, cancel := l.within(ctx)
	defer cancel()
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
	if err := l.open(ctx); err != nil {
		return "", time.Time{}, err
	}
	l.election = concurrency.NewElection(l.session, l.config.Config.Key)
	err := l.election.Campaign(ctx, l.config.Name())
	return l.election.Key(), guest.NoDeadline, err
}

func (l *etcdElection) Fence() uint64                     { return uint64(l.election.Rev()) }
func (l *etcdElection) Release(ctx context.Context) error { return l.election.Resign(ctx) }
func (l *etcdElection) Lost() <-chan struct{}             { return l.session.Done() }
