package platform_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A request is one to a key-value service with sessions: "open" a session, "renew" it, let it "take" the key, or "end"
// it.
type request struct {
	do, session string
	ttl         time.Duration
}

// String is how it looks in a trace.
func (r request) String() string { return r.do + " " + r.session }

// A service is the server. A session ends when no client renews it for its TTL, and its key ends with it.
type service struct {
	host     *sim.Host
	ttl      time.Duration         // of all sessions
	sessions map[string]*sim.Timer // by which each ends
	holder   string
	lives    []checker.Span // of the key: the last one continues while there is a holder
}

// Serve answers a request.
func (s *service) Serve(asked any) any {
	r, _ := asked.(request) // nothing else is ever asked
	lives := s.sessions[r.session] != nil
	switch {
	case r.do == "open", r.do == "renew" && lives:
		s.ttl = r.ttl
		s.live(r.session)
		return true
	case r.do == "take" && lives && s.holder == "":
		s.holder = r.session
		s.lives = append(s.lives, checker.Span{Token: r.session, From: s.host.World().Now(), To: clock.Forever})
		return true
	case r.do == "end":
		s.end(r.session, checker.Deleted)
		return true
	}
	return false
}

// live lets a session live for its TTL from now on, by the server's monotonic clock.
func (s *service) live(session string) {
	if t := s.sessions[session]; t != nil {
		t.Stop()
	}
	s.sessions[session] = s.host.After(s.ttl, func() { s.end(session, checker.Expired) })
}

func (s *service) end(session string, why checker.Cause) {
	if t := s.sessions[session]; t != nil {
		t.Stop()
	}
	delete(s.sessions, session)
	if s.holder == session {
		s.holder = ""
		k := &s.lives[len(s.lives)-1]
		k.To, k.Ended = s.host.World().Now(), checker.Ending{Cause: why, Client: -1, Strike: -1}
	}
}

func (s *service) Stop(bool) {} // all is on the disk
func (s *service) Settle()   {}

// Start lets each session live for its TTL again, since the timers are gone.
func (s *service) Start() {
	for _, session := range slices.Sorted(maps.Keys(s.sessions)) {
		s.live(session)
	}
}

// servers has the server of one run after another: here there is one.
type servers struct {
	platform.Alone
	service service
}

func (s *servers) Services(*platform.Topology) (nodes, others []sim.Service) {
	return []sim.Service{&s.service}, nil
}

func (s *servers) Attach(site *platform.Site) {
	s.Alone.Attach(site)
	s.service = service{host: site.World.Hosts()[0], sessions: map[string]*sim.Timer{}}
}

func (s *servers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	return append(keys, s.service.lives...), copies
}

// onSessions is the platform.
type onSessions struct{ platform.Nodes }

func (onSessions) Times(t *platform.Topology) platform.Times {
	return platform.Times{Life: t.Rules.TTL}
}
func (onSessions) New() platform.Servers { return &servers{} }

// A lock of the service: each attempt has a session.
type lock struct{ locks.Config }

func newLock(c locks.Config) locks.Lock { return lock{c} }

func (l lock) ask(c locks.Client, do, session string) bool {
	reply, err := c.Call(l.Servers[0], request{do, session, l.TTL}, l.Timeout)
	return err == nil && reply == true
}

func (l lock) Acquire(c locks.Client) locks.Grant {
	start, session := c.Mono(), c.Token()
	if l.ask(c, "open", session) && l.ask(c, "take", session) && start+l.Validity(0) > c.Mono() {
		return locks.Grant{Token: session, Votes: 1, Deadline: start + l.Validity(0)}
	}
	return locks.Grant{Token: session, Outcome: locks.NoQuorum, Clean: l.ask(c, "end", session)}
}

func (l lock) Release(c locks.Client, g locks.Grant) bool { return l.ask(c, "end", g.Token) }

// The name by which scenarios and tests know the lock: locktest.On("sessions"), or kind: sessions in a file.
var kind, errKind = scenarios.AddLock(locks.Protocol{Name: "sessions", New: newLock, OneServer: true},
	onSessions{platform.Nodes{Service: "the key-value service"}})

func TestTheLockOfSessionsOnItsOwnServer(t *testing.T) {
	locktest.Run(t, "kleppmann/[dgp]*", newLock, locktest.On("sessions"), locktest.Seeds(5))
	locktest.Fuzz(t, "baseline/single-instance", newLock, locktest.On("sessions"), locktest.Promises("validity"), locktest.Faults("pause"))
}

// Kleppmann's pause, on a server that this file alone knows.
func Example() {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	s.ChangeKind(kind)
	belief := scenarios.Run(s, 1).Findings[0]
	fmt.Println(errKind, belief.Property, belief.Verdict)
	// Output: <nil> belief violated
}
