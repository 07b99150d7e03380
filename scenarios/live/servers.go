package live

import (
	"net"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A ServerKind is a kind of server that live runs start.
type ServerKind struct {
	Word     string           // by which a user asks for it; the first kind that has a lock is taken without
	Locks    []scenarios.Kind // the kinds of locks that run on it
	Service  bool             // clients ask for the lock as one: its Servers are a Service
	Resource bool             // it holds the resource too, in a table

	Name, Lack string // for Doctor: what it is, and what its lack costs; empty if another kind is of the same program
	// Program is how a user names the program. Find finds that, or one where it usually is if the name is empty, and
	// returns the server's name and version.
	Program Program
	Find    func(name string) (program, server string, err error)
	// New returns the servers of a run. Begin starts them.
	New func(d *Driver, program string) Servers

	// Refusal returns why a fault isn't available; "" where it is. CheckScenario rejects other unavailable parts of a
	// scenario. Adapter rejects parts that are unavailable with adapters. All but Refusal may be nil.
	Refusal       func(f *faults.Fault, cast *faults.Cast) string
	CheckScenario func(s *scenarios.Scenario, refuse Refuse)
	Adapter       func(s *scenarios.Scenario) error
	// NeedsAdapter is why only adapters can be its clients; "" where Lockstorm's own can.
	NeedsAdapter string
	// Known is why live runs of a scenario, or "SCENARIO with MUTANT", differ from simulated ones, where that is known.
	Known map[string]string

	whole  string                                       // why its scenarios take a scale of 1; "" where they don't
	scaled func(s *scenarios.Scenario) []*time.Duration // the times that only its scenarios have
	gaps   func(s *scenarios.Scenario) []time.Duration  // the times among them that a schedule relies on
}

// Refuse notes that a scenario has an unavailable part, if is is true.
type Refuse = func(is bool, format string, args ...any)

// A Program is how a user names the program of a kind of server: by a flag of the command.
type Program struct{ Flag, Default, Usage string }

// Servers are what the lock of a run is on. Package scenarios takes them in place of simulated ones. Their processes
// are ended by the Driver. All methods but Begin are the world's.
type Servers interface {
	platform.Servers
	// Begin starts the servers, and waits until they answer.
	Begin() error
	// Asked lists the hosts that a lock asks.
	Asked() []int
	// Accept returns what a connection is that a proxy has accepted. Any goroutine calls it.
	Accept(p *Proxy, c *net.TCPConn) Connection
	// Apply does to the servers what has happened in the world; Tune does what follows from the time that has passed.
	Apply(e sim.Event)
	Tune()
	// AppendLives appends the lives of the lock's key, in their narrow form or their wide one.
	AppendLives(all []checker.Span, wide bool) []checker.Span
}

// A Service is Servers that clients ask for the lock as one: etcd, or a database. Our own clients run in the world,
// with their protocols; only the servers are real. A real server carries out each of their messages, and then they
// get its answer. Adapter clients are processes, with a connection to each server.
type Service interface {
	Servers
	// Seen reports whether the harness has looked at the lock's key after a moment.
	Seen(after clock.Instant) bool
	// Freed notes that the client's process on a host has released the lock, for which it was asked at a moment.
	Freed(token string, host int, sent clock.Instant)
}

// A Base has what servers of all kinds share, and defaults for most. They embed it.
type Base struct {
	*Driver
	platform.Outages
}

// Services returns nothing.
func (*Base) Services(*platform.Topology) (nodes, others []sim.Service) { return nil, nil }

// Attach begins the world's time.
func (b *Base) Attach(site *platform.Site) {
	b.attach(site)
	b.Outages = platform.LinkOutages(site)
}

// Equip sets the keys of etcd in the configuration of a simulated client's lock. A client that is a process has its own
// configuration.
func (*Base) Equip(c *locks.Config, client int) { c.Keys = platform.NewKeys(c, client) }

// Token returns the name by which the judges know a grant.
func (*Base) Token(g locks.Grant) string { return g.Token }

// AppendKeys appends the lives of the lock's key, as narrow as what was seen allows.
func (b *Base) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	return b.conclude(keys), copies
}

// Asked lists the nodes that the lock asks.
func (b *Base) Asked() (all []int) {
	for node := range b.Scenario.LockNodes() {
		all = append(all, node)
	}
	return all
}

// Apply does nothing.
func (*Base) Apply(sim.Event) {}

// Tune does nothing.
func (*Base) Tune() {}

// A Worker does what it is given, one thing after another, in one goroutine.
type Worker struct {
	jobs   chan func()
	closed chan struct{}
}

// NewWorker returns a worker that has nothing to do.
func NewWorker() *Worker { return &Worker{make(chan func(), 1<<16), make(chan struct{})} }

// Put queues an action.
func (w *Worker) Put(do func()) {
	select {
	case w.jobs <- do:
	case <-w.closed:
	}
}

// Work performs queued actions until the worker is closed.
func (w *Worker) Work() {
	for {
		select {
		case <-w.closed:
			return
		case do := <-w.jobs:
			select {
			case <-w.closed:
			default:
				do()
			}
		}
	}
}

// Close lets the worker do no more.
func (w *Worker) Close() { close(w.closed) }
