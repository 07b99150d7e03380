package findings_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"
)

// An object is the Lease in an API server that keeps it in memory, with the version that says who wrote last.
type object struct {
	mu      sync.Mutex
	version int
	record  resourcelock.LeaderElectionRecord
}

// A candidate's way to it. While it is cut, requests wait, until their contexts end.
type way struct {
	*object
	identity string
	seen     int // the version that it has seen, as resourcelock.LeaseLock keeps it
	cut      func() bool
}

var leases = schema.GroupResource{Group: "coordination.k8s.io", Resource: "leases"}

func (w *way) reach(ctx context.Context) error {
	for w.cut != nil && w.cut() && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	w.mu.Lock()
	return nil
}

func (w *way) Get(ctx context.Context) (*resourcelock.LeaderElectionRecord, []byte, error) {
	if err := w.reach(ctx); err != nil {
		return nil, nil, err
	}
	defer w.mu.Unlock()
	if w.version == 0 {
		return nil, nil, apierrors.NewNotFound(leases, "lock")
	}
	w.seen = w.version
	record := w.record
	raw, err := json.Marshal(record)
	return &record, raw, err
}

func (w *way) write(ctx context.Context, record resourcelock.LeaderElectionRecord) error {
	if err := w.reach(ctx); err != nil {
		return err
	}
	defer w.mu.Unlock()
	if w.seen != w.version {
		return apierrors.NewConflict(leases, "lock", errors.New("another has written"))
	}
	w.version++
	w.record, w.seen = record, w.version
	return nil
}

func (w *way) Create(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return w.write(ctx, r)
}
func (w *way) Update(ctx context.Context, r resourcelock.LeaderElectionRecord) error {
	return w.write(ctx, r)
}
func (w *way) RecordEvent(string) {}
func (w *way) Identity() string   { return w.identity }
func (w *way) Describe() string   { return "default/lock" }

// A term is when a candidate led, in time since the beginning.
type term struct {
	mu        sync.Mutex
	from, to  time.Duration
	led, left bool
}

func (m *term) leads() bool { m.mu.Lock(); defer m.mu.Unlock(); return m.led && !m.left }

// run runs a candidate with the times of core clients, and notes how long the context of its OnStartedLeading lives.
func run(ctx context.Context, t *testing.T, start time.Time, w *way, release bool) *term {
	t.Helper()
	m := &term{}
	e, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{
		Lock: w, LeaseDuration: 15 * time.Second, RenewDeadline: 10 * time.Second, RetryPeriod: 2 * time.Second, ReleaseOnCancel: release,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) {
				m.mu.Lock()
				m.led, m.from = true, time.Since(start)
				m.mu.Unlock()
				<-ctx.Done()
				m.mu.Lock()
				m.left, m.to = true, time.Since(start)
				m.mu.Unlock()
			},
			OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	go e.Run(ctx)
	return m
}

// A leader is cut off. It stops after RenewDeadline. But with ReleaseOnCancel its context ends only after the
// release, which waits as long again: longer than the lease lives.
func TestLeaderElectionLeadsOnWhileItReleases(t *testing.T) {
	for _, c := range []struct {
		release bool
		most    time.Duration
	}{{false, 12 * time.Second}, {true, 22 * time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			start, ctx := time.Now(), t.Context()
			lease := &object{}
			cut := func() bool { return time.Since(start) > time.Second }
			a := run(ctx, t, start, &way{object: lease, identity: "a", cut: cut}, c.release)
			synctest.Wait()
			b := run(ctx, t, start, &way{object: lease, identity: "b"}, c.release)
			time.Sleep(40 * time.Second)
			t.Logf("ReleaseOnCancel %t: a renewed last at 0s; its context ended at %v, and b's began at %v", c.release, a.to, b.from)
			if a.to.Round(time.Second) != c.most || b.from < 15*time.Second {
				t.Errorf("a's context ends at %v, b's begins at %v; want %v, and 15s or more", a.to, b.from, c.most)
			}
		})
	}
}

// A leader is cut off until another leads. Its release reads the object again, but considers itself the leader
// because of an earlier read. It overwrites the version that it has just read. The other's lease is free, and a third
// candidate leads too.
func TestLeaderElectionFreesALaterLeader(t *testing.T) {
	freed, two := 0, 0
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			start, ctx, lease := time.Now(), t.Context(), &object{}
			var others []*term
			led := func() (n int) {
				for _, m := range others {
					if m.leads() {
						n++
					}
				}
				return n
			}
			a := run(ctx, t, start, &way{object: lease, identity: "a", cut: func() bool { return time.Since(start) > time.Second && led() == 0 }}, true)
			synctest.Wait()
			for _, name := range []string{"b", "c", "d"} {
				others = append(others, run(ctx, t, start, &way{object: lease, identity: name}, true))
			}
			for led() == 0 {
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(20 * time.Millisecond) // a's request arrives
			synctest.Wait()
			if holder := lease.holder(); holder == "" && led() == 1 && !a.leads() {
				freed++
			} else {
				t.Logf("at %v %q has the lease", time.Since(start), holder)
			}
			for range 300 {
				if time.Sleep(10 * time.Millisecond); led() > 1 {
					two++
					return
				}
			}
		})
	}
	t.Logf("of 20 rounds a freed the next leader's lease in %d, and then two led at once in %d", freed, two)
	if freed < 10 || two < 5 { // the candidates' waits are random
		t.Errorf("a freed it in %d of 20 rounds, and two led at once in %d", freed, two)
	}
}

func (o *object) holder() string { o.mu.Lock(); defer o.mu.Unlock(); return o.record.HolderIdentity }
