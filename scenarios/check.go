package scenarios

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// The limits of a scenario.
const (
	hostsMax = platform.HostsMax
	timeMax  = platform.TimeMax
	rateMax  = clock.RateMax / 2 // the other half is left to the schedule
	fenceMax = 1<<53 - 1         // JSON readers that use floating point can't read larger ones

	faultsMax  = 500 // all faults are checked again for each mutant and each bound, and a check must end within a second
	mutantsMax = 50
	boundsMax  = 10
)

// Check returns all that is wrong with the scenario; nil if nothing is.
func (s *Scenario) Check() error { return s.problems().joined() }

// joined returns the problems as one error; nil if there are none.
func (w problems) joined() error {
	var all []error
	for _, p := range w {
		all = append(all, p)
	}
	return errors.Join(all...)
}

func (s *Scenario) problems() problems {
	w := s.valueProblems()
	s.checkLock(&w)
	s.checkFencing(&w)
	s.checkPlatform(&w)
	if isCount(s.Clients) && 0 <= s.Nodes && s.Nodes <= hostsMax { // else there is no list of hosts to check names against
		s.checkClocks(&w)
		s.checkFaults(&w)
		s.checkGuests(&w)
	}
	if len(w) == 0 { // else each mutant would repeat it
		s.checkSearch(&w)
		s.checkExplore(&w)
		s.checkMutants(&w)
		s.checkBounds(&w)
	}
	return w
}

// valueProblems returns what is wrong with values whatever the others are, even if not all of a file could be read.
func (s *Scenario) valueProblems() (w problems) {
	s.checkRanges(&w)
	s.checkTopology(&w)
	s.checkWork(&w)
	s.checkExpectations(&w)
	return w
}

// A problem is what is wrong, under the key of the setting that would mend it.
type problem struct {
	key, text string
	word      string // the wrong one in the line of a fault, if it is known
}

// Error returns the key and what is wrong.
func (p problem) Error() string { return p.key + ": " + p.text }

type problems []problem

// must adds a problem unless ok.
func (w *problems) must(ok bool, key, format string, args ...any) {
	if !ok {
		*w = append(*w, problem{key: key, text: fmt.Sprintf(format, args...)})
	}
}

// A valueRange is the least and the greatest number that a value may be, as files write them; "" is no limit.
type valueRange struct{ least, greatest string }

// ranges has the limits of numbers by their keys, for Check and for the schema. Times are text in a file, so they are not
// here. It is looked up, and never ranged over.
var ranges = map[string]valueRange{
	"clients": {"1", strconv.Itoa(hostsMax)}, "nodes": {"0", strconv.Itoa(hostsMax)}, "steps": {"1", ""}, "network.loss": {"0", "1"},
	"lock.quorum": {"0", ""}, "lock.drift_factor": {"0", "1"}, "lock.retry.attempts": {"0", ""}, "lock.renew.attempts": {"0", ""},
	"work.cycles": {"1", ""}, "mutants.within": {"1", ""},
	"lock.failover.wait": {"0", "100"}, "lock.redisson.depth": {"0", "100"}, "lock.session.tries": {"0", "100"}, "lock.session.margin": {"0", "1"},
	"replicas.min_good": {"0", "100"}, "explore.deviations": {"0", "7"}, "explore.most": {"0", "7"}, // no machine finishes more
}

func (s *Scenario) checkRanges(w *problems) {
	for _, k := range fixedSettings() {
		if in, limited := ranges[k.Key]; limited {
			w.mustRange(k.Key, in, k.at(s))
		}
	}
}

// mustRange refuses a number out of its range.
func (w *problems) mustRange(key string, in valueRange, v reflect.Value) {
	end := func(limit string) int64 {
		n := reflect.New(v.Type()).Elem()
		if err := scalars[v.Type()].Read(n, limit); err != nil {
			panic("scenarios: the limit of a range is not a number: " + limit)
		}
		return n.Int()
	}
	low := v.Int() < end(in.least)
	switch {
	case in.greatest != "":
		w.must(!low && v.Int() <= end(in.greatest), key, "%s is out of range; give %s to %s", format.Write(v), in.least, in.greatest)
	case in.least == "1":
		w.must(!low, key, "%s is not positive; give 1 or more", format.Write(v))
	default:
		w.must(!low, key, "%s is negative; give 0 or more", format.Write(v))
	}
}

// tooMany refuses a list that is too long to be checked to its end, and reports whether it is.
func (w *problems) tooMany(key string, n, most int) bool {
	w.must(n <= most, key, "there are %d; give up to %d", n, most)
	return n > most
}

// mustTime refuses a time of more than a year.
func (w *problems) mustTime(key string, d time.Duration) {
	w.must(d <= timeMax, key, "%s is out of range; give up to a year", d)
}

func (w *problems) mustTimes(key string, r sim.Range) {
	w.must(0 <= r.Min && r.Min <= r.Max, key, "min %s and max %s are not a range", r.Min, r.Max)
	w.mustTime(key, r.Max)
}

func mustName[T ~uint8](w *problems, key string, v T, names []string) {
	w.must(int(v) < len(names), key, "%d is not one of %s", v, strings.Join(names, ", "))
}

