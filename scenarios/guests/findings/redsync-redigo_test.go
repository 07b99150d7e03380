package findings_test

import (
	"context"
	"testing"
	"time"
)

// redsync: "WithTimeoutFactor can be used to set the timeout factor. The default value is 0.05.", which is 400 ms of
// 8 s. Over redigo a command on an open connection ignores the factor and the context: one silent server of three
// blocks it forever.
func TestRedsyncOverRedigoHasNoTimeout(t *testing.T) {
	onEach(t, func(t *testing.T, start func() server) {
		silent := newProxy(t, start())
		m := overRedigo(t, start().addr, start().addr, silent.addr).NewMutex("lock")
		if err := m.Lock(); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Unlock(); err != nil {
			t.Fatal(err)
		}
		silent.hold()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		returned := make(chan error, 1)
		go func() { returned <- m.TryLockContext(ctx) }()
		<-ctx.Done()
		select {
		case err := <-returned:
			t.Fatalf("the library has changed: with the end of its context it returns %v", err)
		case <-time.After(400 * time.Millisecond):
		}
		silent.free()
		t.Logf("it returned after the server had answered: %v", <-returned)
	})
}
