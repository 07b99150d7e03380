package findings_test

import (
	"testing"

	"github.com/zeromicro/go-zero/core/logx"
	"github.com/zeromicro/go-zero/core/stores/redis"
)

// go-zero: a RedisLock draws its value when it is made, and sets it each time that it is acquired. A release that is
// late, and was sent again meanwhile, frees what the same RedisLock has acquired since. Another one gets the lock.
func TestGoZeroFreesALaterAcquire(t *testing.T) {
	logx.Disable()
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		late := newLateRelease(t, s.addr)
		lock := func(addr string) *redis.RedisLock {
			l := redis.NewRedisLock(redis.MustNewRedis(redis.RedisConf{Host: addr, Type: redis.NodeType}), "lock")
			l.SetExpire(60)
			return l
		}
		a, b := lock(late.addr), lock(s.addr)
		take := func(l *redis.RedisLock, want bool) {
			t.Helper()
			if ok, err := l.Acquire(); ok != want || err != nil {
				t.Fatalf("it acquires: %v, %v; want %v", ok, err, want)
			}
		}
		take(b, true)
		_, _ = b.Release() // so that the server knows the scripts
		take(a, true)
		if ok, err := a.Release(); !ok || err != nil { // the client gave up waiting after 3 s, and sent it again
			t.Fatal(ok, err)
		}
		take(a, true)
		take(b, false)
		late.deliver()
		take(b, true)
		t.Log("two hold the lock, each with most of a minute left")
	})
}
