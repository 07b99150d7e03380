package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

func (s *Scenario) checkTopology(w *problems) {
	w.mustTimes("network.latency", s.Network.Latency)
	s.checkTick(w)
	w.mustTime("storage.idle", s.Storage.Idle, s.Storage.Idle >= 0, "is negative; give 0s for never")
	w.must(0 < s.Horizon && s.Horizon <= timeMax, "horizon", "%s is out of range; give up to a year", s.Horizon)
}

// checkTick rejects a grid on which messages don't travel.
func (s *Scenario) checkTick(w *problems) {
	tick, l := s.Network.Tick, s.Network.Latency
	w.must(tick >= 0, "network.tick", "%s is negative; give 0s for no grid", tick)
	if tick <= 0 {
		return
	}
	w.must(tick >= tickLeast, "network.tick",
		"%s is too short, because a client must act between two messages; give %s or more", tick, tickLeast)
	w.must(l.Min == l.Max && l.Min >= tick && l.Min%tick == 0, "network.latency",
		"%s is not a multiple of network.tick, which is %s; give one such as %s..%s", writeRange(l), tick, tick, tick)
}

// tickLeast is the shortest tick. A step costs gridStep, and between two messages a client makes few dozen.
const (
	tickLeast = 200 * time.Microsecond
	gridStep  = time.Microsecond
)

// warmMost is the longest time in which a client may warm up.
const warmMost = time.Minute

func (s *Scenario) checkWork(w *problems) {
	w.must(s.Work.Readers <= s.Clients || !isCount(s.Clients), "work.readers",
		"%d is more than the number of clients, which is %d; give fewer", s.Work.Readers, s.Clients)
	if p := s.Lock.Kind.Protocol(); s.Work.Readers > 0 && p != nil {
		w.must(p.Shares, "work.readers", "lock.kind %s can't be shared; choose redisson-rw, or leave this out",
			p.Name)
	}
	w.must(0 <= s.Work.Warm && s.Work.Warm <= warmMost, "work.warm",
		"%s is out of range; give up to %s, or 0s for a cold start",
		s.Work.Warm, warmMost)
	w.mustTime("work.stagger", s.Work.Stagger, s.Work.Stagger >= 0, "is negative")
	w.mustTimes("work.work", s.Work.Work)
	w.mustTimes("work.think", s.Work.Think)
	w.mustTime("work.tick", s.Work.Tick, s.Work.Tick >= 0, "is negative; give 0s for work without ticks")
	w.mustTime("work.keep", s.Work.Keep, s.Work.Keep >= 0, "is negative; give 0s to release when the work is done")
	w.mustTime("work.storage_timeout", s.Work.StorageTimeout, s.Work.StorageTimeout > 0, "is not positive")
}

func (s *Scenario) checkClocks(w *problems) {
	hosts := s.Hosts()
	for i, r := range s.Clocks {
		given := slices.ContainsFunc(s.Clocks[:i], func(o Rate) bool { return o.Host == r.Host })
		w.must(slices.Contains(hosts, r.Host), "clocks."+r.Host, "no host is named %q; there are %s", r.Host,
			strings.Join(hosts, ", "))
		w.must(!given, "clocks."+r.Host, "it is given twice")
		w.must(-rateMax <= r.By && r.By <= rateMax, "clocks."+r.Host, "%s is out of range; give up to %s either way",
			r.By, rateMax)
	}
}

func (s *Scenario) checkFaults(w *problems) {
	if w.tooMany("schedule", len(s.Faults), faultsMax) {
		return
	}
	for _, c := range s.Faults.Complaints(s.Cast(), s.Horizon) {
		if c.Index < 0 {
			w.must(false, "schedule", "%v", c.Err)
			continue
		}
		*w = append(*w, problem{yamlform.Item("fault", c.Index), fmt.Sprintf("%q: %v", s.Faults[c.Index], c.Err),
			c.Word})
	}
}

// checkPlatform rejects a topology on which the lock cannot run, and settings of platforms that it does not use.
func (s *Scenario) checkPlatform(w *problems) {
	if s.Lock.Kind.registered() == nil {
		return // checkLock rejects the kind
	}
	t := s.topology()
	for _, p := range platform.All {
		if p != s.platform() {
			p.CheckUnused(&t, w.must)
		}
	}
	if s.Nodes >= 0 {
		s.platform().Check(&t, w.must)
	}
}

