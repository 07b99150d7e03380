package findings_test

import (
	"testing"
	"time"
)

// rueidislock, README: "The returned ctx will be canceled automatically and immediately once the KeyMajority is not
// held anymore, for example: Redis are down." The connection ends, and new ones are refused. The ctx lives on,
// because the client tries again until the validity of 5 s has ended.
func TestRueidislockOutlivesAServerThatIsDown(t *testing.T) {
	t.Parallel()
	s := realServer(t) // miniredis has no client-side caching, which the sentence is about
	p := newProxy(t, s)
	a := rueidisLocker(t, p.addr, s, nil)
	defer a.Close()
	holds, release, err := a.TryWithContext(t.Context(), "lock")
	if err != nil {
		t.Fatal(err)
	}
	p.refuse.Store(true)
	p.cut()
	for p.refused.Load() == 0 { // it knows by now
		time.Sleep(time.Millisecond)
	}
	select {
	case <-holds.Done():
		t.Errorf("the library has changed, or this machine is too busy: %v", holds.Err())
	case <-time.After(500 * time.Millisecond):
		t.Logf("half a second later, and after %d refused connections, the ctx is not canceled", p.refused.Load())
	}
	p.refuse.Store(false)
	release()
}
