package guests

import (
	"context"
	"time"

	"github.com/redis/rueidis"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// rueidisLock is the lock of Redis's documentation on the first node: SET NX PX, and a compare-and-delete script.
type rueidisLock struct {
	onRueidis
	value string
}

var rueidisRelease = rueidis.NewLuaScript(
	`if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`)

// newRueidis is a lock on one node over rueidis.
func newRueidis(c *guest.Client) (guest.Lock, error) {
	client, err := rueidis.NewClient(rueidisOption(c, c.Nodes[0], asTold))
	return &rueidisLock{onRueidis: onRueidis{c, client}}, err
}

func (l *rueidisLock) Acquire(ctx context.Context) (string, time.Time, error) {
	until, config := deadline(l.config), &l.config.Config
	l.value = newToken()
	ctx, cancel := context.WithTimeout(ctx, config.Timeout)
	defer cancel()
	set := l.client.B().Set().Key(config.Key).Value(l.value).Nx().PxMilliseconds(config.TTL.Milliseconds()).Build()
	return l.value, until, l.client.Do(ctx, set).Error()
}

func (l *rueidisLock) Release(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, l.config.Config.Timeout)
	defer cancel()
	return rueidisRelease.Exec(ctx, l.client, []string{l.config.Config.Key}, []string{l.value}).Error()
}
