package guests_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/bsm/redislock"
	"github.com/redis/go-redis/v9"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// What libraries do with a TTL of 0, one that is negative, and one below a millisecond: they refuse it, or the key
// lives for so long at most. libraries.md has the table.
func TestTTLsThatAreNone(t *testing.T) {
	const refused, day = 0, 24 * time.Hour
	ttls := []time.Duration{0, -time.Second, 500 * time.Microsecond}
	wants := map[string][3]time.Duration{
		"redsync-readme": {refused, refused, time.Millisecond}, "redislock": {refused, refused, refused},
		"gocron": {refused, refused, time.Millisecond}, "asynq": {refused, refused, refused}, "rueidis": {refused, refused, refused},
		"rueidislock-readme": {5 * time.Second, 5 * time.Second, time.Millisecond},
		"gozero":             {500 * time.Millisecond, 137 * 365 * day, 500 * time.Millisecond},
	}
	address := server(t)
	look := redis.NewClient(&redis.Options{Addr: address})
	defer look.Close()
	tried := 0
	each(t, func(t *testing.T, l *guests.Library) {
		want, listed := wants[l.Name]
		if !listed { // another configuration of the library is
			return
		}
		tried++
		for i, ttl := range ttls {
			config := locks.Config{Key: scenarios.LockKey, Rules: locks.Rules{TTL: ttl, Timeout: 10 * time.Second}}
			look.FlushAll(t.Context())
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			_, _, err := open(t, l, config, address).Acquire(ctx)
			for err != nil && want[i] == time.Millisecond && ctx.Err() == nil { // the reply took longer than the TTL
				_, _, err = open(t, l, config, address).Acquire(ctx)
			}
			cancel()
			if (err != nil) != (want[i] == refused) {
				t.Errorf("TTL %v: %v", ttl, err)
			}
			for _, key := range look.Keys(t.Context(), "*lock").Val() {
				if lives := look.PTTL(t.Context(), key).Val(); lives > want[i] || want[i] > day && lives < want[i]/2 {
					t.Errorf("TTL %v: the key lives for %v, want %v", ttl, lives, want[i])
				}
			}
		}
	})
	if *library == "" && tried != len(wants) {
		t.Errorf("tried %d of the %d libraries: one has another name now", tried, len(wants))
	}
}

// A Refresh of redislock by a TTL of 0 deletes the key, and reports success, as redis-py's reacquire does
// (redis-py#4279).
func TestARefreshByZeroDeletesTheKey(t *testing.T) {
	look := redis.NewClient(&redis.Options{Addr: server(t)})
	defer look.Close()
	for _, ttl := range []time.Duration{0, -time.Second, 500 * time.Microsecond} {
		l, err := redislock.Obtain(t.Context(), look, "k", time.Minute, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Refresh(t.Context(), ttl, nil); err != nil {
			t.Errorf("%v: %v; the finding is that it succeeds", ttl, err)
		}
		if err := l.Release(t.Context()); !errors.Is(err, redislock.ErrLockNotHeld) {
			t.Errorf("%v: release: %v; the finding is that the key is gone", ttl, err)
		}
	}
}
