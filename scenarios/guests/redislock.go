package guests

import (
	"context"
	"time"

	"github.com/bsm/redislock"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// redislockLock is bsm/redislock on the first node. The library does not say when a hold ends: see deadline.
type redislockLock struct {
	onGoRedis
	options *redislock.Options // of an attempt; nil for the usual ones
	lock    *redislock.Lock
	until   time.Time
}

// newRedislock is bsm/redislock over go-redis. One that waits tries again every 100 ms, as its documentation's example.
func newRedislock(w waits, again bool) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		l := &redislockLock{onGoRedis: firstNode(c, w)}
		if again {
			l.options = &redislock.Options{RetryStrategy: l}
		}
		return l, nil
	}
}

// NextBackoff returns the wait between two tries. The next try begins after it.
func (l *redislockLock) NextBackoff() time.Duration {
	const wait = 100 * time.Millisecond
	l.until = deadline(l.config).Add(wait)
	return wait
}

func (l *redislockLock) Acquire(ctx context.Context) (string, time.Time, error) {
	l.until = deadline(l.config)
	lock, err := redislock.Obtain(ctx, l.client, l.config.Config.Key, l.config.Config.TTL, l.options)
	if err != nil {
		return "", l.until, err
	}
	l.lock = lock
	return lock.Token(), l.until, nil
}

func (l *redislockLock) Extend(ctx context.Context) (time.Time, error) {
	until := deadline(l.config)
	return until, l.lock.Refresh(ctx, l.config.Config.TTL, nil)
}

func (l *redislockLock) Release(ctx context.Context) error { return l.lock.Release(ctx) }
