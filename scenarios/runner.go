package scenarios

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Runner makes runs, one after another, and keeps what they need: a world, nodes, memory. A Runner serves one
// goroutine, and must be closed.
type Runner struct {
	scenario  *Scenario
	world     *sim.World
	pool      []pooled         // of each platform that was needed
	servers   platform.Servers // those of this run
	site      platform.Site
	topology  platform.Topology
	bounds    bounds
	store     storage.Store
	database  sql.Server // costs nothing until a scenario asks for it
	storageID int
	clients   []client
	probe     *sim.Host
	calm      bool // the quiet period has begun
	injection *faults.Injection
	holder    func() string // the method of that name, kept so that no run makes it anew
	asked     []int         // the hosts that the lock asks
	counter   uint64        // of the ideal fencing tokens
	names     []string      // of the hosts
	named     hostNames     // what they belong to
	judge     checker.Judge
	sometimes []checker.Property // those that the scenario owes
	evidence  checker.Evidence
	holds     []held          // beside evidence.Holds
	renewals  []clock.Reading // beside evidence.Renewals: the new deadline, on the clock that the lock counts on
	clocks    []clock.Clock   // of the hosts, for the result
	copies    []checker.Span  // likewise
	result    Result

	// Scanning has each run end with a look at what keys the nodes have left: see Result.Leftovers.
	Scanning bool

	// Tap, when set, is shown each command that a node carries out, those of scripts too; nodes count from 0.
	Tap func(node int, command []string)
}

// pooled are a platform's servers.
type pooled struct {
	on      platform.Platform
	servers platform.Servers
}

// hostNames is what the names of the hosts depend on.
type hostNames struct {
	clients, nodes int
	on             platform.Platform
}

// held is what a Runner must know of a hold besides the evidence.
type held struct {
	life     int           // how often its client's host had gone off before
	deadline clock.Reading // on the clock that the lock counts on
	released clock.Instant // when release was called; Forever if never
}

// GCPercent is what a program that makes many runs does well to give to debug.SetGCPercent. A Runner keeps little alive
// and drops much, most of it miniredis's; and as its procs switch without the scheduler, the collector's work drags on
// where there is but one core. This costs some 30 MB, and saves a quarter of the time there, a tenth on two.
const GCPercent = 800

// NewRunner makes a Runner.
func NewRunner() *Runner {
	r := &Runner{world: sim.New(sim.Config{})}
	r.holder = r.believer
	return r
}

// Close frees what the Runner holds. Results it gave stay readable.
func (r *Runner) Close() {
	r.world.Close()
	for _, p := range r.pool {
		p.servers.Close()
	}
	r.database.Close()
}

// Run makes one run, and ends it with an operator's look at the nodes. It is a pure function of its arguments. The
// scenario must have passed Check.
func Run(s Scenario, seed uint64) *Result {
	r := NewRunner()
	defer r.Close()
	r.Scanning = true
	return r.Run(&s, seed)
}

// Run makes one run, as the function Run would. The result is valid until the next run.
func (r *Runner) Run(s *Scenario, seed uint64) *Result {
	r.prepare(s)
	r.world.Reset(sim.Config{
		Seed: seed, Latency: s.Network.Latency, Loss: int(s.Network.Loss), Steps: s.Steps, Horizon: s.Horizon,
	})
	r.build()
	cast := s.cast(r.names[:len(r.names)-1]) // without the probe
	cast.Holder = r.holder
	r.injection = s.Faults.Inject(r.world, cast)
	r.world.Afterwards(2*r.bounds.again, r.quiet)
	end := r.world.Run()
	return r.conclude(seed, end)
}

// prepare makes room for the scenario's run.
func (r *Runner) prepare(s *Scenario) {
	if now := (hostNames{s.Clients, s.Nodes, s.platform()}); r.named != now {
		r.named, r.names = now, append(s.Hosts(), ProbeHost)
	}
	r.scenario, r.counter, r.calm = s, s.Fencing.First, false
	r.sometimes = r.sometimes[:0]
	for _, name := range s.Sometimes {
		p, _ := checker.Lookup(name) // Check has found it
		r.sometimes = append(r.sometimes, p)
	}
	r.servers, r.topology = r.serversOf(s.platform()), s.topology()
	r.bounds = s.bounds(&r.topology)
	e := &r.evidence
	*e = checker.Evidence{
		Clients: s.Clients, Nodes: s.lockNodes(), Service: s.platform().Traits().Service, Guard: checker.Guard(s.Fencing.Check), // which are in the same order
		Planned: len(s.Faults), History: e.History[:0], Tries: e.Tries[:0], Holds: e.Holds[:0],
		Keys: e.Keys[:0], Writes: e.Writes[:0], Strikes: e.Strikes[:0], Renewals: e.Renewals[:0], Outages: e.Outages[:0],
	}
	r.renewals, r.copies = r.renewals[:0], r.copies[:0]
	r.holds, r.asked, r.clients = r.holds[:0], r.asked[:0], r.clients[:0]
}

