package findings_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/zeromicro/go-zero/core/breaker"
	"github.com/zeromicro/go-zero/core/logx"
	"github.com/zeromicro/go-zero/core/stores/redis"
)

// go-zero: error replies open the circuit breaker of a client, which then refuses most commands, RedisLock's too. The
// server is well again, but a release is not sent, so the key stays until it expires. If the server has also forgotten
// its scripts, as in a restart, an acquire needs two commands, and the breaker passes one each second: no client gets a
// free lock.
func TestGoZeroRefusesAServerThatIsWell(t *testing.T) {
	logx.Disable()
	onEach(t, func(t *testing.T, start func() server) {
		s, ctx := start(), context.Background()
		store := redis.MustNewRedis(redis.RedisConf{Host: s.addr, Type: redis.NodeType})
		lock := func(key string) *redis.RedisLock {
			l := redis.NewRedisLock(store, key)
			l.SetExpire(60)
			return l
		}
		var held []*redis.RedisLock
		for i := range 10 {
			held = append(held, lock(fmt.Sprint("held-", i)))
			if ok, err := held[i].Acquire(); !ok || err != nil {
				t.Fatal(ok, err)
			}
		}

		full := func(yes bool) {
			switch {
			case s.mini != nil && yes:
				s.mini.SetError("OOM command not allowed when used memory > 'maxmemory'.")
			case s.mini != nil:
				s.mini.SetError("")
			case yes:
				s.ConfigSet(ctx, "maxmemory", "1")
			default:
				s.ConfigSet(ctx, "maxmemory", "0")
			}
		}
		full(true)
		for range 5000 {
			if ok, _ := lock("free").Acquire(); ok {
				t.Fatal("a server that is full grants a lock")
			}
		}
		full(false)

		refused := 0
		for _, l := range held {
			if _, err := l.Release(); errors.Is(err, breaker.ErrServiceUnavailable) {
				refused++
			}
		}
		if refused < 5 {
			t.Fatalf("%d of 10 releases are refused; the library has changed", refused)
		}
		if left := int64(len(s.Keys(ctx, "held-*").Val())); left != int64(refused) {
			t.Fatalf("%d keys are left of %d releases that were refused", left, refused)
		}
		t.Logf("the breaker refused %d of 10 releases, whose keys have most of a minute to live", refused)

		s.ScriptFlush(ctx)
		tries := 0
		for begun := time.Now(); time.Since(begun) < 2500*time.Millisecond; tries++ {
			if ok, _ := lock("free").Acquire(); ok {
				t.Fatalf("a free lock is acquired after %v; the library has changed", time.Since(begun))
			}
			time.Sleep(10 * time.Millisecond)
		}
		if ok, err := s.SetNX(ctx, "free", "another client", time.Minute).Result(); !ok || err != nil {
			t.Fatal(ok, err)
		}
		t.Logf("in 2.5 s %d tries did not get a free lock, which another client then got by its first", tries)
	})
}
