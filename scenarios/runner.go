package scenarios

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Runner makes one run after another, and keeps what they need: a world, servers, memory. It is for one goroutine at a time,
// and must be closed.
type Runner struct {
	scenario      *Scenario
	world         *sim.World
	pool          []pooled         // the servers of each platform that was needed
	servers       platform.Servers // those of this run
	site          platform.Site
	topology      platform.Topology
	limits        timeLimits
	store         storage.Store
	database      sql.Server // costs nothing until a scenario asks for it
	storageID     int
	clients       []client
	probe         *sim.Host
	inQuietPeriod bool // the quiet period has begun
	injection     *faults.Injection
	config        locks.Config       // of the latest lock; kept here, so that no lock costs a copy
	holder        func() string      // latestHolder, made once for all runs
	asked         []int              // the hosts that the lock asks
	counter       uint64             // of the ideal fencing tokens
	tokens        *consensus.Cluster // the latest service that gave fencing tokens
	tokensAt      int                // the number of its first host
	names         []string           // of the hosts
	named         hostNames          // what they belong to
	judge         checker.Judge
	sometimes     []checker.Property // those that the scenario names
	evidence      checker.Evidence
	holds         []held          // beside evidence.Holds
	renewals      []clock.Reading // beside evidence.Renewals: the new deadline, on the clock that the lock counts on
	clocks        []clock.Clock   // of the hosts, for the result
	copies        []checker.Span  // likewise
	result        Result

	// Scanning makes each run look, at its end, for keys that are left on the nodes: see Result.Leftovers.
	Scanning bool

	// Look, if set, is called at the ticks after LookAfter in a run on a grid. With SafetyOnly the run has no quiet period: of
	// liveness nothing is known then.
	Look       Look
	LookAfter  clock.Instant
	SafetyOnly bool
	Foresees   bool               // Look may call Otherwise
	Judged     []checker.Property // if set, a result has findings of these alone, and no verdict
	digest     sim.Digest
	remembered *sim.Digest                 // to which remember adds
	remember   func(server int, known any) // made once for all runs

	// Outside, if set, is where guests live: see package guest.
	Outside sim.Outside

	// Real, if set, are the servers of each run, in place of those of its platform: see package live.
	Real platform.Servers

	// Tap, if set, is called for each command that a node carries out, also for those of scripts; nodes count from 0.
	Tap func(node int, command []string)
}

// hostNames is what the names of the hosts depend on.
type hostNames struct {
	clients, nodes int
	on             platform.Platform
	tokens         bool // a service gives fencing tokens
}

// GCPercent is the value for debug.SetGCPercent that suits a program of many runs. A Runner keeps little memory and drops
// much, most of it miniredis's; and since its procs switch without the scheduler, a collection takes long on a single core.
// This costs some 30 MB, and saves a quarter of the time on one core, a tenth on two.
const GCPercent = 800

// NewRunner makes a Runner.
func NewRunner() *Runner {
	r := &Runner{world: sim.New(sim.Config{}), judge: checker.Judge{Unchecked: true}}
	r.holder = r.latestHolder
	r.remember = func(server int, known any) { r.remembered.Value(server, known) }
	return r
}

// Close frees what the Runner holds. Its results stay readable.
func (r *Runner) Close() {
	r.world.Close()
	for _, p := range r.pool {
		p.servers.Close()
	}
	r.database.Close()
}

// Run makes one run, and then looks for keys that are left on the nodes. It is a pure function of its arguments. The scenario
// must have passed Check. With guests, which are not wholly determined by their seed, a run that breaks a promise is repeated.
func Run(s Scenario, seed uint64) *Result {
	r := NewRunner()
	defer r.Close()
	r.Scanning = true
	res := r.Run(&s, seed)
	r.Repeat(res)
	return res
}

// Run makes one run, as the function Run would. The result is valid until the next run.
func (r *Runner) Run(s *Scenario, seed uint64) *Result {
	if host := s.host(); host != nil {
		return host(r, s, seed)
	}
	r.prepare(s)
	r.world.Reset(r.worldConfig(seed))
	r.build()
	cast := s.cast(r.names[:len(r.names)-1]) // without the probe
	cast.Holder = r.holder
	r.injection = s.Faults.Inject(r.world, cast)
	r.world.Afterwards(2*r.limits.again, r.quiet)
	end := r.world.Run()
	return r.conclude(seed, end)
}

// worldConfig returns the world's configuration. On a grid each step costs the same, so that hosts that are alike stay so.
func (r *Runner) worldConfig(seed uint64) sim.Config {
	s := r.scenario
	c := sim.Config{
		Seed: seed, Latency: s.Network.Latency, Loss: int(s.Network.Loss), EitherFirst: s.Network.EitherFirst, Steps: s.Steps, Horizon: s.Horizon,
		Outside: r.Outside, Tick: s.Network.Tick,
	}
	if c.Tick > 0 {
		c.Step, c.Serve = sim.Range{Min: gridStep, Max: gridStep}, sim.Range{Min: gridStep, Max: gridStep}
	}
	if r.Look != nil {
		c.Look, c.Recent = r.look, r.Foresees
	}
	return c
}

// Stopped reports whether Look ended the latest run. Then only what is violated in its findings counts: that has happened.
func (r *Runner) Stopped() bool { return r.world.Stopped() }

// PanicStack returns where the latest run panicked, in the code of its lock for example; nil if it did not.
func (r *Runner) PanicStack() []byte { return r.world.PanicStack() }

func (r *Runner) prepare(s *Scenario) {
	if now := (hostNames{s.Clients, s.Nodes, s.platform(), s.Fencing.Source == OfService}); r.named != now {
		r.named, r.names = now, append(s.Hosts(), ProbeHost)
	}
	r.scenario, r.counter, r.inQuietPeriod = s, s.Fencing.First, false
	r.sometimes = s.appendSometimes(r.sometimes[:0])
	r.servers, r.topology = r.serversOf(s.platform()), s.topology()
	r.limits = s.timeLimits(&r.topology)
	e := &r.evidence
	*e = checker.Evidence{
		Clients: s.Clients, Lanes: s.lanes(r.names), Guard: checker.Guard(s.Fencing.Check), // storage.Check has the same order
		Planned: len(s.Faults), History: e.History[:0], Tries: e.Tries[:0], Holds: e.Holds[:0],
		Keys: e.Keys[:0], Writes: e.Writes[:0], Strikes: e.Strikes[:0], Renewals: e.Renewals[:0], Outages: e.Outages[:0],
	}
	r.renewals, r.copies = r.renewals[:0], r.copies[:0]
	r.holds, r.asked, r.clients = r.holds[:0], r.asked[:0], r.clients[:0]
}

func (s *Scenario) appendSometimes(all []checker.Property) []checker.Property {
	for _, name := range s.Sometimes {
		p, _ := checker.Lookup(name) // Check has found it
		all = append(all, p)
	}
	return all
}
