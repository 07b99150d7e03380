package live

import (
	"net"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A serverKind is a kind of server that live runs start. A new one is a file of its own, and a line in serverKinds.
type serverKind struct {
	locks    []scenarios.Kind // the kinds of locks that run on it
	service  bool             // clients ask for the lock as one: see service
	resource bool             // it holds the resource too, in a table

	name, lack string // for Doctor: what it is, and what its lack costs
	// find finds the program that the options name, or else where it usually is, and returns the server's name and version.
	find func(o *Options) (program, server string, err error)
	// make makes the servers of a run, which begin starts.
	make func(r *run, program string) servers

	refusal  func(f *faults.Fault, cast *faults.Cast) string // why a fault can't be had; "" where it can
	adapters string                                          // why adapters can't be clients; "" if they can
	// check refuses what else a scenario can't have; scaled returns the times that only its scenarios have, and gaps those of them that
	// a schedule relies on. Each is nil for nothing.
	check  func(s *scenarios.Scenario, refuse func(is bool, format string, args ...any))
	scaled func(s *scenarios.Scenario) []*time.Duration
	gaps   func(s *scenarios.Scenario) []time.Duration
}

var serverKinds = []*serverKind{&redisServers, &replicatedServers, &etcdServers, &postgresServers}

// serversOf returns the kind of server that a kind of lock runs on; not ok, and servers of Redis, if there is none.
func serversOf(kind scenarios.Kind) (_ *serverKind, ok bool) {
	i := slices.IndexFunc(serverKinds, func(k *serverKind) bool { return slices.Contains(k.locks, kind) })
	return serverKinds[max(i, 0)], i >= 0
}

// Servers are what the lock of a run is on. Package scenarios takes them in place of simulated ones. Their processes are ended
// elsewhere.
type servers interface {
	platform.Servers
	// begin starts the servers, and waits until they answer.
	begin() error
	// asked lists the hosts that a lock asks.
	asked() []int
	// accept returns what a connection is that a proxy has accepted.
	accept(p *proxy, c *net.TCPConn) connection
	// apply does to the servers what has happened to a host; tune what follows from the time that has passed.
	apply(e sim.Event)
	tune()
	// keys appends the lives of keys, in their narrow form or their wide one.
	keys(to []checker.Span, wide bool) []checker.Span
}

// ofRun is what servers of all kinds have in common, and what is so for most.
type ofRun struct {
	run *run
	platform.Outages
}

// Services returns nothing.
func (ofRun) Services(*platform.Topology) (nodes, others []sim.Service) { return nil, nil }

// Attach begins the world's time.
func (o *ofRun) Attach(site *platform.Site) {
	o.run.attach(site)
	o.Outages = platform.LinkOutages(site)
}

// Equip sets the keys of etcd in the configuration of a simulated client's lock. A client that is a process has its own configuration.
func (ofRun) Equip(c *locks.Config, client int) { c.Keys = platform.NewKeys(c, client) }

// Token returns the name by which the judges know a grant.
func (ofRun) Token(g locks.Grant) string { return g.Token }

// AppendKeys appends the lives of the lock's key, as narrow as what was seen allows. It is called when the clients have ended,
// or are about to be ended.
func (o ofRun) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	o.run.silent = o.run.unanswered()
	return o.run.servers.keys(keys, false), copies
}

func (o ofRun) asked() (all []int) {
	for node := range o.run.scenario.LockNodes() {
		all = append(all, node)
	}
	return all
}

func (o ofRun) accept(p *proxy, c *net.TCPConn) connection { return newTunnel(o.run.service, p, c) }

func (ofRun) apply(sim.Event) {}

func (ofRun) tune() {}

// A service is what clients ask for the lock as one: etcd's servers, or a database. Our own clients are the world's, as their
// protocols are: what is real is who answers. Each message of theirs is carried out by a real server, and answered when that has.
// Those of an adapter are processes, with a tunnel to each server.
type service interface {
	servers
	// address returns where the server on a host listens.
	address(host int) (network, address string)
	// seen reports whether the harness has looked at the lock's key after a moment.
	seen(after clock.Instant) bool
	// freed notes that a client's process has released the lock, for which it was asked at a moment.
	freed(token string, by int, sent clock.Instant)
}

// serviceSpans appends lives as the judges take them. There is one at a time, so that none lasts longer than until the next one
// was seen.
func serviceSpans(to []checker.Span, lives []life, wide bool) []checker.Span {
	before := clock.Instant(0)
	for i, l := range lives {
		if i+1 < len(lives) {
			l.to = min(l.to, lives[i+1].seen)
			l.gone = min(l.gone, l.to)
		}
		s := checker.Span{Token: l.value, From: l.seen, To: l.gone, Ended: l.ended, Endless: l.endless}
		if wide {
			s.From, s.To = max(l.from, before), l.to
		}
		before = l.to
		to = append(to, s)
	}
	return to
}

// serviceRefusal is refusal where the lock is on a service. Its clients are the world's, and so all can be had that befalls them.
func serviceRefusal(f *faults.Fault, cast *faults.Cast) string {
	clients := onClients(f, cast)
	switch f.Kind {
	case faults.Drift, faults.Slew, faults.Jump, faults.Strobe:
		if !clients {
			return "live does not step the clocks of these servers"
		}
	case faults.Suspend, faults.StallDisk:
		if !clients {
			return refusal(f, cast)
		}
	}
	return ""
}

// seenMarks are the marks that a client on a service passes while it is an adapter: those outside of its lock, and the one before an
// attempt.
var seenMarks = []string{
	"acquired", "asking", "read", "before-check", "before-write", "wrote", "before-release", "released", "checked", "gave-up",
}

// unread is why single messages can't be lost, held or waited for.
const unread = "between an adapter and etcd or PostgreSQL the proxy does not tell one message from another"
