package guests

import (
	"context"
	"time"

	"github.com/go-redsync/redsync/v4"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// redsyncLock is a redsync.Mutex: a new one for each attempt with one try, or one whose Lock tries again by itself.
type redsyncLock struct {
	config  *guest.Client
	redsync *redsync.Redsync
	options []redsync.Option
	loops   bool
	mutex   *redsync.Mutex
	closing
}

// redsyncTries is redsync with one try for each attempt, redsyncLocks with its own loop.
func redsyncTries(over poolsOf, w waits, options ...redsync.Option) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		pools, done := over(c, w)
		options := append([]redsync.Option{redsync.WithExpiry(c.Config.TTL)}, options...)
		return &redsyncLock{config: c, redsync: redsync.New(pools...), options: options, closing: done}, nil
	}
}

func redsyncLocks(over poolsOf, w waits) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		l, err := redsyncTries(over, w)(c)
		l.(*redsyncLock).loops = true
		return l, err
	}
}

func (l *redsyncLock) Acquire(ctx context.Context) (_ string, _ time.Time, err error) {
	if l.mutex == nil || !l.loops {
		l.mutex = l.redsync.NewMutex(l.config.Config.Key, l.options...)
	}
	if l.loops {
		err = l.mutex.LockContext(ctx)
	} else {
		err = l.mutex.TryLockContext(ctx)
	}
	return l.mutex.Value(), l.mutex.Until(), err
}

func (l *redsyncLock) Extend(ctx context.Context) (time.Time, error) {
	ok, err := l.mutex.ExtendContext(ctx)
	if err == nil && !ok {
		err = redsync.ErrExtendFailed
	}
	return l.mutex.Until(), err
}

func (l *redsyncLock) Release(ctx context.Context) error {
	_, err := l.mutex.UnlockContext(ctx)
	return err
}
