package findings_test

import (
	"testing"

	redislock "github.com/go-co-op/gocron-redis-lock/v2"
	"github.com/redis/go-redis/v9"
)

// gocron-redis-lock: two instances begin the same tick of a job a moment apart. The first is done, and has released the
// lock, before the second asks for it; so both do the job.
func TestGocronRunsAShortJobTwice(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s, done := start(), 0
		for range 2 {
			client := redis.NewClient(&redis.Options{Addr: s.addr})
			defer client.Close()
			locker, err := redislock.NewRedisLocker(client)
			if err != nil {
				t.Fatal(err)
			}
			lock, err := locker.Lock(t.Context(), "job")
			if err != nil {
				t.Fatalf("the library has changed: the job of this tick is not done again: %v", err)
			}
			done++
			if err := lock.Unlock(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("the job of one tick was done %d times", done)
	})
}
