package scenarios

import (
	"math"
	"math/big"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// GCPercent is the value for debug.SetGCPercent that suits a program of many runs. A Runner keeps little memory and
// drops much, most of it miniredis's; and since its procs switch without the scheduler, a collection takes long on a
// single core. This costs some 30 MB, and saves a quarter of the time on one core, a tenth on two.
const GCPercent = 800

// NewRunner makes a Runner.
func NewRunner() *Runner {
	r := &Runner{world: sim.New(sim.Config{}), farm: farm{pool: map[platform.Platform]platform.Servers{}}}
	r.judge.Unchecked = true
	r.holder = r.latestHolder
	r.remember = func(server int, known any) { r.remembered.Value(server, known) }
	return r
}

// Close frees what the Runner holds. Its results stay readable.
func (r *Runner) Close() {
	r.world.Close()
	for _, servers := range r.pool { // order: each is closed once
		servers.Close()
	}
}

// Run makes one run. It is a pure function of its arguments. The scenario must have passed Check. It repeats a run with
// guests that breaks a promise: their seed does not determine all.
func Run(s Scenario, seed uint64) *Result {
	r := NewRunner()
	defer r.Close()
	res := r.Run(&s, seed)
	r.Repeat(res)
	return res
}

// Run makes one run, as the function Run would. The result is valid until the next run.
func (r *Runner) Run(s *Scenario, seed uint64) *Result {
	if run := s.guestRun(); run != nil {
		return run(r, s, seed)
	}
	r.mustFit()
	r.prepare(s)
	c := r.worldConfig(seed)
	if r.Branch != nil {
		c.Choose = r.Branch.choose(r.world, seed)
	}
	r.world.Reset(c)
	r.build()
	cast := s.cast(r.names[:len(r.names)-1]) // without the probe
	cast.Holder = r.holder
	r.injection = nil
	inject := func() {
		if r.injection = s.Faults.Inject(r.world, cast); r.Branch != nil {
			r.injection.Limit(r.Branch.From)
		}
	}
	if warm := s.warmUp(); warm > 0 {
		r.world.At(clock.Instant(warm), inject)
	} else {
		inject()
	}
	r.world.Afterwards(2*r.limits.again, r.quiet)
	end := r.world.Run()
	return r.conclude(seed, end)
}

// mustFit panics where fields of the Runner exclude each other.
func (r *Runner) mustFit() {
	switch x := &r.Exploring; {
	case r.Real != nil && r.Outside == nil:
		panic("scenarios: real servers need an Outside that runs in real time")
	case x.OnState != nil && r.Outside != nil:
		panic("scenarios: what runs outside of the world has no state")
	case r.Branch != nil && r.Outside != nil:
		panic("scenarios: what runs outside of the world does not repeat, so no run can leave its course")
	case x.OnState == nil && x.Foresees:
		panic("scenarios: no one asks for states: set Exploring.OnState")
	}
}

const repeated = 3

// Repeat repeats a run with guests that breaks a promise, and notes the outcome. It does nothing for other runs.
func (r *Runner) Repeat(res *Result) {
	broken := res.violated()
	if len(broken) == 0 || !res.Scenario.Hosted() {
		return
	}
	hash := res.Hash()
	res.Repeats.Of = repeated
	for range repeated {
		again := r.Run(res.Scenario, res.Seed)
		if slices.Equal(again.violated(), broken) {
			res.Repeats.Alike++
		}
		if again.Hash() == hash {
			res.Repeats.Same++
		}
	}
}

// Stopped reports whether Exploring.OnState ended the latest run. Then only its violated findings count.
func (r *Runner) Stopped() bool { return r.world.Stopped() }

// PanicStack returns where the latest run panicked, in the code of its lock for example; nil if it did not.
func (r *Runner) PanicStack() []byte { return r.world.PanicStack() }

// worldConfig returns the world's configuration. On a grid all steps cost the same, so that equal hosts stay equal.
func (r *Runner) worldConfig(seed uint64) sim.Config {
	s := r.scenario
	c := sim.Config{
		Seed: seed, Latency: s.Network.Latency, Loss: int(s.Network.Loss), EitherFirst: s.Network.EitherFirst,
		Tick:  s.Network.Tick,
		Steps: s.Steps, Horizon: s.warmUp() + s.Horizon, Outside: r.Outside,
	}
	if c.Tick > 0 {
		c.Step, c.Serve = sim.Range{Min: gridStep, Max: gridStep}, sim.Range{Min: gridStep, Max: gridStep}
	}
	if x := &r.Exploring; x.OnState != nil {
		c.Look, c.Recent = r.tick, x.Foresees
	}
	return c
}

// guards are the checks of storage, as the evidence has them.
var guards = [...]checker.Guard{
	storage.Order: checker.ByOrder, storage.Equality: checker.ByEquality, storage.Version: checker.ByVersion,
}

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
		Clients: s.Clients, Lanes: s.lanes(r.names), Guard: guards[s.Fencing.Check],
		Ticks:   s.ticks(),
		Planned: len(s.Faults), Stated: min(s.stated, len(s.Faults)), History: e.History[:0], Tries: e.Tries[:0],
		Holds: e.Holds[:0],
		Keys:  e.Keys[:0], Writes: e.Writes[:0], Strikes: e.Strikes[:0], Renewals: e.Renewals[:0],
		Outages: e.Outages[:0],
	}
	r.renewals, r.copies, r.late = r.renewals[:0], r.copies[:0], r.late[:0]
	r.holds, r.asked, r.clients = r.holds[:0], r.asked[:0], r.clients[:0]
}