func (s *Scenario) checkTopology(w *problems) {
	w.mustTimes("network.latency", s.Network.Latency)
	s.checkTick(w)
	mustName(w, "storage.engine", s.Storage.Engine, engineNames)
	w.must(s.Storage.Idle >= 0, "storage.idle", "%s is negative; give 0s for ever", s.Storage.Idle)
	w.mustTime("storage.idle", s.Storage.Idle)
	mustName(w, "expiry", s.Expiry, redis.ExpiryNames)
	mustName(w, "persistence", s.Persistence, redis.PersistenceNames)
	w.must(0 < s.Horizon && s.Horizon <= timeMax, "horizon", "%s is out of range; give up to a year", s.Horizon)
}

// checkTick refuses a grid on which messages don't travel.
func (s *Scenario) checkTick(w *problems) {
	tick, l := s.Network.Tick, s.Network.Latency
	w.must(tick >= 0, "network.tick", "%s is negative; give 0s for no grid", tick)
	if tick <= 0 {
		return
	}
	w.must(tick >= tickLeast, "network.tick", "%s is too short: what a client does between two messages must fit into it; give %s or more", tick, tickLeast)
	w.must(l.Min == l.Max && l.Min >= tick && l.Min%tick == 0, "network.latency",
		"%s is no multiple of network.tick, which is %s; give one such as %s..%s", writeRange(l), tick, tick, tick)
}

// tickLeast is the shortest tick. A step costs gridStep, and between two messages a client makes few dozen.
const (
	tickLeast = 200 * time.Microsecond
	gridStep  = time.Microsecond
)

func (s *Scenario) checkWork(w *problems) {
	w.must(s.Work.Stagger >= 0, "work.stagger", "%s is negative", s.Work.Stagger)
	w.mustTime("work.stagger", s.Work.Stagger)
	w.mustTimes("work.work", s.Work.Work)
	w.mustTimes("work.think", s.Work.Think)
	w.must(s.Work.StorageTimeout > 0, "work.storage_timeout", "%s is not positive", s.Work.StorageTimeout)
	w.mustTime("work.storage_timeout", s.Work.StorageTimeout)
}

func (s *Scenario) checkClocks(w *problems) {
	hosts := s.Hosts()
	for i, r := range s.Clocks {
		given := slices.ContainsFunc(s.Clocks[:i], func(o Rate) bool { return o.Host == r.Host })
		w.must(slices.Contains(hosts, r.Host), "clocks."+r.Host, "no host is named %q; there are %s", r.Host, strings.Join(hosts, ", "))
		w.must(!given, "clocks."+r.Host, "it is given twice")
		w.must(-rateMax <= r.By && r.By <= rateMax, "clocks."+r.Host, "%s is out of range; give up to %s either way", r.By, rateMax)
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
		*w = append(*w, problem{yamlform.Item("fault", c.Index), fmt.Sprintf("%q: %v", s.Faults[c.Index], c.Err), c.Word})
	}
}