// serversOf returns the platform's servers, kept from an earlier run if there was one.
func (r *Runner) serversOf(p platform.Platform) platform.Servers {
	for _, k := range r.pool {
		if k.on == p {
			return k.servers
		}
	}
	r.pool = append(r.pool, pooled{p, p.New()})
	return r.pool[len(r.pool)-1].servers
}

// build puts the hosts into the world: servers, storage, clients, in the order of Scenario.Hosts, and then the probe.
func (r *Runner) build() {
	s := r.scenario
	nodes, others := r.servers.Services(&r.topology)
	for _, n := range nodes {
		r.addHost(n)
	}
	r.addStorage()
	for i := range s.Clients {
		r.clients = append(r.clients, client{id: i, process: i, run: r, host: r.addHost(nil), work: &s.Work})
	}
	for _, o := range others {
		r.addHost(o)
	}
	r.probe = r.addHost(nil)
	r.attach()
	for i := range r.clients {
		c := &r.clients[i]
		c.host.OnStart(c.restart)
		c.start()
	}
}

// attach makes the servers new.
func (r *Runner) attach() {
	if r.scenario.platform().Traits().InStorage {
		r.asked = append(r.asked, r.storageID)
	} else {
		for i := range r.topology.Servers {
			r.asked = append(r.asked, i)
		}
	}
	r.site = platform.Site{
		Topology: &r.topology, World: r.world, Servers: r.asked, Database: &r.database,
		Settling: r.bounds.settling, Tap: r.Tap,
	}
	r.servers.Attach(&r.site)
}

// addStorage puts what guards the resource into the world.
func (r *Runner) addStorage() {
	s := r.scenario
	c := storage.Config{Check: s.Fencing.Check, ReadsMark: s.Fencing.ReadsMark}
	if s.Storage.Engine == Register {
		r.storageID = r.addHost(&r.store).ID
		r.store.Attach(r.world, c)
		return
	}
	h := r.addHost(&r.database)
	r.storageID = h.ID
	r.database.Attach(h, sql.Config{Config: c, Idle: s.Storage.Idle, Optimistic: s.Fencing.Check == storage.Version})
}

// updates lists the writes that reached the resource.
func (r *Runner) updates() []storage.Update {
	if r.scenario.Storage.Engine == SQL {
		return r.database.Updates()
	}
	return r.store.Updates()
}

func (r *Runner) addHost(service sim.Service) *sim.Host {
	name := r.names[len(r.world.Hosts())]
	var rate clock.Rate
	for _, o := range r.scenario.Clocks {
		if o.Host == name {
			rate = o.By
		}
	}
	return r.world.AddHost(name, service, epoch, rate)
}

// fence gives the client's source of fencing tokens.
func (r *Runner) fence(c *client) func(locks.Client) (uint64, bool) {
	s := r.scenario
	switch s.Fencing.Source {
	case Ideal:
		return func(locks.Client) (uint64, bool) {
			c.asked = r.world.Now()
			r.counter++
			return r.counter - 1, true
		}
	case OnNode:
		return func(p locks.Client) (uint64, bool) {
			c.asked = r.world.Now()
			return r.count(p, s.Fencing.Node-1)
		}
	case OnNodes:
		return func(p locks.Client) (uint64, bool) {
			c.asked = r.world.Now()
			return r.countMost(p)
		}
	}
	return nil
}

// count lets one node count a fencing token.
func (r *Runner) count(p locks.Client, node int) (uint64, bool) {
	reply, err := p.Call(node, []string{"INCR", platform.FenceKey}, r.scenario.Lock.Timeout)
	n, ok := reply.(int64)
	return uint64(n), ok && err == nil
}