// serversOf returns the platform's servers, kept from an earlier run if there was one.
func (r *Runner) serversOf(p platform.Platform) platform.Servers {
	if r.Real != nil {
		return r.Real
	}
	if r.pool[p] == nil {
		r.pool[p] = p.New()
	}
	return r.pool[p]
}

// build adds the hosts to the world: servers, storage, clients, in the order of Scenario.Hosts, and then the probe.
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
	r.addTokenService()
	r.probe = r.addHost(nil)
	r.asked = s.platform().AppendAsked(r.asked, &r.topology)
	r.site = platform.Site{
		Topology: &r.topology, World: r.world, Servers: r.asked, Database: &r.database,
		Settling: r.limits.settling, OnCommand: r.OnCommand,
	}
	r.servers.Attach(&r.site)
	for i := range r.clients {
		c := &r.clients[i]
		c.host.OnStart(c.restart)
		c.start()
	}
}

func (r *Runner) addStorage() {
	s := r.scenario
	c := storage.Config{Check: s.Fencing.Check, ReadsMark: s.Fencing.ReadsMark, Above: s.Fencing.Above}
	if s.Storage.Engine == Register {
		r.storageID = r.addHost(&r.store).ID
		r.store.Attach(r.world, c)
		return
	}
	rules := sql.Config{Config: c, Idle: s.Storage.Idle}
	if server, ok := r.Real.(realDatabase); ok {
		r.storageID = r.addHost(server.Database(rules)).ID
		return
	}
	h := r.addHost(&r.database)
	r.storageID = h.ID
	r.database.Attach(h, rules)
}

// timeLimits returns the limits of a scenario that has this topology.
//
// The lock may be acquired again once every fault has healed and no client holds it: a key that no client will free
// lives for the TTL, or longer with some libraries, by the slowest clock of a node; one may still have been on its way.
// An attempt that began just before the end of such a key fails, and then the longest wait between two attempts passes
// before the next.
//
// An acquire may take as long while its client reaches a majority of nodes, or the service, and no other client holds
// the lock; and one TTL more for contenders to get out of step. With a network that loses messages all the time there
// is no limit: each release that it loses leaves a key for the TTL, and so may each failed attempt, without end. gather
// and the probe add the waits of a user's lock between its own tries.
func (s *Scenario) timeLimits(t *platform.Topology) (b timeLimits) {
	times := s.platform().Times(t)
	kind := s.Lock.Kind.registered()
	life, attempt := s.slowed(times.Life+kind.Longer), s.slowed(kind.Longest(s.Lock.Rules, t.Servers))
	b.settling = s.slowed(times.Settling)
	b.again = s.Network.Latency.Max + life + attempt + s.slowed(s.Lock.Retry.Max) + attempt + b.settling
	b.wait = math.MaxInt64
	if s.Network.Loss == 0 {
		b.wait = b.again + life
	}
	return b
}