func (s *Scenario) checkLock(w *problems) {
	lock := &s.Lock.Rules
	s.checkOptions(w)
	s.checkOwnOptions(w)
	w.mustTime("lock.patience", lock.Patience, lock.Patience >= 0, "is negative; give 0s for no limit")
	w.mustTime("lock.renew.every", lock.Renew.Every, lock.Renew.Every >= 0, "is negative; give 0s for never")
	w.mustTime("lock.ttl", lock.TTL, lock.TTL > 0, "is not positive; give a time such as 10s")
	w.must(lock.TTL <= 0 || lock.TTL >= s.Lock.Shortest, "lock.ttl", "%s is too short for the lock; give %s or more",
		lock.TTL, s.Lock.Shortest)
	w.mustCountMillis("lock.ttl", lock.TTL)
	w.must(lock.Timeout > 0, "lock.timeout", "%s is not positive; give a time such as 50ms", lock.Timeout)
	w.must(lock.TTL <= 0 || lock.Timeout < lock.TTL, "lock.timeout",
		"%s is not less than lock.ttl, which is %s; the lock would expire while a client waits for a dead node",
		lock.Timeout, lock.TTL)
	w.must(!isCount(s.Nodes) || lock.Quorum <= s.LockNodes(), "lock.quorum",
		"%d votes are more than %s can give; give up to %d, "+
			"or 0 for a majority", lock.Quorum, counted(s.LockNodes(), "node"), s.LockNodes())
	s.checkAllowance(w)
	w.mustTime("lock.drift_constant", lock.DriftConstant, lock.DriftConstant >= 0, "is negative")
	w.mustTimes("lock.retry", sim.Range{Min: lock.Retry.Min, Max: lock.Retry.Max})
}

// checkAllowance rejects an allowance for drift that leaves nothing of the TTL. No client would ever have it.
func (s *Scenario) checkAllowance(w *problems) {
	r, k := s.FormulaRules(), s.Lock.Kind.registered()
	if k == nil || r.TTL <= 0 || r.DriftFactor < 0 || r.DriftFactor > 1_000_000 || r.DriftConstant < 0 ||
		r.DriftConstant > timeMax {
		return // another check rejects these
	}
	key := "lock.drift_constant"
	switch {
	case k.Has("session.margin"):
		key = "lock.session.margin"
	case !k.Has("drift_factor") || !r.ValidityCheck:
		return
	case r.DriftConstant < r.TTL:
		key = "lock.drift_factor"
	}
	w.must(r.Drift() < r.TTL, key,
		"an allowance of %s leaves nothing of lock.ttl, which is %s, so no client could acquire; give less",
		r.Drift(), r.TTL)
}

// checkOptions rejects options that the lock does not have: a run would prove less than it seems to.
func (s *Scenario) checkOptions(w *problems) {
	k := s.Lock.Kind.registered()
	if k == nil {
		return // checkLock rejects the kind
	}
	usual := Scenario{Lock: Lock{Rules: locks.Reference()}}
	for _, f := range lockOptions() {
		same := f.In(reflect.ValueOf(s).Elem()).Equal(f.In(reflect.ValueOf(&usual).Elem()))
		w.must(k.Has(f.Name) || same, f.Key, "lock.kind %s has no such option; leave it out", k.Name)
	}
}

// checkOwnOptions checks the options that few kinds of locks have.
func (s *Scenario) checkOwnOptions(w *problems) {
	lock := &s.Lock
	w.mustCountMillis("lock.failover.wait_timeout", lock.Failover.WaitTimeout)
	for _, t := range []struct {
		key      string
		d, least time.Duration
	}{
		{"lock.failover.wait_timeout", lock.Failover.WaitTimeout, time.Millisecond}, {"lock.redisson.wait",
			lock.Redisson.Wait, 0},
		{"lock.redisson.queue_wait", lock.Redisson.QueueWait, 0},
		{"lock.session.keep_alive", lock.Session.KeepAlive, 0}, {"lock.session.poll", lock.Session.Poll,
			time.Millisecond},
	} {
		w.mustTime(t.key, t.d, t.d >= t.least, "is too short; give "+t.least.String()+" or more")
	}
	d := lock.Session.LockDelay
	w.mustTime("lock.session.lock_delay", d, 0 <= d && d <= time.Minute, "is none of Consul's; give 0s to 1m0s")
}

func (s *Scenario) checkFencing(w *problems) {
	f := s.Fencing
	w.must(f.Check != storage.Equality || f.ReadsMark, "fencing.reads_mark",
		"storage that checks equality gets the token "+
			"only from reads; give true")
	w.must(f.Check != storage.Version || f.Atomic, "fencing.atomic",
		"storage checks a version together with the write; give true")
	w.must(!slices.Contains([]FencingSource{OnNode, OnNodes, OnQuorum}, f.Source) || s.nodesCount(), "fencing.source",
		"no node counts tokens for lock.kind %s; give %s", s.Lock.Kind, s.sources())
	w.must(f.Source != OnNode || !s.nodesCount() || 1 <= f.Node && f.Node <= s.Nodes, "fencing.node",
		"there is no node n%d; give 1 to %d", f.Node, s.Nodes)
	w.must(f.Source != OfLock || s.countsTokens() || s.Lock.Kind.registered() == nil, "fencing.source",
		"lock.kind %s makes no tokens; give %s", s.Lock.Kind, s.sources())
	// Token 0 would read as none.
	w.must(f.Source != Ideal || 1 <= f.First && f.First <= fenceMax, "fencing.first",
		"%d is out of range; give 1 to %d", f.First, uint64(fenceMax))
}

// sources lists where the tokens of such a lock may come from.
func (s *Scenario) sources() string {
	nodes, last := "", "service or none"
	if s.nodesCount() {
		nodes = "node, nodes, quorum, "
	}
	if k := s.Lock.Kind.registered(); s.countsTokens() {
		last = "service, lock or none"
	} else if nodes == "" && k != nil && k.Has("failover.counts") {
		last += ", or let lock.failover.counts be true"
	}
	return "ideal, " + nodes + last
}
