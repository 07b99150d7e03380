package scenarios

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Runner makes one run after another and reuses a world, servers, memory. It is for one goroutine at a time, and must
// be closed. Set its exported fields between runs; Run panics where two exclude each other.
type Runner struct {
	// OnCommand, if set, is called for each command that a node carries out, commands of scripts included; nodes count
	// from 0. It is compatible with every other field and does not change a run. A Host heeds it.
	OnCommand func(node int, command []string)

	// Exploring is what an exploration asks of its runs. It excludes guests and Outside.
	Exploring Exploring

	// Branch, if set, makes each run leave the course of its seed at an instant. It excludes guests and Outside.
	Branch *Branch

	// Outside, if set, is where the clients' locks run, if not in the world: guests in package guest, real clients in
	// package live. Real, if set, are the servers of each run, in place of the platform's. They run in real time, so
	// they need an Outside that does.
	Outside sim.Outside
	Real    platform.Servers

	world *sim.World
	subject
	farm
	staff
	recorded
	digests
}

// Exploring is what an exploration asks of each run. The zero value asks for nothing.
type Exploring struct {
	// OnState, if set, is called with the state at each tick after StatesAfter. It needs a grid: see Network.Tick.
	OnState     StateFunc
	StatesAfter clock.Instant

	// Foresees allows OnState to call Otherwise.
	Foresees bool

	// SafetyOnly leaves out the quiet period and outages: then nothing is known about liveness.
	SafetyOnly bool

	// Judged, if set, are the only properties that the result has findings on. It has no verdict then.
	Judged []checker.Property
}

// A StateFunc gets the state of a run at a tick of its network: runs with equal states at the same instant have the
// same verdicts on safety. An unknown state equals no other. The run ends if the function returns false.
type StateFunc func(now clock.Instant, state uint64, known bool) (goOn bool)

// A subject is the scenario that runs. It stays unchanged from prepare to the end of the run.
type subject struct {
	scenario  *Scenario
	topology  platform.Topology
	limits    timeLimits
	names     []string           // of all hosts, by ID; the probe is the last
	named     hostNames          // what names belongs to
	sometimes []checker.Property // those that the scenario names
}

// A farm is all servers. They are kept from run to run, and reset for each.
type farm struct {
	pool      map[platform.Platform]platform.Servers // the servers of each platform that was ever needed
	servers   platform.Servers                       // one of the pool, or Real
	site      platform.Site                          // where servers is attached
	asked     []int                                  // the hosts that the lock asks
	store     storage.Store
	database  sql.Server         // costs nothing until a scenario asks for it
	storageID int                // the host of the one that holds the resource
	counter   uint64             // of the perfect counter
	tokens    *consensus.Cluster // the latest service that gave fencing tokens
	tokensAt  int                // the number of its first host
}

// The staff are the clients of the latest run, and the faults that hit them.
type staff struct {
	clients       []client
	probe         *sim.Host
	inQuietPeriod bool // the evidence of safety is complete: clients start no more
	injection     *faults.Injection
	config        locks.Config  // of the latest lock; kept here, so that no lock costs a copy
	holder        func() string // latestHolder, made once for all runs
}

// Recorded is everything that was seen of the latest run. The next run uses its memory again.
type recorded struct {
	judge    checker.Judge
	blackBox blackbox.Judge
	evidence checker.Evidence
	holds    []held          // as many as evidence.Holds, and in the same order
	renewals []clock.Reading // as many as evidence.Renewals: the new deadline, on the clock that the lock counts on
	clocks   []clock.Clock   // of the hosts, once the run has ended
	copies   []checker.Span  // Result.Copies
	late     []LateGrant     // Result.Late
	result   Result
}

type digests struct {
	digest     sim.Digest
	remembered *sim.Digest                 // to which remember adds
	remember   func(server int, known any) // made once for all runs
}

// hostNames has everything that decides the names of the hosts.
type hostNames struct {
	clients, nodes int
	on             platform.Platform
	tokens         bool // a service issues fencing tokens
}

type timeLimits struct {
	again    time.Duration // until the lock is available again
	wait     time.Duration // until an acquire returns
	settling time.Duration // until the servers agree who of them speaks
	slept    time.Duration // the longest wait of a user's lock in an attempt
}

// held is what a Runner knows of a hold and the evidence does not have.
type held struct {
	life     int           // how often its client's host had crashed before
	deadline clock.Reading // on the clock that the lock counts on
	released clock.Instant // when release was called; Forever if never
}

type client struct {
	id         int
	process    int // its name in the history: a new one after each outcome that stays unknown
	run        *Runner
	host       *sim.Host
	lock       locks.Lock
	work       *Workload
	fenceAsked clock.Instant // when it last asked for a fencing token
	fence      uint64        // which it got then
	drawing    bool          // it asks for one now
	cycles     int           // how many it has begun
	busy       bool          // an operation of its process is open
	at         checker.Func  // which one
	asked      int           // the index of its latest invocation
	written    int           // the index of the end of its latest write, while that waits for a commit; -1 for none
	holding    int           // its hold, as an index into the evidence; -1 for none
	grant      *locks.Grant  // the grant of that hold
	pending    bool          // its latest request to storage was part of a transaction
}

// shown returns the fencing token that the client shows: none without fencing, even if a lock on a session uses it.
func (c *client) shown(g *locks.Grant) uint64 {
	if c.run.scenario.Fencing.Source == NoFencing {
		return 0
	}
	return g.Fence
}

func (r *Runner) addHost(service sim.Service) *sim.Host {
	name := r.names[len(r.world.Hosts())]
	var rate clock.Rate
	for _, o := range r.scenario.Clocks {
		if o.Host == name {
			rate = o.By
		}
	}
	return r.world.AddHost(name, service, Epoch, rate)
}

// A realDatabase is Real, with a database that replaces the simulated one.
type realDatabase interface {
	Database(rules sql.Config) sim.Service
	// Updates lists the writes that were committed, in that order.
	Updates() []storage.Update
}

func (r *Runner) updates() []storage.Update {
	if r.scenario.Storage.Engine == Register {
		return r.store.Updates()
	}
	if server, ok := r.Real.(realDatabase); ok {
		return server.Updates()
	}
	return r.database.Updates()
}
