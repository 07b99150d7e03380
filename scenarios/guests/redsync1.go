package guests

import (
	"context"
	"time"

	"github.com/go-redsync/redsync"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// redsync1Lock is a Mutex of the first redsync, over redigo. It does not say when a hold ends: see deadline.
type redsync1Lock struct {
	config  *guest.Client
	redsync *redsync.Redsync
	mutex   *redsync.Mutex
	value   string
	until   time.Time
	closing
}

// Redsync1 is redsync v1 as in its README, which sets no timeouts.
func Redsync1(c *guest.Client) (guest.Lock, error) {
	all := redigoPools(c, 0)
	var pools []redsync.Pool
	for _, p := range all {
		pools = append(pools, p)
	}
	return &redsync1Lock{config: c, redsync: redsync.New(pools), closing: closeAll(all)}, nil
}

func (l *redsync1Lock) Acquire(context.Context) (string, time.Time, error) {
	if l.mutex == nil {
		draw := func() (string, error) { l.value = newToken(); return l.value, nil }
		l.mutex = l.redsync.NewMutex(l.config.Config.Key, redsync.SetExpiry(l.config.Config.TTL), redsync.SetGenValueFunc(draw),
			redsync.SetRetryDelayFunc(l.delay))
	}
	l.until = deadline(l.config)
	err := l.mutex.Lock()
	return l.value, l.until, err
}

// delay is the library's own wait between two tries. The next try begins after it.
func (l *redsync1Lock) delay(int) time.Duration {
	const usual = 500 * time.Millisecond
	l.until = deadline(l.config).Add(usual)
	return usual
}

func (l *redsync1Lock) Extend(context.Context) (time.Time, error) {
	until := deadline(l.config)
	ok, err := l.mutex.Extend()
	if err == nil && !ok {
		err = redsync.ErrFailed
	}
	return until, err
}

func (l *redsync1Lock) Release(context.Context) error {
	_, err := l.mutex.Unlock()
	return err
}
