package guests

import (
	"context"
	"time"

	"github.com/go-redsync/redsync/v4"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// redsyncLock is a redsync.Mutex, new for each attempt, which sets a value of its own.
type redsyncLock struct {
	config  *guest.Client
	redsync *redsync.Redsync
	mutex   *redsync.Mutex
	closing
}

func (l *redsyncLock) Acquire(ctx context.Context) (string, time.Time, error) {
	l.mutex = l.redsync.NewMutex(l.config.Config.Key, redsync.WithExpiry(l.config.Config.TTL))
	err := l.mutex.TryLockContext(ctx)
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
