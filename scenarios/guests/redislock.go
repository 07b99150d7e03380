package guests

import (
	"context"
	"time"

	"github.com/bsm/redislock"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// redislockLock is bsm/redislock on the first node. The library does not say until when a lock is held: see deadline.
type redislockLock struct {
	onGoRedis
	lock *redislock.Lock
}

// Redislock is bsm/redislock over go-redis.
func Redislock(c *guest.Client) (guest.Lock, error) {
	return &redislockLock{onGoRedis: firstNode(c)}, nil
}

func (l *redislockLock) Acquire(ctx context.Context) (string, time.Time, error) {
	until := deadline(l.config)
	lock, err := redislock.Obtain(ctx, l.client, l.config.Config.Key, l.config.Config.TTL, nil)
	if err != nil {
		return "", until, err
	}
	l.lock = lock
	return lock.Token(), until, nil
}

func (l *redislockLock) Extend(ctx context.Context) (time.Time, error) {
	until := deadline(l.config)
	return until, l.lock.Refresh(ctx, l.config.Config.TTL, nil)
}

func (l *redislockLock) Release(ctx context.Context) error { return l.lock.Release(ctx) }
