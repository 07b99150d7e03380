package guests

import (
	"context"
	"time"

	redislock "github.com/go-co-op/gocron-redis-lock/v2"
	"github.com/go-co-op/gocron/v2"
	"github.com/go-redsync/redsync/v4"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// gocronLock is the locker of go-co-op/gocron on the first node. It does not say when a hold ends: see deadline.
type gocronLock struct {
	onGoRedis
	extend time.Duration // how often it extends by itself; 0 for never
	value  string
	lock   gocron.Lock
}

// newGocron is gocron's locker over go-redis. As its README has it, it tries once.
func newGocron(w waits, extends bool) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		l := &gocronLock{onGoRedis: firstNode(c, w)}
		if extends {
			l.extend = c.Config.TTL / 3
		}
		return l, nil
	}
}

func (l *gocronLock) Acquire(ctx context.Context) (string, time.Time, error) {
	until := deadline(l.config)
	if l.extend > 0 {
		until = guest.NoDeadline // the library reports no end
	}
	locker, err := l.locker()
	if err == nil {
		l.lock, err = locker.Lock(ctx, l.config.Config.Key)
	}
	return l.value, until, err
}

// locker makes a locker, which asks the node whether it is there.
func (l *gocronLock) locker() (gocron.Locker, error) {
	draw := func() (string, error) { l.value = newToken(); return l.value, nil }
	options := []redsync.Option{redislock.WithTries(1), redislock.WithExpiry(l.config.Config.TTL), redsync.WithGenValueFunc(draw)}
	if l.extend == 0 {
		return redislock.NewRedisLocker(l.client, options...)
	}
	return redislock.NewRedisLockerWithOptions(l.client, redislock.WithAutoExtendDuration(l.extend),
		redislock.WithRedsyncOptions(options...))
}

func (l *gocronLock) Release(ctx context.Context) error { return l.lock.Unlock(ctx) }
