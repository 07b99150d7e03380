package guests

import (
	"context"
	"time"

	"github.com/redis/rueidis"
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

// rueidislockKey is the first of the keys under which rueidislock keeps a lock.
func rueidislockKey(name string) string { return "rueidislock:0:" + name }

// Rueidislock is rueidislock over rueidis, without its client-side cache.
func Rueidislock(c *guest.Client) (_ guest.Lock, err error) {
	l := &rueidislockLock{config: c, sent: reader{key: rueidislockKey(c.Config.Key)}}
	l.locker, err = rueidislock.NewLocker(rueidislock.LockerOption{
		KeyMajority: 1, KeyValidity: c.Config.TTL, TryNextAfter: c.Config.Timeout, ClientOption: rueidisOption(c, c.Nodes[0]),
		ClientBuilder: func(o rueidis.ClientOption) (_ rueidis.Client, err error) {
			l.sent.Client, err = rueidis.NewClient(o)
			return &l.sent, err
		},
	})
	return l, err
}

// A reader is the client as the library uses it. It reads the lock's value off the commands, as it can't be asked for.
type reader struct {
	rueidis.Client
	key, value string
}

// Do sends a command of the library's: EVALSHA sha 1 key value deadline.
func (r *reader) Do(ctx context.Context, cmd rueidis.Completed) rueidis.RedisResult {
	if args := cmd.Commands(); len(args) == 6 && args[3] == r.key {
		r.value = args[4]
	}
	return r.Client.Do(ctx, cmd)
}

func (l *rueidislockLock) Acquire(ctx context.Context) (_ string, _ time.Time, err error) {
	l.held, l.release, err = l.locker.TryWithContext(ctx, l.config.Config.Key)
	return l.sent.value, guest.NoDeadline, err
}

func (l *rueidislockLock) Lost() <-chan struct{}         { return l.held.Done() }
func (l *rueidislockLock) Release(context.Context) error { l.release(); return nil }
func (l *rueidislockLock) Close()                        { l.locker.Close() }