// checkPlatform refuses a topology on which the lock cannot run, and settings of what it does not run on.
func (s *Scenario) checkPlatform(w *problems) {
	if s.Lock.Kind.registered() == nil {
		return // checkLock refuses the kind
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
	mustName(w, "lock.kind", s.Lock.Kind, KindNames)
	s.checkOptions(w)
	s.checkOwnOptions(w)
	mustName(w, "lock.contact", lock.Contact, locks.ContactNames)
	mustName(w, "lock.clock", lock.Clock, locks.ClockNames)
	mustName(w, "lock.cleanup", lock.Cleanup, locks.CleanupNames)
	mustName(w, "lock.take", lock.Take, locks.TakeNames)
	mustName(w, "lock.free", lock.Free, locks.FreeNames)
	mustName(w, "lock.counted", lock.Counted, locks.CountedNames)
	w.must(lock.Patience >= 0, "lock.patience", "%s is negative; give 0s for no limit", lock.Patience)
	w.mustTime("lock.patience", lock.Patience)
	w.must(lock.Renew.Every >= 0, "lock.renew.every", "%s is negative; give 0s for never", lock.Renew.Every)
	w.mustTime("lock.renew.every", lock.Renew.Every)
	w.must(lock.TTL > 0, "lock.ttl", "%s is not positive; give a time such as 10s", lock.TTL)
	w.must(lock.TTL%time.Millisecond == 0, "lock.ttl", "%s is not a whole number of milliseconds, which is what Redis counts", lock.TTL)
	w.mustTime("lock.ttl", lock.TTL)
	w.must(lock.Timeout > 0, "lock.timeout", "%s is not positive; give a time such as 50ms", lock.Timeout)
	w.must(lock.TTL <= 0 || lock.Timeout < lock.TTL, "lock.timeout", "%s is not less than lock.ttl, which is %s; a lock would expire "+
		"before a dead node is given up", lock.Timeout, lock.TTL)
	w.must(!isCount(s.Nodes) || lock.Quorum <= s.LockNodes(), "lock.quorum", "%d votes can't be had from %s; give up to %d, "+
		"where 0 is a majority", lock.Quorum, counted(s.LockNodes(), "node"), s.LockNodes())
	s.checkAllowance(w)
	w.must(lock.DriftConstant >= 0, "lock.drift_constant", "%s is negative", lock.DriftConstant)
	w.mustTime("lock.drift_constant", lock.DriftConstant)
	w.mustTimes("lock.retry", sim.Range{Min: lock.Retry.Min, Max: lock.Retry.Max})
}

// checkAllowance refuses an allowance for drift that leaves nothing of the TTL. Nobody would ever have the lock.
func (s *Scenario) checkAllowance(w *problems) {
	r, k := s.FormulaRules(), s.Lock.Kind.registered()
	if k == nil || r.TTL <= 0 || r.DriftFactor < 0 || r.DriftFactor > 1_000_000 || r.DriftConstant < 0 || r.DriftConstant > timeMax {
		return // another check refuses these
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
	w.must(r.Drift() < r.TTL, key, "an allowance of %s leaves nothing of lock.ttl, which is %s; nobody would ever have the lock", r.Drift(), r.TTL)
}

// checkOptions refuses options that the lock does not have: they would change nothing, and a run would prove less than it
// seems to.
func (s *Scenario) checkOptions(w *problems) {
	k := s.Lock.Kind.registered()
	if k == nil {
		return // checkLock refuses the kind
	}
	reference := locks.Reference()
	for _, f := range lockOptions() {
		given, usual := f.In(reflect.ValueOf(&s.Lock.Rules).Elem()), f.In(reflect.ValueOf(&reference).Elem())
		w.must(k.Has(f.Name) || given.Equal(usual), "lock."+f.Name, "a lock of the kind %s has no such option; leave it out", k.Name)
	}
}

// checkOwnOptions checks the options that few kinds of locks have.
func (s *Scenario) checkOwnOptions(w *problems) {
	lock := &s.Lock
	mustName(w, "lock.session.watch", lock.Session.Watch, locks.WatchNames)
	mustName(w, "lock.session.check", lock.Session.Check, locks.CheckNames)
	w.must(lock.Failover.WaitTimeout%time.Millisecond == 0, "lock.failover.wait_timeout", "%s is not a whole number of milliseconds, "+
		"which is what Redis counts", lock.Failover.WaitTimeout)
	for _, t := range []struct {
		key   string
		d     time.Duration
		least time.Duration
	}{
		{"lock.failover.wait_timeout", lock.Failover.WaitTimeout, time.Millisecond}, {"lock.redisson.wait", lock.Redisson.Wait, 0},
		{"lock.session.keep_alive", lock.Session.KeepAlive, 0}, {"lock.session.poll", lock.Session.Poll, time.Millisecond},
	} {
		w.must(t.d >= t.least, t.key, "%s is too short; give %s or more", t.d, t.least)
		w.mustTime(t.key, t.d)
	}
}

func (s *Scenario) checkFencing(w *problems) {
	f := s.Fencing
	mustName(w, "fencing.source", f.Source, fencingNames)
	mustName(w, "fencing.check", f.Check, storage.CheckNames)
	w.must(f.Check != storage.Equality || f.ReadsMark, "fencing.reads_mark", "storage that checks equality learns the token "+
		"from reads alone; give true")
	w.must(f.Check != storage.Version || f.Atomic, "fencing.atomic", "a version can't be asked about before the write; give true")
	w.must(!slices.Contains([]FencingSource{OnNode, OnNodes, OnQuorum}, f.Source) || s.nodesCount(), "fencing.source", "no node counts tokens for a lock "+
		"of the kind %s; give %s", s.Lock.Kind, s.sources())
	w.must(f.Source != OnNode || !s.nodesCount() || 1 <= f.Node && f.Node <= s.Nodes, "fencing.node",
		"there is no node n%d; give 1 to %d", f.Node, s.Nodes)
	w.must(f.Source != OfLock || s.countsTokens() || s.Lock.Kind.registered() == nil, "fencing.source", "a lock of the kind %s gives no tokens of "+
		"its own; give %s", s.Lock.Kind, s.sources())
	// Token 0 would read as none.
	w.must(f.Source != Ideal || 1 <= f.First && f.First <= fenceMax, "fencing.first",
		"%d is out of range; give 1 to %d", f.First, uint64(fenceMax))
}

// sources lists where the tokens of such a lock may come from.
func (s *Scenario) sources() string {
	k := s.Lock.Kind.registered()
	switch {
	case s.countsTokens() && s.nodesCount():
		return "ideal, node, nodes, quorum, service, lock or none"
	case s.countsTokens():
		return "ideal, service, lock or none"
	case s.nodesCount():
		return "ideal, node, nodes, quorum, service or none"
	case k != nil && k.Has("failover.counts"):
		return "ideal, service or none, or let lock.failover.counts be true"
	}
	return "ideal, service or none"
}

// oneLine returns the text of an error that may join several, on one line.
func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; and ") }

func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}

func isCount(hosts int) bool { return 1 <= hosts && hosts <= hostsMax }