// slowed returns the true time in which the slowest clock of the scenario counts d.
func (s *Scenario) slowed(d time.Duration) time.Duration {
	const perfect = 1_000_000_000 // what a true clock counts in a second
	slow := clock.Rate(0)
	for _, c := range s.Clocks {
		slow = min(slow, c.By)
	}
	for _, f := range s.Faults {
		if f.Kind.EndsItself && f.By < 0 { // such as a slew: it is not healed, but ends when it is done
			slow -= f.Rate
		}
	}
	if slow == 0 {
		return d + 1
	}
	slow = max(slow, -clock.RateMax)
	long := new(big.Int).Mul(big.NewInt(int64(d)), big.NewInt(perfect))
	long.Div(long, big.NewInt(perfect+int64(slow)))
	return time.Duration(long.Int64() + 1)
}

func (r *Runner) conclude(seed uint64, end sim.End) *Result {
	r.clocks = r.clocks[:0]
	for _, h := range r.world.Hosts() {
		r.clocks = append(r.clocks, *h.Clock())
	}
	res := &r.result
	*res = Result{
		Scenario: r.scenario, Seed: seed, End: end, Steps: r.world.Steps(), Hosts: r.names,
		Evidence: &r.evidence, Trace: r.world.Trace(), Clocks: r.clocks, Copies: r.copies, Late: r.late,
	}
	if r.world.Stopped() {
		r.gather(sim.StepsHit)
	}
	if only := r.Exploring.Judged; only != nil {
		res.Findings = r.judge.Only(res.Evidence, only)
		return res
	}
	for i := range r.clients {
		r.clients[i].abandon("the run ended before its transaction was committed")
	}
	res.BlackBox = r.blackBox.Judge(res.Evidence.History, r.scenario.Clients, r.scenario.Views())
	res.judge(&r.judge, r.sometimes)
	if wrong := r.unsound(); wrong != "" {
		res.CutShort(errUnsound, wrong)
		return res
	}
	return res
}

// quiet begins the quiet period, which ends every run: its clients have ended, or it was cut short, and the evidence of
// safety is complete. Every fault heals, unfinished clients stop, and a fresh client, the probe, asks for the lock
// until it has it. How long that takes judges deadlock-free.
func (r *Runner) quiet(end sim.End) {
	r.gather(end)
	r.inQuietPeriod = true
	switch {
	case end == sim.Abandoned: // its guests can't be asked any more
		return
	case r.Exploring.SafetyOnly: // not needed
		if end != sim.Finished { // what its clients would do next has not been gathered
			r.stopClients()
		}
		return
	}
	r.injection.Heal()
	r.stopClients()
	r.endProbeLoss()
	retry, longer := r.probeRetry()
	r.limits.slept = retry.Max
	r.evidence.Probe = checker.Probe{Asked: r.world.Now(), Won: clock.Forever, Bound: r.limits.again +
		r.servers.UnderWay() + longer}
	r.probe.Go("main", r.runProbe)
}

func (r *Runner) stopClients() {
	for i := range r.clients {
		if h := r.clients[i].host; h.Live() {
			h.Crash(true)
		}
	}
}

func (r *Runner) endProbeLoss() {
	if r.scenario.Network.Loss == 0 {
		return
	}
	for _, id := range r.asked {
		node := r.world.Hosts()[id]
		r.world.Lose(r.probe, node, -int(r.scenario.Network.Loss))
		r.world.Lose(node, r.probe, -int(r.scenario.Network.Loss))
	}
}

// probeRetry returns how the probe waits between its attempts: as clients do. If a key may live so long that this would
// take more than 50,000 attempts, it waits longer, and has that much more time in all.
func (r *Runner) probeRetry() (retry locks.Retry, longer time.Duration) {
	retry = r.scenario.Lock.Retry
	retry.Attempts = 0 // it has all the time there is
	if least := r.limits.again / 50_000; least > retry.Max {
		retry.Min, retry.Max = least, least
		longer = r.scenario.slowed(least)
	}
	return retry, longer
}

// runProbe acquires the lock once and releases it. It runs in the probe's proc.
func (r *Runner) runProbe(p *sim.Proc) {
	rules := r.scenario.Lock.Rules
	rules.Retry, _ = r.probeRetry()
	lock := r.newLock(rules, 0, nil)
	if l, ok := lock.(locks.Sessioned); ok && !r.ours() {
		l.OnDeadline(func(locks.Client, time.Duration) {}) // a user's lock calls whatever was set
	}
	r.keepSession(r.probe, lock)
	c := locks.Client(p)
	if !r.ours() {
		c = visitor{p, r}
	}
	grant := rules.Retry.Acquire(c, lock, 0)
	r.evidence.Probe.Won = r.world.Now()
	lock.Release(p, grant)
}
