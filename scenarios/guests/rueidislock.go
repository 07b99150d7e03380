package guests

import (
	"context"
	"time"

	"github.com/redis/rueidis/rueidislock"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// rueidislockLock is rueidislock with one key on the first node. It extends a hold by itself, for as long as the
// holder's context lives, so it computes no deadline.
type rueidislockLock struct {
	config  *guest.Client
	locker  rueidislock.Locker
	waits   bool // for the lock, in the library's own way
	sent    reader
	held    context.Context
	release context.CancelFunc
}

// newRueidislock is rueidislock over rueidis, without its client-side cache. One that waits calls WithContext.
func newRueidislock(w waits, loops, fallback bool) guest.Constructor {
	return func(c *guest.Client) (_ guest.Lock, err error) {
		l := &rueidislockLock{config: c, waits: loops, sent: reader{key: rueidislockKey(c.Config.Key)}}
		l.locker, err = rueidislock.NewLocker(rueidislock.LockerOption{
			KeyMajority: 1, KeyValidity: c.Config.TTL, TryNextAfter: w.timeout(c), ClientOption: rueidisOption(c, c.Nodes[0], w),
			ClientBuilder: l.sent.build, FallbackSETPX: fallback,
		})
		return l, err
	}
}

func (l *rueidislockLock) Acquire(ctx context.Context) (_ string, _ time.Time, err error) {
	take := l.locker.TryWithContext
	if l.waits {
		take = l.locker.WithContext
	}
	l.held, l.release, err = take(ctx, l.config.Config.Key)
	return l.sent.value, guest.NoDeadline, err
}

func (l *rueidislockLock) Lost() <-chan struct{}         { return l.held.Done() }
func (l *rueidislockLock) Release(context.Context) error { l.release(); return nil }
func (l *rueidislockLock) Close()                        { l.locker.Close() }
