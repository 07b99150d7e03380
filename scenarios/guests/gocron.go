package guests

import (
	"context"
	"time"

	redislock "github.com/go-co-op/gocron-redis-lock/v2"
	"github.com/go-co-op/gocron/v2"
	"github.com/go-redsync/redsync/v4"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// gocronLock is the locker of go-co-op/gocron on the first node. The library does not say until when a lock is held: see
// deadline.
type gocronLock struct {
	onGoRedis
	value string
	lock  gocron.Lock
}

// Gocron is gocron's locker over go-redis. As its README has it, it tries once.
func Gocron(c *guest.Client) (guest.Lock, error) {
	return &gocronLock{onGoRedis: firstNode(c)}, nil
}

func (l *gocronLock) Acquire(ctx context.Context) (string, time.Time, error) {
	draw := func() (string, error) { l.value = newToken(); return l.value, nil }
	until := deadline(l.config)
	locker, err := redislock.NewRedisLocker(l.client, redislock.WithTries(1), redislock.WithExpiry(l.config.Config.TTL),
		redsync.WithGenValueFunc(draw))
	if err == nil {
		l.lock, err = locker.Lock(ctx, l.config.Config.Key)
	}
	return l.value, until, err
}

func (l *gocronLock) Release(ctx context.Context) error { return l.lock.Unlock(ctx) }
