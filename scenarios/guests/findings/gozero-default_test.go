package findings_test

import (
	"context"
	"testing"
	"time"

	"github.com/zeromicro/go-zero/core/logx"
	"github.com/zeromicro/go-zero/core/stores/redis"
)

// go-zero, Redis Lock: "Default expiration time of 1500 ms", and "automatic renewal". The key has half a second to live
// from the beginning, and nothing makes that longer: once it has passed, another one gets the lock.
func TestGoZeroExpiresAfterHalfASecond(t *testing.T) {
	logx.Disable()
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		lock := func() *redis.RedisLock {
			return redis.NewRedisLock(redis.MustNewRedis(redis.RedisConf{Host: s.addr, Type: redis.NodeType}), "lock")
		}
		if ok, err := lock().Acquire(); !ok || err != nil {
			t.Fatal(ok, err)
		}
		if left, err := s.PTTL(context.Background(), "lock").Result(); err != nil || left > 500*time.Millisecond {
			t.Fatalf("the key has %v to live, %v; the library has changed", left, err)
		}
		for range 60 { // on a machine that is busy, the server's half a second takes longer
			sleep(10*time.Millisecond, s)
		}
		if ok, err := lock().Acquire(); !ok || err != nil {
			t.Fatalf("another one gets it: %v, %v; the library has changed", ok, err)
		}
	})
}
