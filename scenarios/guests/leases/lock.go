package leases

import (
	"net/http"
	"strconv"
	"time"

	coordination "k8s.io/api/coordination/v1"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// Kind is our own lock on the platform, as scenarios name it: lease.
var Kind = add()

func add() scenarios.Kind {
	k, err := scenarios.AddLock(locks.Protocol{Name: "lease", New: newLock, OneServer: true},
		onServer{platform.Nodes{Service: "the API server"}})
	if err != nil {
		panic(err) // a test makes it
	}
	return k
}

// A lock is a candidate's lock. Each attempt that wins has a unique identity.
type lock struct {
	locks.Config
	version int           // of the object, as last seen
	since   time.Duration // when that version was first seen, by the candidate's clock
}

func newLock(c locks.Config) locks.Lock { return &lock{Config: c, version: -1} }

func (l *lock) ask(c locks.Client, r *request) (*reply, bool) {
	answer, err := c.Call(l.Servers[0], r, l.Timeout)
	got, ok := answer.(*reply)
	if err != nil || !ok {
		return nil, false
	}
	if ok = got.code < http.StatusBadRequest; ok && got.version != l.version {
		l.version, l.since = got.version, c.Mono()
	}
	return got, ok
}

// object returns what the lock writes in place of the version that it has seen.
func (l *lock) object(holder string) object {
	seconds := int32((l.TTL + time.Second - 1) / time.Second)
	return object{l.Key, "default", l.version, coordination.LeaseSpec{HolderIdentity: &holder, LeaseDurationSeconds: &seconds}}
}

// Acquire looks at the object, and acquires it if it is free, or has not changed for as long as it says.
func (l *lock) Acquire(c locks.Client) locks.Grant {
	got, ok := l.ask(c, &request{do: http.MethodGet})
	lost := locks.Grant{Outcome: locks.NoQuorum, Clean: ok}
	take := request{do: http.MethodPut}
	switch {
	case got != nil && got.code == http.StatusNotFound:
		take.do = http.MethodPost
	case !ok, holder(&got.spec) != "" && c.Mono()-l.since <= lasts(&got.spec)+l.Drift():
		return lost
	}
	start, token := c.Mono(), c.Token()
	take.object = l.object(token)
	if got, ok = l.ask(c, &take); !ok {
		lost.Clean = got != nil
		return lost
	}
	g := locks.Grant{Token: token, Votes: 1, Deadline: start + l.Validity(0)}
	if l.Fence != nil {
		if g.Fence, ok = l.Fence(c); !ok {
			g.Outcome = locks.NoFence
		}
	}
	if g.Deadline <= c.Mono() {
		g.Outcome = locks.TooLate
	}
	if g.Outcome != locks.Won {
		g.Clean = l.free(c)
	}
	return g
}

// Extend renews the object: no other write has happened since, or its version would be another.
func (l *lock) Extend(c locks.Client, g *locks.Grant) bool {
	start := c.Mono()
	if _, ok := l.ask(c, &request{http.MethodPut, l.object(g.Token)}); !ok {
		return false
	}
	g.Deadline = start + l.Validity(0)
	return true
}

// Release clears the object's holder.
func (l *lock) Release(c locks.Client, _ locks.Grant) bool { return l.free(c) }

func (l *lock) free(c locks.Client) bool {
	got, _ := l.ask(c, &request{http.MethodPut, l.object("")})
	return got != nil
}

// String describes the lock in a panic.
func (l *lock) String() string { return "lease, seen at version " + strconv.Itoa(l.version) }
