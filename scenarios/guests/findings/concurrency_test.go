package findings_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.etcd.io/etcd/client/v3/concurrency"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Campaign, documentation: "Multiple sessions can participate in the election for the same prefix, but only one can be
// the leader at a time." B's lease ends while B waits behind A, and B's key with it. When A resigns, B's Campaign says
// that B leads. So does C's, and rightly. A Mutex says in the same place that the session is expired.
func TestCampaignIsWonWithoutAKey(t *testing.T) {
	t.Parallel()
	s := realEtcd(t)
	direct := etcdClient(t, s.addr)
	a, c := session(t, direct, 60), session(t, direct, 60)
	b := session(t, etcdClient(t, s.addr), 60)
	first, second := concurrency.NewElection(a, "lead"), concurrency.NewElection(b, "lead")
	third := concurrency.NewElection(c, "lead")
	holds, waits := concurrency.NewMutex(a, "lock"), concurrency.NewMutex(b, "lock")
	if err := errors.Join(first.Campaign(t.Context(), "a"), holds.Lock(t.Context())); err != nil {
		t.Fatal(err)
	}
	won, got := make(chan error, 1), make(chan error, 1)
	go func() { won <- second.Campaign(t.Context(), "b") }()
	go func() { got <- waits.Lock(t.Context()) }()
	for len(keys(t, direct, "lead/")) < 2 || len(keys(t, direct, "lock/")) < 2 {
		time.Sleep(5 * time.Millisecond)
	}
	if _, err := direct.Revoke(t.Context(), b.Lease()); err != nil { // as when nothing was heard of it for its TTL
		t.Fatal(err)
	}
	if err := errors.Join(first.Resign(t.Context()), holds.Unlock(t.Context())); err != nil {
		t.Fatal(err)
	}
	if err := <-got; !errors.Is(err, concurrency.ErrSessionExpired) {
		t.Errorf("the Mutex: %v; want that the session is expired", err)
	}
	if err := <-won; err != nil {
		t.Fatalf("the library has changed: Campaign returns %v where its own key is gone", err)
	}
	if err := third.Campaign(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	select {
	case <-b.Done():
		need.Possible(t, "b does not miss its end", errors.New("this machine is too busy, so that b has learned of its end"))
	default:
	}
	leader, err := second.Leader(t.Context())
	if err != nil || string(leader.Kvs[0].Value) != "c" {
		t.Fatalf("%v, %v; want c as the leader", leader, err)
	}
	t.Logf("b and c have won, and b's session is not known to have ended; the keys are %q", keys(t, direct, "lead/"))
}

// Session, documentation: Done "returns a channel that closes when the lease is orphaned, expires, or is otherwise no
// longer being refreshed". The client counts the TTL from when it has read the latest answer, and checks once a
// second whether it has passed.
func TestSessionIsDoneLate(t *testing.T) {
	t.Parallel()
	s := realEtcd(t)
	for range 6 {
		type seen struct{ other, done time.Time }
		all := make(chan seen)
		for range 8 {
			go func() {
				p := newProxy(t, s)
				holder, lock := session(t, etcdClient(t, p.addr), 2), p.addr
				if err := concurrency.NewMutex(holder, lock).Lock(t.Context()); err != nil {
					t.Error(err)
				}
				time.Sleep(1100 * time.Millisecond) // a keep-alive or more
				p.hold()
				defer p.free()
				when := make(chan time.Time, 1)
				go func() { when <- locked(t, etcdClient(t, s.addr), lock) }()
				<-holder.Done()
				done := time.Now()
				all <- seen{<-when, done}
			}()
		}
		most := time.Duration(0)
		for range 8 {
			one := <-all
			most = max(most, one.done.Sub(one.other))
		}
		if most > 0 {
			t.Logf("of eight that were cut off, one was told %v after another had the lock", most)
			return
		}
	}
	t.Error("the library has changed, or the server: 48 times a holder that was cut off was told before another had the lock")
}

// The same, but no keep-alive of the session has been answered yet. Then the TTL does not count at all, and the
// holder learns of the end after 5 s (or a second more than DialTimeout).
func TestANewSessionIsDoneByAnotherClock(t *testing.T) {
	t.Parallel()
	s := realEtcd(t)
	for range 5 { // its first keep-alive may go out before
		p := newProxy(t, s)
		c := etcdClient(t, p.addr)
		session(t, c, 60) // from now on the client looks twice a second whether a keep-alive is due
		time.Sleep(50 * time.Millisecond)
		holder := session(t, c, 2)
		if err := concurrency.NewMutex(holder, p.addr).Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		from := time.Now()
		p.hold()
		other := locked(t, etcdClient(t, s.addr), p.addr)
		<-holder.Done()
		done := time.Since(from)
		p.free()
		if done < 4500*time.Millisecond || other.Sub(from) > 4500*time.Millisecond {
			continue
		}
		t.Logf("of a TTL of 2 s: the other has the lock after %v, and the holder is told after %v", other.Sub(from), done)
		return
	}
	t.Error("the library has changed, or this machine is too busy")
}

// Lock, documentation: "If the context is canceled while trying to acquire the lock, the mutex tries to clean its stale lock
// entry." The clean-up has the context of the client, so that Lock outlives its own for as long as no server is reached.
func TestLockOutlivesItsContext(t *testing.T) {
	t.Parallel()
	s := realEtcd(t)
	direct := etcdClient(t, s.addr)
	for range 5 { // a machine that is busy may cancel before it waits
		p := newProxy(t, s)
		if err := concurrency.NewMutex(session(t, direct, 60), p.addr).Lock(t.Context()); err != nil {
			t.Fatal(err)
		}
		waits := concurrency.NewMutex(session(t, etcdClient(t, p.addr), 60), p.addr)
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- waits.Lock(ctx) }()
		for len(keys(t, direct, p.addr)) < 2 {
			time.Sleep(5 * time.Millisecond)
		}
		time.Sleep(300 * time.Millisecond) // it waits for the other's key
		p.hold()
		cancel()
		select {
		case err := <-ended:
			t.Logf("it ends with its context: %v", err)
			p.free()
			continue
		case <-time.After(2 * time.Second):
		}
		p.free()
		t.Logf("it ended once a server was reached, and not before: %v", <-ended)
		return
	}
	t.Error("the library has changed, or this machine is too busy: Lock ends with its context")
}

