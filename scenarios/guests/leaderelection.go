package guests

import (
	"cmp"
	"context"
	"net/http"
	"time"

	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	coordination "k8s.io/client-go/kubernetes/typed/coordination/v1"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
)

// elector is Kubernetes' leaderelection. Each acquire is a candidate with a new identity, because a process that has
// lost the lead ends, and another begins.
type elector struct {
	config *guest.Client
	client coordination.CoordinationV1Interface
	times  electionTimes
	frees  bool            // ReleaseOnCancel
	held   context.Context // the leader's; the library ends it when it leads no more
	leave  context.CancelFunc
	ended  chan struct{} // closed when the elector is done
	closing
}

// electionTimes are fractions of the TTL, which is the LeaseDuration.
type electionTimes struct {
	deadline, retry func(ttl time.Duration) time.Duration
}

// Core clients use 15, 10 and 2 seconds; the example of client-go uses 60, 15 and 5.
var (
	coreTimes = electionTimes{
		func(ttl time.Duration) time.Duration { return ttl * 10 / 15 }, func(ttl time.Duration) time.Duration { return ttl * 2 / 15 },
	}
	exampleTimes = electionTimes{
		func(ttl time.Duration) time.Duration { return ttl * 15 / 60 }, func(ttl time.Duration) time.Duration { return ttl * 5 / 60 },
	}
)

// newElector returns a constructor of elections, with NewFromKubeconfig's timeout or without one.
func newElector(times electionTimes, limited, frees bool) guest.Constructor {
	return func(c *guest.Client) (guest.Lock, error) {
		t := &http.Transport{DialContext: c.Dial, MaxIdleConnsPerHost: 25}
		of := rest.Config{Host: "http://" + c.Nodes[0]}
		if limited {
			of.Timeout = max(time.Second, times.deadline(c.Config.TTL)/2)
		}
		client, err := coordination.NewForConfigAndClient(&of, &http.Client{Transport: t, Timeout: of.Timeout})
		return &elector{config: c, client: client, times: times, frees: frees, closing: t.CloseIdleConnections}, err
	}
}

func (l *elector) Acquire(ctx context.Context) (string, time.Time, error) {
	identity, ttl := newToken(), l.config.Config.TTL
	leads := make(chan context.Context, 1)
	lease := &resourcelock.LeaseLock{LeaseMeta: meta.ObjectMeta{Name: l.config.Config.Key, Namespace: "default"}, Client: l.client,
		LockConfig: resourcelock.ResourceLockConfig{Identity: identity}}
	e, err := leaderelection.NewLeaderElector(leaderelection.LeaderElectionConfig{Lock: lease,
		ReleaseOnCancel: l.frees, LeaseDuration: ttl, RenewDeadline: l.times.deadline(ttl), RetryPeriod: l.times.retry(ttl),
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(ctx context.Context) { leads <- ctx }, OnStoppedLeading: func() {},
		},
	})
	if err != nil {
		return "", time.Time{}, err
	}
	ctx, l.leave = context.WithCancel(ctx)
	l.ended = make(chan struct{})
	go func() {
		defer close(l.ended)
		e.Run(ctx)
	}()
	select {
	case l.held = <-leads:
		return identity, guest.NoDeadline, nil
	case <-l.ended:
		return "", time.Time{}, cmp.Or(ctx.Err(), context.Canceled)
	}
}

func (l *elector) Lost() <-chan struct{} { return l.held.Done() }

// Release does what the example does: it cancels. With ReleaseOnCancel the elector then clears the object's holder.
func (l *elector) Release(context.Context) error {
	l.leave()
	<-l.ended
	return nil
}
