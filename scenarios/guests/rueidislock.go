package guests

import (
	"context"
	"time"

	"github.com/redis/rueidis/rueidislock"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// rueidislockLock is rueidislock with one key on the first node. It extends a hold by itself, for as long as the holder's context
// lives, so it computes no deadline.
type rueidislockLock struct {
	config  *guest.Client
	locker  rueidislock.Locker
	sent    reader
	held    context.Context
	release context.CancelFunc
}

// Rueidislock is rueidislock over rueidis, without its client-side cache.
func Rueidislock(c *guest.Client) (_ guest.Lock, err error) {
	l := &rueidislockLock{config: c, sent: reader{key: rueidislockKey(c.Config.Key)}}
	l.locker, err = rueidislock.NewLocker(rueidislock.LockerOption{
		KeyMajority: 1, KeyValidity: c.Config.TTL, TryNextAfter: c.Config.Timeout, ClientOption: rueidisOption(c, c.Nodes[0]),
		ClientBuilder: l.sent.build,
	})
	return l, err
}

func (l *rueidislockLock) Acquire(ctx context.Context) (_ string, _ time.Time, err error) {
	l.held, l.release, err = l.locker.TryWithContext(ctx, l.config.Config.Key)
	return l.sent.value, guest.NoDeadline, err
}

func (l *rueidislockLock) Lost() <-chan struct{}         { return l.held.Done() }
func (l *rueidislockLock) Release(context.Context) error { l.release(); return nil }
func (l *rueidislockLock) Close()                        { l.locker.Close() }
