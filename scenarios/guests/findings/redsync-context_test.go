package findings_test

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// redsync, README: a lock "as described in this post", whose fifth step is: "If the client failed to acquire the lock
// for some reason […], it will try to unlock all the instances". Here the reply comes after the caller's deadline.
// LockContext fails. The release that follows has the same context, which has ended: nothing is sent, and no client
// gets the lock for 8 seconds.
func TestRedsyncKeepsTheKeyOfAFailedAttempt(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		s := start()
		p := newProxy(t, s)
		quick := func(o *redis.Options) { o.ReadTimeout, o.MaxRetries = 200*time.Millisecond, -1 }
		rs := overGoRedis(t, quick, p.addr)
		if err := rs.NewMutex("another lock").Lock(); err != nil { // the connection is open
			t.Fatal(err)
		}
		for i := 0; s.Exists(t.Context(), "lock").Val() == 0; i++ {
			if i == 5 { // once may be that this machine is busy, and nothing was sent
				t.Fatal("the library has changed: it released what it had set")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
			p.replies.Lock()
			err := rs.NewMutex("lock").LockContext(ctx)
			p.replies.Unlock()
			cancel()
			if err == nil {
				t.Fatal("it got the lock after the deadline")
			}
		}
		other := overGoRedis(t, nil, s.addr).NewMutex("lock")
		t.Logf("another client, when the attempt has failed: %v; the key lives for %v more", other.TryLock(), s.PTTL(t.Context(), "lock").Val())
	})
}
