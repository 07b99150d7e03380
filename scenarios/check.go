package scenarios

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Bounds of what a scenario may ask for.
const (
	hostsMax = 100                  // of a kind: links grow with their square
	timeMax  = 366 * 24 * time.Hour // so that no sum of times overflows
	fenceMax = 1<<53 - 1            // larger ones do not survive JSON readers that count in floating point
)

// Check tells everything that is wrong with the scenario; nil when nothing is.
func (s *Scenario) Check() error {
	var w complaints
	s.checkTopology(&w)
	s.checkLock(&w)
	s.checkFencing(&w)
	s.checkWork(&w)
	s.checkExpectations(&w)
	if isCount(s.Clients) && isCount(s.Nodes) { // else there is no list of hosts to check names against
		s.checkRates(&w)
		if err := s.Faults.Check(s.cast(s.Hosts()), s.Horizon); err != nil {
			w = append(w, err)
		}
	}
	return errors.Join(w...)
}

// complaints are what is wrong, each under the key of the setting that would mend it.
type complaints []error

func (w *complaints) must(ok bool, key, format string, args ...any) {
	if !ok {
		*w = append(*w, fmt.Errorf(key+": "+format, args...))
	}
}

// mustLast wants a time that is not too long to reckon with.
func (w *complaints) mustLast(key string, d time.Duration) {
	w.must(d <= timeMax, key, "%s is out of range; give up to a year", d)
}

func (w *complaints) mustRange(key string, r sim.Range) {
	w.must(0 <= r.Min && r.Min <= r.Max, key, "min %s and max %s are no range", r.Min, r.Max)
	w.mustLast(key, r.Max)
}

// mustName wants a value that has a name.
func mustName[T ~uint8](w *complaints, key string, v T, names []string) {
	w.must(int(v) < len(names), key, "%d is none of %s", v, strings.Join(names, ", "))
}

func (s *Scenario) checkTopology(w *complaints) {
	w.must(isCount(s.Clients), "clients", "%d is out of range; give 1 to %d", s.Clients, hostsMax)
	w.must(isCount(s.Nodes), "nodes", "%d is out of range; give 1 to %d", s.Nodes, hostsMax)
	w.mustRange("network.latency", s.Network.Latency)
	w.must(isShare(s.Network.Loss), "network.loss", "it is out of range; give 0 to 1")
	mustName(w, "persistence", s.Persistence, redis.PersistenceNames)
	w.must(0 < s.Horizon && s.Horizon <= timeMax, "horizon", "%s is out of range; give up to a year", s.Horizon)
	w.must(s.Steps > 0, "steps", "%d is not positive", s.Steps)
}

func (s *Scenario) checkLock(w *complaints) {
	lock := &s.Lock.Rules
	mustName(w, "lock.kind", s.Lock.Kind, KindNames)
	mustName(w, "lock.contact", lock.Contact, locks.ContactNames)
	mustName(w, "lock.clock", lock.Clock, locks.ClockNames)
	mustName(w, "lock.cleanup", lock.Cleanup, locks.CleanupNames)
	w.must(lock.TTL > 0, "lock.ttl", "%s is not positive; give a time such as 10s", lock.TTL)
	w.must(lock.TTL%time.Millisecond == 0, "lock.ttl", "%s is no whole number of milliseconds, which is what Redis counts", lock.TTL)
	w.mustLast("lock.ttl", lock.TTL)
	w.must(lock.Timeout > 0, "lock.timeout", "%s is not positive; give a time such as 50ms", lock.Timeout)
	w.must(lock.Timeout < lock.TTL, "lock.timeout", "%s is not less than lock.ttl, which is %s; a lock would expire "+
		"before a dead node is given up", lock.Timeout, lock.TTL)
	w.must(!isCount(s.Nodes) || 0 <= lock.Quorum && lock.Quorum <= s.lockNodes(), "lock.quorum", "%d votes can't be had from %d nodes; give 1 to %d, "+
		"or 0 for a majority", lock.Quorum, s.lockNodes(), s.lockNodes())
	w.must(isShare(lock.DriftFactor), "lock.drift_factor", "it is out of range; give 0 to 1")
	w.must(lock.DriftConstant >= 0, "lock.drift_constant", "%s is negative", lock.DriftConstant)
	w.mustLast("lock.drift_constant", lock.DriftConstant)
	w.must(lock.Retry.Attempts >= 0, "lock.retry.attempts", "%d is negative; give 0 for no limit", lock.Retry.Attempts)
	w.mustRange("lock.retry", sim.Range{Min: lock.Retry.Min, Max: lock.Retry.Max})
}

func (s *Scenario) checkFencing(w *complaints) {
	f := s.Fencing
	mustName(w, "fencing.source", f.Source, FencingNames)
	w.must(f.Source != OnNode || 1 <= f.Node && f.Node <= s.Nodes, "fencing.node",
		"there is no node n%d; give 1 to %d", f.Node, s.Nodes)
	// Token 0 would read as none.
	w.must(f.Source != Ideal || 1 <= f.First && f.First <= fenceMax, "fencing.first",
		"%d is out of range; give 1 to %d", f.First, uint64(fenceMax))
}

func (s *Scenario) checkWork(w *complaints) {
	w.must(s.Work.Cycles > 0, "work.cycles", "%d is not positive", s.Work.Cycles)
	w.must(s.Work.Stagger >= 0, "work.stagger", "%s is negative", s.Work.Stagger)
	w.mustLast("work.stagger", s.Work.Stagger)
	w.mustRange("work.work", s.Work.Work)
	w.mustRange("work.think", s.Work.Think)
	w.must(s.Work.StorageTimeout > 0, "work.storage_timeout", "%s is not positive", s.Work.StorageTimeout)
	w.mustLast("work.storage_timeout", s.Work.StorageTimeout)
}

func (s *Scenario) checkRates(w *complaints) {
	const most = clock.RateMax / 2
	hosts := s.Hosts()
	for i, r := range s.Rates {
		given := slices.ContainsFunc(s.Rates[:i], func(o Rate) bool { return o.Host == r.Host })
		w.must(slices.Contains(hosts, r.Host), "rate", "no host is named %q; there are %s", r.Host, strings.Join(hosts, ", "))
		w.must(!given, "rate."+r.Host, "it is given twice")
		w.must(-most <= r.By && r.By <= most, "rate."+r.Host, "%s is out of range; give up to %s either way", r.By, most)
	}
}

func (s *Scenario) checkExpectations(w *complaints) {
	for _, p := range checker.Properties {
		said := 0
		for _, e := range s.Expect {
			if e.Property == p.Name {
				said++
			}
		}
		w.must(said > 0, "expect", "nothing is said of %s", p.Name)
		w.must(said < 2, "expect", "%s stands there twice", p.Name)
	}
	for _, e := range s.Expect {
		p, known := checker.Lookup(e.Property)
		w.must(known && !p.Sometimes, "expect", "there is no property %q", e.Property)
	}
	for _, name := range s.Sometimes {
		p, known := checker.Lookup(name)
		w.must(known && p.Sometimes, "sometimes", "there is no %q", name)
	}
}

func isCount(hosts int) bool { return 1 <= hosts && hosts <= hostsMax }

func isShare(millionths int) bool { return 0 <= millionths && millionths <= 1_000_000 }