// countMost lets all nodes count, and takes the largest number if a majority answered. It is what comes to mind first, and
// it is wrong: two majorities share a node, but the largest number need not be that node's.
func (r *Runner) countMost(p locks.Client) (most uint64, ok bool) {
	answers := 0
	for node := range r.scenario.Nodes {
		if n, ok := r.count(p, node); ok {
			most, answers = max(most, n), answers+1
		}
	}
	return most, answers >= locks.Majority(r.scenario.Nodes)
}

// note puts one end of an operation into the history.
func (r *Runner) note(process int, t checker.Type, f checker.Func, v checker.Value, problem string) int {
	e := &r.evidence
	e.History = append(e.History, checker.Op{
		Index: len(e.History), Time: r.world.Now(), Process: process, Type: t, F: f, Value: v, Error: problem,
	})
	return len(e.History) - 1
}

// begin records the start of an attempt.
func (r *Runner) begin(c *client) int {
	e := &r.evidence
	c.asked = r.world.Now()
	try := checker.Try{Client: c.id, From: r.world.Now(), To: clock.Forever, Left: clock.Forever}
	if l, ok := c.lock.(locks.Owned); ok {
		try.Token = l.Owner() // of every attempt, so it is known of one that never ends, too
	}
	e.Tries = append(e.Tries, try)
	return len(e.Tries) - 1
}

// end records what became of an attempt.
func (r *Runner) end(try int, g locks.Grant) {
	t := &r.evidence.Tries[try]
	t.Token, t.Votes, t.Outcome, t.To = r.servers.Token(g), g.Votes, outcomes[g.Outcome], r.world.Now()
	if !g.Won() {
		t.Left, t.Clean = t.To, g.Clean
	}
}

// hold records a successful acquire.
func (r *Runner) hold(c *client, g locks.Grant) int {
	e := &r.evidence
	try := len(e.Tries) - 1
	for e.Tries[try].Client != c.id {
		try--
	}
	e.Holds = append(e.Holds, checker.Hold{
		Client: c.id, Try: try, Token: r.servers.Token(g), Fence: g.Fence, Asked: c.asked, From: r.world.Now(),
		Gone: clock.Forever, Valid: clock.Forever,
	})
	r.holds = append(r.holds, held{life: c.host.Crashes(), deadline: clock.Reading(g.Deadline), released: clock.Forever})
	return len(e.Holds) - 1
}

// believer names the client whose hold began last among those that still go on as holders; empty if there is none. Whose
// host has gone off since believes nothing.
func (r *Runner) believer() string {
	for i := len(r.evidence.Holds) - 1; i >= 0; i-- {
		h := &r.evidence.Holds[i]
		host := r.clients[h.Client].host
		if h.Gone == clock.Forever && host.Crashes() == r.holds[i].life {
			return host.Name
		}
	}
	return ""
}

// renewing records the call of an extension.
func (r *Runner) renewing(hold int) int {
	e := &r.evidence
	e.Renewals = append(e.Renewals, checker.Renewal{Hold: hold, Asked: r.world.Now(), At: clock.Forever})
	r.renewals = append(r.renewals, 0)
	return len(e.Renewals) - 1
}

// renewed records that an extension has returned. A lock that moved its deadline though it failed had moved it when it
// asked; so that is when it took the hold for extended. One that comes back when its hold has been released
// tells what was so until then.
func (r *Runner) renewed(renewal int, ok, moved bool, deadline time.Duration) {
	n := &r.evidence.Renewals[renewal]
	n.At, n.OK = r.world.Now(), ok || moved
	if released := r.holds[n.Hold].released; n.OK && released < n.At {
		n.At = max(released, n.Asked)
	}
	if !ok && moved {
		n.At = n.Asked
	}
	r.renewals[renewal] = clock.Reading(deadline)
}

// gone records that a holder no longer goes on as one.
func (r *Runner) gone(hold int) {
	h := &r.evidence.Holds[hold]
	h.Gone = min(h.Gone, r.world.Now())
}

// releasing records the call of release.
func (r *Runner) releasing(hold int) {
	r.gone(hold)
	r.holds[hold].released = r.world.Now()
}

// left records that release has returned.
func (r *Runner) left(hold int, acknowledged bool) {
	t := &r.evidence.Tries[r.evidence.Holds[hold].Try]
	t.Left, t.Clean = r.world.Now(), acknowledged
}