// Unlock, error: "lock has already been released". The answer to Lock's transaction is lost, and Lock's context ends.
// Its key is left in the queue. Unlock refuses, and no other client gets the lock as long as the session lives.
func TestAKeyIsLeftThatUnlockRefusesToDelete(t *testing.T) {
	t.Parallel()
	s := realEtcd(t)
	direct := etcdClient(t, s.addr)
	p := newProxy(t, s)
	c := etcdClient(t, p.addr)
	lock := concurrency.NewMutex(session(t, c, 60), "lock")
	p.replies.Lock()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- lock.Lock(ctx) }()
	for len(keys(t, direct, "lock/")) < 1 {
		time.Sleep(5 * time.Millisecond)
	}
	cancel()
	err := <-ended
	p.replies.Unlock()
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("Lock: %v", err)
	}
	if err := lock.Unlock(t.Context()); !errors.Is(err, concurrency.ErrLockReleased) {
		t.Fatalf("the library has changed: Unlock: %v", err)
	}
	other := concurrency.NewMutex(session(t, direct, 60), "lock")
	if err := other.TryLock(t.Context()); !errors.Is(err, concurrency.ErrLocked) {
		t.Fatalf("the other: %v", err)
	}
	t.Logf("nobody takes himself for the holder, and the key is %q", keys(t, direct, "lock/"))
}
